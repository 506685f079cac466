"""Who may do what: the referee by PIN, seats by their own code, spectators without; each device by its own token."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Protocol

from itsdangerous import BadSignature, Signer

from companion.core.types import Seat
from web.roles.buckets import Bucket, Patience

REFEREE_COOKIE = "companion_referee"
SEAT_COOKIE = "companion_seat_{seat}"
TOKEN_HEADER = "X-Companion-Token"

CHANGES_BURST, CHANGES_PER_S = 40, 8.0
"""Changing requests: a person taps a few times a second at most; a page that goes wild is stopped."""
PIN_BURST, PIN_PER_S = 5, 1 / 15
"""Wrong PINs and codes of one sender: five at once, then one every 15 seconds. Right ones do not count."""
CAMERA_BURST, CAMERA_PER_S = 60, 40.0
"""Pictures of a phone: 30 a second at most."""
MOST_DEVICES = 8
"""Devices of one role at once: a phone, a tablet and their forgotten browsers; the one that joined first has to go."""
MOST_SESSIONS = 50
"""Sessions whose devices are remembered, the latest ones; a phone of an older one joins again by its code."""
FOLLOWS = "follows"
"""Beside the seats of a session: the sessions whose devices it took over, the latest first."""
CODE_LETTERS = 16
"""96 bits are never tried out, and so few letters keep the modules of a QR code large."""
PIN_LEAST_DIGITS, PHRASE_LEAST = 8, 10
"""Eight digits are tried for years at one in 15 seconds by every sender; a phrase must not be a short word."""


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


@dataclass(frozen=True, slots=True)
class SeatAccess:
    """How a seat stands: how often its code was made anew, how many joined since then, whether it is withdrawn, and
    its devices, the oldest first."""

    renewed: int = 0
    joined: int = 0
    withdrawn: bool = False
    devices: tuple[str, ...] = ()


class AccessKeeper(Protocol):
    """Where roles are kept between two starts."""

    def load(self) -> dict[str, Any]:
        """What was saved last; empty before the first time."""

    def save(self, roles: dict[str, Any]) -> None:
        """Keep `roles` (JSON), on the disk when this returns; "pin" is among them when it was changed."""


class Unkept:
    """Keeps the roles for as long as the program runs."""

    def load(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def save(self, roles: dict[str, Any]) -> None:
        """Nothing is kept."""


def pin_problem(pin: str) -> str:
    """What is wrong with a PIN that somebody chooses, as a message id; "" when it will do."""
    least = PIN_LEAST_DIGITS if pin.isdigit() else PHRASE_LEAST
    return "" if len(pin) >= least else "a PIN has eight digits or more; a phrase has ten characters or more"


class Access:
    """Gives devices their roles and takes them back. For any thread.

    A device proves its role by a cookie that names it, signed with `key`; it holds as long as the device is on the
    list, which `keeper` keeps over a restart. The code of a seat (what its QR code carries) follows from `key`, the
    session and how often it was renewed.
    """

    def __init__(
        self, key: bytes, pin: str, clock_s: Callable[[], float] = time.monotonic, keeper: AccessKeeper | None = None
    ) -> None:
        """`key`: at least 16 secret bytes that this machine keeps; `pin`: the referee's. Raises ValueError else."""
        if len(key) < 16 or not pin:
            raise ValueError("expected a key of 16 bytes or more and a PIN")
        self._key, self._pin = key, pin
        self._keeper = keeper or Unkept()
        self._lock = threading.RLock()
        kept = self._keeper.load()
        self._referees: list[str] = list(kept.get("referees", ()))
        self._seats: dict[str, dict[str, Any]] = dict(kept.get("seats", {}))
        self.changes = Bucket(CHANGES_BURST, CHANGES_PER_S, clock_s)
        self.pins = Bucket(PIN_BURST, PIN_PER_S, clock_s)
        self.pictures = Bucket(CAMERA_BURST, CAMERA_PER_S, clock_s)
        self.patience = Patience(clock_s)

    def _signer(self, salt: str) -> Signer:
        return Signer(self._key, salt=f"companion.{salt}", key_derivation="hmac", digest_method=hashlib.sha256)

    def _signed(self, salt: str, text: str) -> str:
        return self._signer(salt).sign(text).decode("ascii")

    def _read(self, salt: str, token: str | None) -> str:
        """What was signed for `salt`; "" when `token` was not made here."""
        try:
            return self._signer(salt).unsign(token or "").decode("ascii")
        except (BadSignature, UnicodeError):
            return ""

    def _save(self, **more: str) -> None:
        self._keeper.save({"referees": self._referees, "seats": self._seats, **more})

    # -- the referee ---------------------------------------------------------------------------------------------

    def is_pin(self, pin: str) -> bool:
        """Whether `pin` is the referee's."""
        return hmac.compare_digest(pin.strip().encode(), self._pin.encode())

    def change_pin(self, pin: str) -> str:
        """Another PIN from now on; whoever was referee by the old one is it no more. The cookie of who changed it.

        Raises ValueError with a message id when it is too easy to guess.
        """
        problem = pin_problem(pin.strip())
        if problem:
            raise ValueError(problem)
        with self._lock:
            self._pin, self._referees = pin.strip(), []
            self._save(pin=self._pin)
            return self.join_referee()

    def join_referee(self) -> str:
        """The cookie of one more device of the referee."""
        with self._lock:
            device = secrets.token_hex(16)
            self._referees = [*self._referees, device][-MOST_DEVICES:]
            self._save()
            return self._signed("referee", device)

    def is_referee(self, cookie: str | None) -> bool:
        """Whether a cookie is one of the referee's."""
        return self._read("referee", cookie) in self._referees

    # -- seats ---------------------------------------------------------------------------------------------------

    def seat(self, session: str, seat: Seat) -> SeatAccess:
        """How a seat stands."""
        found = self._seats.get(session, {}).get(seat.name, {})
        return SeatAccess(**{**found, "devices": tuple(found.get("devices", ()))})

    def _put_seat(self, session: str, seat: Seat, now: SeatAccess) -> None:
        kept = self._seats.pop(session, {})
        row = {"renewed": now.renewed, "joined": now.joined, "withdrawn": now.withdrawn,
               "devices": list(now.devices[-MOST_DEVICES:])}
        self._seats[session] = {**kept, seat.name: row}
        for old in list(self._seats)[:-MOST_SESSIONS]:
            del self._seats[old]
        self._save()

    def seat_token(self, session: str, seat: Seat) -> str:
        """What the QR code of a seat carries: another one after each device that joined."""
        now = self.seat(session, seat)
        text = f"{seat.name}.{now.renewed}.{now.joined}"
        return self._signer(f"code.{session}").get_signature(text).decode("ascii")[:CODE_LETTERS]

    def is_code(self, code: str, session: str, seat: Seat) -> bool:
        """Whether this is that seat's code in that session, neither used nor withdrawn."""
        right = hmac.compare_digest(code.encode(), self.seat_token(session, seat).encode())
        return right and not self.seat(session, seat).withdrawn

    def join_seat(self, session: str, seat: Seat) -> str:
        """The cookie of one more device of a seat."""
        with self._lock:
            device, now = secrets.token_hex(16), self.seat(session, seat)
            self._put_seat(session, seat, replace(now, joined=now.joined + 1, devices=(*now.devices, device)))
            return self._signed(f"seat.{session}.{seat.name}", device)

    def is_seat(self, cookie: str | None, session: str, seat: Seat) -> bool:
        """Whether a cookie is one of that seat's in that session."""
        return self._device(cookie, session, seat) in self.seat(session, seat).devices

    def was_seat(self, cookie: str | None, session: str, seat: Seat) -> bool:
        """Whether a cookie was given for that seat in that session and holds no more."""
        return bool(self._device(cookie, session, seat)) and not self.is_seat(cookie, session, seat)

    def _device(self, cookie: str | None, session: str, seat: Seat) -> str:
        """The device that a cookie names at this table, or at one whose devices this table took over."""
        for one in (session, *self._seats.get(session, {}).get(FOLLOWS, {}).get("sessions", ())):
            device = self._read(f"seat.{one}.{seat.name}", cookie)
            if device:
                return device
        return ""

    def follow(self, session: str, before: str) -> None:
        """The same people play on at another table: the devices of `before` have the same seats in `session`."""
        with self._lock:
            earlier = self._seats.get(before, {})
            sessions = [before, *earlier.get(FOLLOWS, {}).get("sessions", ())][:MOST_SESSIONS]
            self._seats[session] = {FOLLOWS: {"sessions": sessions}}
            for seat in Seat:
                devices = self.seat(before, seat).devices
                if devices:
                    self._put_seat(session, seat, SeatAccess(devices=devices, joined=len(devices)))
            self._save()

    def devices(self, session: str, seat: Seat) -> int:
        """How many devices are joined to a seat."""
        return len(self.seat(session, seat).devices)

    def renew(self, session: str, seat: Seat) -> None:
        """Withdraw the code of a seat: all its devices are out, and join by the new code only."""
        with self._lock:
            self._put_seat(session, seat, SeatAccess(self.seat(session, seat).renewed + 1))

    def withdraw(self, session: str, seat: Seat) -> None:
        """No code until it is renewed: all devices of the seat are out, and no other one joins."""
        with self._lock:
            self._put_seat(session, seat, SeatAccess(self.seat(session, seat).renewed + 1, withdrawn=True))

    # -- devices -------------------------------------------------------------------------------------------------

    def leave_referee(self, cookie: str | None) -> None:
        """The device that holds this cookie is the referee's no more."""
        with self._lock:
            device = self._read("referee", cookie)
            if device in self._referees:
                self._referees.remove(device)
                self._save()

    def leave_seat(self, cookie: str | None, session: str, seat: Seat) -> None:
        """The device that holds this cookie is that seat's no more."""
        with self._lock:
            now, device = self.seat(session, seat), self._device(cookie, session, seat)
            if device in now.devices:
                rest = tuple(one for one in now.devices if one != device)
                self._put_seat(session, seat, replace(now, devices=rest))

    def request_token(self, cookie: str) -> str:
        """What the pages of the holder of `cookie` send with each change: a foreign page cannot read it."""
        return self._signer("request").get_signature(cookie).decode("ascii")

    def is_request_token(self, token: str | None, cookie: str) -> bool:
        """Whether a changing request comes from a page of this server."""
        return bool(token) and hmac.compare_digest(str(token).encode(), self.request_token(cookie).encode())
