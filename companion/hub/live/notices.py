"""The notices of the database, followed by one thread of a process and handed to whoever asked for their kind."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
import sqlalchemy as sa

from companion.hub.store.database import CHANNEL, Database
from companion.table.record.trouble import StoreError

LOG = logging.getLogger("companion.hub")
TURN_S = 0.5
"""So often the thread looks whether it is to end, and waits before it connects again."""
SILENT_TURNS = 20
"""Turns without a notice after which the server is asked whether it is there: a cut cable says nothing by itself."""

Listener = Callable[[Mapping[str, Any]], None]
RESYNC = "resync"
"""The kind of notice that everybody gets after a time without a connection: what was missed must be read anew."""


class Notices:
    """Follows the notices from `start` to `close`. Listeners are called by its thread, one after the other."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: dict[str, list[Listener]] = {}
        self._ending = threading.Event()
        self.connected = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)

    def on(self, kind: str, listener: Listener) -> None:
        """Call `listener` with every notice of a kind from now on, and with every resync."""
        self._listeners[kind] = [*self._listeners.get(kind, ()), listener]

    def start(self) -> None:
        """Follow from now on."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        warned = False
        while not self._ending.is_set():
            try:
                self._follow()
            except (sa.exc.SQLAlchemyError, psycopg.Error, StoreError, OSError) as error:
                if not warned:
                    LOG.warning("no notices from the database: %s", str(error).strip().split("\n")[0])
                warned = True
                self._ending.wait(TURN_S)
            else:
                warned = False
            finally:
                self.connected.clear()

    def _follow(self) -> None:
        with self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            try:
                raw.execute(f"LISTEN {CHANNEL}")
                self.connected.set()
                self._tell({"kind": RESYNC})
                silent = 0
                while not self._ending.is_set():
                    silent += 1
                    for notice in raw.notifies(timeout=TURN_S, stop_after=1):
                        silent = 0
                        self._tell(json.loads(notice.payload))
                    if silent >= SILENT_TURNS:
                        silent = 0
                        raw.execute("SELECT 1")
            finally:
                connection.invalidate()  # a connection that listens is no good for others

    def _tell(self, notice: Mapping[str, Any]) -> None:
        kind = notice.get("kind")
        told = [one for each in list(self._listeners.values()) for one in each]
        for listener in dict.fromkeys(told) if kind == RESYNC else self._listeners.get(str(kind), []):
            try:
                listener(notice)
            except StoreError:
                raise  # the database is away: whoever listens reads anew when it is there again
            except Exception:  # one listener's fault must not silence the others
                LOG.exception("a notice of kind %s was not understood", kind)
