"""At which seats a page is open now: by the streams that run for them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from companion.core.types import Seat


class Presence:
    """Counts the open streams of each seat. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[tuple[str, Seat]] = Counter()

    @contextmanager
    def at(self, session: str, seat: Seat | None) -> Iterator[None]:
        """A stream is open for a seat as long as the context is; nothing is counted without a seat."""
        if seat is None:
            yield
            return
        with self._lock:
            self._open[session, seat] += 1
        try:
            yield
        finally:
            with self._lock:
                self._open[session, seat] -= 1
                self._open += Counter()  # drops what is no longer there

    def is_at(self, session: str, seat: Seat) -> bool:
        """Whether a page of the seat is open now."""
        with self._lock:
            return self._open[session, seat] > 0
