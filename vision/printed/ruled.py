"""Finds a grid of squares that is ruled in dark lines, without having learnt it: a printed puzzle, a drawn board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.printed.board import MARGIN_SQUARES, BoardShape, Corners, Grey, Image, from_above

Floats = npt.NDArray[np.float64]

SEARCH_PX = (400, 800)
"""Longer sides of the pictures in which the outline is searched: thin lines hold together in the smaller."""

DARK_SHARES = (0.3, 0.5, 0.75)
"""Shares of a dark line's ink (the 98th percentile) from which a pixel is of a line: prints differ in how dark they
are."""

LARGEST = 3
"""Connected dark shapes of each kind that may be the outline."""

LEAST_SHARE = 0.06
"""Of the picture that the outline's box must fill: below it the marks cannot be read."""

LEAST_SIDE = 0.4
"""Shortest side of the outline by its longest: squares seen by a camera that is held over them."""

SQUARE_PX = 32
"""Side of a square in the view in which lines are measured."""

PAPER_SQUARES = 0.75
"""Darker things narrower than this are ink, wider ones shadow."""

DARK_LEVELS = 8.0
"""Added to grey levels before ink is compared with paper."""

INNER = (0.15, 0.85)
"""Part of a square's side along which its line is measured, clear of the crossing ones."""

UNBROKEN = 1 / 3
"""Part of that in which a line may be too faint to be seen."""

REACHES = (0.45, 0.3, 0.2)
"""How far from where it is expected a line is searched, in squares, round by round."""

OFF = 0.3
"""What being REACH away takes from a line's ink, as a share: of two lines the nearer is meant."""

FAINT = 0.3
"""Share of the usual line's ink below which there is no line."""

LEAST_INK = 0.02
"""Ink below which there is no line in any print."""

FEWEST_LINES = 0.25
"""Share of the lines' pieces that must be seen to place the grid by them."""

STRAIGHT = 0.04
"""Squares by which two neighbouring pieces of a line may be out of line: a little more than a pixel."""

FOUND = 0.6
"""Share of the lines' pieces that must be seen in line for the grid to be believed: of photographed puzzles 0.67 and
more are, of carpets, tables and other boards 0.54 at most."""

BETWEEN = 0.4
"""Share of the squares through whose middles lines run from which the grid has more squares than asked for: strokes
of signs make 0.12 in 63 photographed puzzles at most, grids of 10 to 27 squares that were drawn have 0.7 and more."""

AS_DARK = 0.5
"""Share of the usual line's ink that such a line has at least."""

SIZE_WORTH = 0.3
"""What a grid gains by filling the picture: a page may show small ones beside the one that is meant."""


@dataclass(frozen=True, slots=True)
class RuledGrid:
    """Where a grid is: (4, 2) outer corners in px, clockwise from top left; share of its lines that are seen.

    `bends` (rows, columns, 2): how far the middle of each square lies from where the corners put it, in squares
    (x, y): paper is curved.
    """

    corners_px: Corners
    seen: float
    bends: Floats

    @property
    def found(self) -> bool:
        """Whether a grid is there at all."""
        return self.seen >= FOUND


def ink_of(image: Image, width_px: float) -> Grey:
    """(H, W) float32, 0 paper to 1 black: how much darker each pixel is than the paper around it.

    The darkest channel counts, so that red ink is ink. `width_px`: what is wider is no ink.
    """
    grey = cv2.GaussianBlur(image.min(axis=2).astype(np.float32), (0, 0), 0.8)
    size = round(width_px) | 1
    closed = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    paper = cv2.GaussianBlur(closed, (0, 0), width_px / 4)
    return np.asarray(np.clip(1 - (grey + DARK_LEVELS) / (paper + DARK_LEVELS), 0, 1), np.float32)


def find_grid(image: Image, shape: BoardShape) -> RuledGrid:
    """The grid of `shape` in `image` (H, W, 3) uint8 BGR, its first row on top; `found` tells whether there is one."""
    best = RuledGrid(np.zeros((4, 2)), 0.0, np.zeros((shape.rows, shape.columns, 2)))
    worth = 0.0
    tried: list[Corners] = []
    for outline in _outlines(image):
        if any(np.abs(outline - other).max() < 0.02 * max(image.shape) for other in tried):
            continue
        tried.append(outline)
        grid = _placed(image, outline, shape)
        area = cv2.contourArea(grid.corners_px.astype(np.float32)) / (image.shape[0] * image.shape[1])
        if grid.seen + SIZE_WORTH * min(area, 1.0) > worth:
            best, worth = grid, grid.seen + SIZE_WORTH * min(area, 1.0)
    return best


def _outlines(image: Image) -> Iterator[Corners]:
    """Quadrilaterals (4, 2) px around large connected dark shapes."""
    for longer in SEARCH_PX:
        scale = longer / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        ink = ink_of(np.asarray(small, np.uint8), longer / 25)
        dark = float(np.percentile(ink, 98))
        for share in DARK_SHARES:
            _, labels, boxes, _ = cv2.connectedComponentsWithStats((ink > share * dark).astype(np.uint8))
            sizes = boxes[1:, cv2.CC_STAT_WIDTH].astype(float) * boxes[1:, cv2.CC_STAT_HEIGHT]
            for k in np.argsort(-sizes)[:LARGEST] + 1:
                if sizes[k - 1] >= LEAST_SHARE * ink.size:
                    rows, columns = np.nonzero(labels == k)
                    corners = _four(np.stack([columns, rows], axis=1).astype(np.float32))
                    if corners is not None:
                        yield corners / scale


def _four(points: Grey) -> Corners | None:
    """The quadrilateral around `points` (N, 2), clockwise from top left; None when it is no square from any side."""
    hull = cv2.convexHull(points)[:, 0]
    sums, differences = hull.sum(axis=1), hull[:, 0] - hull[:, 1]
    corners = hull[[sums.argmin(), differences.argmax(), sums.argmax(), differences.argmin()]]
    around = cv2.arcLength(hull[:, None], True)
    for share in (0.02, 0.03, 0.04, 0.06, 0.08, 0.1):
        simple = cv2.approxPolyDP(hull[:, None], share * around, True)[:, 0]
        if len(simple) == 4:
            corners = simple
        if len(simple) <= 4:
            break
    corners = corners.astype(np.float64)
    away = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    corners = np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    return None if sides.min() < LEAST_SIDE * sides.max() else corners


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of one direction: `away` (lines, pieces) px from where each was expected, `ink` of each piece."""

    away: Floats
    ink: Floats

    def smooth(self, seen: npt.NDArray[np.bool_]) -> Floats:
        """`away` with each piece as its neighbours on the line tell: a digit's stroke is no line."""
        away = np.where(seen, self.away, np.nan)
        padded = np.pad(away, ((0, 0), (2, 2)), constant_values=np.nan)
        windows = np.lib.stride_tricks.sliding_window_view(padded, 5, axis=1)
        known = np.isfinite(windows).any(axis=2)
        out = np.zeros_like(away)
        out[known] = np.nanmedian(windows[known], axis=1)
        return out

    def straight(self, seen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which of the pieces that are `seen` lie in line with those beside them."""
        padded = np.pad(np.where(seen, self.away, np.nan), ((0, 0), (1, 1)), constant_values=np.nan)
        beside = np.minimum(np.abs(np.nan_to_num(padded[:, :-2] - self.away, nan=np.inf)),
                            np.abs(np.nan_to_num(padded[:, 2:] - self.away, nan=np.inf)))  # fmt: skip
        return np.asarray(seen & (beside <= STRAIGHT * SQUARE_PX))


def _lines(ink: Grey, lines: int, pieces: int, reach: float) -> _Lines:
    """The `lines` of squares that lie one under the other in `ink`, each measured in so many `pieces`."""
    half = round(reach * SQUARE_PX)
    at = np.arange(-half, half + 1)
    away, strength = np.zeros((lines, pieces)), np.zeros((lines, pieces))
    for line in range(lines):
        y = round((MARGIN_SQUARES + line) * SQUARE_PX)
        for piece in range(pieces):
            begin, end = (round((MARGIN_SQUARES + piece + part) * SQUARE_PX) for part in INNER)
            strip = ink[y - half : y + half + 1, begin:end]
            place = round(strip.shape[1] * UNBROKEN)
            profile = np.partition(strip, place, axis=1)[:, place]
            profile = profile - np.median(profile)
            k = int((profile * (1 - OFF * np.abs(at) / half)).argmax())
            near = slice(max(k - 2, 0), k + 3)
            weight = np.clip(profile[near], 0, None)
            strength[line, piece] = profile[k]
            away[line, piece] = float((weight * at[near]).sum() / max(float(weight.sum()), 1e-6))
    return _Lines(away, strength)


def _placed(image: Image, corners: Corners, shape: BoardShape) -> RuledGrid:
    """The grid whose outline is about at `corners`, placed by all its lines."""
    seen, bends = 0.0, np.zeros((shape.rows, shape.columns, 2))
    for reach in REACHES:
        view = from_above(image, corners, shape, SQUARE_PX)
        ink = ink_of(view, PAPER_SQUARES * SQUARE_PX)
        flat = _lines(ink, shape.rows + 1, shape.columns, reach)
        upright = _lines(np.ascontiguousarray(ink.T), shape.columns + 1, shape.rows, reach)
        usual = float(np.percentile(np.r_[flat.ink.ravel(), upright.ink.ravel()], 60))
        least = max(FAINT * usual, LEAST_INK)
        flat_seen, upright_seen = flat.ink > least, upright.ink > least
        if min(flat_seen.mean(), upright_seen.mean()) < FEWEST_LINES:
            return RuledGrid(corners, 0.0, bends)
        down, across = flat.smooth(flat_seen) / SQUARE_PX, upright.smooth(upright_seen) / SQUARE_PX
        straight = np.r_[flat.straight(flat_seen).ravel(), upright.straight(upright_seen).ravel()]
        seen = float(straight.mean())
        bends[..., 1] = (down[:-1] + down[1:]) / 2
        bends[..., 0] = ((across[:-1] + across[1:]) / 2).T
        if reach == REACHES[-1] and _between(ink, shape, usual) > BETWEEN:
            return RuledGrid(corners, 0.0, bends)
        if reach != REACHES[-1]:
            corners = _moved(corners, shape, (flat, flat_seen), (upright, upright_seen))
    return RuledGrid(corners, seen, bends)


def _between(ink: Grey, shape: BoardShape, usual: float) -> float:
    """The share of the squares through whose middles straight lines run: those of a grid of more squares."""
    half, least = SQUARE_PX // 2, max(AS_DARK * usual, LEAST_INK)
    flat = _lines(ink[half:], shape.rows, shape.columns, REACHES[1])
    upright = _lines(np.ascontiguousarray(ink[:, half:].T), shape.columns, shape.rows, REACHES[1])
    return float(np.mean([lines.straight(lines.ink > least).mean() for lines in (flat, upright)]))


def _moved(
    corners: Corners,
    shape: BoardShape,
    flat: tuple[_Lines, npt.NDArray[np.bool_]],
    upright: tuple[_Lines, npt.NDArray[np.bool_]],
) -> Corners:
    """The corners (4, 2) px after one homography was fitted to all pieces of lines, robustly."""
    ideal = shape.corners_px(SQUARE_PX)
    middle, half = ideal.mean(axis=0), float(np.ptp(ideal, axis=0).max()) / 2
    rows: list[list[float]] = []
    values: list[float] = []
    for axis, (lines, told) in ((1, flat), (0, upright)):
        for line, piece in zip(*np.nonzero(told), strict=True):
            at = np.empty(2)
            at[axis] = (MARGIN_SQUARES + line) * SQUARE_PX
            at[1 - axis] = (MARGIN_SQUARES + piece + 0.5) * SQUARE_PX
            value = (at[axis] + lines.away[line, piece] - middle[axis]) / half
            x, y = (at - middle) / half
            own = [x, y, 1.0]
            rows.append(
                [*(own if axis == 0 else [0.0] * 3), *(own if axis == 1 else [0.0] * 3), -value * x, -value * y]
            )
            values.append(value)
    matrix, target = np.array(rows), np.array(values)
    weight: Floats = np.ones(len(target))
    solution: Floats = np.zeros(8)
    for _ in range(8):
        solution = np.asarray(np.linalg.lstsq(matrix * weight[:, None], target * weight, rcond=None)[0], np.float64)
        error = matrix @ solution - target
        spread = 1.48 * float(np.median(np.abs(error))) + 0.003
        weight = np.asarray(1 / (1 + (error / (2 * spread)) ** 2))
    unit = np.array([[half, 0, middle[0]], [0, half, middle[1]], [0, 0, 1]])
    moved = unit @ np.append(solution, 1.0).reshape(3, 3) @ np.linalg.inv(unit)
    to_image = cv2.getPerspectiveTransform(ideal.astype(np.float32), np.asarray(corners, np.float32))
    return np.asarray(cv2.perspectiveTransform(ideal[None], to_image @ moved)[0])
