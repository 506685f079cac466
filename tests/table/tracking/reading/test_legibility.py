"""A table that can hardly be read is told by what its readings say of themselves, over several pictures."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from followed_table import Table

from companion.core.inputs import BoardObservation, Sight, SlotReading, ViewState
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS
from companion.table.tracking.judging.verdicts import Illegal
from companion.table.tracking.reading.legibility import FEWEST_PICTURES, Legibility

SLOTS = tuple(f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3))


def picture(unsure: int, sight: Sight = Sight.SEEN) -> BoardObservation:
    """A settled picture of nine places, of which the pieces of some are not counted surely."""
    face = (("flora-1-a", log(0.99)),)
    readings = (SlotReading(s, sight, face, None, (), 0.5 if n < unsure else 0.95) for n, s in enumerate(SLOTS))
    return BoardObservation(0, 0, ViewState.SETTLED, tuple(readings))


@pytest.mark.parametrize(
    ("unsure", "poor"),
    [
        ((9, 9), False),  # the first look at a table is its hardest
        ((9, 9, 9), True),
        ((2, 2, 2), True),
        ((1, 1, 1, 1), False),
        ((0, 0, 0, 9), True),  # 0.25 of what was seen so far
        ((0,) * 20 + (9,), False),  # one that a shadow spoilt
        ((4,) * 4 + (1,) * 3, True),
        ((4,) * 4 + (0,) * 20, False),
    ],
)
def test_a_fifth_of_the_places_unsure_is_a_table_that_can_hardly_be_read(unsure: tuple[int, ...], poor: bool) -> None:
    legibility = Legibility()
    for one in unsure:
        legibility.look(picture(one))
    assert legibility.is_poor is poor


@pytest.mark.parametrize(
    ("unnamed", "burnt_out", "poor"),
    [((9, 9), 0, False), ((5, 5, 5), 0, True), ((4,) * 9, 0, False), ((5,) * 4 + (3,) * 9, 0, True),
     ((5,) * 4 + (0,) * 20, 0, False), ((9, 9, 9), 6, False)],
)
def test_half_of_the_faces_without_a_name_is_a_table_that_can_hardly_be_read(
    unnamed: tuple[int, ...], burnt_out: int, poor: bool
) -> None:
    legibility, dim = Legibility(), (("flora-1-a", log(0.6)), ("flora-1-b", log(0.3)))
    for count in unnamed:
        seen = picture(0)
        slots = (replace(one, faces=dim) if n < count else one for n, one in enumerate(seen.slots))
        slots = (replace(one, burnt_out=n < burnt_out) for n, one in enumerate(slots))
        legibility.look(replace(seen, slots=tuple(slots)))
    assert legibility.is_poor is poor


def test_pictures_that_show_no_place_say_nothing() -> None:
    legibility = Legibility()
    for _ in range(5):
        legibility.look(picture(9, Sight.COVERED))
    assert not legibility.is_poor


@pytest.mark.parametrize(
    ("burnt", "told"), [((9, 9), False), ((2, 2, 2), True), ((1, 1, 1, 1), False), ((4,) * 4 + (0,) * 20, False)]
)
def test_a_fifth_of_the_faces_too_bright_is_a_table_in_too_much_light(burnt: tuple[int, ...], told: bool) -> None:
    legibility = Legibility()
    bare = tuple(SlotReading(f"b{number}", Sight.SEEN, ((None, log(0.995)),)) for number in range(12))
    for count in burnt:
        seen = picture(0)
        slots = tuple(replace(one, burnt_out=number < count) for number, one in enumerate(seen.slots))
        legibility.look(replace(seen, slots=slots + bare))  # bare places have no face that could be too bright
    assert legibility.is_burnt_out is told
    assert not legibility.is_poor


@pytest.mark.parametrize(("poor", "accused"), [(False, True), (True, False)])
def test_nobody_is_accused_on_a_weak_reading_of_a_table_that_can_hardly_be_read(poor: bool, accused: bool) -> None:
    table = Table.dealt(demands=DEFAULT_DEMANDS)
    table.told("A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")
    table.look()
    table.put("r3c3", "purple")  # nobody chose that tile; one error in twenty
    seen = table.eyes.look(table.view)
    slots = tuple(replace(one, pieces_p=0.95) if one.slot == "r3c3" else one for one in seen.slots)
    table.tracker.scene_changed()
    if poor:
        for _ in range(FEWEST_PICTURES):
            table.tracker.legibility.look(picture(9))
    table.tracker.observe(replace(seen, slots=slots))
    assert isinstance(table.tracker.alarm, Illegal) is accused
