"""What lies on the table in a game of Envyra, where, and what it looks like."""

from __future__ import annotations

from companion.core.layout import BoardView, SlotOutline, SlotView, TableLayout
from companion.core.types import Event, Face
from companion.games.envyra.actions import DealTile, Move, Refill, Replace
from companion.games.envyra.edition.components import Theme, first_alike
from companion.games.envyra.edition.tables import Tables
from companion.games.envyra.state import NONE, State

# Sizes of the tiles and cubes, in mm, as laid on the table: 7 mm of table show between two tiles.
TILE_SIDE_MM = 55.0
TILE_PITCH_MM = 62.0
TILE_THICKNESS_MM = 2.0
CUBE_SIDE_MM = 10.0

SLOT_VIEWS_LIMIT = 5_000  # tiles with the cubes on them that are kept ready: 1 MB; a game meets a few hundred


def table_layout(t: Tables) -> TableLayout:
    """The grid centred on the origin of the table frame, row 1 at the top."""
    outlines = []
    for index, slot in enumerate(t.slots):
        row, column = divmod(index, t.columns)
        x = (column - (t.columns - 1) / 2) * TILE_PITCH_MM
        y = (row - (t.rows - 1) / 2) * TILE_PITCH_MM
        h = TILE_SIDE_MM / 2
        outlines.append(SlotOutline(slot, ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))))
    return TableLayout(tuple(outlines), TILE_THICKNESS_MM, CUBE_SIDE_MM)


def board_view(t: Tables, s: State) -> BoardView:
    """The tiles of the grid and the cubes on them."""
    return _view(t, s.grid, s.cubes)


def _view(t: Tables, grid: tuple[int, ...], cubes: tuple[tuple[int, ...], ...]) -> BoardView:
    slots = []
    for slot, tile, here in zip(t.slots, grid, cubes, strict=True):
        if tile != NONE:
            slots.append((slot, t.slot_views.get((tile, here)) or _slot_view(t, tile, here)))
    return BoardView(tuple(slots))


def _slot_view(t: Tables, tile: int, here: tuple[int, ...]) -> SlotView:
    if len(t.slot_views) >= SLOT_VIEWS_LIMIT:
        t.slot_views.clear()
    counts = sorted((t.setup.seats[seat].colour, here.count(seat)) for seat in set(here))
    view = t.slot_views[tile, here] = SlotView(t.tiles[tile].id, None, tuple(counts))
    return view


def views_between(t: Tables, before: State, event: Event, after: State) -> tuple[BoardView, ...]:
    """What is seen one after the other while `event` leads from `before` to `after`; the last is the table after it.

    A cube that captures is first seen lying (E40), then the tile and its cubes are gone (E42), then whoever has
    all five cubes on the grid takes them back (E52). A drawn tile lies in its gap before that.
    """
    views = []
    grid, cubes = list(before.grid), list(before.cubes)
    if isinstance(event, Move):
        slot = t.slot_index[event.slot]
        cubes[slot] = (*cubes[slot], int(event.seat))
        views.append(_view(t, tuple(grid), tuple(cubes)))
        if len(cubes[slot]) == t.need[grid[slot]]:
            grid[slot], cubes[slot] = NONE, ()
            views.append(_view(t, tuple(grid), tuple(cubes)))
    elif isinstance(event, (DealTile, Refill, Replace)):
        slot, tile = t.slot_index[event.slot], t.tile_index[event.tile]
        if after.grid[slot] == tile:
            grid[slot] = tile
            views.append(_view(t, tuple(grid), tuple(cubes)))
    if not views or (tuple(grid), tuple(cubes)) != (after.grid, after.cubes):
        last = board_view(t, after)
        if not views or views[-1] != last:  # cubes in another order look the same
            views.append(last)
    return tuple(views)


def all_faces(t: Tables) -> tuple[Face, ...]:
    """Every tile that can be seen in this game."""
    return tuple(x.id for i, x in enumerate(t.tiles) if not t.late >> i & 1)


def same_faces(t: Tables) -> dict[Face, Face]:
    """Each tile's representative: the first tile of the catalogue that looks the same."""
    return first_alike(x for x in t.tiles if x.theme is not Theme.END or x is t.tiles[t.end])
