"""How the land of N'Norya grows and fills: spawning, laying a location tile, what its icons and groups bring."""

from __future__ import annotations

from companion.games.rifts.actions import Location, Place, Spawn, Start, Temple
from companion.games.rifts.edition.hexes import OFF, cells_of, distance
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import ELEMENT_OF, RESOURCES
from companion.games.rifts.play.geography import geography, temple_corners
from companion.games.rifts.state import NONE, Laid, Rift, State, with_mage


def supply(s: State) -> int:
    """R-N7: enemy tokens that lie ready, on no space."""
    return sum(s.tokens) - s.enemies.bit_count() - len(s.crowd)


def add_enemy(s: State, cell: int) -> State:
    """An enemy token comes to a space, beside another one where there is one; R-N7: nothing when none is ready."""
    if not supply(s):
        return s
    if s.enemies >> cell & 1:
        return s._replace(crowd=tuple(sorted((*s.crowd, cell))))
    return s._replace(enemies=s.enemies | 1 << cell)


def remove_enemy(s: State, cell: int) -> State:
    """One enemy token leaves a space."""
    if cell not in s.crowd:
        return s._replace(enemies=s.enemies & ~(1 << cell))
    place = s.crowd.index(cell)
    return s._replace(crowd=(*s.crowd[:place], *s.crowd[place + 1 :]))


def place_mage(t: Tables, s: State, action: Start) -> State:
    """N2: the mage stands on the starting tile."""
    mage = s.mages[action.seat]
    return with_mage(s, action.seat, mage._replace(cell=t.grid.name_index[action.slot]))


def spawn_sites(t: Tables, s: State, rift: int) -> tuple[int, ...]:
    """N32: the space on which the rift spawns; several when the players must agree; none when the game is lost (N6)."""
    geo, near = geography(t, s.land), t.grid.neighbours[rift]
    if not supply(s):
        return ()
    for cell in near:  # from the north-east, clockwise
        if cell != OFF and geo.mask >> cell & 1 and not s.enemies >> cell & 1:
            return (cell,)
    if all(cell != OFF and geo.mask >> cell & 1 for cell in near):  # N6: wholly encircled
        return ()
    steps = {cell: distance(t.grid.cells[cell], t.grid.cells[rift]) for cell in cells_of(geo.icons)}
    return tuple(cell for cell in steps if steps[cell] == min(steps.values()))  # R-N8


def spawn(t: Tables, s: State, action: Spawn) -> State:
    """N32: the enemy comes to the icon that the players agreed on."""
    return add_enemy(s, t.grid.name_index[action.slot])._replace(spawning=s.spawning[1:])


def draw_location(t: Tables, s: State, draw: Location) -> State:
    """N10: the tile is drawn."""
    tile = t.tile_index[draw.tile]
    return s._replace(tile=tile, stack=s.stack & ~(1 << tile), explored=True)


def place_tile(t: Tables, s: State, action: Place) -> State:
    """N10-N13: the tile is laid; enemies spawn, icons are filled, temples appear."""
    anchor, tile = t.grid.name_index[action.slot], s.tile
    cells, new, _ = t.laid[tile][action.turn][anchor]
    spaces = t.tiles[tile].spaces
    old = s.enemies
    s = s._replace(tile=NONE, land=(*s.land, Laid(tile, anchor, action.turn)))
    for cell in cells:
        if t.grid.around[cell] & old:  # N11
            s = add_enemy(s, cell)
    for cell, space in zip(cells, spaces, strict=True):
        if space.enemy:  # N12
            s = add_enemy(s, cell)
        if space.rift:  # N12
            s = s._replace(rifts=(*s.rifts, Rift(cell, active=True)))
    return _temples(t, s, new)


def _temples(t: Tables, s: State, new: int) -> State:
    """N13: temples appear where three spaces of a kind meet; R-N9: each once, and of several corners one is chosen."""
    geo = geography(t, s.land)
    elements = {ELEMENT_OF[kind] for cell in cells_of(new) if (kind := geo.terrain(cell)) in ELEMENT_OF}
    waiting: tuple[int, ...] = ()
    for index, element in enumerate(RESOURCES):
        if element not in elements or s.temples[index] != NONE or s.taken >> index & 1:
            continue
        corners = temple_corners(t, s.land, new, index)
        if len(corners) == 1:
            s = _with_temple(s, index, corners[0])
        waiting += corners if len(corners) > 1 else ()
    return s._replace(corners=tuple(sorted(waiting)))


def _with_temple(s: State, index: int, corner: int) -> State:
    temples = list(s.temples)
    temples[index] = corner
    return s._replace(temples=(temples[0], temples[1], temples[2]))


def element_at(t: Tables, s: State, corner: int) -> int:
    """The index in RESOURCES of the element whose spaces meet at a corner."""
    kind = geography(t, s.land).terrain(t.grid.corners[corner][0])
    assert kind is not None
    return RESOURCES.index(ELEMENT_OF[kind])


def choose_temple(t: Tables, s: State, action: Temple) -> State:
    """R-N9: the temple stands at the chosen corner."""
    corner = t.grid.corner_names.index(action.slot)
    index = element_at(t, s, corner)
    left = tuple(other for other in s.corners if element_at(t, s, other) != index)
    return _with_temple(s._replace(corners=left), index, corner)
