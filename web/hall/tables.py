"""The organiser's page of tables: who is there, codes by which a machine joins, keys taken back."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.hub.store.staff import StaffRole
from web.hall.desk import Desk


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("tables", __name__)
    hall = desk.hall

    def page(code: str = "", table: int = 0) -> str:
        return render_template("hall_tables.html", tables=hall.tables.all(), now_ms=hall.clock_ms(), code=code,
                               coded=table, address=request.host_url.rstrip("/"))

    @found.get("/tables")
    def tables() -> str | AnyResponse:
        return page() if desk.person() is not None else redirect("/login", 303)

    @found.post("/tables")
    def add() -> AnyResponse:
        desk.change(StaffRole.ORGANISER)
        hall.tables.add(request.form.get("name", ""), hall.clock_ms())
        return redirect("/tables", 303)

    @found.post("/tables/<int:table>/code")
    def code(table: int) -> str:
        desk.change(StaffRole.ORGANISER)
        return page(hall.tables.new_code(table, hall.clock_ms()), table)  # shown once: only its hash is kept

    @found.post("/tables/<int:table>/revoke")
    def revoke(table: int) -> AnyResponse:
        desk.change(StaffRole.ORGANISER)
        hall.tables.revoke(table)
        return redirect("/tables", 303)

    return found
