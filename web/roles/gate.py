"""The gate of every request: who asks, whether a change comes from a page of ours, and its checked body."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import request

from companion.core.types import Seat
from web.errors import ApiError
from web.ports.tables import HostPort, OpenTable
from web.proposals import Proposals
from web.roles.access import REFEREE_COOKIE, SEAT_COOKIE, TOKEN_HEADER, Access, Client, Role
from web.roles.buckets import Bucket
from web.roles.presence import Presence
from web.roles.seat_codes import SeatCodes
from web.schema import Check

JSON_MOST_BYTES = 64 * 1024
PICTURE_MOST_BYTES = 8 * 1024 * 1024
BOX_MOST_BYTES = 64 * 1024 * 1024
"""A box of 60 tiles with six pictures each, as PNG."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A file that a page may send: its media type and how large it may be."""

    media: str
    most_bytes: int


JPEG = FileKind("image/jpeg", PICTURE_MOST_BYTES)
BOX_FILE = FileKind("application/octet-stream", BOX_MOST_BYTES)
SPECTATOR = Client(Role.SPECTATOR)
REFEREE = Client(Role.REFEREE)


class Gate:
    """Knows the host's table and the tokens; used by the routes and the pages."""

    def __init__(self, host: HostPort, access: Access) -> None:
        self.host, self.access = host, access
        self.codes, self.presence = SeatCodes(access), Presence()
        self.proposals = Proposals()

    def table(self) -> OpenTable:
        """The table being played. Raises ApiError 409 when there is none."""
        table = self.host.table
        if table is None:
            raise ApiError(
                409, "no game is being played", code="no-table", remedy="The referee begins one in the set-up."
            )
        return table

    def cookie(self, client: Client) -> str:
        """The cookie that proves `client` in this request, "" when it does not."""
        if client.role is Role.REFEREE:
            token = request.cookies.get(REFEREE_COOKIE)
            return token or "" if self.access.is_referee(token) else ""
        table = self.host.table
        if client.seat is None or table is None:
            return ""
        token = request.cookies.get(SEAT_COOKIE.format(seat=client.seat.name))
        return token or "" if self.codes.is_seat(token, table, client.seat) else ""

    def was_at(self, seat: Seat) -> bool:
        """Whether the device of this request was at that seat of this table, and is no more."""
        table, token = self.host.table, request.cookies.get(SEAT_COOKIE.format(seat=seat.name))
        return table is not None and self.codes.was_seat(token, table, seat)

    def seat(self, name: str) -> Seat:
        """The seat called `name` at this table. Raises ApiError 404 when there is none."""
        seats = len(self.table().session.header.setup.seats)
        if name not in Seat.__members__ or Seat[name] >= seats:
            raise ApiError(404, "no seat is called {name} at this table", where="as", words={"name": repr(name)})
        return Seat[name]

    def client(self, wanted: str | None) -> Client:
        """The client that `wanted` names (None: a spectator), proved by its cookie. Raises ApiError 401 or 404."""
        if not wanted:
            return SPECTATOR
        client = REFEREE if wanted == "referee" else Client(Role.SEAT, self.seat(wanted))
        if not self.cookie(client):
            remedy = "Give the PIN." if client is REFEREE else "Scan the seat's code on the referee's page."
            raise ApiError(401, "this browser is not known as {who}", where="as", remedy=remedy,
                           words={"who": client.name})
        return client

    def change(self, wanted: str, *allowed: Role) -> Client:
        """The client of a changing request: of an allowed role, from a page of ours, not too often."""
        client = self.client(wanted)
        if client.role not in allowed:
            raise ApiError(403, "{who} may not do this", where="as", words={"who": client.name})
        if not self.access.is_request_token(request.headers.get(TOKEN_HEADER), self.cookie(client)):
            raise ApiError(
                403, "expected the page's token in {header}", code="token", remedy="Load the page again.",
                words={"header": TOKEN_HEADER},
            )
        return client

    def still(self, client: Client) -> Callable[[], bool]:
        """Whether `client` of this request keeps its role, to be asked later and from any thread."""
        if client.role is Role.SPECTATOR:
            return lambda: True
        cookie, access = self.cookie(client), self.access
        if client.seat is None:
            return lambda: access.is_referee(cookie)
        session, seat = self.table().session.header.session, client.seat
        return lambda: access.is_seat(cookie, session, seat)

    def told(self, client: Client) -> dict[str, Any]:
        """What only this client is told of devices: how many are joined to its seat, how often a PIN was wrong."""
        table = self.host.table
        if client.seat is not None and table is not None:
            return {"joined": self.access.devices(table.session.header.session, client.seat)}
        wrong, sender = self.access.patience.told
        return {"wrong_pins": wrong, "wrong_from": sender} if client.role is Role.REFEREE and wrong else {}

    def count(self, bucket: Bucket) -> None:
        """Count this request. Raises ApiError 429 when the caller asks too often."""
        if not bucket.take(sender()):
            raise ApiError(429, "too many requests", remedy="Wait a moment and try again.")


def sender() -> str:
    """The address that this request comes from."""
    return request.remote_addr or ""


def same_origin() -> None:
    """Refuse a changing request that a page of another site makes."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise ApiError(403, "requests from {origin} are not taken", code="origin", words={"origin": origin})


def json_body(check: Check) -> dict[str, Any]:
    """The body of this request, that passes `check`. Raises ApiError naming everything that is wrong with it."""
    if request.mimetype != "application/json":
        raise ApiError(415, "expected {kind}, got {got}", where="Content-Type",
                       words={"kind": "application/json", "got": request.mimetype or "-"})
    request.max_content_length = JSON_MOST_BYTES
    raw = request.get_data()
    try:
        body = json.loads(raw.decode("utf-8"), parse_float=_number, parse_constant=_no_number)
        json.dumps(body, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "expected JSON: {fault}", where="body", words={"fault": error}) from error
    found = check(body)
    if found:
        raise ApiError(400, "; ".join(found[:10]), where="body")
    assert isinstance(body, dict)
    return body


def _number(text: str) -> float:
    """A number of JSON: 1.0 is a whole one."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _no_number(text: str) -> float:
    """NaN and Infinity are no JSON. Raises ValueError."""
    raise ValueError(f"{text} is no JSON")


def file_body(kind: FileKind) -> bytes:
    """The file of this request. Raises ApiError for another kind of body and for one that is too large."""
    if request.mimetype != kind.media:
        raise ApiError(415, "expected {kind}, got {got}", where="Content-Type",
                       words={"kind": kind.media, "got": request.mimetype or "-"})
    request.max_content_length = kind.most_bytes
    return request.get_data()


def number_argument(name: str, default: int | None, low: int = 0, high: int = 10**9) -> int | None:
    """A whole number of the query. Raises ApiError 400 when it is none or out of range."""
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and low <= int(text[:12]) <= high):
        raise ApiError(400, "expected a whole number from {low} to {high}, got {got}", where=name,
                       words={"low": low, "high": high, "got": repr(text)})
    return int(text)
