"""The size of one piece where marks beside the pieces are smaller and of a plainer shape."""

from __future__ import annotations

import cv2
import numpy as np

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
