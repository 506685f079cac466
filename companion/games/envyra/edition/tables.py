"""What a set-up and a catalogue fix for the whole game, worked out once: indexes, masks, orders, ready-made actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product

from companion.core.errors import DataError
from companion.core.layout import SlotView
from companion.core.shown import shown
from companion.core.types import Action, ChanceOutcome, Draw, Seat, Setup, Slot
from companion.games.envyra.actions import Choose, Confirm, Finish, Move, TakeBack
from companion.games.envyra.edition.components import THEMES, Card, Catalogue, Theme, Tile
from companion.games.envyra.edition.counts import KEPT_BASIC, KEPT_STARTING, LARGE_CARD_SYMBOLS
from companion.games.envyra.edition.names import card_name, tile_name
from companion.games.envyra.edition.options import option_problems

CUBES_PER_PLAYER = 5  # E4
ROWS_COLUMNS = {2: (2, 3), 3: (3, 3), 4: (3, 4)}  # E11
OPEN_CARDS = 2  # E71
LARGE_CARD_PLAYERS = 4  # E73

Row = tuple[ChanceOutcome, ...]
"""By tile: the outcome that brings it."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything the rules look up. Tiles are indexed with the End tile in play last; masks have bit 1 << index."""

    setup: Setup
    catalogue: Catalogue
    seats: tuple[Seat, ...]
    rows: int
    columns: int
    slots: tuple[Slot, ...]
    slot_index: dict[Slot, int]
    fill_order: tuple[int, ...]
    full: int  # the mask of all slots
    everybody: int  # the mask of all seats
    tiles: tuple[Tile, ...]
    tile_index: dict[str, int]
    need: tuple[int, ...]  # cubes that capture each tile
    end: int
    shared: int  # the tiles that no player can capture alone, as they need more cubes than one has
    theme_masks: tuple[int, int, int]
    starting: int
    basic: int  # without the tiles that only 3 or 4 players use, when there are two
    late: int  # E10: the 3/4 tiles that two players remove
    kept_start: int
    kept_basic: int
    order: tuple[tuple[int, ...], ...]  # by first seat: the seats in the order of Phase II
    one_cube: bool  # E70
    digital: bool  # the tiles that go back into the box are drawn, so the bag's contents are known
    open_cards: int
    hand_cards: bool
    pick_cards: bool
    hidden_cards: bool  # the secret cards are dealt by hand: the companion sees them at the end
    cards: tuple[Card, ...]  # those that may be used (E73)
    card_index: dict[str, int]
    card_names: tuple[str, ...]
    tile_names: tuple[str, ...]
    card_needs: tuple[tuple[int, ...], ...]  # per card and symbol: the tiles that show it
    unlocked_table: dict[tuple[int, int, int], int]
    theme_cap: int
    choices: dict[tuple[Slot, ...], tuple[int, tuple[int, ...]]] = field(repr=False)  # slots -> mask, indexes
    chooses: tuple[tuple[tuple[int, int, Choose], ...], ...] = field(repr=False)  # by seat: number, mask, action
    moves: tuple[tuple[Move, ...], ...] = field(repr=False)
    confirms: tuple[Confirm, ...] = field(repr=False)
    take_backs: tuple[TakeBack, ...] = field(repr=False)
    finishes: tuple[Finish, ...] = field(repr=False)
    # Filled while playing, bounded where they are filled: lists of choices, outcomes of draws, what lies in a slot.
    choose_lists: dict[tuple[int, int, int, tuple[bool, ...]], tuple[Action, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    outcome_rows: dict[tuple[type[Draw], int, int, int], Row] = field(default_factory=dict, repr=False, compare=False)
    slot_views: dict[tuple[int, tuple[int, ...]], SlotView] = field(default_factory=dict, repr=False, compare=False)

    def themes_owned(self, owned: int) -> tuple[int, int, int]:
        """How many flora, water and fire tiles are in the mask `owned`."""
        flora, water, fire = self.theme_masks
        return (owned & flora).bit_count(), (owned & water).bit_count(), (owned & fire).bit_count()

    def unlocked(self, owned: int) -> int:
        """E33: the mask of the tiles that are not restricted to who owns the tiles `owned`."""
        cap = self.theme_cap
        flora, water, fire = self.themes_owned(owned)
        return self.unlocked_table[min(flora, cap), min(water, cap), min(fire, cap)]

    def face_name(self, face: object) -> str:
        """What people call the tile or card with this id; what is none of this game's as it was written."""
        if isinstance(face, str) and face in self.tile_index:
            return self.tile_names[self.tile_index[face]]
        if isinstance(face, str) and face in self.card_index:
            return self.card_names[self.card_index[face]]
        return shown(face)

    def completes(self, card: int, owned: int) -> bool:
        """E71: whether tiles with all the symbols of the card are among `owned`."""
        return all(owned & needed for needed in self.card_needs[card])


def bits(mask: int) -> Iterator[int]:
    """The indexes of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


_CHUNK = 13  # three lookups cover the 38 tiles, in tables of at most 8192 entries


@cache
def _chunk(shift: int, part: int) -> tuple[int, ...]:
    return tuple(shift + i for i in range(_CHUNK) if part >> i & 1)


def indexes(mask: int) -> tuple[int, ...]:
    """The indexes of the bits that are set, lowest first: `bits` for masks that are met again and again."""
    found: tuple[int, ...] = ()
    shift, low = 0, (1 << _CHUNK) - 1
    while mask:
        found += _chunk(shift, mask & low)
        mask >>= _CHUNK
        shift += _CHUNK
    return found


def mask_of(indexes: Iterator[int] | tuple[int, ...]) -> int:
    """The mask with these bits set."""
    mask = 0
    for index in indexes:
        mask |= 1 << index
    return mask


def build_tables(setup: Setup, catalogue: Catalogue) -> Tables:
    """The tables of a game. Raises DataError with everything in which the set-up and the catalogue do not fit."""
    problems = option_problems(setup, catalogue)
    players = len(setup.seats)
    cards: tuple[Card, ...] = ()
    variant = setup.option("equilibrium", "none")
    open_cards = OPEN_CARDS if variant in ("a", "c") else 0
    hand_cards = variant in ("b", "c")
    if open_cards or hand_cards:
        # E73: the cards with three symbols are for four players only
        all_cards = players == LARGE_CARD_PLAYERS
        cards = tuple(c for c in catalogue.cards if all_cards or len(c.symbols) < LARGE_CARD_SYMBOLS)
        needed = open_cards + (players if hand_cards else 0)
        if not problems and len(cards) < needed:
            problems.append(f"equilibrium {variant}: {needed} cards are needed, the catalogue has {len(cards)} (E73)")
    if problems:
        raise DataError("; ".join(problems), where="set-up", remedy="Change the set-up or the catalogue.")
    rows, columns = ROWS_COLUMNS[players]
    slots = tuple(f"r{r}c{c}" for r in range(1, rows + 1) for c in range(1, columns + 1))
    seats = tuple(Seat)[:players]
    alternative = setup.option("end_tile", "standard") == "alternative"
    tiles = tuple(t for t in catalogue.tiles if t.theme is not Theme.END)
    tiles += tuple(t for t in catalogue.tiles if t.theme is Theme.END and t.alternative == alternative)
    late = mask_of(tuple(i for i, t in enumerate(tiles) if t.players_3_4 and players == 2))
    by_theme = [mask_of(tuple(i for i, t in enumerate(tiles) if t.theme is theme)) for theme in THEMES]
    theme_cap = max((t.requires.count(theme) for t in tiles for theme in THEMES), default=0)
    basic_variant = setup.option("variant", "standard") == "basic"
    hidden = setup.option("secret_cards", "companion") == "table"
    choices = _choices(slots, 1 if basic_variant else 2)
    return Tables(
        setup=setup,
        catalogue=catalogue,
        seats=seats,
        rows=rows,
        columns=columns,
        slots=slots,
        slot_index={name: i for i, name in enumerate(slots)},
        full=(1 << len(slots)) - 1,
        everybody=(1 << players) - 1,
        fill_order=fill_order(rows, columns, setup.option("corner", "tl")),
        tiles=tiles,
        tile_index={t.id: i for i, t in enumerate(tiles)},
        need=tuple(t.cubes for t in tiles),
        end=len(tiles) - 1,
        shared=mask_of(tuple(i for i, t in enumerate(tiles) if t.cubes > CUBES_PER_PLAYER)),
        theme_masks=(by_theme[0], by_theme[1], by_theme[2]),
        starting=mask_of(tuple(i for i, t in enumerate(tiles) if t.start)),
        basic=mask_of(tuple(i for i, t in enumerate(tiles[:-1]) if not t.start)) & ~late,
        late=late,
        kept_start=KEPT_STARTING[players],
        kept_basic=KEPT_BASIC[players],
        order=tuple(_order(first, players, basic_variant) for first in range(players)),
        one_cube=basic_variant,
        digital=setup.option("removed_tiles", "unknown") == "drawn",
        open_cards=open_cards,
        hand_cards=hand_cards,
        pick_cards=hand_cards and not hidden and setup.option("card_choice", "random") == "pick",
        hidden_cards=hand_cards and hidden,
        cards=cards,
        card_index={c.id: i for i, c in enumerate(cards)},
        card_names=tuple(card_name(catalogue, c) for c in cards),
        tile_names=tuple(tile_name(catalogue, tile) for tile in tiles),
        card_needs=tuple(tuple(_showing(tiles, symbol) for symbol in c.symbols) for c in cards),
        unlocked_table=_unlocked_table(tiles, theme_cap),
        theme_cap=theme_cap,
        choices=choices,
        chooses=tuple(
            tuple((len(names), mask, Choose(seat, names)) for names, (mask, _) in choices.items()) for seat in seats
        ),
        moves=tuple(tuple(Move(seat, slot) for slot in slots) for seat in seats),
        confirms=tuple(Confirm(seat) for seat in seats),
        take_backs=tuple(TakeBack(seat) for seat in seats),
        finishes=tuple(Finish(seat) for seat in seats),
    )


def fill_order(rows: int, columns: int, corner: str) -> tuple[int, ...]:
    """R-08: the slots row by row, left to right, as seen by who has the red corner at the top left."""
    across, down = range(columns), range(rows)
    index = {(r, c): r * columns + c for r in down for c in across}
    if corner == "tl":
        return tuple(index[r, c] for r in down for c in across)
    if corner == "br":
        return tuple(index[r, c] for r in reversed(down) for c in reversed(across))
    if corner == "tr":  # turned by a quarter: the seen rows are the table's columns, from the right
        return tuple(index[r, c] for c in reversed(across) for r in down)
    return tuple(index[r, c] for c in across for r in reversed(down))


def _order(first: int, players: int, basic_variant: bool) -> tuple[int, ...]:
    clockwise = tuple((first + n) % players for n in range(players))  # E31
    return clockwise if basic_variant else clockwise + clockwise[::-1]  # E70, E32


def _showing(tiles: tuple[Tile, ...], symbol: tuple[Theme, int]) -> int:
    return mask_of(tuple(i for i, t in enumerate(tiles) if (t.theme, t.symbol) == symbol))


def _unlocked_table(tiles: tuple[Tile, ...], cap: int) -> dict[tuple[int, int, int], int]:
    table = {}
    for owned in product(range(cap + 1), repeat=3):
        free = (all(t.requires.count(theme) <= n for theme, n in zip(THEMES, owned, strict=True)) for t in tiles)
        table[owned[0], owned[1], owned[2]] = mask_of(tuple(i for i, yes in enumerate(free) if yes))
    return table


def _choices(slots: tuple[Slot, ...], most: int) -> dict[tuple[Slot, ...], tuple[int, tuple[int, ...]]]:
    """E20, E70, R-02: every group of places that may be named together, with its mask and indexes."""
    groups = [group for size in range(1, most + 1) for group in combinations(range(len(slots)), size)]
    return {tuple(slots[i] for i in group): (mask_of(group), group) for group in groups}
