"""What happens on a map of Rifts of N'Norya without being seen: turns that end, tiles drawn, spaces crossed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.game import UnseenAct
from companion.core.layout import SlotView
from companion.core.types import Event, Slot
from companion.games.rifts.actions import End, Location, Move, Place
from companion.games.rifts.board import same_faces
from companion.games.rifts.edition.hexes import cells_of
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.play.geography import sites
from companion.games.rifts.play.moving import move, reach
from companion.games.rifts.state import Phase, State, with_mage

Seen = tuple[Slot, SlotView]


def act_unseen(t: Tables, s: State) -> UnseenAct | None:
    """That the turn has ended, where what comes next is seen; None when that is not known.

    N10: while there are tiles the next turn is seen by the tile that is laid, or by what the rifts spawn before it
    (R-N3). Later it is seen by the next mage; who goes alone must tell. Purchases, sales and fights are one of
    several acts and must be told.
    """
    if s.phase is not Phase.ACT:
        return None
    end = End(t.seats[s.current])
    if s.stack:
        return UnseenAct(end, forced=True)
    if len(s.mages) == 1:
        return None
    return UnseenAct(end, forced=False, shown_by=t.seats[(s.current + 1) % len(s.mages)])


def acts_in_one_go(t: Tables, s: State, seen: frozenset[Seen]) -> tuple[tuple[Event, ...], ...]:
    """A tile drawn and laid (N10), a mage moved by several movements (N20): the chains that show some of `seen`."""
    if s.phase in (Phase.LOCATION, Phase.PLACE):
        return tuple(_laid(t, s, seen))
    if s.phase is Phase.ACT:
        return tuple(_ways(t, s, seen))
    return ()


def found_by_sight(s: State) -> bool:
    """N10: a tile can be laid in hundreds of ways, and which one is seen."""
    return s.phase is Phase.PLACE


def _laid(t: Tables, s: State, seen: Iterable[Seen]) -> Iterator[tuple[Event, ...]]:
    same = same_faces(t)
    for slot, view in sorted(seen, key=lambda one: (one[0], one[1].face or "", one[1].turn or 0)):
        anchor = t.grid.name_index.get(slot)
        if anchor is None or view.face is None or view.turn is None:
            continue
        could_be = cells_of(s.stack) if s.phase is Phase.LOCATION else (s.tile,)
        tile = next((k for k in could_be if same[t.tiles[k].id] == same.get(view.face)), None)
        if tile is None or (anchor, view.turn) not in sites(t, s.land, tile).legal_set:
            continue
        lay = Place(t.seats[s.current], slot, view.turn)
        yield (Location(t.tiles[tile].id), lay) if s.phase is Phase.LOCATION else (lay,)


def _ways(t: Tables, s: State, seen: Iterable[Seen]) -> Iterator[tuple[Event, ...]]:
    """R-N24: every shortest way by two or more movements to a space where the mage is seen, unless another one gains
    more; one of those that come to the same."""
    seat = t.seats[s.current]
    colour = t.setup.seats[seat].colour
    ends = {slot for slot, view in seen if dict(view.pieces).get(colour)} - {t.grid.names[c] for c in reach(t, s, seat)}
    if not ends:
        return
    most = {s.mages[seat].cell: s.moves}  # N20: by space, the movement that is left at best
    found: dict[State, tuple[Event, ...]] = {s: ()}
    edge = [s]
    while edge:
        further: list[State] = []
        for state in sorted(edge, key=lambda one: -one.moves):
            for cell, cost in sorted(reach(t, state, seat).items()):
                left = state.moves - cost
                if left < 0 or left < most.get(cell, 0):
                    continue
                step = Move(seat, t.grid.names[cell])
                after = move(t, state, step)
                most[cell] = left
                if after not in found and not after.ended:
                    found[after] = (*found[state], step)
                    further.append(after)
        edge = further
    shortest: dict[int, list[State]] = {}
    for state in found:
        cell = state.mages[seat].cell
        if len(found[state]) > 1 and t.grid.names[cell] in ends and state.moves == most[cell]:
            shortest.setdefault(cell, []).append(state)
    for states in shortest.values():
        yield from (found[s] for s in states if not any(goes_without_saying(o, s) for o in states if o is not s))


def goes_without_saying(way: State, other: State) -> bool:
    """R-N24: whether a mage that is seen where both ways end has gone `way` unless it shows or tells the `other` one,
    which is longer, or as long and gains nothing more, and differs in nothing else."""
    seat = way.current
    alike = with_mage(other, seat, other.mages[seat]._replace(resources=way.mages[seat].resources))
    if alike._replace(moves=way.moves) != way:
        return False
    gains = zip(way.mages[seat].resources, other.mages[seat].resources, strict=True)
    return other.moves < way.moves or (other.moves == way.moves and all(mine >= its for mine, its in gains))
