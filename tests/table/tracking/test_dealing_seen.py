"""A table that was laid before the camera looked: the deal is found from one picture."""

from __future__ import annotations

from dataclasses import replace
from math import log
from random import Random

import pytest
from followed_table import Table, sample_rules

from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import SlotView
from companion.games.envyra.state import Phase
from companion.lab.simulators.simulated_table import random_state
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous
from companion.table.tracking.table_tracker import PATIENCE_PICTURES


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_laid_grid_is_dealt_from_the_pictures(players: int) -> None:
    rules = sample_rules(players)
    dealt = random_state(rules, Random(players))
    one = Table(rules, rules.initial())
    one.view = board_look(rules, dealt)
    happenings = [h for _ in range(8) for h in one.glance()]
    assert not {h.kind for h in happenings} - {HappeningKind.EVENT, HappeningKind.LAID}
    assert board_look(rules, one.tracker.state) == one.view
    assert one.tracker.state.phase is Phase.START


def test_what_was_dealt_before_a_covered_place_is_recorded_at_once_and_the_rest_when_it_is_seen() -> None:
    rules = sample_rules(2)
    one = Table(rules, rules.initial())
    one.view = board_look(rules, random_state(rules, Random(2)))
    first = [h for _ in range(3) for h in one.glance(covered=("r1c3",))]
    dealt = [rules.format(h.event) for h in first if h.event is not None]
    assert [text.split()[1] for text in dealt] == ["r1c1", "r1c2"]
    assert one.tracker.asked is one.tracker.alarm is None
    for _ in range(5):
        one.look()
    assert board_look(rules, one.tracker.state) == one.view


@pytest.mark.parametrize("place", ["r1c2", "r3c4"])
def test_a_deal_seen_whole_only_when_a_cube_lies_there_is_recorded_and_the_cube_is_no_breach_yet(place: str) -> None:
    rules = sample_rules(4)
    table = Table(rules, rules.initial())
    table.tracker.stills = True
    table.view = board_look(rules, random_state(rules, Random(4)))
    table.look(covered=(place,))  # an arm rests there when the deal is filmed
    table.put("r2c2", "purple")
    seen = table.look()
    assert {one.kind for one in seen} <= {HappeningKind.EVENT, HappeningKind.LAID}
    assert table.tracker.state.phase is Phase.START  # nobody could say who begins, or choose, before this picture
    table.told("start A")
    assert HappeningKind.ILLEGAL in [one.kind for one in table.look()]  # they have not told since


def test_a_cube_is_no_breach_while_it_is_in_doubt_what_was_dealt_and_that_is_asked() -> None:
    rules = sample_rules(4)
    table = Table(rules, rules.initial())
    table.tracker.stills = True
    table.view = board_look(rules, random_state(rules, Random(4)))
    true = table.view.at("r1c2").face
    lying = {rules.same_face(at.face) for _, at in table.view.slots if at.face is not None}
    drawn = (one.draw.tile for one in rules.chance_outcomes(rules.initial()))
    other = next(face for face in drawn if rules.same_face(face) not in lying)
    happenings = []
    for number in range(PATIENCE_PICTURES):
        if number == 1:
            table.put("r2c2", "purple")
        washed_out = tuple(
            replace(one, faces=((true, log(0.6)), (other, log(0.35)))) if one.slot == "r1c2" else one
            for one in table.eyes.look(table.view).slots
        )
        happenings += table.tracker.observe(BoardObservation(number, number, ViewState.SETTLED, washed_out))
    assert HappeningKind.ILLEGAL not in [one.kind for one in happenings]
    assert isinstance(table.tracker.asked, Ambiguous)
    named = {events[-1] if len(events) == 1 else events[1] for events in table.tracker.asked.choices}
    assert len(named) > 1


def test_a_tile_that_was_dealt_and_captured_unseen_is_asked_about_and_nobody_is_accused() -> None:
    rules = sample_rules(4)
    table = Table(rules, rules.initial())
    table.tracker.stills = True
    dealt = random_state(rules, Random(4))
    table.view = board_look(rules, dealt).with_slots({"r2c2": SlotView()})
    table.look()  # its tile was taken before the first picture
    assert table.tracker.asked is table.tracker.alarm is None
    swapped = dict(table.view.slots)
    table.view = table.view.with_slots({"r1c1": swapped["r1c2"], "r1c2": swapped["r1c1"]})
    assert [one.violation.clause for one in table.look() if one.violation is not None] == ["E11"]
    table.view = table.view.with_slots({slot: swapped[slot] for slot in ("r1c1", "r1c2")})
    table.look()
    table.put("r3c1", "purple")
    happenings = table.look()
    asked = table.tracker.asked
    assert HappeningKind.ILLEGAL not in [one.kind for one in happenings]
    assert isinstance(asked, Ambiguous)
    assert asked.telling == ("r2c2",)
    assert asked.choices[-1] == ()  # nothing was dealt there: then the cube is the breach
    lay = board_look(rules, dealt).at("r2c2").face
    (right,) = [events for events in asked.choices if events and rules.same_face(events[0].tile) == lay]
    table.tracker.answered(right, rules.apply(table.tracker.state, right[0]), 9)
    assert "r2c2" not in table.tracker.agreed  # so that the picture does not count as one of the tile
    assert table.tracker.state.phase is Phase.START  # all that was dealt after it is recorded, too
    assert table.tracker.alarm is None
    assert not table.look()  # nor is a tile missed of which nobody saw what lay on it
