"""Where a piece may lie that does not fill its picture upright: turned at any angle, or partly under another."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.placing.rectangle import cut_at, touching

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

STEP_DEG = 6.0
LEAST_FILL = 0.72  # share of the picture over which a whole piece reaches at least, both ways
FILLED = 0.9  # the same for a piece whose print says where it lies: boxes are drawn a few percent off
COVERED = 1.08  # a piece that reaches so many times beyond its picture is partly under another
MOST_COVERED = 3.0
CELLS = 320  # samples of a piece
PAD = 1  # cells by which a place may be off
UNFILLED = 0.5  # what is charged for a picture that the piece does not reach over
UNSEEN = 0.3  # what is charged for a piece that is not seen at all
PLACES = 5  # places that are looked at closely
APART = 0.08  # share of the piece's height by which they differ at least


@dataclass(frozen=True, slots=True)
class TurnedIndex:
    """T pictures as samples on a coarse grid: `table` (T, rows, cols, 3) float32 in 0..1; `aspect` width by height."""

    table: F32
    aspect: float

    @classmethod
    def build(cls, pictures: F32) -> TurnedIndex:
        """The index of `pictures` (T, h, w, 3) float32 in 0..1."""
        h, w = pictures.shape[1:3]
        cols, rows = round((CELLS * w / h) ** 0.5), round((CELLS * h / w) ** 0.5)
        table = np.stack([cv2.resize(p, (cols, rows), interpolation=cv2.INTER_AREA) for p in pictures])
        return cls(table, w / h)

    def places(self, picture_bgr: U8) -> list[F64]:
        """Corners (4, 2) px of the likeliest places of a piece in `picture_bgr` (h, w, 3) uint8, best first."""
        h, w = picture_bgr.shape[:2]
        square = abs(self.aspect - 1) < 0.05
        tried: list[tuple[float, F64]] = []
        for angle in np.radians(np.arange(-90.0, 0.0 if square else 90.0, STEP_DEG)):
            for corners, charge in _fillings((w, h), float(angle), self.aspect):
                tried.append((self._misfit(picture_bgr, corners) + charge, corners))
        tried.sort(key=lambda one: one[0])
        chosen: list[F64] = []
        for _, corners in tried:
            near = APART * float(np.linalg.norm(corners[3] - corners[0]))
            if all(np.abs(corners - other).mean() > near for other in chosen):
                chosen.append(corners)
            if len(chosen) == PLACES:
                break
        return chosen

    def _misfit(self, picture_bgr: U8, corners: F64) -> float:
        """The least misfit of all pictures, upright or upside down."""
        return float(self.misfits(picture_bgr, corners).min())

    def misfits(self, picture_bgr: U8, corners: F64) -> F32:
        """(2, T) for every picture, upright and upside down, 1 less its correlation with what is seen of a piece."""
        count, rows, cols = self.table.shape[:3]
        piece, inside = cut_at(picture_bgr, _wider(corners, PAD / cols, PAD / rows), (cols + 2 * PAD, rows + 2 * PAD))
        shape = (rows, cols)
        values = np.lib.stride_tricks.sliding_window_view(piece.astype(np.float32) / 255, shape, axis=(0, 1))
        masks = np.lib.stride_tricks.sliding_window_view(inside.astype(np.float32), shape, axis=(0, 1))
        values, masks = values.reshape(-1, 3, rows * cols), masks.reshape(-1, rows * cols)
        known = self.table.reshape(count, rows * cols, 3).transpose(2, 1, 0)  # (3, cells, T)
        known = np.concatenate([known, known[:, ::-1]], axis=2)
        weight = masks.sum(axis=1)[:, None] + np.float32(1e-3)
        both = own = theirs = np.float32(0)
        for channel in range(3):
            seen = values[:, channel] * masks
            mean = seen.sum(axis=1)[:, None] / weight
            seen = (values[:, channel] - mean) * masks
            sums = masks @ known[channel]
            both = both + seen @ known[channel]
            theirs = theirs + masks @ known[channel] ** 2 - sums**2 / weight
            own = own + (seen**2).sum(axis=1)[:, None]
        likeness = both / np.sqrt(np.maximum(own * theirs, 0) + np.float32(0.05) * weight)
        unseen = 1 - weight / (rows * cols)
        return np.asarray((1 - likeness + np.float32(UNSEEN) * unseen).min(axis=0).reshape(2, count))


def fills(corners: F64, hw: tuple[int, ...]) -> bool:
    """Whether a piece with these corners (4, 2) px fills its picture (h, w), a box around what is seen of it."""
    size = np.array([hw[1], hw[0]])
    reach = np.clip(corners.max(axis=0), 0, size) - np.clip(corners.min(axis=0), 0, size)
    return bool((reach >= FILLED * size).all())


def shifted_out(corners: F64, hw: tuple[int, ...]) -> bool:
    """Whether a piece with these corners (4, 2) px reaches out of its picture (h, w), a box around what is seen of it,
    over one side and leaves as much of it empty along the same way: where nothing covers the piece the box goes on."""
    size = np.array([hw[1], hw[0]])
    least, most = corners.min(axis=0), corners.max(axis=0)
    empty = size - (np.clip(most, 0, size) - np.clip(least, 0, size))
    beyond = np.maximum(-least, 0) + np.maximum(most - size, 0)
    return bool((np.minimum(empty, beyond) > (1 - FILLED) * size).any())


def _wider(corners: F64, x: float, y: float) -> F64:
    """The corners moved outwards by shares of the width and the height."""
    across, down = (corners[1] - corners[0]) * x, (corners[3] - corners[0]) * y
    return np.asarray(corners + np.array([-across - down, across - down, across + down, down - across]))


def _fillings(wh: tuple[int, int], angle: float, aspect: float) -> list[tuple[F64, float]]:
    """How a piece turned by `angle` may fill a picture, and what is charged for each: whole, or reaching beyond it on
    one side, where another piece lies on it."""
    out = []
    corners, fill = touching(wh, angle, aspect)
    if fill >= LEAST_FILL:
        out.append((corners, UNFILLED * (1 - fill)))
    size = np.array(wh, np.float64)
    middle = size / 2
    reach = np.ptp(corners, axis=0)
    for full, over in ((0, 1), (1, 0)):
        larger = (corners - middle) * (size[full] / reach[full])
        beyond = float(np.ptp(larger[:, over]) / size[over])
        if COVERED < beyond < MOST_COVERED:
            for end in (-1, 1):  # the side that is seen lies at this end of the picture
                moved = larger + middle
                moved[:, over] += end * (size[over] - np.ptp(larger[:, over])) / 2
                out.append((moved, 0.0))
    return out
