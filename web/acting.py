"""The routes by which people act: roles, what happened at the table, corrections, the digital bag."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from companion.core.types import Action, Seat
from companion.draws.bag import DigitalBag
from companion.draws.ceremony import Body, How
from companion.table.commands import DrawNext, Note, Play, Topic, Undo
from web.access import REFEREE_COOKIE, SEAT_COOKIE, Role
from web.calls import Calls, refusal, told, with_cookie
from web.errors import ApiError
from web.gate import Gate
from web.texts import language
from web.views import Speaker, tells_own_draw


class Acting(Calls):
    """The methods of the routes that change the table."""

    def login(self, body: dict[str, Any]) -> Response:
        """Become the referee."""
        self.gate.count(self.gate.access.pins)
        if not self.gate.access.is_pin(body["pin"]):
            raise ApiError(401, "that is not the PIN", where="pin")
        return with_cookie(jsonify({"as": "referee"}), REFEREE_COOKIE, self.gate.access.referee_token())

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
        return with_cookie(jsonify({"as": seat.name}), SEAT_COOKIE.format(seat=seat.name), body["token"])
    def play(self, body: dict[str, Any]) -> Response:
        """Tell what happened."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        rules = self.gate.table().session.rules
        ceremony = self.gate.table().bag.ceremony
        events = [rules.parse(text) for text in body["texts"]] if client.role is Role.SEAT else []
        if not all(isinstance(e, Action) or tells_own_draw(rules, e, client, ceremony) for e in events):
            raise ApiError(403, "a seat tells its own acts; what was drawn is told by the referee", where="body.texts")
        command = Play(texts=tuple(body["texts"]), **told(client, body))
        return self._ask(command)

    def draw(self, body: dict[str, Any]) -> Response:
        """Let the digital bag draw."""
        client = self.gate.change(body["as"], Role.REFEREE)
        return self._ask(DrawNext(**told(client, body)))

    def undo(self, body: dict[str, Any]) -> Response:
        """Take back."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        consents = tuple(self.gate.seat(s) for s in body.get("consents", ())) if client.role is Role.REFEREE else ()
        return self._ask(Undo(to=body.get("to"), consents=consents, **told(client, body)))

    def note(self, body: dict[str, Any]) -> Response:
        """Pause, resume, dispute, count or remark."""
        client = self.gate.change(body["as"], Role.REFEREE)
        return self._ask(Note(topic=Topic(body["topic"]), text=body.get("text", ""), **told(client, body)))

    def close_alert(self, body: dict[str, Any]) -> Response:
        """An alert was dealt with."""
        client = self.gate.change(body["as"], Role.REFEREE)
        data = {"id": body["id"], "open": False}
        return self._ask(Note(topic=Topic.ALERT, text="Answered by a person.", data=data, **told(client, body)))

    def _ask(self, command: Any) -> Response:
        table = self.gate.table()
        answer = table.session.ask(command)
        speaker = Speaker(table, language())
        if not answer.accepted:
            raise refusal(speaker, answer)
        steps = [speaker.prompter.step(step) for step in answer.steps]
        return jsonify({"records": list(answer.records), "number": table.session.number, "steps": steps})

    def bag(self, body: dict[str, Any]) -> Response:
        """A step of the digital bag: seats add and open their own, the referee leads."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        table = self.gate.table()
        step = body["step"]
        if client.role is Role.SEAT and (step not in ("add", "promise", "open") or body.get("seat") != body["as"]):
            raise ApiError(403, "{who} adds for its own seat only", where="seat", words={"who": client.name})
        if step == "reveal" and table.session.rules.result(table.session.state) is None:
            raise ApiError(409, "the secret is revealed when the game is over", remedy="Finish the game first.")
        done = table.desk.record(lambda bag: _bag_step(bag, body, self.gate))
        return jsonify({"step": done["step"], "bag": done["bag"]})

    def automatic(self, body: dict[str, Any]) -> Response:
        """Draw by itself."""
        self.gate.change(body["as"], Role.REFEREE)
        answer = self.gate.table().session.draw_automatically(body["on"]).result(30)
        return jsonify({"records": list(answer.records)})


def _bag_step(bag: DigitalBag, body: dict[str, Any], gate: Gate) -> Body:
    def need(key: str) -> Any:
        if key not in body:
            raise ApiError(400, "{step} needs {key}", where=f"body.{key}", words={"step": body["step"], "key": key})
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
