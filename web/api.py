"""The JSON API: one method for each route of the table in routes.py."""

from __future__ import annotations

from typing import Any

import segno
from flask import Blueprint, Response, g, jsonify, request

from companion.core.events import Cause, CauseKind
from companion.core.types import Action, Seat
from companion.draws.bag import DigitalBag
from companion.draws.ceremony import Body, How
from companion.i18n import fill
from companion.table.commands import Answer, DrawNext, Note, Outcome, Play, Topic, Undo
from web.access import REFEREE_COOKIE, SEAT_COOKIE, Client, Role
from web.errors import ApiError
from web.gate import Gate, json_body, number_argument, picture_body, same_origin
from web.history import chart_json, records_json, state_json
from web.ports import Choice, OpenTable
from web.routes import ROUTES, Route, openapi
from web.stream import Broadcast, events
from web.texts import language, script_words, translator
from web.views import Speaker, public_now

COOKIE_S = 30 * 24 * 3600
SLOW_FPS = 2
"""Below this the rate is shown with a decimal; above, a whole number changes seldom enough to be no news."""
HIDDEN = "The picture is hidden while players choose in secret."


def device_json(gate: Gate) -> dict[str, Any]:
    """How every device is, without anything secret. Made for all streams together, see app.py."""
    host = gate.host
    camera, box = host.camera, host.box
    data: dict[str, Any] = {"camera": None, "box": None, "tally": host.tally is not None}
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


def secrets_are_kept(table: OpenTable | None) -> bool:
    """Whether somebody may be placing something in secret now, where a camera could see it."""
    if table is None:
        return False
    rules, state = table.session.rules, table.session.state
    secret = (action for action in rules.legal_actions(state) if rules.is_secret(action))
    return any(not public_now(rules, state, action) for action in secret)


class Api:
    """The methods of the routes."""

    def __init__(self, gate: Gate, broadcast: Broadcast) -> None:
        self.gate, self.broadcast = gate, broadcast

    # -- looking -------------------------------------------------------------------------------------------------

    def openapi(self) -> Response:
        """The document of this API."""
        return jsonify(openapi())

    def _client(self) -> Client:
        return self.gate.client(request.args.get("as"))

    def _referee(self) -> None:
        self.gate.client("referee")

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
        return jsonify(self.broadcast.devices())

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
            raise ApiError(404, f"there is no record {number}", where="number") from error

    def evidence(self, number: int) -> Response:
        """The picture kept for a record."""
        self._referee()
        camera = self.gate.host.camera
        picture = None if camera is None else camera.evidence(number)
        if picture is None:
            raise ApiError(404, f"no picture was kept for record {number}", where="number")
        return Response(picture.jpeg, mimetype="image/jpeg")

    def charts(self) -> Response:
        """Figures of the game."""
        return jsonify(chart_json(self.gate.table(), language()))

    def clause(self, name: str) -> Response:
        """A clause of the rules."""
        table = self.gate.table()
        if name not in table.spec.clauses:
            raise ApiError(404, f"{table.spec.title} has no clause {name!r}", where="name")
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
                    "values": [{"value": v, "text": translate(v)} for v in o.values],
                }
                for o in spec.options
            ]
            found.append({
                "name": spec.name, "title": spec.title, "min": spec.min_seats, "max": spec.max_seats,
                "colours": list(spec.colours), "options": options, "camera": spec.blame is not None,
                "catalogues": list(self.gate.host.catalogues(spec.name)), "tally": spec.score_faces is not None,
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
            raise _refusal(speaker, plan)
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

    # -- roles ---------------------------------------------------------------------------------------------------

    def login(self, body: dict[str, Any]) -> Response:
        """Become the referee."""
        self.gate.count(self.gate.access.pins)
        if not self.gate.access.is_pin(body["pin"]):
            raise ApiError(401, translator(language())("That is not the PIN."), where="pin")
        return _with_cookie(jsonify({"as": "referee"}), REFEREE_COOKIE, self.gate.access.referee_token())

    def logout(self, body: dict[str, Any]) -> Response:  # noqa: ARG002 - its schema is checked: it is empty
        """Forget every role of this browser."""
        answer = jsonify({})
        for name in (REFEREE_COOKIE, *(SEAT_COOKIE.format(seat=seat.name) for seat in Seat)):
            answer.delete_cookie(name, httponly=True, samesite="Strict")
        return answer

    def join(self, body: dict[str, Any]) -> Response:
        """Take a seat."""
        self.gate.count(self.gate.access.pins)
        seat = self.gate.seat(body["seat"])
        if not self.gate.access.is_seat(body["token"], self.gate.table().session.header.session, seat):
            raise ApiError(401, "this code is of another game", remedy="Scan the code on the referee's page again.")
        return _with_cookie(jsonify({"as": seat.name}), SEAT_COOKIE.format(seat=seat.name), body["token"])

    # -- the table -----------------------------------------------------------------------------------------------

    def play(self, body: dict[str, Any]) -> Response:
        """Tell what happened."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        rules = self.gate.table().session.rules
        if client.role is Role.SEAT and not all(isinstance(rules.parse(text), Action) for text in body["texts"]):
            raise ApiError(403, "a seat tells its own acts; what was drawn is told by the referee", where="body.texts")
        command = Play(texts=tuple(body["texts"]), **_told(client, body))
        return self._ask(command)

    def draw(self, body: dict[str, Any]) -> Response:
        """Let the digital bag draw."""
        client = self.gate.change(body["as"], Role.REFEREE)
        return self._ask(DrawNext(**_told(client, body)))

    def undo(self, body: dict[str, Any]) -> Response:
        """Take back."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        consents = tuple(self.gate.seat(s) for s in body.get("consents", ())) if client.role is Role.REFEREE else ()
        return self._ask(Undo(to=body.get("to"), consents=consents, **_told(client, body)))

    def note(self, body: dict[str, Any]) -> Response:
        """Pause, resume, dispute, count or remark."""
        client = self.gate.change(body["as"], Role.REFEREE)
        told = _told(client, body)
        return self._ask(Note(topic=Topic(body["topic"]), text=body.get("text", ""), **told))

    def close_alert(self, body: dict[str, Any]) -> Response:
        """An alert was dealt with."""
        client = self.gate.change(body["as"], Role.REFEREE)
        data = {"id": body["id"], "open": False}
        return self._ask(Note(topic=Topic.ALERT, text="Answered by a person.", data=data, **_told(client, body)))

    def _ask(self, command: Any) -> Response:
        table = self.gate.table()
        answer = table.session.ask(command)
        speaker = Speaker(table, language())
        if not answer.accepted:
            raise _refusal(speaker, answer)
        steps = [speaker.prompter.step(step) for step in answer.steps]
        return jsonify({"records": list(answer.records), "number": table.session.number, "steps": steps})

    def bag(self, body: dict[str, Any]) -> Response:
        """A step of the digital bag: seats add and open their own, the referee leads."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        table = self.gate.table()
        step = body["step"]
        if client.role is Role.SEAT and (step not in ("add", "promise", "open") or body.get("seat") != body["as"]):
            raise ApiError(403, f"{client.name} adds for its own seat only", where="seat")
        if step == "reveal" and table.session.rules.result(table.session.state) is None:
            raise ApiError(409, "the secret is revealed when the game is over", remedy="Finish the game first.")
        done = table.desk.record(lambda bag: _bag_step(bag, body, self.gate))
        return jsonify({"step": done["step"], "bag": done["bag"]})

    def automatic(self, body: dict[str, Any]) -> Response:
        """Draw by itself."""
        self.gate.change(body["as"], Role.REFEREE)
        answer = self.gate.table().session.draw_automatically(body["on"]).result(30)
        return jsonify({"records": list(answer.records)})

    # -- devices -------------------------------------------------------------------------------------------------

    def camera_answer(self, body: dict[str, Any]) -> Response:
        """Answer the camera's question."""
        self.gate.change(body["as"], Role.REFEREE)
        camera = self.gate.host.camera
        if camera is None:
            raise ApiError(409, "there is no camera")
        try:
            camera.answer(body["choice"])
        except ValueError as error:
            raise ApiError(409, "the table has moved on: look again before you decide", code="stale") from error
        return jsonify({})

    def camera_frame(self, body: bytes) -> Response:
        """A picture from a phone."""
        self.gate.change("referee", Role.REFEREE)
        camera = self.gate.host.camera
        if camera is None:
            raise ApiError(409, "there is no camera", remedy="Start the companion with --camera browser.")
        look = camera.push(body)
        return jsonify({"frame": look.frame, "fps": round(look.fps, 1), "view": look.view, "note": look.note})

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

    def _box(self) -> Any:
        if self.gate.host.box is None:
            raise ApiError(409, "there is no button box")
        return self.gate.host.box

    def tally(self, body: bytes) -> Response:
        """Read a picture of captured tiles."""
        self.gate.change("referee", Role.REFEREE)
        reader = self.gate.host.tally
        if reader is None:
            raise ApiError(409, "no box of tiles was enrolled", remedy="Run `companion enrol`, or type the tiles.")
        look = reader.read(body)
        tiles = [
            {"face": t.face, "p": t.p, "alternatives": list(t.alternatives), "corners": [list(c) for c in t.corners]}
            for t in look.tiles
        ]
        return jsonify({"tiles": tiles, "sure": look.sure, "doubts": list(look.doubts), "size": list(look.size)})

    def score(self, body: dict[str, Any]) -> Response:
        """Score captured faces of each player, and who wins."""
        translate = translator(language(), next((s for s in self.gate.host.games() if s.name == body["game"]), None))
        scores = [self.gate.host.score(body["game"], faces) for faces in body["players"]]
        best = max((s.total, s.tiebreaks) for s in scores)
        rows = [
            {
                "total": s.total, "tiebreaks": list(s.tiebreaks), "wins": (s.total, s.tiebreaks) == best,
                "lines": [
                    {"text": fill(line.label, line.facts, translate, str), "clause": line.clause,
                     "points": line.points, "faces": list(line.faces)}
                    for line in s.lines
                ],
            }
            for s in scores
        ]
        return jsonify({"players": rows, "tie": sum(s.total == best[0] for s in scores) > 1})

    def begin(self, body: dict[str, Any]) -> Response:
        """Begin a game."""
        self.gate.change(body["as"], Role.REFEREE)
        self.gate.host.begin(Choice(
            body["game"],
            tuple((seat["name"], seat["colour"]) for seat in body["seats"]),
            tuple((option["key"], option["value"]) for option in body.get("options", ())),
            body.get("catalogue", ""), body.get("draws", "physical"),
        ))
        return jsonify({"session": self.gate.table().session.header.session})

    def resume(self, body: dict[str, Any]) -> Response:
        """Go on with a session."""
        self.gate.change(body["as"], Role.REFEREE)
        self.gate.host.resume(body["session"])
        return jsonify({"session": self.gate.table().session.header.session})


def _told(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """What a command carries: who says it, its key (each client's own), what the client saw."""
    kind = CauseKind.SEAT if client.role is Role.SEAT else CauseKind.OPERATOR
    cause = Cause(kind, (("client", client.name),))
    return {"by": client.seat, "cause": cause, "key": f"web:{client.name}:{body['key']}",
            "expected": body.get("expected")}


def _bag_step(bag: DigitalBag, body: dict[str, Any], gate: Gate) -> Body:
    def need(key: str) -> Any:
        if key not in body:
            raise ApiError(400, f"{body['step']} needs {key}", where=f"body.{key}")
        return body[key]

    match body["step"]:
        case "add":
            return bag.add(gate.seat(need("seat")), How(need("how")), need("value"))
        case "promise":
            return bag.promise(gate.seat(need("seat")), need("promise"))
        case "open":
            return bag.open(gate.seat(need("seat")), How(need("how")), need("value"), need("salt"))
        case "withhold":
            return bag.withhold(gate.seat(need("seat")))
        case "commit":
            return bag.commit()
        case "close":
            return bag.close()
        case "seal":
            return bag.seal()
        case _:
            return bag.reveal()


def _refusal(speaker: Speaker, answer: Answer) -> ApiError:
    """What a client is told of a command that was not accepted."""
    status = 503 if answer.outcome is Outcome.BUSY else 409
    facts: dict[str, Any] = {}
    if answer.violation is not None:
        facts = {"clause": speaker.clause(answer.violation.clause), "slots": list(answer.violation.slots)}
    return ApiError(status, speaker.prompter.answer(answer), code=answer.outcome.value, **facts)


def _with_cookie(answer: Response, name: str, value: str) -> Response:
    # Not `secure`: on a LAN the pages are http; the https address serves the phone's camera.
    answer.set_cookie(name, value, max_age=COOKIE_S, httponly=True, samesite="Strict", path="/")
    return answer


def blueprint(gate: Gate, broadcast: Broadcast) -> Blueprint:
    """The routes of the table as a blueprint."""
    api = Api(gate, broadcast)
    found = Blueprint("api", __name__)
    for route in ROUTES:
        found.add_url_rule(route.path, route.call, _view(api, gate, route), methods=[route.method])
    return found


def _view(api: Api, gate: Gate, route: Route) -> Any:
    call = getattr(api, route.call)

    def view(**parts: Any) -> Response:
        if route.method == "GET":
            answer: Response = call(**parts)
        else:
            same_origin()
            gate.count(gate.access.pictures if route.body == "jpeg" else gate.access.changes)
            g.change = True
            body = picture_body() if route.body == "jpeg" else json_body(route.body or {})  # type: ignore[arg-type]
            answer = call(body, **parts)
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    return view


