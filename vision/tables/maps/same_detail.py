"""Whether pieces have come to a place, or gone from it, or only other light: light leaves fine detail as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.finder import FoundPiece
from vision.view.hidden_grain import LIGHT_OF

# What lies between these (mm) is detail: print and the edges of pieces, and no shade.
FINE_MM, COARSE_MM = 0.4, 2.5

# Correlation from which two pictures show the same there: unrelated print and pieces have at most 0.4.
SAME = 0.6


def only_light_differs(
    before_bgr: np.ndarray, now_bgr: np.ndarray, window: Window, before: Sequence[FoundPiece],
    now: Sequence[FoundPiece], piece_mm: float,
) -> bool:
    """Whether two pictures (H, W, 3) uint8 of a `window` show the same wherever a piece of `piece_mm` was found in only
    one of them. False where both found the same pieces: then nothing is in question."""
    counts = Counter(p.colour for p in before), Counter(p.colour for p in now)
    if counts[0] == counts[1] or before_bgr.shape != now_bgr.shape:
        return False
    come, gone = counts[1] - counts[0], counts[0] - counts[1]
    asked = [p for p in now if come[p.colour]] + [p for p in before if gone[p.colour]]
    return all(_likeness(before_bgr, now_bgr, window, p.foot_mm, piece_mm) >= SAME for p in asked)


def _likeness(
    before_bgr: np.ndarray, now_bgr: np.ndarray, window: Window, at_mm: tuple[float, float], piece_mm: float
) -> float:
    """Correlation of the detail around a place, as wide as a piece of `piece_mm`; 0 without any."""
    box = window.box(np.array(at_mm, float)[None], piece_mm / 2)
    one, other = (_detail(picture[box]) for picture in (before_bgr, now_bgr))
    spread = float(one.std() * other.std())
    return float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread > 0 else 0.0


def _detail(part_bgr: np.ndarray) -> np.ndarray:
    light = cv2.LUT(cv2.cvtColor(part_bgr, cv2.COLOR_BGR2GRAY), LIGHT_OF)
    fine, coarse = (cv2.GaussianBlur(light, (0, 0), mm * PX_PER_MM) for mm in (FINE_MM, COARSE_MM))
    return np.asarray(fine - coarse)
