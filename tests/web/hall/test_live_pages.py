"""The live pages of a hall: who sees what, referee calls between table and phone, reviews, log-ins of referees."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from hall_kit import browser, logged_in, send

from companion.hub.hall import Hall
from companion.hub.store.staff import StaffRole
from web.roles.access import TOKEN_HEADER

pytestmark = pytest.mark.system("postgresql")
PAGE = {"session": "s", "title": "Envyra", "number": 3, "scores": []}


def joined(hall: Hall, name: str = "7") -> tuple[int, str]:
    """A table that has joined: its number and the header that proves it."""
    table = hall.tables.add(name, hall.clock_ms())
    number, _, key = hall.tables.join(hall.tables.new_code(table, hall.clock_ms()), "x", hall.clock_ms())
    return number, f"Bearer {number}.{key}"


def post(client: FlaskClient, page: str, address: str, **body: Any) -> Any:
    """Send JSON as a script of `page` does."""
    found = re.search(r'"token": "([^"]+)"', client.get(page).get_data(as_text=True))
    assert found
    return client.post(address, json=body, headers={TOKEN_HEADER: found[1]})


def call(hall: Hall, proof: str, **body: Any) -> Any:
    """What a table says of its call."""
    return browser(hall).post("/api/table/call", json={"who": "Ada", "wanted": True, **body},
                              headers={"Authorization": proof})


def boot(client: FlaskClient, page: str) -> Any:
    """What the scripts of a page begin with."""
    found = re.search(r'id="boot">(.*?)</script>', client.get(page).get_data(as_text=True))
    assert found
    return json.loads(found[1])


def test_a_call_goes_from_the_table_to_a_phone_and_back(hall: Hall) -> None:
    _, key = joined(hall)
    assert call(hall, key, key="k1").get_json()["call"] == {"key": "k1", "who": "Ada", "person": "", "done": False}
    _, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    phone = logged_in(hall, pin)
    there = boot(phone, "/calls")["hall"]["calls"]["open"][0]
    assert (there["table_name"], there["who"]) == ("7", "Ada")
    assert post(phone, "/calls", f"/api/calls/{there['id']}", do="take").status_code == 200
    assert call(hall, key, key="k1").get_json()["call"]["person"] == "Eva"
    refused = post(logged_in(hall), "/calls", f"/api/calls/{there['id']}", do="take")
    assert (refused.status_code, "somebody else" in refused.get_json()["error"]["message"]) == (409, True)
    assert post(phone, "/calls", f"/api/calls/{there['id']}", do="done").get_json()["open"] == []
    assert call(hall, key, key="k1").get_json()["call"]["done"] is True
    assert call(hall, key, key="", wanted=False).get_json()["call"] is None


def test_a_call_needs_the_key_of_a_table(hall: Hall) -> None:
    number, _ = joined(hall)
    assert call(hall, f"Bearer {number}.00", key="k1").status_code == 401
    assert hall.calls.open() == ()


def test_the_public_sees_public_pages_alone(hall: Hall) -> None:
    number, _ = joined(hall)
    hall.board.read()
    client = browser(hall)
    for page in ("/watch", f"/watch/{number}", f"/watch/{number}/overlay/score", "/screen"):
        assert client.get(page).status_code == 200, page
    assert [client.get(page).status_code for page in ("/live", "/calls", "/people")] == [303, 303, 303]
    assert [client.get(page).status_code for page in (f"/live/{number}", "/api/calls")] == [401, 401]
    assert [client.get(page).status_code for page in ("/watch/99", f"/watch/{number}/overlay/nothing")] == [404, 404]


def test_a_page_holds_nothing_that_the_public_is_not_to_see_yet(hall: Hall) -> None:
    number, _ = joined(hall)
    hall.showing.change(60, 10)
    status = {"session": "s", "number": 3, "taken_ms": 0, "page": PAGE, "health": {}, "backlog": {"waiting": 0}}
    hall.statuses.put(number, 1, status, hall.clock_ms())
    hall.board.read()
    for page in (f"/watch/{number}", f"/watch/{number}/overlay/score"):
        assert "Envyra" not in browser(hall).get(page).get_data(as_text=True)
    assert "Envyra" in logged_in(hall).get(f"/live/{number}").get_data(as_text=True)


def test_a_referee_puts_a_score_under_review_and_releases_it(hall: Hall) -> None:
    number, _ = joined(hall)
    hall.board.read()
    _, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    phone = logged_in(hall, pin)
    address = f"/api/live/{number}/review"
    assert browser(hall).post(address, json={"do": "begin"}).status_code == 401
    assert post(phone, "/live", address, do="begin", why="a cube too many").status_code == 200
    assert hall.showing.under_review() == {number}
    assert post(phone, "/live", address, do="end").status_code == 200
    assert hall.showing.under_review() == frozenset()


def test_only_the_organiser_sets_what_screens_show(hall: Hall) -> None:
    assert send(logged_in(hall), "/live", "/live/showing", delay_s="90", stay_s="20").status_code == 303
    assert (hall.showing.delay_s(), hall.showing.stay_s()) == (90, 20)
    assert send(logged_in(hall), "/live", "/live/showing", delay_s="-1", stay_s="20").status_code == 400
    assert send(logged_in(hall), "/live", "/live/showing", delay_s="x", stay_s="20").status_code == 400
    _, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    assert send(logged_in(hall, pin), "/calls", "/live/showing", delay_s="0", stay_s="20").status_code == 403


def test_the_organiser_gives_a_referee_a_log_in_and_takes_it_back(hall: Hall) -> None:
    organiser = logged_in(hall)
    page = send(organiser, "/people", "/people", name="Eva").get_data(as_text=True)
    found = re.search(r"\b\d{8}\b", page)
    assert found
    assert "<svg" in page
    phone = logged_in(hall, found[0])
    assert phone.get("/calls").status_code == 200
    assert phone.get("/people").status_code == 403
    assert 'href="/people"' not in phone.get("/calls").get_data(as_text=True)
    number = next(one.id for one in hall.staff.people() if one.name == "Eva")
    assert send(organiser, "/people", f"/people/{number}/revoke").status_code == 303
    assert phone.get("/calls").status_code == 303
    assert send(organiser, "/people", f"/people/{number}/pin").status_code == 404
