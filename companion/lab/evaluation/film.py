"""Referees a filmed game as a camera's thread does: a session, its watch, and the film as the source of pictures."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app.camera.film import FilmJobs, FilmPeople, read_jobs
from companion.app.camera.watch.policy import FILM
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.camera.watch.unread_boards import FROM_MOVES
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import begin_table, film_loop
from companion.core.files import read_text
from companion.core.types import Action, SeatInfo
from companion.lab.evaluation.film_events import (
    FilmScribe,
    acts_due,
    acts_named,
    breach_at,
    breach_open,
    dealt_among,
    dealt_choice,
    final_position,
)
from companion.table.record.store import Store
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous, Unreadable

PICTURE_S = 0.5
"""Time between the pictures of a film that states none."""


@dataclass
class FilmReferee:
    """A session at which a filmed game is watched, and what was written down of it.

    A question is answered by what the film's `truth` says, if that is among its choices, else it stays open. Where
    there is no truth the likeliest choice is taken. Either is said to have been asked. What is presumed is denied if
    the truth says that it was illegal, which counts as asked too; else nobody does anything about it.
    """

    store: Store
    table: Table
    jobs: FilmJobs
    truth: Mapping[str, Any] | None = None
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
        answered: list[Ambiguous | Unreadable] = []
        while (asked := self.watch.tracker.asked) is not None and asked.choices and asked not in answered:
            answered.append(asked)  # a question that an answer brings up is answered at once, as people do
            choice = self._chosen(asked, picture)
            if isinstance(asked, Ambiguous) and asked.corrects is not None and choice is not None:
                self.scribe.corrected(asked.corrects, picture, question=len(answered), right=choice > 0)
            for happening in () if choice is None else self.watch.answer(choice, "film"):
                told = happening.kind in (HappeningKind.EVENT, HappeningKind.ILLEGAL)  # the rest is seen in the picture
                self.scribe.write(happening, picture, question=len(answered) if told else 0)
        presumed, true = self.watch.tracker.presumed, () if self.truth is None else self.truth["events"]
        if presumed is not None and breach_at(true, picture, presumed.events):
            self.scribe.denied(presumed.events, picture)
            for happening in self.watch.answer(1, "film"):
                self.scribe.write(happening, picture, question=len(answered) + 1)
        self.scribe.end(self.watch.tracker.state, picture)

    def _chosen(self, asked: Ambiguous | Unreadable, picture: int) -> int | None:
        """The choice that people take; None: none of them is right."""
        breach = asked.breach if isinstance(asked, Ambiguous) else None
        if self.truth is None:
            return len(asked.choices) - 1 if breach is not None else 0
        same = {face: self.table.rules.same_face(face) for face in self.table.rules.faces()}
        if isinstance(asked, Ambiguous) and asked.corrects is not None:
            return dealt_choice(self.table.rules, asked.corrects, breach is not None, self.truth, picture)
        due = acts_due(self.truth["events"], self.scribe.events, picture, same)
        right = [n for n, c in enumerate(asked.choices) if c and acts_named(self.table.rules, c, same) == due[: len(c)]]
        if right:
            return max(right, key=lambda n: len(asked.choices[n]))
        dealt = dealt_among(asked.choices, self.truth, picture, same)
        if dealt is not None:
            return dealt
        breached = breach is not None and breach_open(self.truth["events"], picture)
        return len(asked.choices) - 1 if breached else None

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
    path = directory / "game" / "truth.json"
    truth = json.loads(read_text(path)) if path.exists() else None
    with tempfile.TemporaryDirectory(prefix="companion-film-") as folder:
        settings = Settings(data_dir=folder)
        with open_store(settings) as store:
            table = begin_filmed(store, settings, jobs, directory / "catalogue.json")
            try:
                referee = FilmReferee(store, table, jobs, truth)
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
