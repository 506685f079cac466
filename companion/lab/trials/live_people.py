"""People at a filmed table whose truth names each act as the record does: they answer the camera, and mend what it
has not found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from companion.app.camera.film import FilmJobs
from companion.app.dashboard.host import Host
from companion.core.events import Cause, CauseKind
from companion.core.game import State
from companion.core.types import SEATS
from companion.lab.evaluation.film_of_acts import state_after
from companion.table.commands import Play, Undo
from companion.table.session import Session


class ActOutcome(Enum):
    """What the camera made of the acts of a picture."""

    ALONE = "alone"
    ASKED = "asked"
    ENTERED = "entered"


@dataclass
class TruthfulPeople:
    """They know what has happened at the table of `host` up to each picture, and see to it that the record says so.

    An empty `events` of acts: a film whose truth names none; then nothing is known and nothing mended.
    """

    host: Host
    jobs: FilmJobs
    events: Sequence[Mapping[str, Any]]
    found: list[ActOutcome] = field(default_factory=list)
    """Of each picture that shows an act."""
    truth: State = field(init=False)
    """What the record should be now."""

    def __post_init__(self) -> None:
        self.truth = self._session.state

    @property
    def _session(self) -> Session:
        assert self.host.table is not None
        return self.host.table.session

    def before_picture(self, picture: int) -> None:
        """What people entered before a picture of the film has happened."""
        self.truth = self.after(self.truth, self.jobs.told.get(picture, ()))

    def after_picture(self, picture: int) -> None:
        """Answer what the camera asks about the acts of a picture, or enter them."""
        acts = [str(e["text"]) for e in self.events if e["event"] == "act" and e["frame"] == picture]
        if not acts:
            return
        before, self.truth = self.truth, self.after(self.truth, acts)
        found = ActOutcome.ALONE
        if self._session.state != self.truth:
            found = ActOutcome.ASKED if self._answer() else ActOutcome.ENTERED
        if self._session.state != self.truth:
            found = ActOutcome.ENTERED
            self._enter(before, acts)
        self.found.append(found)

    def _answer(self) -> bool:
        """Answer the open question by what happened, if that is among its choices."""
        question = None if self.host.camera is None else self.host.camera.question()
        if self.host.camera is None or question is None or question.held:
            return False
        for number, texts in enumerate(question.choices):
            if self.after(self._session.state, texts) == self.truth:
                self.host.camera.answer(number, texts, "film")
                return True
        return False

    def _enter(self, before: State, acts: Sequence[str]) -> None:
        """Go back to where the record was right, and enter the acts. Raises RuntimeError where it never was."""
        session, cause = self._session, Cause(CauseKind.OPERATOR)
        if session.state != before:
            right = [step.number for step in session.line() if session.state_after(step.number) == before]
            if not right:
                raise RuntimeError(f"the record was never as it should be before {acts}")
            session.ask(Undo(to=right[-1], consents=SEATS[: self.jobs.players], cause=cause))
        for text in acts:
            if not session.ask(Play(texts=(text,), cause=cause)).accepted:
                raise RuntimeError(f"{text} was not accepted")

    def after(self, state: State, texts: Sequence[str]) -> State:
        """The state after these events; `state` itself when one of them is not possible."""
        end = state_after(self._session.rules, state, texts)
        return state if end is None else end
