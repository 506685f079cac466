"""The organiser's page of the hall's referees: log-ins by a code, new PINs, rights taken back."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.hub.store.staff import StaffRole
from web.errors import ApiError
from web.hall.desk import Desk
from web.joining.pictures import code_svg


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("people", __name__)
    staff = desk.hall.staff

    def referee(number: int) -> str:
        known = [one for one in staff.people() if one.id == number and one.role is StaffRole.REFEREE]
        if not known:
            raise ApiError(404, "there is no such referee")
        return known[0].name

    def page(name: str = "", pin: str = "") -> str:
        address = f"{request.host_url.rstrip('/')}/login"
        return render_template(
            "live/people.html", people=[one for one in staff.people() if one.role is StaffRole.REFEREE], name=name,
            pin=pin, address=address, code=code_svg(f"{address}#{pin}") if pin else "",
        )

    @found.get("/people")
    def people() -> str | AnyResponse:
        if desk.person() is None:
            return redirect("/login", 303)
        desk.need(StaffRole.ORGANISER)
        return page()

    @found.post("/people")
    def add() -> str:
        desk.change(StaffRole.ORGANISER)
        name = request.form.get("name", "")
        return page(name, staff.add(name, StaffRole.REFEREE)[1])  # shown once: only its hash is kept

    @found.post("/people/<int:number>/pin")
    def pin(number: int) -> str:
        desk.change(StaffRole.ORGANISER)
        name = referee(number)
        return page(name, staff.change_pin(number))

    @found.post("/people/<int:number>/revoke")
    def revoke(number: int) -> AnyResponse:
        desk.change(StaffRole.ORGANISER)
        referee(number)
        staff.revoke(number, desk.hall.clock_ms())
        return redirect("/people", 303)

    return found
