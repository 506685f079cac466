"""The routes of an overruling: the referee proposes the table as it lies, everybody agrees, then it is the record's."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from companion.core.events import Cause, CauseKind
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.table.commands import Overrule
from companion.table.tracking.appearance import look
from web.errors import ApiError
from web.handlers.base import Calls, refusal
from web.handlers.proposals import Proposal, lying_board, proposal_json, slot_json
from web.ports import OpenTable
from web.roles.access import Role
from web.texts import language
from web.views import Speaker


class Overruling(Calls):
    """The methods of the routes of an overruling."""

    def lies(self) -> Response:
        """What lies on the table by the record, and by the camera where that differs."""
        self._referee()
        table = self.gate.table()
        rules, board = table.session.rules, table.session.rules.board(table.session.state)
        camera = self.gate.host.camera
        seen = None if camera is None else camera.lies()
        return jsonify({
            "possible": table.spec.as_it_lies is not None,
            "slots": {o.slot: slot_json(board.at(o.slot)) for o in rules.layout().slots},
            "seen": None if seen is None else {o.slot: slot_json(seen.at(o.slot)) for o in rules.layout().slots},
            "differs": [] if seen is None else list(look(rules, board).differs(seen)),
        })

    def overrule(self, body: dict[str, Any]) -> Response:
        """Ask everybody to accept the table as it lies."""
        self.gate.change(body["as"], Role.REFEREE)
        table = self.gate.table()
        rules, state = table.session.rules, table.session.state
        if table.spec.as_it_lies is None:
            raise ApiError(409, "{game} cannot be accepted as it lies", words={"game": table.spec.title},
                           remedy="Tell what happened, or take it back.")
        if not self._seen_now(table, body["expected"]):
            raise ApiError(409, "the table has moved on: look again before you decide", code="stale")
        slots = [
            (one["slot"], SlotView(one["face"] or None, None, _pieces(one["pieces"]))) for one in body["slots"]
        ]
        board = rules.board(state)
        lying, problems = table.spec.as_it_lies(rules, state, lying_board(board, slots))
        if problems:
            speaker = Speaker(table, language())
            told = [speaker.text(problem.message, problem.facts) for problem in problems]
            raise ApiError(409, "that table cannot be accepted: {problems}", code="impossible",
                           words={"problems": "; ".join(told)}, slots=[problem.where for problem in problems])
        self.gate.proposals.put(Proposal(
            table.session.header.session, state, lying, body["why"], f"web:overrule:{body['key']}", board,
            rules.board(lying),
        ))
        return jsonify({"proposal": proposal_json(self.gate.proposals.now(table))})

    def _seen_now(self, table: OpenTable, expected: int) -> bool:
        try:
            return bool(table.session.state_after(expected) == table.session.state)
        except ValueError:
            return False

    def agree(self, body: dict[str, Any]) -> Response:
        """Agree for the own seat; the referee for those who say so."""
        client, table = self.gate.change(body["as"], Role.SEAT, Role.REFEREE), self.gate.table()
        seats = [self.gate.seat(name) for name in body.get("seats", ())] if client.seat is None else [client.seat]
        proposal = self.gate.proposals.agree(table, seats, themselves=client.seat is not None)
        if proposal is None:
            raise ApiError(409, "nobody is asked to agree to anything now", code="stale")
        everyone = tuple(Seat(i) for i in range(len(table.session.header.setup.seats)))
        if proposal.agreed != set(everyone):
            return jsonify({"proposal": proposal_json(proposal), "number": table.session.number})
        cause = Cause(CauseKind.OPERATOR, (("client", client.name),))
        answer = table.session.ask(Overrule(
            state=table.session.rules.dump(proposal.lying), why=proposal.why, consents=everyone,
            noted=tuple(sorted(proposal.noted)), cause=cause,
            key=proposal.key,
        ))
        if not answer.accepted:
            raise refusal(Speaker(table, language()), answer)
        return jsonify({"proposal": None, "number": table.session.number})

    def disagree(self, body: dict[str, Any]) -> Response:
        """Somebody does not agree: nothing is changed."""
        self.gate.change(body["as"], Role.SEAT, Role.REFEREE)
        self.gate.proposals.drop()
        return jsonify({})


def _pieces(listed: list[dict[str, Any]]) -> tuple[tuple[str, int], ...]:
    """Pieces of a place by colour, sorted, without those of which none lies there."""
    counts: dict[str, int] = {}
    for one in listed:
        counts[one["colour"]] = counts.get(one["colour"], 0) + one["count"]
    return tuple(sorted((colour, count) for colour, count in counts.items() if count))
