"""The median of small arrays is that of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from vision.median import byte_median, median, medians

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("shape", [(1,), (2,), (7,), (440,), (441,), (5, 3), (4, 3)])
def test_the_median_of_all_is_that_of_numpy_and_leaves_the_array_as_it_was(shape: tuple[int, ...]) -> None:
    values = RNG.normal(size=shape).astype(np.float32)
    before = values.copy()
    assert median(values) == pytest.approx(float(np.median(values)), rel=1e-6)
    np.testing.assert_array_equal(values, before)


@pytest.mark.parametrize("shape", [(1,), (2,), (7,), (440,), (5, 3, 3)])
def test_the_median_of_bytes_is_that_of_numpy(shape: tuple[int, ...]) -> None:
    for most in (2, 40, 256):
        values = RNG.integers(0, most, shape, np.uint8)
        assert byte_median(values) == np.median(values)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(5, 8), (6, 3), (1, 2)])
def test_medians_along_an_axis_are_those_of_numpy(shape: tuple[int, int], axis: int) -> None:
    values = RNG.normal(size=shape)
    np.testing.assert_allclose(medians(values, axis), np.median(values, axis=axis, keepdims=True))


def test_no_numbers_have_no_median() -> None:
    with pytest.raises(ValueError, match="got none"):
        median(np.zeros(0))
    with pytest.raises(ValueError, match="got none"):
        byte_median(np.zeros(0, np.uint8))
    with pytest.raises(ValueError, match="got none"):
        medians(np.zeros((3, 0)), 1)
