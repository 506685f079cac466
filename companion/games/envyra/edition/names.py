"""What people call the tiles and Equilibrium cards of an edition of Envyra: by symbol and points, not by id."""

from __future__ import annotations

from collections import Counter

from companion.core.game import Rules
from companion.core.game_kit.table_names import grid_names
from companion.core.messages import Message
from companion.games.envyra.edition.components import Card, Catalogue, Theme, Tile

SYMBOL_TILE, BONUS_TILE = "{symbol} ({vp} VP)", "bonus tile ({vp} VP)"
SYMBOL_TILE_MORE, BONUS_TILE_MORE = "{symbol} ({vp} VP, {more})", "bonus tile ({vp} VP, {more})"
CUBES, REQUIRES, REQUIRES_NOTHING = "cubes: {cubes}", "requires: {themes}", "requires nothing"
END_TILE, OTHER_END_TILE = "End tile", "alternative End tile"
NAMELESS_SYMBOL = "{theme} symbol {number}"
EQUILIBRIUM_CARD = "{symbols} ({vp} VP)"
MANY_OF = "{count} x {theme}"

THEME_WORDS = {
    Theme.FLORA: "flora (green)",
    Theme.WATER: "water (blue)",
    Theme.FIRE: "fire (orange)",
    Theme.BONUS: "bonus",
    Theme.END: "End tile",
}


def symbol_name(catalogue: Catalogue, theme: Theme, symbol: int) -> Message:
    """The word that the catalogue has for a symbol, else its theme and number."""
    if catalogue.symbol_names.get(theme):
        return Message(catalogue.symbol_name(theme, symbol))
    return Message(NAMELESS_SYMBOL, theme=theme.value, number=symbol)


def tile_name(catalogue: Catalogue, tile: Tile) -> Message:
    """What a tile shows, in short: where others have the same symbol and points, what they differ in, too. Tiles that
    are captured alike have the same name."""
    if tile.theme is Theme.END:
        return Message(OTHER_END_TILE if tile.alternative else END_TILE)
    facts: dict[str, object] = {"vp": tile.vp}
    if tile.theme is not Theme.BONUS:
        facts["symbol"] = symbol_name(catalogue, tile.theme, tile.symbol)
    more = _differences(catalogue, tile)
    if more:
        return Message(BONUS_TILE_MORE if tile.theme is Theme.BONUS else SYMBOL_TILE_MORE, **facts, more=more)
    return Message(BONUS_TILE if tile.theme is Theme.BONUS else SYMBOL_TILE, **facts)


def _differences(catalogue: Catalogue, tile: Tile) -> tuple[Message, ...]:
    """What tells the tile from those of its symbol and points."""
    alike = [x for x in catalogue.tiles if (x.theme, x.symbol, x.vp) == (tile.theme, tile.symbol, tile.vp)]
    more = [Message(CUBES, cubes=tile.cubes)] if any(x.cubes != tile.cubes for x in alike) else []
    if any(x.cubes == tile.cubes and x.requires != tile.requires for x in alike):
        themes = tuple(
            Message(MANY_OF, count=count, theme=theme.value) if count > 1 else theme.value
            for theme, count in Counter(tile.requires).items()
        )
        more.append(Message(REQUIRES, themes=themes) if themes else Message(REQUIRES_NOTHING))
    return tuple(more)


def card_name(catalogue: Catalogue, card: Card) -> Message:
    """The symbols of an Equilibrium card and its points."""
    symbols = tuple(symbol_name(catalogue, theme, symbol) for theme, symbol in card.symbols)
    return Message(EQUILIBRIUM_CARD, symbols=symbols, vp=card.points)


def table_names(rules: Rules) -> dict[str, Message]:
    """The places of the grid by row and column, tiles and Equilibrium cards by what they show."""
    catalogue: Catalogue = rules.tables.catalogue  # type: ignore[attr-defined]
    names = {tile.id: tile_name(catalogue, tile) for tile in catalogue.tiles}
    return grid_names(rules) | names | {card.id: card_name(catalogue, card) for card in catalogue.cards}
