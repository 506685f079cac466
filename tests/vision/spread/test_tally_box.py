"""Of captured tiles the box tells which of several one must be that the picture leaves open."""

from __future__ import annotations

import pytest

from vision.spread.tally_box import told_by_the_others
from vision.tables.place import TILE, PlaceReading, PlaceState

COPIES = {"three": 1, "its twin": 1, "pair": 2}


def tile(*chances: tuple[str, float], p: float | None = None) -> PlaceReading:
    """A tile with these chances, taken back where `p` is less than the best of them."""
    read = PlaceReading("", TILE, PlaceState.UNKNOWN).named(chances)
    return read if p is None else read.in_doubt(p)


@pytest.mark.parametrize(
    ("other", "doubtful", "name"),
    [
        ("three", tile(("three", 0.62), ("its twin", 0.38)), "its twin"),
        ("pair", tile(("three", 0.6), ("its twin", 0.36)), None),
        ("pair", tile(("pair", 0.6), ("three", 0.36)), None),
        ("three", tile(("its twin", 0.999), ("three", 0.001), p=0.5), None),  # it does not look like its face
    ],
    ids=["its twin lies there", "neither lies there", "the box has another", "taken back"],
)
def test_a_tile_is_named_as_what_the_box_leaves(other: str, doubtful: PlaceReading, name: str | None) -> None:
    before = [tile((other, 0.999)), doubtful]
    assert [each.face for each in told_by_the_others(before, COPIES)] == [other, name]


def test_twins_that_are_both_in_doubt_are_told_by_each_other() -> None:
    before = [tile(("three", 0.87), ("its twin", 0.13)), tile(("its twin", 0.78), ("three", 0.22))]
    assert [each.face for each in told_by_the_others(before, COPIES)] == ["three", "its twin"]


def test_a_name_is_less_sure_where_the_other_tile_is_likely_to_be_the_same() -> None:
    before = [tile(("three", 0.92), ("its twin", 0.08)), tile(("three", 0.89), ("its twin", 0.11))]
    assert [each.face for each in told_by_the_others(before, COPIES)] == [None, None]
