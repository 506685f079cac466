"""Hypotheses of pieces in a suspicious region: found at half the canvas' resolution, refined at the whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np

from companion.core.layout import PieceShape
from vision.pieces.likelihood_maps import CORRELATED_PX
from vision.pieces.scene import Scene
from vision.pieces.shapes import YAWS, Hypothesis, Masks, hypothesis, masks, place_mask

# Part of a top's inner pixels that must speak for a colour before it is searched for; where pieces hide each other.
MOST_OF_A_TOP, SOME_OF_A_TOP = 0.5, 0.2

# Side of a square of pixels that no blurred edge reaches, in sides of the top.
INNER = 0.7

# Evidence (nats) from which a hypothesis is remembered.
WORTH_KEEPING = 2.0

# What sums of so many pixels may be off by in single precision.
ROUNDED = 0.01

# Local maxima kept of one colour in a region; a region with four pieces shows about thirty, most of them weak.
PEAKS = 24

# Two pieces side by side make a plateau without maxima where they stand. Pairs with their middle within 0.7 sides of
# a piece that together have 1.1 times its evidence are tried, the best four.
PAIRS = 4
PAIR_TOGETHER = 1.1
PAIR_REACH = 0.7

# The search takes every second pixel; a hypothesis is moved by up to two and turned by a step to where it fits.
HALF = 2
REACH_PX = 2
MOVES_PX = np.mgrid[-REACH_PX : REACH_PX + 1, -REACH_PX : REACH_PX + 1].reshape(2, -1)[::-1]


# Of the places between the best, every second one of the search is tried.
SPREAD = 2


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of the canvas where bare faces explain badly.

    `box`: rows and columns of the canvas. `feet` (h, w) bool: where a foot may stand. `lean_px` (2,): from a foot to
    its top. `tops`, `sides` (K, h, w): what a pixel says for the top and a side of each colour against the bare face.
    `shown` (K,): how much of a top of each colour shows, see `tops_shown`.
    """

    box: tuple[slice, slice]
    feet: np.ndarray
    lean_px: np.ndarray
    tops: np.ndarray
    sides: np.ndarray
    shown: np.ndarray

    def of_colours(self, asked: list[int]) -> Region:
        """The region for some colours alone."""
        if len(asked) == len(self.tops):
            return self
        return replace(self, tops=self.tops[asked], sides=self.sides[asked], shown=self.shown[asked])


def tops_shown(
    tops: np.ndarray, feet: np.ndarray, lean_px: np.ndarray, side_px: float, *, crowded: bool
) -> np.ndarray:
    """(K,) part (0..1) of a top's inner pixels that `tops` (K, h, w) show over any of the `feet`, all as those of a
    region; 0 where it is less than pieces need. Where nothing is known of what lies there a pixel need only look like
    one: of a piece on a face's rim the face shows little but a side."""
    side = round(side_px * INNER)
    over = cv2.warpAffine(feet.astype(np.uint8), np.column_stack([np.eye(2), lean_px]), feet.shape[::-1])
    out = np.zeros(len(tops), np.float32)
    for colour, speaks in enumerate(tops >= 0.0):
        if np.count_nonzero(speaks) > least_of_a_top(crowded) * side * side:
            out[colour] = (cv2.boxFilter(speaks.astype(np.float32), -1, (side, side)) * over).max()
    return np.where(out > least_of_a_top(crowded), out, 0.0)


def least_of_a_top(crowded: bool) -> float:
    """Part of a top beyond which its colour is searched for."""
    return SOME_OF_A_TOP if crowded else MOST_OF_A_TOP


class Pool:
    """The hypotheses of a region."""

    def __init__(
        self, region: Region, top_px: float, side_px: float, shape: PieceShape, bare: Scene, *, crowded: bool = False
    ) -> None:
        """`bare`: the scene without pieces. `crowded`: pieces may hide a good part of each other."""
        self.region = region
        self.side_px = side_px
        self._top_px, self._shape = top_px, shape
        self._coarse_masks = masks(top_px / HALF, region.lean_px / HALF, shape)
        self._colours = np.flatnonzero(region.shown > least_of_a_top(crowded)).tolist()
        h, w = region.feet.shape
        self._feet = region.feet[: h // HALF * HALF : HALF, : w // HALF * HALF : HALF]
        self._padded: dict[int, list[np.ndarray]] = {}
        # of a piece with many turns all windows are cut out once
        at_once = bare.shadow_beside() is not None or len(self.masks.top) == 1
        self._scores = self.beside(bare) if at_once else {
            k: coarse_scores(region.tops[k], region.sides[k], self._feet, self._coarse_masks) for k in self._colours
        }

    @cached_property
    def masks(self) -> Masks:
        """Those of a piece in this region; most regions have nothing that they are needed for."""
        return masks(self._top_px, self.region.lean_px, self._shape)

    def peaks(self) -> list[Hypothesis]:
        """Local best hypotheses, best first."""
        out = []
        for colour, scores in self._scores.items():
            best = scores.max(0)
            peak = (best == cv2.dilate(best, np.ones((3, 3), np.uint8))) & (best > WORTH_KEEPING)
            ys, xs = np.nonzero(peak)
            order = np.argsort(-best[ys, xs])[:PEAKS]
            for y, x in zip(ys[order].tolist(), xs[order].tolist(), strict=True):
                out.append(self._refined(colour, [(x, y)], int(scores[:, y, x].argmax()))[0])
        out.sort(key=lambda c: -c.alone)
        return _without_repeats(out)

    def pairs(self, one: Hypothesis) -> list[Hypothesis]:
        """Both members of the likeliest pairs of one colour that stand side by side where `one` is."""
        out: list[Hypothesis] = []
        for feet, yaw in self._side_by_side(self._scores[one.colour], one):
            out += self._refined(one.colour, feet, yaw)
        return _without_repeats(out)

    def beside(self, scene: Scene, *, left_over: bool = False) -> dict[int, np.ndarray]:
        """Colour -> (Y, h / 2, w / 2) nats that a piece adds to a scene with its foot at every second pixel.

        -inf where it cannot stand. `left_over`: only what no piece of the scene explains speaks, and only for it.
        """
        region, out = self.region, {}
        maps = scene.left_over if left_over else scene.beside
        shadow = 0.0 if left_over else self._shadow_beside(scene)
        for colour in self._colours:
            small = [_shrunk(m, self._feet.shape[::-1]) for m in maps(region.tops[colour], region.sides[colour])]
            kernels = zip(self._coarse_masks.top, self._coarse_masks.side, strict=True)
            scores = np.stack([sum(_correlated(m, k) for m, k in zip(small, pair, strict=True)) for pair in kernels])
            out[colour] = np.where(self._feet, (scores + shadow) * (HALF**2 / CORRELATED_PX), -np.inf)
        return out

    def _shadow_beside(self, scene: Scene) -> np.ndarray | float:
        """(Y, h / 2, w / 2) what the shadow of a piece adds, for each of its turns; 0 where nobody knows its shadow."""
        shadow = scene.shadow_beside()
        if shadow is None:
            return 0.0
        gain, cast = shadow
        h, w = gain.shape
        small = _shrunk(gain, (w // HALF, h // HALF))
        cast = cv2.resize(cast, ((len(cast) // HALF) | 1,) * 2, interpolation=cv2.INTER_AREA)
        own = np.maximum(self._coarse_masks.top, self._coarse_masks.side)
        return np.stack([_correlated(small, _without(cast, piece)) for piece in own])

    def best(self, scores: dict[int, np.ndarray], least: float, most: int) -> list[Hypothesis]:
        """The best hypotheses by such scores, best first, one for each of the places around."""
        found = []
        for colour, score in scores.items():
            best = score.max(0)
            peak = (best == cv2.dilate(best, np.ones((3, 3), np.uint8))) & (best > least)
            found += [(float(best[y, x]), colour, x, y) for y, x in np.argwhere(peak).tolist()]
        found.sort(reverse=True)
        return [
            self._at(colour, int(scores[colour][:, y, x].argmax()), (x * HALF, y * HALF))
            for _, colour, x, y in found[:most]
        ]

    def spread(self, scores: dict[int, np.ndarray], least: float, one: Hypothesis) -> list[Hypothesis]:
        """Hypotheses of the colour of `one` by such scores, at every fourth pixel within a side of its foot."""
        score = scores[one.colour]
        ys, xs = np.mgrid[0 : score.shape[1] : SPREAD, 0 : score.shape[2] : SPREAD]
        near = np.hypot(xs * HALF - one.foot_px[0], ys * HALF - one.foot_px[1]) < self.side_px
        near &= score.max(0)[::SPREAD, ::SPREAD] > least
        return [
            self._at(one.colour, int(score[:, y, x].argmax()), (x * HALF, y * HALF))
            for y, x in zip(ys[near].tolist(), xs[near].tolist(), strict=True)
        ]

    def around(self, one: Hypothesis) -> list[Hypothesis]:
        """The hypotheses a pixel, or a step of turning, away from one."""
        x, y = one.foot_px.astype(int).tolist()
        h, w = self.region.feet.shape
        turns = range(-1, 2) if len(self.masks.top) > 1 else (0,)
        yaws = [(one.yaw + turn) % len(self.masks.top) for turn in turns]
        places = [(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1) if 0 <= x + i < w and 0 <= y + j < h]
        return [self._at(one.colour, yaw, place) for yaw in yaws for place in places]

    def _at(self, colour: int, yaw: int, xy: tuple[int, int]) -> Hypothesis:
        gains = self.region.tops[colour], self.region.sides[colour]
        return hypothesis(colour, yaw, xy, gains, self.masks, 0.0)

    def _side_by_side(self, scores: np.ndarray, one: Hypothesis) -> list[tuple[list[tuple[int, int]], int]]:
        """((x, y) of both feet at half resolution, yaw) of the likeliest pairs around a hypothesis."""
        reach = int(np.ceil(PAIR_REACH * self.side_px / HALF))
        pad = int(np.ceil(self.side_px / HALF)) + 1
        x0, y0 = (np.round(one.foot_px / HALF).astype(int) - reach).tolist()
        size = 2 * reach + 1
        # the middles of pairs lie in a square around the hypothesis; beyond the scores there are none
        where, cut = place_mask(scores.shape[1:], np.array([x0 + reach, y0 + reach]), reach + pad)
        around = np.full((len(scores), size + 2 * pad, size + 2 * pad), -np.inf, scores.dtype)
        around[:, *cut] = scores[:, *where]
        yaws, first, second = _steps(self.side_px / HALF)
        windows = np.lib.stride_tricks.sliding_window_view(around, (size, size), axis=(1, 2))
        turns = yaws % len(around)
        a = windows[turns, pad - first[:, 1], pad - first[:, 0]]
        b = windows[turns, pad + second[:, 1], pad + second[:, 0]]
        together = np.where(np.minimum(a, b) > WORTH_KEEPING, a + b, -np.inf).reshape(len(yaws), -1)
        best = together.argmax(1)
        found = []
        for k, (at, nats) in enumerate(zip(best.tolist(), together[np.arange(len(yaws)), best].tolist(), strict=True)):
            if nats > PAIR_TOGETHER * one.alone:
                y, x = divmod(at, size)
                middle = np.array([x + x0, y + y0])
                feet = [(int(f[0]), int(f[1])) for f in (middle - first[k], middle + second[k])]
                found.append((nats, feet, int(turns[k])))
        found.sort(key=lambda pair: -pair[0])
        return [(feet, yaw) for _, feet, yaw in found[:PAIRS]]

    def _refined(self, colour: int, feet: list[tuple[int, int]], yaw: int) -> list[Hypothesis]:
        """Hypotheses with these feet (half resolution), moved and turned together to where they fit best."""
        region, shape = self.region, self.masks
        gains = (region.tops[colour], region.sides[colour])
        if colour not in self._padded:
            self._padded[colour] = [_padded(gain, shape.size) for gain in gains]
        dx, dy = MOVES_PX
        yaws = [(yaw + d) % len(shape.top) for d in (-1, 0, 1)] if len(shape.top) > 1 else [0]
        columns = shape.columns()[:, yaws]
        each = []
        for x, y in feet:
            each.append(_windows(self._padded[colour], x * HALF + dx, y * HALF + dy) @ columns / CORRELATED_PX)
        best, turn = divmod(int(sum(each).argmax()), len(yaws))
        h, w = region.feet.shape
        out = []
        for (x, y), score in zip(feet, each, strict=True):
            at = (min(max(x * HALF + int(dx[best]), 0), w - 1), min(max(y * HALF + int(dy[best]), 0), h - 1))
            out.append(hypothesis(colour, yaws[turn], at, gains, shape, float(score[best, turn])))
        return out


def coarse_scores(tops: np.ndarray, sides: np.ndarray, feet: np.ndarray, shape: Masks) -> np.ndarray:
    """(Y, h / 2, w / 2) float32 evidence of a piece with its foot at every second pixel of maps (h, w) of what pixels
    say for its top and its sides; -inf where none is worth keeping, however it is turned, and where there are no `feet`
    (h / 2, w / 2) bool. `shape`: that of the piece at half the size."""
    small = [_shrunk(m, feet.shape[::-1]) for m in (tops, sides)]
    nats = HALF**2 / CORRELATED_PX
    # each pixel says no more than the better of top and side, of as much of it as a turn covers at most or at least
    better, (least, most) = np.maximum(*small), shape.covered()
    at_most = _correlated(np.maximum(better, 0.0), most) + _correlated(np.minimum(better, 0.0), least)
    ys, xs = np.nonzero(feet & (at_most * nats > WORTH_KEEPING - ROUNDED))
    scores = np.full((len(shape.top), *feet.shape), -np.inf, np.float32)
    if len(ys):
        gains = [_padded(m, shape.size) for m in small]
        scores[:, ys, xs] = (_windows(gains, xs, ys) @ shape.columns()).T * nats
    return scores


@lru_cache(maxsize=8)
def _steps(side: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For pairs side by side: (N,) yaws, (N, 2) steps from the middle of a pair to the one foot, backwards, and (N, 2)
    to the other."""
    yaws = np.repeat(np.arange(YAWS), 2)
    a = np.deg2rad(90.0 / YAWS * yaws + np.tile([0.0, 90.0], YAWS))
    whole = np.round(np.stack([np.cos(a), np.sin(a)], axis=-1) * side).astype(int)
    return yaws, whole // 2, whole - whole // 2


def _without(cast: np.ndarray, piece: np.ndarray) -> np.ndarray:
    """A shadow where the piece that casts it does not hide it; both (S, S) around the foot."""
    out, reach = cast.copy(), (len(cast) - len(piece)) // 2
    if reach >= 0:
        here = slice(reach, reach + len(piece))
        out[here, here] *= 1 - piece
    else:
        out *= 1 - piece[-reach : len(piece) + reach, -reach : len(piece) + reach]
    return out


def _correlated(gain: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """(h, w): the sum of `gain` (h, w) under a mask (S, S) that lies with its middle on each pixel."""
    return np.asarray(cv2.filter2D(gain, cv2.CV_32F, mask, borderType=cv2.BORDER_CONSTANT))


def _shrunk(gain: np.ndarray, size_wh: tuple[int, int]) -> np.ndarray:
    cut = gain[: size_wh[1] * HALF, : size_wh[0] * HALF]
    return np.asarray(cv2.resize(cut, size_wh, interpolation=cv2.INTER_AREA))


def _padded(gain: np.ndarray, size: int) -> np.ndarray:
    """(H, W, size, size) view: the window around each pixel of a map (h, w) and those REACH_PX beside it, zero outside;
    its first is that of the pixel REACH_PX above and left of the map's first."""
    reach = size // 2 + REACH_PX
    around = cv2.copyMakeBorder(gain, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    high, wide = around.shape
    # as NumPy's own sliding windows, which take as long to make as they take to use
    shape = (high - size + 1, wide - size + 1, size, size)
    return np.ndarray(shape, around.dtype, around.data, strides=around.strides * 2)


def _windows(padded: list[np.ndarray], xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """(P, len(padded) size size) float32: the windows around P pixels of maps that were `_padded`, side by side."""
    return np.concatenate([gain[ys + REACH_PX, xs + REACH_PX].reshape(len(xs), -1) for gain in padded], axis=1)


def _without_repeats(pool: list[Hypothesis]) -> list[Hypothesis]:
    seen, out = set(), []
    for one in pool:
        key = (one.colour, one.yaw, *one.foot_px.tolist())
        if key not in seen:
            seen.add(key)
            out.append(one)
    return out
