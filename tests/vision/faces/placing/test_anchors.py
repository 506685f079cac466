"""Many pictures are aligned with one crop at once: each finds the move that was made, whatever the light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import patchwork

from vision.faces.align import local_contrast, loosely, start
from vision.faces.placing.anchors import align_many, make_anchors

SIDE = 64
SIGMA = 1.3
PICTURES = np.stack([patchwork(seed, (SIDE, SIDE)) for seed in range(3)])
ANCHORS = make_anchors(PICTURES, SIGMA)
CORNERS = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], np.float64).T


def aligned(crop: np.ndarray) -> np.ndarray:
    """Where all three pictures are found in the crop when they are looked for in its middle: (3, 2, 4) px corners."""
    first = np.stack([start((SIDE, SIDE), 0.0, 0, (0.0, 0.0, 1.0))] * len(PICTURES))
    found = align_many(local_contrast(crop, SIGMA, SIDE), ANCHORS, first, loosely(), 10) @ CORNERS
    return found[:, :2] / found[:, 2:]


UNMOVED = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float64).T - 0.5


@pytest.mark.parametrize("number", range(3))
def test_a_picture_stays_where_it_lies_already(number: int) -> None:
    assert np.abs(aligned(PICTURES[number])[number] - UNMOVED).max() < 0.1


def test_a_picture_is_found_where_it_was_moved_to() -> None:
    crop = cv2.warpAffine(
        PICTURES[1], np.array([[1, 0, 2.0], [0, 1, -1.5]]), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    assert np.abs(aligned(crop)[1] - UNMOVED - [[2.0], [-1.5]]).max() < 0.3


def test_another_exposure_of_each_channel_moves_nothing() -> None:
    crop = PICTURES[2] * np.float32([0.5, 0.7, 0.9]) + np.float32(0.05)
    assert np.abs(aligned(crop)[2] - UNMOVED).max() < 0.1


def test_a_pictures_anchors_taken_alone_are_its_own() -> None:
    alone = make_anchors(PICTURES[[2, 0]], SIGMA)
    taken = ANCHORS.take(np.array([2, 0]))
    np.testing.assert_array_equal(taken.values, alone.values)
    np.testing.assert_array_equal(taken.jacobian, alone.jacobian)


def test_anchors_lie_in_all_quarters_of_a_picture() -> None:
    x, y, _ = ANCHORS.xyw[0]
    quarters = {(right, below) for right, below in zip(x > 0, y > 0, strict=True)}
    assert len(quarters) == 4
