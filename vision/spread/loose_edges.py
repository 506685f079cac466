"""Where the four edges of a loose piece are, when only outlines told it: the outermost step that its sides agree on.

A printed face with a border has two outlines, and a found one may have sides of both. A shadow beside a piece is
softer than its edge, print within it is farther in, and a neighbour stands beside one side only.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.plane import Plane

F64 = NDArray[np.float64]

SIDE_PX = 128
"""Side of the piece in the picture that is looked at; a camera shows a tile at 50 to 150."""
MARGIN = 0.25
REACHES = (0.14, 0.04)
"""Parts of the side by which an outline may miss the edge: a printed area begins 4 to 6 % inside of it; and once all
pieces have told the plane anew."""
BANDS = (0.12, 0.5, 0.88)
"""A side is looked at in two parts, its corners left out: together they tell its turn."""
SHARP = 0.4
"""Share of the sharpest step of a side from which a step is an edge: a shadow's is a tenth."""
LEAST_STEP = 2.0
"""Lab units a pixel: less is the table's own grain."""
SOFT_PX = 1.0
AGREED_PX = 2.5
AGREEING = 5
"""So many of the eight parts of the sides must show a step within twice so much: a border is wider, 4 to 6 % of a
side."""


def edges_of(image: np.ndarray, plane: Plane, corners_mm: np.ndarray, reach: float) -> F64 | None:
    """(4, 2) corners, px of `image` (H, W, 3) uint8 BGR, of the piece near (4, 2) `corners_mm`, in their order; None
    when its sides agree on no edge. `reach`: how far from there it may be, as a part of the side."""
    whole = round(SIDE_PX * (1 + 2 * MARGIN))
    crop = plane.crop(image, corners_mm, whole, MARGIN)
    lab = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    begin = (whole - SIDE_PX) / 2
    bands = [(round(begin + first * SIDE_PX), round(begin + last * SIDE_PX)) for first, last in pairwise(BANDS)]
    # the side to look at is on top: that from corner 0 to 1, then 1 to 2 …
    steps = [_steps(np.rot90(lab, turn)[:, left:right], begin, reach) for turn in range(4) for left, right in bands]
    every = sorted(np.concatenate(steps))
    agreed = next((row for row in every if sum(_from(rows, row).size > 0 for rows in steps) >= AGREEING), None)
    if agreed is None:
        return None
    near = [_from(rows, agreed) for rows in steps]
    middle = float(np.median([rows[0] for rows in near if rows.size]))  # of a part that shows none
    edges = [float(rows[0]) if rows.size else middle for rows in near]
    lines: list[tuple[F64, F64]] = []
    for turn in range(4):
        points = [
            _turned_back(np.array([(left + right - 1) / 2, row]), turn, whole)
            for (left, right), row in zip(bands, edges[2 * turn : 2 * turn + 2], strict=True)
        ]
        lines.append((points[0], points[1]))
    found = np.array([_crossing(lines[k - 1], lines[k]) for k in range(4)])
    share = (found + 0.5 - begin) / SIDE_PX
    a, b, _, d = np.asarray(corners_mm, float)
    return np.asarray(plane.to_px(a + share[:, :1] * (b - a) + share[:, 1:] * (d - a)))


def _from(rows: F64, first: float) -> F64:
    """The steps of a part from `first` on, but not far from it."""
    return rows[(rows >= first) & (rows <= first + 2 * AGREED_PX)]


def _steps(band: NDArray[np.float32], begin: float, reach: float) -> F64:
    """The rows of a band (rows from outside inward, columns, 3) at which there is a sharp step, from outside."""
    rows = np.median(band, axis=1)
    soft = cv2.GaussianBlur(rows, (1, 0), sigmaX=0.1, sigmaY=SOFT_PX)
    step = np.zeros(len(rows))
    step[1:-1] = np.linalg.norm(soft[2:] - soft[:-2], axis=1) / 2
    sharpest = float(step[_around(begin, REACHES[0])].max())
    least = max(LEAST_STEP, SHARP * sharpest)
    near = _around(begin, reach)
    found = [
        float(np.arange(row - 1, row + 2) @ step[row - 1 : row + 2] / step[row - 1 : row + 2].sum())
        for row in range(near.start, near.stop)
        if step[row] >= least and step[row] >= step[row - 1] and step[row] > step[row + 1]
    ]
    return np.array(found)


def _around(row: float, reach: float) -> slice:
    return slice(round(row - reach * SIDE_PX), round(row + reach * SIDE_PX))


def _turned_back(point: F64, turn: int, whole: int) -> F64:
    """Where a point of the picture turned `turn` quarters (np.rot90) is in the picture itself."""
    x, y = point
    for _ in range(turn):
        x, y = whole - 1 - y, x
    return np.array([x, y])


def _crossing(one: tuple[F64, F64], other: tuple[F64, F64]) -> F64:
    """Where two lines cross, each through two points."""
    (p, q), (r, s) = one, other
    at, _ = np.linalg.solve(np.column_stack([q - p, r - s]), r - p)
    return np.asarray(p + at * (q - p))
