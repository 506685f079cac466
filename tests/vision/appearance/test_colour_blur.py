"""Colour that is kept coarser than brightness: how much is told by the faces of a picture, and drawn on others."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.colour_blur import COLOUR_BLURS_PX, colour_blur_px, with_coarse_colour
from vision.appearance.placed_face import PX_PER_MM, USUAL, PlacedFace, draw, shrink_reference

SIDE_MM = 55.0
WINDOW = Window(0.0, 0.0, 240, 120)


def scan(seed: int) -> np.ndarray:
    """A face of coloured dots on a mottled ground, (330, 330, 3) uint8 BGR."""
    rng = np.random.default_rng(seed)
    out = 90 + 40 * cv2.resize(rng.normal(0, 0.5, (12, 12, 3)), (330, 330), interpolation=cv2.INTER_CUBIC)
    for _ in range(40):
        at, colour_bgr = rng.integers(15, 315, 2).tolist(), rng.integers(20, 230, 3).tolist()
        cv2.circle(out, at, 12, colour_bgr, -1, cv2.LINE_AA)
    return np.asarray(np.clip(out, 0, 255).astype(np.uint8))


FACES = [
    PlacedFace(np.array([40.0 + 70.0 * k, 40.0]), 4.0 * k, SIDE_MM, shrink_reference(scan(k), SIDE_MM)) for k in (0, 1)
]


def seen(blur_px: float, noise: float = 0.0, piece: bool = False) -> Canvas:
    """Both faces on a grey table, in an ordinary blur, seen with coarse colour."""
    flat = np.full((WINDOW.height_px, WINDOW.width_px, 3), 120, np.uint8)
    label = np.full(flat.shape[:2], -1, np.int16)
    for number, face in enumerate(FACES):
        draw(flat, label, face, number, (WINDOW.left_mm, WINDOW.top_mm), USUAL)
    out = flat.astype(np.float32)
    if piece:
        at = (np.array([40.0, 40.0]) * PX_PER_MM).astype(int).tolist()
        cv2.rectangle(out, (at[0] - 8, at[1] - 8), (at[0] + 8, at[1] + 8), (20, 20, 230), -1)
    shown = with_coarse_colour(out, blur_px) + noise * np.random.default_rng(5).normal(0, 1, out.shape)
    return compose(np.clip(shown, 0, 255).astype(np.uint8), WINDOW, FACES)


@pytest.mark.parametrize(("noise", "piece"), [(0.0, False), (6.0, True)], ids=["clear", "in noise, beside a piece"])
@pytest.mark.parametrize("blur_px", COLOUR_BLURS_PX)
def test_the_blur_of_colour_is_told_by_the_faces_to_a_step(blur_px: float, noise: float, piece: bool) -> None:
    told = colour_blur_px(seen(blur_px, noise, piece))
    # what the whole picture is taken to be blurred by takes a part of it
    assert abs(COLOUR_BLURS_PX.index(told) - COLOUR_BLURS_PX.index(blur_px)) <= 1


def test_colour_that_is_no_coarser_is_told_to_be_none() -> None:
    assert colour_blur_px(seen(0.0)) == 0.0


def test_a_face_of_which_only_the_rim_is_seen_tells_nothing() -> None:
    window = Window(60.0, 0.0, 9, 120)
    assert colour_blur_px(compose(np.zeros((120, 9, 3), np.uint8), window, FACES[:1])) == 0.0


def test_coarse_colour_leaves_brightness_as_it_was() -> None:
    picture = scan(3).astype(np.float32)
    coarse = with_coarse_colour(picture, 3.0)
    grey, coarse_grey = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (picture, coarse))
    assert np.abs(grey - coarse_grey).max() < 0.2
    assert np.abs(picture - coarse).max() > 30.0
    assert with_coarse_colour(picture, 0.0) is picture
