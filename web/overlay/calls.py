"""The routes and pages of the overlays."""

from __future__ import annotations

import json
import threading

from flask import Response, jsonify

from companion.table.ledger import now_ms
from web.calls import Calls
from web.errors import ApiError
from web.overlay.delayed import delayed_state, number_at, overlay_events
from web.ports.tables import HostPort
from web.roles.gate import SPECTATOR, sender
from web.texts import language

ELEMENTS = ("names", "score", "turn", "clock", "grid")


class Overlays(Calls):
    """The methods of these routes."""

    def overlay_state(self) -> Response:
        """The table as it was when the delay began, as a spectator knew it then."""
        host = self.gate.host
        table = self.gate.table()
        number = number_at(table, now_ms(), host.overlay_delay_s)
        return jsonify(delayed_state(table, number, language(), host.overlay_delay_s))

    def overlay_stream(self) -> Response:
        """The same as server-sent events."""
        host = self.gate.host
        table, who = self.gate.table(), sender()
        if not self.broadcast.enter(SPECTATOR, who):
            raise ApiError(503, "too many pages are open", code="streams", remedy="Close one of them.")
        stream = overlay_events(
            table, language(), host.overlay_delay_s, now_ms, lambda: host.table is table and not host.ended,
            threading.Event().wait,
        )
        answer = Response(stream, mimetype="text/event-stream")
        answer.call_on_close(lambda: self.broadcast.leave(SPECTATOR, who))
        answer.headers["X-Accel-Buffering"] = "no"
        return answer


def overlay_text(host: HostPort, wanted: str) -> str:
    """The state that an overlay's page begins with, as JSON text."""
    table = host.table
    if table is None:
        return '{"session": null}'
    number = number_at(table, now_ms(), host.overlay_delay_s)
    return json.dumps(delayed_state(table, number, wanted, host.overlay_delay_s), ensure_ascii=False)
