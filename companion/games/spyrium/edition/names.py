"""What people call the cards and events of Spyrium: English message ids by design and by event."""

from __future__ import annotations

from companion.games.spyrium.edition.designs import EventKind

CARD_NAMES: dict[str, str] = {
    "mine-left": "Mine (left)",
    "mine-middle": "Mine (middle)",
    "mine-right": "Mine (right)",
    "workshop-left": "Workshop (left)",
    "workshop-right": "Workshop (right)",
    "factory-left": "Factory (left)",
    "factory-right": "Factory (right)",
    "laboratory-left": "Laboratory (left)",
    "laboratory-middle": "Laboratory (middle)",
    "laboratory-right": "Laboratory (right)",
    "university-left": "University (left)",
    "university-right": "University (right)",
    "neighbourhood-left": "Working-class neighbourhood (left)",
    "neighbourhood-right": "Working-class neighbourhood (right)",
    "residence": "Residence",
    "luxury-home": "Luxury Home",
    "mansion": "Mansion",
    "palace": "Palace",
    "miner": "Miner",
    "geologist": "Geologist",
    "apprentice": "Apprentice",
    "engineer": "Engineer",
    "bureaucrat": "Bureaucrat",
    "adviser": "Adviser",
    "banker": "Banker",
    "financier": "Financier",
    "architect": "Architect",
    "automation": "Automation",
    "capitalization": "Capitalization",
    "engineering": "Engineering",
    "lobbying": "Lobbying",
    "crane": "Crane",
    "taylorism": "Taylorism",
    "commerce": "Commerce",
}
"""By design; the sides are those on which the rulebook shows the cards of one name."""

EVENT_NAMES: dict[EventKind, str] = {
    EventKind.TOKEN: "event Token",
    EventKind.RESIDENCE: "event Residence",
    EventKind.POINTS: "event Points",
    EventKind.MONEY: "event Money",
    EventKind.STRAIGHTEN: "event Second Use",
    EventKind.WORKER: "event New Worker",
    EventKind.PLACE: "event Late Worker",
}

_EVENTS_BY_ID = {kind.value: name for kind, name in EVENT_NAMES.items()}


def event_name(event: str) -> str | None:
    """What the event with this id is called; None for no event of the game."""
    return _EVENTS_BY_ID.get(event)
