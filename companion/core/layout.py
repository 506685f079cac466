"""The places of a table in millimetres and what lies in each: what the camera is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from operator import itemgetter

from companion.core.types import Face, Slot


@dataclass(frozen=True, slots=True)
class SlotOutline:
    """Where a slot lies: corners (N, 2) of its piece upright, table mm, clockwise from top left.

    Table frame: origin in the middle of the marker rectangle, x right, y towards the bottom seat.
    `holds`: what is told of the slot by `SlotView` ("tile": a face and the pieces on it; "card": a face only,
    whatever stands on it; "gap": pieces only; "location": a space of a map, with the face of the piece of several
    spaces that begins there, and the pieces on the space). `turns`: how many turns of its face can be told apart and
    mean something else: 1 none, 2 upright and inclined, 4 each quarter, 6 each sixth (of a location).
    """

    slot: Slot
    corners_mm: tuple[tuple[float, float], ...]
    holds: str = "tile"
    turns: int = 1


class PieceShape(Enum):
    """The foot of the pieces that stand on a table, as seen from above."""

    SQUARE = "square"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class CompoundPiece:
    """A flat piece of several spaces of a map: its face, and the middle of each space from the first one, mm, the piece
    upright."""

    name: Face
    middles_mm: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Coin:
    """A flat round coin: what it is worth and how wide it is, mm."""

    value: int
    width_mm: float


@dataclass(frozen=True, slots=True)
class TableLayout:
    """All slots of a game's table, the thickness of its flat pieces, and what stands on them.

    Every piece that stands on the table is `piece_height_mm` high and `piece_side_mm` wide (a round one across).
    `seat_pieces`: whether pieces in the colours of the seats stand on it; else a colour only tells players apart.
    `tokens`: names of the pieces that nobody owns, beside those in the colours of the seats; `corner_tokens`: those of
    them that lie on the corners of a map and nowhere else. `figures`: by seat, the colour of the one piece that it
    moves from slot to slot. `compound`: the pieces of several spaces that lie in the slots for locations. `purses`:
    where players keep their money side by side, beside the slots; `coins`: what it consists of.
    """

    slots: tuple[SlotOutline, ...]
    face_thickness_mm: float = 2.0
    piece_height_mm: float = 10.0
    piece_side_mm: float = 10.0
    piece_shape: PieceShape = PieceShape.SQUARE
    tokens: tuple[str, ...] = ()
    corner_tokens: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    compound: tuple[CompoundPiece, ...] = ()
    purses: tuple[SlotOutline, ...] = ()
    coins: tuple[Coin, ...] = ()
    seat_pieces: bool = True


@dataclass(frozen=True, slots=True)
class SlotView:
    """What lies in a slot: the face (None: no face), quarter turns clockwise, pieces per colour (sorted)."""

    face: Face | None = None
    turn: int | None = None  # None: the turn does not matter
    pieces: tuple[tuple[str, int], ...] = ()

    @property
    def holds_something(self) -> bool:
        """Whether it is anything else than an empty slot."""
        return self.face is not None or self.turn is not None or bool(self.pieces)


@dataclass(frozen=True, slots=True)
class BoardView:
    """What lies in every slot of the table, sorted by slot. Slots that are not named are empty, and the other way
    round: empty ones are left out, so that equal tables are equal values."""

    slots: tuple[tuple[Slot, SlotView], ...] = ()
    _index: dict[Slot, SlotView] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        pairs = dict(self.slots).items()  # asked here and not by `holds_something`: thousands are made a picture
        held = [(s, at) for s, at in pairs if at.face is not None or at.pieces or at.turn is not None]
        filled = tuple(sorted(held, key=_slot_of))
        object.__setattr__(self, "slots", filled)
        object.__setattr__(self, "_index", dict(filled))

    def at(self, slot: Slot) -> SlotView:
        """What lies in `slot`; an empty SlotView when nothing does."""
        return self._index.get(slot, EMPTY_SLOT)

    def with_slots(self, changes: Mapping[Slot, SlotView]) -> BoardView:
        """The same table but for the slots in `changes`."""
        return BoardView(tuple({**self._index, **changes}.items())) if changes else self

    def differs(self, other: BoardView) -> tuple[Slot, ...]:
        """The slots in which the two views differ, sorted."""
        if self is other:
            return ()
        mine, theirs = self._index, other._index
        names = [n for n, v in mine.items() if (w := theirs.get(n)) is not v and w != v]  # most are the same object
        return tuple(sorted(names + [n for n in theirs if n not in mine]))


EMPTY_SLOT = SlotView()


@lru_cache(maxsize=4096)
def slot_view(face: Face | None = None, turn: int | None = None, pieces: tuple[tuple[str, int], ...] = ()) -> SlotView:
    """A `SlotView`, the same object for the same content: it is compared with itself at once, and thousands are."""
    return SlotView(face, turn, pieces)


_slot_of = itemgetter(0)
