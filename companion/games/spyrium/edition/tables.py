"""Everything about a set-up of Spyrium that does not change during the game, as tables of small integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.errors import DataError
from companion.core.shown import shown
from companion.core.types import Seat, Setup, Slot
from companion.games.spyrium.edition.catalogue import PERIODS, Card, Catalogue
from companion.games.spyrium.edition.designs import Design, Technique
from companion.games.spyrium.edition.names import event_name
from companion.games.spyrium.edition.options import setup_problems, taylorism_rides

SIDE = 3  # S22: three rows of three cards
TURNS = 6
PERIOD_OF_TURN = (0, 0, 0, 1, 1, 2)  # S2: A in turns 1-3, B in 4-5, C in 6

# S1, S11
WORKERS, WORKERS_AT_START = 7, 3
SPYRIUM_AT_START, POUNDS_AT_START = 2, 8
TOKENS_OF_A_VALUE = 8


@dataclass(frozen=True, slots=True)
class Tables:
    """Of kinds, slots, gaps and seats the names in canonical order, and how they lie to each other.

    `gap_cards`: the two slots beside a gap; `card_gaps`: the gaps around a slot; `techniques`: name -> kind.
    """

    setup: Setup
    catalogue: Catalogue
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    designs: tuple[Design, ...]
    kind_index: Mapping[str, int]
    slots: tuple[Slot, ...]
    slot_index: Mapping[Slot, int]
    gaps: tuple[Slot, ...]
    gap_index: Mapping[Slot, int]
    gap_cards: tuple[tuple[int, int], ...]
    card_gaps: tuple[tuple[int, ...], ...]
    decks: tuple[tuple[int, ...], ...]
    techniques: Mapping[str, int]
    track: tuple[int, ...]
    taylorism_rides: bool  # R-S6

    def __hash__(self) -> int:
        return hash((self.setup, self.catalogue.text))

    def face_name(self, face: str | None) -> str:
        """What people call the card or event with this id, a message id; what is none as it was written."""
        kind = self.kind_index.get(face or "")
        return event_name(face or "") or shown(face) if kind is None else self.cards[kind].name


def build_tables(setup: Setup, catalogue: Catalogue) -> Tables:
    """The tables of a set-up. Raises DataError that lists what is wrong with it."""
    problems = setup_problems(setup)
    if problems:
        raise DataError("; ".join(problems), where="set-up", remedy="Correct the set-up.")
    slots = tuple(f"r{row}c{column}" for row in range(1, SIDE + 1) for column in range(1, SIDE + 1))
    pairs = sorted(
        (a, b)
        for a in range(len(slots))
        for b in (a + 1, a + SIDE)
        if b < len(slots) and (b == a + SIDE or b % SIDE)  # right neighbour in the same row, or the one below
    )
    gaps = tuple(f"{slots[a]}|{slots[b]}" for a, b in pairs)
    cards = catalogue.cards
    return Tables(
        setup=setup,
        catalogue=catalogue,
        seats=tuple(Seat(i) for i in range(len(setup.seats))),
        cards=cards,
        designs=tuple(card.design for card in cards),
        kind_index={card.id: i for i, card in enumerate(cards)},
        slots=slots,
        slot_index={slot: i for i, slot in enumerate(slots)},
        gaps=gaps,
        gap_index={gap: i for i, gap in enumerate(gaps)},
        gap_cards=tuple(pairs),
        card_gaps=tuple(tuple(g for g, pair in enumerate(pairs) if slot in pair) for slot in range(len(slots))),
        decks=tuple(tuple(c.copies if c.period == period else 0 for c in cards) for period in PERIODS),
        techniques={c.design_name: i for i, c in enumerate(cards) if isinstance(c.design, Technique)},
        track=catalogue.track,
        taylorism_rides=taylorism_rides(setup),
    )
