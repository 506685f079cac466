"""Wide blurs by way of half the size: what is blurred so far loses nothing by it, in a fraction of the time."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

# Blur (standard deviation, px) from which a picture may be halved first: the halving blurs by 1 px itself, and of finer
# print it then folds over a hundredth.
HALVED_FROM = 2.0

# px of a picture -> px of the halved one: the middles of the first pixels of both lie in the same place.
TO_HALF = np.diag([0.5, 0.5, 1.0])


def halved(picture: F32) -> F32:
    """(ceil(h / 2), ceil(w / 2), ...) of a picture (h, w, ...), blurred by 1 px of the picture."""
    return np.asarray(cv2.pyrDown(picture))


def blur_left(sigma: float) -> float:
    """By how much a halved picture is still to be blurred, in its own px, for a blur of the whole by `sigma` px."""
    return float((sigma * sigma - 1.0) ** 0.5 / 2.0)


def blurred(picture: NDArray[Any], sigma: float) -> F32:
    """A picture (h, w, ...) float32 blurred by `sigma` px, as `wide_blur` does where it can."""
    return wide_blur(picture, sigma) if sigma >= HALVED_FROM else np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma))


def wide_blur(picture: NDArray[Any], sigma: float) -> F32:
    """A picture (h, w, ...) float32 blurred by `sigma` px, HALVED_FROM at least, as `cv2.GaussianBlur` does to the last
    row and column: of white noise by 3 px half a hundredth of its spread differs, by 5 px and more a thousandth."""
    height, width = picture.shape[:2]
    small = halved(picture)
    # going up again blurs by a px, too
    left = blur_left((sigma * sigma - 1.0) ** 0.5)
    # the picture is mirrored about its last row and column: where these are odd, between two of the halved one
    reach = int(3.0 * left) + 1
    below, right = (reach if side % 2 == 0 else 0 for side in (height, width))
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REFLECT)
    soft = cv2.GaussianBlur(padded, (0, 0), left)
    # what goes up lies between two rows: OpenCV would repeat the last one
    mirrored = cv2.copyMakeBorder(soft, 0, height % 2, 0, width % 2, cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.pyrUp(mirrored)[:height, :width])
