"""The first page, logging in and out, the language, and whether the hub is well."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.hub.store.staff import StaffRole
from web.errors import ApiError
from web.hall.access import COOKIE, DAY_S
from web.hall.desk import Desk
from web.pages import choose_language
from web.roles.gate import same_origin, sender


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("front", __name__)

    @found.get("/")
    def home() -> str:
        return render_template("hall_home.html", tables=desk.hall.tables.all())

    @found.get("/login")
    def login() -> str:
        return render_template("hall_login.html", wrong=False)

    @found.post("/login")
    def log_in() -> tuple[str, int] | AnyResponse:
        same_origin()
        wait_s = desk.access.patience.wait_s()
        if wait_s or not desk.access.pins.take(sender()):
            raise ApiError(429, "too many wrong PINs", remedy="Wait a moment and try again.")
        known = desk.access.log_in(request.form.get("pin", ""))
        if known is None:
            desk.access.patience.wrong(sender())
            return render_template("hall_login.html", wrong=True), 401
        desk.access.patience.right(sender())
        answer = redirect("/tables" if known[0].role is StaffRole.ORGANISER else "/calls", 303)
        answer.set_cookie(COOKIE, known[1], max_age=DAY_S, httponly=True, samesite="Strict", secure=request.is_secure,
                          path="/")
        return answer

    @found.post("/logout")
    def log_out() -> AnyResponse:
        desk.change()
        answer = redirect("/", 303)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    @found.get("/health")
    def health() -> Response:
        """Whether the database answers (503 by the error's way when not) and notices are heard."""
        desk.hall.database.rows("SELECT 1")
        return jsonify(database=True, notices=desk.hall.notices.connected.is_set())

    found.add_url_rule("/language/<name>", "language", choose_language)
    return found
