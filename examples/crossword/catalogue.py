"""The tiles and the board of a crossword box, read from a catalogue file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.core.game_kit.catalogue_file import CatalogueFile, Edition
from companion.core.game_kit.catalogue_reader import TableReader, catalogue_text

from .board import PLAIN, SIDE, Premiums, drawn_premiums

SHIPPED = Path(__file__).parent / "catalogues"
BLANK = "_"
MOST_POINTS, MOST_COPIES = 20, 30
"""More than any box has: a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A kind of tile: its id in the record, what is printed on it, its points, how many the box has."""

    id: str
    letter: str
    points: int
    copies: int


@dataclass(frozen=True, slots=True)
class Catalogue(Edition):
    """One language's tiles, and the board they are laid on."""

    tiles: tuple[Tile, ...]
    premiums: Premiums

    @property
    def piece_counts(self) -> Mapping[str, int]:
        """Sort of piece -> how many."""
        return {"tiles": sum(tile.copies for tile in self.tiles)}

    def by_id(self) -> dict[str, Tile]:
        """Tiles by their id."""
        return {tile.id: tile for tile in self.tiles}

    def by_letter(self) -> dict[str, Tile]:
        """Tiles by what is printed on them; BLANK is the blank one."""
        return {tile.letter: tile for tile in self.tiles}


def load_catalogue(source: str | Path) -> Catalogue:
    """The shipped catalogue of that name, or the file. Raises DataError with every problem."""
    text, where = catalogue_text(source, SHIPPED)
    file = CatalogueFile(text, where, "crossword", "examples/crossword/catalogues/german.toml")
    premiums = _premiums(file)
    tiles: list[Tile] = []
    for reader in file.pieces("tile"):
        tile = Tile(reader.identifier("id"), reader.text("letter"), reader.whole("points", 0, MOST_POINTS),
                    reader.whole("copies", 1, MOST_COPIES))  # fmt: skip
        if tile.id in {t.id for t in tiles} or tile.letter in {t.letter for t in tiles}:
            reader.problem("id", "this id or letter is taken by an earlier tile")
        file.done(reader, tile.id)
        tiles.append(tile)
    file.finish()
    file.refuse()
    return Catalogue(file.id, file.title, file.provenance, file.text, tuple(tiles), premiums)


def _premiums(file: CatalogueFile) -> Premiums:
    reader: TableReader = file.table("board")
    drawn = reader.text("squares")
    premiums = Premiums((PLAIN * SIDE,) * SIDE)
    if drawn != "?":
        try:
            premiums = drawn_premiums(drawn)
        except ValueError as error:
            reader.problem("squares", str(error))
    reader.finish()
    return premiums
