"""The route by which a table of a hall calls one of the hall's referees."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from web.calls import Calls
from web.errors import ApiError
from web.ports.hall import HallPort
from web.roles.access import Role


class HallCalls(Calls):
    """The methods of these routes."""

    def hall_call(self, body: dict[str, Any]) -> Response:
        """Call a referee of the hall, or say that nobody is needed any more."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        hall = self.gate.host.hall
        if hall is None:
            raise ApiError(409, "this table belongs to no hall")
        table = self.gate.host.table
        if body["do"] == "withdraw":
            hall.withdraw()
        elif client.seat is None or table is None:
            hall.call("")
        else:
            hall.call(table.session.header.setup.seats[client.seat].name)
        return jsonify(hall_json(hall))


def hall_json(hall: HallPort | None) -> dict[str, Any] | None:
    """What pages show of the hall; None when this table belongs to none."""
    if hall is None:
        return None
    look = hall.look()
    call = None if look.call is None else {"who": look.call.who, "sent": look.call.sent, "person": look.call.person}
    return {"name": look.name, "linked": look.linked, "call": call}
