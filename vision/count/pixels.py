"""The pixels of a picture that are nearest to points, as its colours are read along rims and rings."""

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
