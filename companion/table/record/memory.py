"""What a session knows of its record besides the states: its end, draws, pauses, alerts, answers by key (pure)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

from companion.core.events import CauseKind, LogRecord, RecordKind
from companion.table.commands import CLOCK_OFF, Answer, Outcome, Topic
from companion.table.record.records import FIRST_HASH
from companion.table.steps import HandStep

REFUSALS_REMEMBERED = 256
"""Refused commands whose keys are remembered. Accepted ones are remembered for ever: they are in the record."""


@dataclass(frozen=True, slots=True)
class Mood:
    """Whether the game is paused, how time is shown, and the open alerts: id -> data of the note that opened it."""

    paused: bool = False
    clock: str = CLOCK_OFF
    alerts: tuple[tuple[str, Any], ...] = ()

    def closing(self, name: str) -> dict[str, Any]:
        """The data of a note that closes the alert `name`, with what the alert says: by itself "Answered." tells nobody
        who reads the record what was answered."""
        said = dict(self.alerts).get(name, {})
        return {"id": name, "open": False, "of": {"text": said.get("text", ""), "facts": said.get("facts", {})}}

    def after(self, record: LogRecord) -> Mood:
        """The mood after a record; only notes change it."""
        if record.kind is not RecordKind.NOTE:
            return self
        body = dict(record.body)
        if body.get("topic") in (Topic.PAUSE.value, Topic.RESUME.value):
            return replace(self, paused=body["topic"] == Topic.PAUSE.value)
        if body.get("topic") == Topic.CLOCK.value:
            return replace(self, clock=str(body.get("text", CLOCK_OFF)))
        if body.get("topic") != Topic.ALERT.value:
            return self
        data = dict(body.get("data", {}))
        name = str(data.pop("id", record.number))
        alerts = tuple((k, v) for k, v in self.alerts if k != name)
        if data.get("open", True):
            alerts += ((name, {"text": body.get("text", ""), **data}),)
        return replace(self, alerts=alerts)


class Memory:
    """Grows with every record that is taken in, whether it was read or just written."""

    def __init__(self) -> None:
        self.number = 0
        self.head_hash = FIRST_HASH
        self.digest = ""  # of the present state
        self.draws = 0  # of the digital bag, undone ones included
        self.mood = Mood()
        self._answers: dict[str, Answer] = {}
        self._refusals: OrderedDict[str, Answer] = OrderedDict()

    def take(self, record: LogRecord) -> None:
        """Take in the next record."""
        self.number = record.number
        self.head_hash = record.hash
        self.digest = record.after
        self.draws += record.cause.kind is CauseKind.DRAW
        self.mood = self.mood.after(record)
        key = dict(record.cause.detail).get("key", "")
        if key:
            known = self._answers.get(key, Answer(Outcome.ACCEPTED))
            steps = tuple(
                HandStep(step["message"], tuple(step["facts"].items()), tuple(step["slots"]))
                for step in dict(record.body).get("steps", ())
            )
            self._answers[key] = replace(known, records=(*known.records, record.number), steps=steps)

    def refuse(self, key: str, answer: Answer) -> None:
        """Remember why the command with this key was refused."""
        if key:
            self._refusals[key] = answer
            if len(self._refusals) > REFUSALS_REMEMBERED:
                self._refusals.popitem(last=False)

    def answer(self, key: str) -> Answer | None:
        """What was answered to the command with this key, or None."""
        return (self._answers.get(key) or self._refusals.get(key)) if key else None
