"""Finding a piece in a picture that is not cut at its edge: straight outlines near the border."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

WORK_PX = 64  # side of the square with the area of the picture in which outlines are looked for
STRIP = 0.3  # an outline lies within this share of the side from the border ...
AT_BORDER = 0.02  # ... and nearer than this the picture counts as cut at it
TILT = 0.12  # most that it leans, as a slope
TILTS = 7
MIDDLE = 0.8  # share of the side along which an outline must show
PERCENTILE = 25  # of the gradients along it: print covers part of a line, an outline all of it
STRONG = 0.025  # least such gradient, brightness 0..1 per px of the working picture
CLEAR = 1.5  # times the median of all lines of the strip, below which it is one of many
MOST_CLEAR = 2.5  # an outline this many times as clear as it must be says no more: strong print does not win by it
OFF_MIDDLE = 0.5  # what speaks against a piece, by its distance from the middle as a share of the side
LOOSE = 0.02  # scatter of the outlines' places from which a set is cut loosely; a printed frame keeps its place
# Natural logarithm of the ratio of two aspects below which outlines are of a piece of that shape: one that is seen at
# 35 degrees from straight above is shorter by as much one way.
SAME_SHAPE = 0.2
# Share of the side by which a piece must be off for its outline to be asked for: crops are cut a few percent off. How
# near to where it should be the outline is looked for, and how many times as clear as the median line of the strip it
# must be: a table of nearly the piece's colour leaves six times, paper that goes on one.
ELSEWHERE, ABOUT, APPARENT = 0.1, 0.03, 3.0
LINES = 3  # near a side that are tried: the piece's, its neighbour's, and one of print
COMMON = 0.5  # share of a set's pictures in which a side must be found for the set to be cut loosely


@dataclass(frozen=True, slots=True)
class Sides:
    """The outlines found in one picture: of left, top, right, bottom each (offset, slope), None where none shows.

    `offset` is the distance from the side's border at its middle as a share of the picture's size across it;
    `slope` how far it leans per length.
    """

    lines: tuple[tuple[float, float] | None, ...]

    @property
    def found(self) -> int:
        return sum(line is not None for line in self.lines)


def find_sides(picture_bgr: U8) -> Sides:
    """The straight outlines near the borders of `picture_bgr` (h, w, 3) uint8."""
    return Sides(tuple(_clearest(ramp) for ramp in _ramps(picture_bgr)))


@dataclass(frozen=True, slots=True)
class _Ramp:
    """How clear an outline is near one side: `clear` (offsets,) of the best slope there, `slope` (offsets,) that one,
    `offsets` shares of the size across; `usual` the clearness of an ordinary line."""

    offsets: F64
    clear: F64
    slope: F64

    @property
    def usual(self) -> float:
        return float(np.median(self.clear))


def _ramps(picture_bgr: U8) -> tuple[_Ramp, ...]:
    """Of left, top, right and bottom."""
    h, w = picture_bgr.shape[:2]
    scale = WORK_PX / (h * w) ** 0.5
    size = (max(8, round(w * scale)), max(8, round(h * scale)))
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(small.astype(np.float32) / 255, (0, 0), 0.8)
    across = np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)).max(axis=2)
    down = np.abs(cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)).max(axis=2)
    views = (across, down.T, across[:, ::-1], down.T[:, ::-1])
    return tuple(_ramp(np.ascontiguousarray(view)) for view in views)


def _ramp(gradient: F32) -> _Ramp:
    """The near-vertical lines in the left strip of `gradient` (h, w)."""
    h, w = gradient.shape
    rows = np.arange(round(h * (1 - MIDDLE) / 2), h - round(h * (1 - MIDDLE) / 2))
    offsets = np.arange(0.0, STRIP * w, 0.5)
    slopes = np.linspace(-TILT, TILT, TILTS)
    x = offsets[:, None, None] + slopes[:, None] * (rows - (h - 1) / 2)
    flat = (len(offsets) * len(slopes), len(rows))
    y = np.broadcast_to(rows.astype(np.float32), x.shape).reshape(flat)
    x = x.reshape(flat).astype(np.float32)
    values = cv2.remap(gradient, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    place = round(len(rows) * PERCENTILE / 100)
    score = np.partition(values, place, axis=1)[:, place].reshape(len(offsets), len(slopes)).astype(np.float64)
    best = score.argmax(axis=1)
    return _Ramp((offsets + 0.5) / w, score[np.arange(len(best)), best], slopes[best])


def _clearest(ramp: _Ramp) -> tuple[float, float] | None:
    """Offset and slope of the one line that is an outline."""
    k = int(ramp.clear.argmax())
    if ramp.clear[k] < max(STRONG, CLEAR * ramp.usual) or ramp.offsets[k] < AT_BORDER:
        return None
    return float(ramp.offsets[k]), float(ramp.slope[k])


@dataclass(frozen=True, slots=True)
class Cut:
    """How the pieces of a set are cut out of its pictures: their `width` and `height`, shares of a picture's."""

    width: float
    height: float


def framed_piece(picture_bgr: U8, aspect: float) -> F64 | None:
    """(4, 2) px of the corners of a piece of `aspect`, width by height, that lies whole inside of `picture_bgr`
    (h, w, 3) uint8, clockwise, a side of its width first; None where the four outlines of such a piece do not show.

    Of several lines near a side, such as those of a neighbouring piece, the ones are taken that are clear and make the
    shape.
    """
    h, w = picture_bgr.shape[:2]
    near = [_peaks(ramp) for ramp in _ramps(picture_bgr)]
    best: tuple[float, F64] | None = None
    for left, top, right, bottom in product(*near):
        corners = _crossings((w, h), (left.line, top.line, right.line, bottom.line))
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        own = np.log((sides[0] + sides[2]) / (sides[1] + sides[3]))
        stands, lies = abs(own - np.log(aspect)), abs(own + np.log(aspect))
        off = min(stands, lies)
        score = left.clear + top.clear + right.clear + bottom.clear - off / SAME_SHAPE
        if off < SAME_SHAPE and (best is None or score > best[0]):
            best = score, corners if stands <= lies else np.roll(corners, -1, axis=0)
    return None if best is None else best[1]


@dataclass(frozen=True, slots=True)
class _Peak:
    """A line that may be an outline: its `line` (offset, slope), and how `clear` it is, 1 being just enough."""

    line: tuple[float, float]
    clear: float


def goes_on(picture_bgr: U8, corners: F64) -> bool:
    """Whether a piece with these corners (4, 2) px would reach out of `picture_bgr` (h, w, 3) uint8 over one side,
    and should end within it at the opposite one, where no outline shows: it lies elsewhere, or is another."""
    h, w = picture_bgr.shape[:2]
    x, y = (np.sort(corners.T + 0.5) / ((w,), (h,))).reshape(2, 2, 2).mean(axis=2)
    within = np.array([x[0], y[0], 1 - x[1], 1 - y[1]])  # of left, top, right and bottom
    ends = [k for k in range(4) if min(within[k], -within[(k + 2) % 4]) > ELSEWHERE]
    if not ends:
        return False
    ramps = _ramps(picture_bgr)
    near = np.linspace(-ABOUT, ABOUT, 7)

    def shows(ramp: _Ramp, offset: float) -> bool:
        return bool(np.interp(offset + near, ramp.offsets, ramp.clear).max() > APPARENT * ramp.usual)

    return not all(within[k] >= STRIP or shows(ramps[k], within[k]) for k in ends)


def _peaks(ramp: _Ramp) -> list[_Peak]:
    """The clearest lines of a strip, each clearer than those beside it."""
    limit = max(STRONG, CLEAR * ramp.usual)
    padded = np.pad(ramp.clear, 1)
    peaks = (
        (ramp.clear >= padded[:-2]) & (ramp.clear > padded[2:]) & (ramp.clear >= limit) & (ramp.offsets >= AT_BORDER)
    )
    order = sorted(np.flatnonzero(peaks), key=lambda k: -ramp.clear[k])[:LINES]
    return [
        _Peak((float(ramp.offsets[k]), float(ramp.slope[k])), min(float(ramp.clear[k]) / limit, MOST_CLEAR))
        for k in order
    ]


def _crossings(wh: tuple[int, int], lines: Sequence[tuple[float, float]]) -> F64:
    """(4, 2) px where the lines of left, top, right and bottom cross, clockwise from top left."""
    w, h = wh
    left, top, right, bottom = lines
    # Left and right: x = a + s * (y - middle); top and bottom: y = a + s * (x - middle); slopes are measured inwards.
    upright = ((left[0] * w, left[1]), (w - right[0] * w, -right[1]))
    level = ((top[0] * h, top[1]), (h - bottom[0] * h, -bottom[1]))
    corners = []
    for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
        (x, s), (y, t) = upright[i], level[j]
        across = (x + s * (y - h / 2 - t * w / 2)) / (1 - s * t)
        corners.append((across - 0.5, y + t * (across - w / 2) - 0.5))
    return np.array(corners)


def usual_cut(sides: Sequence[Sides]) -> Cut | None:
    """How to cut a set whose pictures show these outlines; None when they are cut at the edge already."""
    if sum(s.found >= 2 for s in sides) < COMMON * len(sides):
        return None
    found = [[line[0] for line in (s.lines[k] for s in sides) if line] for k in range(4)]
    scatter = [np.std(distances or [0.0]) for distances in found]
    if max(scatter) < LOOSE:
        return None
    widths = [1 - s.lines[0][0] - s.lines[2][0] for s in sides if s.lines[0] and s.lines[2]]
    heights = [1 - s.lines[1][0] - s.lines[3][0] for s in sides if s.lines[1] and s.lines[3]]
    if not widths and not heights:
        return None
    width = float(np.median(widths or heights))
    return Cut(width, float(np.median(heights or widths)))


@dataclass(frozen=True, slots=True)
class Rim:
    """What all pictures of a set show around the same outline, which is the piece's edge or a frame printed on it:
    `left`, `top`, `right`, `bottom` as shares of a picture's size across."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def cut(self) -> Cut:
        """How pieces are cut out at that outline."""
        return Cut(1 - self.left - self.right, 1 - self.top - self.bottom)


def usual_rim(sides: Sequence[Sides]) -> Rim | None:
    """The rim of a set whose pictures show these outlines, each in its place; None when a side has none of its own."""
    found = [[line[0] for line in (s.lines[k] for s in sides) if line] for k in range(4)]
    if any(len(distances) < COMMON * len(sides) or np.std(distances) >= LOOSE for distances in found):
        return None
    return Rim(*(float(np.median(distances)) for distances in found))


@dataclass(frozen=True, slots=True)
class CutOut:
    """A piece cut out of a picture: `image` (h, w, 3) uint8; `seen` (h, w) bool, where the picture reaches;
    `to_picture` (3, 3) px of the piece -> px of the picture."""

    image: U8
    seen: NDArray[np.bool_]
    to_picture: F64


def cut_out(picture_bgr: U8, cut: Cut) -> CutOut:
    """The piece in `picture_bgr` (h, w, 3) uint8, found by its outlines."""
    h, w = picture_bgr.shape[:2]
    corners = piece_corners(picture_bgr, cut)
    size = (max(8, round(cut.width * w)), max(8, round(cut.height * h)))
    x, y = size[0] - 0.5, size[1] - 0.5
    own = np.array([[-0.5, -0.5], [x, -0.5], [x, y], [-0.5, y]], np.float32)
    matrix = cv2.getPerspectiveTransform(own, corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    image = cv2.warpPerspective(picture_bgr, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    whole = np.full((h, w), 255, np.uint8)
    return CutOut(image, cv2.warpPerspective(whole, matrix, size, flags=flags) > 127, matrix)


def piece_corners(picture_bgr: U8, cut: Cut) -> F32:
    """(4, 2) float32 px of the corners of the piece in `picture_bgr` (h, w, 3) uint8, clockwise from top left.

    Both outlines across are looked for together, at the usual size from each other: print beside one of them is not
    taken for it. A side beyond the picture's border does not show and is not asked for.
    """
    h, w = picture_bgr.shape[:2]
    ramps = _ramps(picture_bgr)
    left, slopes_x = _begin(ramps[0], ramps[2], cut.width)
    top, slopes_y = _begin(ramps[1], ramps[3], cut.height)
    slopes = [s * sign for s, sign in zip((*slopes_x, *slopes_y), (1, -1, -1, 1), strict=True) if s is not None]
    lean = float(np.median(slopes or [0.0]))  # x grows by it per y down, y shrinks by it per x: the piece is turned
    middle = np.array([(left + cut.width / 2) * w, (top + cut.height / 2) * h])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (cut.width * w / 2, cut.height * h / 2)
    turned = signs @ np.array([[1, -lean], [lean, 1]])
    return np.asarray(middle + turned - 0.5, np.float32)


def _begin(near: _Ramp, far: _Ramp, size: float) -> tuple[float, tuple[float | None, float | None]]:
    """Where a piece of `size` begins across a picture (0..1), and the slopes of its two outlines where they show."""
    step = 0.25 * float(near.offsets[1] - near.offsets[0])
    begins = np.arange(1 - size - STRIP, STRIP, step)
    ends = 1 - size - begins
    clear = _clear(near, begins) + _clear(far, ends) - OFF_MIDDLE * np.abs(begins - (1 - size) / 2)
    k = int(clear.argmax())
    return float(begins[k]), (_slope(near, begins[k]), _slope(far, ends[k]))


def _clear(ramp: _Ramp, offsets: F64) -> F64:
    """How much speaks for an outline at `offsets`, 0 for what cannot be seen, -1 where it would show and does not."""
    limit = max(STRONG, CLEAR * ramp.usual)
    score = np.interp(offsets, ramp.offsets, ramp.clear) / limit
    return np.asarray(np.where(offsets < AT_BORDER, 0.0, np.clip(score, 0, MOST_CLEAR) - 1))


def _slope(ramp: _Ramp, offset: float) -> float | None:
    if offset < AT_BORDER or _clear(ramp, np.array([offset]))[0] < 0:
        return None
    return float(ramp.slope[int(np.abs(ramp.offsets - offset).argmin())])
