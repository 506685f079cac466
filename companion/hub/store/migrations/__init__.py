"""The steps by which an empty or an older database becomes the present one: a module each, numbered, never changed.

A module `mNNN_what.py` holds STATEMENTS, a tuple of SQL statements that are run in order. The core of the hub has the
numbers below 100, events from 100, live pages from 200. What has run is remembered by number, so
that rooms count apart.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

from companion.core.errors import DataError
from companion.hub.store.database import Database, rows

NAME = re.compile(r"m(\d{3})_\w+")
LOCK = 7_202_600_001
"""Of `pg_advisory_xact_lock`: two processes that start together migrate one after the other."""


def steps() -> dict[int, tuple[str, tuple[str, ...]]]:
    """Every migration of this companion: number -> its name and statements."""
    found = {}
    for module in sorted(m.name for m in iter_modules(__path__)):
        matched = NAME.fullmatch(module)
        if matched is None or int(matched[1]) in found:
            raise RuntimeError(f"{module}: expected mNNN_what with a number of its own")
        found[int(matched[1])] = (module, tuple(import_module(f"{__name__}.{module}").STATEMENTS))
    return found


def migrate(database: Database, now_ms: int, only: frozenset[int] | None = None) -> tuple[int, ...]:
    """Run what has not run yet, all of it or nothing; the numbers that ran. `only`: those alone (for tests of older
    databases). Raises DataError when the database is of a later companion."""
    known = steps()
    with database.transaction() as connection:
        rows(connection, "SELECT pg_advisory_xact_lock(:lock)", lock=LOCK)
        rows(connection, "CREATE TABLE IF NOT EXISTS hall_migrations"
                         " (number integer PRIMARY KEY, name text NOT NULL, ran_ms bigint NOT NULL)")
        done = {row["number"]: row["name"] for row in rows(connection, "SELECT number, name FROM hall_migrations")}
        later = [name for number, name in sorted(done.items()) if number not in known]
        if later:
            raise DataError(f"the database is of a later companion: {', '.join(later)}", where=database.name,
                            remedy="Update this companion.")
        due = [number for number in sorted(known) if number not in done and (only is None or number in only)]
        for number in due:
            name, statements = known[number]
            for statement in statements:
                connection.exec_driver_sql(statement)
            rows(connection, "INSERT INTO hall_migrations VALUES (:number, :name, :now)", number=number, name=name,
                 now=now_ms)
    return tuple(due)
