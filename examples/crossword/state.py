"""A position of the crossword game, and what can happen in it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game_kit.notation import Notation
from companion.core.types import Action, Seat


@dataclass(frozen=True, slots=True)
class Lay(Action):
    """Lay tiles in one turn: `tiles` are SQUARE=TILE, such as r8c8=h; r8c9=blank:e is a blank that is an e (CR1)."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exchange(Action):
    """Put `number` tiles back into the bag and draw as many."""

    number: int


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Do nothing in this turn."""


@dataclass(frozen=True, slots=True)
class Challenge(Action):
    """The word just laid is no word: its tiles come off again."""


@dataclass(frozen=True, slots=True)
class Finish(Action):
    """This player, who laid last, has no tile left and the bag is empty."""


@dataclass(frozen=True, slots=True)
class LeftOver(Action):
    """At the end: the tiles that this player has left."""

    tiles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """The last word laid: by whom, its squares, its points."""

    seat: Seat
    slots: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class State:
    """`board`: (square, tile) sorted; `points` a seat; `last`: the word that may be challenged; `idle`: turns in a row
    without a word; `out`: who finished; `left`: points left over a seat, None while they are not told."""

    board: tuple[tuple[str, str], ...]
    points: tuple[int, ...]
    left: tuple[int | None, ...]
    turn: int = 0
    last: Turn | None = None
    idle: int = 0
    out: Seat | None = None


NOTATION = Notation(
    "Crossword",
    {"lay": Lay, "exchange": Exchange, "pass": Pass, "challenge": Challenge, "finish": Finish, "left": LeftOver},
    {},
)
