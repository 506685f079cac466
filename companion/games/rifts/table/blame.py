"""Which clause a change on a map of Rifts breaks that no legal act explains: what the camera's alarm says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any

from companion.core.game import Rules
from companion.core.layout import BoardView
from companion.core.types import Seat, Slot, Violation
from companion.games.rifts.actions import End, Location, Move, Place, Spawn, Start, Temple
from companion.games.rifts.board import DRAWN_SLOT, ENEMY, RIFT_OFF, RIFT_ON, TEMPLES, same_faces
from companion.games.rifts.edition.tables import Tables, tile_name
from companion.games.rifts.legality.check import expected_now
from companion.games.rifts.play.geography import movement
from companion.games.rifts.play.moving import BOAT
from companion.games.rifts.state import NONE, Phase, State

Facts = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """The table as accepted and as seen; `pieces`: colour -> per slot how many more (or, negative, fewer) lie there."""

    rules: Rules
    t: Tables
    state: State
    accepted: BoardView
    seen: BoardView
    slots: tuple[Slot, ...]
    pieces: dict[str, dict[Slot, int]]

    def gone(self, colour: str) -> tuple[Slot, ...]:
        """Where pieces of a colour are missing."""
        return tuple(sorted(slot for slot, n in self.pieces.get(colour, {}).items() if n < 0))

    def come(self, colour: str) -> tuple[Slot, ...]:
        """Where there are more pieces of a colour."""
        return tuple(sorted(slot for slot, n in self.pieces.get(colour, {}).items() if n > 0))

    def check(self, action: Any) -> Violation | None:
        """Why the rules refuse an action now."""
        return self.rules.check(self.state, action)


def blame_change(rules: Any, state: State, accepted: BoardView, seen: BoardView) -> Violation:
    """The clause broken by the change from the `accepted` table to the `seen` one, which differ.

    `rules` are those of Rifts. Of several things wrong at once the gravest is named: tiles before mages, mages before
    temples, temples before tokens.
    """
    t: Tables = rules.tables
    slots = accepted.differs(seen)
    pieces: dict[str, dict[Slot, int]] = {}
    for slot in slots:
        was, lies = dict(accepted.at(slot).pieces), dict(seen.at(slot).pieces)
        for colour in was.keys() | lies.keys():
            if lies.get(colour, 0) != was.get(colour, 0):
                pieces.setdefault(colour, {})[slot] = lies.get(colour, 0) - was.get(colour, 0)
    change = _Change(rules, t, state, accepted, seen, slots, pieces)
    return (
        _tiles_blamed(change) or _mages_blamed(change) or _temples_blamed(change) or _rifts_blamed(change)
        or _enemies_blamed(change) or _nothing_known(change)
    )


def _at(violation: Violation, *slots: Slot) -> Violation:
    """The same violation, concerning these slots."""
    return replace(violation, slots=slots)


def _nothing_known(c: _Change) -> Violation:
    # N1: a piece of a colour that no mage of this game has
    return Violation("N1", "At {slots} lies a piece that is none of this game.", (("slots", c.slots),), c.slots)


# Tiles


def _tiles_blamed(c: _Change) -> Violation | None:
    """N10: what is wrong with the location tiles."""
    changed = [s for s in c.slots if s != DRAWN_SLOT and s not in c.t.place_index]
    gone = [s for s in changed if c.accepted.at(s).face not in (None, c.seen.at(s).face)]
    come = [s for s in changed if c.seen.at(s).face not in (None, c.accepted.at(s).face)]
    turned = [s for s in changed if s not in gone and s not in come
              and c.accepted.at(s).face is not None and c.accepted.at(s).turn != c.seen.at(s).turn]
    for slot in gone:
        tile = c.accepted.at(slot).face or ""
        facts: Facts = (("tile", tile_name(c.t, tile)), ("slot", slot))
        other = next((s for s in come if c.seen.at(s).face == tile), None)
        if other is not None:
            # N10: a tile is added to the map and stays where it is
            message = "{tile} was moved from {slot} to {other}; a tile stays where it was laid."
            return Violation("N10", message, (*facts, ("other", other)), (slot, other))
        if slot not in come:
            return Violation("N10", "{tile} at {slot} was taken away; a tile stays where it was laid.", facts, (slot,))
        facts = (*facts, ("other", tile_name(c.t, c.seen.at(slot).face or "")))
        return Violation("N10", "At {slot} lies {other} instead of {tile}.", facts, (slot,))
    if turned:
        facts = (("tile", tile_name(c.t, c.accepted.at(turned[0]).face or "")), ("slot", turned[0]))
        return Violation("N10", "{tile} at {slot} was turned; a tile stays as it was laid.", facts, (turned[0],))
    return _laying_blamed(c, come[0]) if come else None


def _laying_blamed(c: _Change, slot: Slot) -> Violation:
    """N10, N14: why this tile cannot be laid there now."""
    face, turn = c.seen.at(slot).face or "", c.seen.at(slot).turn
    state = _at_the_next_tile(c)
    facts: Facts = (("tile", tile_name(c.t, face)), ("slot", slot))
    if state.phase not in (Phase.LOCATION, Phase.PLACE):
        # N10: one tile at the beginning of each turn
        _, expected = expected_now(state)
        facts = (*facts, ("expected", expected))
        return Violation("N10", "{tile} lies at {slot}, and no tile is laid now; expected: {expected}.", facts, (slot,))
    same = same_faces(c.t)
    if state.phase is Phase.PLACE:
        drawn = c.t.tiles[state.tile].id
        if same[drawn] != same.get(face, face):
            facts = (*facts, ("drawn", tile_name(c.t, drawn)))
            return Violation("N10", "At {slot} lies {tile}, but {drawn} was drawn.", facts, (slot,))
    else:
        alike = [tile.id for tile in c.t.tiles if same[tile.id] == same.get(face, face)]
        draws = [Location(tile) for tile in alike or [face]]
        possible = next((draw for draw in draws if c.rules.check_draw(state, draw) is None), None)
        if possible is None:
            refused = c.rules.check_draw(state, draws[0])
            assert refused is not None
            return _at(refused, slot)
        state = c.rules.apply(state, possible)
    violation = c.rules.check(state, Place(c.t.seats[state.current], slot, turn or 0))
    if violation is not None:
        return _at(violation, *(violation.slots or (slot,)))
    # N10: one tile a turn
    return Violation("N10", "{tile} lies at {slot} besides something else; one tile is laid in a turn.", facts, (slot,))


def _at_the_next_tile(c: _Change) -> State:
    """The state in which the next tile is laid, if all that stands between is the end of the turn (N20)."""
    state = c.state
    if state.phase is Phase.ACT and state.stack:
        state = c.rules.apply(state, End(c.t.seats[state.current]))
    return state


# Mages


def _mages_blamed(c: _Change) -> Violation | None:
    """N2, N20: what is wrong with the mages."""
    for seat, info in enumerate(c.t.setup.seats):
        gone, come = c.gone(info.colour), c.come(info.colour)
        if come:
            return _mage_blamed(c, c.t.seats[seat], gone, come)
        if gone:
            facts: Facts = (("seat", c.t.seats[seat]), ("slot", gone[0]))
            # N41: even who is knocked out stays on its space
            return Violation("N20", "{seat} is gone from {slot}; a mage stays on the map.", facts, gone)
    return None


def _mage_blamed(c: _Change, seat: Seat, gone: tuple[Slot, ...], come: tuple[Slot, ...]) -> Violation:
    slot = come[0]
    facts: Facts = (("seat", seat), ("slot", slot))
    if c.state.phase is Phase.START or c.state.mages[seat].cell == NONE:
        violation = c.check(Start(seat, slot))
        if violation is not None:
            return _at(violation, slot)
    if len(come) > 1 or not gone:
        return Violation("N1", "There is more than one piece of {seat}: at {slots}.", (*facts, ("slots", come)), come)
    violation = c.check(Move(seat, slot))
    if c.state.phase is not Phase.ACT or c.state.current != seat:
        assert violation is not None
        awaited = c.rules.to_act(c.state)
        facts = (*facts, ("awaited", awaited))
        # N20: a mage moves in its own turn, when the map has grown
        message = "{seat} moved to {slot}, but it is the turn of {awaited}."
        return Violation("N20", message, facts, (*gone, slot)) if awaited and seat not in awaited else (
            _at(violation, *gone, slot)
        )
    if violation is not None and c.t.grid.name_index.get(slot) is not None:
        cost = _cost_to(c.t, c.state, seat, c.t.grid.name_index[slot])
        if cost is not None and cost > c.state.moves:
            here = c.t.grid.names[c.state.mages[seat].cell]
            facts = (*facts, ("here", here), ("cost", cost), ("left", c.state.moves))
            # N20: three movements, five with a horse; leaving a river costs one more
            message = "Going from {here} to {slot} takes {cost} movement; {seat} has {left} left."
            return Violation("N20", message, facts, (*gone, slot))
        return _at(violation, *gone, slot)
    # N20: one movement after the other
    return Violation("N20", "{seat} moved to {slot} besides something else.", facts, (*gone, slot))


def _cost_to(t: Tables, s: State, seat: int, goal: int) -> int | None:
    """N20: the least movement that takes the mage there; None where no tiles lead."""
    boat = s.mages[seat].items[BOAT]
    best: dict[int, int] = {}
    queue = [(0, s.mages[seat].cell)]
    while queue:
        cost, cell = heappop(queue)
        if cell == goal:
            return cost
        if best.setdefault(cell, cost) < cost:
            continue
        for near, more in movement(t, s.land, cell, boat):
            if near not in best:
                heappush(queue, (cost + more, near))
    return None


# Temples, rifts, enemies


def _temples_blamed(c: _Change) -> Violation | None:
    """N13, N40: what is wrong with the temples."""
    for temple in TEMPLES:
        gone, come = c.gone(temple), c.come(temple)
        facts: Facts = (("temple", temple),)
        if gone and come:
            facts = (*facts, ("slot", gone[0]), ("other", come[0]))
            # N13: a temple stands in the middle of its three spaces
            return Violation("N13", "The {temple} went from {slot} to {other}; it stays.", facts, (gone[0], come[0]))
        if gone:
            # N40: a temple stays until its relic is taken
            message = "The {temple} is gone from {slot}; it stays until its third level is completed."
            return Violation("N40", message, (*facts, ("slot", gone[0])), gone)
        if come:
            due = _due(c, temple)
            if due and c.state.phase is not Phase.TEMPLE:
                facts = (*facts, ("slot", come[0]), ("expected", due[0]))
                return Violation("N13", "The {temple} stands at {expected}, not at {slot}.", facts, (come[0], due[0]))
            violation = c.check(Temple(c.t.seats[c.state.current], come[0])) if c.state.phase is Phase.TEMPLE else None
            if violation is not None:
                return _at(violation, come[0])
            # N13: where three spaces of its element touch, away from the starting tile
            message = "The {temple} came to {slot}, where no temple appears now."
            return Violation("N13", message, (*facts, ("slot", come[0])), come)
    return None


def _due(c: _Change, piece: str) -> tuple[Slot, ...]:
    """Where a piece should lie by the rules and is not seen."""
    return tuple(_missing(c.rules.board(c.state), c.seen, piece))


def _missing(wanted: BoardView, seen: BoardView, piece: str) -> Iterator[Slot]:
    for slot, at in wanted.slots:
        if dict(at.pieces).get(piece, 0) > dict(seen.at(slot).pieces).get(piece, 0):
            yield slot


def _rifts_blamed(c: _Change) -> Violation | None:
    """N12, N31, N51: what is wrong with the rift tokens."""
    off, on = c.come(RIFT_OFF), c.come(RIFT_ON)
    facts: Facts = (("seat", c.t.seats[c.state.current]),)
    closed = [slot for slot in off if slot in c.gone(RIFT_ON)]
    if closed:
        # N31: a rift is closed by ten damage in one fight
        message = "The rift at {slot} was closed, but no fight was won there; {seat} must enter the fight first."
        return Violation("N31", message, (*facts, ("slot", closed[0])), (closed[0],))
    opened = [slot for slot in on if slot in c.gone(RIFT_OFF)]
    if opened:
        # N51: inactive rifts become active when a Rift card is revealed
        message = "The rift at {slot} was made active, and no Rift card was revealed."
        return Violation("N51", message, (("slot", opened[0]),), (opened[0],))
    gone = (*c.gone(RIFT_ON), *c.gone(RIFT_OFF))
    if gone and not (on or off):
        return Violation("N31", "The rift is gone from {slot}; a rift stays, also a closed one.",
                         (("slot", gone[0]),), gone)
    if gone:
        other = (*on, *off)[0]
        facts = (("slot", gone[0]), ("other", other))
        return Violation("N12", "A rift went from {slot} to {other}; it stays on its icon.", facts, (gone[0], other))
    for slot in (*on, *off):
        # N12: a rift appears with its icon
        return Violation("N12", "A rift came to {slot}, where no tile with a rift icon was laid.",
                         (("slot", slot),), (slot,))
    return None


def _enemies_blamed(c: _Change) -> Violation | None:
    """N11, N12, N22, N30, N32: what is wrong with the enemies."""
    gone, come = c.gone(ENEMY), c.come(ENEMY)
    seat = c.t.seats[c.state.current]
    if come:
        return _enemy_come(c, seat, gone, come)
    if not gone:
        return None
    slot = gone[0]
    facts: Facts = (("seat", seat), ("slot", slot))
    here = c.state.mages[c.state.current].cell
    if here != NONE and c.t.grid.names[here] == slot:
        # N30: an enemy is taken by damage that reaches its health
        message = "The enemy at {slot} is gone, but no fight was won there; {seat} must enter the fight first."
        return Violation("N30", message, facts, gone)
    # N22: combat is with what stands on the mage's own space
    return Violation("N22", "The enemy at {slot} is gone, and {seat} does not stand there.", facts, gone)


def _enemy_come(c: _Change, seat: Seat, gone: tuple[Slot, ...], come: tuple[Slot, ...]) -> Violation:
    slot = come[0]
    if gone:
        # N32: enemies do not move
        facts: Facts = (("slot", gone[0]), ("other", slot))
        return Violation("N32", "An enemy went from {slot} to {other}; enemies stay.", facts, (gone[0], slot))
    if c.state.phase is Phase.SPAWN:
        violation = c.check(Spawn(seat, slot))
        if violation is not None:
            return _at(violation, slot, *violation.slots)
    due = tuple(s for s in _due(c, ENEMY) if s not in come)
    if due:
        # N11, N12, N32: where enemies come follows from the tile and the rifts
        facts = (("slot", slot), ("spaces", due))
        return Violation("N32", "An enemy came to {slot}; it belongs at {spaces}.", facts, (slot, *due))
    facts = (("slot", slot),)
    return Violation("N32", "An enemy came to {slot}, where none appears now.", facts, (slot,))
