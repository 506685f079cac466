"""Whether a building or the event of Spyrium can be used as said, and if not, why."""

from __future__ import annotations

from typing import Any

from companion.core.shown import shown
from companion.core.types import Seat, Violation
from companion.games.spyrium.actions import MOVE, SCORE, Reuse, Use, UseEvent
from companion.games.spyrium.activation import has_technique, space_index, technique_ready
from companion.games.spyrium.acts import (
    EVENT_CHOICES,
    RESIDENCE_EVENT_SPYRIUM,
    STRAIGHTEN_POUNDS,
    way_of,
    worker_event_pounds,
)
from companion.games.spyrium.board import building_slot
from companion.games.spyrium.designs import EVENT_CLAUSES, EVENTS, TAYLORISM, Building, EventKind
from companion.games.spyrium.legality_cards import commerce_problem, residence_problem, unknown_gap
from companion.games.spyrium.state import NONE, State, Step
from companion.games.spyrium.tables import Tables


def check_placing(t: Tables, s: State, seat: Seat, gap: str, clause: str) -> Violation | None:
    """S30: why the seat cannot put an active worker into `gap`, or None."""
    wrong = unknown_gap(t, gap, clause)
    if wrong is not None:
        return wrong
    facts = (("seat", seat), ("gap", gap))
    if all(s.market[slot] == NONE for slot in t.gap_cards[t.gap_index[gap]]):
        return Violation("S30", "No card lies beside {gap}: no worker can be placed there.", facts, (gap,))
    if not s.players[seat].active:
        return Violation(clause, "{seat} has no active worker left to place.", facts, (gap,))
    return None


def check_use(t: Tables, s: State, action: Use) -> Violation | None:
    """S45: why the building cannot be used like this, or None."""
    return _use_problem(t, s, action.seat, action.space, action.way, "S45")


def check_reuse(t: Tables, s: State, action: Reuse) -> Violation | None:
    """S95: why the building cannot be used again like this, or None."""
    seat, player, facts = action.seat, s.players[action.seat], (("seat", action.seat),)
    if not has_technique(t, player, TAYLORISM):
        return Violation("S95", "{seat} does not have Taylorism and cannot use a building again.", facts)
    if not technique_ready(t, player, TAYLORISM):
        return Violation("S95", "{seat} has used Taylorism once this turn.", facts)
    return _use_problem(t, s, seat, action.space, action.way, "S95")


def _use_problem(t: Tables, s: State, seat: Seat, space: str, way: int, clause: str) -> Violation | None:
    """Why the seat cannot use the building in `space` in this way; S45 wants it upright, S64 and S95 inclined."""
    player = s.players[seat]
    place = space_index(player, space)
    if place == NONE:
        facts_space = (("seat", seat), ("space", shown(space)))
        return Violation(clause, "{seat} has no building in the space {space}.", facts_space)
    built = player.buildings[place]
    use, design = way_of(t, player, place, way), t.designs[built.kind]
    assert isinstance(design, Building)
    slots = building_slot(seat, place)
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat), ("card", t.cards[built.kind].id), ("way", way), ("ways", len(design.uses)),
    )  # fmt: skip
    if not design.uses:
        return Violation(design.clause, "{card} has no effect that could be used.", facts, slots)
    if use is None:
        return Violation(clause, "{card} has {ways} effects, counted from 1; {way} is none of them.", facts, slots)
    if built.inclined and clause == "S45":
        return Violation(clause, "{card} is inclined: {seat} has used it this turn.", facts, slots)
    if not built.inclined and clause != "S45":
        return Violation(clause, "{card} stands upright: {seat} has not used it this turn.", facts, slots)
    if use.workers > player.active:
        facts_workers = (*facts, ("workers", use.workers), ("active", player.active))
        return Violation("S45", "{card} takes {workers} workers; {seat} has {active} active.", facts_workers, slots)
    if use.spyrium > player.spyrium:
        facts_spyrium = (*facts, ("spyrium", use.spyrium), ("owned", player.spyrium))
        return Violation("S48", "{card} takes {spyrium} Spyrium; {seat} has {owned}.", facts_spyrium, slots)
    return None


def check_event(t: Tables, s: State, action: UseEvent) -> Violation | None:
    """S31: why the seat cannot use the event like this, or None."""
    seat, kind = action.seat, EVENTS[s.event]
    clause, choices = EVENT_CLAUSES[kind], EVENT_CHOICES[kind]
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat), ("event", kind.value), ("choice", shown(action.choice)), ("choices", choices),
    )  # fmt: skip
    if s.players[seat].used_event:
        return Violation("S31", "{seat} has used {event} already this turn.", facts)
    if action.choice not in choices:
        return Violation(clause, "{event} is used with {choices}, not with {choice}.", facts)
    again, places = kind is EventKind.STRAIGHTEN, kind is EventKind.PLACE
    stray = ((action.space or action.way) and not again) or (action.gap and not places)
    if stray or (action.value and kind is not EventKind.TOKEN):
        return Violation(clause, "{event} has nothing to do with what is named besides.", facts)
    if again:
        return _straighten_problem(t, s, action)
    if places:
        return _place_event_problem(t, s, action)
    if kind is EventKind.TOKEN:
        return _token_event_problem(t, s, action)
    if action.choice in (MOVE, SCORE):
        wrong = residence_problem(t, s, seat, action.choice)
        if wrong is not None:
            return wrong
    return _event_cost_problem(s, action, kind)


def _straighten_problem(t: Tables, s: State, action: UseEvent) -> Violation | None:
    wrong = _use_problem(t, s, action.seat, action.space, action.way, "S64")
    return wrong or _pounds_problem(s, action, STRAIGHTEN_POUNDS)


def _place_event_problem(t: Tables, s: State, action: UseEvent) -> Violation | None:
    if s.players[action.seat].step is Step.PLACEMENT:
        facts = (("seat", action.seat),)
        return Violation("S66", "This event places a worker in Phase II; {seat} is still in Phase I.", facts)
    return check_placing(t, s, action.seat, action.gap, "S66")


def _token_event_problem(t: Tables, s: State, action: UseEvent) -> Violation | None:
    if not s.event_token:
        facts = (("seat", action.seat), ("event", EventKind.TOKEN.value))
        return Violation("R-S5", "No token lies on {event}: {seat} can gain nothing.", facts)
    return commerce_problem(t, s, action.seat, s.event_token, action.value) if action.value else None


def _event_cost_problem(s: State, action: UseEvent, kind: EventKind) -> Violation | None:
    """S48: the price of the events S61-S63 and S65."""
    if kind is EventKind.POINTS:
        return _pounds_problem(s, action, int(action.choice))
    if kind is EventKind.WORKER:
        return _pounds_problem(s, action, worker_event_pounds(s.players[action.seat]))
    needed = RESIDENCE_EVENT_SPYRIUM if kind is EventKind.RESIDENCE else int(action.choice)
    owned = s.players[action.seat].spyrium
    if needed <= owned:
        return None
    facts = (("seat", action.seat), ("event", kind.value), ("spyrium", needed), ("owned", owned))
    return Violation("S48", "{event} takes {spyrium} Spyrium; {seat} has {owned}.", facts)


def _pounds_problem(s: State, action: UseEvent, needed: int) -> Violation | None:
    money = s.players[action.seat].money
    if needed <= money:
        return None
    facts = (("seat", action.seat), ("event", EVENTS[s.event].value), ("price", needed), ("money", money))
    return Violation("S48", "{event} costs {price}; {seat} has {money}.", facts)
