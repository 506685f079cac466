"""The size of one piece where marks beside the pieces are smaller and of a plainer shape."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.clumps.find import opened
from vision.count.clumps.split import piece_area, split


def test_bodies_with_notches_are_not_made_of_pieces_as_small_as_the_marks_beside_them() -> None:
    mask = np.zeros((600, 900), np.uint8)
    for place in range(5):  # bodies of chips whose marks are as pale as the table
        middle = (130 + 160 * place, 200)
        cv2.circle(mask, middle, 60, 1, -1)
        for angle in np.arange(6) * np.pi / 3:
            notch = (middle[0] + round(60 * np.cos(angle)), middle[1] + round(60 * np.sin(angle)))
            cv2.circle(mask, notch, 13, 0, -1)
    for angle in np.arange(6) * np.pi / 3:  # a pale chip, of which the marks alone are seen
        cv2.circle(mask, (450 + round(52 * np.cos(angle)), 450 + round(52 * np.sin(angle))), 9, 1, -1)
    assert len(split(mask, piece_area(mask))) == 5


@pytest.mark.parametrize("radius", [20, 60, 150])
def test_discs_that_touch_are_divided_the_same_whatever_their_size(radius: int) -> None:
    mask = np.zeros((4 * radius, 9 * radius), np.uint8)
    middles = [(round(x * radius), 2 * radius) for x in (1.5, 3.4, 5.3, 7.2)]
    for middle in middles:
        cv2.circle(mask, middle, radius, 1, -1)
    found = sorted(blob.xy for blob in split(mask, np.pi * radius**2))
    assert np.allclose(found, middles, atol=0.1 * radius)


@pytest.mark.parametrize("breadth", [5, 21, 101])
def test_what_is_narrower_than_a_breadth_is_opened_and_the_rest_keeps_its_place(breadth: int) -> None:
    mask = np.zeros((400, 500), np.uint8)
    cv2.circle(mask, (150, 200), breadth, 1, -1)
    disc = mask.copy()
    mask[200 : 200 + breadth // 2, 150:480] = 1
    assert (opened(mask, breadth) != disc).sum() < 0.1 * disc.sum()
