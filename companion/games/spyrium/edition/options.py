"""How many may play Spyrium, in which colours, and what is wrong with a set-up."""

from __future__ import annotations

from companion.core.game import OptionSpec
from companion.core.game_kit.setups import choice_problems, seat_problems
from companion.core.types import Setup

MIN_SEATS, MAX_SEATS = 2, 5
COLOURS = ("blue", "red", "yellow", "green", "black")  # S1
ACTION, RIDER = "action", "rider"
OPTIONS = (
    OptionSpec(
        "taylorism", (ACTION, RIDER), "Taylorism: an action of its own, or along with using a building", "R-S6",
        ("an action of its own", "along with using a building"),
    ),
)  # fmt: skip


def taylorism_rides(setup: Setup) -> bool:
    """R-S6: whether Taylorism's second use goes along with using a building instead of being an action."""
    return setup.option("taylorism", ACTION) == RIDER


def setup_problems(setup: Setup) -> list[str]:
    """Everything that keeps `setup` from being played, in words."""
    problems = seat_problems(setup, "spyrium", MIN_SEATS, MAX_SEATS, "S1")
    strange = [seat.colour for seat in setup.seats if seat.colour not in COLOURS]
    if strange:
        problems.append(f"colours: expected {', '.join(COLOURS)}, which are in the box; got {', '.join(strange)} (S1)")
    return problems + choice_problems(setup, OPTIONS)
