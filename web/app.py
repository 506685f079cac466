"""The Flask application of the dashboard: pages, API and streams over the ports of one companion."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

from web import api, errors, pages
from web.errors import ApiError
from web.handlers.looking import device_json
from web.ports.tables import HostPort
from web.roles.access import Access
from web.roles.gate import PICTURE_MOST_BYTES, Gate
from web.stream import Broadcast

DEVICES_S = 0.05
"""How long what is known of the devices is shown again before they are asked anew: all streams may look at once."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; media-src 'self' blob:; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def create_app(host: HostPort, access: Access, clock_s: Callable[[], float] = time.monotonic) -> Flask:
    """The application over `host`; whoever serves it needs a thread for every open stream."""
    app = Flask("web", static_folder="static", template_folder="templates", root_path=str(Path(__file__).parent))
    app.config["MAX_CONTENT_LENGTH"] = PICTURE_MOST_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.strict_slashes = True
    gate = Gate(host, access)
    app.extensions["access"] = access
    broadcast = Broadcast(host, _remembered(lambda: device_json(gate), clock_s), gate.told)
    app.register_blueprint(api.blueprint(gate, broadcast))
    app.register_blueprint(pages.blueprint(gate, broadcast))
    errors.install(app)
    app.before_request(_known_host)
    app.after_request(_guarded)
    return app


def _remembered(make: Callable[[], dict[str, Any]], clock_s: Callable[[], float]) -> Callable[[], dict[str, Any]]:
    """`make`, asked at most once in DEVICES_S by all streams together."""
    lock = threading.Lock()
    kept: dict[str, Any] = {}
    until = [-1.0]

    def look() -> dict[str, Any]:
        nonlocal kept
        with lock:
            now = clock_s()
            if not kept or now >= until[0]:
                kept = make()
                until[0] = now + DEVICES_S
            return kept

    return look


def _known_host() -> None:
    """Refuse names that are not of a local network: a foreign page cannot point its own name here (DNS rebinding)."""
    name = request.host.rpartition(":")[0] if ":" in request.host.rpartition("]")[2] else request.host
    name = name.strip("[]").lower()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        if "." in name and not name.endswith((".local", ".lan", ".home", ".home.arpa", ".internal", ".localhost")):
            raise ApiError(403, "this companion does not answer to the name {name}", code="host",
                           remedy="Use its number address.", words={"name": name}) from None


def _guarded(answer: Response) -> Response:
    answer.headers.setdefault("Content-Security-Policy", POLICY)
    answer.headers.setdefault("X-Content-Type-Options", "nosniff")
    answer.headers.setdefault("Referrer-Policy", "no-referrer")
    answer.headers.setdefault("Permissions-Policy", "camera=(self)")
    return answer
