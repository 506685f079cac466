"""What is seen in a place, in the words that every part shares."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.core.inputs import PieceReading, Sight
from vision.tables.place import CARD, GAP, TILE, PlaceReading, PlaceState, within_box

RANKED = (("fire-1", 0.97), ("fire-2", 0.02))
SEEN = PlaceReading("r1c1", TILE, PlaceState.FACE, "fire-1", 0.97, 2, RANKED, (("red", 1),), 0.95)


@pytest.mark.parametrize(
    ("state", "sight"), [(PlaceState.COVERED, Sight.COVERED), (PlaceState.OUTSIDE, Sight.OUTSIDE)]
)
def test_of_a_place_that_cannot_be_seen_nothing_is_said(state: PlaceState, sight: Sight) -> None:
    reading = replace(SEEN, state=state).slot_reading()
    assert (reading.sight, reading.faces, reading.pieces) == (sight, (), ())


def test_a_face_keeps_its_probability_its_turn_and_its_pieces() -> None:
    reading = SEEN.slot_reading()
    assert [(face, math.exp(p)) for face, p in reading.faces] == [
        ("fire-1", pytest.approx(0.97)), ("fire-2", pytest.approx(0.02)),
    ]  # fmt: skip
    assert reading.turn == 2
    assert reading.pieces == (PieceReading("red", 1, 0.95),)


def test_a_face_that_was_not_accepted_keeps_its_share_of_what_is_believed_at_all() -> None:
    reading = replace(SEEN, state=PlaceState.UNKNOWN, face=None, p=0.3).slot_reading()
    assert math.exp(reading.faces[0][1]) == pytest.approx(0.97 * 0.3)


def test_an_empty_place_holds_no_face_and_a_gap_its_pieces() -> None:
    gap = PlaceReading("r1c1|r1c2", GAP, PlaceState.EMPTY, p=1.0, pieces=(("blue", 2),), pieces_p=0.8)
    assert gap.slot_reading().faces == ((None, 0.0),)
    assert gap.slot_reading().pieces == (PieceReading("blue", 2, 0.8),)
    assert not gap.is_sure


@pytest.mark.parametrize(
    ("p", "state", "face"), [(0.97, PlaceState.FACE, "fire-2"), (0.6, PlaceState.UNKNOWN, None)]
)
def test_a_face_is_named_anew_only_when_it_is_probable(p: float, state: PlaceState, face: str | None) -> None:
    again = SEEN.named((("fire-2", p), ("fire-1", 1 - p)))
    assert (again.state, again.face, again.p) == (state, face, p)
    assert again.likeliest == "fire-2"


def test_what_is_put_in_doubt_has_no_name_and_no_more_probability_than_that() -> None:
    assert SEEN.in_doubt(0.3).face is None
    assert SEEN.in_doubt(0.3).p == 0.3
    assert replace(SEEN, p=0.1).in_doubt(0.3).p == 0.1


def test_a_card_is_sure_whatever_stands_on_it() -> None:
    assert PlaceReading("r1c1", CARD, PlaceState.FACE, "crane", 0.99).is_sure
    assert not replace(SEEN, pieces_p=0.5).is_sure


def in_grid(*chances: tuple[tuple[str, float], ...]) -> list[PlaceReading]:
    """The places with these chances each, told by a box of two twins, one of each."""
    unread = PlaceReading("", TILE, PlaceState.UNKNOWN)
    read = {f"r1c{k}": replace(unread, slot=f"r1c{k}").named(each) for k, each in enumerate(chances, start=1)}
    return list(within_box(read, {"fire-1": 1, "fire-2": 1}).values())


def test_two_places_in_doubt_between_twins_are_told_by_each_other() -> None:
    told = in_grid((("fire-1", 0.87), ("fire-2", 0.13)), (("fire-2", 0.78), ("fire-1", 0.22)))
    assert [one.face for one in told] == ["fire-1", "fire-2"]


def test_a_twin_that_lies_elsewhere_tells_the_other_no_surer_than_it_is_itself() -> None:
    _, other = in_grid((("fire-1", 0.91), ("fire-2", 0.09)), (("fire-1", 0.7), ("fire-2", 0.3)))
    assert other.face is None
    _, other = in_grid((("fire-1", 0.999), ("fire-2", 0.001)), (("fire-1", 0.7), ("fire-2", 0.3)))
    assert other.face == "fire-2"


def test_a_face_named_in_two_places_is_in_doubt_in_both() -> None:
    told = in_grid((("fire-1", 0.999), ("fire-2", 0.001)), (("fire-1", 0.998), ("fire-2", 0.002)))
    assert [one.face for one in told] == [None, None]


def test_a_face_that_was_put_in_doubt_stays_so_whatever_the_box_holds() -> None:
    lying = PlaceReading("r1c1", TILE, PlaceState.UNKNOWN).named((("fire-1", 0.999), ("fire-2", 0.001)))
    doubtful = lying.in_doubt(0.5)
    beside = PlaceReading("r1c2", TILE, PlaceState.UNKNOWN).named((("fire-2", 0.78), ("fire-1", 0.22)))
    for places in ({"r1c1": doubtful}, {"r1c1": doubtful, "r1c2": beside}):
        told = within_box(places, {"fire-1": 1, "fire-2": 1})["r1c1"]
        assert told.face is None
        assert told.p <= 0.5
