"""What a telephone does to a picture of a table: slant, depth of focus, colours of lamps, and its own sharpening."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

FOCUS_PX = 3.0  # deviation of the blur at the far edge, of a picture a thousand px broad
LAMP, WINDOW = (0.45, 0.78, 1.25), (1.15, 1.0, 0.85)  # blue, green, red light of a warm lamp and of a window


def slant(size: tuple[int, int], narrower: float) -> Floats:
    """(3, 3) from a table's picture of a size to one taken aslant: its near edge shows so much less of the table."""
    wide, high = size
    seen = np.array([[0, 0], [wide, 0], [wide * (1 - narrower / 2), high], [wide * narrower / 2, high]], np.float32)
    whole = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(seen, whole), np.float64)


def out_of_focus(linear: Singles) -> Singles:
    """A picture (H, W, 3) linear BGR that is sharp a third from its near edge, and blurred further and nearer."""
    high, wide = linear.shape[:2]
    rows = np.abs(np.arange(high) / high - 0.66) / 0.66
    most = FOCUS_PX * wide / 1000
    shown, steps = linear.copy(), (0.33, 0.66, 1.0)
    for step in steps:
        soft = cv2.GaussianBlur(linear, (0, 0), max(0.3, most * step))
        part = np.clip(1 - np.abs(rows - step) * 3, 0, 1).astype(np.float32)[:, None, None]
        shown += part * (soft - linear)
    return shown


def two_lights(linear: Singles, mixed: bool, turn: float) -> Singles:
    """A picture (H, W, 3) linear BGR by a warm lamp; `mixed`: and by a window on the side `turn` radians away."""
    high, wide = linear.shape[:2]
    rows, cols = np.mgrid[:high, :wide].astype(np.float32)
    side = 0.5 + 0.5 * ((cols / wide - 0.5) * np.cos(turn) + (rows / high - 0.5) * np.sin(turn))
    part = side[..., None] * float(mixed)
    light = (1 - part) * np.array(LAMP) + part * np.array(WINDOW)
    return np.asarray(linear * light, np.float32)


def falls_off(linear: Singles, deep: float) -> Singles:
    """A picture (H, W, 3) linear BGR darker towards its corners, by so much of its light there."""
    high, wide = linear.shape[:2]
    rows, cols = np.mgrid[:high, :wide].astype(np.float32)
    far = (cols / wide - 0.5) ** 2 + (rows / high - 0.5) ** 2
    return np.asarray(linear * (1 - 2 * deep * far)[..., None], np.float32)


def processed(shown: Singles, rng: np.random.Generator) -> Singles:
    """A picture (H, W, 3) of 0 to 255 as a telephone shows it: noise smoothed away, darkness lifted, colours more
    vivid, edges sharpened with halos.
    """
    calm = cv2.bilateralFilter(np.clip(shown, 0, 255).astype(np.float32), 5, 12, 2)
    broad = cv2.GaussianBlur(calm, (0, 0), calm.shape[1] / 30)
    calm = calm * (1 + float(rng.uniform(0.1, 0.4)) * (1 - broad.mean(axis=2, keepdims=True) / 128).clip(-0.5, 1))
    grey = calm.mean(axis=2, keepdims=True)
    calm = grey + float(rng.uniform(1.0, 1.35)) * (calm - grey)
    return np.asarray(
        calm + float(rng.uniform(0.6, 1.6)) * (calm - cv2.GaussianBlur(calm, (0, 0), float(rng.uniform(1.0, 2.2))))
    )
