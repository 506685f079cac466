"""A filmed game as it is set up: whose film it is, its players and its own tiles."""

from __future__ import annotations

from pathlib import Path

from companion.app.camera.film import read_jobs
from web.ports.tables import SetupChoice

FILM_NAMES = ("Žofia", "Ján", "Mária", "Ľubomír")
"""The players of a filmed game, which knows only their colours."""


def film_choice(film: Path) -> SetupChoice:
    """The set-up of the game that the film shows. Raises DataError when it cannot be read."""
    jobs = read_jobs(film / "game")
    seats = tuple((name, colour) for name, colour in zip(FILM_NAMES, jobs.colours, strict=False))
    return SetupChoice(jobs.game, seats, catalogue=str(film / "catalogue.json"))


def shows(film: Path, game: str, players: int) -> bool:
    """Whether the film is of this game for so many players. Raises DataError when it cannot be read."""
    jobs = read_jobs(film / "game")
    return (jobs.game, jobs.players) == (game, players)
