"""Facts about what leaves nothing to be seen on a table of Spyrium, and what is seen after what."""

from __future__ import annotations

import pytest
from spyrium_positions import position, rules_of

from companion.core.game import ActsUnseen, UnseenAct

LAST = {"A": {"step": "II"}, "B": {"step": "passed"}, "C": {"step": "passed"}}


@pytest.mark.parametrize(
    ("words", "act", "forced"),
    [
        ({"seats": {"A": {"step": "I"}}}, "A start", False),  # S32: if A is seen to do something of Phase II
        ({"seats": {"A": {"step": "I", "inactive": 3, "used_event": True}}}, "A start", True),  # R-S4
        ({"seats": {"A": {"step": "II", "used_event": True}}}, "A pass", True),  # S47: nothing else could be done
        ({"seats": {"A": {"step": "II", "used_event": False}}}, None, None),  # the event could have been used
        ({"seats": {"A": {"step": "II", "used_event": True}}, "gaps": {"r1c1|r1c2": "A"}}, None, None),
        ({"seats": {"A": {"step": "II", "used_event": True, "buildings": "mine-left"}}}, None, None),
        ({"phase": "bonus", "seats": {"A": {"step": "II", "points": 8}}}, None, None),  # one of two must be told
        ({"phase": "deal", "market": "mine-left - - - - - - - -"}, None, None),
    ],
)
def test_an_act_follows_from_what_is_seen_after_it_only_when_it_could_be_no_other(words, act, forced):
    rules = rules_of()
    assert isinstance(rules, ActsUnseen)
    unseen = rules.unseen_before(position(rules, **words))
    assert unseen == (None if act is None else UnseenAct(rules.parse(act), forced))


def test_the_last_pass_changes_nothing_until_hands_have_cleared_the_table():
    rules = rules_of()
    state = position(rules, seats={**LAST, "B": {"step": "passed", "buildings": "mine-left*"}})
    first, last = rules.board_path(state, rules.parse("A pass"))
    assert first == rules.board(state)
    assert last.at("r1c1").face is None
    assert last.at("event").face == first.at("future").face
    assert last.at("B-b1").turn == 0


def test_who_begins_is_not_seen_when_the_event_moves():
    rules = rules_of()
    state = rules.apply(rules.initial(), rules.parse("future event-money"))
    first, last = rules.board_path(state, rules.parse("first B"))
    assert first == rules.board(state)
    assert (last.at("event").face, last.at("future").face) == ("event-money", None)
