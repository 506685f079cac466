"""What a glance takes for the same picture, and what not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.sources.glance import glance_at, look_alike

RNG = np.random.default_rng(3)
TABLE = cv2.resize(RNG.integers(40, 220, (30, 40, 3), np.uint8), (320, 240), interpolation=cv2.INTER_CUBIC)


def seen(picture: np.ndarray, noise: float = 1.5, gain: float = 1.0, quality: int = 90) -> np.ndarray:
    noisy = gain * picture + RNG.normal(0.0, noise, picture.shape)
    data = cv2.imencode(".jpg", np.clip(noisy + 0.5, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    glance = glance_at(data.tobytes())
    assert glance is not None
    return glance


def with_patch(side_px: int, levels: int) -> np.ndarray:
    """A thing of `side_px` across the corners of four of the glance's pixels, so much brighter than the table."""
    changed = TABLE.astype(int)
    low = 160 - side_px // 2
    changed[low : low + side_px, low : low + side_px] += levels
    return np.clip(changed, 0, 255)


def test_a_glance_is_an_eighth_as_wide_and_high() -> None:
    assert seen(TABLE).shape == (30, 40)


def test_what_is_no_whole_picture_has_no_glance() -> None:
    assert glance_at(b"\xff\xd8\xff\xd9") is None


@pytest.mark.parametrize(("noise", "gain"), [(0.5, 1.0), (3.0, 1.0), (6.0, 1.0), (1.5, 1.01), (1.5, 0.99)])
def test_noise_and_drift_of_the_light_leave_a_picture_alike(noise: float, gain: float) -> None:
    assert look_alike(seen(TABLE), seen(TABLE, noise, gain))


@pytest.mark.parametrize(("side_px", "levels"), [(8, 24), (16, 12), (40, 8), (40, -8)])
def test_a_small_thing_makes_a_picture_another(side_px: int, levels: int) -> None:
    assert not look_alike(seen(TABLE), seen(with_patch(side_px, levels)))


@pytest.mark.parametrize("gain", [0.97, 1.03])
def test_other_light_makes_a_picture_another(gain: float) -> None:
    assert not look_alike(seen(TABLE), seen(TABLE, gain=gain))


def test_a_picture_of_another_size_is_another() -> None:
    assert not look_alike(seen(TABLE), seen(TABLE[:-16]))
