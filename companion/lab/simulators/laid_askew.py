"""Pictures of pieces laid anyhow: turned, partly under another, cut out by a box around what is seen: drawn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

HEIGHT_PX = (70.0, 260.0)  # of a piece in its photograph
COVERED = 0.6  # share of the pieces on which another lies
MOST_COVERED = 0.5  # part of a piece that the other hides at most
MOST_OTHER = 0.6  # what the box shows of the other at most, as a share of what it shows of the piece itself
BOX_OFF = 0.03  # share of the box's sides by which it is too wide or too narrow
TRIES = 20  # for another piece that hides something, but not too much


@dataclass(frozen=True, slots=True)
class _Layer:
    """A piece on a table: its picture there (h, w, 3), and where it is (h, w) bool."""

    picture: U8
    inside: NDArray[np.bool_]


def laid_askew(picture: U8, other: U8, rng: np.random.Generator, covered: float = COVERED) -> U8:
    """The upright box around what is seen of the piece `picture` (h, w, 3) uint8 that lies anyhow on a table.

    `other`: the piece that lies on it, with probability `covered`.
    """
    height = float(rng.uniform(*HEIGHT_PX))
    side = round(2.2 * height * max(1.0, picture.shape[1] / picture.shape[0]))
    table = _table(side, rng)
    middle = np.full(2, side / 2)
    piece = _laid(picture, height, middle, float(rng.uniform(0, 2 * np.pi)), side)
    scene, seen = np.where(piece.inside[..., None], piece.picture, table), piece.inside
    for _ in range(TRIES if rng.random() < covered else 0):
        away = middle + rng.uniform(-0.9, 0.9, 2) * height
        over = _laid(other, height * float(rng.uniform(0.7, 1.3)), away, float(rng.uniform(0, 2 * np.pi)), side)
        hidden = float((over.inside & piece.inside).sum() / piece.inside.sum())
        left = piece.inside & ~over.inside
        box = np.ix_(np.flatnonzero(left.any(axis=1)), np.flatnonzero(left.any(axis=0)))
        if 0.05 < hidden < MOST_COVERED and over.inside[box].sum() < MOST_OTHER * left.sum():
            scene, seen = np.where(over.inside[..., None], over.picture, scene), left
            break
    return _boxed(scene, seen, rng)


def _table(side: int, rng: np.random.Generator) -> U8:
    """A table of some colour with a grain of its own."""
    grain = rng.normal(0, 1, (side, side, 3)).astype(np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.5, 6)), float(rng.uniform(0.5, 6)))
    grain *= float(rng.uniform(0, 40)) / max(float(grain.std()), 1e-6)
    return np.asarray(np.clip(rng.uniform(20, 220, 3) + grain, 0, 255), np.uint8)


def _laid(picture: U8, height: float, middle: F64, angle: float, side: int) -> _Layer:
    h, w = picture.shape[:2]
    scale = height / h
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    to = np.column_stack([turn, middle - turn @ np.array([(w - 1) / 2, (h - 1) / 2])])
    soft = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale) if scale < 1 / 1.2 else picture
    inside = cv2.warpAffine(np.full((h, w), 255, np.uint8), to, (side, side)) > 127
    return _Layer(np.asarray(cv2.warpAffine(soft, to, (side, side), borderMode=cv2.BORDER_REPLICATE)), inside)


def _boxed(scene: U8, seen: NDArray[np.bool_], rng: np.random.Generator) -> U8:
    rows, cols = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    low, high = np.array([cols[0], rows[0]]), np.array([cols[-1] + 1, rows[-1] + 1])
    off = rng.uniform(-BOX_OFF, BOX_OFF, (2, 2)) * (high - low)
    (x0, y0), (x1, y1) = np.clip(np.round([low + off[0], high + off[1]]).astype(int), 0, len(scene))
    return np.ascontiguousarray(scene[y0:y1, x0:x1])
