"""The newest status of every table in memory, each made into text once, and who is told of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.hub.live.notices import RESYNC, Notices
from companion.hub.store.database import Database

OF_STAFF_ONLY = ("health", "backlog")
"""What of a status is for the hall's people: the public sees the game, not the machine."""

QUERY = """
    SELECT t.id, t.name, t.key_hash IS NOT NULL AS joined, t.seen_ms, s.status, s.received_ms
    FROM hall_tables t LEFT JOIN hall_statuses s ON s.table_id = t.id
"""


@dataclass(frozen=True, slots=True)
class TableNow:
    """How a table stands, as the text of a message for the hall's people, and of one for the public."""

    table: int
    name: str
    received_ms: int
    staff: str
    public: str


Follower = Callable[[TableNow], None]


class LiveBoard:
    """Every table as it was last heard of. `tables` from any thread; followers are called by the notices' thread."""

    def __init__(self, database: Database, notices: Notices) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._tables: dict[int, TableNow] = {}
        self._followers: list[Follower] = []
        notices.on("status", self._heard)
        notices.on("tables", self._heard)

    def follow(self, follower: Follower) -> None:
        """Call `follower` with every table whose text has become another."""
        self._followers.append(follower)

    def tables(self) -> tuple[TableNow, ...]:
        """Every table, by name."""
        with self._lock:
            return tuple(sorted(self._tables.values(), key=lambda now: (len(now.name), now.name)))

    def _heard(self, notice: Mapping[str, Any]) -> None:
        every = notice["kind"] in (RESYNC, "tables")
        found = self._database.rows(QUERY) if every else self._database.rows(
            f"{QUERY} WHERE t.id = :table", table=notice["table"]
        )
        for row in found:
            now = table_now(row)
            with self._lock:
                known = self._tables.get(now.table)
                self._tables[now.table] = now
            if known is None or (known.staff, known.public) != (now.staff, now.public):
                for follower in self._followers:
                    follower(now)
        if every:
            there = {row["id"] for row in found}
            with self._lock:
                self._tables = {number: now for number, now in self._tables.items() if number in there}


def table_now(row: Mapping[str, Any]) -> TableNow:
    """A row of QUERY as texts."""
    status = json.loads(row["status"]) if row["status"] else {}
    told = {"table": row["id"], "name": row["name"], "received_ms": row["received_ms"], **status}
    public = {key: value for key, value in told.items() if key not in OF_STAFF_ONLY}
    staff = {**told, "joined": row["joined"]}
    return TableNow(row["id"], row["name"], row["received_ms"] or 0, json.dumps(staff, ensure_ascii=False),
                    json.dumps(public, ensure_ascii=False))
