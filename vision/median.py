"""The median of small arrays, of which a picture has thousands: a twentieth of the time of NumPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

NORMAL = 1.4826
"""A normal variable's standard deviation, as a multiple of the median of its size."""


def median(values: NDArray[Any]) -> float:
    """As `np.median` of finite numbers of any shape. Raises ValueError when there are none."""
    flat = np.array(values).reshape(-1)  # a copy, which is partly sorted in place
    count = len(flat)
    if not count:
        raise ValueError("expected numbers to take the median of, got none")
    upper = count // 2
    flat.partition(upper)
    if count % 2:
        return float(flat[upper])
    # of thousands of numbers a fourth of the time that a partition by both of the middle takes
    return (float(flat[:upper].max()) + float(flat[upper])) / 2.0


def byte_median(values: NDArray[np.uint8]) -> float:
    """As `median`, of bytes: counted, which takes a tenth of the time."""
    up_to = np.cumsum(np.bincount(values.reshape(-1), minlength=256))
    count = int(up_to[-1])
    if not count:
        raise ValueError("expected numbers to take the median of, got none")
    lower, upper = np.searchsorted(up_to, [(count - 1) // 2, count // 2], side="right").tolist()
    return float(lower + upper) / 2.0


def medians(values: NDArray[Any], axis: int) -> NDArray[Any]:
    """As `np.median` of finite numbers along an axis, which is kept with length 1. Raises ValueError without any."""
    count = values.shape[axis]
    if not count:
        raise ValueError("expected numbers to take the medians of, got none")
    upper = count // 2
    if count % 2:
        return np.asarray(np.take(np.partition(values, upper, axis=axis), [upper], axis=axis))
    two = np.take(np.partition(values, (upper - 1, upper), axis=axis), [upper - 1, upper], axis=axis)
    return np.asarray(two.mean(axis=axis, keepdims=True))
