"""What is wrong with the players of a set-up, in words; the same for every game."""

from __future__ import annotations

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
