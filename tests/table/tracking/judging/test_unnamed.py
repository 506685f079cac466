"""A drawn tile that no picture names: it is asked about, and until then nothing is an alarm that rests on it."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from followed_table import Table, sample_rules

from companion.core.inputs import BoardObservation, Sight, SlotReading, ViewState
from companion.core.layout import SlotView
from companion.core.types import Slot
from companion.games.envyra.state import Phase
from companion.lab.simulators.simulated_table import play, random_state
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.chance_ahead import faces_to_come
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.verdicts import Ambiguous


class Refilled(Table):
    """A table whose last empty place has been refilled with a tile that the camera cannot name."""

    place: Slot = ""

    def look_again(self) -> tuple[Happening, ...]:
        """One more picture of the scene."""
        face = self.view.at(self.place).face
        assert face is not None
        come = faces_to_come(self.rules, self.tracker.state).get(self.place, ())
        others = tuple((other, log(0.11)) for other in come if other != face)[:2]
        unsure = SlotReading(self.place, Sight.SEEN, (*others, (face, log(0.12))), None, (), 0.0)
        seen = self.eyes.look(self.view)
        readings = tuple(unsure if one.slot == self.place else one for one in seen.slots)
        return self.tracker.observe(BoardObservation(seen.frame, seen.time_ms, ViewState.SETTLED, readings))


@pytest.fixture
def table() -> Refilled:
    rules, random = sample_rules(), Random(11)
    for event, before, after in play(rules, random_state(rules, random), random):
        if before.phase is Phase.REFILL and after.phase is Phase.CHOOSE:
            one = Refilled(rules, before)
            (one.view,) = path_look(rules, before, event)
            (one.place,) = one.tracker.view.differs(one.view)
            return one
    pytest.fail("nothing was refilled in this game: choose another seed")


def kinds(happenings: tuple[Happening, ...]) -> list[HappeningKind]:
    return [one.kind for one in happenings]


def test_which_tile_lies_there_is_asked_with_the_likeliest_first(table: Refilled) -> None:
    assert [kinds(table.look_again()) for _ in range(3)] == [[], [], [HappeningKind.ASKED]]
    asked, rules = table.tracker.asked, table.rules
    assert isinstance(asked, Ambiguous)
    assert asked.telling == (table.place,)
    faces = [path_look(rules, table.tracker.state, draw)[-1].at(table.place).face for (draw,) in asked.choices]
    assert faces[0] == table.view.at(table.place).face
    assert len(faces) == len(set(faces)) > 4  # whatever may have been drawn can be said
    (draw,) = asked.choices[0]
    state = rules.apply(table.tracker.state, draw)
    assert HappeningKind.EVENT in kinds(table.tracker.answered((draw,), state, 4))
    assert table.look_again() == ()
    assert table.tracker.asked is table.tracker.alarm is None


def test_a_tile_that_is_named_after_all_closes_the_question(table: Refilled) -> None:
    for _ in range(3):
        table.look_again()
    assert table.tracker.asked is not None
    assert HappeningKind.EVENT in kinds(table.look())
    assert table.tracker.asked is None


def test_a_cube_waits_for_the_name_of_a_tile_elsewhere(table: Refilled) -> None:
    slot = next(s for s, at in table.view.slots if s != table.place and at.face is not None)
    table.put(slot, "purple")
    seen = [kind for _ in range(5) for kind in kinds(table.look_again())]
    assert seen == [HappeningKind.ASKED]
    assert table.tracker.alarm is None


def test_what_is_wrong_whichever_tile_it_is_is_an_alarm_and_closes_when_put_right(table: Refilled) -> None:
    slot, at = next((s, at) for s, at in table.view.slots if s != table.place and at.face is not None and not at.pieces)
    table.lay(slot, SlotView())
    seen = [one for _ in range(3) for one in table.look_again()]
    assert kinds(tuple(seen)) == [HappeningKind.ILLEGAL]
    assert seen[0].slots == (slot,)  # nobody is told to lift the tile that was refilled
    table.lay(slot, at)
    table.tracker.scene_changed()
    assert HappeningKind.CORRECTED in kinds(table.look_again())
    assert table.tracker.alarm is None


def test_a_cube_seen_with_the_draw_before_the_choices_is_no_breach_until_the_next_scene(table: Refilled) -> None:
    tracker, rules = table.tracker, table.rules
    tracker.stills = True
    slot = next(s for s, at in table.view.slots if s != table.place and at.face is not None and not at.pieces)
    table.put(slot, "purple")
    assert kinds(table.look()) == [HappeningKind.EVENT]  # the tile: before it was recorded nobody could tell
    assert tracker.alarm is tracker.asked is None
    assert any(map(rules.is_secret, rules.legal_actions(tracker.state)))
    assert kinds(table.look()) == [HappeningKind.ILLEGAL]  # they have not told since


def test_nothing_that_followed_a_draw_without_a_name_is_offered_beside_an_alarm() -> None:
    rules = sample_rules(2)
    table = Refilled(rules, rules.initial())
    table.view, table.place = board_look(rules, random_state(rules, Random(2))), "r1c2"
    for _ in range(2):
        table.look_again()
    table.lay("r1c1", SlotView())
    table.tracker.scene_changed()
    assert HappeningKind.ILLEGAL in [kind for _ in range(3) for kind in kinds(table.look_again())]
    alarm = table.tracker.alarm
    assert alarm is not None
    assert (alarm.events, alarm.unless) == ((), None)


class Twins(Refilled):
    """A table whose last empty place has been refilled with a tile that has a twin: either is clearly read."""

    def look_again(self) -> tuple[Happening, ...]:
        face = self.view.at(self.place).face
        assert face is not None
        twin = next(one for one in faces_to_come(self.rules, self.tracker.state)[self.place] if one != face)
        seen = self.eyes.look(self.view)
        either = SlotReading(self.place, Sight.SEEN, ((face, log(0.55)), (twin, log(0.44))), None, (), 0.99)
        readings = tuple(either if one.slot == self.place else one for one in seen.slots)
        return self.tracker.observe(BoardObservation(seen.frame, seen.time_ms, ViewState.SETTLED, readings))


@pytest.mark.parametrize(("film", "asked_at"), [(True, 1), (False, 2)])
def test_of_twins_people_are_asked_which_was_drawn_before_a_film_goes_on(
    table: Refilled, film: bool, asked_at: int
) -> None:
    twins = Twins(table.rules, table.tracker.state)
    twins.view, twins.place = table.view, table.place
    twins.tracker.stills = film
    seen = [kinds(twins.look_again()) for _ in range(3)]
    assert seen.index([HappeningKind.ASKED]) == asked_at
    assert isinstance(twins.tracker.asked, Ambiguous)
    assert twins.tracker.asked.is_of_a_face


class Washed(Table):
    """A table whose tile at `place` the light has washed out: it reads as one that cannot come there."""

    place: Slot = "r1c2"
    reads: str = ""

    def look_again(self) -> tuple[Happening, ...]:
        """One more picture of the scene."""
        seen = self.eyes.look(self.view)
        wrong = SlotReading(self.place, Sight.SEEN, ((self.reads, log(0.9)),), None, (), 0.99)
        readings = tuple(wrong if one.slot == self.place else one for one in seen.slots)
        return self.tracker.observe(BoardObservation(seen.frame, seen.time_ms, ViewState.SETTLED, readings))


@pytest.fixture
def washed() -> Washed:
    rules = sample_rules(2)
    one = Washed(rules, rules.initial())
    one.view = board_look(rules, random_state(rules, Random(2)))
    dealt = faces_to_come(rules, one.tracker.state)[one.place]
    one.reads = next(face for face in map(rules.same_face, rules.faces()) if face not in dealt)
    return one


def test_a_tile_that_reads_as_one_that_is_not_dealt_is_asked_about_and_nobody_accused(washed: Washed) -> None:
    seen = [one for _ in range(6) for one in washed.look_again()]
    assert {one.kind for one in seen} == {HappeningKind.EVENT, HappeningKind.LAID, HappeningKind.ASKED}
    tracker, asked = washed.tracker, washed.tracker.asked
    assert tracker.alarm is None
    assert isinstance(asked, Ambiguous)
    assert asked.telling == (washed.place,)
    faces = [path_look(washed.rules, tracker.state, c[0])[-1].at(washed.place).face for c in asked.choices if c]
    right = faces.index(washed.view.at(washed.place).face)  # every tile that may have been dealt can be said
    assert washed.reads not in faces
    tracker.answered(asked.choices[right], washed.rules.apply(tracker.state, asked.choices[right][0]), 7)
    for _ in range(4):
        washed.look_again()
    assert board_look(washed.rules, tracker.state) == washed.view
    assert tracker.asked is tracker.alarm is None


def test_people_can_say_that_none_of_the_tiles_that_may_come_lies_there(washed: Washed) -> None:
    for _ in range(6):
        washed.look_again()
    asked = washed.tracker.asked
    assert isinstance(asked, Ambiguous)
    assert asked.choices[-1] == ()
    alarm = washed.tracker.refused(7)[-1]
    assert alarm.violation is not None
    assert (alarm.violation.clause, alarm.slots) == ("E50", (washed.place,))
    for _ in range(3):
        assert washed.look_again() == ()  # it stays so, and nobody is asked again
    assert washed.tracker.alarm is not None


def test_what_a_film_shows_after_the_draw_that_people_name_is_recorded_at_once(washed: Washed) -> None:
    washed.tracker.stills = True
    for _ in range(3):
        washed.look_again()
    tracker, asked = washed.tracker, washed.tracker.asked
    assert isinstance(asked, Ambiguous)
    looks = [path_look(washed.rules, tracker.state, c[0])[-1].at(washed.place) for c in asked.choices if c]
    right = asked.choices[looks.index(washed.view.at(washed.place))]
    tracker.answered(right, washed.rules.apply(tracker.state, right[0]), 3)
    assert board_look(washed.rules, tracker.state) == washed.view
