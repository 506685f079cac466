"""The hub as a process serves it: the live stream for the public and for the hall's people."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hall_kit import PIN, a_hall

from companion.app.hub import streams
from companion.app.hub.serve import serving_hub
from companion.hub.hall import Hall
from companion.hub.store.database import notify
from companion.hub.store.staff import StaffRole

pytestmark = pytest.mark.system("postgresql")


@pytest.fixture
def served(postgres_server: Any) -> Iterator[tuple[Hall, int]]:
    """A hall and the port where it is served."""
    with a_hall(postgres_server.new_place()) as (hall, _):
        assert hall.notices.connected.wait(10)
        with serving_hub(hall, bind="127.0.0.1", port=0, tls_folder=None) as where:
            yield hall, where.port


@contextmanager
def stream(port: int, query: str = "", cookie: str = "") -> Iterator[http.client.HTTPResponse]:
    """The open stream."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", f"/api/live{query}", headers={"Cookie": cookie} if cookie else {})
        yield connection.getresponse()
    finally:
        connection.close()


def next_event(answer: http.client.HTTPResponse) -> tuple[str, Any]:
    """The next event of a stream but that it is there: its kind and data."""
    kind = ""
    while True:
        line = answer.readline().decode().strip()
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        if line.startswith("data: ") and kind != "here":
            return kind, json.loads(line.removeprefix("data: "))


def next_table(answer: http.client.HTTPResponse) -> Any:
    """What is next said of a table; the news that one was added may come late."""
    while True:
        kind, told = next_event(answer)
        if kind == "table":
            return told


def put_status(hall: Hall, table: int, **status: Any) -> None:
    """A table's status, as a delivery puts it."""
    with hall.database.transaction() as connection:
        connection.exec_driver_sql(
            "INSERT INTO hall_statuses VALUES (%(t)s, 's', 1, %(status)s, 5) ON CONFLICT (table_id)"
            " DO UPDATE SET status = excluded.status", {"t": table, "status": json.dumps(status)},
        )
        notify(connection, "status", table=table)


def log_in(port: int, pin: str = PIN) -> str:
    """The cookie of whoever has `pin`, the organiser by default."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/login", f"pin={pin}", {"Content-Type": "application/x-www-form-urlencoded"})
    cookie = str(connection.getresponse().getheader("Set-Cookie")).split(";")[0]
    connection.close()
    return cookie


def test_a_table_that_changes_is_told_to_every_screen_and_its_health_to_the_halls_people_only(
    served: tuple[Hall, int]
) -> None:
    hall, port = served
    table = hall.tables.add("7", hall.clock_ms())
    other = hall.tables.add("8", hall.clock_ms())
    with stream(port, f"?table={table}") as public, stream(port, "?as=staff", log_in(port)) as staff:
        assert next_event(public) == ("table", {"table": table, "name": "7", "received_ms": None, "call": False,
                                                "review": False, "delay_s": 0})
        assert {next_table(staff)["name"], next_table(staff)["name"]} == {"7", "8"}
        put_status(hall, other, page={"number": 1})
        put_status(hall, table, page={"number": 4}, health={"camera": "bad"}, backlog=3)
        kind, told = next_event(public)
        assert (kind, told["page"], "health" in told, "backlog" in told) == ("table", {"number": 4}, False, False)
        found = [next_table(staff), next_table(staff)]
        assert {one["name"]: one.get("health") for one in found} == {"8": None, "7": {"camera": "bad"}}


def test_a_brief_stream_leaves_the_picture_out_and_says_nothing_twice(served: tuple[Hall, int]) -> None:
    hall, port = served
    table = hall.tables.add("7", hall.clock_ms())
    page = {"session": "s", "scores": [], "view": {"cells": [1, 2], "round": 1}}
    with stream(port, "?brief=1") as screen:
        assert next_event(screen)[1]["name"] == "7"
        put_status(hall, table, page=page, taken_ms=1)
        assert next_event(screen)[1]["page"]["view"] == {"round": 1}
        put_status(hall, table, page=page, taken_ms=2)  # the table only says that it is there
        put_status(hall, table, page={**page, "view": {"round": 2}}, taken_ms=3)
        assert next_event(screen)[1]["page"]["view"] == {"round": 2}


def test_a_stream_says_that_it_is_there_also_while_it_says_other_things(
    served: tuple[Hall, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.2)
    hall, port = served
    table = hall.tables.add("7", hall.clock_ms())
    with stream(port) as silent, stream(port) as busy:
        assert "event: here" in iter(lambda: silent.readline().decode().strip(), None)
        for number in range(200):  # each is told before the silence would have lasted
            put_status(hall, table, page={"number": number})
            lines = [busy.readline().decode().strip() for _ in range(3)]
            if "event: here" in lines:
                return
        pytest.fail("a busy stream never said that it is there")


def test_a_referee_whose_rights_are_taken_back_is_sent_nothing_more_of_a_busy_hall(
    served: tuple[Hall, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.2)
    hall, port = served
    table = hall.tables.add("7", hall.clock_ms())
    person, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    with stream(port, "?as=staff", log_in(port, pin)) as answer:
        assert answer.status == 200
        hall.staff.revoke(person, hall.clock_ms())
        for number in range(200):
            put_status(hall, table, page={"number": number})
            if not answer.readline():
                return
        pytest.fail("the stream went on")


def test_the_stream_of_the_halls_people_needs_a_log_in(served: tuple[Hall, int]) -> None:
    with stream(served[1], "?as=staff") as answer:
        assert answer.status == 401
    with stream(served[1], "?as=staff", "companion_hall=1.1.forged") as answer:
        assert answer.status == 401


def test_a_hub_that_ends_ends_its_streams(postgres_server: Any) -> None:
    with a_hall(postgres_server.new_place()) as (hall, _):
        with serving_hub(hall, bind="127.0.0.1", port=0, tls_folder=None) as where:
            connection = http.client.HTTPConnection("127.0.0.1", where.port, timeout=20)
            connection.request("GET", "/api/live")
            answer = connection.getresponse()
            assert answer.readline().startswith(b"retry:")
        assert answer.read() is not None
        connection.close()
