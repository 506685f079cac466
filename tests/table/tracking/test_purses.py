"""Coins in the players' purses tell acts of Spyrium apart that leave the same market behind, and accuse nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from followed_table import Table
from spyrium_positions import position, rules_of

from companion.core.inputs import PurseReading
from companion.table.tracking.happenings import Happening, HappeningKind
from companion.table.tracking.purses import PurseWitness

GAPS = {"r1c1|r1c2": "AB", "r1c2|r1c3": "B"}
SEATS = {"A": {"step": "II", "money": 8}, "B": {"step": "II", "money": 8}, "C": {"step": "passed"}}


def table() -> Table:
    rules = rules_of()
    return Table(rules, position(rules, gaps=GAPS, seats=SEATS))


def look(one: Table, count: int = 4, **pounds: int) -> tuple[Happening, ...]:
    """Pictures of a new scene in which the purses of these seats are told."""
    purses = tuple(PurseReading(f"{seat}-purse", total, 0.98) for seat, total in pounds.items())
    one.tracker.scene_changed()
    return tuple(
        h for _ in range(count) for h in one.tracker.observe(replace(one.eyes.look(one.view), purses=purses))
    )


def events(one: Table, happenings: tuple[Happening, ...]) -> list[str]:
    return [one.rules.format(h.event) for h in happenings if h.event is not None]


@pytest.mark.parametrize(
    ("pounds", "act"),
    [
        (9, "A money r1c1|r1c2 r1c1"),  # S40: one other worker beside the mine
        (10, "A money r1c1|r1c2 r1c2"),  # two beside the apprentice
        (6, "A activate r1c1|r1c2 r1c2"),  # S41: nothing for the apprentice (S2), 2 for the others
    ],
)
def test_what_a_worker_came_back_for_is_told_by_the_coins(pounds: int, act: str) -> None:
    one = table()
    assert look(one, A=8, B=8, C=8) == ()
    one.put("r1c1|r1c2", "blue", -1)
    assert events(one, look(one, A=pounds, B=8, C=8)) == [act]
    assert one.rules.purses(one.tracker.state)["A-purse"] == pounds


@pytest.mark.parametrize("first", [{}, {"A": 7}], ids=["not seen", "not as the record says"])
def test_a_purse_that_was_not_right_before_says_nothing(first: dict[str, int]) -> None:
    one = table()
    look(one, **first)
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in look(one, A=9)] == [HappeningKind.ASKED]


def test_coins_that_are_not_yet_paid_leave_the_question_open_until_they_are() -> None:
    one = table()
    look(one, A=8)
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in look(one, A=8)] == [HappeningKind.ASKED]
    paid = look(one, A=9)
    assert HappeningKind.CLEARED in {h.kind for h in paid}
    assert events(one, paid) == ["A money r1c1|r1c2 r1c1"]


def test_coins_that_fit_no_act_accuse_nobody() -> None:
    one = table()
    look(one, A=8, B=8)
    assert look(one, A=3, B=30) == ()
    one.put("r1c1|r1c2", "blue", -1)
    assert [h.kind for h in look(one, A=40)] == [HappeningKind.ASKED]


def test_pictures_of_one_scene_that_differ_say_nothing_of_the_purse() -> None:
    one = table()
    witness, seen = PurseWitness(one.rules), one.eyes.look(one.view)
    witness.look(replace(seen, purses=(PurseReading("A-purse", 8, 0.98),)))
    witness.as_believed(one.tracker.state)
    witness.scene_changed()
    witness.look(replace(seen, purses=(PurseReading("A-purse", 9, 0.98),)))
    assert witness.of(one.tracker.state) is not None
    witness.look(replace(seen, purses=(PurseReading("A-purse", 10, 0.98),)))
    assert witness.of(one.tracker.state) is None


def followed(*held_and_tally: tuple[int, int], since: int = 1) -> tuple[PurseWitness, Table]:
    """A witness that saw the purse of A change so, each time the record said that it held so much."""
    one = table()
    witness, seen = PurseWitness(one.rules), one.eyes.look(one.view)
    for held, tally in held_and_tally:
        witness.scene_changed()
        witness.look(replace(seen, purses=(PurseReading("A-purse", None, 0.98, since, tally),)))
        seats = SEATS | {"A": {"step": "II", "money": held}}
        witness.as_believed(position(one.rules, gaps=GAPS, seats=seats))
    witness.scene_changed()
    witness.look(replace(seen, purses=(PurseReading("A-purse", None, 0.98, 1, 1),)))
    return witness, one


def test_a_purse_whose_coins_cannot_be_counted_is_heard_once_its_changes_have_gone_with_the_record() -> None:
    witness, one = followed((11, 3), (7, -1), (8, 0))
    heard = witness.of(one.tracker.state)
    assert heard is not None
    nine, ten = (position(one.rules, gaps=GAPS, seats=SEATS | {"A": {"step": "II", "money": n}}) for n in (9, 10))
    assert heard(nine) > heard(ten) + 3


@pytest.mark.parametrize(
    "changes",
    [
        [(7, -1), (8, 0)],  # too few
        [(8, 0), (8, 0), (8, 0)],  # the record has not changed either
        [(11, 3), (7, -1), (9, 0), (6, -3), (8, 0)],  # paid one act late as often as in time
        [(11, 3), (7, -1), (8, 1)],  # not as the record says when the table was last as believed
    ],
)
def test_a_purse_that_has_not_gone_with_the_record_says_nothing(changes: list[tuple[int, int]]) -> None:
    witness, one = followed(*changes)
    assert witness.of(one.tracker.state) is None


def test_changes_since_another_look_say_nothing() -> None:
    witness, one = followed((11, 3), (7, -1), (8, 0), since=2)
    assert witness.of(one.tracker.state) is None


def test_money_at_either_card_is_one_act_where_it_brings_the_same() -> None:
    rules = rules_of()
    market = "mine-left adviser-c - - - - - - -"
    seats = {"A": {"step": "II", "money": 0}, "B": {"step": "passed"}, "C": {"step": "passed"}}
    one = Table(rules, position(rules, market=market, gaps={"r1c1|r1c2": "AA"}, seats=seats))
    one.put("r1c1|r1c2", "blue", -1)
    (act,) = events(one, look(one))
    assert act.startswith("A money r1c1|r1c2 ")
