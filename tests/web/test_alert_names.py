"""Alerts on the pages name players, whatever part of a sentence they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_kit import NAMES, Caller, hosting, make_app

from companion.core.events import Cause, CauseKind
from companion.table.commands import Note, Topic

NAMED = [name for name, _ in NAMES]


@pytest.mark.parametrize(
    ("text", "facts", "said"),
    [
        (
            "It is the turn of {awaited}, not of {seat}.",
            {"awaited": "A", "seat": "B"},
            f"It is the turn of {NAMED[0]}, not of {NAMED[1]}.",
        ),
        ("Not passed: {seats}.", {"seats": ["A", "C"]}, f"Not passed: {NAMED[0]} and {NAMED[2]}."),
        ("{card} lies at {slots}.", {"card": "A", "slots": ["A", "b1"]}, "A lies at A, b1."),
    ],
)
def test_seats_are_said_by_name_and_nothing_else_is(tmp_path: Path, text: str, facts: dict, said: str) -> None:
    with hosting(tmp_path) as host:
        data = {"id": "camera-alarm", "open": True, "facts": facts, "slots": []}
        host.current().session.ask(Note(topic=Topic.ALERT, text=text, data=data, cause=Cause(CauseKind.CAMERA)))
        (alert,) = Caller(make_app(host)).state()["alerts"]
    assert alert["text"] == said
