"""The routes by which a box of one's own is learnt, and by which box files come and go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, jsonify, request

from companion.core.face_form import FaceField
from companion.core.game import GameSpec
from companion.i18n import localize
from web.calls import HIDDEN, Calls, secrets_are_kept
from web.errors import ApiError
from web.ports.enrolment import CourseRead, EnrolPort, PieceRead, game_of
from web.roles.access import Role
from web.texts import language, translator


class Enrolling(Calls):
    """The methods of the routes of learning a box."""

    def enrol_look(self) -> Response:
        """What lies before the camera."""
        port, game = self._asked()
        if secrets_are_kept(self.gate.host.table):
            raise ApiError(409, HIDDEN, code="hidden")
        look, translate = port.look(game), translator(language())
        return jsonify({
            "pieces": [
                {"corners": [list(c) for c in one.corners], "fault": translate(one.fault) if one.fault else ""}
                for one in look.pieces
            ],
            "trouble": translate(look.trouble) if look.trouble else "",
            "remedy": translate(look.remedy) if look.remedy else "", "by": look.by,
        })

    def enrol_read(self) -> Response:
        """How far the course is."""
        port, game = self._asked()
        return self._course(port, game)

    def enrol_picture(self, number: int) -> Response:
        """The newest picture of a piece."""
        port, game = self._asked()
        part = request.args.get("part", type=int)
        try:
            data = port.picture(game, number, part)
        except ValueError as error:
            raise ApiError(404, "there is no such piece (any more)", where="number") from error
        answer = Response(data, mimetype="image/png")
        answer.headers["Cache-Control"] = "private, max-age=86400"  # another picture has another address
        return answer

    def enrol_do(self, body: dict[str, Any]) -> Response:
        """Change the course; the answer is how far it is then."""
        self.gate.change(body["as"], Role.REFEREE)
        port, game, do, number = self.gate.host.enrolment, body["game"], body["do"], body.get("piece", 0)
        self._known(port, game)
        if do == "take" and secrets_are_kept(self.gate.host.table):
            raise ApiError(409, HIDDEN, code="hidden")
        try:
            if do == "take":
                port.take(game)
            elif do == "tell":
                port.tell(game, [(one["piece"], one["key"], one["value"]) for one in body.get("answers", ())])
            elif do == "say":
                port.say(game, {one["key"]: one["value"] for one in body.get("numbers", ())})
            elif do == "keep":
                port.keep(game)
            elif do == "turn":
                port.turn(game, number, body.get("quarters", 1))
            elif do == "drop":
                port.drop(game, number)
            elif do == "again":
                port.again(game, number, body.get("of", 0))
            elif do == "anew":
                port.begin_anew(game)
            else:
                port.save(game, body.get("title", ""))
        except ValueError as error:
            raise ApiError(409, "the pieces have changed meanwhile: look again", code="stale") from error
        return self._course(port, game)

    def box_file(self, name: str) -> Response:
        """A saved box."""
        self._referee()
        answer = Response(self.gate.host.enrolment.box(name), mimetype="application/zip")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def box_load(self, body: bytes) -> Response:
        """Take a box file that was made elsewhere."""
        self.gate.change("referee", Role.REFEREE)
        name, wanted = request.args.get("name", "")[:80], request.args.get("game", "")
        known = [one.name for one in self.gate.host.games()]
        if wanted and wanted not in known:
            raise ApiError(404, "no game is called {name}", where="game", words={"name": repr(wanted)})
        name, game = self.gate.host.enrolment.load(name, body, wanted)
        return jsonify({"name": name, "game": game})

    def _asked(self) -> tuple[EnrolPort, str]:
        """The port and the game of a request of the referee's. Raises ApiError."""
        self._referee()
        port = self.gate.host.enrolment
        names = list(port.games())
        game = request.args.get("game", "") or names[0]
        self._known(port, game)
        return port, game

    def _known(self, port: EnrolPort, game: str) -> None:
        plain = game_of(game)
        if plain not in port.games() or game not in port.sorts(plain):
            raise ApiError(404, "no game is called {name}", where="game", words={"name": repr(game)})

    def _course(self, port: EnrolPort, game: str) -> Response:
        specs = {one.name: one for one in self.gate.host.games()}
        titles = {name: specs[name].title for name in port.games()}
        return jsonify(_course_json(port.read(game), specs[game_of(game)], titles))


def _course_json(course: CourseRead, spec: GameSpec, titles: Mapping[str, str]) -> dict[str, Any]:
    """`titles`: name -> title of the games whose boxes can be learnt."""
    translate = translator(language(), spec)
    return {
        "game": course.game, "plays": spec.name, "title": spec.title,
        "sorts": [{"name": name, "title": translate(form.one)} for name, form in course.sorts],
        "games": [{"name": name, "title": title} for name, title in titles.items()],
        "form": {
            "one": translate(course.form.one), "many": translate(course.form.many),
            "size": list(course.form.size_mm),
            "resource": _resource_json(course.form.resource),
            "asked": [
                {"key": one.key, "title": localize(one.title, translate), "least": one.least, "most": one.most,
                 "sample": one.sample, "value": course.numbers.get(one.key)}
                for one in course.form.asked
            ],
            "fields": [_field_json(one, translate) for one in course.form.fields],
        },
        "pieces": [_piece_json(one) for one in course.pieces],
        "progress": [
            {"text": localize(line.text, translate), "have": line.have, "want": line.want, "clause": line.clause,
             "wrong": line.wrong, "pieces": list(line.pieces)}
            for line in course.progress
        ],
        "colour_groups": [
            {"names": [translate(name) for name in names], "learnt": learnt} for names, learnt in course.colour_groups
        ],
        "trouble": translate(course.trouble) if course.trouble else "",
        "saved": course.saved,
    }


def _resource_json(resource: tuple[str, str] | None) -> dict[str, str] | None:
    return None if resource is None else {"key": resource[0], "name": resource[1]}


def _field_json(field: FaceField, translate: Any) -> dict[str, Any]:
    labels = field.labels or field.values
    return {
        "key": field.key, "title": translate(field.title), "shown": field.shown.value, "written": field.written.value,
        "values": [
            {"value": value, "label": translate(label)} for value, label in zip(field.values, labels, strict=True)
        ],
        "sketches": [{**one, "title": translate(one["title"])} for one in field.sketches],
        "printed": field.printed, "of": field.of,
        "part": field.part, "base": field.base or field.key,
        "only": None if field.only is None else {"key": field.only[0], "values": list(field.only[1])},
    }


def _piece_json(piece: PieceRead) -> dict[str, Any]:
    return {
        "number": piece.number, "pictures": piece.pictures, "version": piece.version, "kept": piece.kept,
        "like": list(piece.like),
        "fields": {
            key: {"value": read.value, "sure": read.sure, "told": read.told, "others": list(read.others),
                  "box": None if read.box is None else list(read.box)}
            for key, read in piece.fields.items()
        },
    }
