"""The counts of a box that the rulebooks state: what a catalogue is checked against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.game_kit.catalogue_reader import Found, LineOf
from companion.games.envyra.edition.components import Catalogue

# E1: copies of the four symbols of a theme, and the points of the seven bonus tiles
SYMBOL_COPIES = [3, 3, 2, 2]
BONUS_POINTS = [2, 2, 3, 3, 4, 4, 5]
# E2
STARTING_TILES = 15
BASIC_TILES = 22
# E4: the cards of the expansion; E73: those with three symbols are worth four points
EQUILIBRIUM_CARDS = 9
CARD_SYMBOLS = (2, 3)
LARGE_CARD_SYMBOLS, LARGE_CARD_POINTS = 3, 4
# E10: tiles kept of each kind by number of players
KEPT_STARTING = {2: 11, 3: 13, 4: 14}
KEPT_BASIC = {2: 8, 3: 16, 4: 21}

UNREADABLE = "?"  # the id of a piece whose own id could not be used


def count_problems(catalogue: Catalogue, line_of: LineOf, unusable: frozenset[str] = frozenset()) -> list[Found]:
    """Every count of E1-E4, E10 and E73 that the catalogue breaks, as (line, key, message, clause).

    `unusable` names the values ("tile.vp") that were already refused: what would be counted from them is left out.
    """
    found = [*_ids(catalogue, line_of)]
    if not unusable & {"tile", "tile.theme"}:
        if "tile.symbol" not in unusable:
            found += _copies(catalogue)
        if "tile.vp" not in unusable:
            found += _bonus(catalogue)
        if not unusable & {"tile.start", "tile.players_3_4"}:
            found += _marks(catalogue)
        found += _end_tiles(catalogue, line_of, requires="tile.requires" not in unusable)
    if not unusable & {"card", "card.symbols", "card.points"}:
        found += _cards(catalogue, line_of)
    return found


def _ids(catalogue: Catalogue, line_of: LineOf) -> Iterator[Found]:
    seen: set[str] = set()
    numbered = [("tile", n, t.id) for n, t in enumerate(catalogue.tiles)]
    numbered += [("card", n, c.id) for n, c in enumerate(catalogue.cards)]
    for kind, number, name in numbered:
        if name in seen and name != UNREADABLE:
            yield line_of(kind, number, "id"), f"{kind} '{name}' id", "this id is taken by an earlier piece", "E1"
        seen.add(name)


def _wrong(key: str, expected: object, got: object, clause: str) -> Found:
    return 1, key, f"expected {expected}, got {got}", clause


def _copies(catalogue: Catalogue) -> Iterator[Found]:
    for theme in ("flora", "water", "fire"):
        copies = Counter(t.symbol for t in catalogue.tiles if t.theme.value == theme)
        got = sorted((copies[s] for s in range(1, 5)), reverse=True)
        if got != SYMBOL_COPIES:
            yield _wrong(f"tiles of {theme}", f"its four symbols in {SYMBOL_COPIES} copies", got, "E1")


def _bonus(catalogue: Catalogue) -> Iterator[Found]:
    bonus = sorted(t.vp for t in catalogue.tiles if t.theme.value == "bonus")
    if bonus != BONUS_POINTS:
        yield _wrong("bonus tiles", f"the points {BONUS_POINTS}", bonus, "E1")


def _marks(catalogue: Catalogue) -> Iterator[Found]:
    starting = sum(t.start for t in catalogue.tiles)
    if starting != STARTING_TILES:
        yield _wrong("start", f"{STARTING_TILES} Starting tiles", starting, "E2")
    basic = [t for t in catalogue.tiles if not t.start and t.theme.value != "end"]
    if len(basic) != BASIC_TILES:
        yield _wrong("start", f"{BASIC_TILES} Basic tiles", len(basic), "E2")
    late, most = sum(t.players_3_4 for t in basic), BASIC_TILES - KEPT_BASIC[2]
    if late > most:
        yield _wrong("players_3_4", f"at most {most} tiles with 3/4, which two players remove", late, "E10")


def _end_tiles(catalogue: Catalogue, line_of: LineOf, *, requires: bool) -> Iterator[Found]:
    ends = [(n, t) for n, t in enumerate(catalogue.tiles) if t.theme.value == "end"]
    standard = sum(not t.alternative for _, t in ends)
    if standard != 1:
        yield _wrong("End tile", "one without alternative = true", standard, "E1")
    if len(ends) - standard > 1:
        yield _wrong("End tile", "at most one with alternative = true", len(ends) - standard, "E1")
    for number, tile in ends:
        got = [t.value for t in tile.requires]
        # E3: of the standard End tile; what the alternative one requires is the box's
        if requires and not tile.alternative and sorted(got) != ["fire", "flora", "water"]:
            line = line_of("tile", number, "requires")
            yield line, f"tile '{tile.id}' requires", f"expected flora, water and fire once each, got {got}", "E3"
        if tile.players_3_4:
            line = line_of("tile", number, "players_3_4")
            yield line, f"tile '{tile.id}' players_3_4", "the End tile is in every game", "E2"


def _cards(catalogue: Catalogue, line_of: LineOf) -> Iterator[Found]:
    if catalogue.cards and len(catalogue.cards) != EQUILIBRIUM_CARDS:
        yield 1, "cards", f"expected {EQUILIBRIUM_CARDS} Equilibrium cards or none, got {len(catalogue.cards)}", "E4"
    for number, card in enumerate(catalogue.cards):
        if len(card.symbols) not in CARD_SYMBOLS:
            line = line_of("card", number, "symbols")
            yield line, f"card '{card.id}' symbols", f"expected 2 or 3 symbols, got {len(card.symbols)}", "E73"
        elif (len(card.symbols) == LARGE_CARD_SYMBOLS) != (card.points == LARGE_CARD_POINTS):
            line = line_of("card", number, "points")
            message = f"4 points go with 3 symbols, got {card.points} points with {len(card.symbols)} symbols"
            yield line, f"card '{card.id}' points", message, "E73"
