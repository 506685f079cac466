"""How many may play Rifts of N'Norya, in which colours, and what is wrong with a set-up."""

from __future__ import annotations

from companion.core.game import OptionSpec
from companion.core.game_kit.setups import choice_problems, seat_problems
from companion.core.types import Setup
from companion.games.rifts.edition.world import AFFINITIES

MIN_SEATS, MAX_SEATS = 1, 4  # R-N15: as many as there are affinities; a mage can go alone
COLOURS = tuple(AFFINITIES)  # N1
COMPANION, TABLE = "companion", "table"
OPTIONS = (
    OptionSpec(
        "hands", (COMPANION, TABLE), "Hands of spells: kept by the companion, or real cards", "R-N17",
        ("kept by the companion", "real cards in hand"),
    ),
)


def real_hands(setup: Setup) -> bool:
    """R-N17: whether the mages hold real cards, which the companion sees when they are played."""
    return setup.option("hands", COMPANION) == TABLE


def setup_problems(setup: Setup) -> list[str]:
    """Everything that keeps `setup` from being played, in words."""
    problems = seat_problems(setup, "rifts", MIN_SEATS, MAX_SEATS, "N1")
    wrong = [seat.colour for seat in setup.seats if seat.colour not in AFFINITIES]
    if wrong:
        colours = ", ".join(AFFINITIES)
        problems.append(f"colours: expected {colours}, which tell the affinity; got {', '.join(wrong)} (N1)")
    return problems + choice_problems(setup, OPTIONS)
