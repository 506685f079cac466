"""A hand at rest before the slots is told from one of the table's own colour that goes on over them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.view.arms.table_between import is_seen_beyond, is_table_between

FINGER_PX = 7.0
SLOTS = (slice(0, 40), slice(20, 80))
"""The hand comes from below."""


def rows(first: int, last: int, columns: slice = slice(40, 60)) -> np.ndarray:
    """(100, 100) bool: a part of the view as wide as a hand."""
    out = np.zeros((100, 100), bool)
    out[first:last, columns] = True
    return out


@pytest.mark.parametrize(
    ("hand", "unknown", "between"),
    [
        (rows(60, 100), rows(0, 0), True),
        (rows(60, 100), rows(52, 62), True),  # the outline of the fingers
        (rows(60, 100), rows(20, 30), True),  # a tile that was laid meanwhile
        (rows(60, 100), rows(0, 60, slice(48, 51)), True),  # narrower than a finger
        (rows(60, 100), rows(38, 62), False),  # a hand without grain goes on to the slots
        (rows(60, 100), rows(0, 100, slice(0, 100)), False),  # a table of which nothing is known
        (rows(30, 100), rows(0, 0), False),  # the hand itself
        (rows(0, 0), rows(0, 0), False),
        (rows(60, 100, slice(48, 51)), rows(0, 0), False),
    ],
    ids=["free", "fingers", "new tile", "thread", "goes on", "unknown", "over a slot", "no hand", "a thread alone"],
)
def test_the_table_is_seen_where_nothing_leads_from_the_hand_to_a_slot(
    hand: np.ndarray, unknown: np.ndarray, between: bool
) -> None:
    slots = np.zeros((100, 100), bool)
    slots[SLOTS] = True
    assert is_table_between(hand, slots, ~unknown, FINGER_PX) is between


@pytest.mark.parametrize(
    ("unknown", "seen"),
    [
        (rows(0, 0), True),
        (rows(10, 18, slice(46, 54)), True),  # a figure that was moved, 124 mm from the hand
        (rows(38, 46, slice(46, 54)), False),  # fingers, of which the back of the hand looks like the table
        (rows(4, 30), False),  # as wide as a palm, however far
        (rows(20, 82), False),  # seen to hang together with the hand
    ],
    ids=["free", "figure", "fingers", "palm", "goes on"],
)
def test_nothing_as_near_as_fingers_or_as_wide_as_a_palm_lies_over_slots_far_from_a_hand(
    unknown: np.ndarray, seen: bool
) -> None:
    slots = np.zeros((100, 100), bool)
    slots[0:44, 20:80] = True
    assert is_seen_beyond(rows(80, 100), slots, ~unknown, 2.0, 12.0) is seen
    assert not is_seen_beyond(rows(0, 0), slots, ~unknown, 2.0, 12.0)
