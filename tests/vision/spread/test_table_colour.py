"""What has not the table's colours is told from its grain, and so are dark tiles on a dark table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locate.markers import MarkerLayout
from vision.spread.loose import find_loose
from vision.spread.table_colour import DEVIATIONS, table_masks, unlike_table

WOOD_BGR = (30.0, 45.0, 60.0)
GRAIN, BLOTCH = 0.3, 0.5  # deviations of the logarithm of lightness
SIDE_PX, GAP_PX, TILE_MM = 90, 14, 55.0


def pictured(print_bgr: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """A table (720, 1280, 3) with grain of one hue and eight squares of a blotchy print, and their middles (8, 2)."""
    rng = np.random.default_rng(5)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (720, 1280)), (0, 0), sigmaX=3, sigmaY=60)
    image = np.array(WOOD_BGR) * np.exp(GRAIN * grain / grain.std())[..., None]
    middles = []
    for number in range(8):
        row, column = divmod(number, 4)
        x, y = 300 + column * (SIDE_PX + GAP_PX), 250 + row * (SIDE_PX + GAP_PX)
        blotch = cv2.GaussianBlur(rng.normal(0, 1, (SIDE_PX, SIDE_PX, 3)), (0, 0), 9)
        image[y : y + SIDE_PX, x : x + SIDE_PX] = np.array(print_bgr) * np.exp(BLOTCH * blotch / blotch.std())
        middles.append((x + (SIDE_PX - 1) / 2, y + (SIDE_PX - 1) / 2))
    seen = cv2.GaussianBlur(image, (0, 0), 0.8) + rng.normal(0, 1.5, image.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), np.array(middles)


def test_grain_is_the_tables_own_and_every_bound_shows_less() -> None:
    image, middles = pictured((45, 40, 35))
    off = unlike_table(image)
    x, y = middles.round().astype(int).T
    assert np.median(off[:200]) < DEVIATIONS[0] < np.median(off[y, x])
    masks = table_masks(image)
    assert all(mask.shape == image.shape[:2] and set(np.unique(mask)) <= {0, 255} for mask in masks)
    shown = [int((mask > 0).sum()) for mask in masks[:: len(masks) // len(DEVIATIONS)]]
    assert shown == sorted(shown, reverse=True)


@pytest.mark.parametrize("print_bgr", [(45.0, 40.0, 35.0), (25.0, 30.0, 60.0)], ids=["gray", "red"])
def test_dark_tiles_on_a_dark_table_are_all_found(print_bgr: tuple[float, float, float]) -> None:
    image, middles = pictured(print_bgr)
    found = find_loose(image, None, (TILE_MM, TILE_MM), 2.0, MarkerLayout()).pieces
    assert len(found) == len(middles)
    for middle in middles:
        assert min(np.linalg.norm(one.corners_px.mean(0) - middle) for one in found) < 0.05 * SIDE_PX
