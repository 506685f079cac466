"""Whether a hand rests before the slots: between it and them the bare table is seen."""

from __future__ import annotations

import cv2
import numpy as np

# The back of a hand, from the wrist to the roots of the fingers, is so long, and a palm at least so wide: a figure has
# 14 mm, and a grown-up's palm some 75 mm, a child's 60.
BACK_MM, PALM_MM = 100.0, 40.0


def is_table_between(hand: np.ndarray, slots: np.ndarray, shown: np.ndarray, finger_px: float) -> bool:
    """Whether what may hide the table, from a `hand` on, reaches none of the `slots`. False without a hand.

    All (H, W) bool over one view. `shown`: where the table is known to be seen, or no hand can be; all else may be a
    part of the hand that looks like the table. What is narrower than `finger_px` is none.
    """
    _, labels = cv2.connectedComponents(_may_hide(hand, shown, finger_px), connectivity=4)
    own = np.unique(labels[hand & (labels > 0)])
    return len(own) > 0 and not bool((np.isin(labels, own) & slots).any())


def is_seen_beyond(hand: np.ndarray, slots: np.ndarray, shown: np.ndarray, mm_per_px: float, finger_mm: float) -> bool:
    """As `is_table_between`, for `slots` far from a `hand`: nothing over them may be a part of it, though its wrist or
    the back of it look like the table. What lies farther from it than that, and is no palm, is a piece that has
    moved."""
    hidden = _may_hide(hand, shown, finger_mm / mm_per_px)
    _, labels = cv2.connectedComponents(hidden, connectivity=4)
    own = np.unique(labels[hand & (labels > 0)])
    if not len(own):
        return False
    from_hand = cv2.distanceTransform((~np.isin(labels, own)).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    inside = cv2.distanceTransform(hidden, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    over = np.isin(labels, np.unique(labels[slots & (labels > 0)])) & (labels > 0)
    near = from_hand * mm_per_px <= BACK_MM
    return not bool((over & (near | (2 * inside * mm_per_px >= PALM_MM))).any())


def _may_hide(hand: np.ndarray, shown: np.ndarray, finger_px: float) -> np.ndarray:
    """(H, W) uint8: 1 where something as wide as a finger may hide the table."""
    wide = round(finger_px) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    return np.asarray(cv2.morphologyEx((hand | ~shown).astype(np.uint8), cv2.MORPH_OPEN, kernel))
