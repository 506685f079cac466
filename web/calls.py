"""What the routes share: who asks, what a command carries, how a refusal is worded."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from companion.core import secrecy
from companion.core.events import Cause, CauseKind
from companion.table.commands import Answer, Outcome
from web.errors import ApiError, error_body
from web.ports.tables import OpenTable
from web.roles.access import Client, Role
from web.roles.gate import Gate
from web.speaker import Speaker
from web.stream import Broadcast

COOKIE_S = 30 * 24 * 3600
HIDDEN = "The picture is hidden while players choose in secret."


class Calls:
    """A part of the API: its methods are those that the routes name."""

    def __init__(self, gate: Gate, broadcast: Broadcast) -> None:
        self.gate, self.broadcast = gate, broadcast

    def _client(self) -> Client:
        return self.gate.client(request.args.get("as"))

    def _referee(self) -> None:
        self.gate.client("referee")


def secrets_are_kept(table: OpenTable | None) -> bool:
    """Whether somebody may be placing something in secret now, where a camera could see it."""
    return table is not None and secrecy.secrets_are_kept(table.session.rules, table.session.state)


def command_fields(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """What a command carries: who says it, its key (each client's own), what the client saw."""
    kind = CauseKind.SEAT if client.role is Role.SEAT else CauseKind.OPERATOR
    cause = Cause(kind, (("client", client.name),))
    return {"by": client.seat, "cause": cause, "key": f"web:{client.name}:{body['key']}",
            "expected": body.get("expected")}


def refusal(speaker: Speaker, answer: Answer) -> ApiError:
    """What a client is told of a command that was not accepted."""
    status = 503 if answer.outcome is Outcome.BUSY else 409
    facts: dict[str, Any] = {}
    if answer.violation is not None:
        facts = {"clause": speaker.clause(answer.violation.clause), "slots": list(answer.violation.slots)}
    return ApiError(status, speaker.prompter.answer(answer), code=answer.outcome.value, **facts)


def not_now(why: ApiError) -> Response:
    """What a page is told that asked rightly and gets nothing now: an answer, no fault that browsers should report."""
    return jsonify({"refused": error_body(why)})


def with_cookie(answer: Response, name: str, value: str) -> Response:
    """`answer` with a role's cookie."""
    # Not `secure`: on a LAN the pages are http; the https address serves the phone's camera.
    answer.set_cookie(name, value, max_age=COOKIE_S, httponly=True, samesite="Strict", path="/")
    return answer
