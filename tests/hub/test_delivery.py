"""Delivery to the hub: once and in order whatever fails, forks refused, secrets kept until they are due."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hall_kit import Clock, browser, logged_in, send
from hall_table import HallTable, a_table
from table_kit import play

from companion.app.hall.deliveries import AHEAD
from companion.app.hall.hub_link import HubRefusal
from companion.core.types import Seat
from companion.hub.delivery.intake import FORKED, OTHER_TABLE
from companion.hub.delivery.protocol import line_of
from companion.hub.hall import Hall
from companion.table.commands import Note, Topic, Undo
from companion.table.session import Session

pytestmark = pytest.mark.system("postgresql")
ROUND = ("A hide 1", "B hide 2", "token red")


@pytest.fixture
def client(hall: Hall) -> FlaskClient:
    """The hub's application."""
    return browser(hall)


@pytest.fixture
def table(hall: Hall, client: FlaskClient, tmp_path: Path) -> Iterator[HallTable]:
    """A table that has joined."""
    with a_table(tmp_path / "seven", hall, client) as found:
        yield found


def at_hub(hall: Hall) -> list[Any]:
    """The records of the one session that is not put aside, in order."""
    return hall.database.rows(
        "SELECT r.* FROM hall_records r JOIN hall_sessions s ON s.id = r.session_id WHERE put_aside_ms IS NULL"
        " ORDER BY number"
    )


def is_whole(hall: Hall, session: Session, table: HallTable) -> None:
    """The hub has every record of the table once and in order, and opened lines are the table's."""
    there = at_hub(hall)
    lines = [line_of(record) for record in table.store.records(session.header.session)]
    assert [row["number"] for row in there] == list(range(1, len(lines) + 1))
    opened = [row["line"] for row in there if row["line"] is not None]
    assert opened == lines[: len(opened)]


def test_a_game_is_at_the_hub_when_it_is_played_and_opened_as_far_as_nothing_is_secret(
    hall: Hall, table: HallTable
) -> None:
    session = table.begin()
    assert table.step() == ""
    play(session, *ROUND, "A hide 3")
    assert table.step() == ""
    is_whole(hall, session, table)
    assert [row["line"] is not None for row in at_hub(hall)] == [True, True, True, True, False]
    told = json.loads(at_hub(hall)[-1]["told"])
    assert (told["hidden"], told["body"], told["seat"]) == (True, {}, "A")
    play(session, "B hide 1", "token red", *ROUND)
    assert table.step() == ""
    assert all(row["line"] is not None for row in at_hub(hall))
    assert [one.over for one in hall.intake.deliveries()] == [True]


def test_lost_requests_and_lost_answers_and_restarts_neither_lose_nor_double_a_record(
    hall: Hall, table: HallTable
) -> None:
    session = table.begin()
    faults = [("cut", False), ("deaf", False), ("deaf", True), ("cut", True), ("", True), ("deaf", False)]
    for number, (fault, restart) in enumerate(faults):
        table.link.cut, table.link.deaf = fault == "cut", fault == "deaf"
        session.ask(Note(topic=Topic.REMARK, text=f"{number}"))
        assert (table.step() == "") == (fault == "")
        if restart:
            table.restart()
    table.link.cut = table.link.deaf = False
    assert table.step() == ""
    is_whole(hall, session, table)
    assert len(at_hub(hall)) == session.number == len(faults) + 1


def test_a_table_without_a_hub_plays_on_and_catches_up_batch_by_batch(hall: Hall, table: HallTable) -> None:
    session = table.begin()
    table.link.cut = True
    for number in range(450):
        session.ask(Note(topic=Topic.REMARK, text=f"{number}"))
    assert table.step() == "cut"
    table.link.cut = False
    assert table.step() == ""
    is_whole(hall, session, table)
    sizes = [len(json.loads(body)["delivery"]["sent"]) for body in table.link.bodies if json.loads(body)["delivery"]]
    assert max(sizes) == 200
    assert sum(sizes) == 451


def test_a_batch_ends_with_its_bytes_before_the_hub_would_refuse_it(hall: Hall, table: HallTable) -> None:
    session = table.begin()
    for number in range(7):
        session.ask(Note(topic=Topic.REMARK, text=f"{number}" * 600_000))
    assert table.step() == ""
    is_whole(hall, session, table)
    assert max(len(body) for body in table.link.bodies) < 3_500_000


def test_a_header_that_is_none_is_refused_and_nothing_is_kept(hall: Hall, table: HallTable) -> None:
    table.begin()
    key = f"{table.joined.table}.{table.joined.key}"
    table.step()
    batch = json.loads(next(body for body in table.link.bodies if json.loads(body)["delivery"]))
    for header in ("", "[]", '{"created_ms": "now"}', '{"created_ms": 1}'):
        batch["delivery"] |= {"header": header, "origin": "a" * 64}
        with pytest.raises(HubRefusal, match="header"):
            table.link.post("/api/table/report", batch, key)
    assert len(hall.intake.deliveries()) == 1


def test_a_hub_that_was_set_back_to_an_earlier_day_gets_everything_again(hall: Hall, table: HallTable) -> None:
    session = table.begin()
    play(session, *ROUND)
    table.step()
    kept = hall.database.rows("SELECT * FROM hall_sessions")[0]
    play(session, *ROUND)
    table.step()
    hall.database.rows("DELETE FROM hall_records WHERE number > :n", n=kept["number"])
    hall.database.rows("UPDATE hall_sessions SET number = :n, link = :l, opened = :o, opened_hash = :h",
                       n=kept["number"], l=kept["link"], o=kept["opened"], h=kept["opened_hash"])
    play(session, "A hide 1")
    table.step()
    assert table.step() == ""
    is_whole(hall, session, table)


def test_another_machine_with_the_tables_backup_goes_on(
    hall: Hall, client: FlaskClient, table: HallTable, tmp_path: Path
) -> None:
    session = table.begin()
    play(session, *ROUND, "A hide 2")
    table.step()
    table.close()
    shutil.copytree(table.folder, tmp_path / "other")
    with a_table(tmp_path / "other", hall, client, table=1) as other:
        session = other.resume()
        play(session, "B hide 1", "token blue")
        assert other.step() == ""
        is_whole(hall, session, other)
        assert all(row["line"] is not None for row in at_hub(hall))
        assert "key holds no more" in table_step_closed(table)
    table.session = None


def table_step_closed(table: HallTable) -> str:
    """What the hub says to the machine that was this table before."""
    try:
        table.link.post("/api/table/report", {"turn": 1, "status": None, "delivery": None},
                        f"{table.joined.table}.{table.joined.key}")
    except Exception as error:  # noqa: BLE001 - its words are the fact
        return str(error)
    return ""


def fork(table: HallTable, folder: Path) -> None:
    """Copy the table's folder, and play on at the table alone."""
    session = table.begin()
    play(session, *ROUND)
    table.step()
    table.close()
    shutil.copytree(table.folder, folder)
    session = table.resume()
    play(session, "A hide 1", "B hide 1")
    table.link.cut = False
    table.restart()
    assert table.step() == ""
    table.close()


def test_a_fork_is_refused_until_the_organiser_takes_the_tables_game_anew(
    hall_and_clock: tuple[Hall, Clock], client: FlaskClient, table: HallTable, tmp_path: Path
) -> None:
    hall, clock = hall_and_clock
    fork(table, tmp_path / "other")
    before = at_hub(hall)
    clock.now_ms += 1000
    with a_table(tmp_path / "other", hall, client, table=1) as other:
        session = other.resume()
        assert other.step() == ""
        assert AHEAD in other.sender.standing.refused
        assert AHEAD in logged_in(hall).get("/tables").get_data(as_text=True)
        play(session, "A hide 3", "B hide 1", "token blue")
        clock.now_ms += 30_000
        other.step()
        assert FORKED in other.sender.standing.refused
        assert at_hub(hall) == before  # nothing was merged
        found = hall.intake.deliveries()
        assert [one.fork for one in found] == [FORKED]
        send(logged_in(hall), "/tables", f"/tables/games/{found[0].id}/take-anew")
        clock.now_ms += 30_000
        assert other.step() == ""
        is_whole(hall, session, other)
        assert other.sender.standing.refused == ""
        assert len(hall.intake.deliveries()) == 2  # what was there before is kept
    table.session = None


def test_a_session_of_one_table_is_not_taken_from_another(
    hall: Hall, client: FlaskClient, table: HallTable, tmp_path: Path
) -> None:
    session = table.begin()
    play(session, *ROUND)
    table.step()
    table.close()
    shutil.copytree(table.folder, tmp_path / "other")
    with a_table(tmp_path / "other", hall, client, name="8") as other:
        play(other.resume(), "A hide 1")
        other.step()
        assert OTHER_TABLE in other.sender.standing.refused
    assert len(at_hub(hall)) == 4
    table.session = None


def test_a_machine_that_opens_something_else_than_it_committed_to_is_refused(hall: Hall, table: HallTable) -> None:
    session = table.begin()
    play(session, "A hide 3")
    table.step()
    hall.database.rows("UPDATE hall_records SET commitment = :other WHERE number = 2", other="0" * 64)
    play(session, "B hide 1")
    table.step()
    assert "not what was committed to" in table.sender.standing.refused
    assert [row["line"] is not None for row in at_hub(hall)] == [True, False]


def test_games_of_before_the_joining_stay_at_the_table(hall: Hall, table: HallTable) -> None:
    table.begin("older").close()
    table.session = None
    clock_of_joining = table.joined.joined_ms
    assert table.store.session("older").header.created_ms < clock_of_joining
    assert table.step() == ""
    assert hall.intake.deliveries() == ()
    table.begin("played")
    assert table.step() == ""
    assert [one.session for one in hall.intake.deliveries()] == ["played"]


def test_a_revoked_key_delivers_nothing(hall: Hall, table: HallTable) -> None:
    table.begin()
    hall.tables.revoke(1)
    assert "key holds no more" in table.step()
    assert hall.intake.deliveries() == ()


def test_an_undo_of_a_secret_choice_keeps_it_secret_until_the_end(hall: Hall, table: HallTable) -> None:
    session = table.begin()
    play(session, "A hide 3")
    assert session.ask(Undo(by=Seat.A)).accepted
    play(session, "A hide 1", "B hide 2", "token red")
    table.step()
    assert [row["line"] is not None for row in at_hub(hall)] == [True, False, False, False, False, False]
    play(session, *ROUND, *ROUND)
    table.step()
    assert all(row["line"] is not None for row in at_hub(hall))


def test_the_status_of_an_older_turn_does_not_take_the_place_of_a_newer_one(hall: Hall, table: HallTable) -> None:
    table.begin()
    table.step()
    status = json.loads(hall.database.rows("SELECT status FROM hall_statuses")[0]["status"])
    now = hall.clock_ms()
    hall.statuses.put(1, 10 * now, {**status, "number": 9}, now)
    hall.statuses.put(1, 10 * now - 1, {**status, "number": 3}, now)
    assert hall.database.rows("SELECT number FROM hall_statuses")[0]["number"] == 9
    hall.statuses.put(1, 1, {**status, "number": 4}, now + 60_000)  # the table's clock was set back
    assert hall.database.rows("SELECT number FROM hall_statuses")[0]["number"] == 4
