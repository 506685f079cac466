"""Drawn puzzles in ruled squares, and how a camera sees them."""

from __future__ import annotations

import cv2
import numpy as np

SQUARE = 40


def drawn(cells: np.ndarray, font: int = cv2.FONT_HERSHEY_SIMPLEX, bold: int = 2) -> np.ndarray:
    """A puzzle as print on pale paper, (h, w, 3) uint8, with lines of text below."""
    side = 9 * SQUARE
    paper = np.full((side + 140, side + 80, 3), (205, 222, 230), np.uint8)
    for k in range(10):
        wide = 3 if k % 3 == 0 else 1
        cv2.line(paper, (40 + k * SQUARE, 40), (40 + k * SQUARE, 40 + side), (60, 50, 50), wide, cv2.LINE_AA)
        cv2.line(paper, (40, 40 + k * SQUARE), (40 + side, 40 + k * SQUARE), (60, 50, 50), wide, cv2.LINE_AA)
    for (row, column), value in np.ndenumerate(cells):
        if value:
            (w, h), _ = cv2.getTextSize(str(value), font, 0.9, bold)
            place = (40 + column * SQUARE + (SQUARE - w) // 2, 40 + row * SQUARE + (SQUARE + h) // 2)
            cv2.putText(paper, str(value), place, font, 0.9, (60, 50, 50), bold, cv2.LINE_AA)
    cv2.putText(paper, "Fill in every row", (60, side + 100), font, 0.8, (60, 50, 50), 1, cv2.LINE_AA)
    return paper


def photographed(paper: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The print seen askew in uneven light, and its grid's corners (4, 2) px."""
    rng = np.random.default_rng(seed)
    h, w = paper.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    target = (source + rng.uniform(-18, 18, (4, 2)) + 25).astype(np.float32)
    move = cv2.getPerspectiveTransform(source, target)
    shown = cv2.warpPerspective(paper, move, (w + 50, h + 50), borderValue=(40, 60, 80)).astype(np.float32)
    y, x = np.mgrid[0 : h + 50, 0 : w + 50]
    shown *= (0.6 + 0.4 * x / w + 0.1 * y / h)[..., None] * (0.8, 0.95, 1.0)
    shown = cv2.GaussianBlur(shown, (0, 0), 1.0) + rng.normal(0, 3, shown.shape)
    edge = 40 + 9 * SQUARE
    corners = np.array([[[40, 40], [edge, 40], [edge, edge], [40, edge]]], np.float64)
    return np.clip(shown, 0, 255).astype(np.uint8), cv2.perspectiveTransform(corners, move)[0]
