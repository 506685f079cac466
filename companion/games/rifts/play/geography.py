"""What the laid tiles make together: terrain, groups, corners where a temple can stand, and where a tile can go."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.games.rifts.edition.catalogue import Space
from companion.games.rifts.edition.hexes import TURNS, cells_of, mask_of
from companion.games.rifts.edition.tables import Tables
from companion.games.rifts.edition.world import ELEMENT_OF, RESOURCES, Terrain
from companion.games.rifts.state import Laid

CITY_VILLAGES = 3  # N13
LEAST_SIDES = 2  # N10

Land = tuple[Laid, ...]
Placement = tuple[int, int]
"""Anchor space and turn."""


class Geography(NamedTuple):
    """The map. `spaces`: per space of the grid what lies there, or None. Bit masks of spaces: `mask` of all laid ones,
    `river`, `cities`, `icons` (with an enemy icon), `rifts` (with a rift icon), `forbidden` (touching the start, N13).
    """

    spaces: tuple[Space | None, ...]
    mask: int
    river: int
    cities: int
    icons: int
    rifts: int
    forbidden: int

    def terrain(self, cell: int) -> Terrain | None:
        """The terrain of a space; None where nothing is laid."""
        space = self.spaces[cell]
        return None if space is None else space.terrain


@lru_cache(maxsize=4096)
def geography(t: Tables, land: Land) -> Geography:
    """The map that these tiles make with the starting tile."""
    spaces: list[Space | None] = [None] * len(t.grid.cells)
    for cell, space in zip(t.start, t.catalogue.start.spaces, strict=True):
        spaces[cell] = space
    for laid in land:
        cells = t.laid[laid.tile][laid.turn][laid.anchor].cells
        for cell, space in zip(cells, t.tiles[laid.tile].spaces, strict=True):
            spaces[cell] = space
    here = [(cell, space) for cell, space in enumerate(spaces) if space is not None]
    villages = mask_of(cell for cell, space in here if space.terrain is Terrain.VILLAGE)
    cities, rest = 0, villages
    while rest:
        group = spread(t, rest & -rest, villages)
        rest &= ~group
        cities |= group if group.bit_count() >= CITY_VILLAGES else 0
    forbidden = 0
    for cell in t.start:
        forbidden |= t.grid.around[cell]
    return Geography(
        spaces=tuple(spaces),
        mask=mask_of(cell for cell, _ in here),
        river=mask_of(cell for cell, space in here if space.terrain is Terrain.RIVER),
        cities=cities,
        icons=mask_of(cell for cell, space in here if space.enemy),
        rifts=mask_of(cell for cell, space in here if space.rift),
        forbidden=forbidden,
    )


def spread(t: Tables, seed: int, among: int) -> int:
    """The spaces of `among` that hang together with those of `seed`, as bit masks."""
    group, edge = seed, seed
    while edge:
        near = 0
        for cell in cells_of(edge):
            near |= t.grid.around[cell]
        edge = near & among & ~group
        group |= edge
    return group


def group_of(t: Tables, land: Land, cell: int) -> int:
    """The spaces of the same terrain that hang together with `cell`, itself among them, as a bit mask."""
    spaces = geography(t, land).spaces
    terrain = geography(t, land).terrain(cell)
    same = mask_of(i for i, space in enumerate(spaces) if space is not None and space.terrain is terrain)
    return spread(t, 1 << cell, same)


@lru_cache(maxsize=4096)
def temple_group(t: Tables, land: Land, corner: int) -> int:
    """N40: the element group in which a temple at this corner stands, as a bit mask."""
    return group_of(t, land, t.grid.corners[corner][0])


@lru_cache(maxsize=4096)
def temple_corners(t: Tables, land: Land, new: int, element: int) -> tuple[int, ...]:
    """N13: corners where three spaces of the element meet, one of `new` (a bit mask) among them.

    R-N9: none of the three touches the starting tile. R-N22: three in a line meet nowhere.
    """
    geo, wanted = geography(t, land), RESOURCES[element]
    ours = mask_of(
        cell
        for cell in cells_of(geo.mask & ~geo.forbidden)
        if (terrain := geo.terrain(cell)) in ELEMENT_OF and ELEMENT_OF[terrain] is wanted
    )
    masks = t.grid.corner_masks
    return tuple([number for number, mask in enumerate(masks) if mask & ours == mask and mask & new])


class Sites(NamedTuple):
    """Where a drawn tile can go: `legal` placements in order, and the same as a set."""

    legal: tuple[Placement, ...]
    legal_set: frozenset[Placement]


@lru_cache(maxsize=2048)
def sites(t: Tables, land: Land, tile: int) -> Sites:
    """Every place and turn in which the tile can be laid: free spaces on the table, two sides meeting (N10), and an
    existing river continued where that is possible (N14)."""
    geo = geography(t, land)
    rivers = [i for i, space in enumerate(t.tiles[tile].spaces) if space.terrain is Terrain.RIVER]
    free: list[Placement] = []
    joining: list[Placement] = []
    for anchor in range(len(t.grid.cells)):
        for turn in range(TURNS):
            cells, mask, around = t.laid[tile][turn][anchor]
            if mask & geo.mask or not around & geo.mask or sides_met(t, geo, cells) < LEAST_SIDES:
                continue
            free.append((anchor, turn))
            if any(t.grid.around[cells[i]] & geo.river for i in rivers):
                joining.append((anchor, turn))
    legal = tuple(joining or free)
    return Sites(legal, frozenset(legal))


def sides_met(t: Tables, geo: Geography, cells: tuple[int, ...]) -> int:
    """How many sides of these spaces meet sides of spaces on the map."""
    return sum([(t.grid.around[cell] & geo.mask).bit_count() for cell in cells])


@lru_cache(maxsize=8192)
def movement(t: Tables, land: Land, cell: int, boat: bool) -> tuple[tuple[int, int], ...]:
    """N20: the spaces that one movement reaches from `cell`, with what each costs.

    Leaving a river costs one more without a boat; with a boat one movement goes to any space of the same river.
    """
    geo = geography(t, land)
    found = []
    on_river = bool(geo.river >> cell & 1)
    for other in sorted(n for n in t.grid.neighbours[cell] if n >= 0 and geo.mask >> n & 1):
        leaves = on_river and not geo.river >> other & 1
        found.append((other, 2 if leaves and not boat else 1))
    if on_river and boat:
        near = mask_of(other for other, _ in found)
        rest = spread(t, 1 << cell, geo.river) & ~near & ~(1 << cell)
        found += [(other, 1) for other in cells_of(rest)]
    return tuple(found)
