"""The final tally at the table: a picture of a player's captured tiles against what the record says they captured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import DataError
from companion.core.game import Rules, State
from companion.core.types import Face, Seat
from companion.games import find_game

if TYPE_CHECKING:
    import numpy as np

    from calibration.box_file import EnrolledBox
    from companion.table.session import Session
    from vision.locate.markers import MarkerLayout
    from vision.spread.tally import TallyReader
    from vision.spread.tally_reading import TallyReading


@dataclass(frozen=True, slots=True)
class TallyRow:
    """How many tiles that look like `face` the picture shows, and how many the record says were captured."""

    face: Face
    seen: int
    recorded: int

    @property
    def difference(self) -> int:
        """More than the record says (positive) or fewer (negative)."""
        return self.seen - self.recorded


@dataclass(frozen=True, slots=True)
class TallyCheck:
    """A picture's tiles beside the record's, sorted by face; `unknown` tiles were seen and not recognised."""

    rows: tuple[TallyRow, ...]
    unknown: int

    @property
    def differences(self) -> tuple[TallyRow, ...]:
        """The faces of which the picture shows another number."""
        return tuple(row for row in self.rows if row.difference)

    @property
    def agrees(self) -> bool:
        """Whether every tile was recognised and is the record's."""
        return not self.differences and not self.unknown


def compare_tally(
    seen: Iterable[Face], recorded: Iterable[Face], same_face: Callable[[Face], Face], unknown: int = 0
) -> TallyCheck:
    """Compare tile by tile; faces that look the same count as one and are named by their representative."""
    there, captured = (Counter(map(same_face, faces)) for faces in (seen, recorded))
    faces = sorted(there.keys() | captured.keys())
    return TallyCheck(tuple(TallyRow(face, there[face], captured[face]) for face in faces), unknown)


def captured_by(rules: Rules, state: State, seat: Seat) -> tuple[Face, ...]:
    """The faces that a seat has captured by the record. Raises DataError for a seat or a game without captures."""
    seats = rules.view(state, None).get("seats", ())
    if seat >= len(seats) or "captured" not in seats[seat]:
        raise DataError(f"{rules.setup.game} with {len(seats)} players has no captured tiles of seat {seat.name}")
    return tuple(tile["id"] for tile in seats[seat]["captured"])


def number_captured(session: Session, game: str, seat: str) -> int | None:
    """How many tiles a seat (a letter) has captured by the record of a session; None where the game is
    another one or not over, or has no such seat or no captures."""
    rules, state = session.rules, session.state
    if rules.setup.game != game or seat not in Seat.__members__ or rules.result(state) is None:
        return None
    try:
        return len(captured_by(rules, state, Seat[seat]))
    except DataError:
        return None


def tally_reader(box: EnrolledBox, markers: MarkerLayout | None = None) -> TallyReader:
    """Reads captured tiles of a box, by its catalogue one face for those that look the same. Raises DataError for a
    catalogue that cannot be read."""
    from vision.faces.learning import learn_faces
    from vision.spread.tally import TallyReader

    spec = find_game(box.game)
    same = None if spec.same_looks is None else spec.same_looks(spec.load_catalogue(box.catalogue))
    faces = {name: name if same is None else same.get(name, name) for name in box.references}
    pictures: dict[Face, list[np.ndarray]] = {}
    for name, face in faces.items():
        pictures.setdefault(face, []).extend(box.references[name])
    copies = None if same is None else Counter(faces.values())
    book = learn_faces(pictures, loose=box.loose)
    return TallyReader(book, {face: shown[0] for face, shown in pictures.items()}, markers=markers, copies=copies)


class BoxTally:
    """Reads pictures of captured tiles with the faces of an enrolled box."""

    def __init__(self, box: Path) -> None:
        """Raises DataError when `box` is no enrolled box."""
        from calibration.box_file import read_box

        self._reader = tally_reader(read_box(box))

    def read(self, path: Path) -> TallyReading:
        """The tiles in a picture file. Raises DataError when it cannot be read."""
        from vision.locate.pose import NotLocated, locate_table
        from vision.scenes.scene_set import picture

        image = picture(path)
        pose = locate_table(image, self._reader.markers)
        return self._reader.read(image, None if isinstance(pose, NotLocated) else pose)


def as_json(check: TallyCheck) -> dict[str, Any]:
    """The check as a JSON object."""
    return {
        "agrees": check.agrees,
        "unknown": check.unknown,
        "tiles": [{"tile": r.face, "seen": r.seen, "recorded": r.recorded} for r in check.rows],
    }
