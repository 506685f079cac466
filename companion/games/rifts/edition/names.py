"""What people call the tiles and cards of an edition of Rifts of N'Norya: never by their ids."""

from __future__ import annotations

from typing import Any

from companion.core.game import Rules
from companion.core.messages import Message

LOCATION = "Location tile {number}"
WOUND_NAME, RIFT_NAME = "Wound", "Rift card"


def location_name(number: int) -> Message:
    """A location tile by its place in the catalogue, counted from 1."""
    return Message(LOCATION, number=number)


def spell_name(spell: str) -> str:
    """A spell by the words of its id: "wall-of-fire" is the Wall of fire."""
    return spell.replace("-", " ").capitalize()


def table_names(rules: Rules) -> dict[str, Message]:
    """Location tiles by number, cards by their names; spaces are called as the map calls them."""
    t: Any = rules.tables  # type: ignore[attr-defined]
    tiles = {tile.id: name for tile, name in zip(t.tiles, t.tile_names, strict=True)}
    return tiles | {card: Message(name) for card, name in zip(t.cards, t.card_names, strict=True)}
