"""The components of one edition of Envyra: tiles and Equilibrium cards, each value with where it comes from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from companion.core.catalogue_file import CatalogueFile, Edition
from companion.core.catalogue_reader import TableReader, catalogue_text, show
from companion.games.envyra.catalogue_source import scene_document
from companion.games.envyra.counts import count_problems

CATALOGUES = Path(__file__).parent / "catalogues"
MOST_CUBES = 10  # two players have ten cubes between them (E4): a tile that needs more could never be captured
MOST_POINTS = 99


class Theme(Enum):
    """What a tile belongs to; only the first three count for restrictions and sets."""

    FLORA = "flora"
    WATER = "water"
    FIRE = "fire"
    BONUS = "bonus"
    END = "end"


THEMES: tuple[Theme, ...] = (Theme.FLORA, Theme.WATER, Theme.FIRE)
SYMBOLS = 4  # symbols of a theme (E1)


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile. `symbol` is 1-4 within a theme and 0 for bonus and End tiles; `requires` is sorted by theme."""

    id: str
    theme: Theme
    symbol: int
    vp: int
    cubes: int
    requires: tuple[Theme, ...] = ()
    start: bool = False
    players_3_4: bool = False
    alternative: bool = False

    @property
    def look(self) -> tuple[object, ...]:
        """All that can be seen on the tile: tiles with equal looks are one face."""
        return (self.theme, self.symbol, self.vp, self.cubes, self.requires, self.start, self.players_3_4)


@dataclass(frozen=True, slots=True)
class Card:
    """One Equilibrium card: its points and the (theme, symbol) pairs it shows."""

    id: str
    points: int
    symbols: tuple[tuple[Theme, int], ...]


@dataclass(frozen=True, slots=True)
class Catalogue(Edition):
    """One edition. `symbol_names`: what the four symbols of a theme show, where the file says it."""

    tiles: tuple[Tile, ...]
    cards: tuple[Card, ...]
    symbol_names: Mapping[Theme, tuple[str, ...]]

    @property
    def piece_counts(self) -> Mapping[str, int]:
        """How many pieces of each sort the edition lists."""
        return {"tiles": len(self.tiles), "cards": len(self.cards)}

    def symbol_name(self, theme: Theme, symbol: int) -> str:
        """What a symbol shows, as the catalogue calls it ("leaf"), or "flora 1" when it has no name."""
        names = self.symbol_names.get(theme, ())
        return names[symbol - 1] if 0 < symbol <= len(names) else f"{theme.value} {symbol}"


def load_catalogue(source: str | Path) -> Catalogue:
    """The catalogue called `source` (shipped), the file at `source`, or the TOML text itself (a str of several lines).

    A JSON object instead of TOML is read as the tile list of a set of scenes (symbols counted from 0, no cards).
    Raises DataError that lists every problem with its line and key.
    """
    text, where = catalogue_text(source, CATALOGUES)
    return parse_catalogue(text, where)


def parse_catalogue(text: str, where: str) -> Catalogue:
    """The catalogue written in `text`. Raises DataError that lists every problem; `where` names the source."""
    scenes = text.lstrip().startswith("{")  # no TOML document begins so
    file = CatalogueFile(text, where, "envyra", "docs/catalogue.md", scene_document if scenes else tomllib.loads)
    catalogue = _read(file)
    file.problems.extend(count_problems(catalogue, file.line_of, frozenset(file.problems.keys)))
    file.refuse()
    return catalogue


def _read(file: CatalogueFile) -> Catalogue:
    names = _symbol_names(file.table("symbols", {}))
    tiles, cards = [], []
    for reader in file.pieces("tile"):
        tiles.append(_tile(reader))
        file.done(reader, tiles[-1].id)
    for reader in file.pieces("card", optional=True):
        cards.append(_card(reader))
        file.done(reader, cards[-1].id)
    file.finish()
    return Catalogue(file.id, file.title, file.provenance, file.text, tuple(tiles), tuple(cards), names)


def _symbol_names(reader: TableReader) -> dict[Theme, tuple[str, ...]]:
    names = {}
    for theme in THEMES:
        if theme.value in reader.raw:
            names[theme] = words = reader.words(theme.value)
            if len(words) != SYMBOLS:
                reader.problem(theme.value, f"expected {SYMBOLS} names, got {len(words)}", "E1")
    reader.finish()
    return names


def _tile(reader: TableReader) -> Tile:
    name = reader.identifier("id")
    theme = Theme(reader.choice("theme", tuple(t.value for t in Theme)))
    in_theme = theme in THEMES
    symbol = reader.whole("symbol", 1, SYMBOLS) if in_theme else 0
    requires = tuple(Theme(x) for x in reader.choices("requires", tuple(t.value for t in THEMES)))
    start, late = reader.flag("start"), reader.flag("players_3_4")
    if start and late:
        reader.problem("players_3_4", "only a Basic tile carries 3/4, and this is a Starting tile", "E2")
    if start and theme is Theme.END:
        reader.problem("start", "the End tile is neither a Starting nor a Basic tile", "E2")
    alternative = reader.flag("alternative") if theme is Theme.END else False
    return Tile(
        id=name,
        theme=theme,
        symbol=symbol,
        vp=reader.whole("vp", 0, MOST_POINTS),
        cubes=reader.whole("cubes", 1, MOST_CUBES),
        requires=tuple(sorted(requires, key=THEMES.index)),
        start=start,
        players_3_4=late,
        alternative=alternative,
    )


def _card(reader: TableReader) -> Card:
    name = reader.identifier("id")
    points = reader.whole("points", 1, MOST_POINTS)
    symbols: list[tuple[Theme, int]] = []
    allowed = {f"{t.value}-{n}": (t, n) for t in THEMES for n in range(1, SYMBOLS + 1)}
    for word in reader.words("symbols"):
        if word not in allowed:
            reader.problem("symbols", f"expected theme-symbol such as flora-1, got {show(word)}", "E71")
        elif allowed[word] in symbols:
            reader.problem("symbols", f"{word} is named twice", "E71")
        else:
            symbols.append(allowed[word])
    return Card(name, points, tuple(symbols))
