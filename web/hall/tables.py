"""The organiser's page of tables: who is there, codes by which a machine joins, keys taken back."""

from __future__ import annotations

import json
import time

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.hub.store.staff import StaffRole
from web.hall.desk import Desk
from web.hall.metrics import BEHIND_MS

HOUR_S = 3600


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("tables", __name__)
    hall = desk.hall

    def page(code: str = "", table: int = 0) -> str:
        found = hall.database.rows("SELECT table_id, status FROM hall_statuses")
        backlog = {row["table_id"]: json.loads(row["status"])["backlog"] for row in found}
        refused = [
            (one, one.fork or backlog.get(one.table, {}).get("refused", {}).get(one.session))
            for one in hall.intake.deliveries() if not one.put_aside
        ]
        every = hall.tables.all()
        return render_template(
            "hall_tables.html", tables=every, names={one.id: one.name for one in every}, code=code, coded=table,
            now_ms=hall.clock_ms(),
            address=request.host_url.rstrip("/"), late_ms=BEHIND_MS, ago=ago, day=day_of, backlog=backlog,
            refused=[(one, why) for one, why in refused if why],
        )

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

    @found.post("/tables/games/<int:session>/take-anew")
    def take_anew(session: int) -> AnyResponse:
        desk.change(StaffRole.ORGANISER)
        hall.intake.put_aside(session)
        return redirect("/tables", 303)

    return found


def ago(now_ms: int, then_ms: int) -> str:
    """How long ago, as minutes and seconds, or hours and minutes."""
    seconds = max(0, now_ms - then_ms) // 1000
    minutes = seconds // 60
    return f"{minutes}:{seconds % 60:02d}" if seconds < HOUR_S else f"{minutes // 60}:{minutes % 60:02d} h"


def day_of(then_ms: int) -> str:
    """A moment in the hub's own time."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(then_ms / 1000))
