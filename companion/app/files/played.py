"""The games that were played, from the record's store: who played, who won, with how many points."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from companion.app.files.sessions import read_session
from companion.core.errors import CompanionError
from companion.core.types import Result
from companion.table.outcome import places
from companion.table.record.store import Store

READING_S = 1.5
"""A game is replayed once to know how it ended; so long at most in one request, the rest in the next ones."""


class Played:
    """Remembers how each session ended, by its number of records. For any thread."""

    def __init__(self, store: Store, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock_s = store, clock_s
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int], Result | None] = {}

    def rows(self) -> tuple[list[dict[str, Any]], int]:
        """All sessions, the newest first, and how many have still to be read.

        Of a finished game with its result: names, totals, places, winners. Of a game that is not over only who plays:
        nothing of its position, so no secret. Of a damaged one its name and that it is damaged.
        """
        with self._lock:
            end_s = self._clock_s() + READING_S
            rows: list[dict[str, Any]] = []
            unread = 0
            for name in self._store.names():
                try:
                    stored = self._store.session(name)
                    key = (name, stored.records)
                    if key not in self._known and self._clock_s() >= end_s:
                        unread += 1
                        continue
                    if key not in self._known:
                        self._known[key] = self._result(name)
                except CompanionError:
                    rows.append({"session": name, "damaged": True})  # `companion verify` tells what is wrong with it
                    continue
                setup, result = stored.header.setup, self._known[key]
                row: dict[str, Any] = {
                    "session": name, "game": setup.game, "created_ms": stored.header.created_ms,
                    "over": result is not None, "players": [{"name": seat.name} for seat in setup.seats],
                }
                if result is not None:
                    # Who lost together has no place before another: all have the last, as in a hall's standings.
                    last = 0 if result.winners else len(result.scores)
                    placed = {score.seat: (last or place, score.total) for place, score in places(result)}
                    row["players"] = [
                        {"name": seat.name, "place": placed[score.seat][0], "total": placed[score.seat][1],
                         "won": score.seat in result.winners}
                        for seat, score in zip(setup.seats, result.scores, strict=True)
                    ]  # fmt: skip
                rows.append(row)
            return rows, unread

    def _result(self, session: str) -> Result | None:
        read = read_session(self._store, session)
        return read.rules.result(read.history.state)
