"""The pages: server-rendered shells that the scripts fill from the state that comes with them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
)
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from companion.core.types import Seat, SeatInfo
from companion.i18n import LANGUAGE_NAMES, LANGUAGES, localize
from companion.table.ledger import now_ms
from web.errors import ApiError
from web.handlers.verifying import with_words
from web.overlay.calls import ELEMENTS, overlay_text
from web.roles.access import Client, Role
from web.roles.gate import REFEREE, SPECTATOR, Gate
from web.stream import Broadcast
from web.texts import LANGUAGE_COOKIE, language, script_words, translator

YEAR_S = 365 * 24 * 3600
VERIFIER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The verifier of the draws is one file with its own script, so that it works from a disk too; it loads nothing."""


class Pages:
    """Renders the pages for whoever asks."""

    def __init__(self, gate: Gate, broadcast: Broadcast) -> None:
        self.gate, self.broadcast = gate, broadcast

    def show(self, template: str, client: Client = SPECTATOR, **more: Any) -> Response:
        """The page `template` for `client`, with the state as the client may see it."""
        wanted = language()
        table = self.gate.host.table
        cookie = self.gate.cookie(client)
        seats = self._seats()
        own = [(name, info) for name, info in seats if self.gate.cookie(Client(Role.SEAT, Seat[name]))]
        state = '{"session": null}' if table is None else self.broadcast.state(table, client, wanted)
        boot = {
            "as": client.wire,
            "token": self.gate.access.request_token(cookie) if cookie else "",
            "language": wanted,
            "words": script_words(wanted),
            "now_ms": now_ms(),
            "art": bool(self.gate.host.film),
            "own_art": self.gate.host.own_art,
            "own_faces": self.gate.host.own_faces,
            "home": _home(bool(self.gate.cookie(REFEREE)), [name for name, _ in own]),
            "devices": self.broadcast.devices(wanted, client if cookie else None),
            **more,
        }
        page = render_template(
            template, **more, _=translator(wanted, None if table is None else table.spec), language=wanted,
            languages=LANGUAGE_NAMES, table=table, client=client, state=in_script(state),
            boot=in_script(json.dumps(boot, ensure_ascii=False)), camera_address=self.gate.host.addresses[-1],
            has_camera=self.gate.host.camera is not None, has_box=self.gate.host.box is not None,
            elements=ELEMENTS, has_tally=self.gate.host.tally is not None,
            can_shut_down=self.gate.host.upkeep.can_shut_down,
            seats=seats, own_seats=own, not_resumed=self._not_resumed(wanted),
        )
        answer = make_response(page)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def _not_resumed(self, wanted: str) -> str:
        """Why the last game does not go on, in the language `wanted`; "" when it does, or there was none."""
        error = self.gate.host.not_resumed
        return "" if error is None else str(localize(error.said, translator(wanted)))

    def _seats(self) -> list[tuple[str, SeatInfo]]:
        """The seats of the game that is being played: letter and who sits there; none without a game."""
        table = self.gate.host.table
        return [] if table is None else [
            (Seat(i).name, info) for i, info in enumerate(table.session.header.setup.seats)
        ]

    def referee_page(self, template: str) -> Response:
        """A page of the referee, or the question for the PIN."""
        if not self.gate.cookie(REFEREE):
            return self.show("login.html")
        return self.show(template, REFEREE)

    def seat(self, name: str) -> Response:
        """A player's own page, or how to join."""
        if not self._is_here(name):
            return self.show("join.html", seat=name)
        seat = self.gate.seat(name)
        client = Client(Role.SEAT, seat)
        if self.gate.cookie(client):
            return self.show("seat.html", client)
        return self.show("join.html", seat=name, out=self.gate.was_at(seat))

    def _is_here(self, name: str) -> bool:
        """Whether the game that is being played has the seat. Phones stay where a game with more players has left them,
        and play on when it is gone on with."""
        return any(name == letter for letter, _ in self._seats())

    def overlay(self, element: str) -> Response:
        """One element of the table for a stream: it gets the delayed state and nothing else."""
        if element not in ELEMENTS:
            raise ApiError(404, "expected one of {known}, got {got}", where="element",
                           words={"known": ", ".join(ELEMENTS), "got": repr(element)})
        wanted = language()
        boot: dict[str, Any] = {
            "as": None, "token": "", "language": wanted, "words": script_words(wanted), "now_ms": now_ms(),
            "devices": {"camera": None, "box": None, "seats": []}, "stream": "/api/overlay/stream",
        }
        page = render_template(
            "overlay.html", _=translator(wanted), language=wanted, element=element,
            state=in_script(overlay_text(self.gate.host, wanted)),
            boot=in_script(json.dumps(boot, ensure_ascii=False)),
        )
        answer = make_response(page)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def draws(self) -> Response:
        """The digital bag: led by the referee, added to by a seat that asks as itself, looked at by everybody."""
        name = request.args.get("seat")
        if name is not None and self._is_here(name):
            seat = Client(Role.SEAT, self.gate.seat(name))
            return self.show("draws.html", seat if self.gate.cookie(seat) else SPECTATOR)
        return self.show("draws.html", REFEREE if self.gate.cookie(REFEREE) else SPECTATOR)

    def verifier(self) -> Response:
        """The verifier of the draws; it tells those of the present game as the record's page does."""
        shipped = Path(str(current_app.static_folder)) / "verify.html"
        answer = make_response(with_words(shipped.read_text(encoding="utf-8"), self.gate.host.table))
        answer.headers["Content-Security-Policy"] = VERIFIER_POLICY
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _home(referee: bool, seats: Sequence[str]) -> str:
    """Where this browser follows the game: the referee's page, the page of its only seat, or the table."""
    if referee:
        return "/referee"
    return f"/seat/{seats[0]}" if len(seats) == 1 else "/table"


def in_script(text: str) -> str:
    """JSON that can stand in a script element: it cannot end the element."""
    return text.replace("<", "\\u003c")


def blueprint(gate: Gate, broadcast: Broadcast) -> Blueprint:
    """The addresses of the pages."""
    pages = Pages(gate, broadcast)
    found = Blueprint("pages", __name__)
    for address, template in (("/", "home.html"), ("/table", "table.html"), ("/charts", "charts.html"),
                              ("/record", "record.html"), ("/sheet", "sheet.html"), ("/result", "result.html"),
                              ("/history", "history.html")):
        found.add_url_rule(address, template.removesuffix(".html"), _shown(pages, template))
    for name in ("referee", "setup", "tally", "camera", "enrol", "lens", "doctor", "backup"):
        found.add_url_rule(f"/{name}", name, _of_referee(pages, f"{name}.html"))
    found.add_url_rule("/overlay", "overlays", lambda: pages.show("overlays.html"))
    found.add_url_rule("/overlay/<element>", "overlay", pages.overlay)
    found.add_url_rule("/draws", "draws", pages.draws)
    found.add_url_rule("/seat/<name>", "seat", pages.seat)
    found.add_url_rule("/join/<name>", "join", lambda name: pages.show("join.html", seat=name))
    found.add_url_rule("/language/<name>", "language", choose_language)
    found.add_url_rule("/verify.html", "verify", pages.verifier)
    return found


def _shown(pages: Pages, template: str) -> Any:
    # Some pages offer the referee more: evidence pictures, going back, the same game once more.
    leads = template in ("record.html", "result.html")
    return lambda: pages.show(template, REFEREE if leads and pages.gate.cookie(REFEREE) else SPECTATOR)


def _of_referee(pages: Pages, template: str) -> Any:
    return lambda: pages.referee_page(template)


def choose_language(name: str) -> AnyResponse:
    """Remember the language of this browser and go back to where it came from."""
    if name not in LANGUAGES:
        raise ApiError(404, "expected one of {known}, got {got}", where="name",
                       words={"known": ", ".join(LANGUAGES), "got": repr(name)})
    answer = redirect(_own_path(request.args.get("back", "/")), 303)
    answer.set_cookie(LANGUAGE_COOKIE, name, max_age=YEAR_S, samesite="Lax", path="/")
    return answer


def _own_path(address: str) -> str:
    """`address` if a page of this server stands there, else the first page."""
    # Browsers leave out tabs and line ends, and take \ for /: only what needs no reading is followed.
    if not re.fullmatch(r"/[A-Za-z0-9._~/-]*", address) or address.startswith("//"):
        return "/"
    try:
        current_app.url_map.bind("").match(address, method="GET")
    except HTTPException:
        return "/"
    return address
