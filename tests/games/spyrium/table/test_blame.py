"""Which clause is named when the table changes in a way that no legal act explains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from spyrium_positions import position, rules_of

from companion.core.layout import BoardView, SlotView
from companion.core.types import Seat, Violation
from companion.games.spyrium import GAME
from companion.games.spyrium.rules import SpyriumRules
from companion.games.spyrium.state import State
from companion.games.spyrium.table.blame import blame_change

PHASE_TWO = {"A": {"step": "II"}, "B": {"step": "II"}}


def changed(view: BoardView, changes: Mapping[str, SlotView]) -> BoardView:
    return view.with_slots(changes)


def workers(**counts: int) -> SlotView:
    return SlotView(pieces=tuple(sorted(counts.items())))


def blamed(rules: SpyriumRules, state: State, changes: Mapping[str, SlotView]) -> Violation:
    accepted = rules.board(state)
    return blame_change(rules, state, accepted, changed(accepted, changes))


EMPTY = SlotView()
CASES: list[tuple[str, dict[str, Any], dict[str, SlotView], str, str]] = [
    (
        "a worker of the one whose turn it is not",
        {}, {"r1c1|r1c2": workers(red=1)}, "S24", "It is the turn of {awaited}, not of {seat}.",
    ),
    (
        "a worker placed in Phase II",
        {"seats": PHASE_TWO}, {"r1c1|r1c2": workers(blue=1)},
        "S24", "{seat} is in Phase II and never goes back to Phase I.",
    ),
    (
        "a worker placed in Phase II, with the event for it, where no card lies",
        {"seats": PHASE_TWO, "event": "event-place", "future": "event-money",
         "market": "- - apprentice geologist workshop-left university-left crane adviser-c residence"},
        {"r1c1|r1c2": workers(blue=1)}, "S30", "No card lies beside {gap}: no worker can be placed there.",
    ),
    (
        "more workers than a player has, in another's turn",
        {"seats": {"B": {"inactive": 3}}}, {"r1c1|r1c2": workers(red=1)},
        "S30", "{count} more came to {gap}; active workers of {seat}: {active}.",
    ),
    (
        "more workers than a player has, in their own turn",
        {"seats": {"A": {"step": "I", "inactive": 3}}}, {"r1c1|r1c2": workers(blue=1)},
        "S30", "{seat} has no active worker left to place.",
    ),
    (
        "two workers at once",
        {"seats": {"A": {"step": "I"}}}, {"r1c1|r1c2": workers(blue=1), "r2c1|r2c2": workers(blue=1)},
        "S24", "Workers placed at once: {count}; {seat} places one worker in an action.",
    ),
    (
        "a worker moved to another gap",
        {"gaps": {"r1c1|r1c2": "A"}}, {"r1c1|r1c2": EMPTY, "r2c1|r2c2": workers(blue=1)},
        "S41", "A worker of {seat} went from {source} to {gap}; it stays in its gap until it is taken back.",
    ),
    (
        "a foreign worker taken",
        {"gaps": {"r1c1|r1c2": "AB"}, "seats": PHASE_TWO}, {"r1c1|r1c2": workers(blue=1)},
        "S24", "A worker of {seat} is gone from {gap}, and it is the turn of {awaited}.",
    ),
    (
        "two own workers taken",
        {"gaps": {"r1c1|r1c2": "A", "r2c1|r2c2": "A"}}, {"r1c1|r1c2": EMPTY, "r2c1|r2c2": EMPTY},
        "S24", "Workers gone at {gaps}: {count}; {seat} takes back one worker in an action.",
    ),
    (
        "a worker taken while a bonus is to be chosen",
        {"phase": "bonus", "gaps": {"r1c1|r1c2": "B"}, "seats": {"A": {"points": 8}}}, {"r1c1|r1c2": EMPTY},
        "S52", "First {awaited} chooses a bonus, the worker or the money.",
    ),
    (
        "a colour that nobody plays",
        {}, {"r1c1|r1c2": workers(black=1)}, "S1", "At {slots} stands a worker of a colour that nobody plays.",
    ),
    (
        "a building taken without a worker",
        {}, {"r1c1": EMPTY},
        "S41", "{card} at {slot} was taken, but no worker beside it came back; it is the turn of {seat}.",
    ),
    (
        "a building built with too little money",
        {"gaps": {"r1c1|r1c2": "ABB"}, "seats": {"A": {"money": 1}}},
        {"r1c1|r1c2": workers(red=2), "r1c1": EMPTY, "A-b1": SlotView("mine-left", 0)},
        "S48", "{card} costs £{total} ({parts}); {seat} has £{money}.",
    ),
    (
        "a building that replaces another one, with too little money",
        {"gaps": {"r3c1|r3c2": "AB"}, "seats": {"A": {"money": 0, "buildings": "mine-left"}}},
        {"r3c1|r3c2": workers(red=1), "r3c2": EMPTY, "A-b1": SlotView("residence", 0)},
        "S48", "{card} costs £{total} ({parts}); {seat} has £{money}.",
    ),
    (
        "a technique taken out of turn",
        {"gaps": {"r2c2|r2c3": "B"}}, {"r2c2|r2c3": EMPTY, "r2c3": EMPTY},
        "S24", "It is the turn of {awaited}, not of {seat}.",
    ),
    (
        "a character taken away",
        {"gaps": {"r1c1|r1c2": "A"}}, {"r1c1|r1c2": EMPTY, "r1c2": EMPTY},
        "S42", "{card} at {slot} was taken, and no card leaves the market like this.",
    ),
    (
        "the market cleared before all have passed",
        {}, {"r1c1": EMPTY, "r1c2": EMPTY, "r1c3": EMPTY},
        "S50", "The cards at {slots} are gone before the end of the turn; not passed: {seats}.",
    ),
    (
        "two cards exchanged",
        {}, {"r1c1": SlotView("apprentice"), "r1c2": SlotView("mine-left")},
        "S22", "The cards at {slot} and {other} have changed places.",
    ),
    (
        "an emptied place filled",
        {"market": "- mine-left apprentice geologist workshop-left university-left crane adviser-c residence"},
        {"r1c1": SlotView("palace")}, "S22", "{card} lies at {slot}, where no card can come now.",
    ),
    ("another card", {}, {"r1c1": SlotView("palace")}, "S22", "At {slot} lies {card} instead of {expected}."),
    (
        "a card of another period dealt",
        {"phase": "deal", "market": "mine-left - - - - - - - -"}, {"r3c1": SlotView("palace")},
        "S2", "{card} belongs to period {period} and cannot come in turn {turn}.",
    ),
    ("an event gone", {}, {"event": EMPTY}, "S21", "The {expected} is gone from {slot}."),
    ("another event", {}, {"future": SlotView("event-money")}, "S21", "At {slot} lies {card} instead of {expected}."),
    (
        "an event for a second time",
        {"phase": "future", "future": "-", "market": "- - - - - - - - -"}, {"future": SlotView("event-points")},
        "S21", "The {event} has been revealed already.",
    ),
    (
        "a building that nobody built",
        {}, {"B-b1": SlotView("palace", 0)}, "S43", "{card} lies at {slot}, but {seat} has not built it.",
    ),
    (
        "a building gone",
        {"seats": {"B": {"buildings": "mine-left"}}}, {"B-b1": EMPTY},
        "S43", "{expected} of {seat} is gone from {slot}; a building stays.",
    ),
    (
        "a building straightened within the turn",
        {"seats": {"B": {"buildings": "mine-left*"}}}, {"B-b1": SlotView("mine-left", 0)},
        "S50", "{card} of {seat} was straightened before the end of the turn.",
    ),
    (
        "a building used out of turn",
        {"seats": {"B": {"buildings": "mine-left"}}}, {"B-b1": SlotView("mine-left", 1)},
        "S24", "It is the turn of {awaited}, not of {seat}.",
    ),
    (
        "a building used without the Spyrium for it",
        {"seats": {"A": {"buildings": "workshop-left", "spyrium": 0}}}, {"A-b1": SlotView("workshop-left", 1)},
        "S48", "{card} takes {spyrium} Spyrium; {seat} has {owned}.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "changes", "clause", "message"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_change_that_nothing_explains_breaks(words, changes, clause, message):
    rules = rules_of()
    violation = blamed(rules, position(rules, **words), changes)
    assert (violation.clause, violation.message) == (clause, message)
    assert violation.clause in GAME.clauses
    names = {part.partition("}")[0] for part in violation.message.split("{")[1:]}
    assert names <= dict(violation.facts).keys()
    assert violation.slots


def test_the_numbers_of_a_building_that_is_too_dear_are_those_before_the_worker_was_taken():
    rules = rules_of()
    state = position(rules, gaps={"r1c1|r1c2": "ABB"}, seats={"A": {"money": 1, "buildings": "workshop-left"}})
    away = {"r1c1|r1c2": workers(red=2), "r1c1": EMPTY, "A-b2": SlotView("mine-left", 0)}
    violation = blamed(rules, state, away)
    assert violation.fact("surcharge") == 2  # S41: both workers of B
    assert violation.fact("space") == 1  # S43: one building owned
    assert (violation.fact("seat"), violation.fact("money")) == (Seat.A, 1)


def test_every_change_of_one_slot_is_blamed_on_a_clause():
    rules = rules_of()
    state = position(rules, gaps={"r1c1|r1c2": "AB"}, seats={"A": {"buildings": "mine-left palace*"}})
    accepted = rules.board(state)
    lies = [EMPTY, SlotView("crane"), SlotView("event-money"), SlotView("palace", 1), workers(blue=2), workers(green=1)]
    for outline in rules.layout().slots:
        for view in lies:
            seen = changed(accepted, {outline.slot: replace(view, turn=view.turn if outline.turns > 1 else None)})
            if seen != accepted:
                assert blame_change(rules, state, accepted, seen).clause in GAME.clauses
