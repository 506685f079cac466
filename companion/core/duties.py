"""What people owe the table between two acts, and how a game reminds them of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Duty(Enum):
    """What can be forgotten."""

    TURN = "turn"  # a player's turn, and nothing moves
    CONFIRM = "confirm"  # a secret act or its confirmation is awaited
    LIFT = "lift"  # a captured face is still there
    RETURN = "return"  # pieces that went back to their player are still there
    REFILL = "refill"  # an empty place waits for its face
    PIECES = "pieces"  # a player places with more pieces than there are
    PUT = "put"  # pieces that the rules put on the table are not there yet
    FIGURE = "figure"  # the starting figure has a new holder


@dataclass(frozen=True, slots=True)
class Reminder:
    """The clause that a game's reminder of a duty rests on, and its own sentence where the shared one does not fit.

    `text` is a message id with the placeholders of the shared one (`companion.table.tracking.overdue.TEXTS`): of
    {players}, {places}, {count} and {owned}.
    """

    clause: str
    text: str = ""
