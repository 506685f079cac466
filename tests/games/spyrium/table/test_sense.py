"""Which of several acts of Spyrium nobody does who wants to win."""

from __future__ import annotations

import pytest
from spyrium_positions import position, rules_of

TWO = {"A": {"step": "II", "money": 9, "spyrium": 2}}
CROWD = {"r1c1|r1c2": "AB", "r1c1|r2c1": "C"}
"""Beside r1c1 two others stand, beside r1c2 one."""
LATE = {"event": "event-place", "future": "event-money", "seats": {"A": {"step": "I"}}}


def told(ways, **words):
    rules = rules_of()
    state = position(rules, **words)
    chains = tuple(tuple(map(rules.parse, way)) for way in ways)
    return [list(map(rules.format, way)) for way in rules.sensible(state, chains)]


@pytest.mark.parametrize(
    ("why", "words", "better", "worse"),
    [
        ("S40: the other card pays more", {"gaps": CROWD, "seats": TWO}, ["A money r1c1|r1c2 r1c1"],
         ["A money r1c1|r1c2 r1c2"]),
        ("S40, S42: points for Spyrium, and nothing for nothing", {"gaps": {"r1c1|r1c2": "A"}, "seats": TWO},
         ["A activate r1c1|r1c2 r1c2"], ["A money r1c1|r1c2 r1c2"]),
        ("S42: the larger token", {"gaps": {"r1c1|r1c2": "A"}, "seats": TWO, "tokens": {"r1c1": [1, 3]},
                                   "market": "miner apprentice geologist workshop-left - - - - -"},
         ["A activate r1c1|r1c2 r1c1 token=3"], ["A activate r1c1|r1c2 r1c1 token=1"]),
        ("S66: the event is not given away for what Phase I allows", LATE,
         ["A place r1c1|r1c2"], ["A start", "A event use gap=r1c1|r1c2"]),
    ],
)  # fmt: skip
def test_an_act_that_another_one_is_plainly_better_than_makes_no_sense(why, words, better, worse):
    assert told([worse, better], **words) == [better], why


@pytest.mark.parametrize(
    ("why", "words", "ways"),
    [
        ("£1 or points for a Spyrium", {"gaps": {"r1c1|r1c2": "AB"}, "seats": TWO},
         [["A money r1c1|r1c2 r1c1"], ["A activate r1c1|r1c2 r1c2"]]),
        ("nothing, or £2 paid for Spyrium: who saves has a reason", {"gaps": {"r1c2|r1c3": "A"}, "seats": TWO},
         [["A money r1c2|r1c3 r1c3"], ["A activate r1c2|r1c3 r1c3"]]),
        ("S53: revenue or points", {"gaps": {"r2c3|r3c3": "A"}, "seats": TWO,
                                    "market": "mine-left apprentice geologist - - architect - - residence",
                                    "tokens": {"r2c3": [1]}},
         [["A activate r2c3|r3c3 r2c3 token=1 residence=move"], ["A activate r2c3|r3c3 r2c3 token=1 residence=score"]]),
        ("money, or a building that is new", {"gaps": {"r1c1|r1c2": "A"}, "seats": TWO},
         [["A money r1c1|r1c2 r1c1"], ["A activate r1c1|r1c2 r1c1 space=new"]]),
    ],
)  # fmt: skip
def test_acts_that_bring_different_things_all_make_sense(why, words, ways):
    assert told(ways, **words) == ways, why


def test_acts_of_different_players_are_not_held_against_each_other():
    ways = [["A start", "A money r1c1|r1c2 r1c1"], ["B place r1c1|r1c2"]]
    assert told(ways, gaps={"r1c1|r1c2": "A"}) == ways
