"""What players do and what chance does in Envyra, and the one-line text of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.errors import NotationError
from companion.core.types import Action, Draw, Event, Seat, Slot


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


ACTION_TYPES: tuple[type[Action], ...] = (Choose, Confirm, TakeBack, Move, Remove, Pick, Show)
DRAW_TYPES: tuple[type[Draw], ...] = (BoxTile, DealTile, StartingFigure, OpenCard, HandCard, Refill, Replace)

_ACTIONS: dict[str, tuple[type[Action], str]] = {
    "choose": (Choose, "choose SLOT [SLOT]"),
    "confirm": (Confirm, "confirm"),
    "take-back": (TakeBack, "take-back"),
    "move": (Move, "move SLOT"),
    "remove": (Remove, "remove SLOT"),
    "pick": (Pick, "pick CARD"),
    "show": (Show, "show CARD"),
}
_DRAWS: dict[str, tuple[type[Draw], str]] = {
    "box": (BoxTile, "box TILE"),
    "deal": (DealTile, "deal SLOT TILE"),
    "start": (StartingFigure, "start SEAT"),
    "open": (OpenCard, "open CARD"),
    "hand": (HandCard, "hand SEAT CARD"),
    "refill": (Refill, "refill SLOT TILE"),
    "replace": (Replace, "replace SLOT TILE"),
}
_VERBS = {kind: verb for verb, (kind, _) in (*_ACTIONS.items(), *_DRAWS.items())}


def format_event(event: Event) -> str:
    """The text of an event, such as `A choose r1c1 r2c3` or `refill r1c2 end`. Raises ValueError for another game's."""
    verb = _VERBS.get(type(event))
    if verb is None:
        raise ValueError(f"expected an event of Envyra, got {type(event).__name__}")
    words = [verb]
    for name in event.__dataclass_fields__:
        value = getattr(event, name)
        if isinstance(event, Action) and name == "seat":
            words.insert(0, value.name)
        elif isinstance(value, Seat):
            words.append(value.name)
        elif isinstance(value, tuple):
            words.extend(value)
        else:
            words.append(value)
    return " ".join(words)


def parse_event(text: str) -> Event:
    """The event that `text` names. Raises NotationError that says which form was expected."""
    words = text.split()
    if not text.isascii():
        raise NotationError(f"expected plain letters, digits and hyphens, got {text!r}", remedy=_forms())
    if not words:
        raise NotationError("expected an action or a draw, got nothing", remedy=_forms())
    seat = Seat.__members__.get(words[0].upper()) if len(words) > 1 and len(words[0]) == 1 else None
    if seat is None:
        if words[0] not in _DRAWS:
            raise NotationError(f"expected a seat or a draw, got {words[0]!r} in {text!r}", remedy=_forms())
        return _parse_draw(words, text)
    if words[1] not in _ACTIONS:
        raise NotationError(f"expected what {seat.name} does, got {words[1]!r} in {text!r}", remedy=_forms())
    kind, form = _ACTIONS[words[1]]
    rest = words[2:]
    if kind is Choose:
        if not rest:
            raise NotationError(f"expected `{seat.name} {form}`, got {text!r}")
        return Choose(seat, tuple(rest))
    if len(rest) != len(form.split()) - 1:
        raise NotationError(f"expected `{seat.name} {form}`, got {text!r}")
    make: Callable[..., Action] = kind
    return make(seat, *rest)


def _parse_draw(words: list[str], text: str) -> Draw:
    kind, form = _DRAWS[words[0]]
    if len(words) != len(form.split()):
        raise NotationError(f"expected `{form}`, got {text!r}")
    values: list[str | Seat] = list(words[1:])
    if kind in (StartingFigure, HandCard):
        if words[1] not in Seat.__members__:
            raise NotationError(f"expected a seat (A, B, C or D), got {words[1]!r} in {text!r}")
        values[0] = Seat[words[1]]
    make: Callable[..., Draw] = kind
    return make(*values)


def _forms() -> str:
    actions = ", ".join(f"`A {form}`" for _, form in _ACTIONS.values())
    draws = ", ".join(f"`{form}`" for _, form in _DRAWS.values())
    return f"Actions: {actions}; draws: {draws}."
