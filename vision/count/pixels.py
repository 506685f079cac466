"""The pixels of a picture nearest to points, as colours are read along rims and rings, and those around an outline."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)


def pixels_at(picture: NDArray[T], points: NDArray[np.floating[Any]]) -> NDArray[T]:
    """(…) or (…, C) what a picture (H, W) or (H, W, C) shows at points (…, 2) px; that of its border beyond it."""
    height, width = picture.shape[:2]
    x, y = np.moveaxis(np.round(points).astype(int), -1, 0)
    return np.asarray(picture[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)])


def window_around(
    outline: NDArray[np.floating[Any]], margin: int, shape: tuple[int, ...]
) -> tuple[tuple[slice, slice], NDArray[np.int64]]:
    """The part of a picture (H, W, …) around an outline (N, 2) px, with a margin, and its upper left corner x, y (2,).
    """
    low = np.clip(np.floor(outline.min(axis=0)).astype(int) - margin, 0, shape[1::-1])
    high = np.clip(np.ceil(outline.max(axis=0)).astype(int) + margin + 1, low, shape[1::-1])
    return (slice(low[1], high[1]), slice(low[0], high[0])), low
