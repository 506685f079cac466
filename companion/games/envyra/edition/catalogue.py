"""A catalogue of Envyra read from its file: every value with where it comes from, every problem with its line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from companion.core.game_kit.catalogue_file import CatalogueFile
from companion.core.game_kit.catalogue_reader import TableReader, catalogue_text, show
from companion.core.types import Face
from companion.games.envyra.edition.catalogue_source import scene_document
from companion.games.envyra.edition.components import SYMBOLS, THEMES, Card, Catalogue, Theme, Tile, first_alike
from companion.games.envyra.edition.counts import count_problems
from companion.games.envyra.edition.names import symbol_name

CATALOGUES = Path(__file__).parents[1] / "catalogues"
MOST_CUBES = 10  # two players have ten cubes between them (E4): a tile that needs more could never be captured
MOST_POINTS = 99


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
    form, reader = "docs/reference/catalogue.md", scene_document if scenes else tomllib.loads
    file = CatalogueFile(text, where, "envyra", form, reader)
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


def same_looks(catalogue: Catalogue) -> dict[Face, Face]:
    """Each tile of the box -> the first one that looks the same."""
    return first_alike(catalogue.tiles)


def faces_of(catalogue: Catalogue) -> dict[Face, dict[str, Any]]:
    """What the pages draw of each tile."""
    return {
        tile.id: {
            "id": tile.id, "theme": tile.theme.value, "symbol": tile.symbol, "vp": tile.vp, "cubes": tile.cubes,
            "requires": [theme.value for theme in tile.requires],
            "symbol_name": symbol_name(catalogue, tile.theme, tile.symbol) if tile.symbol else "",
            "start": tile.start, "players_3_4": tile.players_3_4,
        }
        for tile in catalogue.tiles
    }


def pieces_of(catalogue: Catalogue) -> tuple[dict[str, Any], ...]:
    """What a tally can name: tiles and Equilibrium cards."""
    tiles = (
        {"id": t.id, "vp": t.vp, "cubes": t.cubes, "requires": [x.value for x in t.requires]} for t in catalogue.tiles
    )
    cards = (
        {"id": c.id, "points": c.points, "symbols": [f"{t.value}-{n}" for t, n in c.symbols]} for c in catalogue.cards
    )
    return (*tiles, *cards)
