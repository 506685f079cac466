"""The numbers of a picture as linear light and as CIE Lab, and back: sRGB, IEC 61966-2-1."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_LEVELS = np.arange(256) / 255
LINEAR: NDArray[np.float64] = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4)
"""(256,) linear light 0 to 1 of each 8-bit level."""


def to_linear(values: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Linear light 0 to 1 of 8-bit sRGB values of any shape."""
    return np.asarray(LINEAR[values])


def from_linear(light: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """The levels 0 to 1 that show linear light of any shape, float; light above 1 is what a camera clips."""
    part = np.clip(light, 0, 1)
    return np.asarray(np.where(part <= 0.0031308, 12.92 * part, 1.055 * part ** (1 / 2.4) - 0.055))


def linear_to_lab(linear_bgr: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 3) linear BGR, any brightness, to (N, 3) CIE Lab; light above 1 is what a camera clips."""
    shown = from_linear(linear_bgr).astype(np.float32)
    return np.asarray(cv2.cvtColor(shown[None], cv2.COLOR_BGR2LAB)[0].astype(np.float64))
