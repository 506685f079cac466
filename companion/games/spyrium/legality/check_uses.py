"""Whether a building or the event of Spyrium can be used as said, and if not, why."""

from __future__ import annotations

from typing import Any

from companion.core.shown import shown
from companion.core.types import Seat, Violation
from companion.games.spyrium.actions import MOVE, SCORE, Reuse, Use, UseEvent
from companion.games.spyrium.board import building_slot
from companion.games.spyrium.edition.designs import EVENT_CLAUSES, EVENTS, TAYLORISM, Building, EventKind
from companion.games.spyrium.edition.names import EVENT_NAMES
from companion.games.spyrium.edition.tables import Tables
from companion.games.spyrium.legality.check_cards import commerce_problem, residence_problem, unknown_gap
from companion.games.spyrium.play.activation import has_technique, space_index, technique_ready
from companion.games.spyrium.play.acts import (
    EVENT_CHOICES,
    PLAIN,
    RESIDENCE_EVENT_SPYRIUM,
    STRAIGHTEN_POUNDS,
    run_building,
    way_of,
    worker_event_pounds,
)
from companion.games.spyrium.state import NONE, State, Step


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
    wrong = _use_problem(t, s, action.seat, action.space, action.way, "S45")
    if wrong is not None or not (action.again or action.again_way):
        return wrong
    if not t.taylorism_rides:
        message = "In this game Taylorism is an action of its own; it does not go along with using a building."
        return Violation("R-S6", message, (("seat", action.seat),))
    used = run_building(t, s, action.seat, action.space, action.way)
    again = _use_problem(t, used, action.seat, action.again, action.again_way, "S95")
    return _taylorism_problem(t, s, action.seat) or again


def check_reuse(t: Tables, s: State, action: Reuse) -> Violation | None:
    """S95: why the building cannot be used again like this, or None."""
    if t.taylorism_rides:
        message = "In this game Taylorism goes along with using a building; it is no action of its own."
        return Violation("R-S6", message, (("seat", action.seat),))
    wrong = _taylorism_problem(t, s, action.seat)
    return wrong or _use_problem(t, s, action.seat, action.space, action.way, "S95")


def _taylorism_problem(t: Tables, s: State, seat: Seat) -> Violation | None:
    """S95: why the seat cannot use Taylorism now, or None."""
    player, facts = s.players[seat], (("seat", seat),)
    if not has_technique(t, player, TAYLORISM):
        return Violation("S95", "{seat} does not have Taylorism and cannot use a building again.", facts)
    if not technique_ready(t, player, TAYLORISM):
        return Violation("S95", "{seat} has used Taylorism once this turn.", facts)
    return None


def _use_problem(t: Tables, s: State, seat: Seat, space: str, way: int, clause: str) -> Violation | None:
    """Why the seat cannot use the building in `space` in this way; S45 wants it upright, S64 and S95 inclined."""
    player = s.players[seat]
    place = space_index(player, space)
    if place == NONE:
        facts_space = (("seat", seat), ("space", shown(space)))
        if not space:
            return Violation(clause, "{seat} says which building is used again.", facts_space)
        return Violation(clause, "{seat} has no building in the space {space}.", facts_space)
    built = player.buildings[place]
    use, design = way_of(t, player, place, way), t.designs[built.kind]
    assert isinstance(design, Building)
    slots = building_slot(seat, place)
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat), ("card", t.cards[built.kind].name), ("way", way), ("ways", len(design.uses)),
    )  # fmt: skip
    if not design.uses:
        return Violation(design.clause, "{card} has no effect that could be used.", facts, slots)
    if use is None:
        return Violation(clause, "{card} has no effect {way}; its effects are counted from 1 to {ways}.", facts, slots)
    if built.inclined and clause == "S45":
        return Violation(clause, "{card} is inclined: {seat} has used it this turn.", facts, slots)
    if not built.inclined and clause != "S45":
        return Violation(clause, "{card} stands upright: {seat} has not used it this turn.", facts, slots)
    if use.workers > player.active:
        facts_workers = (*facts, ("workers", use.workers), ("active", player.active))
        message = "{card} takes workers: {workers}; active workers of {seat}: {active}."
        return Violation("S45", message, facts_workers, slots)
    if use.spyrium > player.spyrium:
        facts_spyrium = (*facts, ("spyrium", use.spyrium), ("owned", player.spyrium))
        return Violation("S48", "{card} takes {spyrium} Spyrium; {seat} has {owned}.", facts_spyrium, slots)
    return None


def check_event(t: Tables, s: State, action: UseEvent) -> Violation | None:
    """S31: why the seat cannot use the event like this, or None."""
    seat, kind = action.seat, EVENTS[s.event]
    clause, choices = EVENT_CLAUSES[kind], EVENT_CHOICES[kind]
    facts: tuple[tuple[str, Any], ...] = (
        ("seat", seat), ("event", EVENT_NAMES[kind]), ("choice", shown(action.choice)), ("choices", choices),
    )  # fmt: skip
    if s.players[seat].used_event:
        return Violation("S31", "{seat} has used the {event} already this turn.", facts)
    if action.choice not in choices:
        if choices == (PLAIN,):
            return Violation(clause, "The {event} leaves no choice, and {choice} is none of its effects.", facts)
        return Violation(clause, "The {event} offers {choices}, not {choice}.", facts)
    again, places = kind is EventKind.STRAIGHTEN, kind is EventKind.PLACE
    stray = ((action.space or action.way) and not again) or (action.gap and not places)
    if stray or (action.value and kind is not EventKind.TOKEN):
        return Violation(clause, "Something is named that does not belong to the {event}.", facts)
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
        facts = (("seat", action.seat), ("event", EVENT_NAMES[EventKind.TOKEN]))
        return Violation("R-S5", "No token lies on the {event}: {seat} can gain nothing.", facts)
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
    facts = (("seat", action.seat), ("event", EVENT_NAMES[kind]), ("spyrium", needed), ("owned", owned))
    return Violation("S48", "The {event} takes {spyrium} Spyrium; {seat} has {owned}.", facts)


def _pounds_problem(s: State, action: UseEvent, needed: int) -> Violation | None:
    money = s.players[action.seat].money
    if needed <= money:
        return None
    facts = (("seat", action.seat), ("event", EVENT_NAMES[EVENTS[s.event]]), ("price", needed), ("money", money))
    return Violation("S48", "The {event} costs £{price}; {seat} has £{money}.", facts)
