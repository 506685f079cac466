"""Puts the eyes of a table together: a source of pictures, a reader that knows the box, a film's own people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from companion.app.evidence_pictures import EvidencePictures
from companion.app.film import FilmJobs, read_jobs
from companion.app.live import LiveTable
from companion.app.table_eyes import TableEyes
from companion.app.watch import TableWatch
from companion.core.errors import DataError
from companion.core.events import Cause, CauseKind
from companion.core.types import Seat, Slot
from companion.table.commands import Play
from companion.table.reconcile import DEFAULT_DEMANDS
from companion.table.session import Session
from vision.scene_set import SceneSet
from vision.set_reader import SetReader
from vision.sources import open_source

REPLAY = "replay:"
FILM_PACE_S = 0.6
"""Time between the pictures of a film that is played as if live."""


def film_folder(source: str) -> Path | None:
    """The scene set of a filmed game that `source` names (`replay:DIR`, or DIR/game); None for anything else."""
    if not source.startswith(REPLAY):
        return None
    folder = Path(source.removeprefix(REPLAY).partition("?")[0])
    for candidate in (folder, folder.parent):
        if (candidate / "catalogue.json").exists() and (candidate / "game" / "jobs.json").exists():
            return candidate
    return None


@dataclass
class FilmHands:
    """The people of a filmed game: confirm and reveal what the film's jobs say, before the picture they belong to."""

    session: Session
    jobs: FilmJobs
    press: Callable[[Seat], None] | None = None
    """Presses the confirm button of a seat's station; None: the confirmation is entered."""
    conclude: Callable[[], object] | None = None
    """Called before a confirmation: what waits for the phase before it to be over is recorded then."""
    _confirming: set[Seat] = field(default_factory=set)
    _choices: dict[Seat, tuple[Slot, ...]] = field(default_factory=dict)

    def before_frame(self, index: int) -> None:
        """What was done before picture `index` (from 0)."""
        reveals = self.jobs.reveals.get(index, {})
        self._confirming.update(self.jobs.presses.get(index, ()), reveals)
        self._choices.update(reveals)
        rules = self.session.rules
        first = rules.parse(f"start {Seat(self.jobs.first).name}")
        if rules.check_draw(self.session.state, first) is None:
            self.session.ask(Play(texts=(rules.format(first),), cause=Cause(CauseKind.SCRIPT)))
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


def follow_table(
    watch: TableWatch,
    source: str,
    *,
    reader: TableEyes | None = None,
    pictures: Path | None = None,
    pace_s: float | None = None,
    press: Callable[[Seat], None] | None = None,
) -> LiveTable:
    """The live table for `source`, not yet started.

    A filmed game (`replay:DIR`) brings its own enrolment and people; every other source needs a `reader`. `pictures`:
    where the evidence is kept. Raises DataError without a reader, DeviceError for a source that names nothing.
    """
    kept = EvidencePictures(pictures) if pictures is not None else None
    film = film_folder(source)
    if film is None:
        if reader is None:
            raise DataError(
                "the camera does not know the box", where=source,
                remedy="Learn its pieces with `companion enrol`, or write those of an edition that ships with "
                "`companion sample box`, and name the file: --box-file FILE.",
            )
        return LiveTable(open_source(source), reader, watch, kept)
    jobs = read_jobs(film / "game")
    watch.follower.demands = DEFAULT_DEMANDS  # one picture of each scene: there is no second look
    hands = FilmHands(watch.session, jobs, press, watch.conclude)
    return LiveTable(
        open_source(f"{REPLAY}{film / 'game'}"), SetReader(SceneSet(film)).table(jobs.players), watch, kept,
        stills=True, pace_s=FILM_PACE_S if pace_s is None else pace_s, before_frame=hands.before_frame,
    )
