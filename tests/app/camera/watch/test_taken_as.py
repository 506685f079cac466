"""Acts of Spyrium that no picture tells: the one that makes sense is recorded with a note, and one tap changes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from watched_table import WatchedTable

from companion.app.camera.watch.open_question import TAKEN_AS
from companion.app.camera.watch.table_watch import ALARM, PRESUMED, QUESTION
from companion.core.types import Seat

GAP = "r1c1|r1c2"
PLACED, BY_EVENT = [f"A place {GAP}"], ["A start", f"A event use gap={GAP}"]


class LateWorkers(WatchedTable):
    """A market of two players whose event lets workers be placed in Phase II (S66); A begins."""

    def deal(self, random: Random) -> None:
        self.say("future event-place", "first A")
        super().deal(random)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[LateWorkers]:
    """A has placed a worker, in Phase I or by the event: no picture tells."""
    table = LateWorkers(tmp_path, players=2, game="spyrium")
    table.put(GAP, table.spec.colours[0])
    for _ in range(4):
        table.look(hand=False)
    yield table
    table.close()


def recorded(one: LateWorkers, count: int) -> list[str]:
    return [one.table.rules.format(event) for _, event in one.watch.record.steps()[-count:]]


def b_places(one: LateWorkers) -> None:
    one.put("r2c1|r2c2", one.spec.colours[1])
    one.look()
    for _ in range(3):
        one.look(hand=False)


def test_the_act_that_makes_sense_is_recorded_and_the_player_can_say_that_it_was_the_other(one: LateWorkers) -> None:
    assert recorded(one, 1) == PLACED
    question = one.watch.question
    assert question is not None
    assert (question["presumed"], question["seat"]) == (True, Seat.A)
    assert question["choices"] == [PLACED, BY_EVENT]
    note = one.alerts[PRESUMED]
    assert (note["text"], note["facts"]["seat"]) == (TAKEN_AS, "A")
    assert QUESTION not in one.alerts


def test_one_tap_records_what_it_was_instead_and_nothing_is_asked_of_it_again(one: LateWorkers) -> None:
    one.watch.answer(1, "A")
    assert recorded(one, 2) == BY_EVENT
    assert one.kinds(hand=False) == []
    assert (one.alerts, one.watch.question) == ({}, None)


def test_what_others_did_since_stays_when_an_act_is_changed(one: LateWorkers) -> None:
    one.watch.tracker.presumes = False  # B's own act is asked about
    b_places(one)
    assert one.watch.question is not None
    one.watch.answer(one.watch.question["choices"].index(["B place r2c1|r2c2"]), "B")
    assert one.watch.question is not None
    assert one.watch.question["choices"][0] == PLACED  # A may still say so
    one.watch.answer(1, "A")
    assert recorded(one, 3) == [*BY_EVENT, "B place r2c1|r2c2"]
    assert one.kinds(hand=False) == []


def test_what_people_enter_for_others_leaves_the_note_and_the_players_own_next_act_ends_it(one: LateWorkers) -> None:
    one.say("B place r2c1|r2c2")
    one.put("r2c1|r2c2", one.spec.colours[1])
    one.look()
    assert one.watch.question is not None
    one.say("A place r1c2|r1c3")
    one.put("r1c2|r1c3", one.spec.colours[0])
    one.look()
    assert one.watch.question is None
    assert PRESUMED not in one.alerts


def test_an_act_that_was_undone_meanwhile_is_not_changed(one: LateWorkers) -> None:
    number = one.watch.record.steps()[-1][0]
    assert one.watch.record.undo(1, "referee")
    assert not one.watch.record.replace(number, 1, (), "A")


def test_nobody_is_presumed_to_have_done_anything_while_something_is_wrong(one: LateWorkers) -> None:
    one.watch.answer(0, "A")
    one.put("r3c2|r3c3", one.spec.colours[0])  # A is not to act: S24
    for _ in range(4):
        one.look(hand=False)
    assert ALARM in one.alerts
    before = one.watch.record.steps()
    b_places(one)
    assert one.watch.tracker.presumed is None
    assert one.watch.record.steps() == before
