"""The events of the hall, each kept as its changes; several processes may change one event at the same time."""

from __future__ import annotations

import json
import threading

from sqlalchemy.engine import Connection

from companion.core.digest import canonical_json
from companion.core.errors import DataError
from companion.hub.events.changes import Change, Entry, EventMade, after
from companion.hub.events.coding import change_from_json, change_to_json
from companion.hub.events.model import EventError, EventRules, HallEvent
from companion.hub.store.database import Database, notify, rows

_Known = tuple[tuple[Entry, ...], HallEvent | None]
EMPTY: _Known = ((), None)


class EventStore:
    """Reads and changes events. For any thread. What was read is kept, so that a look asks for newer changes only."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._known: dict[int, _Known] = {}

    def all(self) -> tuple[int, ...]:
        """The numbers of all events, the newest first."""
        return tuple(row["id"] for row in self._database.rows("SELECT id FROM hall_events ORDER BY id DESC"))

    def make(self, name: str, rules: EventRules, by: str, now_ms: int) -> int:
        """A new event; its number. Raises EventError for rules that cannot be."""
        change = EventMade(name, rules)
        after(None, Entry(1, now_ms, by, change))
        with self._database.transaction() as connection:
            made = rows(connection, "INSERT INTO hall_events (made_ms) VALUES (:now) RETURNING id", now=now_ms)
            number = int(made[0]["id"])
            self._insert(connection, number, Entry(1, now_ms, by, change))
        return number

    def entries(self, event: int) -> tuple[Entry, ...]:
        """Every change of an event. Raises DataError when there is no such event."""
        return self._read(event)[0]

    def event(self, event: int, until_ms: int | None = None) -> HallEvent:
        """The event now, or as it stood at `until_ms` (before it was made: as it was made). Raises DataError when
        there is no such event."""
        entries, found = self._read(event)
        if until_ms is not None and entries[-1].at_ms > until_ms:
            then: HallEvent | None = None
            for entry in entries:
                if then is not None and entry.at_ms > until_ms:
                    break
                then = after(then, entry)
            return found if then is None else then
        return found

    def change(self, event: int, change: Change, by: str, now_ms: int, seen: int | None = None) -> HallEvent:
        """The event after one more change. `seen`: how many changes whoever asks has seen. Raises EventError, when it
        cannot be made or somebody else was first."""
        with self._database.transaction() as connection:
            if not rows(connection, "SELECT id FROM hall_events WHERE id = :id FOR UPDATE", id=event):
                raise DataError("there is no such event")
            count = int(rows(connection, "SELECT count(*) AS n FROM hall_event_changes WHERE event_id = :id",
                             id=event)[0]["n"])
            if seen is not None and seen != count:
                raise EventError("somebody else has changed the event", remedy="Look at it again.")
            entries, before = self._read(event, connection)
            # Clocks of several machines may differ; an event's own time never goes back.
            entry = Entry(len(entries) + 1, max(now_ms, entries[-1].at_ms), by, change)
            made = after(before, entry)
            self._insert(connection, event, entry)
        with self._lock:
            self._known[event] = ((*entries, entry), made)
        return made

    def _insert(self, connection: Connection, event: int, entry: Entry) -> None:
        rows(connection, "INSERT INTO hall_event_changes VALUES (:event, :number, :at, :by, :change)", event=event,
             number=entry.number, at=entry.at_ms, by=entry.by, change=canonical_json(change_to_json(entry.change)))
        notify(connection, "events", event=event)

    def _read(self, event: int, connection: Connection | None = None) -> tuple[tuple[Entry, ...], HallEvent]:
        with self._lock:
            entries, found = self._known.get(event, EMPTY)
        query = "SELECT * FROM hall_event_changes WHERE event_id = :id AND number > :last ORDER BY number"
        values = {"id": event, "last": len(entries)}
        newer = self._database.rows(query, **values) if connection is None else rows(connection, query, **values)
        for row in newer:
            entry = Entry(row["number"], row["at_ms"], row["by_whom"], change_from_json(json.loads(row["change"])))
            found, entries = after(found, entry), (*entries, entry)
        if found is None:
            raise DataError("there is no such event")
        with self._lock:
            if len(self._known.get(event, EMPTY)[0]) < len(entries):
                self._known[event] = (entries, found)
        return entries, found
