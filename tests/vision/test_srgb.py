"""sRGB as linear light and back."""

from __future__ import annotations

import numpy as np

from vision.srgb import LINEAR, from_linear, linear_to_lab, to_linear


def test_every_level_comes_back() -> None:
    levels = np.arange(256, dtype=np.uint8)
    assert np.array_equal(np.rint(255 * from_linear(to_linear(levels))), levels)


def test_light_is_that_of_the_standard() -> None:
    assert LINEAR[[0, 255]].tolist() == [0.0, 1.0]
    assert abs(LINEAR[128] - 0.21586) < 1e-5
    assert np.all(np.diff(LINEAR) > 0)


def test_lab_of_white_of_black_and_of_what_is_clipped() -> None:
    lab = linear_to_lab(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [3.0, 3.0, 3.0]]))
    assert np.allclose(lab, [[100, 0, 0], [0, 0, 0], [100, 0, 0]], atol=0.05)
