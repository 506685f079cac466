"""The state of a game of Envyra: an immutable value of small integers that holds only what the table can know.

Tiles, slots, cards and seats are indexes into the tables of the set-up (tables.py); sets of tiles and of seats are
bit masks. Nothing here depends on the order of a hash. The three values are named tuples, not frozen dataclasses:
one is made for every act, and a frozen dataclass of this size takes five times as long to make.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

NONE = -1  # no tile, no seat, no card, no slot


class Phase(Enum):
    """What the table is doing. The first group waits for chance, the second for seats."""

    BOX = "box"  # E10: a tile is drawn for the box
    DEAL = "deal"  # E11: a tile is dealt into the grid
    START = "start"  # E14: who takes the starting figure
    OPEN = "open"  # E71: an open card is drawn
    HAND = "hand"  # E72: a secret card is drawn
    REFILL = "refill"  # E50: a gap is filled
    REPLACE = "replace"  # E55: a replacement is drawn

    PICK = "pick"  # a secret card is picked
    REMOVE = "remove"  # E55: a restricted player removes a tile
    CHOOSE = "choose"  # E20: Phase I
    REVEAL = "reveal"  # E30: boards that the companion was not told of are read
    MOVE = "move"  # E31: Phase II
    SHOW = "show"  # E72: secret cards are shown at the end

    OVER = "over"


CHANCE_PHASES = frozenset({Phase.BOX, Phase.DEAL, Phase.START, Phase.OPEN, Phase.HAND, Phase.REFILL, Phase.REPLACE})


class Supply(NamedTuple):
    """What may still come out of the bag.

    `pool_start` and `pool_basic` are the tiles that nobody has seen: `start_in_bag` and `basic_in_bag` of them are
    in the bag, the others in the box, and nobody knows which. `known` are the tiles known to lie in the bag: the
    End tile and tiles that were returned. `aside` were drawn and wait to be returned. `removed` left the game (E55);
    `boxed` were seen to go back into the box at set-up (E10).
    """

    pool_start: int
    pool_basic: int
    start_in_bag: int
    basic_in_bag: int
    known: int
    aside: int = 0
    removed: int = 0
    boxed: int = 0

    @property
    def in_bag(self) -> int:
        """The number of tiles in the bag."""
        return self.start_in_bag + self.basic_in_bag + self.known.bit_count()


class Cards(NamedTuple):
    """Equilibrium cards: the open ones, who took each, and each seat's secret one (NONE: nobody yet, unknown)."""

    open: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()


class State(NamedTuple):
    """One position. Per slot: `grid` (tile or NONE) and `cubes` (the seats in order of placing).

    `boards` are the slots marked on each player's board: secret in Phase I, and cubes that still lie there in
    Phase II. A cube counts in `reserve` until the reveal. `filled`, `unlocked` follow from `grid` and `owned` and
    are kept because every act asks for them: the slots with a tile, and the tiles not restricted to each seat.
    """

    phase: Phase
    round: int
    first: int  # who holds the starting figure
    turn: int  # place in the order of Phase II
    moved: int  # mask of the places in that order at which a cube was moved
    ready: int  # mask of the seats that have confirmed
    playing: int  # mask of the seats that take part in this round
    last_round: bool  # E56
    slot: int  # the gap being filled
    over: str  # the clause by which the game ended
    grid: tuple[int, ...]
    cubes: tuple[tuple[int, ...], ...]
    filled: int
    owned: tuple[int, ...]
    unlocked: tuple[int, ...]
    reserve: tuple[int, ...]
    boards: tuple[tuple[int, ...], ...]
    supply: Supply
    cards: Cards
    agreed: int = 0  # mask of the seats that agree to end the game, since anybody last did anything else
