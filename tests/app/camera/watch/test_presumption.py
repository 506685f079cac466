"""What the camera presumes, at a session: recorded with a note, and undone by one tap if it was not so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from watched_table import WatchedTable

from companion.app.camera.watch.open_question import PRESUMED as PRESUMED_TEXT
from companion.app.camera.watch.table_watch import ALARM, PRESUMED
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.table.tracking.happenings import HappeningKind


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    """B has taken the tile that only B's cube would capture, and nobody saw that cube."""
    table = WatchedTable(tmp_path)
    table.say("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r1c2 r2c3")
    table.put("r1c1", "purple")
    table.look()
    table.lay("r1c1", SlotView())
    table.look()
    yield table
    table.close()


def recorded(one: WatchedTable) -> list[str]:
    return [one.table.rules.format(event) for _, event in one.watch.record.steps()]


def test_what_is_presumed_is_recorded_and_a_note_says_so_with_an_answer_for_the_player(one: WatchedTable) -> None:
    assert recorded(one)[-1] == "B move r1c1"
    assert one.alerts[PRESUMED]["text"] == PRESUMED_TEXT
    question = one.watch.question
    assert question is not None
    assert (question["presumed"], question["choices"], question["seat"]) == (True, [["B move r1c1"], []], Seat.B)


def test_the_note_is_gone_when_play_goes_on(one: WatchedTable) -> None:
    one.put("r1c2", "pink")
    one.look()
    assert recorded(one)[-1] == "C move r1c2"
    assert one.alerts == {}
    assert one.watch.question is None


def test_one_tap_bears_it_out(one: WatchedTable) -> None:
    before = recorded(one)
    assert one.watch.answer(0, "B") == ()
    assert recorded(one) == before
    assert one.alerts == {}
    assert one.watch.question is None


def test_one_tap_undoes_it_and_names_the_breach_until_it_is_put_right(one: WatchedTable) -> None:
    state = one.watch.tracker.presumed.believed.state
    assert [h.kind for h in one.watch.answer(1, "referee")] == [HappeningKind.ILLEGAL]
    assert recorded(one)[-1] == "A move r1c1"
    assert one.table.session.state == state
    assert list(one.alerts) == [ALARM]
    assert one.alerts[ALARM]["clause"] == "E40"
    assert one.kinds() == []  # neither presumed nor said again
    one.lay("r1c1", one.table.rules.board(state).at("r1c1"))
    assert one.kinds() == [HappeningKind.CORRECTED]
    assert one.alerts == {}
