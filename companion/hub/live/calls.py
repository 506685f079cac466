"""Referee calls: a table asks for a referee once, one of the hall's people takes it, and the table sees who comes.

A table says again and again that it calls (by the key of the call), until the hub says that the call is done: whatever
is lost on the way is said anew, and nothing is doubled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.core.errors import DataError
from companion.hub.store.database import Database, Row, notify, rows
from companion.hub.store.staff import Person

KEY_MOST, WHO_MOST = 64, 80
MOST_DONE = 20
"""Calls that are done, on the list."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call: who at which table, since when; who of the hall's people took it, "" for nobody yet."""

    id: int
    key: str
    table: int
    table_name: str
    who: str
    made_ms: int
    person: str
    person_id: int | None
    taken_ms: int | None
    done_ms: int | None


SELECT = "SELECT c.*, t.name AS table_name FROM hall_calls c JOIN hall_tables t ON t.id = c.table_id"


class RefereeCalls:
    """The calls of all tables. For any thread and process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hear(self, table: int, key: str, who: str, wanted: bool, now_ms: int) -> Call | None:
        """What a table says: it calls by `key`, or (not `wanted`) it needs nobody any more; with key "" it only asks.
        Returns that call, or the table's open one; None when there is none. Raises DataError for too long a key or
        name.
        """
        if len(key) > KEY_MOST or len(who) > WHO_MOST:
            raise DataError("the call of a table is too long")
        with self._database.transaction() as connection:
            rows(connection, "SELECT id FROM hall_tables WHERE id = :table FOR UPDATE", table=table)
            known = rows(connection, f"{SELECT} WHERE c.table_id = :table AND c.key = :key", table=table, key=key)
            of_now = rows(connection, f"{SELECT} WHERE c.table_id = :table AND c.done_ms IS NULL", table=table)
            if key and wanted and not known and not of_now:
                rows(connection, "INSERT INTO hall_calls (table_id, key, who, made_ms)"
                                 " VALUES (:table, :key, :who, :now)",
                     table=table, key=key, who=who, now=now_ms)
                notify(connection, "calls", table=table)
                known = rows(connection, f"{SELECT} WHERE c.table_id = :table AND c.key = :key", table=table, key=key)
            elif known and not wanted and known[0]["done_ms"] is None:
                rows(connection, "UPDATE hall_calls SET done_ms = :now WHERE id = :id", now=now_ms, id=known[0]["id"])
                notify(connection, "calls", table=table)
                known = rows(connection, f"{SELECT} WHERE c.id = :id", id=known[0]["id"])
        found = known or of_now
        return _call(found[0]) if found else None

    def open(self) -> tuple[Call, ...]:
        """Every call that is not done, the oldest first."""
        return tuple(_call(row) for row in self._database.rows(f"{SELECT} WHERE c.done_ms IS NULL ORDER BY c.id"))

    def done(self) -> tuple[Call, ...]:
        """The last calls that are done, the newest first."""
        found = self._database.rows(f"{SELECT} WHERE c.done_ms IS NOT NULL ORDER BY c.done_ms DESC LIMIT :most",
                                    most=MOST_DONE)
        return tuple(_call(row) for row in found)

    def take(self, call: int, person: Person, now_ms: int) -> None:
        """`person` goes there. Raises DataError when somebody else does already, or it is done."""
        self._change(call, "UPDATE hall_calls SET person_id = :person, person = :name, taken_ms = :now WHERE id = :id"
                           " AND done_ms IS NULL AND (person_id IS NULL OR person_id = :person)",
                     person=person.id, name=person.name, now=now_ms)

    def give_back(self, call: int, person: Person) -> None:
        """`person` does not go there after all. Raises DataError when it is not this person's."""
        self._change(call, "UPDATE hall_calls SET person_id = NULL, person = '', taken_ms = NULL WHERE id = :id"
                           " AND done_ms IS NULL AND person_id = :person", person=person.id)

    def finish(self, call: int, person: Person, now_ms: int) -> None:
        """It is done; whoever says so was there. Raises DataError when it was done before."""
        self._change(call, "UPDATE hall_calls SET done_ms = :now, person_id = coalesce(person_id, :person), person ="
                           " CASE WHEN person = '' THEN :name ELSE person END WHERE id = :id AND done_ms IS NULL",
                     person=person.id, name=person.name, now=now_ms)

    def _change(self, call: int, update: str, **values: Any) -> None:
        with self._database.transaction() as connection:
            found = rows(connection, f"{update} RETURNING table_id", id=call, **values)
            if not found:
                raise DataError("somebody else has this call, or it is done", remedy="Look at the list again.")
            notify(connection, "calls", table=found[0]["table_id"])


def _call(row: Row) -> Call:
    return Call(row["id"], row["key"], row["table_id"], row["table_name"], row["who"], row["made_ms"], row["person"],
                row["person_id"], row["taken_ms"], row["done_ms"])
