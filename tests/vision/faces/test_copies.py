"""The number of copies in the box: what is named too often is in doubt, what is left over is told."""

from __future__ import annotations

import pytest

from vision.faces.copies import left_over, too_many

COPIES = {"one": 1, "two": 1, "pair": 2}


def test_a_face_named_more_often_than_the_box_has_it_is_in_doubt() -> None:
    assert too_many(["one", "one", "two"], COPIES) == {"one"}
    assert too_many(["pair", "pair"], COPIES) == frozenset()


def test_a_face_of_which_nothing_is_known_may_be_there_in_any_number() -> None:
    assert too_many(["free", "free", "free"], COPIES) == frozenset()


def test_the_twin_that_lies_elsewhere_leaves_the_other() -> None:
    chances = left_over((("one", 0.55), ("two", 0.45)), ["one"], COPIES)
    assert chances[0][0] == "two"
    assert chances[0][1] > 0.95


def test_a_second_copy_may_still_lie_there() -> None:
    assert left_over((("pair", 0.6), ("two", 0.4)), ["pair"], COPIES) == (("pair", 0.6), ("two", 0.4))


def test_what_is_left_for_no_known_face_is_not_shared_out() -> None:
    chances = left_over((("one", 0.2), ("two", 0.2)), ["one"], COPIES)
    assert sum(p for _, p in chances) == pytest.approx(1 - 0.6 / (0.2 * 0.02 + 0.2 + 0.6))
