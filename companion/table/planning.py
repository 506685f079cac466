"""What a command would write, given rules and history: the next records, or the refusal (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.errors import DataError, NotationError
from companion.core.events import Cause, CauseKind, RecordKind
from companion.core.game import Rules, State, violation_of
from companion.core.game_code import FAILED, GameCodeError, game_code, try_state
from companion.core.types import Action, Event, Seat
from companion.i18n import fill
from companion.table.commands import (
    Answer,
    Command,
    Crossing,
    DrawContext,
    DrawNext,
    DrawSource,
    Note,
    Outcome,
    Overrule,
    Play,
    Prove,
    Retell,
    Undo,
    UndoPlan,
)
from companion.table.record.history import History
from companion.table.steps import HandStep, hand_steps

PAUSED = "the game is paused: resume it first"
NOTHING = "there is nothing to play"
OTHER_SEAT = "{seat} may act only for themselves"
ONE_BY_ONE = "several acts can be entered at once only when none is secret or reveals a secret: enter them one by one"
NO_DRAW_DUE = "no draw is due now"
NO_BAG = "there is no digital bag: draw by hand and enter what was drawn"
NOTHING_TO_UNDO = "there is no act to undo"
NOT_IN_FORCE = "record {number} is not part of the game any more"
NEEDS_CONSENT = "everyone must agree first; waiting for: {seats}"
IMPOSSIBLE_STATE = "the game cannot go on from that table: {problems}"
NO_REASON = "an overruling needs a reason"
ALREADY_THERE = "the table is already as after record {number}"

CROSSES_DRAW = "a draw"
CROSSES_REVEAL = "a reveal"
CROSSES_OVERRULE = "an overruling"
CROSSES_ACT = "an act of {seat}"


@dataclass(frozen=True, slots=True)
class Planned:
    """A record to be written: its cause, kind and body, and the state it leads to (None: the state stays)."""

    cause: Cause
    kind: RecordKind
    body: Mapping[str, Any]
    state: State | None = None
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """Where a session is, as far as planning needs it."""

    session: str
    rules: Rules
    history: History
    draws: int  # how many draws the digital bag has made
    paused: bool
    bag: DrawSource | None


Plan = tuple[tuple[Planned, ...], tuple[HandStep, ...]]
"""The records to write in one go, and the steps for the hands."""


def plan(command: Command, at: Position) -> Plan | Answer:
    """The records that `command` writes, or the answer that refuses it. Changes nothing.

    What leads to where the game's own code fails is refused. Raises what the bag raises when it cannot draw.
    """
    try:
        with game_code():
            return _plan(command, at)
    except (NotationError, DataError) as error:
        return _refused(str(error))
    except GameCodeError as error:
        return _refused(FAILED, **error.facts)


def _plan(command: Command, at: Position) -> Plan | Answer:
    if isinstance(command, Note):
        body = {"topic": command.topic.value, "text": command.text, "data": command.data}
        return (Planned(command.cause, RecordKind.NOTE, body),), ()
    if isinstance(command, Prove):
        return (Planned(command.cause, RecordKind.PROOF, command.body),), ()
    if at.paused:
        return _refused(PAUSED)
    if isinstance(command, Play):
        return _plan_play(command, at)
    if isinstance(command, DrawNext):
        return plan_draw(command.cause, at)
    if isinstance(command, Undo):
        return _plan_undo(command, at)
    if isinstance(command, Retell):
        return _plan_retell(command, at)
    if isinstance(command, Overrule):
        return _plan_overrule(command, at)
    raise TypeError(f"a session knows no command {type(command).__name__}")


def _plan_play(command: Play, at: Position) -> Plan | Answer:
    if not command.texts:
        return _refused(NOTHING)
    # What can be said without a look at the state is said first: it tells nobody anything.
    events = [at.rules.parse(text) for text in command.texts]
    if any(isinstance(e, Action) and e.seat is not command.by for e in events) and command.by is not None:
        return _refused(OTHER_SEAT, seat=command.by)
    several = command.guarded and len(events) > 1
    if several and any(at.rules.is_secret(event) for event in events):
        return _refused(ONE_BY_ONE)
    state = before = at.history.state
    planned: list[Planned] = []
    for event in events:
        if several and planned and at.rules.is_reveal(before, events[len(planned) - 1]):
            return _refused(ONE_BY_ONE)
        violation = violation_of(at.rules, state, event)
        if violation is not None:
            return Answer(Outcome.ILLEGAL, violation=violation)
        before, state = state, _after(at.rules, state, event)
        body = {"text": at.rules.format(event)}
        planned.append(Planned(command.cause, RecordKind.EVENT, body, state, event))
    return tuple(planned), ()


def _after(rules: Rules, state: State, event: Event) -> State:
    """The state after an event that has passed its check, and tried: nothing fails once it is in the record."""
    after = rules.apply(state, event)
    rules.describe(event)
    rules.is_secret(event)
    rules.is_reveal(state, event)
    try_state(rules, after)
    return after


def plan_draw(cause: Cause, at: Position) -> Plan | Answer:
    """The record of the draw that is due, decided by the bag. `cause` says who asked for it."""
    state = at.history.state
    outcomes = at.rules.chance_outcomes(state)
    if not outcomes:
        return _refused(NO_DRAW_DUE)
    if at.bag is None:
        return _refused(NO_BAG)
    texts = tuple(at.rules.format(o.draw) for o in outcomes)
    context = DrawContext(at.session, at.draws + 1, at.history.head + 1, texts)
    index, proof = at.bag.draw(outcomes, context)
    draw = outcomes[index].draw
    asked = {"asked_by": cause.kind.value} | dict(cause.detail)
    drawn = Cause(CauseKind.DRAW, tuple((asked | {"draw": context.draw, "proof": dict(proof)}).items()))
    planned = Planned(drawn, RecordKind.EVENT, {"text": texts[index]}, _after(at.rules, state, draw), draw)
    return (planned,), ()


def undo_plan(to: int | None, by: Seat | None, at: Position) -> UndoPlan | Answer:
    """What an undo asked by `by` (None: the operator) would mean, or why it is not possible."""
    if to is None:
        told = [s for s in at.history.line() if _told_by(s.event, by, at)]
        if not told:
            return _refused(NOTHING_TO_UNDO)
        to = at.history.before(told[-1].number)
    if not at.history.in_force(to):
        return _refused(NOT_IN_FORCE, number=to)
    steps = at.history.line(after=to)
    if not steps:
        return _refused(ALREADY_THERE, number=to)
    crossings = []
    for step in steps:
        before = at.history.state_after(at.history.before(step.number))
        crossing = _crossing(step.event, before, by, at.rules)
        if crossing is not None:
            crossings.append(Crossing(step.number, crossing[0], crossing[1]))
    seats = tuple(Seat(i) for i in range(len(at.rules.setup.seats)))
    return UndoPlan(
        to=to,
        undone=tuple(s.number for s in steps),
        crossings=tuple(crossings),
        consents=seats if crossings else (),
        steps=hand_steps(
            at.rules.board(at.history.state), at.rules.board(at.history.state_after(to)), at.rules.layout()
        ),
    )


def _told_by(event: Event | None, by: Seat | None, at: Position) -> bool:
    """Whether `by` (None: anybody) entered this: an act, or a draw by hand; what a digital bag drew followed an act."""
    if isinstance(event, Action):
        return by in (None, event.seat)
    return event is not None and by is None and at.draws == 0


def _crossing(
    event: Event | None, before: State, by: Seat | None, rules: Rules
) -> tuple[str, tuple[tuple[str, Any], ...]] | None:
    if event is None:
        return CROSSES_OVERRULE, ()
    if not isinstance(event, Action):
        return CROSSES_DRAW, ()
    if rules.is_reveal(before, event):
        return CROSSES_REVEAL, ()
    if event.seat is not by:
        return CROSSES_ACT, (("seat", event.seat),)
    return None


def _plan_undo(command: Undo, at: Position) -> Plan | Answer:
    meant = undo_plan(command.to, command.by, at)
    if isinstance(meant, Answer):
        return meant
    missing = _missing(meant.consents, command)
    if missing:
        return Answer(Outcome.CONSENT, message=NEEDS_CONSENT, facts=(("seats", missing),))
    body = {
        "to": meant.to,
        "by": None if command.by is None else command.by.name,
        "consents": [seat.name for seat in sorted(set(command.consents))],
        **_noted(command),
        "undone": list(meant.undone),
        "steps": [step.to_json() for step in meant.steps],
    }
    return (Planned(command.cause, RecordKind.UNDO, body, at.history.state_after(meant.to)),), meant.steps


def _plan_retell(command: Retell, at: Position) -> Plan | Answer:
    undo = Undo(to=command.to, cause=command.cause, by=command.by, consents=command.consents, noted=command.noted)
    back = _plan_undo(undo, at)
    if isinstance(back, Answer):
        return back
    planned = list(back[0])
    state = at.history.state_after(command.to)
    for text, cause in command.events:
        event = at.rules.parse(text)
        violation = violation_of(at.rules, state, event)
        if violation is not None:
            return Answer(Outcome.ILLEGAL, violation=violation)
        state = _after(at.rules, state, event)
        planned.append(Planned(cause, RecordKind.EVENT, {"text": at.rules.format(event)}, state, event))
    board, layout = at.rules.board, at.rules.layout()
    return tuple(planned), hand_steps(board(at.history.state), board(state), layout)


def _plan_overrule(command: Overrule, at: Position) -> Plan | Answer:
    if not command.why.strip():
        return _refused(NO_REASON)
    missing = _missing(tuple(Seat(i) for i in range(len(at.rules.setup.seats))), command)
    if missing:
        return Answer(Outcome.CONSENT, message=NEEDS_CONSENT, facts=(("seats", missing),))
    state = at.rules.load(command.state)
    problems = at.rules.problems(state)
    if problems:
        names = at.rules.setup.seats
        texts = (f"{p.where}: {fill(p.message, p.facts, str, lambda seat: names[seat].name)}" for p in problems)
        return _refused(IMPOSSIBLE_STATE, problems=tuple(texts))
    try_state(at.rules, state)
    body = {
        "state": at.rules.dump(state),
        "why": command.why,
        "by": None if command.by is None else command.by.name,
        "consents": [seat.name for seat in sorted(set(command.consents))],
        **_noted(command),
    }
    return (Planned(command.cause, RecordKind.OVERRULE, body, state),), ()


def _noted(command: Undo | Overrule) -> dict[str, Any]:
    """Who is said to agree by somebody else; nothing where everybody spoke for themselves."""
    noted = sorted(set(command.noted) & set(command.consents))
    return {"noted": [seat.name for seat in noted]} if noted else {}


def _missing(needed: tuple[Seat, ...], command: Undo | Overrule) -> tuple[Seat, ...]:
    """Who has not agreed; asking is agreeing."""
    return tuple(seat for seat in needed if seat not in command.consents and seat is not command.by)


def _refused(message: str, **facts: Any) -> Answer:
    return Answer(Outcome.REFUSED, message=message, facts=tuple(facts.items()))
