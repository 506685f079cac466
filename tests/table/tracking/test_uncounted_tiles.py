"""A tile that goes while nobody knows how many cubes lay on it accuses nobody; other pictures tell what happened."""

from __future__ import annotations

from dataclasses import replace

import pytest
from followed_table import Table

from companion.core.layout import SlotView
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.hypotheses import Believed, root, successors
from companion.table.tracking.judging.verdicts import Unreadable

KIND = HappeningKind

UNCLEAR_P = 0.05
"""Probability of a count that says next to nothing."""


@pytest.fixture
def table() -> Table:
    """Three players have chosen r1c2, which needs two cubes; A begins."""
    one = Table.dealt()
    one.told("A choose r1c1 r1c2", "B choose r1c2 r2c1", "C choose r2c2 r1c2")
    return one


def look_with(table: Table, slot: str, pieces_p: float) -> tuple[Happening, ...]:
    """A picture after a hand was there, in which the count of pieces in one slot is so probable."""
    table.tracker.scene_changed()
    seen = table.eyes.look(table.view)
    slots = tuple(replace(one, pieces_p=pieces_p) if one.slot == slot else one for one in seen.slots)
    return table.tracker.observe(replace(seen, slots=slots))


@pytest.mark.parametrize(("pieces_p", "told"), [(0.95, True), (UNCLEAR_P, False)])
def test_a_tile_that_is_gone_is_a_breach_only_if_what_lay_on_it_was_counted(
    table: Table, pieces_p: float, told: bool
) -> None:
    look_with(table, "r3c1", pieces_p)
    table.lay("r3c1", SlotView())
    happenings = table.look()
    assert [one.kind for one in happenings] == ([KIND.ILLEGAL] if told else [])
    assert told or table.tracker.judge(table.tracker._evidence) == Unreadable(("r3c1",), misread=True)


def test_a_tile_counted_clearly_since_is_a_breach_when_it_goes(table: Table) -> None:
    look_with(table, "r3c1", UNCLEAR_P)
    table.look()
    table.lay("r3c1", SlotView())
    assert [one.kind for one in table.look()] == [KIND.ILLEGAL]


def test_tiles_that_change_places_are_a_breach_though_the_cubes_on_one_were_not_counted(table: Table) -> None:
    look_with(table, "r3c1", UNCLEAR_P)
    one, other = table.view.at("r3c1"), table.view.at("r3c3")
    table.lay("r3c1", other)
    table.lay("r3c3", one)
    (happening,) = table.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E11")


@pytest.mark.parametrize(("uncounted", "found"), [(frozenset({"r3c3"}), True), (frozenset(), False)])
def test_several_cubes_may_have_gone_unseen_where_they_were_not_counted(uncounted: frozenset[str], found: bool) -> None:
    table = Table.dealt()
    table.told("A choose r1c1 r3c3", "B choose r3c3 r2c1", "C choose r2c2 r3c3")  # r3c3 needs three cubes
    rules, tracker = table.rules, table.tracker
    table.lay("r3c3", SlotView())
    table.look()
    slots = tuple(outline.slot for outline in rules.layout().slots)
    start = root(rules, Believed(tracker.state, tracker.view), slots)
    ways = successors(rules, (start,), tracker._evidence, slots, anywhere=True, uncounted=uncounted)
    moves = [[rules.format(event) for event in way.events] for way in ways]
    assert (["A move r3c3", "B move r3c3", "C move r3c3"] in moves) == found
