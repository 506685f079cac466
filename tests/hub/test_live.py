"""What screens see when: the public's delay, reviews, referee calls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hall_kit import Clock

from companion.core.errors import DataError
from companion.hub.events.changes import EventEnded
from companion.hub.events.model import EventRules, default_points
from companion.hub.hall import Hall
from companion.hub.live.board import LiveBoard
from companion.hub.live.event_delay import EventDelay
from companion.hub.live.notices import Notices
from companion.hub.store.staff import Person, StaffRole

pytestmark = pytest.mark.system("postgresql")
DELAY_S = 60
RULES = EventRules("toy", "seed", sizes=(2,), points=(default_points(2),), rounds=3, delay_s=DELAY_S)


@pytest.fixture
def seen(hall_and_clock: tuple[Hall, Clock]) -> tuple[Hall, Clock, LiveBoard]:
    """A hall with table 1, its clock, and a board that a test alone moves."""
    hall, clock = hall_and_clock
    hall.tables.add("7", clock.now_ms)
    return hall, clock, LiveBoard(hall.database, Notices(hall.database), clock)


def put_status(hall: Hall, clock: Clock, number: int, **more: Any) -> None:
    """Table 1 stands at a number now."""
    status = {"session": "s", "number": number, "taken_ms": clock.now_ms - 5, **more}
    hall.database.rows(
        "INSERT INTO hall_statuses VALUES (1, 's', :number, :status, :now) ON CONFLICT (table_id)"
        " DO UPDATE SET number = excluded.number, status = excluded.status, received_ms = excluded.received_ms",
        number=number, status=json.dumps(status), now=clock.now_ms,
    )


def public(board: LiveBoard) -> Any:
    """What the public is told of table 1."""
    now = board.table(1)
    assert now is not None
    return json.loads(now.public)


def staff(board: LiveBoard) -> Any:
    """What the hall's people are told of table 1."""
    now = board.table(1)
    assert now is not None
    return json.loads(now.staff)


def test_without_a_delay_the_public_sees_the_newest(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    put_status(hall, clock, 1)
    board.read()
    put_status(hall, clock, 2)
    board.read(1)
    assert (public(board)["number"], staff(board)["number"]) == (2, 2)


def test_with_a_delay_nothing_reaches_the_public_before_its_time(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    hall.showing.change(DELAY_S, 10)
    for number in (1, 2, 3):
        put_status(hall, clock, number)
        board.read(1)
        clock.now_ms += 20_000
    assert "number" not in public(board)
    assert staff(board)["number"] == 3
    for passed_ms, number in ((-1, None), (0, 1), (19_999, 1), (20_000, 2), (40_000, 3)):
        clock.now_ms = after_delay(passed_ms)
        board.release()
        assert public(board).get("number") == number


def after_delay(passed_ms: int) -> int:
    """The time `passed_ms` after the first status (of this module's clock) is due."""
    return int(Clock().now_ms + DELAY_S * 1000 + passed_ms)


def test_a_hub_that_starts_anew_shows_what_is_due_and_nothing_later(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, _ = seen
    hall.showing.change(DELAY_S, 10)
    put_status(hall, clock, 1)
    clock.now_ms += DELAY_S * 1000
    put_status(hall, clock, 2)
    again = LiveBoard(hall.database, Notices(hall.database), clock)
    again.read()
    assert public(again)["number"] == 1


def test_a_longer_delay_holds_the_picture_and_never_goes_back(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    hall.showing.change(10, 10)
    put_status(hall, clock, 1)
    clock.now_ms += 5_000
    put_status(hall, clock, 2)
    clock.now_ms += 10_000
    board.read()
    assert public(board)["number"] == 2
    hall.showing.change(30, 10)
    put_status(hall, clock, 3)
    board.read()
    clock.now_ms += 29_999
    board.release()
    assert public(board)["number"] == 2
    clock.now_ms += 1
    board.release()
    assert public(board)["number"] == 3


def test_what_no_delay_needs_is_not_kept(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, _ = seen
    put_status(hall, clock, 1)
    assert hall.database.rows("SELECT id FROM hall_past") == []
    hall.showing.change(10, 10)
    for number in range(2, 40):
        put_status(hall, clock, number)
        clock.now_ms += 1_000
    assert len(hall.database.rows("SELECT id FROM hall_past")) == 11  # the one that is due now, and ten seconds


def test_a_review_freezes_what_the_public_sees_and_its_clocks(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    clocks = {"since_ms": clock.now_ms - 5, "running": ["A"], "used_ms": {}, "limit_ms": None}
    put_status(hall, clock, 1, page={"clock": clocks, "scores": [{"seat": "A", "total": 3, "lines": []}]})
    board.read()
    assert public(board)["page"]["clock"]["since_ms"] == clock.now_ms  # by the hub's clock
    hall.showing.begin_review(1, "Eva", "a cube too many", clock.now_ms, board.shown(1))
    put_status(hall, clock, 2, page={"clock": clocks, "scores": [{"seat": "A", "total": 9, "lines": []}]})
    board.read(1)
    told = public(board)
    assert (told["review"], told["page"]["scores"][0]["total"], told["page"]["clock"]["running"]) == (True, 3, [])
    assert "Eva" not in json.dumps(told)
    assert staff(board)["review"]["why"] == "a cube too many"
    assert staff(board)["page"]["scores"][0]["total"] == 9
    fresh = LiveBoard(hall.database, Notices(hall.database), clock)
    fresh.read()
    assert public(fresh)["number"] == 1  # another process of the hub freezes it, too
    hall.showing.end_review(1)
    board.read(1)
    assert public(board)["page"]["scores"][0]["total"] == 9


def test_a_table_that_only_says_that_it_is_there_is_no_news_for_the_public(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    put_status(hall, clock, 1, page={"session": "s"})
    board.read()
    before = board.table(1)
    clock.now_ms += 5_000
    put_status(hall, clock, 1, page={"session": "s"})
    board.read(1)
    now = board.table(1)
    assert before is not None
    assert now is not None
    assert (now.public, now.public_brief) == (before.public, before.public_brief)
    assert now.staff != before.staff


def test_a_brief_message_has_no_picture_of_the_table(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    put_status(hall, clock, 1, page={"session": "s", "view": {"cells": [1], "round": 3}, "board": {"slots": []},
                                     "scores": [{"seat": "A", "total": 3, "lines": [1]}], "alerts": [{"text": "Look"}]})
    board.read()
    now = board.table(1)
    assert now is not None
    page = json.loads(now.text(staff=False, brief=True))["page"]
    assert page == {"session": "s", "scores": [{"seat": "A", "total": 3}], "alerts": ["Look"], "view": {"round": 3}}


# -- referee calls -----------------------------------------------------------------------------------------------


@pytest.fixture
def two(hall: Hall) -> tuple[Person, Person]:
    """Two referees; table 1 is there."""
    hall.tables.add("7", hall.clock_ms())
    for name in ("Eva", "Jan"):
        hall.staff.add(name, StaffRole.REFEREE)
    people = {person.name: person for person in hall.staff.people()}
    return people["Eva"], people["Jan"]


@pytest.mark.usefixtures("two")
def test_a_call_said_again_and_again_is_one_call(hall: Hall) -> None:
    for _ in range(3):
        call = hall.calls.hear(1, "k1", "Ada", True, 1000)
    other = hall.calls.hear(1, "k2", "Bob", True, 1001)
    assert call is not None
    assert other is not None
    assert (other.id, other.who) == (call.id, "Ada")  # one referee is enough
    assert len(hall.calls.open()) == 1


def test_one_takes_a_call_and_nobody_else_can(hall: Hall, two: tuple[Person, Person]) -> None:
    eva, jan = two
    call = hall.calls.hear(1, "k1", "Ada", True, 1000)
    assert call is not None
    hall.calls.take(call.id, eva, 2000)
    with pytest.raises(DataError, match="somebody else"):
        hall.calls.take(call.id, jan, 2001)
    with pytest.raises(DataError, match="somebody else"):
        hall.calls.give_back(call.id, jan)
    told = hall.calls.hear(1, "k1", "Ada", True, 2002)
    assert told is not None
    assert (told.person, told.taken_ms, told.done_ms) == ("Eva", 2000, None)
    hall.calls.give_back(call.id, eva)
    hall.calls.take(call.id, jan, 2003)
    hall.calls.finish(call.id, jan, 3000)
    told = hall.calls.hear(1, "k1", "Ada", True, 3001)
    assert told is not None
    assert told.done_ms == 3000  # and the table stops calling
    assert (hall.calls.open(), [one.person for one in hall.calls.done()]) == ((), ["Jan"])


@pytest.mark.usefixtures("two")
def test_a_call_that_is_not_needed_any_more_is_done(hall: Hall) -> None:
    hall.calls.hear(1, "k1", "Ada", True, 1000)
    hall.calls.hear(1, "k1", "Ada", False, 1500)
    assert hall.calls.open() == ()
    assert hall.calls.hear(1, "", "", False, 1600) is None


def test_the_public_learns_of_a_call_as_late_as_of_everything(seen: tuple[Hall, Clock, LiveBoard]) -> None:
    hall, clock, board = seen
    hall.showing.change(DELAY_S, 10)
    board.read()
    hall.calls.hear(1, "k1", "Ada", True, clock.now_ms)
    board.read(1)
    assert (staff(board)["call"]["who"], public(board)["call"]) == ("Ada", False)
    clock.now_ms += DELAY_S * 1000
    board.release()
    assert public(board)["call"] is True
    assert "Ada" not in json.dumps(public(board))


def test_tables_are_as_late_as_the_events_that_are_played_and_for_so_long_after_their_end(
    seen: tuple[Hall, Clock, LiveBoard]
) -> None:
    hall, clock, board = seen
    hall.notices.close()  # the test alone looks
    delay = EventDelay(Notices(hall.database), hall.events, hall.showing, clock)

    def late_ms() -> int:
        delay.look()
        board.read()
        return board.delay_ms

    assert late_ms() == 0
    event = hall.events.make("Cup", RULES, "organiser", clock.now_ms)
    assert late_ms() == DELAY_S * 1000
    hall.showing.change(2 * DELAY_S, 10)
    assert late_ms() == 2 * DELAY_S * 1000  # the longer one
    hall.showing.change(0, 10)
    hall.events.change(event, EventEnded(), "organiser", clock.now_ms)
    clock.now_ms += DELAY_S * 1000 - 1
    assert late_ms() == DELAY_S * 1000
    clock.now_ms += 1
    assert late_ms() == 0
