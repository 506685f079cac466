"""Wide blurs by way of half the size: as near to OpenCV's own blur as is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.blur import TO_HALF, blur_left, halved, wide_blur


@pytest.mark.parametrize("shape", [(90, 90, 3), (91, 90, 3), (61, 47), (32, 32, 40)])
@pytest.mark.parametrize("sigma", [3.0, 5.0, 8.0])
def test_wide_blur_is_the_blur_of_the_whole_to_the_last_row_and_column(shape: tuple[int, ...], sigma: float) -> None:
    for seed in range(5):
        picture = np.random.default_rng(seed).random(shape, dtype=np.float32)
        wanted = cv2.GaussianBlur(picture, (0, 0), sigma)
        assert np.abs(wide_blur(picture, sigma) - wanted).max() < (0.006 if sigma < 5.0 else 0.0012) * picture.std()


def test_a_halved_picture_that_is_blurred_further_shows_what_the_blurred_whole_shows_there() -> None:
    picture = np.zeros((41, 60), np.float32)
    picture[13:22, 30:38] = 1.0
    small = cv2.GaussianBlur(halved(picture), (0, 0), blur_left(2.4))
    whole = cv2.GaussianBlur(picture, (0, 0), 2.4)
    y, x = np.mgrid[0 : small.shape[0], 0 : small.shape[1]]
    at = np.linalg.inv(TO_HALF) @ np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    there = cv2.remap(whole, at[0].astype(np.float32), at[1].astype(np.float32), cv2.INTER_LINEAR).ravel()
    assert np.abs(small.ravel() - there).max() < 0.02
