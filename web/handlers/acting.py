"""The routes by which people act: roles, what happened at the table, corrections, the digital bag."""

from __future__ import annotations

import re
from math import ceil
from typing import Any

from flask import Response, jsonify, request

from companion.core.secrecy import told_by_its_seat_only
from companion.core.types import Draw, Seat
from companion.draws.bag import DigitalBag
from companion.draws.ceremony import Body, How
from companion.table.commands import CLOCK_OFF, CLOCK_UP, DrawNext, Note, Outcome, Play, Topic, Undo
from web.calls import Calls, command_fields, refusal, with_cookie
from web.errors import ApiError, error_body
from web.offers import tells_own_draw
from web.roles.access import REFEREE_COOKIE, SEAT_COOKIE, Role
from web.roles.gate import Gate, sender
from web.speaker import Speaker
from web.texts import language

CLOCK_MINUTES = re.compile("[1-9][0-9]{0,2}")


class Acting(Calls):
    """The methods of the routes that change the table."""

    def login(self, body: dict[str, Any]) -> Response:
        """Become the referee."""
        access = self.gate.access
        self.gate.count(access.pins)
        wait_s = access.patience.wait_s()
        if wait_s:
            raise ApiError(429, "too many wrong PINs were tried: wait {seconds} seconds", where="pin",
                           words={"seconds": ceil(wait_s)})
        if not access.is_pin(body["pin"]):
            access.patience.wrong(sender())
            raise ApiError(401, "that is not the PIN", where="pin")
        access.patience.right(sender())
        access.pins.give_back(sender())
        access.leave_referee(request.cookies.get(REFEREE_COOKIE))
        return with_cookie(jsonify({"as": "referee"}), REFEREE_COOKIE, access.join_referee())

    def logout(self, body: dict[str, Any]) -> Response:  # noqa: ARG002 - its schema is checked: it is empty
        """Forget every role of this browser, here and there: a copy of its cookies is worth nothing any more."""
        answer = jsonify({})
        self.gate.access.leave_referee(request.cookies.get(REFEREE_COOKIE))
        answer.delete_cookie(REFEREE_COOKIE, httponly=True, samesite="Strict")
        table = self.gate.host.table
        for seat in Seat:
            name = SEAT_COOKIE.format(seat=seat.name)
            if table is not None:
                self.gate.access.leave_seat(request.cookies.get(name), table.session.header.session, seat)
            answer.delete_cookie(name, httponly=True, samesite="Strict")
        return answer

    def change_pin(self, body: dict[str, Any]) -> Response:
        """Another PIN: every other device of the referee has to give it."""
        self.gate.change(body["as"], Role.REFEREE)
        try:
            cookie = self.gate.access.change_pin(body["pin"])
        except ValueError as error:
            raise ApiError(400, "a PIN has eight digits or more; a phrase has ten characters or more",
                           where="body.pin") from error
        return with_cookie(jsonify({}), REFEREE_COOKIE, cookie)

    def play(self, body: dict[str, Any]) -> Response:
        """Tell what happened."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        table = self.gate.table()
        rules, (ceremony, _) = table.session.rules, table.bag.seen()
        for event in map(rules.parse, body["texts"]):
            seated = client.role is Role.SEAT
            own = seated and getattr(event, "seat", None) is client.seat
            if seated and isinstance(event, Draw) and not tells_own_draw(rules, event, client, ceremony):
                raise ApiError(403, "a player enters only their own acts; the referee enters what was drawn",
                               where="body.texts")
            if not own and told_by_its_seat_only(table.spec, rules, event):
                raise ApiError(403, "only the player who knows this can enter it, on their own page",
                               where="body.texts")
        return self._ask(Play(texts=tuple(body["texts"]), guarded=True, **command_fields(client, body)))

    def draw(self, body: dict[str, Any]) -> Response:
        """Let the digital bag draw."""
        client = self.gate.change(body["as"], Role.REFEREE)
        return self._ask(DrawNext(**command_fields(client, body)))

    def undo(self, body: dict[str, Any]) -> Response:
        """Take back."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        consents = tuple(self.gate.seat(s) for s in body.get("consents", ())) if client.role is Role.REFEREE else ()
        return self._ask(Undo(to=body.get("to"), consents=consents, noted=consents, **command_fields(client, body)))

    def note(self, body: dict[str, Any]) -> Response:
        """Pause, resume, dispute, count, remark, or the players' clocks; everybody at the table can pause."""
        topic, text = Topic(body["topic"]), body.get("text", "")
        for_all = (Role.SEAT, Role.REFEREE) if topic in (Topic.PAUSE, Topic.RESUME) else (Role.REFEREE,)
        client = self.gate.change(body["as"], *for_all)
        if topic is Topic.CLOCK and not (text in (CLOCK_OFF, CLOCK_UP) or CLOCK_MINUTES.fullmatch(text)):
            raise ApiError(400, "a clock is off, counts up, or has 1 to 999 minutes", where="body.text")
        return self._ask(Note(topic=topic, text=text, **command_fields(client, body)))

    def close_alert(self, body: dict[str, Any]) -> Response:
        """An alert was dealt with."""
        client = self.gate.change(body["as"], Role.REFEREE)
        data = self.gate.table().session.moment.mood.closing(body["id"])
        fields = command_fields(client, body)
        return self._ask(Note(topic=Topic.ALERT, text="Answered by a person.", data=data, **fields))

    def _ask(self, command: Any) -> Response:
        table = self.gate.table()
        answer = table.session.ask(command)
        speaker = Speaker(table, language())
        told = {"records": list(answer.records), "number": table.session.number,
                "steps": [speaker.prompter.step(step) for step in answer.steps]}
        if answer.outcome is Outcome.ILLEGAL:
            # What the rules forbid was asked rightly and is answered: no fault that browsers should report.
            return jsonify(told | {"refused": error_body(refusal(speaker, answer))})
        if not answer.accepted:
            raise refusal(speaker, answer)
        return jsonify(told)

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
        self.gate.table()
        answer = self.gate.host.draw_automatically(body["on"])
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
