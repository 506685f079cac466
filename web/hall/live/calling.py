"""Referee calls: what tables say, and the list on a referee's phone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.core.errors import DataError
from companion.hub.live.calls import Call
from web.errors import ApiError
from web.hall.delivering import json_of, table_of
from web.hall.desk import Desk
from web.hall.live.boot import live_page

ABOUT = ("id", "table", "table_name", "who", "made_ms", "person", "person_id", "taken_ms", "done_ms")


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("calling", __name__)
    calls = desk.hall.calls

    def listed() -> dict[str, Any]:
        person = desk.need()
        return {"me": person.id, "open": [_json(one) for one in calls.open()],
                "done": [_json(one) for one in calls.done()]}

    @found.get("/calls")
    def page() -> Response | AnyResponse:
        if desk.person() is None:
            return redirect("/login", 303)
        return live_page(desk, "calls.html", hall={"query": "as=staff&table=0", "calls": listed()})

    @found.get("/api/calls")
    def all_calls() -> Response:
        return jsonify(listed())

    @found.post("/api/calls/<int:call>")
    def change(call: int) -> Response:
        """Take a call, give it back, say that it is done; the list after it."""
        person = desk.change()
        body = request.get_json(silent=True)
        do = body.get("do") if isinstance(body, dict) else None
        try:
            if do == "take":
                calls.take(call, person, desk.hall.clock_ms())
            elif do == "give-back":
                calls.give_back(call, person)
            elif do == "done":
                calls.finish(call, person, desk.hall.clock_ms())
            else:
                raise ApiError(400, "expected one of {known}, got {got}", where="do",
                               words={"known": "take, give-back, done", "got": repr(do)[:80]})
        except DataError as error:
            raise ApiError(409, "somebody else has this call, or it is done") from error
        return jsonify(listed())

    @found.post("/api/table/call")
    def of_table() -> Response:
        """A table calls a referee, needs none any more, or asks how its call stands (key "")."""
        table = table_of(desk)
        body = json_of({"key": str, "who": str, "wanted": bool})
        call = calls.hear(table, body["key"], body["who"], body["wanted"], desk.hall.clock_ms())
        return jsonify(call=None if call is None else {
            "key": call.key, "who": call.who, "person": call.person, "done": call.done_ms is not None,
        })

    return found


def _json(call: Call) -> dict[str, Any]:
    told = asdict(call)
    return {key: told[key] for key in ABOUT}
