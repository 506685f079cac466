"""The overview of all tables for the hall's people, what the screens show, and reviews of scores."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.hub.live.showing import DELAY_MOST_S, STAY_LEAST_S, STAY_MOST_S
from companion.hub.store.staff import StaffRole
from web.errors import ApiError
from web.hall.desk import Desk
from web.hall.live.boot import live_page


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("overview", __name__)
    hall = desk.hall

    @found.get("/live")
    def overview() -> Response | AnyResponse:
        if desk.person() is None:
            return redirect("/login", 303)
        return live_page(desk, "overview.html", hall={"query": "as=staff&brief=1"}, delay_s=hall.showing.delay_s(),
                         stay_s=hall.showing.stay_s(), most_s=DELAY_MOST_S, stay_least_s=STAY_LEAST_S,
                         stay_most_s=STAY_MOST_S)

    @found.post("/live/showing")
    def showing() -> AnyResponse:
        desk.change(StaffRole.ORGANISER)
        try:
            delay_s, stay_s = int(request.form["delay_s"]), int(request.form["stay_s"])
        except (KeyError, ValueError) as error:
            raise ApiError(400, "expected whole seconds") from error
        hall.showing.change(delay_s, stay_s)
        return redirect("/live", 303)

    @found.post("/api/live/<int:table>/review")
    def review(table: int) -> Response:
        """Put the table's score under review, or release it."""
        person = desk.change()
        body = request.get_json(silent=True)
        if not isinstance(body, dict) or body.get("do") not in ("begin", "end"):
            raise ApiError(400, "expected one of {known}, got {got}", where="do",
                           words={"known": "begin, end", "got": repr(body)[:80]})
        if hall.board.table(table) is None:
            raise ApiError(404, "there is no such table")
        if body["do"] == "begin":
            hall.showing.begin_review(table, person.name, str(body.get("why", "")), hall.clock_ms(),
                                      hall.board.shown(table))
        else:
            hall.showing.end_review(table)
        return jsonify({})

    return found
