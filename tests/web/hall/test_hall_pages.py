"""The hub's pages: who may do what, joining codes, every text in every language."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po
from hall_kit import PIN, browser, logged_in, send
from page_texts import HALL, hall_page_ids, hall_refusal_ids

from companion.hub.hall import Hall
from companion.hub.store.staff import StaffRole
from companion.i18n import translations
from web.texts import HERE

pytestmark = pytest.mark.system("postgresql")
SAME_IN_ALL = {"PIN"}


def test_only_who_knows_the_pin_sees_the_hall_from_inside(hall: Hall) -> None:
    client = browser(hall)
    assert client.get("/tables").status_code == 303
    assert client.post("/login", data={"pin": "00000000"}).status_code == 401
    assert client.post("/login", data={"pin": PIN}).status_code == 303
    assert client.get("/tables").status_code == 200
    assert client.get("/").status_code == 200


def test_a_table_gets_a_code_that_its_machine_joins_with(hall: Hall) -> None:
    client = logged_in(hall)
    assert send(client, "/tables", "/tables", name="7").status_code == 303
    page = send(client, "/tables", "/tables/1/code").get_data(as_text=True)
    code = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}", page)
    assert code
    assert hall.tables.join(code[0], "x", hall.clock_ms())[:2] == (1, "7")
    assert code[0] not in client.get("/tables").get_data(as_text=True)
    send(client, "/tables", "/tables/1/revoke")
    assert not hall.tables.all()[0].joined


def test_a_referee_looks_and_changes_no_table(hall: Hall) -> None:
    _, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    client = logged_in(hall, pin)
    assert client.get("/tables").status_code == 200
    assert send(client, "/tables", "/tables", name="7").status_code == 403


def test_a_change_needs_the_token_of_a_page_and_no_foreign_origin(hall: Hall) -> None:
    client = logged_in(hall)
    assert client.post("/tables", data={"name": "7"}).status_code == 403
    foreign = {"Origin": "https://elsewhere.example"}
    assert client.post("/tables", data={"name": "7"}, headers=foreign).status_code == 403
    assert hall.tables.all() == ()


def test_logging_out_ends_the_log_in_of_this_browser(hall: Hall) -> None:
    client = logged_in(hall)
    assert send(client, "/tables", "/logout").status_code == 303
    assert client.get("/tables").status_code == 303


def test_health_says_that_the_database_answers(hall: Hall) -> None:
    assert browser(hall).get("/health").get_json()["database"] is True


@pytest.mark.parametrize("language", ["sk", "cs"])
def test_every_text_of_the_hall_is_translated_with_its_placeholders(language: str) -> None:
    translate = translations(language, HALL / "locale", HERE / "locale").gettext
    used = {*hall_page_ids(), *hall_refusal_ids()}
    assert {text for text in used if translate(text) == text} <= SAME_IN_ALL
    with (HALL / "locale" / f"{language}.po").open("rb") as file:
        for message in read_po(file):
            if message.id:
                assert message.id in used, message.id
                assert set(re.findall(r"\{\w+\}", message.id)) == set(re.findall(r"\{\w+\}", message.string))
