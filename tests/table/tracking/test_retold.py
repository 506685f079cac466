"""A tile that the camera misread as it was dealt: the record is doubted once another one is surely seen."""

from __future__ import annotations

import pytest
from followed_table import Table, sample_rules
from seen_record import Line, dealt

from companion.core.layout import SlotView
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS
from companion.table.tracking.judging.verdicts import Ambiguous
from companion.table.tracking.reading.sure_readings import SURE_SCENES
from companion.table.tracking.retold import retell

RULES = sample_rules()


EVENTS = dealt(RULES)
STATE = Line(RULES, EVENTS).before(len(EVENTS) + 2)
BOARD = RULES.board(STATE)
SLOT = "r2c2"
LAID = {BOARD.at(one.slot).face for one in RULES.layout().slots}
WAS = BOARD.at(SLOT).face
OTHER = next(
    face for n, event in enumerate(EVENTS) if getattr(event, "slot", "") == SLOT
    for face in sorted(RULES.same_face(o.draw.tile) for o in RULES.chance_outcomes(Line(RULES, EVENTS).before(n + 2)))
    if face not in {RULES.same_face(f) for f in LAID if f}
)
"""A tile that might have been dealt there and lies nowhere."""


@pytest.fixture
def table() -> Table:
    """A freshly dealt table whose record says all that the camera saw; in SLOT another tile lies than it says."""
    one = Table(RULES, STATE, DEFAULT_DEMANDS)
    one.tracker.record = Line(RULES, EVENTS)
    one.lay(SLOT, SlotView(OTHER))
    return one


def test_a_story_keeps_all_that_came_after() -> None:
    story = retell(RULES, Line(RULES, EVENTS), SLOT, RULES.same_face(WAS), OTHER)
    assert story is not None
    assert RULES.same_face(RULES.board(story.state).at(SLOT).face) == OTHER
    at = story.record - 2
    assert (story.was, story.events[1:]) == (EVENTS[at], EVENTS[at + 1 :])


@pytest.mark.parametrize("said", ["by people", "elsewhere drawn"])
def test_what_people_said_and_what_came_later_is_not_doubted(said: str) -> None:
    face = OTHER if said == "by people" else RULES.same_face(BOARD.at("r3c3").face)
    assert retell(RULES, Line(RULES, EVENTS, camera=said != "by people"), SLOT, RULES.same_face(WAS), face) is None


def ask(table: Table) -> Ambiguous:
    """Look until people are asked."""
    for _ in range(SURE_SCENES + 1):
        table.look()
        if table.tracker.asked is not None:
            break
    asked = table.tracker.asked
    assert isinstance(asked, Ambiguous)
    return asked


def test_which_of_two_stories_is_true_is_asked(table: Table) -> None:
    asked = ask(table)
    assert asked.corrects is not None
    (told,), (was,) = asked.choices[:2]
    assert RULES.same_face(told.tile) == OTHER
    assert was.tile == WAS
    assert asked.telling == (SLOT,)
    assert table.tracker.state == STATE  # nothing is rewritten unasked


def test_once_corrected_nothing_is_wrong_and_play_goes_on(table: Table) -> None:
    story = ask(table).corrects
    assert story is not None
    table.tracker.corrected(story, 9)
    assert (table.tracker.state, table.tracker.alarm, table.tracker.asked) == (story.state, None, None)
    assert table.tracker.view.at(SLOT).face == OTHER
    assert [h.kind for h in table.look()] == []


def test_where_the_record_is_right_it_is_asked_once_and_pieces_are_seen_there(table: Table) -> None:
    story = ask(table).corrects
    assert story is not None
    table.tracker.borne_out(story)
    assert (table.tracker.state, table.tracker.asked) == (STATE, None)
    assert [h.kind for _ in range(SURE_SCENES + 1) for h in table.look()] == []
    table.lay(SLOT, SlotView(OTHER, None, ((RULES.setup.seats[0].colour, 1),)))
    assert [h.kind for h in table.look()] == [HappeningKind.ILLEGAL]  # nobody has chosen yet


def test_two_tiles_that_changed_places_stay_an_alarm() -> None:
    table = Table(RULES, STATE, DEFAULT_DEMANDS)
    table.tracker.record = Line(RULES, EVENTS)
    one, other = table.view.at("r1c1"), table.view.at("r3c3")
    table.lay("r1c1", other)
    table.lay("r3c3", one)
    assert [h.kind for h in table.look()] == [HappeningKind.ILLEGAL]
