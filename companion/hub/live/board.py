"""How every table stands, in memory: the newest for the hall's people, what is due by now for the public.

The public sees what the hub received a delay ago. Of a table under review it sees what it saw when the review began.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.hub.live.notices import RESYNC, Notices
from companion.hub.live.texts import Texts, Waiting, texts
from companion.hub.store.database import Database
from companion.table.record.trouble import StoreError

LOG = logging.getLogger("companion.hub")
TICK_S = 0.25
"""So often it is looked what the delay sets free; without a delay nothing waits."""

QUERY = """
    SELECT t.id, t.name, t.key_hash IS NOT NULL AS joined, t.seen_ms, s.status, s.received_ms,
           hall_delay_ms() AS delay_ms, due.id AS due, due.status AS due_status, due.received_ms AS due_ms,
           review.since_ms AS review_ms, review.person AS review_person, review.why AS review_why,
           review.shown AS kept, review.shown_ms AS kept_ms,
           call.made_ms AS call_ms, call.who AS call_who, call.person AS call_person, call.taken_ms AS call_taken_ms,
           EXISTS (SELECT 1 FROM hall_calls c WHERE c.table_id = t.id AND c.made_ms <= :now - hall_delay_ms()
                   AND (c.done_ms IS NULL OR c.done_ms > :now - hall_delay_ms())) AS call_due
    FROM hall_tables t
    LEFT JOIN hall_statuses s ON s.table_id = t.id
    LEFT JOIN hall_reviews review ON review.table_id = t.id
    LEFT JOIN LATERAL (SELECT * FROM hall_past p WHERE p.table_id = t.id
        AND p.received_ms <= :now - hall_delay_ms() ORDER BY p.id DESC LIMIT 1) due ON hall_delay_ms() > 0
    LEFT JOIN LATERAL (SELECT * FROM hall_calls c WHERE c.table_id = t.id AND c.done_ms IS NULL
        ORDER BY c.id LIMIT 1) call ON true
"""
DUE = """
    SELECT t.id, (SELECT max(p.id) FROM hall_past p WHERE p.table_id = t.id AND p.received_ms <= :until) AS due,
           EXISTS (SELECT 1 FROM hall_calls c WHERE c.table_id = t.id AND c.made_ms <= :until
                   AND (c.done_ms IS NULL OR c.done_ms > :until)) AS call_due
    FROM hall_tables t
"""


@dataclass(frozen=True, slots=True)
class TableNow:
    """How a table stands, as the text of a message for the hall's people, and of one for the public; `brief` are the
    same without the picture of the table."""

    table: int
    name: str
    received_ms: int
    staff: str
    public: str
    staff_brief: str = ""
    public_brief: str = ""

    def text(self, *, staff: bool, brief: bool) -> str:
        """The message for a kind of screen."""
        if brief:
            return self.staff_brief if staff else self.public_brief
        return self.staff if staff else self.public


Follower = Callable[[TableNow], None]


class LiveBoard:
    """Every table as it was last heard of. `tables` from any thread; followers are called by the notices' thread, and
    by that of the delay."""

    def __init__(self, database: Database, notices: Notices, clock_ms: Callable[[], int]) -> None:
        self._database, self._clock_ms = database, clock_ms
        self._lock = threading.Lock()
        self._reading = threading.Lock()  # a table is read and told of as one, or an older text might come last
        self._tables: dict[int, TableNow] = {}
        self._whats: dict[int, str] = {}
        self._shown: dict[int, Waiting] = {}
        self._due: dict[int, tuple[int | None, bool]] = {}
        self.delay_ms = 0
        self._followers: list[Follower] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="delay", daemon=True)
        for kind in ("status", "tables", "calls", "review", "showing"):
            notices.on(kind, self._heard)

    def start(self) -> None:
        """Show what the delay sets free from now on."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def follow(self, follower: Follower) -> None:
        """Call `follower` with every table whose text has become another."""
        self._followers.append(follower)

    def tables(self) -> tuple[TableNow, ...]:
        """Every table, by name."""
        with self._lock:
            return tuple(sorted(self._tables.values(), key=lambda now: (len(now.name), now.name)))

    def table(self, number: int) -> TableNow | None:
        """One table, or None."""
        with self._lock:
            return self._tables.get(number)

    def shown(self, number: int) -> Waiting | None:
        """The status that the public sees of a table; None while it sees none."""
        with self._lock:
            return self._shown.get(number)

    def release(self) -> None:
        """Show the public what the delay has set free by now."""
        if not self.delay_ms:
            return
        until = self._clock_ms() - self.delay_ms
        due = {row["id"]: (row["due"], row["call_due"]) for row in self._database.rows(DUE, until=until)}
        for table in [table for table, what in due.items() if self._due.get(table) != what]:
            self.read(table)

    def read(self, table: int | None = None) -> None:
        """Read a table, or all, anew, and tell the followers what has become another."""
        with self._reading:
            now_ms = self._clock_ms()
            found = self._database.rows(QUERY, now=now_ms) if table is None else self._database.rows(
                f"{QUERY} WHERE t.id = :table", now=now_ms, table=table
            )
            for row in found:
                self._put(row)
            if table is None:
                there = {row["id"] for row in found}
                with self._lock:
                    self._tables = {number: now for number, now in self._tables.items() if number in there}

    def _run(self) -> None:
        warned = False
        while not self._ending.wait(TICK_S):
            try:
                self.release()
                warned = False
            except StoreError as error:  # the notices' thread says when the database is there again
                if not warned:
                    LOG.warning("the delay cannot be looked after: %s", error)
                warned = True

    def _heard(self, notice: Mapping[str, Any]) -> None:
        self.read(notice.get("table") if notice["kind"] not in (RESYNC, "tables", "showing") else None)

    def _put(self, row: Mapping[str, Any]) -> None:
        with self._lock:
            shown = shown_now(row, self._shown.get(row["id"]))
            made = texts(row, shown)
            known = self._tables.get(row["id"])
            now = _now(row, made, known if self._whats.get(row["id"]) == made.public_what else None)
            self._whats[row["id"]] = made.public_what
            self.delay_ms = row["delay_ms"]
            self._due[row["id"]] = (row["due"], row["call_due"])
            if shown is not None:
                self._shown[row["id"]] = shown
            self._tables[now.table] = now
        if known is None or (known.staff, known.public) != (now.staff, now.public):
            for follower in self._followers:
                follower(now)


def shown_now(row: Mapping[str, Any], before: Waiting | None) -> Waiting | None:
    """The status that the public sees, by a row of QUERY and what it saw before: never again an older one."""
    if row["review_ms"] is not None:
        return None if row["kept"] is None else Waiting(row["kept_ms"], row["kept"])
    if row["delay_ms"]:
        due = None if row["due_status"] is None else Waiting(row["due_ms"], row["due_status"])
        if due is None or (before is not None and before.received_ms > due.received_ms):
            return before  # the delay has become longer
        return due
    return None if row["status"] is None else Waiting(row["received_ms"], row["status"])


def _now(row: Mapping[str, Any], made: Texts, same: TableNow | None) -> TableNow:
    """The table; `same`: as it was, when the public is told nothing new."""
    public = (made.public, made.public_brief) if same is None else (same.public, same.public_brief)
    return TableNow(row["id"], row["name"], row["received_ms"] or 0, made.staff, public[0], made.staff_brief, public[1])
