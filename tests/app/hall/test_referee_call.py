"""A table's call for a referee of the hall, over a link that comes and goes."""

from __future__ import annotations

from typing import Any

import pytest
from hall_kit import browser
from hall_table import TestLink

from companion.app.hall.join_file import Joined
from companion.app.hall.referee_call import POLL_S, RefereeCall
from companion.hub.hall import Hall
from companion.hub.store.staff import StaffRole

pytestmark = pytest.mark.system("postgresql")


@pytest.fixture
def hall(postgres_server: Any) -> Any:
    """A hall."""
    from hall_kit import a_hall

    with a_hall(postgres_server.new_place()) as (found, _):
        yield found


def calling(hall: Hall) -> tuple[RefereeCall, TestLink, Joined]:
    """Table 7 of a hall, and its link."""
    table = hall.tables.add("7", hall.clock_ms())
    _, name, key = hall.tables.join(hall.tables.new_code(table, hall.clock_ms()), "x", hall.clock_ms())
    link = TestLink(browser(hall))
    joined = Joined("http://hub", table, name, key, "", 0)
    return RefereeCall(joined, link), link, joined


def test_a_table_that_calls_nobody_asks_once_and_then_says_nothing(hall: Hall) -> None:
    call, link, _ = calling(hall)
    assert [call.step(), call.step(), call.step()] == [None, None, None]
    assert len(link.bodies) == 1


def test_the_table_sees_who_comes_and_that_it_is_done(hall: Hall) -> None:
    call, _, _ = calling(hall)
    hall.staff.add("Eva", StaffRole.REFEREE)
    eva = hall.staff.people()[-1]
    call.call("Ada")
    look = call.look()
    assert look.call is not None
    assert (look.call.who, look.call.sent, look.call.person) == ("Ada", False, "")
    assert call.step() == POLL_S
    hall.calls.take(hall.calls.open()[0].id, eva, hall.clock_ms())
    call.step()
    look = call.look()
    assert look.call is not None
    assert (look.call.sent, look.call.person) == (True, "Eva")
    hall.calls.finish(hall.calls.open()[0].id, eva, hall.clock_ms())
    assert call.step() is None
    assert call.look().call is None


@pytest.mark.parametrize("fault", ["cut", "deaf"])
def test_a_call_without_a_link_is_sent_when_it_is_back_and_once(hall: Hall, fault: str) -> None:
    call, link, _ = calling(hall)
    setattr(link, fault, True)
    call.call("Ada")
    assert [call.step(), call.step()] == [POLL_S, POLL_S]
    look = call.look()
    assert look.call is not None
    assert (look.linked, look.call.sent) == (False, False)
    setattr(link, fault, False)
    call.step()
    look = call.look()
    assert look.call is not None
    assert (look.linked, look.call.sent) == (True, True)
    assert [one.who for one in hall.calls.open()] == ["Ada"]


def test_a_call_that_was_withdrawn_without_a_link_ends_when_it_is_back(hall: Hall) -> None:
    call, link, _ = calling(hall)
    call.call("Ada")
    call.step()
    link.cut = True
    call.withdraw()
    assert call.look().call is None
    assert call.step() == POLL_S
    link.cut = False
    assert call.step() is None
    assert hall.calls.open() == ()


def test_a_table_that_was_started_anew_goes_on_with_its_call(hall: Hall) -> None:
    call, link, joined = calling(hall)
    call.call("Ada")
    call.step()
    again = RefereeCall(joined, link)
    assert again.step() == POLL_S
    look = again.look()
    assert look.call is not None
    assert look.call.who == "Ada"
    again.call("Bob")  # one referee is enough
    assert len(hall.calls.open()) == 1


def test_a_key_that_was_taken_back_is_a_link_that_is_down(hall: Hall) -> None:
    call, _, joined = calling(hall)
    hall.tables.revoke(joined.table)
    call.call("Ada")
    assert call.step() == POLL_S
    assert call.look().linked is False
