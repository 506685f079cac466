"""Acts of Spyrium that leave the same table: taken for what makes sense once hands are done, or asked about."""

from __future__ import annotations

import pytest
from followed_table import Table
from spyrium_positions import position, rules_of

POOR = {"A": {"step": "II", "money": 9, "spyrium": 0}}
BUILT_OR_MONEY = {"A money r1c1|r1c2 r1c1", "A money r1c1|r1c2 r1c2", "A activate r1c1|r1c2 r1c1 space=new"}
"""Nobody stands beside; without Spyrium the apprentice at r1c2 cannot be called."""


@pytest.fixture
def one() -> Table:
    """A has taken the worker between r1c1 and r1c2 back, and both cards lie there still."""
    rules = rules_of()
    table = Table(rules, position(rules, gaps={"r1c1|r1c2": "A", "r3c1|r3c2": "B"}, seats=POOR))
    table.put("r1c1|r1c2", "blue", -1)
    table.look()
    return table


def glances(one: Table) -> None:
    for _ in range(4):
        one.glance()


def told(one: Table, *chains: tuple) -> set[str]:
    return {one.rules.format(event) for chain in chains for event in chain}


def test_a_player_may_be_about_to_move_the_card_and_is_asked(one: Table) -> None:
    glances(one)
    assert told(one, *one.tracker.asked.choices) == BUILT_OR_MONEY
    assert one.tracker.presumed is None


def test_a_card_that_still_lies_there_was_not_built_when_the_next_player_has_acted(one: Table) -> None:
    one.put("r3c1|r3c2", "red", -1)
    glances(one)
    assert told(one, one.tracker.presumed.events) < BUILT_OR_MONEY - {"A activate r1c1|r1c2 r1c1 space=new"}
    assert told(one, *one.tracker.presumed.others) > {"A activate r1c1|r1c2 r1c1 space=new"}


def test_people_who_tell_what_comes_next_have_moved_what_they_move(one: Table) -> None:
    one.tracker.hold_ms = 4000
    one.tracker.ask_now(1)
    assert one.tracker.asked is None
    assert told(one, one.tracker.presumed.events) < BUILT_OR_MONEY
    assert one.tracker.presumed.seat.name == "A"


def test_a_table_that_presumes_nothing_asks_what_was_done(one: Table) -> None:
    one.tracker.presumes = False
    one.put("r3c1|r3c2", "red", -1)
    glances(one)
    assert one.tracker.presumed is None
    assert told(one, *one.tracker.asked.choices) >= BUILT_OR_MONEY


def test_what_nobody_does_who_wants_to_win_is_offered_last() -> None:
    rules = rules_of()
    # a worker beside r1c2 makes its money more (S40): at r1c1 it brings nothing
    one = Table(rules, position(rules, gaps={"r1c1|r1c2": "A", "r1c2|r2c2": "B"}, seats=POOR))
    one.put("r1c1|r1c2", "blue", -1)
    one.look()
    glances(one)
    choices = one.tracker.asked.choices
    assert told(one, *choices) == BUILT_OR_MONEY
    assert told(one, choices[-1]) == {"A money r1c1|r1c2 r1c1"}
    assert [end.events for end in one.tracker.asked.ends] == list(choices)
