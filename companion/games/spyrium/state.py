"""The state of a game of Spyrium: an immutable value of small integers that holds only what the table can know.

Card kinds, market slots, gaps, events and seats are indexes into the tables of the set-up (tables.py). Decks are
counts by kind, never an order. Named tuples, because one is made for every act.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple

NONE = -1  # no card, no event, no seat

Tokens = tuple[int, int, int]
"""How many tokens of the values 1, 2 and 3."""

NO_TOKENS: Tokens = (0, 0, 0)


class Phase(Enum):
    """What the table is doing. The first group waits for chance, the second for seats."""

    FUTURE = "future"  # S21: the next event is revealed
    FUTURE_TOKEN = "future-token"  # S12, S21: its token is drawn
    FIRST = "first"  # S13: who begins
    DEAL = "deal"  # S22: a card is dealt into the market
    TOKEN = "token"  # S22: a token is drawn for a market card

    PLAY = "play"  # S24: one action each
    BONUS = "bonus"  # S52: a bonus is chosen

    OVER = "over"


CHANCE_PHASES = frozenset({Phase.FUTURE, Phase.FUTURE_TOKEN, Phase.FIRST, Phase.DEAL, Phase.TOKEN})


class Step(IntEnum):
    """Where a player's phase disc lies."""

    PLACEMENT = 1  # Phase I
    ACTIVATION = 2  # Phase II
    PASSED = 3


class Built(NamedTuple):
    """A building in a neighbourhood: its kind, whether it is inclined, and the workers that stand on it."""

    kind: int
    inclined: bool = False
    workers: int = 0


class Player(NamedTuple):
    """What lies before one player. `inclined` are the techniques used this turn, by index of kind.

    `worker_bonus` and `money_bonus`: whether that bonus token still lies on the board (S52).
    """

    step: Step
    used_event: bool
    active: int
    inactive: int
    reserve: int
    money: int
    spyrium: int
    points: int
    residence: int  # place on the residence track, from 0
    buildings: tuple[Built, ...]
    techniques: tuple[int, ...]
    inclined: tuple[int, ...]
    kept: Tokens  # S96
    worker_bonus: bool
    money_bonus: bool


class State(NamedTuple):
    """One position. `decks`: per period the counts of the kinds still in it. `gone`: counts of discarded kinds.

    `market` and `tokens` by slot; `gaps` by gap: workers of each seat. `paid_money` and `paid_spyrium`: what the bank,
    which is unlimited (S1), has paid out net of what it took in.
    """

    phase: Phase
    turn: int
    first: int
    current: int
    decks: tuple[tuple[int, ...], ...]
    gone: tuple[int, ...]
    market: tuple[int, ...]
    tokens: tuple[Tokens, ...]
    gaps: tuple[tuple[int, ...], ...]
    events_left: tuple[int, ...]
    event: int
    event_token: int  # 0: none
    future: int
    future_token: int
    stock: Tokens
    discard: Tokens
    players: tuple[Player, ...]
    paid_money: int
    paid_spyrium: int
