"""The JSON API: each route of the table in routes.py calls the method of that name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, g

from web.enrolment.calls import Enrolling
from web.handlers.acting import Acting
from web.handlers.button_box import ButtonBox
from web.handlers.equipment import Equipment
from web.handlers.hall_call import HallCalls
from web.handlers.looking import Looking
from web.handlers.overruling import Overruling
from web.handlers.played import PlayedGames
from web.joining.calls import Joining
from web.overlay.calls import Overlays
from web.roles.gate import BOX_FILE, JPEG, Gate, file_body, json_body, same_origin
from web.routes import ROUTES, Route
from web.schema import checker, record
from web.stream import Broadcast
from web.upkeep.calls import Upkeeping

FILES = {"jpeg": JPEG, "zip": BOX_FILE}
"""The kinds of file that a route can take as its body."""


class Api(
    Looking, PlayedGames, Overlays, Joining, Acting, Overruling, Equipment, ButtonBox, HallCalls, Enrolling, Upkeeping
):
    """All methods that the routes name."""


def blueprint(gate: Gate, broadcast: Broadcast) -> Blueprint:
    """The routes of the table as a blueprint."""
    api = Api(gate, broadcast)
    found = Blueprint("api", __name__)
    for route in ROUTES:
        found.add_url_rule(route.path, route.call, _view(api, gate, route), methods=[route.method])
    return found


def _view(api: Api, gate: Gate, route: Route) -> Any:
    call = getattr(api, route.call)
    check = checker(route.body if isinstance(route.body, Mapping) else record({}))

    def view(**parts: Any) -> Response:
        if route.method == "GET":
            answer: Response = call(**parts)
        else:
            same_origin()
            gate.count(gate.access.pictures if route.body == "jpeg" else gate.access.changes)
            g.change = True
            body = file_body(FILES[route.body]) if isinstance(route.body, str) else json_body(check)
            answer = call(body, **parts)
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    return view
