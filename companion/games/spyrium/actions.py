"""What players do and what chance does in Spyrium, and the one-line text of each."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game_kit.notation import Notation
from companion.core.types import Action, Draw, Seat, Slot

NEW_SPACE = "new"
MOVE, SCORE = "move", "score"
YES = "yes"


@dataclass(frozen=True, slots=True)
class Place(Action):
    """S30: an active worker goes between two cards of the market."""

    gap: Slot


@dataclass(frozen=True, slots=True)
class Start(Action):
    """S32: the disc moves to Phase II; an action of Phase II follows at once."""


@dataclass(frozen=True, slots=True)
class Money(Action):
    """S40: the worker in `gap` is taken back for pounds at the card in slot `card` ("none" when both are gone)."""

    gap: Slot
    card: str


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """S41: the worker in `gap` activates the card in slot `card`.

    `space`: "new" or the space of the building that is replaced. `token`: value of the token used. `value`: what it
    counts as by Commerce (0: what it shows). `residence`: "move" or "score". `lobbying`: "yes" to pay no surcharge.
    """

    gap: Slot
    card: Slot
    space: str = ""
    token: int = 0
    value: int = 0
    residence: str = ""
    lobbying: str = ""


@dataclass(frozen=True, slots=True)
class Use(Action):
    """S45: the upright building in `space` is used, in the way that stands `way`-th on it, counted from 1.

    R-S6: by the option, Taylorism then straightens the building in `again` and uses it in its `again_way`-th way.
    """

    space: str
    way: int
    again: str = ""
    again_way: int = 0


@dataclass(frozen=True, slots=True)
class Reuse(Action):
    """S95: by Taylorism the inclined building in `space` is straightened and used again."""

    space: str
    way: int


@dataclass(frozen=True, slots=True)
class UseEvent(Action):
    """S31, S46: the turn's event is used.

    `choice`: what is gained (pounds, spyrium, points), paid (3, 6; 1, 3) or done on the residence track (move,
    score); "use" where there is no choice. `space` and `way`: the building used again; `gap`: where a worker is placed;
    `value`: what the token counts as by Commerce.
    """

    choice: str
    space: str = ""
    way: int = 0
    gap: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """S47: no more actions this turn."""


@dataclass(frozen=True, slots=True)
class Bonus(Action):
    """S52: "worker" or "money"."""

    choice: str


@dataclass(frozen=True, slots=True)
class Future(Draw):
    """S12, S21: `event` is revealed as the future event."""

    event: str


@dataclass(frozen=True, slots=True)
class FutureToken(Draw):
    """S12, S21: the token drawn for the future event."""

    value: int


@dataclass(frozen=True, slots=True)
class First(Draw):
    """S13: who begins."""

    who: Seat


@dataclass(frozen=True, slots=True)
class Deal(Draw):
    """S22: `card` is dealt to `slot`."""

    slot: Slot
    card: str


@dataclass(frozen=True, slots=True)
class Token(Draw):
    """S22: the token drawn for the market card in `slot`."""

    slot: Slot
    value: int


ACTION_TYPES: tuple[type[Action], ...] = (Place, Start, Money, Activate, Use, Reuse, UseEvent, Pass, Bonus)
DRAW_TYPES: tuple[type[Draw], ...] = (Future, FutureToken, First, Deal, Token)

NOTATION = Notation(
    "Spyrium",
    {
        "place": Place,
        "start": Start,
        "money": Money,
        "activate": Activate,
        "use": Use,
        "reuse": Reuse,
        "event": UseEvent,
        "pass": Pass,
        "bonus": Bonus,
    },
    {"future": Future, "future-token": FutureToken, "first": First, "deal": Deal, "token": Token},
)
