"""The routes by which people come to the table: codes, who is there, and the addresses of the shared pages."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from companion.core.types import Seat
from web.errors import ApiError
from web.handlers.base import COOKIE_S, Calls, with_cookie
from web.joining.pictures import code_svg
from web.joining.presence import DEVICE_COOKIE, new_device
from web.ports import OpenTable
from web.roles.access import SEAT_COOKIE, Client, Role
from web.roles.gate import Gate


class Joining(Calls):
    """The methods of the routes of joining."""

    def join(self, body: dict[str, Any]) -> Response:
        """Take a seat."""
        self.gate.count(self.gate.access.pins)
        table, seat = self.gate.table(), self.gate.seat(body["seat"])
        token = self.gate.cookie(Client(Role.SEAT, seat)) or self.gate.codes.join(table, seat, body["token"])
        if not token:
            raise ApiError(401, "this code does not open the seat any more: it was used, withdrawn or of another game",
                           remedy="Scan the seat's present code, on the big screen or the referee's page.")
        answer = with_cookie(jsonify({"as": seat.name}), SEAT_COOKIE.format(seat=seat.name), token)
        if DEVICE_COOKIE not in request.cookies:
            answer.set_cookie(DEVICE_COOKIE, new_device(), max_age=COOKIE_S, httponly=True, samesite="Strict", path="/")
        return answer

    def seats(self) -> Response:
        """The codes by which phones join, for the referee: of every seat."""
        self._referee()
        table = self.gate.table()
        return jsonify({"seats": [_seat_json(self.gate, table, row) for row in seat_rows(self.gate, table)]})

    def open_seats(self) -> Response:
        """The codes for the big screen: of those seats that nobody has taken, unless they are withdrawn."""
        table = self.gate.table()
        rows = [row for row in seat_rows(self.gate, table) if not row["joined"] and not row["withdrawn"]]
        return jsonify({"seats": [_seat_json(self.gate, table, row) for row in rows]})

    def seat_code(self, body: dict[str, Any]) -> Response:
        """Withdraw a seat's code, or make it anew."""
        self.gate.change(body["as"], Role.REFEREE)
        table, seat = self.gate.table(), self.gate.seat(body["seat"])
        if body["do"] == "renew":
            self.gate.codes.renew(table, seat)
        else:
            self.gate.codes.withdraw(table, seat)
        return jsonify({})

    def addresses(self) -> Response:
        """Where the shared pages are, each with its code: nothing secret."""
        found = self.gate.host.addresses
        pages = [("table", f"{found[0]}/table"), ("setup", f"{found[0]}/setup"), ("camera", f"{found[-1]}/camera")]
        return jsonify({"pages": [{"page": p, "address": a, "svg": code_svg(a)} for p, a in pages],
                        "name": _named(found[0], self.gate.host.local_name)})


def _named(address: str, name: str) -> str:
    """`address` with the machine's name in place of its number; "" without a name."""
    return f"http://{name}:{address.rpartition(':')[2]}" if name else ""


def seat_rows(gate: Gate, table: OpenTable) -> list[dict[str, Any]]:
    """Every seat: whose it is, whether it was taken, whether its code is withdrawn, how many devices are there."""
    session = table.session.header.session
    rows = []
    for i, info in enumerate(table.session.header.setup.seats):
        now = gate.codes.now(table, Seat(i))
        rows.append({"seat": Seat(i).name, "name": info.name, "joined": bool(now.devices), "withdrawn": now.withdrawn,
                     "devices": gate.presence.devices(session, Seat(i))})
    return rows


def _seat_json(gate: Gate, table: OpenTable, row: dict[str, Any]) -> dict[str, Any]:
    code = gate.codes.code(table, Seat[row["seat"]])
    if code is None:
        return row
    address = f"{gate.host.addresses[0]}/join/{row['seat']}#{code}"
    return row | {"address": address, "svg": code_svg(address)}
