"""Play without boards in view: the choices follow from the moves, the record and the page say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from watched_table import WatchedTable

from companion.app.box.seats import BoxSeats
from companion.app.camera.watch.table_watch import ALARM
from companion.app.camera.watch.unread_boards import BOARDS, FROM_MOVES, MAY_GO_ON
from companion.core.events import RecordKind
from companion.core.inputs import BoxInput, ButtonEdge, ButtonEvent
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.games.envyra.state import Phase
from companion.table.commands import Overrule, Undo
from companion.table.tracking.happenings import HappeningKind

KIND = HappeningKind


@pytest.fixture
def one(tmp_path: Path) -> Iterator[WatchedTable]:
    """Three players have confirmed at the box and told nobody what they chose; A (purple) begins."""
    table = WatchedTable(tmp_path)
    table.say("A confirm", "B confirm", "C confirm")
    assert table.table.session.state.phase is Phase.REVEAL
    yield table
    table.close()


def texts(one: WatchedTable) -> list[str]:
    """The events of the record since everybody confirmed."""
    events = [dict(r.body)["text"] for r in one.store.records("watched") if r.kind is RecordKind.EVENT]
    return events[max(i for i, text in enumerate(events) if text.endswith("confirm")) + 1 :]


def moved(one: WatchedTable, *cubes: tuple[str, str]) -> None:
    """Cubes are laid one after the other, each seen once."""
    for slot, colour in cubes:
        one.put(slot, colour)
        assert one.kinds() == [KIND.EVENT]


ALL_SIX = (
    ("r2c2", "purple"), ("r3c1", "gray"), ("r3c2", "pink"), ("r3c3", "pink"), ("r2c2", "gray"), ("r3c1", "purple"),
)


def test_moves_that_are_seen_wait_and_the_page_says_that_the_check_is_weaker(one: WatchedTable) -> None:
    moved(one, *ALL_SIX[:2])
    assert texts(one) == []
    alert = one.alerts[BOARDS]
    assert alert["facts"] == {"moves": ["P1 r2c2", "P2 r3c1"]}
    assert "check of the choices is weaker" in alert["text"]


def test_when_every_turn_was_taken_choices_and_moves_are_recorded_as_inferred(one: WatchedTable) -> None:
    moved(one, *ALL_SIX)  # the last two capture
    assert BOARDS not in one.alerts
    assert texts(one)[:3] == ["A choose r2c2 r3c1", "B choose r2c2 r3c1", "C choose r3c2 r3c3"]
    assert texts(one)[3:9] == [
        "A move r2c2", "B move r3c1", "C move r3c2", "C move r3c3", "B move r2c2", "A move r3c1",
    ]
    choice = next(r for r in one.store.records("watched") if dict(r.body).get("text") == "A choose r2c2 r3c1")
    detail = dict(choice.cause.detail)
    assert detail[FROM_MOVES[0]] == FROM_MOVES[1]
    assert [seen["text"] for seen in detail["seen"]] == texts(one)[3:9]
    assert all(seen["margin"] > 1 and seen["frame"] for seen in detail["seen"])
    assert one.watch.tracker.state == one.table.session.state


def test_a_move_that_no_choice_allows_is_an_alarm_with_its_clause(one: WatchedTable) -> None:
    moved(one, ("r2c2", "purple"))
    one.put("r2c1", "purple")  # B cannot have been passed over: every tile is open to it
    assert one.kinds() == [KIND.ILLEGAL]
    assert one.alerts[ALARM]["clause"] == "E31"
    one.put("r2c1", "purple", -1)
    assert one.kinds() == [KIND.CORRECTED]
    moved(one, ("r3c1", "gray"))


def test_a_cube_taken_back_before_the_choices_are_known_takes_its_move_back(one: WatchedTable) -> None:
    moved(one, ("r2c2", "purple"), ("r3c1", "gray"))
    one.put("r3c1", "gray", -1)
    assert one.kinds() == [KIND.TAKEN_BACK]
    assert one.alerts[BOARDS]["facts"] == {"moves": ["P1 r2c2"]}
    moved(one, ("r3c2", "gray"))
    assert one.alerts[BOARDS]["facts"] == {"moves": ["P1 r2c2", "P2 r3c2"]}


def test_a_board_told_late_must_fit_what_was_seen(one: WatchedTable) -> None:
    moved(one, ("r2c2", "purple"))
    one.say("A choose r2c2 r3c1")
    assert one.kinds() == []
    assert one.alerts[BOARDS]["facts"] == {"moves": ["P1 r2c2"]}
    one.say("B choose r3c1", "C choose r3c2")  # the last board: the session goes on with what was seen
    assert one.kinds() == []
    assert texts(one)[-1] == "A move r2c2"
    assert BOARDS not in one.alerts
    moved(one, ("r3c1", "gray"))


def test_a_told_board_that_does_not_fit_leaves_the_seen_cube_illegal_until_one_of_them_goes(one: WatchedTable) -> None:
    moved(one, ("r2c2", "purple"))
    before = one.table.session.number
    one.say("A choose r3c3")
    assert one.kinds() == [KIND.ILLEGAL]
    assert one.alerts[ALARM]["clause"] == "E31"
    undo = Undo(to=before, consents=(Seat.A, Seat.B, Seat.C))
    assert one.table.session.ask(undo).accepted
    assert KIND.EVENT in one.kinds()
    assert one.alerts[BOARDS]["facts"] == {"moves": ["P1 r2c2"]}


def test_a_restart_goes_on_from_what_was_seen(one: WatchedTable) -> None:
    moved(one, ("r2c2", "purple"), ("r3c1", "gray"))
    state = one.watch.tracker.state
    one.restart()
    assert one.watch.tracker.state == state
    assert one.kinds() == []
    moved(one, ("r3c2", "pink"))


def test_a_refill_that_is_seen_settles_the_round(one: WatchedTable) -> None:
    rules = one.table.session.rules
    small = next(s for s, at in one.view.slots if _cubes_needed(one, s) == 1)
    others = [s for s, _ in one.view.slots if _cubes_needed(one, s) == 2]
    one.put(small, "purple")
    assert one.kinds() == [KIND.EVENT]
    one.lay(small, SlotView())
    assert KIND.LIFTED in one.kinds()
    moved(one, (others[0], "gray"), (others[1], "pink"))
    over = one.watch.unread.rules.account(one.watch.tracker.state).over
    face = rules.same_face(rules.chance_outcomes(over)[0].draw.tile)
    one.lay(small, SlotView(face))
    assert KIND.EVENT in one.kinds()
    assert texts(one)[:3] == [f"A choose {small}", f"B choose {others[0]}", f"C choose {others[1]}"]
    assert texts(one)[-1].startswith(f"refill {small} ")
    assert one.watch.tracker.state == one.table.session.state


def test_confirming_the_next_round_at_the_box_settles_the_last_one(one: WatchedTable) -> None:
    others = [s for s, _ in one.view.slots if _cubes_needed(one, s) == 2]
    moved(one, (others[0], "purple"), (others[1], "gray"), (others[2], "pink"))
    box = BoxSeats(one.table.session, conclude=one.watch.conclude)
    box.press(ButtonEvent("box", 1, 1, BoxInput.CONFIRM_2, ButtonEdge.PRESSED, 1000))
    events = [dict(r.body)["text"] for r in one.store.records("watched") if r.kind is RecordKind.EVENT]
    assert events[-1] == "B confirm"
    assert events[-7:-4] == [f"A choose {others[0]}", f"B choose {others[1]}", f"C choose {others[2]}"]
    assert one.table.session.state.phase is Phase.CHOOSE


def test_the_reminder_says_when_a_person_may_go_on_and_nothing_concludes_before(one: WatchedTable) -> None:
    others = [s for s, _ in one.view.slots if _cubes_needed(one, s) == 2]
    moved(one, (others[0], "purple"), (others[1], "gray"))
    assert one.alerts[BOARDS][MAY_GO_ON] is False  # C must still move: every tile is open to it (E34)
    assert not one.watch.conclude()
    moved(one, (others[2], "pink"))
    assert one.alerts[BOARDS][MAY_GO_ON] is True
    assert one.watch.conclude()
    assert BOARDS not in one.alerts
    assert one.table.session.state.phase is Phase.CHOOSE
    assert not one.watch.conclude()


def test_a_table_accepted_as_it_lies_forgets_what_was_seen_since_the_reveal(one: WatchedTable) -> None:
    moved(one, ("r2c2", "purple"), ("r3c1", "gray"))
    session, rules = one.table.session, one.table.rules
    state, problems = one.table.spec.as_it_lies(rules, session.state, one.view)
    assert problems == ()
    everyone = (Seat.A, Seat.B, Seat.C)
    assert session.ask(Overrule(state=rules.dump(state), why="we begin the phase here", consents=everyone)).accepted
    assert one.kinds() == []
    assert BOARDS not in one.alerts
    assert one.watch.tracker.state == session.state
    moved(one, ("r3c2", "purple"))
    assert one.alerts[BOARDS]["facts"] == {"moves": ["P1 r3c2"]}


def _cubes_needed(one: WatchedTable, slot: str) -> int:
    cells = one.table.session.rules.view(one.table.session.state, None)["cells"]
    return next(c["tile"]["cubes"] for c in cells if c["slot"] == slot)

