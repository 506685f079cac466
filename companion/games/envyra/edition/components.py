"""The components of Envyra as an edition lists them: tiles, Equilibrium cards, themes and symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from companion.core.game_kit.catalogue_file import Edition
from companion.core.types import Face


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


def first_alike(tiles: Iterable[Tile]) -> dict[Face, Face]:
    """Each tile -> the first of them that looks the same."""
    first: dict[tuple[object, ...], Face] = {}
    return {tile.id: first.setdefault(tile.look, tile.id) for tile in tiles}
