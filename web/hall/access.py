"""Who logs in at the hub: organiser and referees by PIN. A signed cookie names them, the database who still may."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable

from itsdangerous import BadSignature, Signer

from companion.hub.store.staff import Person, Staff
from web.roles.access import CHANGES_BURST, CHANGES_PER_S, PIN_BURST, PIN_PER_S
from web.roles.buckets import Bucket, Patience

COOKIE = "companion_hall"
DAY_S = 24 * 3600


class HallAccess:
    """Log-ins of the hall's people. For any thread; limits of tries are of this process, rights of the database."""

    def __init__(self, staff: Staff, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._staff = staff
        self._key = staff.key()
        self.changes = Bucket(CHANGES_BURST, CHANGES_PER_S, clock_s)
        self.pins = Bucket(PIN_BURST, PIN_PER_S, clock_s)
        self.joins = Bucket(CHANGES_BURST, CHANGES_PER_S, clock_s)
        self.patience = Patience(clock_s)

    def _signer(self, salt: str) -> Signer:
        return Signer(self._key, salt=f"companion.hall.{salt}", key_derivation="hmac", digest_method=hashlib.sha256)

    def log_in(self, pin: str) -> tuple[Person, str] | None:
        """Who has this PIN, and the cookie; None for nobody."""
        person = self._staff.with_pin(pin)
        if person is None:
            return None
        return person, self._signer("person").sign(f"{person.id}.{person.serial}").decode("ascii")

    def person(self, cookie: str | None) -> Person | None:
        """Whose cookie it is, while that person has rights."""
        try:
            number, _, serial = self._signer("person").unsign(cookie or "").decode("ascii").partition(".")
        except (BadSignature, UnicodeError):
            return None
        return self._staff.known(int(number), int(serial))

    def request_token(self, cookie: str) -> str:
        """What the forms of the holder of `cookie` send with each change: a foreign page cannot read it."""
        return self._signer("request").get_signature(cookie).decode("ascii")

    def is_request_token(self, token: str | None, cookie: str) -> bool:
        """Whether a change comes from a page of this hub."""
        return bool(token) and hmac.compare_digest(str(token).encode(), self.request_token(cookie).encode())
