"""Which devices are at a seat now: by the streams that are open for it."""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from companion.core.types import Seat

DEVICE_COOKIE = "companion_device"
"""Tells two devices at one seat apart; it names nobody and proves nothing."""


def new_device() -> str:
    """A name for a device that has none."""
    return secrets.token_hex(8)


class Presence:
    """Counts the open streams of each seat, by device. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[tuple[str, Seat], Counter[str]] = {}

    @contextmanager
    def at(self, session: str, seat: Seat | None, device: str) -> Iterator[None]:
        """A stream of `device` is open for a seat as long as the context is; nothing is counted without a seat."""
        if seat is None:
            yield
            return
        with self._lock:
            here = self._open.setdefault((session, seat), Counter())
            here[device] += 1
        try:
            yield
        finally:
            with self._lock:
                here[device] -= 1
                here += Counter()  # drops what is no longer there

    def devices(self, session: str, seat: Seat) -> int:
        """How many devices are at the seat now."""
        with self._lock:
            return len(self._open.get((session, seat), ()))
