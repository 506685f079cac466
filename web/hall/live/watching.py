"""The pages of the public: every table as its spectators see it, overlays for streams, the screen that turns."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.core.game_kit.table_names import table_names
from companion.hub.live.board import TableNow
from companion.i18n import calling
from companion.table.record.store_tables import read_header
from web.errors import ApiError
from web.hall.desk import Desk
from web.hall.live.boot import NOTHING, live_page
from web.overlay.calls import ELEMENTS
from web.texts import language, translator

MOST_GAMES = 200
"""Games whose clauses are kept, by their headers."""


def blueprint(desk: Desk) -> Blueprint:
    """Their addresses."""
    found = Blueprint("watching", __name__)
    hall = desk.hall

    def now_of(table: int) -> TableNow:
        now = hall.board.table(table)
        if now is None:
            raise ApiError(404, "there is no such table")
        return now

    @found.get("/watch")
    def watch() -> Response:
        return live_page(desk, "watch_all.html", hall={"query": "brief=1"})

    @found.get("/watch/<int:table>")
    def watch_one(table: int) -> Response:
        now = now_of(table)
        return live_page(desk, "watch.html", page_text(now.public), name=now.name, elements=ELEMENTS, of_staff=False,
                         hall=_of_table(now.public, table, f"table={table}"))

    @found.get("/watch/<int:table>/overlay/<element>")
    def overlay(table: int, element: str) -> Response:
        if element not in ELEMENTS:
            raise ApiError(404, "expected one of {known}, got {got}", where="element",
                           words={"known": ", ".join(ELEMENTS), "got": repr(element)})
        now = now_of(table)
        return live_page(desk, "table_overlay.html", page_text(now.public), element=element, name=now.name,
                         hall={"query": f"table={table}"})

    @found.get("/screen")
    def screen() -> Response:
        return live_page(desk, "screen.html", hall={"query": "", "stay_s": hall.showing.stay_s()})

    @found.get("/live/<int:table>")
    def staff_watch(table: int) -> Response:
        desk.need()
        now = now_of(table)
        return live_page(desk, "watch.html", page_text(now.staff), name=now.name, elements=ELEMENTS, of_staff=True,
                         hall=_of_table(now.staff, table, f"table={table}&as=staff"))

    @found.get("/api/watch/<int:table>/clauses/<clause>")
    def clause(table: int, clause: str) -> Response:
        """A clause of the game that is shown of a table; rules are no secret."""
        now = now_of(table)
        session = json.loads(now.public if desk.person() is None else now.staff).get("session", "")
        row = hall.database.rows(
            "SELECT header FROM hall_sessions WHERE table_id = :table AND session = :session AND put_aside_ms IS NULL",
            table=table, session=session,
        )
        known = _clauses(desk, session, row[0]["header"], language()) if row else {}
        if clause not in known:
            raise ApiError(404, "there is no such clause")
        return jsonify(known[clause])

    return found


def page_text(told: str) -> str:
    """The page in a table's message, as JSON."""
    page = json.loads(told).get("page")
    return NOTHING if page is None else json.dumps(page, ensure_ascii=False)


def _of_table(told: str, table: int, query: str) -> dict[str, Any]:
    about = {key: value for key, value in json.loads(told).items() if key != "page"}
    return {"query": query, "table": table, "now": about, "clauses": f"/api/watch/{table}/clauses"}


@lru_cache(maxsize=MOST_GAMES)
def _clauses(desk: Desk, session: str, header: str, wanted: str) -> dict[str, dict[str, str]]:
    spec, rules = desk.hall.rules_of(read_header(session, header, 0))
    names = table_names(spec, rules)
    translate = calling(translator(wanted, spec), names)
    return {
        name: {"id": name, "title": translate(one.title), "text": translate(one.text), "source": one.source.value}
        for name, one in spec.clauses.items()
    }
