"""The code of each seat at the table being played, as the pages ask for it; what it is stands in `web.roles.access`.

A code can be used once: whoever joins gets a token of the device's own, and the seat's code is another one from then
on. So a code that was seen on the big screen is worth nothing after its player has joined.
"""

from __future__ import annotations

from companion.core.types import Seat
from web.ports.tables import OpenTable
from web.roles.access import Access, SeatAccess


class SeatCodes:
    """The codes of all seats of a table. For any thread."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def now(self, table: OpenTable, seat: Seat) -> SeatAccess:
        """How the seat's code stands."""
        return self._access.seat(table.session.header.session, seat)

    def code(self, table: OpenTable, seat: Seat) -> str | None:
        """What the QR code of a seat carries now; None while it is withdrawn."""
        session = table.session.header.session
        return None if self._access.seat(session, seat).withdrawn else self._access.seat_token(session, seat)

    def is_seat(self, cookie: str | None, table: OpenTable, seat: Seat) -> bool:
        """Whether a cookie is one of that seat's devices."""
        return self._access.is_seat(cookie, table.session.header.session, seat)

    def was_seat(self, cookie: str | None, table: OpenTable, seat: Seat) -> bool:
        """Whether a cookie is of a device that was at that seat and was put out, or left."""
        return self._access.was_seat(cookie, table.session.header.session, seat)

    def join(self, table: OpenTable, seat: Seat, given: str) -> str:
        """The cookie of a device that takes the seat by its code; "" when the code is not, or no more, the seat's."""
        session = table.session.header.session
        return self._access.join_seat(session, seat) if self._access.is_code(given, session, seat) else ""
