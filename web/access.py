"""Who may do what: the referee by PIN, seats by their own token, spectators without; requests are counted."""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from companion.core.types import Seat

REFEREE_COOKIE = "companion_referee"
SEAT_COOKIE = "companion_seat_{seat}"
TOKEN_HEADER = "X-Companion-Token"

CHANGES_BURST, CHANGES_PER_S = 40, 8.0
"""Changing requests: a person taps a few times a second at most; a page that goes wild is stopped."""
PIN_BURST, PIN_PER_S = 5, 1 / 15
"""Wrong PINs: five at once, then one every 15 seconds; a PIN of six digits then holds for months."""
CAMERA_BURST, CAMERA_PER_S = 60, 40.0
"""Pictures of a phone: 30 a second at most."""
COUNTED = 4096
"""Callers whose requests are counted; the one unseen for longest is forgotten."""


class Role(Enum):
    """What a client is."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: the role, and for a seat which one. `name` tells clients apart in keys and counts."""

    role: Role
    seat: Seat | None = None

    @property
    def name(self) -> str:
        """The client in keys of commands."""
        return self.role.value if self.seat is None else f"seat-{self.seat.name}"

    @property
    def wire(self) -> str | None:
        """The client as requests name it in `as`: "referee", a seat's letter, or nothing for a spectator."""
        return None if self.role is Role.SPECTATOR else self.role.value if self.seat is None else self.seat.name


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


class Access:
    """Makes and checks the tokens. They follow from `key` and `pin` alone, so they survive a restart of the server."""

    def __init__(self, key: bytes, pin: str, clock_s: Callable[[], float] = time.monotonic) -> None:
        """`key`: at least 16 secret bytes that this machine keeps; `pin`: the referee's. Raises ValueError else."""
        if len(key) < 16 or not pin:
            raise ValueError("expected a key of 16 bytes or more and a PIN")
        self._key, self._pin = key, pin
        self.changes = Bucket(CHANGES_BURST, CHANGES_PER_S, clock_s)
        self.pins = Bucket(PIN_BURST, PIN_PER_S, clock_s)
        self.pictures = Bucket(CAMERA_BURST, CAMERA_PER_S, clock_s)

    def _mac(self, *words: str) -> str:
        text = "\0".join(words).encode()
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()[:32]

    def is_pin(self, pin: str) -> bool:
        """Whether `pin` is the referee's."""
        return hmac.compare_digest(pin.strip().encode(), self._pin.encode())

    def referee_token(self) -> str:
        """The referee's cookie."""
        return self._mac("referee", self._pin)

    def seat_token(self, session: str, seat: Seat) -> str:
        """What the QR code of a seat carries, and the seat's cookie."""
        return self._mac("seat", session, seat.name)

    def is_referee(self, token: str | None) -> bool:
        """Whether a cookie is the referee's."""
        return bool(token) and hmac.compare_digest(str(token).encode(), self.referee_token().encode())

    def is_seat(self, token: str | None, session: str, seat: Seat) -> bool:
        """Whether a cookie or a QR code is that seat's in that session."""
        return bool(token) and hmac.compare_digest(str(token).encode(), self.seat_token(session, seat).encode())

    def request_token(self, cookie: str) -> str:
        """What the pages of the holder of `cookie` send with each change: a foreign page cannot read it."""
        return self._mac("request", cookie)

    def is_request_token(self, token: str | None, cookie: str) -> bool:
        """Whether a changing request comes from a page of this server."""
        return bool(token) and hmac.compare_digest(str(token).encode(), self.request_token(cookie).encode())
