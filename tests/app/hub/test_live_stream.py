"""The hub as a process serves it: the live stream for the public and for the hall's people."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hall_kit import PIN, a_hall

from companion.app.hub.serve import serving_hub
from companion.hub.hall import Hall
from companion.hub.store.database import notify

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
    """The next event of a stream: its kind and data."""
    kind = ""
    while True:
        line = answer.readline().decode().strip()
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        if line.startswith("data: "):
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


def log_in(port: int) -> str:
    """The organiser's cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/login", f"pin={PIN}", {"Content-Type": "application/x-www-form-urlencoded"})
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
