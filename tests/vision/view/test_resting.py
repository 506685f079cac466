"""What lies over slots in one picture after the other is known, and a hand that has come is not taken for it."""

from __future__ import annotations

import numpy as np
import pytest
from small_set import scene

from vision.view.arms.occlusion import Occlusion
from vision.view.resting import RestingCovers

SHARE = {"b1": 0.8, "b2": 0.0}


def seen(*shares: dict[str, float]) -> RestingCovers:
    """After pictures 0, 1, ... of which each shows so much of some slots covered."""
    covers = RestingCovers(2, 2)
    for number, share in enumerate(shares):
        covers.see(share, {slot for slot, part in share.items() if part}, number)
    return covers


def test_what_is_covered_alike_for_long_enough_rests() -> None:
    assert not seen(SHARE).known(1)
    assert seen(SHARE, {"b1": 0.76, "b2": 0.0}).known(2) == {"b1": 0.8}


@pytest.mark.parametrize("between", [{"b1": 0.0, "b2": 0.0}, {"b1": 0.3, "b2": 0.0}])
def test_what_was_gone_or_lay_otherwise_does_not_rest(between: dict[str, float]) -> None:
    assert not seen(SHARE, between, SHARE).known(3)


def test_a_slot_that_was_not_looked_at_is_as_it_was() -> None:
    assert seen(SHARE, {"b2": 0.0}).known(2) == {"b1": 0.8}


@pytest.mark.parametrize("between", [{"b1": 0.0}, {"b1": 0.6}, {"b1": 1.0}])
def test_what_has_rested_still_does_after_a_picture_with_an_arm_or_in_other_light(between: dict[str, float]) -> None:
    covers = seen(SHARE, SHARE, SHARE, between)
    assert covers.known(4) == {"b1": 0.8}
    assert not seen(SHARE, SHARE, SHARE, between, {"b1": 0.0}, {"b1": 0.0}).known(6)


def over(share: dict[str, float], pointed: frozenset[str] = frozenset()) -> Occlusion:
    return Occlusion(True, share, None, np.zeros((4, 2)), pointed=pointed)


def test_what_rests_beside_the_followed_slots_is_no_hand_and_one_beside_it_or_over_more_of_the_same_is() -> None:
    followed = scene("grid", "001").outlines
    assert over(SHARE).hand_beside(followed, {}) == {"b1"}
    assert not over(SHARE).hand_beside(followed, SHARE)
    assert over({"b1": 0.8, "b2": 0.2}).hand_beside(followed, SHARE) == {"b2"}
    assert over({"b1": 1.0, "b2": 0.0}).hand_beside(followed, SHARE) == {"b1"}
    assert not over({"b1": 0.5, "b2": 0.0}).hand_beside(followed, SHARE)


def test_the_edge_of_what_rests_is_no_hand_where_it_covers_no_slot_more() -> None:
    followed, rests = scene("grid", "001").outlines, {"b1": 0.8}
    assert not over({"b1": 0.8, "b2": 0.05}).hand_beside(followed, rests)
    assert over({"b1": 0.8, "b2": 0.07}).hand_beside(followed, rests)
    assert over({"b1": 0.0, "b2": 0.05}).hand_beside(followed, rests)


def test_a_hand_over_other_slots_than_are_followed_is_none_over_these() -> None:
    followed = scene("grid", "001").outlines
    slot = followed[0].slot
    assert not over(SHARE).hand_over(followed)
    assert over({"b1": 0.8, slot: 0.05}).hand_over(followed)
    assert over(SHARE, pointed=frozenset({slot})).hand_over(followed)


def test_a_thing_that_covers_followed_slots_is_none_where_a_sleeve_points_at_others_only() -> None:
    followed = scene("grid", "001").outlines
    slot = followed[0].slot
    thing = Occlusion(False, {slot: 0.3}, None, np.zeros((4, 2)), rested=frozenset({slot}))
    sleeve = over({"b1": 0.0}, pointed=frozenset({"b1"}))
    assert not thing.joined(sleeve).hand_over(followed)
