"""A session of Spyrium that the camera follows: records, questions and alarms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from followed_table import play_texts
from watched_table import WatchedTable

from companion.app.camera.watch.open_question import may_be_told
from companion.app.camera.watch.policy import HOLD_MS
from companion.app.camera.watch.table_watch import ALARM, QUESTION
from companion.core.duties import Duty
from companion.core.events import CauseKind, RecordKind
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.games.spyrium.table.reminders import REMINDERS
from companion.table.tracking.appearance import board_look
from companion.table.tracking.overdue import PATIENCE_MS


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    table = WatchedTable(tmp_path, players=2, game="spyrium")
    yield table
    table.close()


def awaited(one: WatchedTable, further: int = 0) -> tuple[str, str]:
    """Letter and colour of the seat that is awaited, or of one `further` on."""
    seats = one.table.rules.setup.seats
    seat = (one.table.rules.to_act(one.table.session.state)[0] + further) % len(seats)
    return "AB"[seat], seats[seat].colour


def taken(one: WatchedTable, pictures: int = 4) -> None:
    one.look()
    for _ in range(pictures - 1):
        one.look(hand=False)


def texts(one: WatchedTable, count: int) -> list[str]:
    return [one.table.rules.format(step.event) for step in one.table.session.line()[-count:]]


def placed(one: WatchedTable, gap: str) -> None:
    _, colour = awaited(one)
    one.put(gap, colour)
    one.look()


def test_placed_workers_are_recorded_as_the_cameras(one: WatchedTable) -> None:
    (first, _), (second, _) = awaited(one), awaited(one, 1)
    placed(one, "r1c1|r1c2")
    placed(one, "r1c2|r2c2")
    assert texts(one, 2) == [f"{first} place r1c1|r1c2", f"{second} place r1c2|r2c2"]
    record = [r for r in one.store.records("watched") if r.kind is RecordKind.EVENT][-1]
    assert record.cause.kind is CauseKind.CAMERA


def test_an_act_that_follows_from_the_next_one_is_recorded_as_inferred(one: WatchedTable) -> None:
    rules, session = one.table.rules, one.table.session
    seat, _ = awaited(one)
    built = _first_building(one, seat)
    placed(one, built.split()[2])
    placed(one, built.split()[2])
    after_start = rules.apply(session.state, rules.parse(f"{seat} start"))
    one.view = board_look(rules, rules.apply(after_start, rules.parse(built)))
    taken(one)
    assert texts(one, 2) == [f"{seat} start", built]
    started, activated = [r for r in one.store.records("watched") if r.kind is RecordKind.EVENT][-2:]
    assert dict(started.cause.detail)["inferred"] == "from the moves"
    assert "inferred" not in dict(activated.cause.detail)


def _first_building(one: WatchedTable, seat: str) -> str:
    """An activation that is possible when both players have placed a worker beside its card."""
    rules, state = one.table.rules, one.table.session.state
    other = "AB"[seat == "A"]
    for gap in rules.tables.gaps:
        later = play_texts(rules, state, f"{seat} place {gap}", f"{other} place {gap}", f"{seat} start")
        for text in map(rules.format, rules.legal_actions(later)):
            if text.endswith("space=new"):
                return text
    raise AssertionError("no building can be built")


def worker_taken_back(one: WatchedTable) -> str:
    """One player's worker is gone from its gap, both cards still lie there; who that is."""
    (seat, colour) = awaited(one)
    placed(one, "r1c1|r1c2")
    placed(one, "r1c2|r2c2")
    one.put("r1c1|r1c2", colour, -1)
    taken(one)
    return seat


def test_the_answer_to_a_question_is_recorded_with_the_phase_that_was_begun_unseen(one: WatchedTable) -> None:
    seat = worker_taken_back(one)
    assert QUESTION not in one.alerts  # the player may be in the middle of the act
    assert one.watch.in_the_middle is Seat[seat]
    one.look(HOLD_MS, hand=False)
    taken(one)
    assert one.alerts[QUESTION]["slots"] == ["r1c1|r1c2"]
    assert one.watch.in_the_middle is None
    assert one.watch.question["seat"] is Seat[seat]  # the player is asked, not the referee
    asked = one.watch.alerts.shown["camera-question"]
    assert (asked["text"], asked["facts"]["seat"]) == ("{seat} is asked what happened at {slots}.", seat)
    choices = one.watch.question["choices"]
    wanted = [f"{seat} start", f"{seat} money r1c1|r1c2 r1c2"]
    one.watch.answer(choices.index(wanted), "referee")
    assert texts(one, 2) == wanted
    assert QUESTION not in one.alerts
    assert one.kinds() == []


def test_who_is_in_the_middle_of_an_act_may_tell_which_before_anybody_is_asked(one: WatchedTable) -> None:
    seat = worker_taken_back(one)
    offered = one.watch.question
    assert (offered["held"], offered["seat"], QUESTION in one.alerts) == (True, Seat[seat], False)
    wanted = [f"{seat} start", f"{seat} money r1c1|r1c2 r1c2"]
    one.watch.answer(offered["choices"].index(wanted), seat)
    assert texts(one, 2) == wanted
    assert (one.watch.question, one.watch.in_the_middle) == (None, None)
    one.look(HOLD_MS, hand=False)
    taken(one)
    assert texts(one, 2) == wanted  # and nobody is asked again
    assert one.kinds() == []


def test_of_what_a_player_may_be_in_the_middle_of_what_makes_sense_comes_first(
    one: WatchedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, colour) = awaited(one)
    placed(one, "r1c1|r1c2")
    placed(one, "r1c2|r2c2")
    one.put("r1c1|r1c2", colour, -1)
    taken(one)
    last = one.watch.tracker.held.ends[-1]
    monkeypatch.setattr("companion.app.camera.watch.open_question.sensible", lambda *_, **__: last)
    first, *rest = may_be_told(one.watch.tracker).choices
    assert first == last.events
    assert first not in rest
    assert len(rest) + 1 == len(one.watch.tracker.held.choices)


def test_who_is_given_time_is_asked_when_it_is_up_though_no_other_picture_has_come(one: WatchedTable) -> None:
    (_, colour) = awaited(one)
    placed(one, "r1c1|r1c2")
    placed(one, "r1c2|r2c2")
    one.put("r1c1|r1c2", colour, -1)
    taken(one, 1)
    begun_ms = one.now_ms
    one.watch.time_passes(begun_ms + HOLD_MS - 1)
    assert QUESTION not in one.alerts
    one.watch.time_passes(begun_ms + HOLD_MS)
    assert one.alerts[QUESTION]["slots"] == ["r1c1|r1c2"]
    number = one.table.session.number
    one.watch.time_passes(begun_ms + 2 * HOLD_MS)
    assert one.table.session.number == number  # nobody is asked twice


def test_what_is_entered_on_a_page_answers_the_open_question(one: WatchedTable) -> None:
    seat = worker_taken_back(one)
    taken(one)  # hands have come once more, and nothing more is seen
    assert QUESTION in one.alerts
    one.say(f"{seat} start", f"{seat} money r1c1|r1c2 r1c1")
    one.look(hand=False)
    assert QUESTION not in one.alerts
    assert one.watch.question is None


def test_a_worker_placed_out_of_turn_is_an_alarm_with_the_step_that_puts_it_right(one: WatchedTable) -> None:
    _, colour = awaited(one, 1)
    one.put("r1c1|r1c2", colour)
    taken(one)
    alarm = one.alerts[ALARM]
    assert (alarm["clause"], alarm["slots"]) == ("S24", ["r1c1|r1c2"])
    (step,) = one.watch.steps
    assert dict(step.facts) == {"count": 1, "colour": colour, "slot": "r1c1|r1c2"}
    one.put("r1c1|r1c2", colour, -1)
    one.look()
    assert ALARM not in one.alerts


def test_a_worker_taken_up_again_is_asked_about_as_an_undo(one: WatchedTable) -> None:
    _, colour = awaited(one)
    before = one.table.session.line()[-1].number
    placed(one, "r1c1|r1c2")
    one.put("r1c1|r1c2", colour, -1)
    taken(one)
    assert one.alerts[QUESTION]["facts"] == {"record": before}


def test_a_restart_goes_on_from_the_record(one: WatchedTable) -> None:
    placed(one, "r1c1|r1c2")
    one.restart()
    seat, _ = awaited(one)
    placed(one, "r1c2|r2c2")
    assert texts(one, 1) == [f"{seat} place r1c2|r2c2"]


def test_the_next_market_may_be_laid_out_at_leisure_when_it_was_told_beforehand(one: WatchedTable) -> None:
    for _ in range(2):
        seat, _ = awaited(one)
        one.say(f"{seat} start", f"{seat} pass")
    one.deal(Random(8))
    rules, session = one.table.rules, one.table.session
    wanted = board_look(rules, session.state)
    for slot in rules.tables.slots:
        one.lay(slot, SlotView())
        one.look()
    for slot in ("event", "future", *reversed(rules.tables.slots)):
        one.lay(slot, wanted.at(slot))
        one.look()
    assert not {ALARM, QUESTION} & one.alerts.keys()
    assert one.watch.tracker.view == wanted
    placed(one, "r1c1|r1c2")
    assert texts(one, 1)[0].endswith("place r1c1|r1c2")


def test_cards_that_were_told_and_not_laid_are_remembered_as_cards(one: WatchedTable) -> None:
    for _ in range(2):
        seat, _ = awaited(one)
        one.say(f"{seat} start", f"{seat} pass")
    one.deal(Random(8))
    for slot in one.table.rules.tables.slots:
        one.lay(slot, SlotView())
    one.look()
    one.look(PATIENCE_MS[Duty.REFILL], hand=False)
    reminder = one.alerts["forgotten-refill"]
    assert (reminder["text"], reminder["clause"]) == (REMINDERS[Duty.REFILL].text, "S22")
