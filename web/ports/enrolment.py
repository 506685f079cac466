"""What the page on which a box is learnt needs from the companion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.core.face_form import FaceForm, Progress

OF = "."
"""Between a game's name and what the pieces of a further sort are called, in the name of their course."""


def game_of(course: str) -> str:
    """The game of a course."""
    return course.partition(OF)[0]


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A loose piece in the camera's picture: the corners of its outline as shares of width and height of that, and why
    its picture would be refused (message id, "" when it would not)."""

    corners: tuple[tuple[float, float], ...]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class EnrolLook:
    """What lies before the camera: the pieces, and what keeps them from being taken (message id and remedy, "" when
    nothing does). `by`: "markers", "pieces" when the table was found by their own shape, which is less sure, or "" when
    there is no picture."""

    pieces: tuple[SeenPiece, ...]
    trouble: str = ""
    remedy: str = ""
    by: str = "markers"


@dataclass(frozen=True, slots=True)
class FieldRead:
    """A field of a piece: its value (None: not read), whether a person need not be asked, whether one told it, what
    else it may be, and where on the picture it was read (shares: left, top, right, bottom)."""

    value: str | None
    sure: bool
    told: bool
    others: tuple[str, ...] = ()
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class PieceRead:
    """A piece: its number, how many pictures it has and the version of the newest, whether it is kept, its fields, and
    the kept pieces that look the same."""

    number: int
    pictures: int
    version: str
    kept: bool
    fields: Mapping[str, FieldRead]
    like: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CourseRead:
    """A course: its game's form, the pieces, the counts of the rules, what the pieces of each group are called
    from the first column to the last and whether their colours are learnt, why no box can be made of it yet ("" when
    one can), the newest box of the game that was saved, the numbers that stand on no piece as a person said them, and
    all courses of the game with their forms. `game`: the name of this course."""

    game: str
    form: FaceForm
    pieces: tuple[PieceRead, ...]
    progress: tuple[Progress, ...]
    colour_groups: tuple[tuple[tuple[str, ...], bool], ...]
    trouble: str = ""
    saved: str = ""
    numbers: Mapping[str, int] = field(default_factory=dict)
    sorts: tuple[tuple[str, FaceForm], ...] = ()


class EnrolPort(Protocol):
    """Learning a box. What changes the course raises ValueError for what is not there (any more), DataError and
    DeviceError saying why not."""

    def games(self) -> Sequence[str]:
        """The games whose boxes can be learnt."""

    def sorts(self, game: str) -> Sequence[str]:
        """The names of the courses of a game, the first of them its own name: they stand for it below."""

    def look(self, game: str) -> EnrolLook:
        """What lies before the camera now."""

    def read(self, game: str) -> CourseRead:
        """How far the course is."""

    def take(self, game: str) -> int:
        """Take the pieces that lie before the camera; how many. What has a fault is left."""

    def tell(self, game: str, answers: Sequence[tuple[int, str, str]]) -> None:
        """A person said (piece, field, value), once or for several pieces."""

    def keep(self, game: str) -> None:
        """The open pieces are as they are shown now."""

    def turn(self, game: str, number: int, quarters: int) -> None:
        """Turn a piece clockwise; 0: every open one."""

    def say(self, game: str, numbers: Mapping[str, int]) -> None:
        """A person said these of the form's `asked` numbers; of the others nothing is known (any more)."""

    def drop(self, game: str, number: int) -> None:
        """Forget a piece."""

    def again(self, game: str, number: int, of: int) -> None:
        """A piece is an earlier one, shown once more: one more picture of that."""

    def picture(self, game: str, number: int, part: int | None = None) -> bytes:
        """The newest picture of a piece, or of one of its spaces, a PNG."""

    def save(self, game: str, title: str) -> str:
        """Make a box of what is kept and use it from now on; the name of its file."""

    def begin_anew(self, game: str) -> None:
        """Forget all pieces of the course; boxes that were saved stay."""

    def box(self, name: str) -> bytes:
        """The file of a saved box. Raises DataError when there is none of that name."""

    def load(self, name: str, data: bytes, game: str = "") -> tuple[str, str]:
        """Take a box file that somebody made elsewhere and use it; the name it has here, and its game. `game`: what it
        must be of, "" for any. Raises DataError saying what was expected, what came and what to do."""
