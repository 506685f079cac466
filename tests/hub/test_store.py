"""The hub's database: migrations, notices, people, tables' codes and keys."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

import pytest
from hall_kit import NOW_MS, PIN, Clock

from companion.core.errors import DataError
from companion.hub.hall import Hall
from companion.hub.store.database import Database, notify, rows
from companion.hub.store.hall_tables import CODE_MS
from companion.hub.store.migrations import migrate, steps
from companion.hub.store.staff import StaffRole
from companion.table.record.trouble import StoreError

pytestmark = pytest.mark.system("postgresql")


def test_a_migration_runs_once_and_a_first_database_becomes_the_present_one(hub_place: str) -> None:
    database = Database(hub_place)
    assert migrate(database, NOW_MS, frozenset({1})) == (1,)
    database.rows("INSERT INTO hall_tables (name, made_ms) VALUES ('7', 1)")
    assert migrate(database, NOW_MS) == tuple(n for n in sorted(steps()) if n != 1)
    assert migrate(database, NOW_MS) == ()
    assert [row["name"] for row in database.rows("SELECT name FROM hall_tables")] == ["7"]
    database.close()


def test_a_database_of_a_later_companion_is_refused(hub_place: str) -> None:
    database = Database(hub_place)
    migrate(database, NOW_MS)
    database.rows("INSERT INTO hall_migrations VALUES (999, 'm999_of_tomorrow', 0)")
    with pytest.raises(DataError, match="m999_of_tomorrow"):
        migrate(database, NOW_MS)
    database.close()


def test_an_address_that_is_no_postgresql_is_refused() -> None:
    with pytest.raises(StoreError, match="no address of a PostgreSQL database"):
        Database("sqlite:///hall.sqlite")


def test_a_notice_is_heard_when_its_transaction_is_committed(hall: Hall) -> None:
    heard: list[Any] = []
    there = threading.Event()
    hall.notices.on("tried", lambda notice: (heard.append(notice), there.set()))
    assert hall.notices.connected.wait(10)
    with suppress(RuntimeError), hall.database.transaction() as connection:
        notify(connection, "tried", which=1)
        raise RuntimeError
    with hall.database.transaction() as connection:
        notify(connection, "tried", which=2)
    assert there.wait(10)
    assert [n["which"] for n in heard if n["kind"] == "tried"] == [2]


def test_notices_are_heard_again_after_the_database_restarted(postgres_server: Any, hall: Hall) -> None:
    assert hall.notices.connected.wait(10)
    again = threading.Event()
    hall.notices.on("tried", lambda notice: again.set() if notice["kind"] == "resync" else None)
    postgres_server.stop()
    postgres_server.start()
    assert again.wait(20)
    with hall.database.transaction() as connection:
        assert rows(connection, "SELECT 1 AS one") == [{"one": 1}]


def test_a_code_joins_one_machine_once_and_in_time(hall_and_clock: tuple[Hall, Clock]) -> None:
    hall, clock = hall_and_clock
    table = hall.tables.add("7", clock())
    old, code = hall.tables.new_code(table, clock()), hall.tables.new_code(table, clock())
    for wrong in (old, "AAAA-AAAA-AAAA", ""):
        with pytest.raises(DataError, match="wrong, used or too old"):
            hall.tables.join(wrong, "x", clock())
    joined, name, key = hall.tables.join(code.lower().replace("-", " "), "x", clock())
    assert (joined, name) == (table, "7")
    assert hall.tables.with_key(table, key)
    with pytest.raises(DataError):
        hall.tables.join(code, "x", clock())
    late = hall.tables.new_code(table, clock())
    clock.now_ms += CODE_MS + 1
    with pytest.raises(DataError):
        hall.tables.join(late, "x", clock())
    assert hall.tables.with_key(table, key)  # a code alone takes nobody's key


def test_another_machine_takes_the_place_of_the_first_and_a_revoked_key_is_none(hall: Hall) -> None:
    table = hall.tables.add("7", NOW_MS)
    first = hall.tables.join(hall.tables.new_code(table, NOW_MS), "x", NOW_MS)[2]
    second = hall.tables.join(hall.tables.new_code(table, NOW_MS), "y", NOW_MS)[2]
    assert not hall.tables.with_key(table, first)
    assert hall.tables.with_key(table, second)
    hall.tables.revoke(table)
    assert not hall.tables.with_key(table, second)
    kept = hall.database.rows("SELECT * FROM hall_tables")[0]
    assert second not in str(kept)


def test_two_tables_cannot_have_one_name(hall: Hall) -> None:
    hall.tables.add("7", NOW_MS)
    with pytest.raises(DataError, match="another table has this name"):
        hall.tables.add(" 7 ", NOW_MS)


def test_a_person_of_the_hall_is_known_by_the_pin_until_it_is_taken_back(hall: Hall) -> None:
    number, pin = hall.staff.add("Eva", StaffRole.REFEREE)
    eva = hall.staff.with_pin(pin)
    assert eva is not None
    assert (eva.name, eva.role) == ("Eva", StaffRole.REFEREE)
    assert hall.staff.known(number, eva.serial) == eva
    hall.staff.change_pin(number, "another one")
    assert hall.staff.known(number, eva.serial) is None
    hall.staff.revoke(number, NOW_MS)
    assert hall.staff.with_pin("another one") is None
    assert [person.role for person in hall.staff.people()] == [StaffRole.ORGANISER]
    assert hall.staff.begin() == ""
    assert hall.staff.with_pin(PIN) is not None
