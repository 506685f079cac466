"""A box on its way to be learnt: the pieces that were laid, what a person said of each, and what is asked next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.core.errors import DataError
from companion.core.face_form import FaceForm, Values

MOST_PIECES = 200
MOST_PICTURES = 6
"""Of one piece: more teach nothing new."""


@dataclass(frozen=True, slots=True)
class CoursePiece:
    """A piece: its number, the names of its pictures (upright), what was told or accepted of it, whether it is kept."""

    number: int
    pictures: tuple[str, ...]
    values: Values = field(default_factory=dict)
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """All pieces of a box so far, in the order in which they were laid. Pure: every change is a new course.

    `numbers`: those that stand on no piece and that a person has said.
    """

    game: str
    pieces: tuple[CoursePiece, ...] = ()
    next_number: int = 1
    numbers: Mapping[str, int] = field(default_factory=dict)

    def piece(self, number: int) -> CoursePiece:
        """The piece `number`. Raises ValueError when there is none (any more)."""
        for one in self.pieces:
            if one.number == number:
                return one
        raise ValueError(f"no piece has the number {number}")

    @property
    def kept(self) -> tuple[CoursePiece, ...]:
        """The pieces that are known."""
        return tuple(one for one in self.pieces if one.kept)

    @property
    def open(self) -> tuple[CoursePiece, ...]:
        """The pieces of the batch that a person still looks over."""
        return tuple(one for one in self.pieces if not one.kept)

    def laid(self, pictures: Sequence[str], values: Sequence[Values] = ()) -> Course:
        """With one more piece for each picture. `values`: what its finding told of each. Raises DataError for more
        pieces than any box has."""
        if len(self.pieces) + len(pictures) > MOST_PIECES:
            raise DataError(f"a box has at most {MOST_PIECES} pieces", remedy="Keep what is there, or begin anew.")
        told = values or [{} for _ in pictures]
        more = tuple(
            CoursePiece(self.next_number + k, (name,), known)
            for k, (name, known) in enumerate(zip(pictures, told, strict=True))
        )
        return replace(self, pieces=self.pieces + more, next_number=self.next_number + len(more))

    def told(self, number: int, key: str, value: str, form: FaceForm) -> Course:
        """A person said that a field of a piece is `value`. Raises ValueError for what there is not."""
        one = self.piece(number)
        if not form.field(key).allows(value):
            raise ValueError(f"{key} of piece {number}: expected one of {form.field(key).values}, got {value!r}")
        return self._with(replace(one, values={**one.values, key: value}))

    def said(self, numbers: Mapping[str, int], form: FaceForm) -> Course:
        """A person said these numbers that stand on no piece, no others. Raises ValueError for what there is not."""
        asked = {one.key: one for one in form.asked}
        for key, value in numbers.items():
            if key not in asked or not asked[key].least <= value <= asked[key].most:
                raise ValueError(f"{key}: expected one of {sorted(asked)} within its bounds, got {value}")
        return replace(self, numbers=dict(numbers))

    def accepted(self, read: Mapping[int, Values], form: FaceForm) -> Course:
        """The open pieces are kept, each with the values that were read and looked over. Raises ValueError naming the
        first field of a piece that is still missing."""
        course = self
        for one in self.open:
            values = form.whole({**read.get(one.number, {}), **one.values})
            missing = [f.key for f in form.fields if f.key not in values]
            if missing:
                raise ValueError(f"piece {one.number}: {missing[0]} is not known")
            course = course._with(replace(one, values=values, kept=True))
        return course

    def dropped(self, number: int) -> Course:
        """Without a piece: it was no piece, or was laid twice."""
        self.piece(number)
        return replace(self, pieces=tuple(one for one in self.pieces if one.number != number))

    def shown_again(self, number: int, of: int) -> Course:
        """The piece `number` is the piece `of` once more: that has one picture more, and this is none."""
        again, before = self.piece(number), self.piece(of)
        if number == of:
            raise ValueError("a piece is not itself once more")
        pictures = (before.pictures + again.pictures)[:MOST_PICTURES]
        return self.dropped(number)._with(replace(before, pictures=pictures))

    def turned(self, number: int, pictures: Sequence[str]) -> Course:
        """A piece with other pictures: the same, turned."""
        return self._with(replace(self.piece(number), pictures=tuple(pictures)))

    def _with(self, changed: CoursePiece) -> Course:
        pieces = tuple(changed if one.number == changed.number else one for one in self.pieces)
        return replace(self, pieces=pieces)


def same_look(pieces: Sequence[CoursePiece], form: FaceForm, values: Values) -> tuple[int, ...]:
    """The numbers of the kept pieces of which every printed value is the same."""
    look = form.whole(values)
    if len(look) < len(form.fields):
        return ()
    return tuple(one.number for one in pieces if one.kept and dict(form.whole(one.values)) == look)
