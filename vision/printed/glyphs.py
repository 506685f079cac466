"""Printed signs in the squares of a ruled grid: found, and named by one learnt picture a sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.printed.board import BoardShape, Grey, Image
from vision.printed.one_print import name_together
from vision.printed.ruled import RuledGrid, ink_of

Floats = npt.NDArray[np.float64]
Square = tuple[int, int]

SQUARE_PX = 64
"""Side of a square when its sign is cut out: a sign is then 25 to 45 px high."""

PAPER_SQUARES = 0.5
"""Darker things narrower than this are ink."""

INK_SHARE = 0.45
"""Of the ink of a picture's signs, from which a pixel is of a sign."""

LEAST_INK = 0.05
"""Ink below which nothing is printed, in any picture."""

LEAST_HEIGHT, MOST_HEIGHT, MOST_WIDTH = 0.22, 0.85, 0.8
"""Of a square, that a sign is high and wide: smaller is dirt, larger the grid's lines."""

LEAST_AREA = 0.004
"""Of a square, below which a dark spot is dirt."""

OFF_MIDDLE = (0.28, 0.3)
"""Squares (x, y) that the middle of a part of a sign may be off the square's middle."""

GLYPH_WH, GLYPH_RIM = (24, 32), 3
"""Size at which signs are compared, all made equally high but for this rim."""

SOFT_PX = 1.2
"""Blur before they are compared: typefaces differ by a stroke's edge."""

DIRECTIONS, POOLED_PX = 8, 2.0
"""Directions in which edges are told apart, and the blur over which their places are forgiven."""

SHIFTS = (-1, 0, 1)
"""Px by which they are compared, both ways."""

CLOSENESS = 40.0
"""How much less likely a name is per likeness that it is behind; ranks what is not the best name."""

MARGIN, AGREEMENT = (-0.05, 0.1), (-0.1, 0.02)
"""Within these what a sign is ahead of the next name, and more than usual like those of its name, tells anything."""

SURE_WEIGHTS = (0.70, 22.90, 20.10, 12.30, 13.16, 0.98, -1.70)
"""Logistic regression of "the name is right" on `evidence`; fitted by `companion.lab.fitting.fit_signs` on pairs of
photographed puzzles by seven telephones, and on the same with one sign that was not learnt (a tenth of the weight)."""

NAME_FROM = 0.9
"""Probability from which a sign is named; below it a person is asked."""


@dataclass(frozen=True, slots=True)
class NamedSign:
    """A sign in a square (column, row): its `name` (None when unsure), probability, and the likeliest names."""

    column: int
    row: int
    name: str | None
    p: float
    alternatives: tuple[tuple[str, float], ...]


def sign_of(cell: Image, ink: float | None = None) -> Grey | None:
    """The sign in a picture of a square, made equally large and dark: (32, 24) float32; None when there is none.

    `ink`: how dark the signs of the picture are; by default how dark this one is.
    """
    return _sign(_ink(cv2.resize(cell, (SQUARE_PX, SQUARE_PX), interpolation=cv2.INTER_AREA)), ink)


def signs_of(image: Image, grid: RuledGrid, shape: BoardShape) -> dict[Square, Grey]:
    """The signs of a grid: (column, row) -> sign."""
    inks = {square: _ink(_cell(image, grid, shape, square)) for square in shape.squares()}
    inner = slice(SQUARE_PX // 6, -SQUARE_PX // 6)
    darkest = [float(np.percentile(ink[inner, inner], 97)) for ink in inks.values()]
    usual = _ink_of_signs(darkest)
    found = {square: _sign(ink, usual) for square, ink in inks.items()}
    return {square: sign for square, sign in found.items() if sign is not None}


def _ink_of_signs(darkest: Sequence[float]) -> float:
    """How dark the signs are, of the darkest ink of every square: some squares have a sign, the others none."""
    return float(np.percentile(darkest, 90))


def _ink(cell: Image) -> Grey:
    return ink_of(cell, PAPER_SQUARES * SQUARE_PX)


def _cell(image: Image, grid: RuledGrid, shape: BoardShape, square: Square) -> Image:
    """(SQUARE_PX, SQUARE_PX, 3) the square as from straight above, where its lines are seen to be."""
    column, row = square
    x, y = np.array([column, row]) + grid.bends[row, column]
    ideal = np.array([[0, 0], [shape.columns, 0], [shape.columns, shape.rows], [0, shape.rows]], np.float32)
    to_image = cv2.getPerspectiveTransform(ideal, np.asarray(grid.corners_px, np.float32))
    to_squares = np.array([[1 / SQUARE_PX, 0, x + 0.5 / SQUARE_PX], [0, 1 / SQUARE_PX, y + 0.5 / SQUARE_PX], [0, 0, 1]])
    size = (SQUARE_PX, SQUARE_PX)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    square_px = float(np.linalg.norm(grid.corners_px[1] - grid.corners_px[0])) / shape.columns
    if square_px > 1.5 * SQUARE_PX:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 * square_px / SQUARE_PX), np.uint8)
    view = cv2.warpPerspective(image, to_image @ to_squares, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def _sign(ink: Grey, usual: float | None) -> Grey | None:
    """The parts of `ink` (SQUARE_PX, SQUARE_PX) that make a sign, brought to one size."""
    inner = slice(SQUARE_PX // 6, -SQUARE_PX // 6)
    level = float(np.percentile(ink[inner, inner], 97)) if usual is None else usual
    count, labels, boxes, middles = cv2.connectedComponentsWithStats(
        (ink > INK_SHARE * max(level, LEAST_INK)).astype(np.uint8)
    )
    kept = np.zeros(ink.shape, np.uint8)
    for k in range(1, count):
        _, _, width, height, area = boxes[k]
        off = np.abs(middles[k] / SQUARE_PX - 0.5)
        if area < LEAST_AREA * ink.size or (off > OFF_MIDDLE).any():
            continue
        if LEAST_HEIGHT * SQUARE_PX <= height <= MOST_HEIGHT * SQUARE_PX and width <= MOST_WIDTH * SQUARE_PX:
            kept |= (labels == k).astype(np.uint8)
    if not kept.any():
        return None
    rows, columns = np.flatnonzero(kept.any(axis=1)), np.flatnonzero(kept.any(axis=0))
    scale = (GLYPH_WH[1] - 2 * GLYPH_RIM) / (rows[-1] + 1 - rows[0])
    x, y = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
    move = np.array([[scale, 0, (GLYPH_WH[0] - 1) / 2 - scale * x], [0, scale, (GLYPH_WH[1] - 1) / 2 - scale * y]])
    dark = (ink * cv2.dilate(kept, np.ones((3, 3), np.uint8))).astype(np.float32)
    sign = cv2.GaussianBlur(cv2.warpAffine(dark, move, GLYPH_WH, flags=cv2.INTER_AREA), (0, 0), SOFT_PX)
    return np.asarray(sign, np.float32)


def name_signs(signs: Mapping[Square, Grey], learnt: Mapping[str, Sequence[Grey]]) -> tuple[NamedSign, ...]:
    """Names the signs of one picture, row by row. `learnt`: name -> how it looks, one or more.

    One picture is printed in one typeface: its signs are named together.
    """
    squares = sorted(signs, key=lambda square: (square[1], square[0]))
    if not squares:
        return ()
    seen, names = [signs[square] for square in squares], list(learnt)
    foreign = np.stack([likeness(seen, learnt[name]).max(axis=1) for name in names], axis=1)
    own = likeness(seen, seen)
    best, features = evidence(foreign, own)
    sure = 1 / (1 + np.exp(-(features @ np.array(SURE_WEIGHTS))))
    rows = zip(squares, best.tolist(), foreign, sure.tolist(), strict=True)
    return tuple(_named(square, names, name, row, p) for square, name, row, p in rows)


def likeness(signs: Sequence[Grey], others: Sequence[Grey]) -> Floats:
    """(N, M) likeness, 0..1, of every sign with every other at their best shift."""
    shifted = np.stack([np.roll(o, (y, x), (0, 1)) for y in SHIFTS for x in SHIFTS for o in others])
    a, b = _edges(np.stack(signs)), _edges(shifted)
    return np.asarray((a @ b.T).reshape(len(signs), -1, len(others)).max(axis=1), np.float64)


def _edges(signs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(N, values) where the edges of each sign (N, 32, 24) run in which direction, of length one.

    Histograms of directed gradients (Dalal and Triggs 2005): typefaces differ in how bold they are, and cameras in how
    blurred, more than in the course of their edges.
    """
    out = []
    for sign in signs:
        unit = sign / max(float(sign.max()), 1e-6)
        x, y = cv2.Sobel(unit, cv2.CV_32F, 1, 0), cv2.Sobel(unit, cv2.CV_32F, 0, 1)
        slope, angle = cv2.cartToPolar(x, y)
        step = 2 * np.pi / DIRECTIONS
        planes = []
        for k in range(DIRECTIONS):
            away = np.abs((angle - k * step + np.pi) % (2 * np.pi) - np.pi)
            plane = (np.clip(1 - away / step, 0, 1) * slope).astype(np.float32)
            planes.append(cv2.GaussianBlur(plane, (0, 0), POOLED_PX)[::2, ::2])
        out.append(np.sqrt(np.stack(planes)).ravel())
    found = np.stack(out)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-6), np.float32)


def evidence(foreign: Floats, own: Floats) -> tuple[npt.NDArray[np.intp], Floats]:
    """(N,) the best name of each sign, and (N, 7) what says that it is right.

    `foreign`: (N, names) likeness to the learnt signs; `own`: (N, N) to each other. Columns: 1; the likeness that is
    lost where its group has another name (see `one_print`); what the sign by itself is ahead of the next name; its
    likeness less 0.75; how much more than usual it is like the others of its name; 1 when it is the only one; 1 when
    its group rather has none of the names.
    """
    together, rows = name_together(foreign, own), np.arange(len(own))
    mine = foreign[rows, together.best]
    others = foreign.copy()
    others[rows, together.best] = 0.0
    agreeing = _agreement(together.best, own)
    only = ~np.isfinite(agreeing)
    columns = (
        np.ones(len(own)),
        together.loss,
        np.clip(mine - others.max(axis=1), *MARGIN),
        mine - 0.75,
        np.where(only, 0.0, np.clip(agreeing, *AGREEMENT)),
        only,
        together.strange,
    )
    return together.best, np.stack(columns, axis=1).astype(np.float64)


def _agreement(best: npt.NDArray[np.intp], own: Floats) -> Floats:
    """(N,) how much more than usual in this picture each sign is like the others of its name; NaN for an only one.

    A blurred picture to learn from makes two signs one; in the picture that is read they are still two.
    """
    like = np.full(len(best), np.nan)
    for k in range(len(best)):
        others = np.flatnonzero((best == best[k]) & (np.arange(len(best)) != k))
        if len(others):
            like[k] = np.median(own[k, others])
    return like - np.nanmedian(like) if np.isfinite(like).any() else like


def _named(square: Square, names: Sequence[str], best: int, scores: Floats, p: float) -> NamedSign:
    order = [k for k in np.argsort(-scores).tolist() if k != best][:3]
    others = np.exp(CLOSENESS * (scores[order] - scores[best]))
    left = (1 - p) * others / max(float(others.sum()), 1e-9)
    ranked = ((names[best], p), *((names[k], float(q)) for k, q in zip(order, left, strict=True)))
    return NamedSign(square[0], square[1], names[best] if p >= NAME_FROM else None, p, ranked)
