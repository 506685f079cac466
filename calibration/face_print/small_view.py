"""A face shrunk so far that a cut which is a pixel askew does not matter, and its windows."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import PrintView

F32 = NDArray[np.float32]

SMALL = 40
"""Side, px, to which a face is shrunk: an icon of a fifth of it has 8, and a cut that is a pixel askew none."""


def small_view(view: PrintView) -> F32:
    """(SMALL, SMALL, 3) Lab."""
    return np.asarray(cv2.resize(view.lab, (SMALL, SMALL), interpolation=cv2.INTER_AREA), np.float32)


def windows(values: F32, side: int) -> F32:
    """(SMALL - side - 1, SMALL - side - 1) the mean over every window of the values but those at the edge; the first
    window begins at 1, 1."""
    return np.asarray(cv2.boxFilter(values, -1, (side, side), anchor=(0, 0))[1 : SMALL - side, 1 : SMALL - side])


def window_share(left: int, top: int, side: int) -> tuple[float, float, float, float]:
    """A window of a small view as shares of its side: left, top, right, bottom."""
    return left / SMALL, top / SMALL, (left + side) / SMALL, (top + side) / SMALL
