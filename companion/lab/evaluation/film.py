"""Referees a filmed game as a camera's thread does: a session, its watch, and the film as the source of pictures."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app.camera.film import FilmJobs, FilmPeople, read_jobs
from companion.app.camera.policy import FILM
from companion.app.camera.table_watch import TableWatch
from companion.app.camera.unread_boards import FROM_MOVES
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import begin_table, film_loop
from companion.core.types import Action, SeatInfo
from companion.lab.evaluation.film_events import FilmScribe, final_position
from companion.table.record.store import Store
from companion.table.tracking.happenings import Happening
from companion.table.tracking.reconcile import Ambiguous

PICTURE_S = 0.5
"""Time between the pictures of a film that states none."""


@dataclass
class FilmReferee:
    """A session at which a filmed game is watched, and what was written down of it.

    Nobody can be asked in a film: of a question's choices the likeliest is taken, and said to have been asked.
    """

    store: Store
    table: Table
    jobs: FilmJobs
    watch: TableWatch = field(init=False)
    people: FilmPeople = field(init=False)
    scribe: FilmScribe = field(init=False)

    def __post_init__(self) -> None:
        self.watch = TableWatch(self.table.spec, self.table.session, FILM)
        self.people = FilmPeople(self.table.session, self.jobs, conclude=self.watch.conclude)
        self.scribe = FilmScribe(self.watch.tracker.rules)

    def after(self, happenings: tuple[Happening, ...], picture: int) -> None:
        """Write down what picture number `picture` (from 0) showed, and answer what is asked."""
        for happening in happenings:
            self.scribe.write(happening, picture)
        if isinstance(self.watch.tracker.asked, Ambiguous):
            for happening in self.watch.answer(0, "film"):
                self.scribe.write(happening, picture, asked=True)
        self.scribe.end(self.watch.tracker.state, picture)

    def final(self) -> dict[str, Any]:
        """The position and scores that the record ends with; empty when the game never began."""
        self.watch.conclude()
        session, rules = self.table.session, self.table.rules
        begun = any(isinstance(step.event, Action) for step in session.line())
        if rules.chance_outcomes(session.state) and not begun:
            return {}
        records = self.store.records(session.header.session)
        inferred = any(dict(record.cause.detail).get(FROM_MOVES[0]) == FROM_MOVES[1] for record in records)
        return final_position(rules, session.state, inferred=inferred)


def begin_filmed(store: Store, settings: Settings, jobs: FilmJobs, catalogue: Path) -> Table:
    """Begin the filmed game with its own catalogue."""
    seats = tuple(SeatInfo(f"Player {n + 1}", colour) for n, colour in enumerate(jobs.colours))
    return begin_table(store, settings, NewGame(jobs.game, seats, catalogue=str(catalogue), session="film"))


@dataclass(frozen=True, slots=True)
class FilmResult:
    """What a film came to: the events as the scenes' README has them, the final position, seconds for each picture."""

    events: list[dict[str, Any]]
    final: dict[str, Any]
    seconds: list[float]


def referee_film(directory: Path, progress: Callable[[int, int], None] | None = None) -> FilmResult:
    """Watch the film of the set at `directory`, its clock going by its pictures. Raises DataError without a film."""
    jobs = read_jobs(directory / "game")
    with tempfile.TemporaryDirectory(prefix="companion-film-") as folder:
        settings = Settings(data_dir=folder)
        with open_store(settings) as store:
            table = begin_filmed(store, settings, jobs, directory / "catalogue.json")
            try:
                referee = FilmReferee(store, table, jobs)
                seconds = _watch(referee, directory, progress)
                return FilmResult(referee.scribe.events, referee.final(), seconds)
            finally:
                table.close()


def _watch(referee: FilmReferee, directory: Path, progress: Callable[[int, int], None] | None) -> list[float]:
    seconds: list[float] = []
    pictures = len(referee.jobs.pictures)
    loop = film_loop(directory, referee.jobs, referee.watch, referee.people)
    loop.clock = lambda: len(seconds) * PICTURE_S
    loop.source.start()
    try:
        for step in loop.run():
            if step.picture is None or len(seconds) == pictures:
                break
            referee.after(step.happenings, len(seconds))
            seconds.append(step.took_s)
            if progress is not None:
                progress(len(seconds), pictures)
    finally:
        loop.source.stop()
    referee.scribe.end(referee.watch.tracker.state, pictures - 1, last=True)
    return seconds
