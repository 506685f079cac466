"""The number of copies in the box: what is named too often is in doubt, what is left over is told."""

from __future__ import annotations

import pytest

from vision.faces.copies import SEEN_TWICE, shared_out, too_many

COPIES = {"one": 1, "two": 1, "pair": 2}


def test_a_face_named_more_often_than_the_box_has_it_is_in_doubt() -> None:
    assert too_many(["one", "one", "two"], COPIES) == {"one"}
    assert too_many(["pair", "pair"], COPIES) == frozenset()


def test_a_face_of_which_nothing_is_known_may_be_there_in_any_number() -> None:
    assert too_many(["free", "free", "free"], COPIES) == frozenset()


def test_the_twin_that_lies_elsewhere_leaves_the_other() -> None:
    _, chances = shared_out([(("one", 0.999), ("two", 0.001)), (("one", 0.55), ("two", 0.45))], COPIES)
    assert chances[0][0] == "two"
    assert chances[0][1] > 0.95


def test_two_places_that_may_hold_either_of_two_twins_hold_one_each() -> None:
    first, second = shared_out([(("one", 0.8), ("two", 0.2)), (("two", 0.7), ("one", 0.3))], COPIES)
    one_two, two_one, twice = 0.8 * 0.7, 0.2 * 0.3, SEEN_TWICE * (0.8 * 0.3 + 0.2 * 0.7)
    assert first[0] == ("one", pytest.approx((one_two + SEEN_TWICE * 0.8 * 0.3) / (one_two + two_one + twice)))
    assert second[0] == ("two", pytest.approx((one_two + SEEN_TWICE * 0.2 * 0.7) / (one_two + two_one + twice)))


def test_three_places_share_out_three_faces() -> None:
    copies = dict.fromkeys("abc", 1)
    places = [(("a", 0.6), ("b", 0.4)), (("b", 0.6), ("c", 0.4)), (("c", 0.6), ("a", 0.4))]
    assert [chances[0][0] for chances in shared_out(places, copies)] == ["a", "b", "c"]
    assert min(chances[0][1] for chances in shared_out(places, copies)) > 0.7


def test_a_second_copy_may_still_lie_there() -> None:
    places = [(("pair", 0.9), ("two", 0.1)), (("pair", 0.6), ("two", 0.4))]
    assert shared_out(places, {"pair": 2, "two": 2}) == places


def test_what_no_other_place_may_hold_stays_as_likely_as_it_was() -> None:
    places = [(("one", 0.8), ("two", 0.2)), (("pair", 0.6), ("free", 0.4))]
    assert shared_out(places, COPIES) == places


def test_what_is_left_for_no_known_face_is_not_shared_out() -> None:
    _, chances = shared_out([(("one", 1.0),), (("one", 0.2), ("two", 0.2))], COPIES)
    assert sum(p for _, p in chances) == pytest.approx(1 - 0.6 / (0.2 * SEEN_TWICE + 0.2 + 0.6))


def test_places_that_may_be_shared_out_in_too_many_ways_keep_their_chances() -> None:
    faces = [f"{number}" for number in range(8)]
    places = [tuple((face, 1 / 8) for face in faces)] * 8
    assert shared_out(places, dict.fromkeys(faces, 1)) == places
