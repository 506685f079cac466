"""What lies on the table in a game of Rifts of N'Norya, where, and what it looks like.

A location tile is seen as its face in the slot of its first space, turned by so many sixths of a full turn clockwise;
its other spaces lie as `hexes.turned` says. Tokens and mages are pieces in the slots of spaces, temples in those of
corners.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from companion.core.layout import (
    BoardView,
    CompoundPiece,
    PieceShape,
    SlotOutline,
    SlotView,
    TableLayout,
    slot_view,
)
from companion.core.types import Event, Face, Slot
from companion.games.rifts.actions import Location, Move, Place, Spawn, Start, Temple
from companion.games.rifts.edition.catalogue import START_TILE
from companion.games.rifts.edition.hexes import (
    HEX_SIDE_MM,
    TILE_THICKNESS_MM,
    TURNS,
    cells_of,
    corners_mm,
    middle_mm,
)
from companion.games.rifts.edition.spell_form import CARD_MM
from companion.games.rifts.edition.tables import RIFT_CARD, Tables
from companion.games.rifts.edition.world import RESOURCES
from companion.games.rifts.state import NONE, Laid, Rift, State

# Sizes in mm, as laid out by this companion; the rulebook prints none, so they are sample data.
CORNER_MM = 14.0  # a temple token is seen in a square of this size over the corner
CARD_WIDTH_MM, CARD_HEIGHT_MM = CARD_MM
CARD_GAP_MM = 10.0
PIECE_WIDTH_MM, PIECE_HEIGHT_MM = 14.0, 6.0  # mages, tokens and temples are discs, told apart by their colours
MARKET_Y_MM = -420.0  # the market lies above the map
DRAWN_MM = (-330.0, 370.0)  # where a drawn tile waits, to the lower left of the map

LOCATION, CORNER = "location", "gap"
"""Kinds of slots: where a tile's first space can lie or wait, and corners, which hold pieces only."""
DRAWN_SLOT: Slot = "drawn"

ENEMY, RIFT_ON, RIFT_OFF = "enemy", "active rift", "closed rift"
TEMPLES = tuple(f"temple of {element.value}" for element in RESOURCES)
TOKENS = (ENEMY, RIFT_ON, RIFT_OFF, *TEMPLES)
"""Pieces that lie on the map beside the mages, which have the colours of their seats."""

Corners = tuple[tuple[float, float], ...]


def _rectangle(x: float, y: float, width: float, height: float) -> Corners:
    w, h = width / 2, height / 2
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


@lru_cache(maxsize=8)
def table_layout(t: Tables) -> TableLayout:
    """The spaces of the map, the corners between them, the market above, and the place of the drawn tile."""
    grid = t.grid
    outlines = [
        SlotOutline(name, corners_mm(cell, HEX_SIDE_MM), LOCATION, TURNS)
        for name, cell in zip(grid.names, grid.cells, strict=True)
    ]
    for name, corner in zip(grid.corner_names, grid.corners, strict=True):
        middles = [middle_mm(grid.cells[cell], HEX_SIDE_MM) for cell in corner]
        x, y = sum(m[0] for m in middles) / 3, sum(m[1] for m in middles) / 3
        outlines.append(SlotOutline(name, _rectangle(x, y, CORNER_MM, CORNER_MM), CORNER))
    for number, place in enumerate(t.places):
        x = (number - (len(t.places) - 1) / 2) * (CARD_WIDTH_MM + CARD_GAP_MM)
        outlines.append(SlotOutline(place, _rectangle(x, MARKET_Y_MM, CARD_WIDTH_MM, CARD_HEIGHT_MM), "card"))
    x, y = DRAWN_MM
    waiting = tuple((x + dx, y + dy) for dx, dy in corners_mm((0, 0), HEX_SIDE_MM))
    outlines.append(SlotOutline(DRAWN_SLOT, waiting, LOCATION))
    return TableLayout(
        tuple(outlines), TILE_THICKNESS_MM, PIECE_HEIGHT_MM, PIECE_WIDTH_MM, PieceShape.ROUND,
        tokens=TOKENS, corner_tokens=TEMPLES, figures=tuple(seat.colour for seat in t.setup.seats),
        compound=tuple(
            CompoundPiece(tile.id, tuple(middle_mm(at, HEX_SIDE_MM) for at in tile.shape))
            for tile in (t.catalogue.start, *t.tiles)
        ),
    )


_SEEN_AS_DONE = (Start, Spawn, Temple, Move, Location)
"""Events that are done as soon as they are seen; after the others hands put and take away tokens."""


def views_between(t: Tables, before: State, event: Event, after: State) -> tuple[BoardView, ...]:
    """What is seen one after the other while `event` leads from `before` to `after`; the last is the table after it.

    A tile is laid (N10) before its tokens are put on it (N11-N13). A turn that ends, a fight that is won and a Rift
    card that is revealed change nothing at first: hands put enemies (N32), take tokens away (N30) and flip rifts (N31,
    N51) afterwards.
    """
    end = board_view(t, after)
    if isinstance(event, _SEEN_AS_DONE):
        return (end,)
    first = board_view(t, before)
    if isinstance(event, Place):
        laid = dict(first.slots) | {event.slot: replace(first.at(event.slot), face=end.at(event.slot).face,
                                                        turn=event.turn)}
        first = BoardView(tuple((slot, at) for slot, at in laid.items() if slot != DRAWN_SLOT))
    return (first, end) if first != end else (end,)


def board_view(t: Tables, s: State) -> BoardView:
    """Tiles by their first spaces with their turns, mages and tokens on the spaces, temples, the market."""
    stand = tuple([mage.cell for mage in s.mages])
    return _laid_out(t, stand, s.enemies, s.crowd, s.rifts, s.land, s.temples, s.market, s.tile)


@lru_cache(maxsize=256)  # most of what may happen next leaves the table as it lies
def _laid_out(
    t: Tables, stand: tuple[int, ...], enemies: int, crowd: tuple[int, ...], rifts: tuple[Rift, ...],
    land: tuple[Laid, ...], temples: tuple[int, ...], market: tuple[int, ...], tile: int,
) -> BoardView:
    """`board_view` of a state whose mages stand on `stand`; all else as in the state."""
    grid = t.grid
    pieces: dict[int, dict[str, int]] = {}

    def lies(cell: int, colour: str) -> None:
        here = pieces.setdefault(cell, {})
        here[colour] = here.get(colour, 0) + 1

    for seat, cell in enumerate(stand):
        if cell != NONE:
            lies(cell, t.setup.seats[seat].colour)
    for cell in (*cells_of(enemies), *crowd):
        lies(cell, ENEMY)
    for rift in rifts:
        lies(rift.cell, RIFT_ON if rift.active else RIFT_OFF)
    faces: dict[int, tuple[Face | None, int | None]] = {t.start[0]: (START_TILE, 0)}
    faces |= {laid.anchor: (t.tiles[laid.tile].id, laid.turn) for laid in land}
    slots: list[tuple[Slot, SlotView]] = []
    for cell in faces.keys() | pieces.keys():
        face, turn = faces.get(cell, (None, None))
        here = pieces.get(cell)
        slots.append((grid.names[cell], slot_view(face, turn, tuple(sorted(here.items())) if here else ())))
    for temple, corner in zip(TEMPLES, temples, strict=True):
        if corner != NONE:
            slots.append((grid.corner_names[corner], slot_view(pieces=((temple, 1),))))
    slots += [(p, slot_view(t.cards[c])) for p, c in zip(t.places, market, strict=True) if c != NONE]
    if tile != NONE:
        slots.append((DRAWN_SLOT, slot_view(t.tiles[tile].id)))
    return BoardView(tuple(slots))


def all_faces(t: Tables) -> tuple[Face, ...]:
    """Every tile and card that can be seen on the table: the starting tile, locations, spells, the Rift card."""
    return (START_TILE, *(tile.id for tile in t.tiles), *(spell.id for spell in t.spells), RIFT_CARD)


@lru_cache(maxsize=8)
def same_faces(t: Tables) -> dict[Face, Face]:
    """Each face's representative: the first of the catalogue that looks the same."""
    first: dict[tuple[object, ...], Face] = {}
    looks: list[tuple[Face, tuple[object, ...]]] = [(tile.id, ("tile", tile.look)) for tile in t.tiles]
    looks += [(spell.id, ("spell", spell.id)) for spell in t.spells]
    return {face: first.setdefault(look, face) for face, look in looks}
