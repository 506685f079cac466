"""Draws what was counted: each piece outlined with its colour's name, doubtful ones in red."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.certainty import SURE
from vision.count.result import Count

CERTAIN_BGR, DOUBTFUL_BGR = (80, 220, 80), (60, 60, 240)


def draw_count(picture_bgr: NDArray[np.uint8], count: Count) -> NDArray[np.uint8]:
    """A copy of the picture (H, W, 3) BGR with outlines, names, and the numbers in a strip below."""
    drawn = picture_bgr.copy()
    size = max(12, max(drawn.shape[:2]) // 60)
    thick = max(1, size // 8)
    font = cv2.FontFace("sans")
    for piece in count.pieces:
        colour = CERTAIN_BGR if piece.colour is not None and piece.p >= SURE else DOUBTFUL_BGR
        cv2.drawContours(drawn, [piece.outline], -1, colour, thick)
    for piece in count.pieces:
        origin = (int(piece.xy[0] - size), int(piece.xy[1] + size / 3))
        cv2.putText(drawn, piece.colour or "?", origin, (255, 255, 255), font, size, weight=600)
    strip = np.full((2 * size, drawn.shape[1], 3), 30, np.uint8)
    numbers = ", ".join(f"{name} {number}" for name, number in count.counts.items())
    text = numbers if count.sure else f"{numbers} - not sure: {count.why or 'look at the outlines'}"
    cv2.putText(strip, text, (size // 2, int(1.4 * size)), (255, 255, 255), font, size)
    return np.vstack([drawn, strip])
