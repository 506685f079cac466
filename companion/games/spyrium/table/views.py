"""What everybody may know of a position of Spyrium, as JSON for a page: all but the order of what is undrawn."""

from __future__ import annotations

from typing import Any

from companion.core.game_kit.score_views import line_view, result_view
from companion.core.types import Json, Seat, SeatScore
from companion.games.spyrium.edition.catalogue import PERIODS
from companion.games.spyrium.edition.designs import EVENT_CLAUSES, EVENTS
from companion.games.spyrium.edition.tables import PERIOD_OF_TURN, TURNS, Tables
from companion.games.spyrium.legality.check import EXPECTED, seats_to_act
from companion.games.spyrium.play.activation import space_name, workers_beside
from companion.games.spyrium.play.scoring import result, seat_scores
from companion.games.spyrium.state import NONE, Player, State, Step
from companion.games.spyrium.table.effects import design_sketch, event_sketch

STEP_NAMES = {Step.PLACEMENT: "I", Step.ACTIVATION: "II", Step.PASSED: "passed"}


def state_view(t: Tables, s: State, viewer: Seat | None) -> Json:  # noqa: ARG001 - nothing is hidden
    """The position, the same for every viewer; docs/reference/spyrium.md lists the keys."""
    clause, expected = EXPECTED[s.phase]
    return {
        "game": "spyrium",
        "resource": {"key": "spyrium", "name": "Spyrium"},
        "sample": t.catalogue.has_sample_values,
        "edition": t.catalogue.title,
        "phase": s.phase.value,
        "clause": clause,
        "expected": expected,
        "round": s.turn,
        "last_round": s.turn == TURNS,
        "period": None if s.turn == 0 else PERIODS[PERIOD_OF_TURN[s.turn - 1]],
        "first": _seat(t, s.first),
        "to_act": [seat.name for seat in seats_to_act(t, s)],
        "awaited": [seat.name for seat in seats_to_act(t, s)],
        "rows": 3,
        "columns": 3,
        "cells": [_cell(t, s, slot) for slot in range(len(t.slots))],
        "gaps": [_gap(t, s, gap) for gap in range(len(t.gaps))],
        "event": _event(s.event, s.event_token),
        "future": _event(s.future, s.future_token),
        "track": list(t.track),
        "seats": [_seat_view(t, s, score) for score in seat_scores(t, s)],
        "supply": _supply(t, s),
        "result": result_view(result(t, s)),
    }


def _seat(t: Tables, seat: int) -> str | None:
    return None if seat == NONE else t.seats[seat].name


def _card(t: Tables, kind: int) -> dict[str, Any]:
    card, design = t.cards[kind], t.designs[kind]
    return {
        **design_sketch(card.design_name),
        "id": card.id,
        "design": card.design_name,
        "clause": design.clause,
        "period": card.period,
        "price": card.price,
        "points": card.points,
    }


def _tokens(tokens: tuple[int, int, int]) -> list[int]:
    """The values of the tokens, one by one."""
    return [value for value, count in enumerate(tokens, start=1) for _ in range(count)]


def _cell(t: Tables, s: State, slot: int) -> dict[str, Any]:
    kind = s.market[slot]
    return {
        "slot": t.slots[slot],
        "card": None if kind == NONE else _card(t, kind),
        "tokens": _tokens(s.tokens[slot]),
        "workers": workers_beside(t, s, slot),
    }


def _gap(t: Tables, s: State, gap: int) -> dict[str, Any]:
    workers = [t.seats[seat].name for seat, count in enumerate(s.gaps[gap]) for _ in range(count)]
    return {"slot": t.gaps[gap], "cards": [t.slots[x] for x in t.gap_cards[gap]], "workers": workers}


def _event(event: int, token: int) -> dict[str, Any] | None:
    if event == NONE:
        return None
    kind = EVENTS[event]
    return {**event_sketch(kind.value), "id": kind.value, "clause": EVENT_CLAUSES[kind], "token": token or None}


def _seat_view(t: Tables, s: State, score: SeatScore) -> dict[str, Any]:
    seat, p = score.seat, s.players[score.seat]
    return {
        "seat": seat.name,
        "name": t.setup.seats[seat].name,
        "colour": t.setup.seats[seat].colour,
        "step": STEP_NAMES[p.step],
        "used_event": p.used_event,
        "money": p.money,
        "spyrium": p.spyrium,
        "points": p.points,
        "residence": t.track[p.residence],
        "workers": _workers(s, seat, p),
        "buildings": [
            {"space": space_name(i), **_card(t, b.kind), "inclined": b.inclined, "workers": b.workers}
            for i, b in enumerate(p.buildings)
        ],
        "techniques": [{**_card(t, kind), "inclined": kind in p.inclined} for kind in p.techniques],
        "kept_tokens": _tokens(p.kept),
        "bonuses": [name for name, left in (("worker", p.worker_bonus), ("money", p.money_bonus)) if left],
        "score": {"lines": [line_view(line) for line in score.lines], "total": score.total},
    }


def _workers(s: State, seat: int, p: Player) -> dict[str, int]:
    return {
        "active": p.active,
        "inactive": p.inactive,
        "market": sum(here[seat] for here in s.gaps),
        "buildings": sum(b.workers for b in p.buildings),
        "reserve": p.reserve,
    }


def _supply(t: Tables, s: State) -> dict[str, Any]:
    """What is undrawn: cards by period and kind, token values in stock and discarded, events still to come."""
    decks = {
        period: {t.cards[kind].id: n for kind, n in enumerate(deck) if n}
        for period, deck in zip(PERIODS, s.decks, strict=True)
    }
    return {
        "count": sum(s.decks[PERIOD_OF_TURN[max(0, s.turn - 1)]]),
        "decks": decks,
        "stock": list(s.stock),
        "discard": list(s.discard),
        "events": [EVENTS[i].value for i in s.events_left],
    }
