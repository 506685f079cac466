"""What has changed between two pictures of one table, in clear and in noisy pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.tables.changes import find_changes, find_wide_changes, is_noisy_all_over

SIZE = (240, 300, 3)
CUBE = (slice(100, 115), slice(120, 135))  # 10 mm
NEAR, FAR = (slice(90, 125), slice(110, 145)), (slice(10, 80), slice(160, 290))


def picture(seed: int, noise: float, cube: float = 0.0, shade: float = 0.0) -> np.ndarray:
    """A dark table with a cube so many grey levels lighter than it, and a smooth shadow over all but one edge."""
    level = np.full(SIZE, 50.0)
    level[CUBE] += cube
    level -= shade * np.linspace(0, 1, SIZE[1])[None, :, None]
    return np.clip(level + np.random.default_rng(seed).normal(0, noise, SIZE), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("noise", "cube"), [(1.0, 15.0), (6.0, 40.0), (12.0, 30.0)])
def test_a_cube_is_found_in_the_noise_of_a_dark_picture(noise, cube):
    changes = find_changes(picture(1, noise), picture(2, noise, cube))
    assert changes.same_light
    assert changes.within(NEAR)
    assert not changes.within(FAR)


def test_noise_alone_changes_nothing():
    changes = find_changes(picture(1, 12.0), picture(2, 12.0))
    assert changes.same_light
    assert cv2.countNonZero(changes.changed) == 0


@pytest.mark.parametrize(("noise", "shade"), [(40.0, 0.0), (3.0, 40.0)])
def test_pictures_in_which_a_cube_could_hide_are_not_compared(noise, shade):
    assert not find_changes(picture(1, noise), picture(2, noise, 20.0, shade)).same_light


def test_what_is_as_wide_as_a_hand_is_found_in_noise_that_hides_a_cube():
    before, now = picture(1, 40.0), picture(2, 40.0)
    assert not find_changes(before, now).is_comparable
    wide = find_wide_changes(before, now)
    assert wide is not None
    assert not wide.any()
    hand = (slice(60, 140), slice(100, 160))
    now[hand] = np.minimum(now[hand].astype(int) + 70, 255)
    wide = find_wide_changes(before, now)
    assert wide is not None
    assert wide[80:120, 115:145].all()
    assert not wide[:, 200:].any()


def test_where_it_is_a_shadow_and_no_noise_that_hides_cubes_nothing_wide_is_told():
    before, now = picture(1, 3.0), picture(2, 3.0, 0.0, 40.0)
    assert not find_changes(before, now).is_comparable
    assert find_wide_changes(before, now) is None
    black = np.zeros_like(before)
    assert find_wide_changes(black, black) is None


def test_noise_is_all_over_two_pictures_and_a_hand_over_half_of_them_is_none():
    before, now = picture(1, 1.0), picture(2, 1.0)
    now[:, : now.shape[1] // 2] = picture(3, 60.0)[:, : now.shape[1] // 2]
    assert not is_noisy_all_over(before, now)
    assert is_noisy_all_over(picture(1, 40.0), picture(2, 40.0))


def test_many_parts_are_judged_as_each_of_them_is():
    changes = find_changes(picture(1, 1.0), picture(2, 1.0, 15.0))
    bounds = np.array([[110, 90, 145, 125], [160, 10, 290, 80], [130, 105, 300, 240], [0, 0, 122, 102], [9, 9, 9, 40]])
    each = [changes.within((slice(y0, y1), slice(x0, x1))) for x0, y0, x1, y1 in bounds.tolist()]
    assert changes.within_each(bounds).tolist() == each
    assert each[0]
    assert not each[1]


def test_what_has_changed_in_some_areas_or_close_beside_them_is_left_out():
    changes = find_changes(picture(1, 1.0), picture(2, 1.0, 15.0))
    around = np.array([[118, 98], [137, 98], [137, 117], [118, 117]], float)
    assert not changes.outside_areas([around], 1.0).within(NEAR)
    assert changes.outside_areas([around - [15, 0]], 1.0).within(NEAR)
    assert not changes.outside_areas([around - [15, 0]], 8.0).within(NEAR)
    assert changes.within(NEAR)  # the changes themselves stay as they are


def test_another_exposure_of_each_channel_is_no_change():
    old = picture(1, 1.0) + np.random.default_rng(3).integers(0, 90, SIZE, np.uint8)
    new = np.clip(old * [1.02, 0.98, 1.01], 0, 255).astype(np.uint8)
    changes = find_changes(old, new)
    assert changes.same_light
    assert cv2.countNonZero(changes.changed) == 0
