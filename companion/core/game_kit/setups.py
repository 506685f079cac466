"""What is wrong with the players and the choices of a set-up, in words; the same for every game."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import OptionSpec
from companion.core.types import Setup


def seat_problems(setup: Setup, game: str, least: int, most: int, clause: str) -> list[str]:
    """What keeps these players from playing `game`: another game's set-up, their number, their colours (`clause`)."""
    problems = []
    if setup.game != game:
        problems.append(f"game: expected {game}, got {setup.game!r}")
    if not least <= len(setup.seats) <= most:
        problems.append(f"seats: expected {least} to {most} players, got {len(setup.seats)}")
    colours = [s.colour for s in setup.seats]
    if len(set(colours)) != len(colours) or not all(colours):
        problems.append(f"colours: expected a different one for every player, got {', '.join(colours)} ({clause})")
    return problems


def choice_problems(setup: Setup, options: Iterable[OptionSpec]) -> list[str]:
    """What is wrong with the chosen values: none of the game's `options`, or a value that an option does not have."""
    known = {option.key: option.values for option in options}
    problems = []
    for key, value in setup.options:
        if key not in known:
            problems.append(f"option {key!r}: unknown; known: {', '.join(known)}")
        elif value not in known[key]:
            problems.append(f"option {key!r}: expected one of {', '.join(known[key])}, got {value!r}")
    return problems
