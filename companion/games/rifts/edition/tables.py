"""Everything about a set-up of Rifts of N'Norya that does not change during the game, as tables of small integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from companion.core.errors import DataError
from companion.core.messages import Message
from companion.core.shown import shown
from companion.core.types import Seat, Setup, Slot
from companion.games.rifts.edition.catalogue import Catalogue, Spell, Temple, Tile
from companion.games.rifts.edition.hexes import OFF, TURNS, Axial, Grid, make_grid, mask_of, turned
from companion.games.rifts.edition.names import RIFT_NAME, WOUND_NAME, location_name, spell_name
from companion.games.rifts.edition.options import real_hands, setup_problems
from companion.games.rifts.edition.world import AFFINITIES, MARKET_PLACES, RESOURCES, RIFT_CARDS, Element

RADIUS = 8
"""R-N5: spaces that fit on a table beside the market, in steps from the middle."""

WOUND, RIFT_CARD = "wound", "rift"
"""Cards that are no spells; as kinds they come after the spells."""


class Lying(NamedTuple):
    """A tile in one place and turn: the spaces that its spaces come to lie on, the same as a bit mask, and a bit mask
    of those around them. A tile that would lie off the table has no spaces."""

    cells: tuple[int, ...]
    mask: int
    around: int


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Kinds, spaces, tiles and seats in canonical order. Compared by identity, so that it is quick as a key.

    `cards`: the ids of the spells, then the Wound, then the Rift card. `laid`: per tile, turn and anchor space how the
    tile lies there. `decks`: per seat the copies of each card in its starting deck; `book`: the copies in the spell
    deck of this set-up, Rift cards included. `enemies`: the copies of each amount of gold. `temples`: in the order of
    RESOURCES.
    """

    setup: Setup
    catalogue: Catalogue
    seats: tuple[Seat, ...]
    affinities: tuple[Element, ...]
    grid: Grid
    start: tuple[int, ...]
    tiles: tuple[Tile, ...]
    tile_index: Mapping[str, int]
    laid: tuple[tuple[tuple[Lying, ...], ...], ...]
    spells: tuple[Spell, ...]
    cards: tuple[str, ...]
    card_index: Mapping[str, int]
    card_names: tuple[str, ...]
    tile_names: tuple[Message, ...]
    wound: int
    rift_card: int
    decks: tuple[tuple[int, ...], ...]
    book: tuple[int, ...]
    places: tuple[Slot, ...]
    place_index: Mapping[Slot, int]
    gold: tuple[int, ...]
    enemies: tuple[int, ...]
    temples: tuple[Temple, ...]
    real_hands: bool


def card_name(t: Tables, card: str) -> str:
    """What people call the card with this id; what is none as it was written."""
    return t.card_names[t.card_index[card]] if card in t.card_index else shown(card)


def tile_name(t: Tables, tile: str) -> str:
    """What people call the location tile with this id; what is none as it was written."""
    return t.tile_names[t.tile_index[tile]] if tile in t.tile_index else shown(tile)


def terrains(t: Tables, tile: str) -> tuple[str, ...]:
    """The kinds of the spaces of a location tile, in order."""
    return tuple(space.terrain.value for space in t.tiles[t.tile_index[tile]].spaces) if tile in t.tile_index else ()


@lru_cache(maxsize=256)
def _laid(shape: tuple[Axial, ...], turn: int) -> tuple[Lying, ...]:
    """Per anchor space how a tile of this shape lies there."""
    grid, offsets, found = make_grid(RADIUS), [turned(at, turn) for at in shape], []
    for q, r in grid.cells:
        cells = tuple(grid.index.get((q + dq, r + dr), OFF) for dq, dr in offsets)
        if OFF in cells:
            found.append(Lying((), 0, 0))
            continue
        mask, around = mask_of(cells), 0
        for cell in cells:
            around |= grid.around[cell]
        found.append(Lying(cells, mask, around & ~mask))
    return tuple(found)


def build_tables(setup: Setup, catalogue: Catalogue) -> Tables:
    """The tables of a set-up. Raises DataError that lists what is wrong with it."""
    problems = setup_problems(setup)
    if problems:
        raise DataError("; ".join(problems), where="set-up", remedy="Correct the set-up.")
    grid = make_grid(RADIUS)
    spells = catalogue.spells
    cards = (*(spell.id for spell in spells), WOUND, RIFT_CARD)
    affinities = tuple(AFFINITIES[seat.colour] for seat in setup.seats)
    # spaces of the map are named from a to q
    places = tuple(f"s{n}" for n in range(1, MARKET_PLACES + 1))
    enemies = sorted(catalogue.enemies)
    return Tables(
        setup=setup,
        catalogue=catalogue,
        seats=tuple(Seat(i) for i in range(len(setup.seats))),
        affinities=affinities,
        grid=grid,
        start=_laid(catalogue.start.shape, 0)[grid.middle].cells,
        tiles=catalogue.tiles,
        tile_index={tile.id: i for i, tile in enumerate(catalogue.tiles)},
        laid=tuple(tuple(_laid(tile.shape, turn) for turn in range(TURNS)) for tile in catalogue.tiles),
        spells=spells,
        cards=cards,
        card_index={card: i for i, card in enumerate(cards)},
        card_names=(*(spell_name(spell.id) for spell in spells), WOUND_NAME, RIFT_NAME),
        tile_names=tuple(location_name(number) for number, _ in enumerate(catalogue.tiles, start=1)),
        wound=len(spells),
        rift_card=len(spells) + 1,
        decks=tuple((*(s.start if s.element is own else 0 for s in spells), 0, 0) for own in affinities),
        book=(*(s.book if s.element in affinities else 0 for s in spells), 0, RIFT_CARDS),
        places=places,
        place_index={place: i for i, place in enumerate(places)},
        gold=tuple(gold for gold, _ in enemies),
        enemies=tuple(copies for _, copies in enemies),
        temples=tuple(temple for element in RESOURCES for temple in catalogue.temples if temple.element is element),
        real_hands=real_hands(setup),
    )
