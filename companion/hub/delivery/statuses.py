"""How a table stands now, as it says itself: the newest is kept, with the number of the record it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy.engine import Connection

from companion.core.digest import canonical_json
from companion.core.errors import DataError
from companion.hub.store.database import Database, notify, rows

STATUS_MOST_BYTES = 1_000_000
"""A spectator's page of the largest table has some 20,000."""
STALE_MS = 10_000
"""An older turn than the one that is kept is taken all the same after so long: the table's clock was set back."""

PARTS: Mapping[str, type | tuple[type, ...]] = {
    "session": str, "number": int, "taken_ms": int, "page": (dict, type(None)), "health": dict, "backlog": dict,
}
"""What a status holds; `page` is the JSON of a spectator's page, None while no game is played."""


class Statuses:
    """The newest status of each table. For any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, table: int, turn: int, status: Mapping[str, Any] | None, now_ms: int) -> None:
        """A table was heard of now; a status of a `turn` that is not older than the one that is kept takes its place.
        Raises DataError for what is no status."""
        text = None
        if status is not None:
            wrong = [key for key, kind in PARTS.items() if not isinstance(status.get(key), kind)]
            text = canonical_json(dict(status))
            if wrong or set(status) != set(PARTS) or len(text) > STATUS_MOST_BYTES:
                raise DataError("a status holds " + ", ".join(PARTS))
        with self._database.transaction() as connection:
            self._put(connection, table, turn, text, now_ms)

    def _put(self, connection: Connection, table: int, turn: int, text: str | None, now_ms: int) -> None:
        # A status that a power cut takes is sent again within seconds: nobody waits for the disk.
        rows(connection, "SET LOCAL synchronous_commit = off")
        rows(connection, "UPDATE hall_tables SET seen_ms = :now WHERE id = :table", table=table, now=now_ms)
        if text is not None:
            status = json.loads(text)
            rows(connection,
                 "INSERT INTO hall_statuses (table_id, session, number, status, received_ms, turn)"
                 " VALUES (:table, :session, :number, :status, :now, :turn) ON CONFLICT (table_id) DO UPDATE SET"
                 " session = excluded.session, number = excluded.number, status = excluded.status,"
                 " received_ms = excluded.received_ms, turn = excluded.turn"
                 " WHERE excluded.turn >= hall_statuses.turn OR hall_statuses.received_ms < :stale",
                 table=table, session=status["session"], number=status["number"], status=text, now=now_ms, turn=turn,
                 stale=now_ms - STALE_MS)
        notify(connection, "status", table=table)
