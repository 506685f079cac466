"""The alert of an open question: few places are named, of many it says how many."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.camera.watch.open_question import FEW_PLACES, alert_of

MANY = tuple(f"r1c{n}" for n in range(FEW_PLACES + 1))
ASKED: dict[str, Any] = {"choices": [["A move r1c1"]], "seat": "A", "corrects": False, "presumed": False}


@pytest.mark.parametrize(
    ("question", "few", "many"),
    [
        (None, "What happened at {slots}?", "What happened? Places in doubt: {n}."),
        (ASKED, "{seat} is asked what happened at {slots}.", "{seat} is asked what happened. Places in doubt: {n}."),
    ],
)
def test_few_places_are_named_and_many_are_counted(question: dict[str, Any] | None, few: str, many: str) -> None:
    text, facts = alert_of(question, MANY[:FEW_PLACES])
    assert (text, facts["slots"], facts.get("seat")) == (few, list(MANY[:FEW_PLACES]), question and "A")
    text, facts = alert_of(question, MANY)
    assert (text, facts["slots"], facts["n"]) == (many, list(MANY), len(MANY))
