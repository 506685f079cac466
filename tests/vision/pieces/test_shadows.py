"""The light is found by the shadows of pieces, and none is believed without shadows."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.shadows import DIRECTIONS, FROM_ABOVE, LENGTHS, CastLight, Shadows, cast_mask, find_light
from vision.pieces.shapes import place_mask

WINDOW = Window(-100.0, -100.0, round(200 * PX_PER_MM), round(200 * PX_PER_MM))
FEET = [(-50.0, -50.0), (50.0, -40.0), (0.0, 20.0), (-40.0, 60.0), (55.0, 55.0)]
SIDE_MM, HEIGHT_MM, NATS = 10.0, 10.0, 2.0
STEP_MM = 3.6
"""The lengths that are tried about 1.15 are 0.35 mm apart for each mm of height, the directions 0.3 mm."""


def gain_of(light: CastLight) -> np.ndarray:
    """What a table says of shadows on which that light falls: for one where it casts one, against it elsewhere."""
    gain = np.full((WINDOW.height_px, WINDOW.width_px), -NATS, np.float32)
    for foot in FEET:
        cast = cast_mask(SIDE_MM * PX_PER_MM, light.reach_mm(np.array(foot), HEIGHT_MM) * PX_PER_MM)
        where, cut = place_mask(gain.shape, WINDOW.to_px(np.array(foot)), len(cast) // 2)
        gain[where] += 2 * NATS * cast[cut]
    return gain


@pytest.mark.parametrize("direction", [0, 5, 13, 22])
def test_light_is_found_by_the_shadows_that_it_casts(direction: int) -> None:
    angle = 2 * np.pi * direction / DIRECTIONS
    true = CastLight((1.15 * float(np.cos(angle)), 1.15 * float(np.sin(angle))), 0.0)
    found = find_light(gain_of(true), WINDOW, FEET, SIDE_MM, HEIGHT_MM)
    assert found is not None
    for foot in FEET:
        off = found.reach_mm(np.array(foot), HEIGHT_MM) - true.reach_mm(np.array(foot), HEIGHT_MM)
        assert np.linalg.norm(off) < STEP_MM


def test_pieces_without_shadows_are_lit_from_above_and_one_piece_tells_nothing() -> None:
    bright = np.full((WINDOW.height_px, WINDOW.width_px), -NATS, np.float32)
    assert find_light(bright, WINDOW, FEET, SIDE_MM, HEIGHT_MM) == FROM_ABOVE
    assert find_light(bright, WINDOW, FEET[:1], SIDE_MM, HEIGHT_MM) is None


def test_a_shadow_grows_with_height_and_with_the_way_from_a_near_lamp() -> None:
    light = CastLight((1.0, 0.0), 0.001)
    assert light.reach_mm(np.array([0.0, 0.0]), 10.0).tolist() == [10.0, 0.0]
    assert light.reach_mm(np.array([100.0, -100.0]), 20.0) == pytest.approx([22.0, -2.0])


def test_the_mask_of_a_shadow_covers_the_foot_and_the_way_to_the_top() -> None:
    mask = cast_mask(20.0, np.array([40.0, 0.0]))
    middle = len(mask) // 2
    assert mask[middle, middle] == pytest.approx(1.0, abs=0.01)
    assert mask[middle, middle + 40] == pytest.approx(1.0, abs=0.01)
    assert mask[middle, middle - 20] == pytest.approx(0.0, abs=0.01)
    assert mask.sum() == pytest.approx(21 * 40 + np.pi * 10.5**2, rel=0.01), "the outline's own pixels are its"
    assert mask.sum() == pytest.approx(mask[::-1].sum()), "alike above and below"


def test_a_part_of_the_shadows_keeps_their_light() -> None:
    shadows = Shadows(np.arange(12.0).reshape(3, 4), FROM_ABOVE)
    part = shadows.part((slice(1, 3), slice(0, 2)))
    assert part.gain.tolist() == [[4.0, 5.0], [8.0, 9.0]]
    assert part.light is FROM_ABOVE
    assert min(LENGTHS) > 0
