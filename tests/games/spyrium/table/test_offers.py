"""What an act would do in a position of Spyrium, as it is offered: costs, what is brought, and that nothing is."""

from __future__ import annotations

import pytest
from spyrium_positions import position, rules_of

from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME
from companion.games.spyrium.rules import SpyriumRules
from companion.i18n import fill

FULL = {"seats": {"A": {"reserve": 0}}}
CASES = [  # what it shows, position, act, sentence
    (
        "the shared symbol makes the price lower",
        {"market": "factory-left apprentice geologist workshop-left university-left crane adviser residence mine-left",
         "gaps": {"r1c1|r1c2": "AB"}, "seats": {"A": {"money": 20, "buildings": "workshop-left"}}},
        "A activate r1c1|r1c2 r1c1 space=b1",
        "A builds Factory (left) (r1c1) in the place of Workshop (left) (b1) with the worker at r1c1|r1c2 for £4: "
        "price £3 after £3 off for a shared symbol, other workers £1.",
    ),
    (
        "a use of a building is told by what it takes and gives",
        {"seats": {"A": {"buildings": "mine-middle"}}},
        "A use b1 2",
        "A uses Mine (middle) (b1): workers used: 1, Spyrium gained: 2.",
    ),
    (
        "3 are pounds at the event Points",
        {"event": "event-points"}, "A event 3", "A uses the event Points: £3 paid, points gained: 3.",
    ),
    (
        "3 are Spyrium at the event Money",
        {"event": "event-money", "seats": {"A": {"spyrium": 3}}},
        "A event 3",
        "A uses the event Money: Spyrium paid: 3, £6 gained.",
    ),
    (
        "R-S1: the event brings no worker where none is left",
        {"event": "event-worker", **FULL},
        "A event use",
        "A uses the event New Worker: £7 paid, no new worker, for none is left in the reserve.",
    ),
    (
        "R-S1: nor does the bonus",
        {"phase": "bonus", "seats": {"A": {"reserve": 0, "points": 8}}},
        "A bonus worker",
        "A takes a bonus: no new worker, for none is left in the reserve.",
    ),
    (
        "R-S1: a neighbourhood brings as many as there are",
        {"market": "neighbourhood-right apprentice geologist workshop-left university-left crane adviser residence "
         "mine-left", "gaps": {"r1c1|r1c2": "A"}, "seats": {"A": {"reserve": 1, "money": 9}}},
        "A activate r1c1|r1c2 r1c1 space=new",
        "A builds Working-class neighbourhood (right) (r1c1) in a new space with the worker at r1c1|r1c2 for £6: "
        "price £6, new workers: only 1 of 2, for no more are left in the reserve.",
    ),
    (
        "R-S7: what the worker brings",
        {"gaps": {"r1c1|r1c2": "ABB"}, "seats": {"A": {"techniques": "capitalization"}}},
        "A money r1c1|r1c2 r1c1",
        "A takes the worker at r1c1|r1c2 back for £4 at Mine (left) (r1c1).",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "act", "sentence"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_an_offer_says_what_the_act_costs_and_brings(words, act, sentence):
    rules = rules_of()
    state = position(rules, **words)
    action = rules.parse(act)
    assert rules.check(state, action) is None
    assert GAME.offer is not None
    message, facts = GAME.offer(rules, state, action)
    assert fill(message, facts, str, lambda seat: seat.name) == sentence


def test_colours_that_are_not_in_the_box_are_refused():
    seats = (SeatInfo("Ana", "purple"), SeatInfo("Ján", "blue"))
    with pytest.raises(DataError, match=r"blue, red, yellow, green, black.*got purple \(S1\)"):
        SpyriumRules(Setup("spyrium", seats, "sample"), GAME.load_catalogue("sample"))
