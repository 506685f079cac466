"""The routes of tables: joining by a code, and the one request by which a table delivers and says how it stands."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.core.errors import DataError
from companion.hub.delivery.protocol import batch_from_json
from web.errors import ApiError
from web.hall.desk import Desk
from web.roles.gate import sender

KEY_LETTERS = 64


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("delivering", __name__)
    hall = desk.hall

    @found.post("/api/table/join")
    def join() -> Response:
        if not desk.access.joins.take(sender()):
            raise ApiError(429, "too many requests", remedy="Wait a moment and try again.")
        body = json_of({"code": str, "machine": str})
        table, name, key = hall.tables.join(body["code"], body["machine"], hall.clock_ms())
        return jsonify(table=table, name=name, key=key)

    @found.post("/api/table/report")
    def report() -> Response:
        table = table_of(desk)
        body = json_of({"turn": int, "status": (dict, type(None)), "delivery": (dict, type(None))})
        hall.statuses.put(table, body["turn"], body["status"], hall.clock_ms())
        if body["delivery"] is None:
            return jsonify(head=None)
        head = hall.intake.take(table, batch_from_json(body["delivery"]))
        desk.counts.records.inc(len(body["delivery"]["sent"]))
        return jsonify(head={"number": head.number, "link": head.link, "opened": head.opened})

    return found


def table_of(desk: Desk) -> int:
    """The table whose key the request brings. Raises ApiError 401."""
    text = request.headers.get("Authorization", "").removeprefix("Bearer ")
    number, _, key = text.partition(".")
    if number.isascii() and number.isdigit() and len(number) < KEY_LETTERS and desk.hall.tables.with_key(
        int(number[:9]), key
    ):
        return int(number)
    raise ApiError(401, "this table's key holds no more", remedy="Join again with a new code.")


def json_of(form: dict[str, Any]) -> dict[str, Any]:
    """The request's JSON, an object of these keys and kinds. Raises DataError for any other."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict) or set(body) != set(form):
        raise DataError("expected a JSON object with " + ", ".join(form))
    wrong = [key for key, kind in form.items() if not isinstance(body[key], kind)]
    if wrong:
        raise DataError("other values are expected: " + ", ".join(wrong))
    return body
