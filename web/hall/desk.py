"""What the routes of the hall share: who asks, whether a change comes from a page of ours, and the hall itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import g, request

from companion.hub.hall import Hall
from companion.hub.store.staff import Person, StaffRole
from web.errors import ApiError
from web.hall.access import COOKIE, HallAccess
from web.hall.counts import Counts
from web.roles.access import TOKEN_HEADER
from web.roles.gate import same_origin, sender


@dataclass(frozen=True, slots=True)
class Desk:
    """The hall, and who may do what on its pages."""

    hall: Hall
    access: HallAccess
    counts: Counts = field(default_factory=Counts)

    def person(self) -> Person | None:
        """Who asks, or None for the public; looked up once a request."""
        if "person" not in g:
            cookie = request.cookies.get(COOKIE)
            g.person = self.access.person(cookie) if cookie else None
        found: Person | None = g.person
        return found

    def need(self, *roles: StaffRole) -> Person:
        """Who asks, of an allowed role (none named: anybody of the hall's people). Raises ApiError 401 and 403."""
        person = self.person()
        if person is None:
            raise ApiError(401, "log in first", remedy="Give your PIN.")
        if roles and person.role not in roles:
            raise ApiError(403, "only the organiser may do this")
        return person

    def change(self, *roles: StaffRole) -> Person:
        """As `need`, for a request that changes something: from a page of ours and not too often. Forms send `token` as
        a hidden field, scripts as a header."""
        same_origin()
        person = self.need(*roles)
        token = request.headers.get(TOKEN_HEADER) or request.form.get("token")
        if not self.access.is_request_token(token, request.cookies.get(COOKIE, "")):
            raise ApiError(403, "this page is out of date", code="token", remedy="Load the page again.")
        if not self.access.changes.take(sender()):
            raise ApiError(429, "too many requests", remedy="Wait a moment and try again.")
        return person

    def token(self) -> str:
        """What the forms of this page send; "" for the public."""
        return self.access.request_token(request.cookies[COOKIE]) if self.person() is not None else ""
