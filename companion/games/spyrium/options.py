"""How many may play Spyrium, in which colours, and what is wrong with a set-up."""

from __future__ import annotations

from companion.core.types import Setup

MIN_SEATS, MAX_SEATS = 2, 5
COLOURS = ("blue", "red", "yellow", "green", "black")  # S1


def setup_problems(setup: Setup) -> list[str]:
    """Everything that keeps `setup` from being played, in words."""
    problems = []
    if setup.game != "spyrium":
        problems.append(f"game: expected spyrium, got {setup.game!r}")
    if not MIN_SEATS <= len(setup.seats) <= MAX_SEATS:
        problems.append(f"seats: expected {MIN_SEATS} to {MAX_SEATS} players, got {len(setup.seats)}")
    colours = [s.colour for s in setup.seats]
    if len(set(colours)) != len(colours) or not all(colours):
        problems.append(f"colours: expected a different one for every player, got {', '.join(colours)} (S1)")
    problems += [f"option {key!r}: unknown; Spyrium has no options" for key, _ in setup.options]
    return problems
