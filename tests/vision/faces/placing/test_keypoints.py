"""Pictures whose print a crop shows are found with their places, turned, smaller, or seen in part."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import as_photograph, spotted

from vision.faces.placing.keypoints import KeypointIndex

WH = (80, 112)
PICTURES = np.stack([spotted(seed, WH) for seed in range(4)])
INDEX = KeypointIndex(PICTURES)


def placed(number: int, angle_deg: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """A picture turned clockwise on a plain table, and (3, 3) its px -> px of the table."""
    angle = np.radians(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    to = np.column_stack([turn, np.array([90, 90]) - turn @ ((np.array(WH) - 1) / 2)])
    return cv2.warpAffine(as_photograph(PICTURES[number]), to, (180, 180), borderValue=(90, 110, 120)), to


@pytest.mark.parametrize(("angle_deg", "scale"), [(0.0, 1.0), (37.0, 1.2), (200.0, 0.8)])
def test_a_picture_is_found_where_it_lies(angle_deg: float, scale: float) -> None:
    table, to = placed(2, angle_deg, scale)
    best = INDEX.supported(table)[0]
    assert best.number == 2
    corners = (np.array([[0, 0], [WH[0], 0], WH, [0, WH[1]]]) - 0.5) @ to[:, :2].T + to[:, 2]
    np.testing.assert_allclose(best.corners(WH), corners, atol=1.5)


def test_half_of_a_picture_is_found_with_the_corners_that_are_covered() -> None:
    table, to = placed(1, 15.0, 1.0)
    crop = np.ascontiguousarray(table[:, :90])
    best = INDEX.supported(crop)[0]
    assert best.number == 1
    last = to[:, :2] @ (np.array(WH) - 0.5) + to[:, 2]
    assert last[0] > 90
    np.testing.assert_allclose(best.corners(WH)[2], last, atol=3.0)


def test_a_picture_that_shows_no_print_supports_none() -> None:
    assert INDEX.supported(np.full((60, 90, 3), 140, np.uint8)) == []


def test_print_that_was_never_learnt_has_few_points_in_common_with_any() -> None:
    known = INDEX.supported(placed(0, 10.0, 1.0)[0])[0].points
    strange = INDEX.supported(as_photograph(spotted(50, WH)))
    assert max((one.points for one in strange), default=0) < known / 2
