"""A filmed game: where it is, what its people entered before which picture, and these people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.errors import DataError
from companion.core.events import Cause, CauseKind
from companion.core.files import parse_json
from companion.core.types import Seat, Slot
from companion.games import DEFAULT_GAME
from companion.table.commands import Play
from companion.table.session import Session

REPLAY = "replay:"


def film_folder(source: str) -> Path | None:
    """The scene set of a filmed game that `source` names (`replay:DIR`, or DIR/game); None for anything else."""
    if not source.startswith(REPLAY):
        return None
    folder = Path(source.removeprefix(REPLAY).partition("?")[0])
    folder = folder.parent if folder.name == "game" else folder
    filmed = (folder / "catalogue.json").exists() and (folder / "game" / "jobs.json").exists()
    return folder if filmed else None


@dataclass(frozen=True, slots=True)
class FilmJobs:
    """What people entered during the film: the game, its set-up, confirmations and choices, by picture."""

    game: str
    players: int
    colours: tuple[str, ...]
    first: int | None
    pictures: tuple[Path, ...]
    presses: Mapping[int, tuple[Seat, ...]]
    reveals: Mapping[int, Mapping[Seat, tuple[Slot, ...]]]
    told: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Events that people entered before a picture, as text."""


def read_jobs(folder: Path) -> FilmJobs:
    """The jobs of a filmed game. Raises DataError when they cannot be read or name no picture."""
    path = folder / "jobs.json"
    try:
        data = parse_json(path.read_text(encoding="utf-8"))
        presses: dict[int, list[Seat]] = {}
        for press in data.get("presses", ()):
            presses.setdefault(int(press["frame"]), []).append(Seat(int(press["player"])))
        reveals = {
            int(reveal["frame"]): {Seat(int(c["player"])): tuple(map(_slot, c["cells"])) for c in reveal["choices"]}
            for reveal in data.get("reveals", ())
        }
        kind = "webp" if (folder / "0000.webp").exists() else "jpg"
        pictures = tuple(folder / f"{n:04d}.{kind}" for n in range(int(data["frames"])))
        jobs = FilmJobs(
            str(data.get("game", DEFAULT_GAME)), int(data["players"]), tuple(data["colours"])[: int(data["players"])],
            None if data.get("first") is None else int(data["first"]), pictures,
            {frame: tuple(seats) for frame, seats in presses.items()}, reveals,
            {int(one["frame"]): tuple(map(str, one["texts"])) for one in data.get("told", ())},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"expected the jobs of a filmed game, got {error!r}", where=str(path)) from error
    if not pictures:
        raise DataError("the film has no picture", where=str(path))
    missing = [picture.name for picture in pictures if not picture.exists()]
    if missing:
        lacking = f"the film lacks {len(missing)} of {len(pictures)} pictures, {missing[0]} first"
        raise DataError(lacking, where=str(path))
    return jobs


def _slot(cell: list[int]) -> Slot:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


@dataclass
class FilmPeople:
    """The people of a filmed game: they confirm and reveal what its jobs say, before the picture it belongs to."""

    session: Session
    jobs: FilmJobs
    press: Callable[[Seat], None] | None = None
    """Presses the confirm button of a seat's station; None: the confirmation is entered."""
    conclude: Callable[[], object] | None = None
    """Called before a confirmation: what waits for the phase before it to be over is recorded then."""
    _confirming: set[Seat] = field(default_factory=set)
    _choices: dict[Seat, tuple[Slot, ...]] = field(default_factory=dict)
    _telling: list[str] = field(default_factory=list)

    def before_picture(self, index: int) -> None:
        """Do what was done before picture `index` (from 0), as soon as it is legal."""
        reveals = self.jobs.reveals.get(index, {})
        self._confirming.update(self.jobs.presses.get(index, ()), reveals)
        self._choices.update(reveals)
        rules = self.session.rules
        first = None if self.jobs.first is None else rules.parse(f"start {Seat(self.jobs.first).name}")
        if first is not None and rules.check_draw(self.session.state, first) is None:
            self.session.ask(Play(texts=(rules.format(first),), cause=Cause(CauseKind.SCRIPT)))
        self._telling += self.jobs.told.get(index, ())
        while self._telling and self._tell(self._telling[0]):
            self._telling.pop(0)
        if self._confirming and self.conclude is not None:
            self.conclude()
        for seat in sorted(self._confirming):
            if self._do(seat, f"{seat.name} confirm"):
                self._confirming.discard(seat)
        for seat, slots in sorted(self._choices.items()):
            if self._do(seat, f"{seat.name} choose {' '.join(slots)}"):
                self._confirming.discard(seat)
                del self._choices[seat]

    def _do(self, seat: Seat, text: str) -> bool:
        """Do what is legal now; whether it was done."""
        rules = self.session.rules
        if rules.check(self.session.state, rules.parse(text)) is not None:
            return False
        if text.endswith("confirm") and self.press is not None:
            self.press(seat)
            return True
        return self.session.ask(Play(texts=(text,), cause=Cause(CauseKind.SCRIPT))).accepted

    def _tell(self, text: str) -> bool:
        """Enter an event that is possible now; whether it was entered."""
        return self.session.ask(Play(texts=(text,), cause=Cause(CauseKind.SCRIPT))).accepted
