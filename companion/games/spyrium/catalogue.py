"""The components of one edition of Spyrium: its cards and residence track, each value with where it comes from."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.core.catalogue_reader import (
    LineOf,
    Problems,
    Provenance,
    TableReader,
    catalogue_text,
    line_finder,
    refuse_problems,
)
from companion.core.errors import DataError
from companion.games.spyrium.designs import BUILDINGS, CHARACTERS, DESIGNS, TECHNIQUES, Building, Design

CATALOGUES = Path(__file__).parent / "catalogues"
PERIODS = ("A", "B", "C")
DECK_SIZES = {"A": 30, "B": 20, "C": 9}  # S2
KIND_COUNTS = (("buildings", BUILDINGS, 35), ("characters", CHARACTERS, 17), ("techniques", TECHNIQUES, 7))  # S1
PRINTED_POINTS = {"luxury-home": 6, "mansion": 9, "palace": 12}  # S2
APPRENTICE_PRICE, FACTORY_PRICE = 0, 6  # S2
TRACK_START, TRACK_END = (2, 3, 4), 7  # S3
MOST = 99


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
    def look(self) -> tuple[object, ...]:
        """All that can be seen on the face: kinds with equal looks are one face."""
        return (self.design_name, self.price, self.points)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One edition. `provenance` maps (card id or "residence", key) to where the value comes from."""

    id: str
    title: str
    cards: tuple[Card, ...]
    track: tuple[int, ...]
    provenance: Mapping[tuple[str, str], Provenance]
    text: str

    @property
    def has_sample_values(self) -> bool:
        """Whether any value is invented; whoever shows such a catalogue says so."""
        return Provenance.SAMPLE in self.provenance.values()

    @property
    def piece_counts(self) -> Mapping[str, int]:
        """How many pieces of each sort the edition lists."""
        return {name: sum(c.copies for c in self.cards if c.design_name in designs) for name, designs, _ in KIND_COUNTS}


def load_catalogue(source: str | Path) -> Catalogue:
    """The catalogue called `source` (shipped), the file at `source`, or the TOML text itself (a str of several lines).

    Raises DataError that lists every problem with its line and key.
    """
    text, where = catalogue_text(source, CATALOGUES)
    problems = Problems()
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError and names line and column
        raise DataError(f"not a catalogue: {error}", where=where, remedy="docs/spyrium.md shows the form.") from None
    catalogue = _read(document, text, problems)
    if not problems.found:
        problems.extend(list(_count_problems(catalogue, line_finder(text))))
    refuse_problems(problems, where, "docs/spyrium.md")
    return catalogue


def _read(document: Mapping[str, object], text: str, problems: Problems) -> Catalogue:
    line_of = line_finder(text)
    top = TableReader("", 0, document, problems, line_of, "sample")
    header = TableReader("catalogue", 0, top.table("catalogue"), problems, line_of, "sample")
    header.choice("game", ("spyrium",))
    edition, title = header.identifier("id"), header.text("title")
    default = header.choice("provenance", tuple(p.value for p in Provenance))
    header.finish()
    residence = TableReader("residence", 0, top.table("residence"), problems, line_of, default)
    track = residence.wholes("track", 1, MOST)
    residence.finish()
    provenance = {("residence", k): Provenance(v) for k, v in residence.provenance.items()}
    cards = []
    for number, entry in enumerate(top.tables("card")):
        reader = TableReader("card", number, entry, problems, line_of, default)
        cards.append(_card(reader))
        provenance |= {(cards[-1].id, k): Provenance(v) for k, v in reader.provenance.items()}
    top.finish()
    return Catalogue(edition, title, tuple(cards), track, provenance, text)


def _card(reader: TableReader) -> Card:
    name = reader.identifier("id")
    design = reader.choice("design", tuple(DESIGNS))
    card = Card(
        id=name,
        design_name=design,
        period=reader.choice("period", PERIODS),
        copies=reader.whole("copies", 1, MOST),
        price=reader.whole("price", 0, MOST),
        points=reader.whole("points", 0, MOST) if isinstance(DESIGNS[design], Building) else 0,
    )
    reader.finish()
    return card


def _count_problems(catalogue: Catalogue, line_of: LineOf) -> Iterator[tuple[int, str, str, str]]:
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
            yield 1, f"period {period}", f"expected {size} cards, got {cards}", "S2"
    if not any(c.design_name.startswith("factory") and c.price == FACTORY_PRICE for c in catalogue.cards):
        yield 1, "factory price", f"expected a Factory of {FACTORY_PRICE} pounds", "S2"
    track = catalogue.track
    if track[:3] != TRACK_START or track[-1] != TRACK_END or list(track) != sorted(set(track)):
        line = line_of("residence", 0, "track")
        yield line, "residence.track", f"expected 2, 3, 4, ... up to {TRACK_END}, got {list(track)}", "S3"
