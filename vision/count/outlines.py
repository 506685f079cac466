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
    return np.vstack([drawn, _strip(_told(count), drawn.shape[1], size)])


def _told(count: Count) -> list[str]:
    """The numbers, and where they are not sure, why and what would help."""
    numbers = ", ".join(f"{name} {number}" for name, number in count.counts.items())
    if count.sure:
        return [numbers]
    doubt = f"{numbers} - not sure: {count.why or 'look at the outlines'}"
    return [doubt, f"What would help: {count.advice}"] if count.advice else [doubt]


def _strip(told: list[str], width: int, size: int) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: texts in lines as wide as a picture, in letters of so many px."""
    font, left = cv2.FontFace("sans"), size // 2
    lines = [line for text in told for line in _lines(text, font, size, width - 2 * left)]
    strip = np.full((round((0.6 + 1.4 * len(lines)) * size), width, 3), 30, np.uint8)
    for number, line in enumerate(lines, start=1):
        cv2.putText(strip, line, (left, int(1.4 * number * size)), (255, 255, 255), font, size)
    return strip


def _lines(text: str, font: cv2.FontFace, size: int, width: int) -> list[str]:
    """A text broken between its words into lines of so many px at most."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and cv2.getTextSize((width, size), longer, (0, size), font, size)[2] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
