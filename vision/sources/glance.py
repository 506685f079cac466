"""Whether a frame looks as an earlier one, told by an eighth of its size: half the time of decoding a JPEG."""

from __future__ import annotations

import cv2
import numpy as np

# Of the mean of 8 x 8 px: a quarter of what a hand changes, and far above noise, which such a mean divides by eight.
CHANGED_LEVELS = 4.5
LIGHT_STEP = 0.015  # the whole picture brighter or darker: half of what counts as other light


def glance_at(jpeg: bytes) -> np.ndarray | None:
    """(h, w) uint8 gray, an eighth as wide and high as the picture; None for what is no whole picture."""
    small = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8)
    return None if small is None else np.asarray(small, np.uint8)


def look_alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two glances (h, w) uint8 differ nowhere by more than noise and drift of the light.

    What is called different by mistake only costs the decoding of a frame.
    """
    if one.shape != other.shape:
        return False
    gain = max(float(one.mean()), 1.0) / max(float(other.mean()), 1.0)
    if abs(gain - 1.0) > LIGHT_STEP:
        return False
    off = np.abs(one - np.float32(gain) * other.astype(np.float32))
    return bool(off.max() <= CHANGED_LEVELS)
