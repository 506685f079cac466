"""Comparison of aligned candidates where they differ: log-likelihood ratios with a bounded cost per pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import photometry
from vision.median import median

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

SLIP = 0.15  # px of the picture that alignment is ordinarily off: edges are judged less strictly
BOUND = 3.0  # an error beyond this many sigmas costs no more: a cube, a shadow or glare, not another face
GREY_FORGIVEN = 0.45  # share of a squared error along grey that is put down to light: colour is the surer witness
GRID = 3  # px of the picture a point of the fit
SMOOTH = 0.008  # share of the side by which pictures and crop are smoothed before they are compared
BLUR_WORTH = 0.2  # half variance (px**2) from which a picture is blurred to match the crop
WEIGHT = 4.0  # how much more the pixels count in the comparison than in the fit, where they are all used
GAMMA = 2.2
BURNT_SHARE = 0.02  # part of a crop that must be clipped for its exposure to be worth modelling
FINALISTS = 5
TOGETHER = 6  # crops whose candidates are fitted together: more no longer fit into the processor's cache
LEAD = 25.0  # a candidate this much worse on the coarse grid is not looked at closely


@dataclass(frozen=True, slots=True)
class FaceFit:
    """How M candidates explain a crop: `best`, and for each how much worse it is (`behind`, 0 for the best) and
    how much worse it would be on a perfect view (`ideal`), told of the nearest one of another face; NaN-free, inf for
    the others.

    `gain`, `offset` (3,) of the best; `residual` (h, w): its colour difference to the crop, 0..1.
    """

    best: int
    behind: F32
    ideal: F32
    gain: F32
    offset: F32
    residual: F32


def bounded(error: F32, inverse_variance: F32 | float) -> F32:
    """Cost (..., P) of errors (..., 3, P): half the squared sigmas, levelling off at BOUND**2 / 2."""
    b, g, r = error[..., 0, :], error[..., 1, :], error[..., 2, :]
    square = b * b + g * g + r * r - (GREY_FORGIVEN / 3) * (b + g + r) ** 2
    square = square * (inverse_variance / 3)
    return np.asarray(0.5 * square / (1 + square / BOUND**2))


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """An aligned crop `seen` (h, w, 3) and `valid` (h, w), its weights 0..1; the M `pictures` that may be it, and the
    face of each (`owners`; pictures of one face do not compete)."""

    seen: F32
    valid: F32
    pictures: Sequence[Learnt]
    owners: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """A learnt picture as crops are compared with it: `whole` (h, w, 3) uint8, `soft` (h, w, 3) float32, smoothed, and
    `grid` (2, 3, rows, cols): that and its Laplacian, averaged onto the coarse grid."""

    whole: U8
    soft: F32
    grid: F32

    @classmethod
    def of(cls, whole: U8) -> Learnt:
        """Of a picture (h, w, 3) uint8."""
        picture = whole.astype(np.float32) / np.float32(255)
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), _smooth_px(picture)))
        return cls(whole, soft, _averaged([soft, _edges(soft)]))

    @property
    def picture(self) -> F32:
        """(h, w, 3) float32 in 0..1."""
        return np.asarray(self.whole.astype(np.float32) / np.float32(255))


def judge_all(cases: Sequence[Case], takes: photometry.Takes) -> list[FaceFit]:
    """Which of its pictures each crop shows, all of one size.

    The light, colour and blur of every candidate are fitted on a coarse grid, those of several crops together; the few
    best are compared pixel by pixel.
    """
    out: list[FaceFit] = []
    for start in range(0, len(cases), TOGETHER):
        out += _judged(cases[start : start + TOGETHER], takes)
    return out


def _judged(cases: Sequence[Case], takes: photometry.Takes) -> list[FaceFit]:
    frames = [_Frame(case.seen, case.valid, takes.noise) for case in cases]
    of = np.repeat(np.arange(len(cases)), [len(case.owners) for case in cases])
    seen, valid = np.stack([f.grid_seen for f in frames]), np.stack([f.grid_valid for f in frames])
    grids = np.stack([picture.grid for case in cases for picture in case.pictures])
    slow = photometry.light_between(seen[of], grids[:, 0], valid[of], takes)
    # light varies so slowly that the average of lit print is the average of print, lit
    pictures, edges = (grids[:, k] * slow.light[:, None] for k in (0, 1))
    rendering = _fitted(pictures, edges, seen[of], valid[of], takes.noise)
    coarse = bounded(rendering.shown - seen[of].reshape(len(of), 3, -1), takes.noise**-2)
    scale = photometry.COUNT * WEIGHT / valid[0].size
    cost = np.einsum("mp,mp->m", coarse, valid[of].reshape(len(of), -1)) * scale + rendering.prior_cost + slow.cost
    entries = []
    for number, (case, frame) in enumerate(zip(cases, frames, strict=True)):
        begin = int(np.searchsorted(of, number))
        entries.append(_Entry.of(case, frame, cost[begin : begin + len(case.owners)], begin, rendering, slow))
    drawn = [one for entry in entries for one in entry.drawn]
    final = np.repeat(np.arange(len(cases)), [len(entry.drawn) for entry in entries])
    planes = np.stack([_averaged(both) for both in drawn])
    second = _fitted(planes[:, 0], planes[:, 1], seen[final], valid[final], takes.noise)
    return [entry.verdict(second.take(np.flatnonzero(final == k).tolist())) for k, entry in enumerate(entries)]


def _fitted(pictures: F32, edges: F32, seen: F32, valid: F32, noise: float) -> photometry.Rendering:
    """M candidates on the grid fitted to their crops: (M, 3, rows, cols) each, `valid` (M, rows, cols)."""
    m, _, rows, cols = pictures.shape
    basis = photometry.design(pictures.reshape(m, 3, -1), edges.reshape(m, 3, -1), unit_grid(cols, rows))
    return photometry.fit(basis, seen.reshape(m, 3, -1), valid.reshape(m, -1), noise)


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """A crop whose candidates were fitted on the grid: their `cost` (M,), the `finalists` among them, each as it is
    `drawn` (h, w, 3) in its light, with its Laplacian, what was fitted to it at `first`, its `light` (rows, cols) and
    what that costs."""

    case: Case
    frame: _Frame
    cost: F32
    finalists: list[int]
    drawn: list[tuple[F32, F32]]
    first: photometry.Rendering
    light: F32
    light_cost: F32

    @classmethod
    def of(
        cls, case: Case, frame: _Frame, cost: F32, begin: int, fitted: photometry.Rendering, slow: photometry.SlowLight
    ) -> _Entry:
        """`begin`: number of its first candidate in what was fitted to the candidates of all crops."""
        order = [int(k) for k in np.argsort(cost)]
        finalists = [k for k in order[:FINALISTS] if cost[k] - cost[order[0]] < LEAD]
        rows = [begin + k for k in finalists]
        first, light = fitted.take(rows), slow.light[rows]
        drawn = []
        for number, k in enumerate(finalists):
            wide, half_variance = frame.wide(light[number]), float(first.blur[number])
            if frame.is_burnt:
                picture, white = case.pictures[k].picture, first.white[number]
                shown = exposed(picture, wide, white, max(half_variance, 0.0), frame.smooth_px)
            else:
                shown = _blurred(np.asarray(case.pictures[k].soft * wide[..., None]), half_variance)
            drawn.append((shown, _edges(shown)))
        return cls(case, frame, cost, finalists, drawn, first, light, slow.cost[rows])

    def verdict(self, second: photometry.Rendering) -> FaceFit:
        """The finalists compared pixel by pixel; `second`: what was fitted to them as they are drawn."""
        frame, finalists = self.frame, self.finalists
        shown = frame.render(self.drawn, second)
        priors = self.first.prior_cost + self.light_cost
        if frame.is_burnt:
            priors = priors + second.prior_cost
        behind, ideal, best = frame.contest(shown, priors, [self.case.owners[k] for k in finalists])
        all_behind = np.maximum(self.cost - self.cost[finalists[best]], LEAD).astype(np.float32)
        all_ideal = np.full_like(all_behind, np.inf)
        all_behind[finalists], all_ideal[finalists] = behind, ideal
        error = frame.flat_seen - shown[best]
        residual = np.sqrt(np.einsum("cp,cp->p", error, error) / 3).reshape(self.case.valid.shape)
        each = second.each[best]
        factor = self.first.each[best, :, 0] * median(self.light[best])
        return FaceFit(finalists[best], all_behind, all_ideal, each[:, 0] * factor, each[:, 1], residual)


def exposed(picture: F32, light: F32, white: F32, half_variance: float, smooth_px: float) -> F32:
    """`picture` (h, w, 3) as a lens and a sensor show it: blurred and lit as light, then clipped and encoded.

    White grows and black shrinks when a picture is overexposed; a blur of the encoded values does not do that.
    """
    linear = cv2.pow(np.maximum(picture, 0), GAMMA)
    linear = cv2.GaussianBlur(linear, (0, 0), (2 * half_variance + smooth_px**2) ** 0.5)
    linear *= cv2.pow(np.maximum(light[..., None] * white, 0.05), GAMMA)
    return np.asarray(cv2.pow(np.minimum(linear, 1), 1 / GAMMA))


def _blurred(picture: F32, half_variance: float) -> F32:
    if half_variance <= BLUR_WORTH:
        return picture
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), (2 * half_variance) ** 0.5))


class _Frame:
    """The crop in the reference frame, in full and on the coarse grid of the fits; planar, channels first."""

    def __init__(self, seen: F32, valid: F32, noise: float) -> None:
        h, w = valid.shape
        self.noise = noise
        self.hw = (h, w)
        self.smooth_px = _smooth_px(seen)
        soft = cv2.GaussianBlur(seen, (0, 0), self.smooth_px)
        self.flat_seen = np.ascontiguousarray(soft.reshape(-1, 3).T)
        self.flat_valid = valid.ravel()
        self.grid_seen = _averaged([soft])[0]
        self.grid_valid = cv2.resize(valid, _grid_wh(valid), interpolation=cv2.INTER_AREA)
        self.is_burnt = float((self.grid_seen.max(axis=0) > photometry.BURNT).mean()) > BURNT_SHARE
        self.plane = _with_ones(w, h)
        self.scale = photometry.COUNT * WEIGHT / valid.size

    def wide(self, factor: F32) -> F32:
        """Factors of the grid for every pixel (h, w)."""
        return np.asarray(cv2.resize(factor, self.hw[::-1]))

    def render(self, drawn: Sequence[tuple[F32, F32]], rendering: photometry.Rendering) -> F32:
        """The candidates, each with its Laplacian, as the camera would show them, pixel by pixel: (M, 3, P)."""
        out = np.empty((len(drawn), *self.flat_seen.shape), np.float32)
        for shown, both, each in zip(out, drawn, rendering.each, strict=True):
            gain, offset, slant_x, slant_y, saturation, blur = each.T[..., None]
            planes, edges = (cv2.transpose(one.reshape(-1, 3)) for one in both)
            # gain and slants of all channels are one small matrix product
            np.matmul(np.concatenate([gain + saturation, slant_x, slant_y], axis=1), self.plane, out=shown)
            shown *= planes
            edges *= blur
            shown += edges
            shown += offset - saturation * (planes.sum(axis=0) / 3)
        return np.asarray(np.clip(out, 0, 1, out=out))

    def contest(self, shown: F32, priors: F32, owners: list[int]) -> tuple[F32, F32, int]:
        """How far each candidate is behind the best; how far the nearest of another face would be on a perfect view,
        inf for the others; and the best."""
        slopes = [_steepness(x.reshape(3, *self.hw)) for x in shown] if len(owners) > 1 else []
        flat = bounded(shown - self.flat_seen, 1 / (2 * self.noise**2))
        champion = int((flat @ self.flat_valid * self.scale + priors).argmin())
        for _ in range(len(owners)):
            behind = np.zeros(len(owners), dtype=np.float32)
            for k in (k for k in range(len(owners)) if k != champion):
                sure = self._sure(slopes[k], slopes[champion])
                gap = bounded(shown[k] - self.flat_seen, sure) - bounded(shown[champion] - self.flat_seen, sure)
                behind[k] = self.flat_valid @ gap * self.scale + priors[k] - priors[champion]
            rival = int(behind.argmin())
            if behind[rival] >= 0 or owners[rival] == owners[champion]:
                break
            champion = rival
        ideal = np.full(len(owners), np.inf, np.float32)
        others = [k for k, owner in enumerate(owners) if owner != owners[champion]]
        if others:
            near = min(others, key=lambda k: float(behind[k]))
            apart = bounded(shown[near] - shown[champion], self._sure(slopes[near], slopes[champion]))
            ideal[near] = self.flat_valid @ apart * self.scale
        return behind, ideal, champion

    def _sure(self, one: F32, other: F32) -> F32:
        """(P,) precision of what is seen of print as steep as either of two candidates: a slip shifts edges."""
        steep = np.maximum(one, other)
        return np.asarray(np.float32(1) / (np.float32(self.noise**2) + (np.float32(SLIP) * steep) ** 2))


def _smooth_px(picture: F32) -> float:
    """By how much pictures (h, w, ...) are smoothed before they are compared."""
    return float(SMOOTH * (picture.shape[0] * picture.shape[1]) ** 0.5)


def _grid_wh(picture: F32) -> tuple[int, int]:
    """Columns and rows of the grid of a picture (h, w, ...)."""
    return max(2, picture.shape[1] // GRID), max(2, picture.shape[0] // GRID)


def _edges(picture: F32) -> F32:
    """(h, w, 3) float32: the Laplacian of a picture (h, w, 3)."""
    return np.asarray(cv2.Laplacian(picture, cv2.CV_32F, ksize=1))


def _averaged(pictures: Sequence[F32]) -> F32:
    """Pictures, each (h, w, 3), averaged onto the grid: (N, 3, rows, cols)."""
    small = [cv2.resize(one, _grid_wh(one), interpolation=cv2.INTER_AREA) for one in pictures]
    return np.ascontiguousarray(np.stack(small).transpose(0, 3, 1, 2))


@lru_cache(maxsize=32)
def unit_grid(w: int, h: int) -> F32:
    """(2, w * h) x and y of the pixel centres, -1..1 across the picture; not to be written to."""
    x = (np.arange(w, dtype=np.float32) + 0.5) / w * 2 - 1
    y = (np.arange(h, dtype=np.float32) + 0.5) / h * 2 - 1
    return np.stack([np.tile(x, h), np.repeat(y, w)])


@lru_cache(maxsize=4)
def _with_ones(w: int, h: int) -> F32:
    """(3, w * h) ones above `unit_grid`; not to be written to."""
    return np.vstack([np.ones((1, w * h), np.float32), unit_grid(w, h)])


def _steepness(planes: F32) -> F32:
    """(P,) root mean square gradient per px over the three channels of `planes` (3, h, w); not that of the first and
    last row, which are never judged."""
    below_each_other = planes.reshape(-1, planes.shape[2])
    gx = cv2.Sobel(below_each_other, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    gy = cv2.Sobel(below_each_other, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    b, g, r = (gx * gx + gy * gy).reshape(3, -1)
    return np.asarray(np.sqrt((b + g + r) / 3))
