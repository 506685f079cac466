"""How often a caller may ask: buckets that fill with time, and a patience that wrong PINs wear down.

Both go by a clock that never jumps: a small board without a battery sets its wall clock minutes after its start, and
limits that go by that would lock everybody out. Own code: a library of rates knows neither this clock nor patience.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

COUNTED = 4096
"""Callers whose requests are counted; the one unseen for longest is forgotten."""
FREE_TRIES = 10
"""Wrong PINs of all senders together before everybody has to wait: a table of clumsy people makes fewer."""
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 60.0
"""The wait after one wrong PIN too many doubles up to a minute: who knows the PIN still gets in, and eight digits at
one try a minute hold for a century."""
FORGIVEN_S = 3600.0
"""After an hour without a wrong PIN the waiting begins anew, and nobody is told of it any more."""


class Bucket:
    """Counts requests by caller: `burst` at once, then `per_s` a second."""

    def __init__(self, burst: int, per_s: float, clock_s: Callable[[], float]) -> None:
        self._burst, self._per_s, self._clock_s = burst, per_s, clock_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: str) -> bool:
        """Whether one more request of `caller` is allowed now; it is counted when it is."""
        with self._lock:
            now = self._clock_s()
            left, then = self._left.pop(caller, (float(self._burst), now))
            left = min(float(self._burst), left + (now - then) * self._per_s)
            allowed = left >= 1
            self._left[caller] = (left - allowed, now)
            while len(self._left) > COUNTED:
                self._left.popitem(last=False)
            return allowed

    def give_back(self, caller: str) -> None:
        """The request that was just taken does not count."""
        with self._lock:
            left, then = self._left.get(caller, (float(self._burst), self._clock_s()))
            self._left[caller] = (min(float(self._burst), left + 1), then)


class Patience:
    """How wrong PINs of all senders together wear down the door: more and more time must pass between two tries."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._wrong, self._last_s = 0, 0.0
        self._told: OrderedDict[str, int] = OrderedDict()  # wrong PINs by sender, the latest last

    def wait_s(self) -> float:
        """How long nobody may try a PIN; 0 when it may be tried now."""
        with self._lock:
            over = self._wrong - FREE_TRIES
            if over <= 0:
                return 0.0
            wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(over - 1, 10))
            return float(max(0.0, self._last_s + wait_s - self._clock_s()))

    def wrong(self, sender: str) -> None:
        """A PIN was wrong."""
        with self._lock:
            now_s = self._clock_s()
            if now_s - self._last_s > FORGIVEN_S:
                self._wrong = 0
                self._told.clear()
            self._wrong, self._last_s = self._wrong + 1, now_s
            self._told[sender] = self._told.pop(sender, 0) + 1
            while len(self._told) > COUNTED:
                self._told.popitem(last=False)

    def right(self, sender: str) -> None:
        """The PIN was right: the wrong ones of `sender` were slips of somebody who knows it."""
        with self._lock:
            self._wrong = min(self._wrong, FREE_TRIES)
            self._told.pop(sender, None)

    @property
    def told(self) -> tuple[int, str]:
        """Wrong PINs of late by those who never gave the right one, and who sent the last one."""
        with self._lock:
            if not self._told or self._clock_s() - self._last_s > FORGIVEN_S:
                return 0, ""
            return sum(self._told.values()), next(reversed(self._told))
