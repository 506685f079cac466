"""Acts beside a place in doubt, and beside an alarm that may be false: followed, or asked about."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from followed_table import Table, play_texts

from companion.core.inputs import PieceReading, SlotReading
from companion.core.layout import SlotView
from companion.core.types import Face, Slot
from companion.games.envyra.actions import Move
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS
from companion.table.tracking.judging.verdicts import Ambiguous

KIND = HappeningKind
FOREIGN = "r3c3"


@pytest.fixture
def table() -> Table:
    """Three players have chosen; A begins, and one picture a scene is all there is."""
    one = Table.dealt(demands=DEFAULT_DEMANDS)
    one.told("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    return one


def look(table: Table, pictures: int = 1, **misread: SlotReading) -> tuple[Happening, ...]:
    """A new scene in which slots are read otherwise than they lie; what its last picture showed."""
    table.tracker.scene_changed()
    happenings: tuple[Happening, ...] = ()
    for _ in range(pictures):
        seen = table.eyes.look(table.view)
        slots = tuple(misread.get(s.slot, s) for s in seen.slots)
        happenings = table.tracker.observe(replace(seen, slots=slots))
    return happenings


def read(table: Table, slot: Slot, face: Face | None = None, cubes: tuple[PieceReading, ...] = ()) -> SlotReading:
    """A sure reading of a slot: of another face, or of other cubes on the one that lies there."""
    (one,) = (s for s in table.eyes.look(table.view).slots if s.slot == slot)
    return replace(one, faces=((face or one.faces[0][0], log(0.998)),), pieces=cubes, pieces_p=0.99)


def absent_face(table: Table) -> Face:
    lie = {at.face for _, at in table.view.slots}
    return next(face for face in map(table.rules.same_face, table.rules.faces()) if face not in lie)


def told(happenings: tuple[Happening, ...]) -> list[HappeningKind]:
    return [one.kind for one in happenings]


def test_a_face_that_was_on_no_place_is_no_breach_in_one_picture_but_in_three_of_a_scene(table: Table) -> None:
    table.lay(FOREIGN, replace(table.view.at(FOREIGN), face=absent_face(table)))
    assert table.look() == ()
    assert told(table.glance()) + told(table.glance()) == [KIND.ILLEGAL]


def test_a_move_elsewhere_does_not_wait_for_a_place_in_doubt(table: Table) -> None:
    table.put("r1c1", "purple")
    happenings = look(table, **{FOREIGN: read(table, FOREIGN, absent_face(table))})
    assert [table.rules.format(one.event) for one in happenings] == ["A move r1c1"]


@pytest.fixture
def accused(table: Table) -> Table:
    """A cube is read on r3c3 where none lies, which is an alarm, and A has moved since."""
    gray = {FOREIGN: read(table, FOREIGN, cubes=(PieceReading("gray", 1, 0.99),))}
    assert told(look(table, **gray)) == [KIND.ILLEGAL]
    assert look(table, **gray) == ()
    table.put("r1c1", "purple")
    assert told(look(table, table.tracker.patience, **gray)) == [KIND.ASKED]
    asked = table.tracker.asked
    assert isinstance(asked, Ambiguous)
    assert [[table.rules.format(e) for e in c] for c in asked.choices] == [["A move r1c1"], []]
    assert asked.telling == (FOREIGN,)
    return table


def test_who_plays_on_beside_an_alarm_is_asked_and_what_was_misread_is_let_be(accused: Table) -> None:
    tracker = accused.tracker
    events = tracker.asked.choices[0]
    happenings = tracker.answered(events, play_texts(accused.rules, tracker.state, "A move r1c1"), 0)
    assert told(happenings) == [KIND.EVENT]
    assert tracker.alarm is tracker.asked is None
    accused.put("r2c1", "gray")
    gray = {FOREIGN: read(accused, FOREIGN, cubes=(PieceReading("gray", 1, 0.99),))}
    assert told(look(accused, **gray)) == [KIND.EVENT]


def test_an_alarm_that_a_person_upholds_is_not_asked_about_again(accused: Table) -> None:
    assert told(accused.tracker.refused(9)) == [KIND.CLEARED, KIND.ILLEGAL]
    gray = {FOREIGN: read(accused, FOREIGN, cubes=(PieceReading("gray", 1, 0.99),))}
    assert look(accused, accused.tracker.patience, **gray) == ()
    assert accused.tracker.alarm is not None
    assert accused.tracker.asked is None


def test_a_tile_taken_after_its_last_cube_was_probably_seen_is_captured_without_asking(table: Table) -> None:
    table.put("r1c1", "purple")
    assert told(table.look()) == [KIND.EVENT]
    table.put("r1c1", "gray")
    cubes = tuple(PieceReading(colour, 1, 0.77) for colour in ("gray", "purple"))
    assert look(table, r1c1=replace(read(table, "r1c1", cubes=cubes), pieces_p=0.77)) == ()
    table.lay("r1c1", SlotView())
    assert told(table.look()) == [KIND.EVENT, KIND.LIFTED]


def test_a_tile_that_comes_early_unless_a_cube_was_overlooked_is_asked_about() -> None:
    table = Table.dealt()
    table.told("A choose r1c1 r1c2", "B choose r3c1 r2c1", "C choose r2c2 r2c3")
    rules, tracker = table.rules, table.tracker
    while (moves := [m for m in rules.legal_actions(tracker.state) if isinstance(m, Move)]) and not _is_last(table):
        for view in path_look(rules, tracker.state, moves[-1]):
            table.view = view
            table.look()
    last = moves[-1]
    after = rules.apply(tracker.state, last)
    (draw, *_) = (o.draw for o in rules.chance_outcomes(after))
    then = board_look(rules, rules.apply(after, draw))
    empty = next(s for s, at in then.slots if at.face is not None and table.view.at(s).face is None)
    table.lay(empty, then.at(empty))
    tracker.stills = True  # no second picture of the scene will show the cube
    assert told(table.look()) == [KIND.ASKED]
    asked = tracker.asked
    assert isinstance(asked, Ambiguous)
    assert asked.choices == ((last, draw), ())
    assert asked.breach.violation.clause == "E50"


def _is_last(table: Table) -> bool:
    """Whether places are filled after the next move."""
    rules, state = table.rules, table.tracker.state
    return bool(rules.chance_outcomes(rules.apply(state, rules.legal_actions(state)[-1])))
