"""How many may play Rifts of N'Norya, in which colours, and what is wrong with a set-up."""

from __future__ import annotations

from companion.core.setups import seat_problems
from companion.core.types import Setup
from companion.games.rifts.world import AFFINITIES

MIN_SEATS, MAX_SEATS = 1, 4  # R-N15: as many as there are affinities; a mage can go alone
COLOURS = tuple(AFFINITIES)  # N1


def setup_problems(setup: Setup) -> list[str]:
    """Everything that keeps `setup` from being played, in words."""
    problems = seat_problems(setup, "rifts", MIN_SEATS, MAX_SEATS, "N1")
    wrong = [seat.colour for seat in setup.seats if seat.colour not in AFFINITIES]
    if wrong:
        known = ", ".join(AFFINITIES)
        problems.append(f"colours: expected {known}, which tell the affinity; got {', '.join(wrong)} (N1)")
    problems += [f"option {key!r}: unknown; Rifts of N'Norya has no options" for key, _ in setup.options]
    return problems
