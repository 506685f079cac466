"""The routes of devices and set-up: the camera's question, tallies, beginning and going on."""

from __future__ import annotations

import time
from typing import Any

from flask import Response, jsonify, request

from companion.core.errors import CompanionError, DataError
from companion.core.types import Seat
from companion.i18n import fill, localize
from web.calls import HIDDEN, Calls, secrets_are_kept
from web.errors import ApiError
from web.handlers.camera_phone import CameraPhone
from web.ports.setup_step import SetupStep
from web.ports.tables import SetupChoice
from web.roles.access import Role
from web.roles.gate import Gate
from web.speaker import words_at
from web.stream import Broadcast
from web.texts import language, translator


class Equipment(Calls):
    """The methods of the routes of devices and set-up."""

    def __init__(self, gate: Gate, broadcast: Broadcast) -> None:
        super().__init__(gate, broadcast)
        self._camera_phone = CameraPhone()

    def film(self, body: dict[str, Any]) -> Response:
        """Hold the film of the demo, go on with it, or play it again."""
        self.gate.change(body["as"], Role.REFEREE)
        try:
            self.gate.host.film_do(body["do"])
        except CompanionError as error:
            raise ApiError(409, str(error), remedy=error.remedy) from error
        return jsonify({"film": self.gate.host.film})

    def art(self, name: str) -> Response:
        """A face of the filmed table, or of the own box, as it is printed."""
        picture = self.gate.host.art(name)
        if picture is None:
            raise ApiError(404, "there is no picture of {name}", where="name", words={"name": repr(name)})
        answer = Response(picture, mimetype="image/jpeg")
        answer.headers["Cache-Control"] = "private, max-age=3600"
        return answer

    def camera_answer(self, body: dict[str, Any]) -> Response:
        """Answer the camera's question: the referee, or the player who did it whichever choice is true."""
        client = self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        camera = self.gate.host.camera
        if camera is None:
            raise ApiError(409, "there is no camera")
        question = camera.question()
        if client.seat is not None and question is not None and question.seat is not client.seat:
            raise ApiError(403, "this question is not for {who}", where="as", words={"who": client.name})
        try:
            by = client.name if client.seat is None else client.seat.name
            camera.answer(body["choice"], tuple(body["texts"]), by)
        except ValueError as error:
            raise ApiError(409, "the table has moved on: look again before you decide", code="stale") from error
        return jsonify({})

    def go_on(self, body: dict[str, Any]) -> Response:
        """No more cubes are moved: what was seen while boards were unread is recorded, and the game goes on."""
        self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        camera = self.gate.host.camera
        if camera is None:
            raise ApiError(409, "there is no camera")
        try:
            camera.go_on()
        except ValueError as error:
            raise ApiError(409, "the table has moved on: look again before you decide", code="stale") from error
        return jsonify({})

    def camera_frame(self, body: bytes) -> Response:
        """A picture from a phone."""
        self.gate.change("referee", Role.REFEREE)
        camera = self.gate.host.camera
        if camera is None:
            raise ApiError(409, "there is no camera", remedy="Choose the phone in the set-up.")
        takes_over = request.args.get("take") == "1"
        if not self._camera_phone.admits(request.args.get("phone", ""), time.monotonic(), takes_over=takes_over):
            raise ApiError(409, "another phone is the camera", code="taken",
                           remedy="Stop it there, or use this one instead.")
        look = camera.push(body)
        return jsonify({"frame": look.frame, "fps": round(look.fps, 1), "view": look.view,
                        "note": localize(look.note, words_at(self.gate.host.table, language()))})

    def tally(self, body: bytes) -> Response:
        """Read a picture of captured tiles, of a game and seat of which the record may tell how many there are."""
        self.gate.change("referee", Role.REFEREE)
        reader = self.gate.host.tally
        if reader is None:
            raise ApiError(409, "no box of tiles was enrolled", remedy="Run `companion enrol`, or type the tiles.")
        look = reader.read(body, self.gate.host.captured(request.args.get("game", ""), request.args.get("seat", "")))
        tiles = [
            {
                "face": t.face, "p": t.p, "ask": t.ask, "alternatives": list(t.alternatives),
                "corners": [list(c) for c in t.corners],
            }
            for t in look.tiles
        ]
        translate = translator(language())
        doubts = [localize(doubt, translate) for doubt in look.doubts]
        hidden = [list(corner) for corner in look.hidden]
        return jsonify(
            {"tiles": tiles, "sure": look.sure, "doubts": doubts, "size": list(look.size), "hidden": hidden}
        )

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

    def setup_steps(self) -> Response:
        """Devices and calibration, step by step, for a game."""
        self._referee()
        port = self.gate.host.setup
        offers = {
            which: {"sources": list(offer.sources), "chosen": offer.chosen} for which, offer in port.offers().items()
        }
        steps = [step_json(step) for step in port.steps(self._game(request.args.get("game", "")))]
        return jsonify({"offers": offers, "steps": steps})

    def setup_choose(self, body: dict[str, Any]) -> Response:
        """Use another camera, box or tiles."""
        self.gate.change(body["as"], Role.REFEREE)
        try:
            self.gate.host.setup.choose(body["which"], body["source"])
        except ValueError as error:
            raise ApiError(409, "that is not offered any more", where="body.source",
                           remedy="Load the page again.") from error
        return jsonify({})

    def setup_learn(self, body: dict[str, Any]) -> Response:
        """Remember the table, or learn the colours of the pieces."""
        self.gate.change(body["as"], Role.REFEREE)
        if secrets_are_kept(self.gate.host.table):
            raise ApiError(409, HIDDEN, code="hidden")
        game = self._game(body["game"])
        try:
            self.gate.host.setup.learn(body["what"], game, body.get("group"), body.get("piece"))
        except DataError as error:  # the game's own words are in it: what its pieces are called
            translate = translator(language(), next(spec for spec in self.gate.host.games() if spec.name == game))
            why, remedy = localize(error.message, translate), localize(error.remedy, translate)
            raise ApiError(400, why, where=error.where, remedy=remedy) from error
        return jsonify({})

    def _game(self, name: str) -> str:
        """The game called `name`, the table's own or the first one when it is empty. Raises ApiError 404."""
        names = [spec.name for spec in self.gate.host.games()]
        table = self.gate.host.table
        name = name or (names[0] if table is None else table.spec.name)
        if name not in names:
            raise ApiError(404, "no game is called {name}", where="game", words={"name": repr(name)})
        return name

    def begin(self, body: dict[str, Any]) -> Response:
        """Begin a game."""
        self.gate.change(body["as"], Role.REFEREE)
        first = body.get("first", "")
        if first and Seat[first] >= len(body["seats"]):
            raise ApiError(400, "nobody sits at {seat}", where="body.first", words={"seat": first})
        catalogue = body.get("catalogue", "")
        known = any(spec.name == body["game"] for spec in self.gate.host.games())
        if catalogue and known and catalogue not in self.gate.host.catalogues(body["game"]):
            raise ApiError(409, "that is not offered any more", where="body.catalogue", remedy="Load the page again.")
        self.gate.host.begin(SetupChoice(
            body["game"],
            tuple((seat["name"], seat["colour"]) for seat in body["seats"]),
            tuple((option["key"], option["value"]) for option in body.get("options", ())),
            catalogue, body.get("draws", "physical"), first,
        ))
        return jsonify({"session": self.gate.table().session.header.session})

    def resume(self, body: dict[str, Any]) -> Response:
        """Go on with a session."""
        self.gate.change(body["as"], Role.REFEREE)
        self.gate.host.resume(body["session"])
        return jsonify({"session": self.gate.table().session.header.session})


def step_json(step: SetupStep) -> dict[str, Any]:
    """A step of the set-up in the client's language; words among the facts are translated too (colours)."""
    translate = translator(language())
    return {
        "key": step.key, "state": step.state, "text": fill(step.text, step.facts, translate, str),
        "remedy": fill(step.remedy, step.facts, translate, str) if step.remedy else "",
        "can": step.can, "detail": localize(step.detail, translate),
    }
