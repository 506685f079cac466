"""The routes that look: the table, the record, the games, the devices; none changes anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Response, jsonify, request

from companion.core import secrecy
from companion.core.types import Action
from companion.i18n import localize
from companion.table.commands import Answer, UndoPlan
from web.calls import HIDDEN, Calls, not_now, refusal, secrets_are_kept
from web.errors import ApiError
from web.handlers.hall_call import hall_json
from web.handlers.history import chart_json, records_json, state_json
from web.joining.calls import seat_rows
from web.ports.tables import OpenTable
from web.proposals import ended_json, proposal_json
from web.roles.access import Client
from web.roles.gate import Gate, number_argument, sender
from web.routes import openapi
from web.speaker import Speaker, words_at
from web.stream import Watcher, events
from web.texts import language, script_words, translator
from web.views import told_records

SLOW_FPS = 2
"""Below this the rate is shown with a decimal; above, a whole number changes seldom enough to be no news."""


def device_json(gate: Gate) -> dict[str, Any]:
    """How every device is, without anything secret. Made for all streams together, see app.py; `Broadcast.devices` says
    it in a language."""
    host = gate.host
    camera, box = host.camera, host.box
    table = host.table
    data: dict[str, Any] = {"camera": None, "box": None, "tally": host.tally is not None,
                            "proposal": proposal_json(gate.proposals.now(table)),
                            "proposal_ended": ended_json(gate.proposals.ended(table)),
                            "hall": hall_json(host.hall),
                            "seats": [] if table is None else seat_rows(gate, table)}
    if camera is not None:
        look, health, question = camera.look(), camera.health(), camera.question()
        data["camera"] = {
            "film": host.film,
            "state": health.state, "text": health.text, "remedy": health.remedy, "virtual": health.virtual,
            "view": look.view, "note": look.note, "size": list(look.size), "reading": look.reading,
            "in_the_middle": None if look.in_the_middle is None else look.in_the_middle.name,
            "fps": round(look.fps, 1) if look.fps < SLOW_FPS else round(look.fps),
            "question": None if question is None
            else {"choices": [list(c) for c in question.choices], "slots": list(question.slots),
                  "seat": None if question.seat is None else question.seat.name, "corrects": question.corrects,
                  "unnamed": question.unnamed, "presumed": question.presumed, "before": question.before,
                  "held": question.held, "unseen": question.unseen},
        }
    if box is not None:
        health = box.health()
        data["box"] = {
            "state": health.state, "text": health.text, "remedy": health.remedy, "virtual": health.virtual,
            "inputs": list(box.inputs()), "leds": list(box.leds()), "facts": dict(health.facts),
        }
    return data


def _before_last_act(table: OpenTable, plan: UndoPlan) -> int | None:
    """Where a way back leads that also takes the last act back, if `plan` takes back draws alone; else None."""
    session = table.session
    acts = [step.number for step in session.line(1) if isinstance(step.event, Action)]
    return session.before(acts[-1]) if acts and acts[-1] not in plan.undone else None


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
        watcher = Watcher(client, sender(), language(), self.gate.still(client))
        if not self.broadcast.enter(client, watcher.sender):
            raise ApiError(503, "too many pages are open", code="streams", remedy="Close one of them.")
        stream = self._counted(events(self.broadcast, watcher, last_id), client)
        answer = Response(stream, mimetype="text/event-stream")
        # Not in the generator: one that was never begun would never end.
        answer.call_on_close(lambda: self.broadcast.leave(client, watcher.sender))
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    def _counted(self, stream: Iterator[str], client: Client) -> Iterator[str]:
        """`stream`, while which the client's page is open at its seat."""
        table = self.gate.host.table
        session = "" if table is None else table.session.header.session
        with self.gate.presence.at(session, client.seat):
            yield from stream

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
            return jsonify(state_json(self.gate.table(), client, number, language()))
        except (ValueError, IndexError) as error:
            raise ApiError(404, "there is no record {number}", where="number", words={"number": number}) from error

    def evidence(self, number: int) -> Response:
        """The picture kept for a record."""
        self._referee()
        if self._shows_secrets(number):
            raise ApiError(409, HIDDEN, code="hidden")
        camera = self.gate.host.camera
        picture = None if camera is None else camera.evidence(number)
        if picture is None:
            raise ApiError(404, "no picture was kept for record {number}", where="number", words={"number": number})
        return Response(picture.jpeg, mimetype="image/jpeg")

    def _shows_secrets(self, number: int) -> bool:
        """Whether the picture of record `number` may show what lies behind a shield even now."""
        table = self.gate.host.table
        if table is None or not secrets_are_kept(table):
            return False
        session, rules = table.session, table.session.rules
        if number > session.number:
            return False
        since = range(session.number, number - 1, -1)
        return all(secrecy.secrets_are_kept(rules, session.state_after(later)) for later in since)

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

    def clauses(self) -> Response:
        """The rules of the game, clause by clause."""
        table = self.gate.table()
        speaker = Speaker(table, language())
        return jsonify({"clauses": [speaker.clause(name) for name in table.spec.clauses]})

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
        spec = next((one for one in self.gate.host.games() if one.name == name), None)
        return jsonify({"faces": localize(self.gate.host.faces(name), translator(language(), spec))})

    def sessions(self) -> Response:
        """All sessions."""
        self._referee()
        return jsonify({"sessions": list(self.gate.host.sessions())})

    def export(self) -> Response:
        """The record: it contains what players hold in secret, so it is exported when the game is over."""
        table = self.gate.table()
        session = table.session
        if session.rules.result(session.state) is None:
            raise ApiError(
                409, "the record holds secrets: it can be exported when the game is over", code="not-over",
                remedy="The host can take it with `companion export`.",
            )
        name = session.header.session
        answer = Response(self.gate.host.export(name), mimetype="application/x-ndjson")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}.jsonl"'
        return answer

    def undo_plan(self) -> Response:
        """What an undo would mean."""
        client, table = self._client(), self.gate.table()
        asked = number_argument("to", None)
        plan = table.session.undo_plan(asked, client.seat)
        speaker = Speaker(table, language())
        if isinstance(plan, Answer):
            raise refusal(speaker, plan)
        return jsonify({
            "number": table.session.number, "to": plan.to, "undone": list(plan.undone),
            "told": told_records(speaker, plan.undone, client.seat),
            "further": _before_last_act(table, plan) if asked is None else None,
            "consents": [s.name for s in plan.consents],
            "crossings": [speaker.text(c.message, c.facts) for c in plan.crossings],
            "steps": [speaker.prompter.step(step) for step in plan.steps],
        })

    def camera_picture(self) -> Response:
        """The newest picture of the camera: it may show what lies behind the shields."""
        self._referee()
        camera = self.gate.host.camera
        if camera is None:
            # between two tables, or while another box is taken over, there is none for a moment
            return not_now(ApiError(404, "there is no camera", remedy="Choose one in the set-up.", code="none-yet"))
        table = self.gate.host.table
        if secrets_are_kept(table):
            return not_now(ApiError(409, HIDDEN, code="hidden"))
        picture = camera.picture(request.args.get("overlay", "1") == "1", words_at(table, language()))
        if picture is None:
            return not_now(ApiError(404, "no picture has come yet", code="none-yet"))
        return Response(picture.jpeg, mimetype="image/jpeg")
