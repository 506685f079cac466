"""Panes of sun: both lights are told by print together, and which falls where by what lies around."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import PX_PER_MM
from vision.appearance.sun_and_shade import PIECE_REACH_MM, in_the_sun, raised_into_the_sun, where_shaded, with_shade

SUN = PictureLight((0.5, 0.6, 0.8), (0.03, 0.03, 0.03), (0.0, 0.0), 2.0)
SHADE = PictureLight((0.25, 0.28, 0.3), (0.03, 0.03, 0.03), (0.0, 0.0), 2.0)
SIDE_PX = round(30 * PX_PER_MM)


def spots(rng: np.random.Generator, part_in_sun: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Print, what is seen of it, and where it lies."""
    flat = rng.choice(np.array([(120, 90, 110), (200, 220, 230), (60, 70, 150)], np.uint8), 900)
    xy_mm = rng.uniform(-50, 50, (900, 2))
    sunny = xy_mm @ (0.3, 0.95) < -50 + 100 * part_in_sun
    seen = np.where(sunny[:, None], SUN.expect(flat, xy_mm), SHADE.expect(flat, xy_mm)) + rng.normal(0, 2.0, (900, 3))
    return flat, np.clip(seen, 0, 255).astype(np.uint8), xy_mm


def one_light(between: float) -> PictureLight:
    """A light between shade (0) and sun (1) that misses both."""
    gain = (s + between * (b - s) for s, b in zip(SHADE.gain, SUN.gain, strict=True))
    return PictureLight(tuple(gain), SUN.veil, (0.0, 0.0), 14.0)


@pytest.mark.parametrize("part_in_sun", [0.3, 0.5, 0.7])
def test_sun_and_shade_are_told_where_one_light_misses_both(part_in_sun: float) -> None:
    found = with_shade(*spots(np.random.default_rng(3), part_in_sun), one_light(0.5))
    assert found.shade is not None
    assert found.gain == pytest.approx(SUN.gain, rel=0.1)
    assert found.shade.gain == pytest.approx(SHADE.gain, rel=0.1)
    assert found.noise < 3.0


@pytest.mark.parametrize("light", [SUN, SHADE])
def test_one_light_stays_one(light: PictureLight) -> None:
    flat, seen, xy_mm = spots(np.random.default_rng(4), 2.0 if light is SUN else -1.0)
    assert with_shade(flat, seen, xy_mm, light) is light


@pytest.mark.parametrize(
    ("shape", "is_light"),
    [("corner", True), ("strip", True), ("disc", False), ("disc over the rim", False), ("half", True)],
)
def test_what_is_small_is_sun_only_where_it_comes_in_over_the_rim_with_a_straight_edge(
    shape: str, is_light: bool
) -> None:
    bright = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    radius = round(7 * PX_PER_MM)
    if shape == "corner":
        cv2.fillConvexPoly(bright, np.array([[0, 0], [round(13 * PX_PER_MM), 0], [0, round(11 * PX_PER_MM)]]), 1)
    elif shape == "strip":
        bright[: round(5 * PX_PER_MM)] = 1
    elif shape == "half":
        bright[: SIDE_PX // 2] = 1
    else:
        cv2.circle(bright, (SIDE_PX // 2, SIDE_PX // 2 if shape == "disc" else radius // 2), radius, 1, -1)
    flat = np.full((SIDE_PX, SIDE_PX, 3), (120, 90, 110), np.uint8)
    axes_mm = (np.arange(SIDE_PX) / PX_PER_MM,) * 2
    sunny, shaded = (light.over_table(flat, np.ones(flat.shape[:2]), axes_mm) for light in (SUN, SHADE))
    seen = np.where(bright[..., None] > 0, sunny, shaded).astype(np.uint8)
    found = where_shaded(seen, sunny, shaded, np.zeros_like(sunny), np.ones(flat.shape[:2], bool), 2.0)
    assert (~found[bright > 0]).mean() == pytest.approx(1.0 if is_light else 0.0, abs=0.1)
    assert found[cv2.dilate(bright, np.ones((9, 9))) == 0].all()
    if is_light:
        assert np.abs(in_the_sun(seen, found, _sun_and_shade(), axes_mm) - sunny).mean() < 4.0


def test_what_is_raised_over_shaded_faces_near_the_sun_may_stand_in_it() -> None:
    side = round(90 * PX_PER_MM)
    flat = np.full((side, side, 3), (120, 90, 110), np.uint8)
    axes_mm = (np.arange(side) / PX_PER_MM,) * 2
    sunny, shady = (light.over_table(flat, np.ones(flat.shape[:2]), axes_mm) for light in (SUN, SHADE))
    shaded = np.zeros((side, side), bool)
    shaded[: side // 2] = True
    seen = np.where(shaded[..., None], shady, sunny).astype(np.uint8)
    told = in_the_sun(seen, shaded, _sun_and_shade(), axes_mm)
    other = raised_into_the_sun(told, seen, shaded, np.ones_like(shaded))
    assert other is not None
    reach = round(PIECE_REACH_MM * PX_PER_MM)
    near, far = slice(side // 2 - reach, side // 2), np.r_[0 : side // 2 - reach - 1, side // 2 : side]
    assert (told[near] > seen[near]).all()
    assert (other[near] == seen[near]).all()  # a piece there may stand in the sun
    assert (other[far] == told[far]).all()
    assert raised_into_the_sun(told, seen, shaded, shaded) is None  # the sun falls on no face
    assert raised_into_the_sun(seen, seen, ~shaded & shaded, np.ones_like(shaded)) is None


def _sun_and_shade() -> PictureLight:
    return PictureLight(SUN.gain, SUN.veil, SUN.slope, SUN.noise, shade=SHADE)
