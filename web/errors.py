"""The one shape of errors: code, message, where, what next; for people a page, for programs JSON."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.core.errors import CompanionError, DataError, NotationError
from companion.core.game_code import game_code_error
from companion.core.messages import Message
from companion.i18n import fill, localize
from companion.table.record.trouble import StoreError
from web.texts import language, translator

LOG = logging.getLogger("companion.web")

NAMES = {
    400: "bad-request", 401: "unauthorised", 403: "forbidden", 404: "not-found", 405: "method-not-allowed",
    409: "conflict", 413: "too-large", 415: "unsupported-media-type", 429: "too-many-requests", 500: "internal",
    503: "unavailable",
}

PLAIN = {
    404: "there is nothing at this address",
    405: "this address does not accept such a request",
    413: "this is too large",
}
"""What people are localized instead of the server's own English words."""

ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "where", "remedy"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "where": {"type": "string"},
                "remedy": {"type": "string"},
                "facts": {"type": "object"},
            },
        }
    },
}


class ApiError(Exception):
    """A request that cannot be done: the status and the parts of the answer."""

    def __init__(
        self, status: int, message: str, *, code: str = "", where: str = "", remedy: str = "",
        words: Mapping[str, Any] | None = None, **facts: Any,
    ) -> None:
        """`message` and `remedy`: English message ids, whose `{placeholders}` are filled from `words`, or `Message`."""
        super().__init__(message)
        self.status, self.code = status, code or NAMES.get(status, "error")
        self.message, self.where, self.remedy, self.facts = message, where, remedy, facts
        self.words = words

    def localized(self, message: str) -> str:
        """`message` in the language of the request."""
        translate = translator(language())
        if isinstance(message, Message):
            return str(localize(message, translate))
        text = translate(message) if message else ""
        return text if self.words is None else text.format_map(self.words)


def error_body(error: ApiError) -> dict[str, Any]:
    """What is said of `error`, in the language of the request: the one shape of `ERROR_SCHEMA`."""
    message, remedy = error.localized(error.message), error.localized(error.remedy)
    where = localize(error.where, translator(language()))
    body: dict[str, Any] = {"code": error.code, "message": message, "where": where, "remedy": remedy}
    if error.facts:
        body["facts"] = error.facts
    return body


def error_answer(error: ApiError) -> Response:
    """The answer for `error`: JSON under /api and for whoever asks for it, else a page."""
    body = error_body(error)
    wants_page = not request.path.startswith("/api") and "text/html" in request.headers.get("Accept", "")
    if wants_page:
        page = render_template("error.html", error=body, status=error.status, language=language())
        answer = Response(page, mimetype="text/html")
    else:
        answer = jsonify({"error": body})
    answer.status_code = error.status
    return answer


def install(app: Flask) -> None:
    """Give every error of `app` the one shape."""

    @app.errorhandler(ApiError)
    def _own(error: ApiError) -> Response:
        return error_answer(error)

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        localized = PLAIN.get(error.code or 500, error.description or error.name)
        answer = error_answer(ApiError(error.code or 500, localized))
        valid = getattr(error, "valid_methods", None)
        if valid:
            answer.headers["Allow"] = ", ".join(sorted(valid))
        return answer

    @app.errorhandler(CompanionError)
    def _companion(error: CompanionError) -> Response:
        if isinstance(error, StoreError):
            return error_answer(ApiError(503, error.message, code="unsaved", where=error.where, remedy=error.remedy))
        status = 400 if isinstance(error, (DataError, NotationError)) else 409
        translate = translator(language())
        localized = "; ".join(fill(message, facts, translate, str) for message, facts in error.parts) or error.message
        remedy = "" if error.parts else error.remedy  # what a command would want to know is no help on a page
        return error_answer(ApiError(status, localized, where=error.where, remedy=remedy))

    @app.errorhandler(Exception)
    def _unforeseen(error: Exception) -> Response:
        # The request's path only: bodies and states may hold secrets.
        LOG.error("%s %s failed", request.method, request.path, exc_info=error)
        slip = game_code_error(error)
        if slip is not None:
            return error_answer(ApiError(500, slip.message, code="game-code"))
        return error_answer(ApiError(500, "the companion failed at this; its log says why", remedy="Try again."))
