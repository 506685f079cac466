"""Where a view still shows what earlier pictures of it showed: the same fine detail, or the same colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.median import median
from vision.view.hidden_grain import LIGHT_OF, SQUARE_PX, Grain, grain_of

# Of two pictures of one view the same plain thing differs by so much of its light in no channel, when that of the whole
# view is made up for. A shadow that has come takes more; there only detail tells.
SAME_LIGHT = 0.08


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A picture (H, W, 3) BGR uint8 of a table, and its pose."""

    image: np.ndarray
    pose: TablePose


def seen_as_before(earlier: Sequence[Look], now: Look, view_mm: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
    """(H, W) bool over a view of `size_px`, one a mm, with corners `view_mm` (4, 2): where `now` shows the detail that
    the `earlier` pictures showed, the latest last, or the colour that one of them did; nowhere without any."""
    view = _seen(now, view_mm, size_px)
    grain, light = grain_of(view), _light(view)
    known: Grain | None = None
    alike = np.zeros(view.shape[:2], bool)
    for one in earlier:
        before = _seen(one, view_mm, size_px)
        known = grain_of(before).after(known)
        apart = light - _light(before)
        apart -= np.array([median(channel[::4, ::4]) for channel in cv2.split(apart)], np.float32)
        alike |= np.abs(apart).max(axis=2) < SAME_LIGHT
    shown = None if known is None else known.again(grain)
    return alike if shown is None else np.asarray(alike | shown)


def _seen(look: Look, view_mm: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
    return rectify(look.image, look.pose, view_mm, 0.0, size_px, loosely=True)


def _light(view_bgr: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the logarithm of the light of a view (H, W, 3) uint8, without its detail."""
    return np.asarray(cv2.blur(cv2.LUT(view_bgr, LIGHT_OF), (SQUARE_PX // 2, SQUARE_PX // 2)))
