"""Whether pieces have come to a place, or gone from it, or only other light: light leaves fine detail as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.canvas import Window
from vision.pieces.finder import FoundPiece
from vision.pieces.light.seen_through import details_within
from vision.view.hidden_grain import LIGHT_OF

# Correlation of fine detail from which two pictures show the same there: unrelated print and pieces have at most 0.4.
# It is that of what a piece hides alone: of 0.63 in the square around a white figure that had come to a white crown the
# better part was another figure at the edge; in its own circle it had 0.36, print in other light 0.96 and more, and
# 0.68 where a part of another piece lay there.
SAME = 0.6

# A token that is turned over where it lies shows the same edges in another colour. On it the light (its logarithm, in
# each channel) has then changed otherwise than on every side of it, by more than this; an inner part of the piece is
# compared with a ring around it, both in sides of the piece, a side of the ring at a time, for an edge of light may run
# beside the piece.
OTHERWISE_LIT, INNER, RING, RING_SIDES = 0.3, 0.3, (0.6, 1.1), 8


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
    return all(
        _likeness(before_bgr, now_bgr, window, p.foot_mm, piece_mm) >= SAME
        and _is_lit_as_beside(before_bgr, now_bgr, window, p.foot_mm, piece_mm)
        for p in asked
    )


def _likeness(
    before_bgr: np.ndarray, now_bgr: np.ndarray, window: Window, at_mm: tuple[float, float], piece_mm: float
) -> float:
    """Correlation of the fine detail in a circle as wide as a piece of `piece_mm`; 0 without any."""
    box = window.box(np.array(at_mm, float)[None], piece_mm / 2)
    x, y = np.meshgrid(*window.part(box).axes_mm())
    inside = np.hypot(x - at_mm[0], y - at_mm[1]) <= piece_mm / 2
    greys = [cv2.cvtColor(picture[box], cv2.COLOR_BGR2GRAY)[..., None] for picture in (before_bgr, now_bgr)]
    one, other = details_within(greys, inside) if inside.any() else (np.zeros((1, 1)), np.zeros((1, 1)))
    spread = float(one.std() * other.std())
    return float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread > 0 else 0.0


def _is_lit_as_beside(
    before_bgr: np.ndarray, now_bgr: np.ndarray, window: Window, at_mm: tuple[float, float], piece_mm: float
) -> bool:
    """Whether light on a place, as wide as a piece of `piece_mm`, has changed as on some side of it."""
    box = window.box(np.array(at_mm, float)[None], RING[1] * piece_mm)
    change = cv2.LUT(now_bgr[box], LIGHT_OF) - cv2.LUT(before_bgr[box], LIGHT_OF)
    x, y = np.meshgrid(*window.part(box).axes_mm())
    apart = np.hypot(x - at_mm[0], y - at_mm[1]) / piece_mm
    side = np.floor((np.arctan2(y - at_mm[1], x - at_mm[0]) / (2 * np.pi) + 0.5) * RING_SIDES) % RING_SIDES
    around = (apart >= RING[0]) & (apart <= RING[1])
    here = np.median(change[apart <= INNER], axis=0)
    beside = (change[around & (side == number)] for number in range(RING_SIDES))
    return any(len(one) and np.abs(np.median(one, axis=0) - here).max() <= OTHERWISE_LIT for one in beside)
