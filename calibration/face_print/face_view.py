"""One upright picture of a face as the readers of its fields look at it: ground, border, and what stands out."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

FINE = 256
"""Px of the longer side of the picture in which names are read: they are smaller than figures and icons."""
SIDE = 160
"""Side, px, to which faces are brought: an icon of 9 % of the side is 14 px, and a camera shows a tile at 50 to 150."""

STANDS_OUT = 20.0
"""Lab distance from the ground from which something is printed on it; faint patterns of a ground stay below 15."""
LEVELS = (12.0, STANDS_OUT, 32.0)
"""Distances at which marks are looked for: pale icons on a pale ground need the first, bold patterns the last."""

GROUND_SHARE = 0.35
"""A row or column of which so much has the ground's colour is no border, however many icons stand in it."""

PLAIN_SHARE = 0.5
"""Of a face's inner part a ground of one colour takes so much: 0.62 and more in drawn boxes, paintings 0.13 to 0.52."""
EMBLEM = 0.28
"""Share of the side from which on an emblem stands, from every edge."""

WIDEST_BORDER = 0.12
BORDER_SLOPE_PX = 3
RIM = 0.04
"""Shares of the side: how wide a border may be, and what is left out of every edge, where a cut may miss it. A border
may slope by so many px from end to end, as a cut a degree askew leaves it."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintView:
    """`lab` (SIDE, SIDE, 3) float32, `gray` (SIDE, SIDE) float32, `ground` (3,) Lab of what most of the face has,
    `apart` (SIDE, SIDE) float32 Lab distance from the ground, 0 where the border is; `tone` (3,) Lab by which faces of
    one ground are known, that of a painting too; `fine` (h, w, 3) float32 Lab in its own shape, the longer side of FINE
    px."""

    lab: F32
    gray: F32
    ground: F32
    apart: F32
    tone: F32
    fine: F32

    @property
    def is_painted(self) -> bool:
        """Whether no colour takes much of the face: then its tone is not its ground."""
        return self.tone is not self.ground

    @classmethod
    def of(cls, picture: U8) -> PrintView:
        """The view of a picture (h, w, 3) uint8 BGR, upright and cut at the edge of the piece."""
        shrunk = cv2.INTER_AREA if min(picture.shape[:2]) > SIDE else cv2.INTER_LINEAR
        face = cv2.resize(picture, (SIDE, SIDE), interpolation=shrunk)
        lab = cv2.cvtColor(face.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        gray = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
        ground = _ground(lab)
        apart = np.linalg.norm(lab - ground, axis=2).astype(np.float32)
        left, right = _borders(apart, lab)
        top, bottom = _borders(apart.T, lab.transpose(1, 0, 2))
        inner = np.zeros_like(apart)
        inner[top : SIDE - bottom, left : SIDE - right] = apart[top : SIDE - bottom, left : SIDE - right]
        return cls(lab, gray, ground, inner, _tone(lab, ground), _fine(picture))

    def printed(self, level: float = STANDS_OUT) -> NDArray[np.bool_]:
        """(SIDE, SIDE) where something stands out from the ground by more than `level`."""
        return np.asarray(self.apart > level)


def _fine(picture: U8) -> F32:
    """The picture in Lab and in its own shape, the longer side of FINE px."""
    height, width = picture.shape[:2]
    scale = FINE / max(height, width)
    size = (round(scale * width), round(scale * height))
    shrunk = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(picture, size, interpolation=shrunk)
    return np.asarray(cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), dtype=np.float32)


def _ground(lab: F32) -> F32:
    """The most frequent colour of the inner face, in steps of 8 units: an emblem may be larger than the bare ground."""
    rim = round(WIDEST_BORDER * SIDE)
    inner = lab[rim:-rim, rim:-rim].reshape(-1, 3)
    steps = np.floor(inner / 8).astype(np.int32)
    keys = (steps[:, 0] * 64 + steps[:, 1] + 20) * 64 + steps[:, 2] + 20
    values, counts = np.unique(keys, return_counts=True)
    middle = np.median(inner[keys == values[counts.argmax()]], axis=0)
    near = np.linalg.norm(inner - middle, axis=1) < STANDS_OUT / 2
    return np.asarray(np.median(inner[near], axis=0), dtype=np.float32)


def _tone(lab: F32, ground: F32) -> F32:
    """The ground; of a painted face, of which no colour takes much, the middle of all colours around its emblem: a
    stroke of the brush is of one colour on one face and of another one on the next."""
    rim, emblem = (round(share * SIDE) for share in (WIDEST_BORDER, EMBLEM))
    if np.mean(np.linalg.norm(lab[rim:-rim, rim:-rim] - ground, axis=2) < STANDS_OUT / 2) >= PLAIN_SHARE:
        return ground
    around = np.zeros(lab.shape[:2], bool)
    around[rim:-rim, rim:-rim] = True
    around[emblem:-emblem, emblem:-emblem] = False
    return np.asarray(np.median(lab[around], axis=0), dtype=np.float32)


def _borders(apart: F32, lab: F32) -> tuple[int, int]:
    """Widths, px, of the border at the left and at the right: columns of which hardly anything is ground, and which
    are of one colour: a row of icons beside a badge may cover as much."""
    usual = np.quantile(apart, GROUND_SHARE, axis=0)
    uneven = np.quantile(np.linalg.norm(lab - np.median(lab, axis=0), axis=2), 1 - GROUND_SHARE, axis=0)
    borders = (usual > STANDS_OUT) & (uneven < STANDS_OUT)
    least, most = round(RIM * SIDE), round(WIDEST_BORDER * SIDE)
    widths = []
    for columns in (borders, borders[::-1]):
        bare = np.flatnonzero(columns[:most])
        widths.append(max(least, int(bare[-1]) + BORDER_SLOPE_PX if bare.size else 0))
    return widths[0], widths[1]
