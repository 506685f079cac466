"""The routes of keeping the machine in order: the lens, the doctor, backup and restore, shutting down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Response, jsonify, request

from companion.core.errors import DeviceError
from companion.i18n import fill, localize
from web.calls import HIDDEN, Calls, not_now, secrets_are_kept
from web.errors import ApiError
from web.handlers.equipment import step_json
from web.ports.upkeep import LensFigures
from web.roles.access import Role
from web.roles.gate import number_argument
from web.texts import language, translator

CHUNK_BYTES = 1 << 20


class Upkeeping(Calls):
    """The methods of the routes of keeping the machine in order."""

    def lens_look(self) -> Response:
        """How the measuring of the lens stands, with the newest picture taken in."""
        self._referee()
        if secrets_are_kept(self.gate.host.table):
            return not_now(ApiError(409, HIDDEN, code="hidden"))
        try:
            look = self.gate.host.upkeep.lens.look()
        except DeviceError as error:  # there is no picture yet: the page asks again
            return not_now(ApiError(409, error.message, where=error.where, remedy=error.remedy, code="none-yet"))
        translate = translator(language())
        return jsonify({
            "running": look.running, "views": look.views, "share": look.share, "complete": look.complete,
            "fields": [list(row) for row in look.fields], "board": [list(corner) for corner in look.board],
            "advice": localize(look.advice, translate),
            "known": _figures(look.known, translate), "result": _figures(look.result, translate),
        })

    def lens_do(self, body: dict[str, Any]) -> Response:
        """Begin, measure or end."""
        self.gate.change(body["as"], Role.REFEREE)
        lens = self.gate.host.upkeep.lens
        if body["do"] != "end":
            self._may_be_shown()
        {"begin": lens.begin, "finish": lens.finish, "end": lens.end}[body["do"]]()
        return jsonify({})

    def sheets(self) -> Response:
        """The markers and the board as a PDF."""
        self._referee()
        paper = request.args.get("paper", "a4")
        if paper not in ("a4", "letter"):
            raise ApiError(400, "expected one of {known}, got {got}", where="paper",
                           words={"known": "a4, letter", "got": repr(paper)})
        return _file(self.gate.host.upkeep.lens.sheets(paper), "application/pdf", "companion-sheets.pdf")

    def doctor_look(self) -> Response:
        """All that may be wrong, each with what mends it."""
        self._referee()
        return jsonify({"lines": [step_json(one) for one in self.gate.host.upkeep.steps(self._game_now())]})

    def doctor_report(self) -> Response:
        """The same as a file without secrets."""
        self._referee()
        return _file(self.gate.host.upkeep.report(self._game_now()), "application/json", "companion-report.json")

    def backup_make(self) -> Response:
        """Everything but keys in one file; not while a game goes on, whose secrets are in its record."""
        self._referee()
        table = self.gate.host.table
        if table is not None and table.session.rules.result(table.session.state) is None:
            raise ApiError(
                409, "The record of a game that is being played holds what its players keep secret.", code="hidden",
                remedy="Save the backup after the game, or by `companion backup FILE` on the machine.",
            )
        path = self.gate.host.upkeep.backups.make()
        answer = Response(_chunks(path), mimetype="application/zip")
        answer.content_length = path.stat().st_size
        answer.headers["Content-Disposition"] = 'attachment; filename="companion-backup.zip"'
        answer.call_on_close(lambda: _remove(path))
        return answer

    def backup_take(self, body: bytes) -> Response:
        """A part of a backup that is handed in."""
        self.gate.change("referee", Role.REFEREE)
        try:
            there = self.gate.host.upkeep.backups.take(number_argument("at", 0, 0, 2**40) or 0, body)
        except ValueError as error:
            raise ApiError(409, "parts of another file came between", remedy="Choose the file once more.") from error
        return jsonify({"size": there})

    def backup_do(self, body: dict[str, Any]) -> Response:
        """Try what was handed in, put it in place, or forget it."""
        self.gate.change(body["as"], Role.REFEREE)
        backups = self.gate.host.upkeep.backups
        if body["do"] == "try":
            holds = backups.holds()
            return jsonify({"sessions": list(holds.sessions), "parts": holds.parts, "size": holds.size})
        (backups.restore if body["do"] == "restore" else backups.forget)()
        return jsonify({})

    def shut_down(self, body: dict[str, Any]) -> Response:
        """Switch this machine off."""
        self.gate.change(body["as"], Role.REFEREE)
        self.gate.host.upkeep.shut_down()
        return jsonify({})

    def _may_be_shown(self) -> None:
        """Refuse what shows where people are choosing in secret."""
        if secrets_are_kept(self.gate.host.table):
            raise ApiError(409, HIDDEN, code="hidden")

    def _game_now(self) -> str:
        table = self.gate.host.table
        return self.gate.host.games()[0].name if table is None else table.spec.name


def _figures(one: LensFigures | None, translate: Any) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"views": one.views, "error": round(one.error_px, 2), "bend": round(one.bend_px, 1), "good": one.good,
            "meaning": fill(one.meaning.message, one.meaning.facts, translate, str) if one.meaning else ""}


def _file(data: bytes, media: str, name: str) -> Response:
    answer = Response(data, mimetype=media)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as source:
        yield from iter(lambda: source.read(CHUNK_BYTES), b"")


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.parent.rmdir()
