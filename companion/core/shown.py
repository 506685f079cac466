"""Anything at all as a short text that can stand in a message."""

from __future__ import annotations

from companion.core.types import Seat

MOST_CHARACTERS = 40
UNREADABLE = "(?)"
"""What stands in a message for something that is no word: nothing, or an object that only a program knows."""


def shown(value: object) -> str:
    """A word, a number or a seat as it can stand in a message, anything else as (?); never raises."""
    if type(value) is Seat:
        return value.name
    if type(value) is int:
        return str(value)
    if not isinstance(value, str) or not value.strip():
        return UNREADABLE
    return value if len(value) <= MOST_CHARACTERS else value[: MOST_CHARACTERS - 3] + "..."
