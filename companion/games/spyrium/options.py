"""How many may play Spyrium, in which colours, and what is wrong with a set-up."""

from __future__ import annotations

from companion.core.setups import seat_problems
from companion.core.types import Setup

MIN_SEATS, MAX_SEATS = 2, 5
COLOURS = ("blue", "red", "yellow", "green", "black")  # S1


def setup_problems(setup: Setup) -> list[str]:
    """Everything that keeps `setup` from being played, in words."""
    problems = seat_problems(setup, "spyrium", MIN_SEATS, MAX_SEATS, "S1")
    problems += [f"option {key!r}: unknown; Spyrium has no options" for key, _ in setup.options]
    return problems
