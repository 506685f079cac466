"""The routes that look: the table, the record, the games, the devices; none changes anything."""

from __future__ import annotations

from typing import Any

import segno
from flask import Response, jsonify, request

from companion.core.types import Seat
from companion.table.commands import Answer
from web.calls import HIDDEN, Calls, refusal, secrets_are_kept
from web.errors import ApiError
from web.gate import Gate, number_argument
from web.history import chart_json, records_json, state_json
from web.proposals import proposal_json
from web.routes import openapi
from web.stream import events
from web.texts import language, script_words, translator
from web.views import Speaker

SLOW_FPS = 2
"""Below this the rate is shown with a decimal; above, a whole number changes seldom enough to be no news."""


def device_json(gate: Gate) -> dict[str, Any]:
    """How every device is, without anything secret. Made for all streams together, see app.py; `Broadcast.devices` says
    it in a language."""
    host = gate.host
    camera, box = host.camera, host.box
    data: dict[str, Any] = {"camera": None, "box": None, "tally": host.tally is not None,
                            "proposal": proposal_json(gate.proposals.now(host.table))}
    if camera is not None:
        look, health, question = camera.look(), camera.health(), camera.question()
        data["camera"] = {
            "state": health.state, "text": health.text, "remedy": health.remedy, "virtual": health.virtual,
            "view": look.view, "note": look.note, "size": list(look.size),
            "fps": round(look.fps, 1) if look.fps < SLOW_FPS else round(look.fps),
            "question": None if question is None
            else {"choices": [list(c) for c in question.choices], "slots": list(question.slots)},
        }
    if box is not None:
        health = box.health()
        data["box"] = {
            "state": health.state, "text": health.text, "remedy": health.remedy, "virtual": health.virtual,
            "inputs": list(box.inputs()), "leds": list(box.leds()), "facts": dict(health.facts),
        }
    return data


class Looking(Calls):
    """The methods of the routes that look."""

    def openapi(self) -> Response:
        """The document of this API."""
        return jsonify(openapi())

    def state(self) -> Response:
        """The table as the client may see it."""
        if self.gate.host.table is None and not request.args.get("as"):
            return jsonify({"session": None})
        client = self._client()
        return Response(self.broadcast.state(self.gate.table(), client, language()), mimetype="application/json")

    def stream(self) -> Response:
        """Server-sent events for the client."""
        client = self._client()
        last_id = request.headers.get("Last-Event-ID", "")[:200]
        if not self.broadcast.enter():
            raise ApiError(503, "too many pages are open", code="streams", remedy="Close one of them.")
        answer = Response(events(self.broadcast, client, language(), last_id), mimetype="text/event-stream")
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    def devices(self) -> Response:
        """How the devices are."""
        return jsonify(self.broadcast.devices(language()))

    def records(self) -> Response:
        """What happened after a record."""
        client, after = self._client(), number_argument("after", 0)
        return jsonify({"records": records_json(self.gate.table(), client, language(), after or 0)})

    def record_state(self, number: int) -> Response:
        """The table after a record."""
        client = self._client()
        try:
            return jsonify(state_json(self.gate.table(), client, number))
        except (ValueError, IndexError) as error:
            raise ApiError(404, "there is no record {number}", where="number", words={"number": number}) from error

    def evidence(self, number: int) -> Response:
        """The picture kept for a record."""
        self._referee()
        camera = self.gate.host.camera
        picture = None if camera is None else camera.evidence(number)
        if picture is None:
            raise ApiError(404, "no picture was kept for record {number}", where="number", words={"number": number})
        return Response(picture.jpeg, mimetype="image/jpeg")

    def charts(self) -> Response:
        """Figures of the game."""
        return jsonify(chart_json(self.gate.table(), language()))

    def clause(self, name: str) -> Response:
        """A clause of the rules."""
        table = self.gate.table()
        if name not in table.spec.clauses:
            raise ApiError(404, "{game} has no clause {name}", where="name",
                           words={"game": table.spec.title, "name": repr(name)})
        return jsonify(Speaker(table, language()).clause(name))

    def words(self) -> Response:
        """Texts of the scripts."""
        return jsonify({"language": language(), "words": script_words(language())})

    def games(self) -> Response:
        """What can be set up."""
        found = []
        for spec in self.gate.host.games():
            translate = translator(language(), spec)
            options = [
                {
                    "key": o.key, "title": translate(o.title), "clause": o.clause,
                    "values": [
                        {"value": v, "text": translate(label)}
                        for v, label in zip(o.values, o.labels or o.values, strict=True)
                    ],
                }
                for o in spec.options
            ]
            found.append({
                "name": spec.name, "title": spec.title, "min": spec.min_seats, "max": spec.max_seats,
                "colours": list(spec.colours), "options": options, "camera": spec.blame is not None,
                "catalogues": list(self.gate.host.catalogues(spec.name)), "tally": spec.score_faces is not None,
                "first": self.gate.host.asks_who_begins(spec.name),
            })
        return jsonify({"games": found})

    def faces(self, name: str) -> Response:
        """The faces of a game's own catalogue."""
        return jsonify({"faces": dict(self.gate.host.faces(name))})

    def sessions(self) -> Response:
        """All sessions."""
        self._referee()
        return jsonify({"sessions": list(self.gate.host.sessions())})

    def seats(self) -> Response:
        """The codes by which phones join: an address that carries the seat's token behind the #."""
        self._referee()
        table = self.gate.table()
        found = []
        for i, info in enumerate(table.session.header.setup.seats):
            seat = Seat(i)
            token = self.gate.access.seat_token(table.session.header.session, seat)
            address = f"{self.gate.host.addresses[0]}/join/{seat.name}#{token}"
            code = segno.make(address, error="m").svg_inline(scale=4, border=2, dark="#000", light="#fff")
            found.append({"seat": seat.name, "name": info.name, "address": address, "svg": code})
        return jsonify({"seats": found})

    def export(self) -> Response:
        """The record: it tells what players hold in secret, so it is given out when the game is over."""
        table = self.gate.table()
        session = table.session
        if session.rules.result(session.state) is None:
            raise ApiError(
                409, "the record tells secrets: it is given out when the game is over", code="not-over",
                remedy="The host can take it with `companion export`.",
            )
        name = session.header.session
        answer = Response(self.gate.host.export(name), mimetype="application/x-ndjson")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}.jsonl"'
        return answer

    def undo_plan(self) -> Response:
        """What an undo would mean."""
        client, table = self._client(), self.gate.table()
        plan = table.session.undo_plan(number_argument("to", None), client.seat)
        speaker = Speaker(table, language())
        if isinstance(plan, Answer):
            raise refusal(speaker, plan)
        return jsonify({
            "to": plan.to, "undone": list(plan.undone), "consents": [s.name for s in plan.consents],
            "crossings": [speaker.text(c.message, c.facts) for c in plan.crossings],
            "steps": [speaker.prompter.step(step) for step in plan.steps],
        })

    def camera_picture(self) -> Response:
        """The newest picture of the camera: it may show what lies behind the shields."""
        self._referee()
        camera = self.gate.host.camera
        if camera is None:
            raise ApiError(404, "there is no camera", remedy="Choose one in the set-up.")
        if secrets_are_kept(self.gate.host.table):
            raise ApiError(409, HIDDEN, code="hidden")
        picture = camera.picture(request.args.get("overlay", "1") == "1")
        if picture is None:
            raise ApiError(404, "no picture has come yet")
        return Response(picture.jpeg, mimetype="image/jpeg")
