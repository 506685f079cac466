"""The routes of what everybody must agree to: the table as it lies becomes the record's, or something is taken back."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from companion.core.events import Cause, CauseKind
from companion.core.layout import SlotView
from companion.core.types import Seat
from companion.table.commands import Answer, Overrule, Play, Undo
from companion.table.tracking.appearance import look
from web.calls import Calls, command_fields, refusal
from web.errors import ApiError
from web.ports.tables import OpenTable
from web.proposals import Lying, Proposal, TakingBack, corrected_draws, lying_board, proposal_json, slot_json
from web.roles.access import Role
from web.speaker import Speaker
from web.texts import language


class Overruling(Calls):
    """The methods of the routes by which people ask and agree."""

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
            raise ApiError(409, "{game} cannot be accepted as it is", words={"game": table.spec.title},
                           remedy="Enter what happened, or undo it.")
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
        wish = Lying(lying, body["why"], board, rules.board(lying))
        key = f"web:overrule:{body['key']}"
        self.gate.proposals.put(Proposal(table.session.header.session, state, wish, key))
        return jsonify({"proposal": proposal_json(self.gate.proposals.now(table))})

    def _seen_now(self, table: OpenTable, expected: int) -> bool:
        try:
            return bool(table.session.state_after(expected) == table.session.state)
        except ValueError:
            return False

    def ask_undo(self, body: dict[str, Any]) -> Response:
        """Ask everybody to agree that something is taken back; what needs nobody's consent is taken back at once."""
        client, table = self.gate.change(body["as"], Role.SEAT, Role.REFEREE), self.gate.table()
        session = table.session
        if not self._seen_now(table, body["expected"]):
            raise ApiError(409, "the table has moved on: look again before you decide", code="stale")
        state, plan = session.state, session.undo_plan(body.get("to"), client.seat)
        if isinstance(plan, Answer):
            raise refusal(Speaker(table, language()), plan)
        if not set(plan.consents) <= {client.seat}:
            proposal = Proposal(session.header.session, state, TakingBack(plan, client.seat), f"web:undo:{body['key']}")
            self.gate.proposals.put(proposal)
            if client.seat is not None:  # asking is agreeing
                self.gate.proposals.agree(table, [client.seat], themselves=True)
            return jsonify({"proposal": proposal_json(self.gate.proposals.now(table)), "number": session.number})
        return self._done(Undo(to=plan.to, **command_fields(client, body)))

    def correct_draw(self, body: dict[str, Any]) -> Response:
        """Ask everybody to agree that another face was drawn by hand to a place; what was drawn after it stays."""
        self.gate.change(body["as"], Role.REFEREE)
        table = self.gate.table()
        session = table.session
        if not self._seen_now(table, body["expected"]):
            raise ApiError(409, "the table has moved on: look again before you decide", code="stale")
        found = corrected_draws(session, body["slot"], body["face"])
        plan = None if found is None else session.undo_plan(found[0])
        if found is None or plan is None or isinstance(plan, Answer):
            raise ApiError(409, "this draw cannot be corrected alone, since something depends on it",
                           remedy="Take back what came after it first.")
        wish = TakingBack(plan, None, found[1])
        key = f"web:correct:{body['key']}"
        self.gate.proposals.put(Proposal(session.header.session, session.state, wish, key))
        return jsonify({"proposal": proposal_json(self.gate.proposals.now(table)), "number": session.number})

    def agree(self, body: dict[str, Any]) -> Response:
        """Agree for their own seat; the referee for those who say so."""
        client, table = self.gate.change(body["as"], Role.SEAT, Role.REFEREE), self.gate.table()
        seats = [self.gate.seat(name) for name in body.get("seats", ())] if client.seat is None else [client.seat]
        proposal = self.gate.proposals.agree(table, seats, themselves=client.seat is not None)
        if proposal is None:
            raise ApiError(409, "nobody is asked to agree to anything now", code="stale")
        everyone = tuple(Seat(i) for i in range(len(table.session.header.setup.seats)))
        if proposal.agreed != set(everyone):
            return jsonify({"proposal": proposal_json(proposal), "number": table.session.number})
        cause, wish = Cause(CauseKind.OPERATOR, (("client", client.name),)), proposal.wish
        noted = tuple(sorted(proposal.noted))
        consent: dict[str, Any] = {"consents": everyone, "noted": noted, "cause": cause, "key": proposal.key}
        if isinstance(wish, TakingBack):
            undone = self._done(Undo(to=wish.plan.to, **consent))
            if not wish.instead:
                return undone
            return self._done(Play(texts=wish.instead, cause=cause, key=f"{proposal.key}:instead"))
        return self._done(Overrule(state=table.session.rules.dump(wish.state), why=wish.why, **consent))

    def _done(self, command: Undo | Overrule | Play) -> Response:
        table = self.gate.table()
        answer = table.session.ask(command)
        if not answer.accepted:
            raise refusal(Speaker(table, language()), answer)
        steps = [Speaker(table, language()).prompter.step(step) for step in answer.steps]
        return jsonify({"proposal": None, "number": table.session.number, "steps": steps})

    def disagree(self, body: dict[str, Any]) -> Response:
        """Somebody does not agree: nothing is changed."""
        client, table = self.gate.change(body["as"], Role.SEAT, Role.REFEREE), self.gate.table()
        self.gate.proposals.drop(table, client.seat)
        return jsonify({})


def _pieces(listed: list[dict[str, Any]]) -> tuple[tuple[str, int], ...]:
    """Pieces of a place by colour, sorted, without those of which none lies there."""
    counts: dict[str, int] = {}
    for one in listed:
        counts[one["colour"]] = counts.get(one["colour"], 0) + one["count"]
    return tuple(sorted((colour, count) for colour, count in counts.items() if count))
