"""The record of a followed game as the tracker may doubt it, and its correction by a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.app.camera.watch.unread_boards import UnreadBoards
from companion.core.events import Cause, CauseKind
from companion.core.game import State
from companion.core.types import Event, Seat
from companion.table.commands import Retell, Undo
from companion.table.session import Session
from companion.table.tracking.retold import Retold


@dataclass(frozen=True)
class CameraRecord:
    """What the session has recorded; nothing while acts that were seen wait for their choices (`unread`)."""

    session: Session
    unread: UnreadBoards | None = None

    def steps(self) -> tuple[tuple[int, Event], ...]:
        """The events in force since the last overruling, with their numbers."""
        if self.unread is not None and self.unread.seen:
            return ()
        steps: list[tuple[int, Event]] = []
        for step in reversed(self.session.line()):
            if step.event is None:
                break
            steps.append((step.number, step.event))
        return tuple(reversed(steps))

    def told_since(self, record: int, stands: int) -> tuple[Event, ...] | None:
        """What happened after `record`; None where record `stands` is in force no more."""
        steps = self.steps()
        if not any(number == stands for number, _ in steps):
            return None
        return tuple(event for number, event in steps if number > record)

    def before(self, record: int) -> State:
        """The state before the event of `record`."""
        return self.session.state_after(self.session.before(record))

    def by_camera(self, record: int) -> bool:
        """Whether nobody but the camera says so."""
        return self.session.cause(record).kind is CauseKind.CAMERA

    def undo(self, events: int, by: str) -> bool:
        """Undo the last `events`, as `by` says for everybody; whether the session took it."""
        numbers = [number for number, _ in self.steps()][-events:]
        seats = self._seats
        undone = Undo(to=self.session.before(numbers[0]), cause=_answered(by), consents=seats, noted=seats)
        return self.session.ask(undone).accepted

    def begun(self, last: int, count: int) -> int | None:
        """The record after which the `count` events up to record `last` begin; None if they are not in force."""
        until = [number for number, _ in self.steps() if number <= last]
        return self.session.before(until[-count]) if len(until) >= count and until[-1] == last else None

    def replace(self, last: int, count: int, events: tuple[Event, ...], by: str) -> bool:
        """Undo back to before the `count` events up to record `last`, and play `events` and what happened since, as
        `by` says for everybody; whether the session took it."""
        session, write, steps = self.session, self.session.rules.format, self.steps()
        to = self.begun(last, count)
        if to is None:
            return False  # undone meanwhile
        because = _answered(by)
        told = [(write(event), because) for event in events]
        since = [(write(event), session.cause(number)) for number, event in steps if number > last]
        retold = Retell(
            to=to, events=(*told, *since), cause=because, consents=self._seats,
            noted=self._seats, expected=session.number,
        )
        return session.ask(retold).accepted

    def correct(self, story: Retold, by: str) -> bool:
        """Undo back to the misread draw and play what happened since, as `by` says for everybody; whether the session
        took it. Every event keeps its cause, but for the corrected one."""
        session, rules, seats = self.session, self.session.rules, self._seats
        because = _answered(by, ("corrects", story.record))
        causes = [session.cause(number) for number, _ in self.steps() if number > story.record]
        if len(causes) + 1 != len(story.events):
            return False  # something was recorded since the question was asked
        events = tuple(zip(map(rules.format, story.events), (because, *causes), strict=True))
        retold = Retell(
            to=session.before(story.record), events=events, cause=because, consents=seats, noted=seats,
            expected=session.number,
        )
        return session.ask(retold).accepted

    @property
    def _seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(n) for n in range(len(self.session.header.setup.seats)))


def _answered(by: str, *more: tuple[str, Any]) -> Cause:
    return Cause(CauseKind.OPERATOR, (("answered", by), *more))
