"""The components of one edition of Spyrium: its cards and residence track, each value with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.core.game_kit.catalogue_file import CatalogueFile, Edition
from companion.core.game_kit.catalogue_reader import Found, LineOf, TableReader, catalogue_text
from companion.core.layout import Coin
from companion.games.spyrium.edition.designs import BUILDINGS, CHARACTERS, DESIGNS, TECHNIQUES, Building, Design
from companion.games.spyrium.edition.names import CARD_NAMES

CATALOGUES = Path(__file__).parents[1] / "catalogues"
PERIODS = ("A", "B", "C")
DECK_SIZES = {"A": 30, "B": 20, "C": 9}  # R-S9
KIND_COUNTS = (("buildings", BUILDINGS, 35), ("characters", CHARACTERS, 17), ("techniques", TECHNIQUES, 7))  # S1
PRINTED_POINTS = {"luxury-home": 6, "mansion": 9, "palace": 12}  # S2
APPRENTICE_PRICE, FACTORY_PRICE = 0, 6  # S2
TRACK_START = (2, 3, 4)  # S3
MOST = 99

COINS = (Coin(1, 18.0), Coin(5, 25.0))  # the values are the rulebook's, which prints no widths: sample data
COIN_KEYS = {1: "one_mm", 5: "five_mm"}
NARROWEST_MM, WIDEST_MM = 12.0, 45.0
"""Narrower ones are too few pixels, of wider ones a purse holds none side by side."""
TOLD_APART = 1.2
"""A coin is so many times as wide as the other one at least: `vision/tables/purses/coins.py` tells widths to 8 %."""


@dataclass(frozen=True, slots=True)
class Card:
    """One kind of card: `copies` equal cards of a design in the deck of a period."""

    id: str
    design_name: str
    period: str
    copies: int
    price: int
    points: int

    @property
    def design(self) -> Design:
        """What the rulebook prints on cards of this design."""
        return DESIGNS[self.design_name]

    @property
    def name(self) -> str:
        """What people call the card, a message id."""
        return CARD_NAMES[self.design_name]

    @property
    def look(self) -> tuple[object, ...]:
        """All that can be seen on the face: kinds with equal looks are one face."""
        return (self.design_name, self.price, self.points)


@dataclass(frozen=True, slots=True)
class Catalogue(Edition):
    """One edition. `track` is the residence track, whose piece in `provenance` is called "residence"; `coins` are
    those of the bank."""

    cards: tuple[Card, ...]
    track: tuple[int, ...]
    coins: tuple[Coin, ...] = COINS

    @property
    def piece_counts(self) -> Mapping[str, int]:
        """How many pieces of each sort the edition lists."""
        return {name: sum(c.copies for c in self.cards if c.design_name in designs) for name, designs, _ in KIND_COUNTS}


def load_catalogue(source: str | Path) -> Catalogue:
    """The catalogue called `source` (shipped), the file at `source`, or the TOML text itself (a str of several lines).

    Raises DataError that lists every problem with its line and key.
    """
    text, where = catalogue_text(source, CATALOGUES)
    file = CatalogueFile(text, where, "spyrium", "docs/reference/spyrium.md")
    return file.judged(_read(file), _count_problems)


def _read(file: CatalogueFile) -> Catalogue:
    residence = file.table("residence")
    track = residence.wholes("track", 1, MOST)
    file.done(residence, "residence")
    money = file.table("coins", {})
    widths = {c.value: money.width_mm(COIN_KEYS[c.value], NARROWEST_MM, WIDEST_MM, c.width_mm) for c in COINS}
    file.done(money, "coins")
    cards = []
    for reader in file.pieces("card"):
        cards.append(_card(reader))
        file.done(reader, cards[-1].id)
    file.finish()
    coins = tuple(Coin(value, width_mm) for value, width_mm in widths.items())
    return Catalogue(file.id, file.title, file.provenance, file.text, tuple(cards), track, coins)


def _card(reader: TableReader) -> Card:
    name = reader.identifier("id")
    design = reader.choice("design", tuple(DESIGNS))
    return Card(
        id=name,
        design_name=design,
        period=reader.choice("period", PERIODS),
        copies=reader.whole("copies", 1, MOST),
        price=reader.whole("price", 0, MOST),
        points=reader.whole("points", 0, MOST) if isinstance(DESIGNS[design], Building) else 0,
    )


def _count_problems(catalogue: Catalogue, line_of: LineOf) -> Iterator[Found]:
    """Every count and value of S1-S3 that the catalogue breaks, as (line, key, message, clause)."""
    seen: set[str] = set()
    for number, card in enumerate(catalogue.cards):
        if card.id in seen:
            yield line_of("card", number, "id"), f"card '{card.id}' id", "this id is taken by an earlier card", "S1"
        seen.add(card.id)
        expected = PRINTED_POINTS.get(card.design_name, card.points)
        if card.points != expected:
            line = line_of("card", number, "points")
            yield line, f"card '{card.id}' points", f"expected {expected}, got {card.points}", "S2"
        if card.design_name == "apprentice" and card.price != APPRENTICE_PRICE:
            line = line_of("card", number, "price")
            yield line, f"card '{card.id}' price", f"expected {APPRENTICE_PRICE}, got {card.price}", "S2"
    got = catalogue.piece_counts
    for name, designs, count in KIND_COUNTS:
        if got[name] != count:
            yield 1, name, f"expected {count} cards, got {got[name]}", "S1"
        for design in designs:
            copies = sum(c.copies for c in catalogue.cards if c.design_name == design)
            if copies == 0 or (copies > 1 and design in TECHNIQUES):
                yield 1, design, f"expected {'one card' if design in TECHNIQUES else 'a card'}, got {copies}", "S1"
    for period, size in DECK_SIZES.items():
        cards = sum(c.copies for c in catalogue.cards if c.period == period)
        if cards != size:
            yield 1, f"period {period}", f"expected {size} cards, got {cards}", "R-S9"
    if not any(c.design_name.startswith("factory") and c.price == FACTORY_PRICE for c in catalogue.cards):
        yield 1, "factory price", f"expected a Factory of {FACTORY_PRICE} pounds", "S2"
    narrow, wide = sorted(coin.width_mm for coin in catalogue.coins)
    if wide < TOLD_APART * narrow:
        message = f"expected one coin {TOLD_APART:g} times as wide as the other one, got {narrow:g} and {wide:g} mm"
        yield line_of("coins", 0, ""), "coins", message, ""
    track = catalogue.track
    if track[: len(TRACK_START)] != TRACK_START or list(track) != sorted(set(track)):
        line = line_of("residence", 0, "track")
        yield line, "residence.track", f"expected 2, 3, 4 and rising from there, got {list(track)}", "S3"
