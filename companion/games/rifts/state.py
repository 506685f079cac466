"""The state of a game of Rifts of N'Norya: an immutable value of small integers that holds what the table can know.

Spaces, tiles, cards, elements and seats are indexes into the tables of the set-up (tables.py); sets of spaces are bit
masks. Decks are counts by kind, never an order. Hands are known to the companion and secret to their seats. Named
tuples, because one is made for every event.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

NONE = -1  # no card, no tile, no seat

Counts = tuple[int, ...]
"""How many there are of each kind of card, or of each amount of gold."""


class Phase(Enum):
    """What the table is doing. The first group waits for chance, the second for seats."""

    MARKET = "market"  # N3, N50: a card comes into the market
    HAND = "hand"  # N1, N30: a mage draws a card
    LOCATION = "location"  # N10: a location tile is drawn
    GOLD = "gold"  # N30: the underside of an enemy token

    START = "start"  # N2: a mage is placed on the starting tile
    SPAWN = "spawn"  # N32: the players agree on a spawn icon
    PLACE = "place"  # N10: the tile is added to the map
    TEMPLE = "temple"  # N13: the corner of a temple is chosen
    ACT = "act"  # N20-N22, N40, N50: the turn proper
    JOIN = "join"  # N30: who fights with the mage whose turn it is
    CAST = "cast"  # N30: cards are played
    WOUNDS = "wounds"  # R-N17: whether four Wounds are in a hand of real cards
    SHARE = "share"  # N30: rewards or a Wound are divided by agreement

    OVER = "over"


CHANCE_PHASES = frozenset({Phase.MARKET, Phase.HAND, Phase.LOCATION, Phase.GOLD})


class Foe(Enum):
    """What is fought."""

    ENEMY = "enemy"
    RIFT = "rift"
    TEMPLE = "temple"


class Laid(NamedTuple):
    """A location tile on the map: which one, the space of its first space, its turn in sixths clockwise."""

    tile: int
    anchor: int
    turn: int


class Rift(NamedTuple):
    """A rift token."""

    cell: int
    active: bool


class Mage(NamedTuple):
    """What a player has. `cell` is NONE before the mage is placed. `items`: in the order of ITEMS.

    `relics`: bit mask over RESOURCES of those carried. `down`: knocked out, and not yet standing again (N41).
    With real hands (R-N17) `held` is the number of cards in hand, and `deck` counts hand and deck together.
    """

    cell: int
    resources: tuple[int, int, int]
    gold: int
    vanquished: int
    items: tuple[bool, bool, bool]
    relics: int
    down: bool
    hand: Counts
    deck: Counts
    discard: Counts
    held: int = 0

    @property
    def hand_size(self) -> int:
        """The number of cards in hand."""
        return sum(self.hand) + self.held

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        return sum(self.deck) - self.held


class Offer(NamedTuple):
    """How a fight's outcome could be divided: gold per fighter, and who takes token, relic or Wound (NONE: nobody)."""

    gold: tuple[int, ...]
    taker: int


class Fight(NamedTuple):
    """A fight. `fighters` in seat order, the mage whose turn it is among them; `asked`: who may still join, a bit mask.

    `element`, `level`: of a temple. `damage`, `played` (cards by seat): of this round. `done`: who has ended the round
    or agreed to `offer`, a bit mask. `won`: None while the round runs. `gold`: what the round brought, NONE until the
    token is turned over. `settled`: what was won or suffered is divided. `proposer`: who may make an offer; `refusals`:
    offers refused so far.
    """

    foe: Foe
    fighters: tuple[int, ...]
    asked: int = 0
    element: int = NONE
    level: int = 0
    damage: int = 0
    played: tuple[tuple[int, ...], ...] = ()
    done: int = 0
    won: bool | None = None
    gold: int = NONE
    settled: bool = False
    proposer: int = NONE
    refusals: int = 0
    offer: Offer | None = None


class Withstood(NamedTuple):
    """A token that a mage failed to beat this turn: its space and kind; one entry a token (R-N13)."""

    cell: int
    foe: Foe


class State(NamedTuple):
    """One position.

    `turn` counts the players' turns; 0 while the table is set up. `moves`: movement left, NONE until the map has
    grown. `withstood`: tokens that the mage has failed to beat this turn. `spawning`: rifts that have still to spawn
    this turn. `explored`: the location tile of this turn has been drawn, or none was left; `tile`: drawn and not yet
    laid. `corners`: where temples that have appeared could stand. `stack`, `aside`: tiles face down and put aside,
    bit masks over tiles. `land`: tiles on the map in the order of laying. `enemies`: spaces with an enemy token;
    `crowd`: the spaces of further tokens, one entry a token, sorted. `rifts`: in the order of appearing. `temples`:
    per element the index of the corner, or NONE; `taken`: elements whose relic was taken; `destroyed`: brought back.
    `tokens`: enemy tokens by gold whose underside nobody has seen, on the map or not. `book`: the spell deck's
    counts; `market`: the card in each place, or NONE; `gone`: cards cleared away. `drawing`: seats that draw up to
    their hand limit, a bit mask. `ended`: the clause that ended the game, empty while it runs.
    """

    phase: Phase
    turn: int
    current: int
    moves: int
    withstood: tuple[Withstood, ...]
    spawning: tuple[int, ...]
    explored: bool
    tile: int
    corners: tuple[int, ...]
    stack: int
    aside: int
    land: tuple[Laid, ...]
    enemies: int
    crowd: tuple[int, ...]
    rifts: tuple[Rift, ...]
    temples: tuple[int, int, int]
    taken: int
    destroyed: int
    tokens: Counts
    book: Counts
    market: tuple[int, ...]
    gone: Counts
    mages: tuple[Mage, ...]
    drawing: int
    fight: Fight | None
    ended: str


def tracker(s: State) -> int:
    """R-N2: the Rift Tracker counts active rifts and is never below 1."""
    return max(1, sum(rift.active for rift in s.rifts))


def round_of(s: State) -> int:
    """The round: in each of them every mage has one turn; 0 while the table is set up."""
    return -(-s.turn // len(s.mages))


def with_mage(s: State, seat: int, mage: Mage) -> State:
    """The state with another value for one mage."""
    return s._replace(mages=(*s.mages[:seat], mage, *s.mages[seat + 1 :]))


def put(counts: Counts, kind: int, more: int) -> Counts:
    """The counts with `more` added at `kind`."""
    return (*counts[:kind], counts[kind] + more, *counts[kind + 1 :])


def added(a: Counts, b: Counts) -> Counts:
    """The sum of two counts."""
    return tuple(x + y for x, y in zip(a, b, strict=True))
