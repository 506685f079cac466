"""The first player's act does not wait for the doubt about the second one's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import pytest

from companion.core.layout import BoardView, SlotView
from companion.core.types import Action, Event, Seat, Slot
from companion.table.tracking.hypotheses import Hypothesis
from companion.table.tracking.judging.turn_by_turn import (
    UNRIVALLED,
    left_open,
    margin_of,
    of_who_acted_first,
    what_is_over,
)
from companion.table.tracking.judging.verdicts import Ambiguous, NoChange, Verdict
from companion.table.tracking.judging.weighing import Weighed

LEAST = log(30.0)
PLACES = (Slot("p1"), Slot("p2"), Slot("p3"))


@dataclass(frozen=True, slots=True)
class Put(Action):
    """A piece of a player's colour in a place."""

    place: Slot


def put(seat: Seat, number: int) -> Put:
    return Put(seat, PLACES[number - 1])


A1, A2, B2, B3 = put(Seat.A, 1), put(Seat.A, 2), put(Seat.B, 2), put(Seat.B, 3)


def way(score: float, *events: Event, misread: float | None = None, wrong: tuple[Slot, ...] = ()) -> Weighed:
    """An explanation by `events`: each leaves a piece of its player."""
    laid = {one.place: SlotView(None, ((one.seat.name, 1),)) for one in events if isinstance(one, Put)}
    lies = tuple((slot, laid.get(slot, SlotView())) for slot in PLACES)
    touched = tuple(one.place for one in events if isinstance(one, Put))
    told = Hypothesis(events, events, {}, 0.0, touched)
    return Weighed(told, lies, score, wrong, lies, score if misread is None else misread, lies)


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Something taken at a place, or nothing at all; it leaves the table as it is."""

    place: Slot
    number: int


def test_an_act_that_comes_to_the_same_as_one_that_is_offered_is_offered_too() -> None:
    something, nothing, nothing_there = (Take(Seat.A, place, n) for place, n in zip(PLACES, (1, 0, 0), strict=True))
    chains = [(act, *since) for since in ((B2,), ()) for act in (nothing, something, nothing_there)]
    ranked = []
    for number, events in enumerate(chains):
        one, taken = way(-0.1 * number, *events), events[0].number
        ranked.append(replace(one, hypothesis=replace(one.hypothesis, state=(taken, *events[1:]))))
    asked = Ambiguous(tuple(chains[:2]), PLACES, alike=True)
    of_first = of_who_acted_first(asked, ranked, ranked[1:2], LEAST)
    assert isinstance(of_first, Ambiguous)
    assert of_first.choices == ((nothing,), (something,), (nothing_there,))
    assert [end.events for end in of_first.ends] == list(of_first.choices)
    assert of_first.open == {PLACES[1]}


def test_an_act_is_over_when_the_next_player_has_acted_or_may_have() -> None:
    ranked = [way(0.0, A1, B2), way(-1.0, A1), way(-20.0)]
    over = what_is_over(ranked, ranked[1:], LEAST)
    assert over is not None
    assert over.events == (A1,)
    assert over.margin == 19.0, "what is read in the second place adds nothing"
    assert over.open == {PLACES[1]}


def test_what_is_read_of_the_next_player_does_not_make_the_first_act_sure() -> None:
    ranked = [way(0.0, A1, B2), way(-1.0, A1), way(-4.0)]
    assert what_is_over(ranked, ranked[1:2], LEAST) is None


def test_it_is_over_whichever_act_the_next_player_did() -> None:
    ranked = [way(0.0, A1, B2), way(-1.0, A1, B3), way(-9.0, A1), way(-20.0)]
    over = what_is_over(ranked, ranked[1:], LEAST)
    assert over is not None
    assert over.events == (A1,)


def test_nothing_is_over_where_the_first_act_is_in_doubt() -> None:
    ranked = [way(0.0, A1, B3), way(-1.0, A2, B3), way(-20.0)]
    assert what_is_over(ranked, ranked[1:], LEAST) is None
    alone = [way(0.0, A1), way(-20.0)]
    assert what_is_over(alone, alone[1:], LEAST) is None, "the last player may go on"


@pytest.mark.parametrize(
    ("others", "margin"),
    [
        ((), UNRIVALLED),
        ((way(-7.0),), 7.0),
        ((way(-7.0, A1, B2),), UNRIVALLED),  # it begins so, too
        ((way(-7.0), way(-3.0, A2)), 3.0),
        ((way(-7.0, misread=-9.0, wrong=(PLACES[0],)),), 7.0),
    ],
)
def test_what_begins_otherwise_is_a_rival(others: tuple[Weighed, ...], margin: float) -> None:
    assert margin_of((A1,), [way(0.0, A1), *others]) == margin


def alarm(misread: float, looks_like: Weighed) -> Weighed:
    """Nothing was done by the rules, and what is seen in the first place is wrong, or misread."""
    nothing = way(-2.0)
    return replace(
        nothing, wrong=(PLACES[0],), misread=misread, shows=looks_like.shows, looks=looks_like.looks
    )  # fmt: skip


def test_that_the_camera_misread_the_first_act_is_a_rival_though_the_table_looks_alike() -> None:
    best, begun = way(0.0, A1, B2), way(-1.0, A1)
    assert margin_of((A1,), [best, begun, alarm(-5.0, best)]) == 5.0
    assert what_is_over([best, begun, alarm(-5.0, best)], [begun], LEAST) is not None
    assert what_is_over([best, begun, alarm(-2.5, best)], [begun], LEAST) is None


ONE_PLAYER = Ambiguous(((A1,), (A2,)), PLACES[:1], alike=True)


def test_what_one_player_did_is_asked_though_the_next_scene_leaves_more_in_doubt() -> None:
    """In it a shadow lies over two gaps, and the next player has acted."""
    later = Ambiguous(((A1, B2), (A2, B2), (A2, B3), (B3,)), PLACES[:2])
    assert left_open(ONE_PLAYER, later) == replace(ONE_PLAYER, open=frozenset(PLACES[1:2]))


@pytest.mark.parametrize(
    "later",
    [
        NoChange(BoardView(())),
        Ambiguous(((A1, B2), (A1, B3)), PLACES[:2]),  # one of the acts is out of the question now
        Ambiguous(((A1, B2), (A2, B2)), PLACES[:2], alike=True),  # it says itself what is to be asked
    ],
)
def test_a_scene_that_tells_more_is_heard(later: Verdict) -> None:
    assert left_open(ONE_PLAYER, later) is later


def test_nothing_is_asked_where_nothing_was_open_before() -> None:
    later = Ambiguous(((A1, B2), (A2, B2)), PLACES[:2])
    assert left_open(None, later) is later
