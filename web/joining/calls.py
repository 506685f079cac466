"""The routes by which people come to the table: codes, who is there, and the addresses of the shared pages."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from companion.core.types import Seat
from web.calls import Calls, with_cookie
from web.errors import ApiError
from web.joining.pictures import code_svg
from web.ports.tables import OpenTable
from web.roles.access import SEAT_COOKIE, Client, Role
from web.roles.gate import Gate, sender


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
        self.gate.access.pins.give_back(sender())
        return with_cookie(jsonify({"as": seat.name}), SEAT_COOKIE.format(seat=seat.name), token)

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
        """Withdraw a seat's code, or make it anew: its devices are out, but for the one that makes it anew."""
        client, seat = self.gate.change(body["as"], Role.SEAT, Role.REFEREE), self.gate.seat(body["seat"])
        renews = body["do"] == "renew"
        if client.role is Role.SEAT and not (renews and seat is client.seat):
            raise ApiError(403, "{who} may not do this", where="seat", words={"who": client.name})
        session, answer = self.gate.table().session.header.session, jsonify({"seat": seat.name})
        if not renews:
            self.gate.access.withdraw(session, seat)
            return answer
        self.gate.access.renew(session, seat)
        if client.role is Role.REFEREE:
            return answer
        return with_cookie(answer, SEAT_COOKIE.format(seat=seat.name), self.gate.access.join_seat(session, seat))

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
    """Every seat: whose it is, whether its code is withdrawn, how often it was made anew, how many devices have joined,
    whether a page is open."""
    session = table.session.header.session
    rows = []
    for i, info in enumerate(table.session.header.setup.seats):
        now = gate.codes.now(table, Seat(i))
        rows.append({"seat": Seat(i).name, "name": info.name, "joined": len(now.devices), "withdrawn": now.withdrawn,
                     "renewed": now.renewed, "here": gate.presence.is_at(session, Seat(i))})
    return rows


def _seat_json(gate: Gate, table: OpenTable, row: dict[str, Any]) -> dict[str, Any]:
    code = gate.codes.code(table, Seat[row["seat"]])
    if code is None:
        return row
    address = f"{gate.host.addresses[0]}/join/{row['seat']}#{code}"
    return row | {"address": address, "svg": code_svg(address)}
