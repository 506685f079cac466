"""Movement in Rifts of N'Norya: what a movement costs, brings and brings home."""

from __future__ import annotations

from companion.games.rifts.actions import End, Move
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import (
    ELEMENT_OF,
    HORSE_MOVES,
    ITEMS,
    MOST_RESOURCES,
    MOST_WITH_SCROLL,
    MOVES,
    RESOURCES,
    Item,
)
from companion.games.rifts.play.geography import geography, movement
from companion.games.rifts.play.market import spells_lying, take_away
from companion.games.rifts.state import NONE, Mage, State, with_mage

HORSE, BOAT, SCROLL = (ITEMS.index(item) for item in (Item.HORSE, Item.BOAT, Item.SCROLL))
ALL_RELICS = (1 << len(RESOURCES)) - 1


def moves_at_start(mage: Mage) -> int:
    """N20: three, with a horse five; N41: one less for who must stand up."""
    return (HORSE_MOVES if mage.items[HORSE] else MOVES) - mage.down


def most_resources(mage: Mage) -> int:
    """N4: how many of each resource fit on the scroll."""
    return MOST_WITH_SCROLL if mage.items[SCROLL] else MOST_RESOURCES


def reach(t: Tables, s: State, seat: int) -> dict[int, int]:
    """N20: the spaces that one movement reaches, whatever is left, with what each costs."""
    mage = s.mages[seat]
    return dict(movement(t, s.land, mage.cell, mage.items[BOAT]))


def move(t: Tables, s: State, action: Move) -> State:
    """N20, N21: the mage moves and gains a resource; N5: relics brought to the starting tile are destroyed."""
    cell, mage = t.grid.name_index[action.slot], s.mages[action.seat]
    s = s._replace(moves=s.moves - reach(t, s, action.seat)[cell])
    kind = geography(t, s.land).terrain(cell)
    resources = list(mage.resources)
    if kind in ELEMENT_OF:  # N21
        index = RESOURCES.index(ELEMENT_OF[kind])
        resources[index] = min(most_resources(mage), resources[index] + 1)
    mage = mage._replace(cell=cell, resources=(resources[0], resources[1], resources[2]))
    if cell in t.start and mage.relics:  # N5
        s = s._replace(destroyed=s.destroyed | mage.relics)
        mage = mage._replace(relics=0)
    s = with_mage(s, action.seat, mage)
    return s._replace(ended="N5") if s.destroyed == ALL_RELICS else s


def end(t: Tables, s: State, _action: End) -> State:
    """The turn of the next player clockwise begins."""
    return begin_turn(t, s, (s.current + 1) % len(s.mages))


def begin_turn(t: Tables, s: State, seat: int) -> State:
    """R-N3: every active rift is to spawn; R-N16: where nothing presses on, a spell leaves the market."""
    spawning = tuple(i for i, rift in enumerate(s.rifts) if rift.active)
    s = s._replace(
        turn=s.turn + 1, current=seat, moves=NONE, withstood=(), spawning=spawning, explored=not s.stack
    )
    if not spawning and not s.stack:  # R-N16
        s = take_away(s, spells_lying(t, s)[:1])
    return s
