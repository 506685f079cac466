"""The edges of a loose piece are found from an outline that misses them, past print, shadow and neighbours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locate.plane import HomographyPlane
from vision.spread.loose_edges import REACHES, edges_of

PLANE = HomographyPlane(np.diag([0.5, 0.5, 1.0]))  # half a millimetre a pixel
TABLE, BORDER, PRINT, OTHER = (70, 95, 120), (235, 240, 240), (60, 130, 60), (40, 60, 200)
TRUE_PX = np.array([[100, 100], [210, 100], [210, 210], [100, 210]], float)
RIGHT_PX = 1.0  # a hundredth of the side


def pictured(*, border: bool, shadow: bool = False, neighbour: bool = False) -> np.ndarray:
    """A table with a piece at TRUE_PX, soft and noisy as a camera shows it."""
    image = np.full((320, 320, 3), TABLE, np.uint8)
    if shadow:
        dark = np.zeros((320, 320), np.float32)
        cv2.fillConvexPoly(dark, (TRUE_PX + 6.0).astype(np.int32), 1.0)
        image = (image * (1 - 0.35 * cv2.GaussianBlur(dark, (0, 0), 3.0)[..., None])).astype(np.uint8)
    if neighbour:
        cv2.rectangle(image, (223, 90), (319, 215), OTHER, -1)
    cv2.rectangle(image, (100, 100), (209, 209), BORDER if border else PRINT, -1)
    cv2.rectangle(image, (105, 105), (204, 204), PRINT, -1)
    noise = np.random.default_rng(4).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image.astype(np.float64), (0, 0), 0.9) + noise, 0, 255).astype(np.uint8)


def outline(share: float, shift_px: float = 0.0) -> np.ndarray:
    """The piece's outline in mm, so much too small or large, and beside its place."""
    middle = TRUE_PX.mean(0)
    return PLANE.to_mm(middle + share * (TRUE_PX - middle) + shift_px)


@pytest.mark.parametrize("share", [0.9, 0.95, 1.0, 1.06])
@pytest.mark.parametrize("seen", [
    {"border": True}, {"border": False}, {"border": True, "shadow": True}, {"border": True, "neighbour": True},
    {"border": False, "shadow": True, "neighbour": True},
], ids=lambda seen: "+".join(name for name, there in seen.items() if there) or "plain")
def test_edges_are_right_whichever_outline_was_found(share: float, seen: dict[str, bool]) -> None:
    found = edges_of(pictured(**seen), PLANE, outline(share), REACHES[0])
    assert found is not None
    assert np.abs(found + 0.5 - TRUE_PX).max() < RIGHT_PX


def test_an_outline_beside_its_piece_is_put_right() -> None:
    found = edges_of(pictured(border=True), PLANE, outline(0.97, 1.5), REACHES[0])
    assert found is not None
    assert np.abs(found + 0.5 - TRUE_PX).max() < RIGHT_PX


def test_a_bare_table_has_no_edges() -> None:
    bare = np.random.default_rng(5).normal(110, 3, (320, 320, 3))
    assert edges_of(np.clip(bare, 0, 255).astype(np.uint8), PLANE, outline(1.0), REACHES[0]) is None
