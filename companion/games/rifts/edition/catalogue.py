"""The components of one edition of Rifts of N'Norya, each value with where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.core.game_kit.catalogue_file import CatalogueFile, Edition
from companion.core.game_kit.catalogue_reader import Found, LineOf, TableReader, catalogue_text, show
from companion.games.rifts.edition.hexes import DIRECTIONS, Axial, distance
from companion.games.rifts.edition.world import (
    BOTTOM_CARDS,
    HAND,
    MARKET_PLACES,
    RESOURCES,
    TEMPLE_LEVELS,
    Element,
    Item,
    Terrain,
)

CATALOGUES = Path(__file__).parents[1] / "catalogues"
MOST = 99
START_TILE = "start"
NO_FUEL = "none"
TAKEN = ("rift", "wound", "none")  # words of the notation, which no piece can be called
LAND = tuple(kind.value for kind in Terrain if kind is not Terrain.IMPERIUM)
_SPACE = re.compile(r"(-?\d),(-?\d) (\w+)((?: \S+)*)")
_SELLS = re.compile(r"sells=(\w+):([1-9])")


@dataclass(frozen=True, slots=True)
class Space:
    """One space of a tile: where it lies from the first one, its terrain and its icons.

    `sells`, `gold`: what the text of a village lets a mage sell there, and for how much (R-N11).
    """

    at: Axial
    terrain: Terrain
    enemy: bool = False
    rift: bool = False
    sells: Element | None = None
    gold: int = 0


@dataclass(frozen=True, slots=True)
class Tile:
    """A location tile, or the starting tile; its first space is at (0, 0)."""

    id: str
    spaces: tuple[Space, ...]

    @property
    def shape(self) -> tuple[Axial, ...]:
        """Where its spaces lie."""
        return tuple(space.at for space in self.spaces)

    @property
    def look(self) -> tuple[Space, ...]:
        """All that can be seen on the face: tiles with equal looks are one face."""
        return self.spaces


@dataclass(frozen=True, slots=True)
class Spell:
    """One kind of spell: `start` copies in its element's starting deck, `book` copies in its spell book."""

    id: str
    element: Element
    damage: int
    fuel: Element | None
    boost: int
    price: int
    start: int
    book: int

    @property
    def look(self) -> tuple[object, ...]:
        """All that can be seen on the face."""
        return (self.element, self.damage, self.fuel, self.boost, self.price)


@dataclass(frozen=True, slots=True)
class Temple:
    """The three encounters of a temple: the health of each and the coins it pays."""

    element: Element
    health: tuple[int, ...]
    coins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Catalogue(Edition):
    """One edition. `enemies`: how many tokens show how much gold underneath, as (gold, copies)."""

    start: Tile
    tiles: tuple[Tile, ...]
    spells: tuple[Spell, ...]
    temples: tuple[Temple, ...]
    prices: Mapping[Item, int]
    enemies: tuple[tuple[int, int], ...]

    @property
    def piece_counts(self) -> Mapping[str, int]:
        """How many pieces of each sort the edition lists."""
        return {
            "locations": len(self.tiles),
            "spells": sum(spell.start + spell.book for spell in self.spells),
            "enemies": sum(copies for _, copies in self.enemies),
            "temples": len(self.temples),
        }


def load_catalogue(source: str | Path) -> Catalogue:
    """The catalogue called `source` (shipped), the file at `source`, or the TOML text itself (a str of several lines).

    Raises DataError that lists every problem with its line and key.
    """
    text, where = catalogue_text(source, CATALOGUES)
    file = CatalogueFile(text, where, "rifts", "docs/reference/rifts.md")
    return file.judged(_read(file), _count_problems)


def _read(file: CatalogueFile) -> Catalogue:
    reader = file.table("start")
    start = Tile(START_TILE, _spaces(reader, (Terrain.IMPERIUM.value,)))
    file.done(reader, START_TILE)
    tiles, spells, temples, enemies = [], [], [], []
    prices: dict[Item, int] = {}
    for reader in file.pieces("tile"):
        tiles.append(Tile(reader.identifier("id"), _spaces(reader, LAND)))
        file.done(reader, tiles[-1].id)
    for reader in file.pieces("spell"):
        spells.append(_spell(reader))
        file.done(reader, spells[-1].id)
    for reader in file.pieces("temple"):
        temples.append(_temple(reader))
        file.done(reader, f"temple-{temples[-1].element.value}")
    for reader in file.pieces("item"):
        item = Item(reader.choice("id", tuple(i.value for i in Item)))
        if item in prices:
            reader.problem("id", "this item is listed already", "N4")
        prices[item] = reader.whole("price", 0, MOST)
        file.done(reader, item.value)
    for reader in file.pieces("enemy"):
        enemies.append((reader.whole("gold", 0, MOST), reader.whole("copies", 1, MOST)))
        file.done(reader, f"enemy-{enemies[-1][0]}")
    file.finish()
    return Catalogue(
        file.id, file.title, file.provenance, file.text,
        start, tuple(tiles), tuple(spells), tuple(temples), prices, tuple(enemies),
    )  # fmt: skip


def _spaces(reader: TableReader, kinds: tuple[str, ...]) -> tuple[Space, ...]:
    """The spaces of a tile, written as "0,0 forest enemy", "1,0 village sells=fire:2", "0,1 river rift"."""
    found = []
    for word in reader.words("spaces"):
        parts = _SPACE.fullmatch(word)
        if parts is None or parts[3] not in kinds:
            wanted = f'"0,0 {kinds[0]}" with one of {", ".join(kinds)}'
            reader.problem("spaces", f"expected {wanted}, got {show(word)}", "N2")
            continue
        found.append(_space(reader, parts, word))
    places = [space.at for space in found]
    if not places or places[0] != (0, 0) or len(set(places)) != len(places) or not _connected(places):
        reader.problem("spaces", "expected different spaces that hang together, the first at 0,0", "N2")
    return tuple(found)


def _space(reader: TableReader, parts: re.Match[str], word: str) -> Space:
    enemy = rift = False
    sells, gold = None, 0
    for icon in parts[4].split():
        trade = _SELLS.fullmatch(icon)
        if icon in ("enemy", "rift"):
            enemy, rift = enemy or icon == "enemy", rift or icon == "rift"
        elif trade and trade[1] in [e.value for e in RESOURCES] and parts[3] == Terrain.VILLAGE.value:
            sells, gold = Element(trade[1]), int(trade[2])
        else:
            wanted = "enemy, rift, or on a village sells=fire:1"
            reader.problem("spaces", f"expected {wanted}, got {show(icon)} in {show(word)}", "N12")
    return Space((int(parts[1]), int(parts[2])), Terrain(parts[3]), enemy, rift, sells, gold)


def _connected(places: Iterable[Axial]) -> bool:
    rest = set(places)
    reached = [rest.pop()] if rest else []
    while reached:
        q, r = reached.pop()
        near = {(q + dq, r + dr) for dq, dr in DIRECTIONS} & rest
        rest -= near
        reached += near
    return not rest


def _spell(reader: TableReader) -> Spell:
    fuel = reader.choice("fuel", (NO_FUEL, *(e.value for e in RESOURCES)))
    return Spell(
        id=reader.identifier("id"),
        element=Element(reader.choice("element", tuple(e.value for e in Element))),
        damage=reader.whole("damage", 0, MOST),
        fuel=None if fuel == NO_FUEL else Element(fuel),
        boost=reader.whole("boost", 0, MOST),
        price=reader.whole("price", 0, MOST),
        start=reader.whole("start", 0, MOST),
        book=reader.whole("book", 0, MOST),
    )


def _temple(reader: TableReader) -> Temple:
    temple = Temple(
        element=Element(reader.choice("element", tuple(e.value for e in RESOURCES))),
        health=reader.wholes("health", 1, MOST),
        coins=reader.wholes("coins", 0, MOST),
    )
    for key, values in (("health", temple.health), ("coins", temple.coins)):
        if len(values) != TEMPLE_LEVELS:
            reader.problem(key, f"expected {TEMPLE_LEVELS} numbers, got {len(values)}", "N40")
    return temple


def _count_problems(catalogue: Catalogue, line_of: LineOf) -> Iterator[Found]:
    """Every count of N1-N4 and N40 that the catalogue breaks, as (line, key, message, clause)."""
    seen = {START_TILE, *TAKEN}
    for name, ids in (("tile", [x.id for x in catalogue.tiles]), ("spell", [x.id for x in catalogue.spells])):
        for number, piece in enumerate(ids):
            if piece in seen:
                yield line_of(name, number, "id"), f"{name} '{piece}' id", "this id is taken", "N2"
            seen.add(piece)
    if not catalogue.tiles:
        yield 1, "tile", "expected a location tile, got none", "N2"
    for element in Element:
        own = [spell for spell in catalogue.spells if spell.element is element]
        deck, book = sum(spell.start for spell in own), sum(spell.book for spell in own)
        if deck < HAND:
            yield 1, f"{element.value} start", f"expected a starting deck of at least {HAND} spells, got {deck}", "N1"
        if book < MARKET_PLACES + BOTTOM_CARDS:
            least = MARKET_PLACES + BOTTOM_CARDS
            yield 1, f"{element.value} book", f"expected a spell book of at least {least} spells, got {book}", "N3"
    for item in Item:
        if item not in catalogue.prices:
            yield 1, "item", f"expected the {item.value} in the store, got none", "N4"
    for element in RESOURCES:
        temples = sum(temple.element is element for temple in catalogue.temples)
        if temples != 1:
            yield 1, "temple", f"expected one temple of {element.value}, got {temples}", "N40"
    values = [gold for gold, _ in catalogue.enemies]
    if not values or len(set(values)) != len(values):
        yield 1, "enemy", "expected enemy tokens, each amount of gold once", "N30"
    if any(distance((0, 0), space.at) > 3 for tile in (catalogue.start, *catalogue.tiles) for space in tile.spaces):
        yield 1, "spaces", "expected spaces at most three steps from the first", "N2"
