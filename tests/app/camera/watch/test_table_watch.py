"""The camera's seat at a session: what is seen is in the record with its evidence, what is wrong is an alert."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from watched_table import WatchedTable, all_have_chosen

from companion.app.camera.watch.joining import AGREED_PICTURES, JOINED_LATE
from companion.app.camera.watch.policy import FILM
from companion.app.camera.watch.seen_acts import cause_of
from companion.app.camera.watch.table_watch import ALARM, EYES, QUESTION, TableWatch
from companion.core.duties import Duty
from companion.core.events import CauseKind, RecordKind
from companion.core.inputs import BoardObservation, ViewState
from companion.core.layout import SlotView
from companion.core.types import Seat, Violation
from companion.games.envyra.state import Phase
from companion.table.commands import Note, Overrule, Play, Topic, Undo
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.judging.verdicts import Illegal
from companion.table.tracking.overdue import PATIENCE_MS

KIND = HappeningKind


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    yield from all_have_chosen(tmp_path)


def last_record(one: WatchedTable):
    return list(one.store.records("watched"))[-1]


def test_a_move_that_is_seen_is_in_the_record_with_its_frame_and_margin(one: WatchedTable) -> None:
    one.put("r1c1", "purple")
    (happening,) = one.look()
    record = last_record(one)
    assert (record.kind, dict(record.body)["text"]) == (RecordKind.EVENT, "A move r1c1")
    assert record.cause.kind is CauseKind.CAMERA
    detail = dict(record.cause.detail)
    assert detail["frame"] == happening.frame
    assert detail["margin"] > 1
    assert one.kept == [record.number]  # its pictures are kept


def test_an_illegal_cube_is_an_alert_with_clause_and_steps_until_it_is_put_right(one: WatchedTable) -> None:
    number = one.table.session.number
    one.put("r1c1", "gray")
    assert one.kinds() == [KIND.ILLEGAL]
    alert = one.alerts[ALARM]
    assert alert["clause"] == "E31"
    assert [(step["facts"]["colour"], step["slots"]) for step in alert["steps"]] == [("gray", ["r1c1"])]
    assert one.watch.steps[0].slots == ("r1c1",)
    one.put("r1c1", "gray", -1)
    assert one.kinds() == [KIND.CORRECTED]
    assert one.alerts == {}
    assert one.watch.steps == ()
    kinds = {r.kind for r in one.store.records("watched", number + 1)}
    assert kinds == {RecordKind.NOTE}  # the game itself did not change


def test_a_take_back_on_the_table_is_an_undo_when_no_one_must_agree(one: WatchedTable) -> None:
    state = one.table.session.state
    one.put("r1c1", "purple")
    one.look()
    moved = one.table.session.number
    one.put("r1c1", "purple", -1)
    assert one.kinds() == [KIND.TAKEN_BACK]
    record = last_record(one)
    if record.kind is RecordKind.UNDO:
        assert one.table.session.state == state
    else:  # across another's act everyone's consent comes first: the companion asks
        assert QUESTION in one.alerts
        assert dict(one.alerts[QUESTION]["facts"])["record"] == one.table.session.before(moved)


def test_what_somebody_else_enters_in_between_is_taken_over(one: WatchedTable) -> None:
    one.say("A move r1c1")
    one.put("r1c1", "purple")
    assert KIND.EVENT not in one.kinds()
    assert one.watch.tracker.state == one.table.session.state
    one.put("r2c1", "gray")
    assert one.kinds() == [KIND.EVENT]
    assert dict(last_record(one).body)["text"] == "B move r2c1"


def test_notes_and_alerts_in_between_change_nothing_that_is_believed(one: WatchedTable) -> None:
    one.put("r1c1", "gray")
    one.look()
    said = one.table.session.number
    one.table.session.ask(Note(topic=Topic.REMARK, text="a pause for tea"))
    assert one.kinds(hand=False) == []
    assert one.table.session.number == said + 1
    assert list(one.alerts) == [ALARM]


def test_an_answer_to_the_open_question_is_recorded_as_a_persons(one: WatchedTable) -> None:
    one.watch.tracker.presumes = False
    one.say("A move r1c1")
    one.put("r1c1", "purple")
    one.look()
    one.lay("r1c1", SlotView())  # B lays the second cube and lifts the tile in one go: or did not
    for _ in range(4):
        one.look(hand=False)
    assert {ALARM, QUESTION} & one.alerts.keys()
    question, alarm = one.watch.question, one.watch.tracker.alarm
    if question is not None:
        choices = question["choices"]
    else:
        choices = [[one.table.rules.format(event) for event in alarm.unless]]
    one.watch.answer(choices.index(["B move r1c1"]), "P1")
    record = last_play(one)
    assert dict(record.body)["text"] == "B move r1c1"
    assert record.cause.kind is CauseKind.OPERATOR
    assert dict(record.cause.detail)["answered"] == "P1"
    assert one.alerts == {}
    assert one.kinds() == []


def test_an_answer_beside_an_open_alarm_is_no_word_about_the_alarm(one: WatchedTable) -> None:
    one.watch.tracker.presumes = False
    one.say("A move r1c1")
    one.put("r1c1", "purple")
    one.look()
    one.lay("r1c1", SlotView())
    for _ in range(4):
        one.look(hand=False)
    tracker = one.watch.tracker
    assert one.watch.question is not None
    before = tracker.view.at("r3c3")
    seen = tracker.view.with_slots({"r3c3": SlotView(before.face, None, (("gray", 1),))})
    tracker.open.alarm = Illegal(Violation("E31", "a cube"), seen, tracker.view, (), 9.0)  # a cube that is gone by now
    one.watch.answer(one.watch.question["choices"].index(["B move r1c1"]), "P1")
    assert tracker.view.at("r3c3") == before
    assert tracker.alarm is None
    assert one.alerts == {}


def last_play(one: WatchedTable):
    return [r for r in one.store.records("watched") if r.kind is RecordKind.EVENT][-1]


def test_an_answer_without_a_question_is_refused(one: WatchedTable) -> None:
    with pytest.raises(ValueError, match="no open question"):
        one.watch.answer(0, "P1")


def test_after_a_restart_the_believed_table_is_the_records(one: WatchedTable) -> None:
    for text in ("A move r1c1", "B move r2c1"):
        one.stage(text)
        assert KIND.EVENT in one.kinds()
        if text.startswith("B"):
            one.view = board_look(one.table.rules, one.table.session.state)
            one.look()
    state, believed = one.table.session.state, one.watch.tracker.view
    one.restart()
    assert one.table.session.state == state
    assert one.watch.tracker.state == state
    assert one.watch.tracker.view == believed
    assert one.kinds() == []


def test_killed_between_accepting_and_showing_the_move_is_there_once(one: WatchedTable) -> None:
    one.put("r1c1", "purple")
    seen = one.eyes.look(one.view)
    happenings = one.watch.tracker.observe(seen)  # accepted; the record is written and nobody is told
    cause = cause_of(happenings[0])
    one.table.session.ask(Play(texts=("A move r1c1",), cause=cause))
    number = one.table.session.number
    one.restart()
    assert one.kinds() == []
    assert one.table.session.number == number


def test_killed_before_accepting_the_move_is_found_again(one: WatchedTable) -> None:
    one.put("r1c1", "purple")
    one.restart()
    assert one.kinds() == [KIND.EVENT]
    assert dict(last_record(one).body)["text"] == "A move r1c1"


def test_an_alert_that_is_open_at_a_restart_closes_when_the_table_is_right(one: WatchedTable) -> None:
    one.put("r1c1", "gray")
    one.look()
    one.restart()
    assert ALARM in one.alerts
    one.look()  # seen wrong again: said again, under the same name
    assert list(one.alerts) == [ALARM]
    one.put("r1c1", "gray", -1)
    one.look()
    assert one.alerts == {}


def test_a_moved_camera_is_an_alert_until_the_table_is_found(one: WatchedTable) -> None:
    for _ in range(3):
        one.watch.observe(BoardObservation(1, 0, ViewState.MOVED))
    assert list(one.alerts) == [EYES]
    one.look(hand=False)
    assert one.alerts == {}


def test_a_player_who_forgets_the_turn_is_reminded_once_and_a_hand_closes_it(one: WatchedTable) -> None:
    one.look()
    one.look(PATIENCE_MS[Duty.TURN], hand=False)
    alert = one.alerts["forgotten-turn"]
    assert alert["facts"] == {"players": ["P1"]}
    assert alert["clause"] == "E31"
    number = one.table.session.number
    one.look(1000, hand=False)
    assert one.table.session.number == number  # said once
    one.put("r1c1", "purple")
    assert one.kinds() == [KIND.EVENT]
    assert one.alerts == {}


def test_a_captured_tile_that_stays_is_reminded_of_and_lifting_closes_it(one: WatchedTable) -> None:
    for text in ("A move r1c1", "B move r1c1"):
        one.stage(text)
        one.look()
    one.look(PATIENCE_MS[Duty.LIFT], hand=False)
    assert one.alerts["forgotten-lift"]["slots"] == ["r1c1"]
    one.lay("r1c1", SlotView())
    assert one.kinds() == [KIND.LIFTED]
    assert one.alerts == {}


def test_a_reminder_gives_way_to_an_alarm(one: WatchedTable) -> None:
    one.look()
    one.look(PATIENCE_MS[Duty.TURN], hand=False)
    one.put("r1c1", "gray")
    one.look()
    assert list(one.alerts) == [ALARM]


def test_what_a_person_undoes_is_not_accepted_again_while_the_cube_still_lies(one: WatchedTable) -> None:
    one.put("r1c1", "purple")
    one.look()
    before = one.table.session.before(one.table.session.number)
    seats = (Seat.A, Seat.B, Seat.C)
    assert one.table.session.ask(Undo(to=before, consents=seats)).accepted
    assert KIND.EVENT not in one.kinds(hand=False)
    one.put("r1c1", "purple", -1)
    assert KIND.EVENT not in one.kinds()
    one.put("r1c2", "purple")
    assert one.kinds() == [KIND.EVENT]
    assert dict(last_record(one).body)["text"] == "A move r1c2"


def test_a_table_accepted_as_it_lies_is_right_for_the_camera_too(one: WatchedTable) -> None:
    one.put("r1c1", "gray")
    assert one.kinds() == [KIND.ILLEGAL]
    session, rules = one.table.session, one.table.rules
    state, problems = one.table.spec.as_it_lies(rules, session.state, one.watch.tracker.alarm.seen)
    assert problems == ()
    everyone = tuple(Seat(n) for n in range(3))
    assert session.ask(Overrule(state=rules.dump(state), why="we leave it", consents=everyone)).accepted
    one.look()
    assert one.alerts == {}
    assert one.watch.tracker.view == board_look(rules, state)
    number = session.number
    assert one.kinds() == []
    assert session.number == number
    one.put("r1c1", "purple")  # the second cube of two: the rules go on from the table as it was accepted
    assert one.kinds() == [KIND.EVENT]


def test_a_camera_that_joins_offers_what_differs_and_tells_nobody_to_take_the_table_apart(one: WatchedTable) -> None:
    one.watch.joining.begun = True
    one.put("r1c1", "gray")
    assert one.kinds() == [KIND.ILLEGAL]
    alert = one.alerts[ALARM]
    assert (alert["slots"], alert["may_take_over"]) == (["r1c1"], True)
    assert "steps" not in alert
    assert "clause" not in alert
    one.put("r1c1", "gray", -1)
    assert one.kinds() == [KIND.CORRECTED]
    assert one.alerts == {}


def test_a_camera_that_joins_offers_nothing_where_the_record_must_first_be_told_of_a_capture(one: WatchedTable) -> None:
    one.watch.joining.begun = True
    one.lay("r1c1", SlotView())
    for _ in range(4):
        one.look()
    alert = one.alerts[ALARM]
    assert (alert["text"], alert["slots"], alert["may_take_over"]) == (JOINED_LATE, ["r1c1"], False)


def test_a_camera_has_joined_once_it_has_seen_the_table_as_the_record_says(one: WatchedTable) -> None:
    one.watch.joining.begun = True
    for _ in range(AGREED_PICTURES):
        one.look()
    one.put("r1c1", "gray")
    assert one.kinds() == [KIND.ILLEGAL]
    assert one.alerts[ALARM]["clause"] == "E31"


class UndealtTable(WatchedTable):
    """The tiles are laid by hand and seen by the camera."""

    def deal(self, _random: Random) -> None:
        """Nothing is entered."""

    def _new_watch(self) -> TableWatch:
        return TableWatch(self.spec, self.table.session, FILM)  # all of them in one picture


def test_a_tile_that_was_seen_dealt_cannot_be_lifted_after_the_choices(tmp_path: Path, one: WatchedTable) -> None:
    undealt = UndealtTable(tmp_path / "undealt")
    undealt.view = one.view
    for _ in range(9):
        if undealt.table.session.state.phase is Phase.START:
            break
        undealt.look()
    undealt.say("start A")
    undealt.say("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    undealt.lay("r3c3", SlotView())
    assert undealt.kinds() == [KIND.ILLEGAL]
    undealt.close()
