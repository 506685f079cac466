"""What people call the tiles and cards of an edition of Rifts of N'Norya: never by their ids."""

from __future__ import annotations

from companion.core.messages import Message

LOCATION = "Location tile {number}"
WOUND_NAME, RIFT_NAME = "Wound", "Rift card"


def location_name(number: int) -> str:
    """A location tile by its place in the catalogue, counted from 1."""
    return Message(LOCATION, number=number)


def spell_name(spell: str) -> str:
    """A spell by the words of its id: "wall-of-fire" is the Wall of fire."""
    return spell.replace("-", " ").capitalize()
