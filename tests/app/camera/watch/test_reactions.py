"""The tables of the watch: every happening has its reaction, every act its handling where boards were not read."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from watched_table import WatchedTable

from companion.app.camera.watch.table_watch import QUESTION, REACTIONS, UNDO_IT
from companion.app.camera.watch.unread_boards import ACTS, Boards, Handling
from companion.core.events import RecordKind
from companion.table.tracking.happenings import HappeningKind


def test_every_happening_has_a_reaction() -> None:
    assert set(REACTIONS) == set(HappeningKind)


@pytest.mark.parametrize(("before", "after"), list(product(Boards, Boards)))
def test_an_act_is_recorded_once_or_waits(before: Boards, after: Boards) -> None:
    handling = ACTS[before, after]
    assert (Handling.RECORD in handling) == (after is Boards.READ)
    assert (Handling.WAIT in handling) == (after is not Boards.READ)
    assert (Handling.RECORD_ALL in handling) == (after is Boards.INFERRED)
    assert (Handling.RECORD_WAITING in handling) == (after is Boards.READ and before is not Boards.READ)
    assert list(handling) == sorted(handling, key=lambda one: one.value)  # in the order in which it is done


@pytest.fixture
def one(tmp_path: Path):
    """Two players have chosen."""
    table = WatchedTable(tmp_path, players=2)
    yield table
    table.close()


def chosen(one: WatchedTable) -> None:
    one.say("A confirm", "B confirm")
    for seat in "AB":
        rules, state = one.table.rules, one.table.session.state
        one.say(next(t for t in map(rules.format, rules.legal_actions(state)) if t.startswith(f"{seat} choose")))


def notes(one: WatchedTable) -> int:
    return sum(record.kind is RecordKind.NOTE for record in one.store.records("watched"))


def test_a_question_that_is_settled_by_the_table_itself_is_closed(one: WatchedTable) -> None:
    chosen(one)
    one.watch.alerts.open(QUESTION, UNDO_IT, slots=[], facts={"record": 3})
    one.look()
    assert QUESTION not in one.alerts


def test_the_same_alert_is_noted_once(one: WatchedTable) -> None:
    for _ in range(3):
        one.watch.alerts.open(QUESTION, UNDO_IT, slots=("r1c1",), facts={"record": 3})
    assert notes(one) == 1
    for _ in range(2):
        one.watch.alerts.close(QUESTION, "This is done.")
    assert notes(one) == 2
