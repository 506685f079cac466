"""What the senses report: the camera's observation of the table and the button box's events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import prod

from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Face, Slot


class Sight(Enum):
    """Whether a slot can be seen in a frame."""

    SEEN = "seen"
    COVERED = "covered"  # a hand or a shield lies over it
    OUTSIDE = "outside"  # not in the picture


class ViewState(Enum):
    """What the camera pipeline is doing; it is always known and always shown."""

    PREPARING = "getting ready"  # the tiles are being learnt
    WAITING = "waiting"
    HAND = "hand in view"
    SETTLING = "settling"
    SETTLED = "settled"
    MOVED = "camera moved"
    LOST = "table not found"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class PieceReading:
    """How many pieces of a colour lie in a slot, and how probable exactly that number is."""

    colour: str
    count: int
    p: float


@dataclass(frozen=True, slots=True)
class SlotReading:
    """What the camera makes of one slot.

    `faces`: (face or None for empty, log-probability), best first; what is left of the probability
    belongs to faces that were not tried. `turn`: quarter turns clockwise of the best face. `doubted`: of colours that
    might not show there, the probability that their count is right, whether any piece of them was counted or none.
    `burnt_out`: whether a face lies there that is too bright for the picture to be named.
    """

    slot: Slot
    sight: Sight
    faces: tuple[tuple[Face | None, float], ...] = ()
    turn: int | None = None
    pieces: tuple[PieceReading, ...] = ()
    pieces_p: float = 1.0  # probability that all the piece counts of this slot are right
    doubted: tuple[tuple[str, float], ...] = ()
    burnt_out: bool = False

    @property
    def others_p(self) -> float:
        """Probability that the counts of all colours that are not doubted are right."""
        return self.pieces_p / prod(p for _, p in self.doubted)


@dataclass(frozen=True, slots=True)
class CutoutReading:
    """A piece of `colour` seen in the cut-out `slot` of the board that lies at `seat_deg` (clockwise from bottom)."""

    seat_deg: int
    slot: Slot
    colour: str
    p: float


@dataclass(frozen=True, slots=True)
class PurseChange:
    """By how much more than in the look with which another counting, `since`, began the coins in a purse may have come
    to: (tally, chance) of each, likeliest first. Chances that add up to less than 1 leave the rest to any other sum."""

    since: int
    tallies: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class PurseReading:
    """What the coins in a purse of the layout come to, and how probable exactly that sum is.

    `total`: None where not every coin can be told. `tally`: by how much they come to more than in an earlier look, the
    one with the number `since`; of readings since the same one the tallies can be compared. `after`: by how much that
    look may have differed from what was counted before it; None where nothing is known of that.
    """

    slot: Slot
    total: int | None
    p: float
    since: int = 0
    tally: int = 0
    after: PurseChange | None = None


@dataclass(frozen=True, slots=True)
class BoardObservation:
    """One picture of the table, read: frame number, time, state of the view, a reading per slot, and of those purses of
    which something can be told."""

    frame: int
    time_ms: int
    view: ViewState
    slots: tuple[SlotReading, ...] = ()
    cutouts: tuple[CutoutReading, ...] = ()
    boards_seen: tuple[int, ...] = ()  # seat_deg of the player boards that were found
    corner: str | None = None  # where the corner card lies: tl, tr, br or bl
    note: Message = NO_MESSAGE  # why the view is not settled, or worse than it need be
    purses: tuple[PurseReading, ...] = ()
    alike: tuple[str, ...] = ()
    """Colours of pieces that are hardly told from this table."""


class ButtonEdge(Enum):
    """What happened to an input of the box."""

    PRESSED = "pressed"
    RELEASED = "released"


class BoxInput(Enum):
    """The inputs of the box: four stations of a confirm button and a shield sensor, and the referee's button."""

    CONFIRM_1 = "confirm-1"
    CONFIRM_2 = "confirm-2"
    CONFIRM_3 = "confirm-3"
    CONFIRM_4 = "confirm-4"
    SHIELD_1 = "shield-1"
    SHIELD_2 = "shield-2"
    SHIELD_3 = "shield-3"
    SHIELD_4 = "shield-4"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """An edge of an input, delivered exactly once and in order: `number` has no gaps within (box, boot)."""

    box: str
    boot: int
    number: int
    input: BoxInput
    edge: ButtonEdge
    device_ms: int
    tied_with_previous: bool = False  # same device millisecond as the event before: no order between the two
