"""The Flask application of a hall: each room of pages is a blueprint in BLUEPRINTS, over one `Hall`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response
from jinja2 import ChoiceLoader, FileSystemLoader

from companion.hub.hall import Hall
from companion.hub.store.staff import StaffRole
from companion.i18n import LANGUAGE_NAMES, listed
from web import errors
from web.app import POLICY
from web.hall import delivering, events, front, metrics, tables
from web.hall.access import HallAccess
from web.hall.desk import Desk
from web.hall.live import calling, overview, people, watching
from web.texts import LOCALE_FOLDERS, language, translator

HERE = Path(__file__).parent
BODY_MOST_BYTES = 4 * 2**20
"""A batch of a table's records; see `companion/hub/delivery/protocol.py`."""

BLUEPRINTS: tuple[Callable[[Desk], Blueprint], ...] = (
    front.blueprint, tables.blueprint, delivering.blueprint, metrics.blueprint,
    watching.blueprint, overview.blueprint, calling.blueprint, people.blueprint, events.blueprint,
)
"""A room of pages is a function of the desk that gives a blueprint: one line here."""

NAVIGATION: tuple[tuple[str, str, bool], ...] = (
    ("/watch", "Watch", False), ("/events", "Events", False), ("/live", "Overview", True),
    ("/calls", "Referee calls", True), ("/people", "Referees", True), ("/tables", "Tables", True),
)
"""Address, message id, and whether it is for the hall's people only: what stands in the head of every page."""
OF_ORGANISER = frozenset({"/people"})
"""Those of them that referees have not."""


def create_hall_app(hall: Hall, clock_s: Callable[[], float] = time.monotonic) -> Flask:
    """The application over `hall`; served by `companion.app.hub.serve`, which answers `/api/live` itself."""
    app = Flask("web.hall", static_folder=str(HERE.parent / "static"), root_path=str(HERE))
    app.jinja_loader = ChoiceLoader([
        FileSystemLoader(HERE / "templates"), FileSystemLoader(HERE.parent / "templates"),
    ])
    app.config["MAX_CONTENT_LENGTH"] = BODY_MOST_BYTES
    app.config[LOCALE_FOLDERS] = (HERE / "locale", HERE / "events" / "locale")
    app.url_map.strict_slashes = True
    access = HallAccess(hall.staff, clock_s)
    desk = Desk(hall, access)
    app.extensions["hall_desk"] = desk
    metrics.count_requests(app, desk.counts)
    own = Blueprint("hall_static", __name__, static_folder="static", static_url_path="/hall-static")
    app.register_blueprint(own)
    for make in BLUEPRINTS:
        app.register_blueprint(make(desk))
    errors.install(app)

    @app.context_processor
    def _of_every_page() -> dict[str, Any]:
        person, translate = desk.person(), translator(language())
        return {
            "_": translate, "listed": lambda names: listed(names, translate),
            "language": language(), "languages": LANGUAGE_NAMES, "person": person,
            "token": desk.token(),
            "navigation": [
                (to, text) for to, text, of_staff in NAVIGATION if person is not None or not of_staff
                if to not in OF_ORGANISER or (person is not None and person.role is StaffRole.ORGANISER)
            ],
        }

    app.after_request(_guarded)
    return app


def _guarded(answer: Response) -> Response:
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "same-origin")  # without one, browsers send forms from origin "null"
    if answer.mimetype == "text/html":
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
