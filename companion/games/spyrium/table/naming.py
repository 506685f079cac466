"""What people call the places and cards of a table of Spyrium: the market's places by number in reading order."""

from __future__ import annotations

from companion.core.game import Rules
from companion.core.messages import Message
from companion.games.spyrium.board import SPACES_SEEN, building_slot
from companion.games.spyrium.edition.names import EVENT_NAMES
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.play.activation import space_name

MARKET_PLACE, GAP, SPACE = "market place {n}", "gap {a}–{b}", "no. {n}"


def table_names(rules: Rules) -> dict[str, Message]:
    """Market places by number, gaps by the places beside them, spaces of a neighbourhood by number, all from 1; cards
    and events by their names."""
    t: Tables = rules.tables  # type: ignore[attr-defined]
    names = {card.id: Message(card.name) for card in t.cards}
    names |= {kind.value: Message(name) for kind, name in EVENT_NAMES.items()}
    names |= {slot: Message(MARKET_PLACE, n=n) for n, slot in enumerate(t.slots, start=1)}
    for gap, (a, b) in zip(t.gaps, t.gap_cards, strict=True):
        names[gap] = Message(GAP, a=a + 1, b=b + 1)
    for place in range(SPACES_SEEN):
        name = Message(SPACE, n=place + 1)
        names |= {slot: name for seat in t.seats for slot in building_slot(seat, place)} | {space_name(place): name}
    return names
