"""Whether a mage, a tile, a temple or a spawned enemy can come to a place, and if not, why."""

from __future__ import annotations

from companion.core.shown import shown
from companion.core.types import Seat, Violation
from companion.games.rifts.actions import Move, Place, Spawn, Start, Temple
from companion.games.rifts.edition.hexes import TURNS
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.play.geography import LEAST_SIDES, geography, sides_met, sites
from companion.games.rifts.play.growth import spawn_sites
from companion.games.rifts.play.moving import reach
from companion.games.rifts.state import State


def _no_space(t: Tables, slot: str, clause: str) -> Violation | None:
    if slot in t.grid.name_index:
        return None
    facts = (("slot", shown(slot)), ("first", t.grid.names[0]), ("last", t.grid.names[-1]))
    return Violation(clause, "There is no space {slot}: spaces go from {first} to {last}.", facts)


def _names(t: Tables, cells: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(t.grid.names[cell] for cell in cells)


def check_start(t: Tables, _s: State, action: Start) -> Violation | None:
    """N2: why the mage cannot begin there, or None."""
    wrong = _no_space(t, action.slot, "N2")
    if wrong is not None or t.grid.name_index[action.slot] in t.start:
        return wrong
    spaces = _names(t, t.start)
    facts = (("seat", action.seat), ("slot", action.slot), ("spaces", spaces))
    return Violation("N2", "{seat} begins on the starting tile, at {spaces}, not at {slot}.", facts, spaces)


def check_spawn(t: Tables, s: State, action: Spawn) -> Violation | None:
    """N32: why the enemy cannot come there, or None."""
    wrong = _no_space(t, action.slot, "N32")
    rift = s.rifts[s.spawning[0]].cell
    near = spawn_sites(t, s, rift)
    if wrong is not None or t.grid.name_index[action.slot] in near:
        return wrong
    spaces = _names(t, near)
    facts = (("slot", action.slot), ("rift", t.grid.names[rift]), ("spaces", spaces))
    message = "The spawn icons nearest to the rift at {rift} are {spaces}, not {slot}."
    return Violation("N32", message, facts, spaces)


def check_place(t: Tables, s: State, action: Place) -> Violation | None:
    """N10, N14, R-N5: why the tile cannot be laid like this, or None."""
    wrong = _no_space(t, action.slot, "N10")
    if wrong is not None:
        return wrong
    if action.turn not in range(TURNS):
        return Violation("N10", "A tile has the turns 0 to 5, not {turn}.", (("turn", shown(action.turn)),))
    anchor, geo = t.grid.name_index[action.slot], geography(t, s.land)
    where = sites(t, s.land, s.tile)
    if (anchor, action.turn) in where.legal_set:
        return None
    tile = t.tile_names[s.tile]
    facts = (("tile", tile), ("slot", action.slot), ("turn", action.turn))
    cells = t.laid[s.tile][action.turn][anchor].cells
    if not cells:
        return Violation("R-N5", "At {slot}, turn {turn}: a part of {tile} lies off the table.", facts)
    taken = _names(t, tuple(cell for cell in cells if geo.mask >> cell & 1))
    if taken:
        return Violation("N10", "{tile} cannot lie there: {taken} is laid already.", (*facts, ("taken", taken)), taken)
    spaces = _names(t, cells)
    if sides_met(t, geo, cells) < LEAST_SIDES:
        facts_sides = (*facts, ("sides", sides_met(t, geo, cells)), ("least", LEAST_SIDES))
        message = "At {slot}, turn {turn}: sides of {tile} that meet the map {sides}, needed {least}."
        return Violation("N10", message, facts_sides, spaces)
    message = "At {slot}, turn {turn}: {tile} does not continue a river, and elsewhere it could."
    return Violation("N14", message, facts, spaces)


def check_temple(t: Tables, s: State, action: Temple) -> Violation | None:
    """N13: why the temple cannot stand there, or None."""
    corners = tuple(t.grid.corner_names[corner] for corner in s.corners)
    if action.slot in corners:
        return None
    facts = (("slot", shown(action.slot)), ("corners", corners))
    return Violation("N13", "A temple can stand at {corners}, not at {slot}.", facts, corners)


def check_move(t: Tables, s: State, action: Move) -> Violation | None:
    """N20: why the mage cannot go there with what movement it has left, or None."""
    wrong = _no_space(t, action.slot, "N20")
    if wrong is not None:
        return wrong
    cell, near = t.grid.name_index[action.slot], reach(t, s, action.seat)
    slots = (action.slot,)
    here = t.grid.names[s.mages[action.seat].cell]
    facts = (("seat", action.seat), ("slot", action.slot), ("here", here), ("left", s.moves))
    if cell not in near:
        if not geography(t, s.land).mask >> cell & 1:
            return Violation("N20", "No tile lies at {slot}: {seat} cannot go there.", facts, slots)
        return Violation("N20", "{slot} does not touch {here}, where {seat} stands.", facts, slots)
    if near[cell] <= s.moves:
        return None
    message = "Going from {here} to {slot} takes {cost} movement; {seat} has {left} left."
    return Violation("N20", message, (*facts, ("cost", near[cell])), slots)


def standing(t: Tables, s: State, seat: Seat) -> str:
    """The name of the space on which a mage stands."""
    return t.grid.names[s.mages[seat].cell]
