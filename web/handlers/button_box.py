"""The routes of the button box: which it is, its name, the walk round it, and what people do to a virtual one."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from companion.i18n import localize
from web.calls import Calls, secrets_are_kept
from web.errors import ApiError
from web.ports.devices import BoxPort, WalkLook
from web.roles.access import Role
from web.texts import language, translator

ALL_STATIONS = 4


class ButtonBox(Calls):
    """The methods of the routes of the button box."""

    def box_look(self) -> Response:
        """Which box it is, how it is, and how the walk round it stands."""
        self._referee()
        return self._shown()

    def box_walk(self, body: dict[str, Any]) -> Response:
        """Begin the walk, say what its step asks, or end it."""
        self.gate.change(body["as"], Role.REFEREE)
        walk, do, at = self._box().walk, body["do"], body.get("at", 0)
        if do == "begin":
            if secrets_are_kept(self.gate.host.table):
                raise ApiError(409, "players choose in secret now, and need the box",
                               remedy="Test the box before a game, or when they have chosen.")
            walk.begin(body.get("stations", ALL_STATIONS))
        elif do == "skip":
            walk.skip(at)
        elif do == "end":
            walk.end()
        else:
            walk.answer(at, do == "right")
        return self._shown()

    def box_name(self, body: dict[str, Any]) -> Response:
        """Name the box."""
        self.gate.change(body["as"], Role.REFEREE)
        if not body["name"].isprintable():
            raise ApiError(400, "a name is on one line", where="body.name")
        self._box().be_called(body["name"])
        return self._shown()

    def box_touch(self, body: dict[str, Any]) -> Response:
        """Touch an input of the virtual box."""
        self.gate.change(body["as"], Role.REFEREE)
        self._box().touch(body["input"], body.get("press"))
        return jsonify({})

    def box_fault(self, body: dict[str, Any]) -> Response:
        """A fault of the virtual box."""
        self.gate.change(body["as"], Role.REFEREE)
        self._box().fault(body["command"])
        return jsonify({})

    def _box(self) -> BoxPort:
        if self.gate.host.box is None:
            raise ApiError(409, "there is no button box")
        return self.gate.host.box

    def _shown(self) -> Response:
        box, table = self.gate.host.box, self.gate.host.table
        if box is None:
            return jsonify({"box": None})
        look = box.walk.look()  # before the rest, which says what came of it
        translate, about, health = translator(language()), box.about(), box.health()
        shown = {
            "id": about.box, "name": about.name, "tested": about.tested, "port": about.port, "board": about.board,
            "firmware": about.firmware, "idle": about.idle, "state": health.state, "text": health.text,
            "remedy": health.remedy, "virtual": health.virtual, "leds": list(box.leds()), "inputs": list(box.inputs()),
            "stations": ALL_STATIONS if table is None else min(ALL_STATIONS, len(table.session.header.setup.seats)),
            "walk": None if look is None else _walk_json(look),
        }
        return jsonify({"box": localize(shown, translate)})


def _walk_json(look: WalkLook) -> dict[str, Any]:
    return {
        "at": look.at, "count": look.count, "ask": look.ask, "kind": look.kind, "station": look.station,
        "shows": list(look.shows), "hint": look.hint, "over": look.over, "passed": look.passed,
        "rows": [{"ask": row.ask, "outcome": row.outcome, "cause": row.cause} for row in look.rows],
    }
