"""The table of what is open at a tracked table: every row walked, and what was left open before it was one table."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import log

import pytest
from followed_table import Table

from companion.core.inputs import PieceReading, Sight, SlotReading
from companion.table.tracking.happenings import HappeningKind as Kind
from companion.table.tracking.judging.verdicts import Ambiguous, Unreadable
from companion.table.tracking.standing import TRANSITIONS, Standing, TableFinding, standing_of

WITH_ALARM = {Standing.ALARM, Standing.BOTH}
OF_AN_ALARM = {TableFinding.SAME_ILLEGAL, TableFinding.ALARM_OVER}
WITH_QUESTION = {Standing.ASKED, Standing.BOTH}
BY_PEOPLE = {TableFinding.ACCEPTED, TableFinding.PUT_RIGHT}
"""What people or the session did: whoever did it knows, so nothing is reported."""


def test_every_finding_has_a_row_wherever_it_can_be_made() -> None:
    assert set(TRANSITIONS) == set(Standing)
    for standing, row in TRANSITIONS.items():
        assert set(TableFinding) - set(row) == (set() if standing in WITH_ALARM else OF_AN_ALARM)


@pytest.mark.parametrize(
    ("before", "finding"), [(b, f) for b, f in product(Standing, TableFinding) if f in TRANSITIONS[b]]
)
def test_what_a_transition_opens_and_closes_is_what_it_reports(before: Standing, finding: TableFinding) -> None:
    after, reported = TRANSITIONS[before][finding]
    if finding in BY_PEOPLE:
        assert reported == ()
        assert after not in WITH_QUESTION
        return
    assert (Kind.CORRECTED in reported) == (before in WITH_ALARM and after not in WITH_ALARM)
    assert (Kind.CLEARED in reported) == (before in WITH_QUESTION and after not in WITH_QUESTION)
    assert (Kind.ASKED in reported) == (after in WITH_QUESTION and before not in WITH_QUESTION)
    assert (Kind.ILLEGAL in reported) == (finding is TableFinding.ILLEGAL)
    assert (Kind.TAKEN_BACK in reported) == (finding is TableFinding.TAKEN_BACK)
    assert len(set(reported)) == len(reported)


def test_a_table_that_fits_leaves_nothing_open() -> None:
    assert {row[TableFinding.FITS][0] for row in TRANSITIONS.values()} == {Standing.CLEAR}
    assert {row[TableFinding.PUT_RIGHT][0] for row in TRANSITIONS.values()} == {Standing.CLEAR}


@pytest.mark.parametrize("standing", Standing)
def test_a_standing_is_known_by_what_is_open(standing: Standing) -> None:
    assert standing_of(alarm=standing in WITH_ALARM, asked=standing in WITH_QUESTION) is standing


def test_a_question_is_closed_when_the_table_turns_out_to_be_illegal(table: Table) -> None:
    table.tracker.open.asked = Ambiguous(((),), ("r1c1",))
    table.put("r1c1", "gray")
    assert [h.kind for h in table.look()] == [Kind.CLEARED, Kind.ILLEGAL]
    assert table.tracker.open.standing is Standing.ALARM


def test_an_alarm_is_closed_when_the_table_is_taken_back_to_an_earlier_record(table: Table) -> None:
    before, view = table.tracker.state, table.view
    table.put("r1c1", "purple")
    table.look()
    table.earlier((7, before))
    table.put("r2c1", "gray", 2)
    assert [h.kind for h in table.look()] == [Kind.ILLEGAL]
    table.view = view
    assert [h.kind for h in table.look()] == [Kind.CORRECTED, Kind.TAKEN_BACK]
    assert table.tracker.open.standing is Standing.CLEAR


def test_a_question_without_choices_gets_them_when_they_are_known(table: Table) -> None:
    choices = Ambiguous(((),), ("r1c1",))
    table.tracker.open.asked = Unreadable(("r1c1",))
    table.tracker._change(TableFinding.UNDECIDED, choices)
    assert table.tracker.asked is choices
    table.tracker._change(TableFinding.UNDECIDED, Ambiguous(((), ()), ("r1c2",)))
    assert table.tracker.asked is choices  # what people may be answering stays


def test_an_alarm_is_over_when_what_it_names_is_right_again_though_another_place_is_in_doubt(table: Table) -> None:
    table.put("r3c3", "purple")
    assert [h.kind for h in table.look()] == [Kind.ILLEGAL]
    table.put("r3c3", "purple", -1)
    table.tracker.scene_changed()
    seen = table.eyes.look(table.view)
    face = table.view.at("r1c1").face
    doubtful = SlotReading("r1c1", Sight.SEEN, ((face, log(0.99)),), None, (PieceReading("pink", 1, 0.7),), 0.7)
    slots = tuple(doubtful if s.slot == "r1c1" else s for s in seen.slots)
    assert [h.kind for h in table.tracker.observe(replace(seen, slots=slots))] == [Kind.CORRECTED]
    assert table.tracker.open.standing is Standing.CLEAR
