"""The one shape of errors: code, message, where, what next; for people a page, for programs JSON."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.core.errors import CompanionError, DataError, NotationError
from companion.table.trouble import StoreError

LOG = logging.getLogger("companion.web")

NAMES = {
    400: "bad-request", 401: "unauthorised", 403: "forbidden", 404: "not-found", 405: "method-not-allowed",
    409: "conflict", 413: "too-large", 415: "unsupported-media-type", 429: "too-many-requests", 500: "internal",
    503: "unavailable",
}

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
        self, status: int, message: str, *, code: str = "", where: str = "", remedy: str = "", **facts: Any
    ) -> None:
        super().__init__(message)
        self.status, self.code = status, code or NAMES.get(status, "error")
        self.message, self.where, self.remedy, self.facts = message, where, remedy, facts


def error_answer(error: ApiError) -> Response:
    """The answer for `error`: JSON under /api and for whoever asks for it, else a page."""
    body: dict[str, Any] = {
        "code": error.code, "message": error.message, "where": error.where, "remedy": error.remedy,
    }
    if error.facts:
        body["facts"] = error.facts
    wants_page = not request.path.startswith("/api") and "text/html" in request.headers.get("Accept", "")
    if wants_page:
        answer = Response(render_template("error.html", error=error), mimetype="text/html")
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
        answer = error_answer(ApiError(error.code or 500, error.description or error.name))
        valid = getattr(error, "valid_methods", None)
        if valid:
            answer.headers["Allow"] = ", ".join(sorted(valid))
        return answer

    @app.errorhandler(CompanionError)
    def _companion(error: CompanionError) -> Response:
        if isinstance(error, StoreError):
            return error_answer(ApiError(503, error.message, code="unsaved", where=error.where, remedy=error.remedy))
        status = 400 if isinstance(error, (DataError, NotationError)) else 409
        return error_answer(ApiError(status, error.message, where=error.where, remedy=error.remedy))

    @app.errorhandler(Exception)
    def _unforeseen(error: Exception) -> Response:
        # The request's path only: bodies and states may hold secrets.
        LOG.error("%s %s failed", request.method, request.path, exc_info=error)
        return error_answer(ApiError(500, "the companion failed at this; its log says why", remedy="Try again."))
