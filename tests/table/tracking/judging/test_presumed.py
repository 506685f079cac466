"""A cube laid and its tile taken in one go: recorded as that unless people say no, or asked about."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from followed_table import Table, play_texts

from companion.core.inputs import BoardObservation, Sight, SlotReading, ViewState
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import HappeningKind

KIND = HappeningKind


def kinds(happenings: tuple) -> list[HappeningKind]:
    return [h.kind for h in happenings]


@pytest.fixture
def gone(table: Table) -> Table:
    """After a move of A the tile that B may capture is gone, and the cube that captures it was never seen lying."""
    table.put("r1c1", "purple")
    table.look()
    table.lay("r1c1", SlotView())
    return table


def put_back(one: Table) -> None:
    """Lay the tile back with the cube that lay on it."""
    one.lay("r1c1", board_look(one.rules, one.tracker.state).at("r1c1"))


def test_the_one_legal_way_is_recorded_and_said_to_be_presumed(gone: Table) -> None:
    seen = gone.look()
    assert kinds(seen) == [KIND.EVENT, KIND.LIFTED, KIND.PRESUMED]
    assert gone.rules.format(seen[0].event) == "B move r1c1"
    assert (seen[-1].slots, seen[-1].violation.clause) == (("r1c1",), "E40")
    assert gone.tracker.presumed is not None
    assert gone.tracker.presumed.seat is Seat.B
    assert gone.look() == ()  # said once, and still open
    assert gone.tracker.presumed is not None


def test_play_that_goes_on_bears_out_what_is_presumed(gone: Table) -> None:
    gone.look()
    gone.put("r2c2", "pink")
    assert kinds(gone.look()) == [KIND.EVENT]
    assert gone.tracker.presumed is None


def test_people_say_that_a_tile_was_taken_early_and_it_is_named_until_it_lies_there_again(gone: Table) -> None:
    before = gone.tracker.state
    gone.look()
    told = gone.tracker.denied(9)
    assert [(h.kind, h.violation.clause, h.frame) for h in told] == [(KIND.ILLEGAL, "E40", 9)]
    assert gone.tracker.state == before
    assert gone.look() == ()  # said once, and neither presumed nor asked about again
    put_back(gone)
    assert kinds(gone.look()) == [KIND.CORRECTED]


def test_a_tile_that_is_laid_back_takes_back_what_was_presumed(gone: Table) -> None:
    before = gone.tracker.state
    gone.look()
    gone.earlier((7, before))
    gone.lay("r1c1", board_look(gone.rules, before).at("r1c1"))
    assert [(h.kind, h.record) for h in gone.look()] == [(KIND.TAKEN_BACK, 7)]


def test_nothing_is_presumed_of_a_tile_that_lacked_two_cubes_or_was_not_chosen(table: Table) -> None:
    table.lay("r1c1", SlotView())  # A and B would both have laid a cube unseen
    assert kinds(table.look()) == [KIND.ILLEGAL]
    other = Table.dealt()
    other.told("A choose r1c1 r1c2", "B choose r2c1 r2c3", "C choose r2c2 r2c3")
    other.put("r1c1", "purple")
    other.look()
    other.lay("r1c1", SlotView())  # B has not chosen it
    assert kinds(other.look()) == [KIND.ILLEGAL]


def test_a_cube_that_an_earlier_scene_hinted_at_is_no_witness_of_the_next_one(table: Table) -> None:
    table.tracker.stills = True
    table.put("r1c1", "purple")
    seen = table.eyes.look(table.view)
    face = table.view.at("r1c1").face
    doubtful = SlotReading("r1c1", Sight.SEEN, ((face, log(0.99)),), None, (), 0.0)  # A's cube might as well lie there
    readings = tuple(doubtful if one.slot == "r1c1" else one for one in seen.slots)
    assert table.tracker.observe(BoardObservation(1, 0, ViewState.SETTLED, readings)) == ()
    table.lay("r1c1", SlotView())
    told = table.look()
    assert [table.rules.format(h.event) for h in told if h.event] == ["A move r1c1", "B move r1c1"]
    assert kinds(told)[-1] is KIND.PRESUMED


def test_a_cube_that_is_perhaps_seen_elsewhere_makes_no_breach_of_it(gone: Table) -> None:
    gone.put("r3c3", "gray")
    seen = gone.eyes.look(gone.view)
    readings = tuple(replace(one, pieces_p=0.85) if one.slot == "r3c3" else one for one in seen.slots)
    gone.tracker.scene_changed()
    told = [gone.tracker.observe(BoardObservation(n, 0, ViewState.SETTLED, readings)) for n in range(1, 4)]
    assert KIND.ILLEGAL not in kinds(sum(told, ()))
    asked = gone.tracker.asked
    assert asked is not None
    assert [[gone.rules.format(e) for e in choice] for choice in asked.choices] == [["B move r1c1"], []]
    assert asked.breach is not None


def test_a_capture_in_one_go_beside_another_cube_of_the_player_is_presumed_in_either_order() -> None:
    one = Table.dealt(2)
    one.told("A choose r1c1", "B choose r1c1 r2c2", "A move r1c1")
    one.put("r1c1", "purple")
    one.look()
    one.lay("r1c1", SlotView())
    one.put("r2c2", "gray")
    told = one.look()
    assert {one.rules.format(h.event) for h in told if h.event} == {"B move r1c1", "B move r2c2"}
    assert kinds(told)[-1] is KIND.PRESUMED


def test_nothing_is_presumed_while_something_else_is_an_alarm(gone: Table) -> None:
    gone.put("r3c3", "gray")
    seen = kinds(gone.look())
    assert KIND.PRESUMED not in seen
    assert KIND.ILLEGAL in seen


@pytest.fixture
def taken(gone: Table) -> Table:
    """A table that presumes nothing asks."""
    gone.tracker.presumes = False
    assert gone.look() == gone.glance() == ()
    assert kinds(gone.glance()) == [KIND.ASKED]
    assert [[gone.rules.format(e) for e in c] for c in gone.tracker.asked.choices] == [["B move r1c1"], []]
    return gone


def test_a_cube_laid_and_its_tile_taken_in_one_go_is_asked_about(taken: Table) -> None:
    tracker = taken.tracker
    events = tracker.asked.choices[0]
    told = tracker.answered(events, play_texts(taken.rules, tracker.state, "B move r1c1"), 0)
    assert kinds(told) == [KIND.EVENT, KIND.LIFTED]
    assert tracker.view == taken.view
    assert taken.look() == ()


def test_a_tile_that_nobody_has_captured_by_their_own_word_was_taken_early(taken: Table) -> None:
    told = taken.tracker.refused(9)
    assert [(h.kind, h.frame) for h in told] == [(KIND.CLEARED, 9), (KIND.ILLEGAL, 9)]
    assert told[-1].violation.clause == "E40"
    assert taken.look() == ()  # said once, and not asked about again
    taken.put("r1c1", "purple")
    taken.lay("r1c1", board_look(taken.rules, taken.tracker.state).at("r1c1"))
    assert kinds(taken.look()) == [KIND.CORRECTED]


def test_play_that_goes_on_answers_what_was_asked(taken: Table) -> None:
    taken.put("r2c2", "pink")  # C moves, as after a capture
    assert kinds(taken.look()) == [KIND.CLEARED, KIND.EVENT, KIND.LIFTED, KIND.EVENT]
    assert taken.tracker.asked is taken.tracker.alarm is None
    assert taken.tracker.view == taken.view
