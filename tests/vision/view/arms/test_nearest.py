"""Distances to the nearest colour are those of the definition, however many pixels there are."""

from __future__ import annotations

import numpy as np
import pytest

from vision.view.arms.nearest import CHUNK_PIXELS, nearest_squares


@pytest.mark.parametrize("count", [1, CHUNK_PIXELS, 2 * CHUNK_PIXELS + 3])
@pytest.mark.parametrize("channels", [2, 3])
def test_the_nearest_colour_is_that_of_the_definition(count: int, channels: int) -> None:
    rng = np.random.default_rng(count)
    pixels, colours = (rng.uniform(-60, 100, (n, channels)).astype(np.float32) for n in (count, 40))
    expected = ((pixels[:, None] - colours[None]) ** 2).sum(-1).min(1)
    np.testing.assert_allclose(nearest_squares(pixels, colours), expected, rtol=1e-3, atol=0.02)


def test_without_colours_everything_is_infinitely_far() -> None:
    assert np.isinf(nearest_squares(np.zeros((3, 3), np.float32), np.zeros((0, 3), np.float32))).all()
