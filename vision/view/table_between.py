"""Whether a hand rests before the slots: between it and them the bare table is seen."""

from __future__ import annotations

import cv2
import numpy as np


def is_table_between(hand: np.ndarray, slots: np.ndarray, shown: np.ndarray, finger_px: float) -> bool:
    """Whether what may hide the table, from a `hand` on, reaches none of the `slots`. False without a hand.

    All (H, W) bool over one view. `shown`: where the table is known to be seen, or no hand can be; all else may be a
    part of the hand that looks like the table. What is narrower than `finger_px` is none.
    """
    may_hide = (hand | ~shown).astype(np.uint8)
    wide = round(finger_px) | 1
    may_hide = cv2.morphologyEx(may_hide, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)))
    _, labels = cv2.connectedComponents(may_hide, connectivity=4)
    own = np.unique(labels[hand & (labels > 0)])
    return len(own) > 0 and not bool((np.isin(labels, own) & slots).any())
