"""What the organiser sets for the screens: the public's delay, how long the big screen stays, reviews of scores."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from companion.core.errors import DataError
from companion.hub.live.texts import Waiting
from companion.hub.store.database import Database, notify, rows

DELAY, EVENT_DELAY, STAY = "delay_s", "event_delay_s", "stay_s"
"""Rows of `hall_meta`; the first two are read by `hall_delay_ms()` of the database."""
DELAY_MOST_S = 3600
STAY_S, STAY_LEAST_S, STAY_MOST_S = 15, 3, 300
"""Seconds for which the big screen stays on a table."""


class Showing:
    """The settings of the screens and the reviews. For any thread; every process sees the same."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def delay_s(self) -> int:
        """How many seconds late the public sees the tables, unless an event asks for more."""
        return self._number(DELAY, 0)

    def stay_s(self) -> int:
        """How many seconds the big screen stays on a table."""
        return self._number(STAY, STAY_S)

    def delay_of_events(self, delay_s: int) -> None:
        """How many seconds late the events that are played ask for."""
        if delay_s != self._number(EVENT_DELAY, 0):
            with self._database.transaction() as connection:
                _set(connection, EVENT_DELAY, delay_s)
                notify(connection, "showing")

    def change(self, delay_s: int, stay_s: int) -> None:
        """Set both. Raises DataError out of their ranges. What the public has seen already stays seen: a longer delay
        holds the picture until it is that late."""
        if not 0 <= delay_s <= DELAY_MOST_S or not STAY_LEAST_S <= stay_s <= STAY_MOST_S:
            raise DataError(f"expected a delay of 0 to {DELAY_MOST_S} seconds and {STAY_LEAST_S} to {STAY_MOST_S}"
                            " seconds a table")
        with self._database.transaction() as connection:
            _set(connection, DELAY, delay_s)
            _set(connection, STAY, stay_s)
            notify(connection, "showing")

    def begin_review(self, table: int, person: str, why: str, now_ms: int, shown: Waiting | None) -> None:
        """A decision at `table` is under review: the public goes on seeing `shown` until it is released. Another review
        of the same table changes only who and why."""
        with self._database.transaction() as connection:
            rows(connection,
                 "INSERT INTO hall_reviews VALUES (:table, :now, :person, :why, :shown_ms, :shown)"
                 " ON CONFLICT (table_id) DO UPDATE SET person = excluded.person, why = excluded.why",
                 table=table, now=now_ms, person=person, why=why[:200],
                 shown_ms=None if shown is None else shown.received_ms, shown=None if shown is None else shown.status)
            notify(connection, "review", table=table)

    def end_review(self, table: int) -> None:
        """It is decided: the public sees what is due."""
        with self._database.transaction() as connection:
            rows(connection, "DELETE FROM hall_reviews WHERE table_id = :table", table=table)
            notify(connection, "review", table=table)

    def under_review(self) -> frozenset[int]:
        """The tables whose score the public is not to learn now."""
        return frozenset(row["table_id"] for row in self._database.rows("SELECT table_id FROM hall_reviews"))

    def _number(self, key: str, otherwise: int) -> int:
        found = self._database.rows("SELECT value FROM hall_meta WHERE key = :key", key=key)
        return int(found[0]["value"]) if found else otherwise


def _set(connection: Connection, key: str, value: int) -> None:
    rows(connection, "INSERT INTO hall_meta VALUES (:key, :value)"
                     " ON CONFLICT (key) DO UPDATE SET value = excluded.value", key=key, value=str(value))
