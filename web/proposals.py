"""What everybody is asked to agree to: the table accepted as it lies, or something taken back; and who has agreed."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from companion.core.game import State
from companion.core.layout import BoardView, SlotView
from companion.core.types import Draw, Face, Seat, Slot
from companion.table.commands import UndoPlan
from companion.table.session import Session
from web.ports.tables import OpenTable


@dataclass(frozen=True, slots=True)
class Lying:
    """`state` shall hold, as the table lies, for the reason `why`; `before` and `after` are the table in the record."""

    state: State
    why: str
    before: BoardView
    after: BoardView

    def to_json(self) -> dict[str, Any]:
        """What differs, place by place: nothing but what lies open on the table."""
        changes = [
            {"slot": slot, "before": slot_json(self.before.at(slot)), "after": slot_json(self.after.at(slot))}
            for slot in self.before.differs(self.after)
        ]
        return {"what": "lies", "why": self.why, "changes": changes}


@dataclass(frozen=True, slots=True)
class TakingBack:
    """What `plan` undoes shall be taken back, and `instead` be told, events as texts; `asked_by`: the seat that asked,
    or None for the referee."""

    plan: UndoPlan
    asked_by: Seat | None
    instead: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Whose wish it is, what it goes back over and what hands must do: messages with their facts."""
        return {
            "what": "undo",
            "asked_by": None if self.asked_by is None else self.asked_by.name,
            "to": self.plan.to,
            "undone": list(self.plan.undone),
            "instead": list(self.instead),
            "crossings": [{"message": one.message, "facts": dict(one.facts)} for one in self.plan.crossings],
            "steps": [step.to_json() for step in self.plan.steps],
        }


Wish: TypeAlias = Lying | TakingBack


@dataclass(frozen=True, slots=True)
class Proposal:
    """`wish` shall be done at a table whose state is `state`; `agreed`: the seats so far, `noted` those of them for
    whom the referee said so; `key`: of the command that it becomes."""

    session: str
    state: State
    wish: Wish
    key: str
    agreed: frozenset[Seat] = frozenset()
    noted: frozenset[Seat] = frozenset()

    @property
    def asked_by(self) -> Seat | None:
        """The seat whose wish it is; None for the referee."""
        return self.wish.asked_by if isinstance(self.wish, TakingBack) else None


@dataclass(frozen=True, slots=True)
class Ended:
    """`proposal` came to nothing at a table whose state is `state` since: `by` did not agree (None: the referee told
    the seat that asked), or it is `void`, since something else was done meanwhile."""

    proposal: Proposal
    state: State
    by: Seat | None = None
    void: bool = False


def slot_json(at: SlotView) -> dict[str, Any]:
    """What lies in a place."""
    return {"face": at.face, "pieces": [list(piece) for piece in at.pieces]}


class Proposals:
    """At most one proposal at a time, void as soon as anything else happens at its table; that the last one came to
    nothing is news until something happens after it. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Proposal | None = None
        self._ended: Ended | None = None

    def put(self, proposal: Proposal) -> None:
        """Ask for consent to `proposal`, in place of any other."""
        with self._lock:
            self._open, self._ended = proposal, None

    def now(self, table: OpenTable | None) -> Proposal | None:
        """The open proposal of this table."""
        with self._lock:
            return self._valid(table)

    def agree(self, table: OpenTable, seats: Iterable[Seat], *, themselves: bool) -> Proposal | None:
        """The proposal after `seats` agreed, or None when there is none any more.

        It is taken from the list when everybody has agreed: exactly one caller gets it complete.
        """
        with self._lock:
            found = self._valid(table)
            if found is None:
                return None
            agreeing = frozenset(seats)
            noted = found.noted - agreeing if themselves else found.noted | (agreeing - found.agreed)
            found = replace(found, agreed=found.agreed | agreeing, noted=noted)
            complete = len(found.agreed) == len(table.session.header.setup.seats)
            self._open = None if complete else found
            return found

    def drop(self, table: OpenTable, by: Seat | None) -> None:
        """Nobody is asked any more. Where `by` is not who asked (None: the referee), that is a refusal."""
        with self._lock:
            found = self._valid(table)
            self._open = None
            if found is not None and by != found.asked_by:
                self._ended = Ended(found, found.state, by)

    def ended(self, table: OpenTable | None) -> Ended | None:
        """Why the last proposal of this table came to nothing, until something else happens there."""
        with self._lock:
            self._valid(table)
            ended = self._ended
            return ended if ended is not None and _is_at(table, ended.proposal.session, ended.state) else None

    def _valid(self, table: OpenTable | None) -> Proposal | None:
        found = self._open
        if found is None or table is None:
            return None
        if _is_at(table, found.session, found.state):
            return found
        self._open, self._ended = None, Ended(found, table.session.state, void=True)
        return None


def _is_at(table: OpenTable | None, session: str, state: State) -> bool:
    """Whether the table plays `session` and is at `state`."""
    return table is not None and session == table.session.header.session and state == table.session.state


def proposal_json(proposal: Proposal | None) -> dict[str, Any] | None:
    """The proposal for the pages; None without one."""
    if proposal is None:
        return None
    return {**proposal.wish.to_json(), "agreed": [seat.name for seat in sorted(proposal.agreed)]}


def ended_json(ended: Ended | None) -> dict[str, Any] | None:
    """Why the last proposal came to nothing, for the pages; None when that is no news."""
    if ended is None:
        return None
    by = None if ended.by is None else ended.by.name
    return {"what": ended.proposal.wish.to_json()["what"], "by": by, "void": ended.void}


def lying_board(board: BoardView, slots: Iterable[tuple[Slot, SlotView]]) -> BoardView:
    """`board` with other things in some places."""
    return BoardView(tuple({**dict(board.slots), **dict(slots)}.items()))


def corrected_draws(session: Session, slot: Slot, face: Face) -> tuple[int, tuple[str, ...]] | None:
    """The record before the draw to `slot`, and the draws from it on if `face` was drawn there; None when something
    else than draws came after it, or they could not be so. Who was told to have been drawn later changes places with
    it."""
    rules, steps = session.rules, session.line(1)
    at = next((i for i in reversed(range(len(steps))) if getattr(steps[i].event, "slot", None) == slot), None)
    if at is None or not all(isinstance(step.event, Draw) for step in steps[at:]):
        return None
    to, first = session.before(steps[at].number), steps[at].event
    kind = next((name for name in ("tile", "card") if hasattr(first, name)), None)
    if kind is None:
        return None
    old, state, texts = getattr(first, kind), session.state_after(to), []
    for step in steps[at:]:
        draw: Any = step.event
        if draw is first or getattr(draw, kind, None) == face:
            draw = replace(draw, **{kind: face if draw is first else old})
        if rules.check_draw(state, draw) is not None:
            return None
        texts.append(rules.format(draw))
        state = rules.apply(state, draw)
    return to, tuple(texts)
