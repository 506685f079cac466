"""The colours of a board's squares, the light that lies over them, and which squares are of one kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from vision.printed.board import BoardShape, Image, window
from vision.printed.marks import DARK_LEVELS

Floats = npt.NDArray[np.float64]

MIDDLE = 0.5
"""Part of a square's side in which its colour is measured: a tile pushed a quarter of a square aside covers it."""

TRIMMED = 2.0
"""Squares whose colour is off by more than so many median deviations do not tell the light."""

ALIKE = 0.35
"""Distance (log BGR) of two squares' learnt colours below which they are of one kind: shadows reach 0.2."""

FEWEST = 4
"""Squares of one kind on a board: boards are symmetrical, so that a special square seldom stands alone."""


def colours_of(view: Image, shape: BoardShape) -> Floats:
    """(rows, columns, 3) median log BGR of the middles of the squares."""
    return _per_square(view, shape, lambda part: np.median(part, axis=0))


def papers_of(view: Image, shape: BoardShape, light_signs: bool) -> Floats:
    """(rows, columns, 3) log BGR of the lighter part of the middles: on a tile its paper, whatever is printed there.

    `light_signs`: of the darker part.
    """
    part = 30 if light_signs else 70
    return _per_square(view, shape, lambda pixels: np.percentile(pixels, part, axis=0))


def _per_square(view: Image, shape: BoardShape, of: Callable[[npt.NDArray[np.float32]], npt.ArrayLike]) -> Floats:
    logs = np.log(view.astype(np.float32) + DARK_LEVELS)
    out = np.empty((shape.rows, shape.columns, 3))
    for column, row in shape.squares():
        out[row, column] = of(window(logs, shape, column, row, MIDDLE).reshape(-1, 3))
    return out


def light_over(differences: Floats, told: npt.NDArray[np.bool_]) -> Floats:
    """(rows, columns, 3): the light as a plane over the board for each channel, by least trimmed squares.

    `differences`: log BGR against the learnt board; `told`: the squares that may be used.
    """
    rows, columns = told.shape
    y, x = np.mgrid[0:rows, 0:columns]
    form = np.stack([np.ones(told.shape), x / columns - 0.5, y / rows - 0.5], axis=-1)
    out = np.empty_like(differences)
    for channel in range(3):
        values = differences[..., channel]
        kept = told.copy()
        if kept.sum() < 6:  # too few squares for a plane
            out[..., channel] = float(np.median(values[kept])) if kept.any() else 0.0
            continue
        start = float(np.median(values[kept]))
        off = np.abs(values - start)
        for _ in range(4):
            kept = told & (off <= TRIMMED * max(float(np.median(off[told])), 1e-3) + 0.02)
            plane, *_ = np.linalg.lstsq(form[kept], values[kept], rcond=None)
            off = np.abs(values - form @ plane)
        out[..., channel] = form @ plane
    return out


def kinds_of(colours: Floats) -> npt.NDArray[np.int64]:
    """(rows, columns): the kind of every square by its learnt colour. A kind has FEWEST squares or more."""
    flat = colours.reshape(-1, 3)
    middles: list[Floats] = []
    members: list[list[int]] = []
    for n, colour in enumerate(flat):
        near = [float(np.linalg.norm(colour - middle)) for middle in middles]
        if near and min(near) < ALIKE:
            k = int(np.argmin(near))
            members[k].append(n)
            middles[k] = np.median(flat[members[k]], axis=0)
        else:
            middles.append(colour)
            members.append([n])
    common = np.array([middle for middle, own in zip(middles, members, strict=True) if len(own) >= FEWEST])
    if not len(common):
        common = np.median(flat, axis=0)[None]
    nearest = np.linalg.norm(flat[:, None] - common[None], axis=2).argmin(axis=1)
    return np.asarray(nearest.reshape(colours.shape[:2]), np.int64)
