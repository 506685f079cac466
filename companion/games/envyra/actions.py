"""What players do and what chance does in Envyra, and the one-line text of each."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game_kit.notation import Notation
from companion.core.types import Action, Draw, Seat, Slot


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """Phase I: the places of the seat's cubes, told to the companion; it confirms too. Kept in the grid's order."""

    slots: tuple[Slot, ...]

    def __post_init__(self) -> None:
        if isinstance(self.slots, tuple) and all(isinstance(s, str) for s in self.slots):
            object.__setattr__(self, "slots", tuple(sorted(self.slots)))


@dataclass(frozen=True, slots=True)
class Confirm(Action):
    """Phase I: the seat's cubes lie behind the shield; which places is read at the reveal."""


@dataclass(frozen=True, slots=True)
class TakeBack(Action):
    """Phase I: the seat takes its confirmation (and what it chose) back."""


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Phase II: one cube goes from the board to the tile in `slot`."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Remove(Action):
    """No valid move: the seat removes the tile in `slot` from the game."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Pick(Action):
    """Equilibrium B with free choice: the seat secretly picks `card`."""

    card: str


@dataclass(frozen=True, slots=True)
class Show(Action):
    """Equilibrium B with cards dealt by hand: the seat shows its `card` at the end."""

    card: str


@dataclass(frozen=True, slots=True)
class Finish(Action):
    """R-12: the seat agrees that the game ends here, where nobody can capture a tile alone."""


@dataclass(frozen=True, slots=True)
class BoxTile(Draw):
    """Set-up: `tile` is drawn to go back into the box."""

    tile: str


@dataclass(frozen=True, slots=True)
class DealTile(Draw):
    """Set-up: `tile` is dealt to `slot`."""

    slot: Slot
    tile: str


@dataclass(frozen=True, slots=True)
class StartingFigure(Draw):
    """Set-up: `seat` takes the starting figure."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OpenCard(Draw):
    """Set-up: `card` is laid open."""

    card: str


@dataclass(frozen=True, slots=True)
class HandCard(Draw):
    """Set-up: `seat` gets `card` in secret."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class Refill(Draw):
    """End of round: `tile` is drawn for the gap at `slot`."""

    slot: Slot
    tile: str


@dataclass(frozen=True, slots=True)
class Replace(Draw):
    """No valid move: `tile` is drawn to replace the one removed from `slot`."""

    slot: Slot
    tile: str


ACTION_TYPES: tuple[type[Action], ...] = (Choose, Confirm, TakeBack, Move, Remove, Pick, Show, Finish)
DRAW_TYPES: tuple[type[Draw], ...] = (BoxTile, DealTile, StartingFigure, OpenCard, HandCard, Refill, Replace)

NOTATION = Notation(
    "Envyra",
    {
        "choose": Choose,
        "confirm": Confirm,
        "take-back": TakeBack,
        "move": Move,
        "remove": Remove,
        "pick": Pick,
        "show": Show,
        "finish": Finish,
    },
    {
        "box": BoxTile,
        "deal": DealTile,
        "start": StartingFigure,
        "open": OpenCard,
        "hand": HandCard,
        "refill": Refill,
        "replace": Replace,
    },
)
