"""Comparison of aligned candidates where they differ: log-likelihood ratios with a bounded cost per pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import photometry
from vision.median import median

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
LEAD = 25.0  # a candidate this much worse on the coarse grid is not looked at closely


@dataclass(frozen=True, slots=True)
class Verdict:
    """How M candidates explain a crop: `best`, and for each how much worse it is (`behind`, 0 for the best) and
    how much worse it would be on a perfect view (`ideal`); NaN-free, inf for those ruled out early.

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


def judge(seen: F32, valid: F32, pictures: F32, owners: list[int], takes: photometry.Takes) -> Verdict:
    """Which of `pictures` (M, h, w, 3) the aligned crop `seen` (h, w, 3) shows; `valid` (h, w) weights 0..1.

    `owners`: the face of each picture; pictures of one face do not compete. The light, colour and blur of
    every candidate are fitted on a coarse grid; the few best are compared pixel by pixel.
    """
    smooth_px = SMOOTH * valid.size**0.5
    seen = cv2.GaussianBlur(seen, (0, 0), smooth_px)
    soft = [cv2.GaussianBlur(p, (0, 0), smooth_px) for p in pictures]
    frame = _Frame(seen, valid, takes.noise)
    slow = photometry.light_between(frame.grid_seen, frame.grid(soft), frame.grid_valid, takes)
    light, light_cost = slow.light, slow.cost
    lit = [frame.lit(p, factor) for p, factor in zip(soft, light, strict=True)]
    rendering = frame.fit(lit)
    coarse = bounded(rendering.shown - frame.grid_seen.reshape(3, -1), takes.noise**-2)
    total = coarse @ frame.grid_valid.ravel() * frame.grid_scale + rendering.prior_cost + light_cost
    order = [int(k) for k in np.argsort(total)]
    finalists = [k for k in order[:FINALISTS] if total[k] - total[order[0]] < LEAD]
    first = rendering.take(finalists)
    if frame.burnt_share > BURNT_SHARE:
        lights = [frame.wide(light[k]) for k in finalists]
        chosen = [
            exposed(pictures[k], shine, white, max(float(blur), 0.0), frame.smooth_px)
            for k, shine, white, blur in zip(finalists, lights, first.white, first.blur, strict=True)
        ]
    else:
        chosen = [_blurred(lit[k], float(blur)) for k, blur in zip(finalists, first.blur, strict=True)]
    rendering = frame.fit(chosen)
    shown = frame.render(chosen, rendering)
    priors = first.prior_cost + light_cost[finalists]
    if frame.burnt_share > BURNT_SHARE:
        priors = priors + rendering.prior_cost
    behind, ideal, best = frame.contest(shown, priors, [owners[k] for k in finalists])
    all_behind = np.maximum(total - total[finalists[best]], LEAD).astype(np.float32)
    all_ideal = np.full_like(all_behind, np.inf)
    all_behind[finalists], all_ideal[finalists] = behind, ideal
    error = frame.flat_seen - shown[best]
    residual = np.sqrt(np.mean(error**2, axis=0)).reshape(valid.shape)
    each = rendering.each[best]
    factor = first.each[best, :, 0] * median(light[finalists[best]])
    return Verdict(finalists[best], all_behind, all_ideal, each[:, 0] * factor, each[:, 1], residual)


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
        self.smooth_px = SMOOTH * valid.size**0.5
        self.grid_wh = (max(2, w // GRID), max(2, h // GRID))
        self.flat_seen = np.ascontiguousarray(seen.reshape(-1, 3).T)
        self.flat_valid = valid.ravel()
        self.grid_seen = self.grid([seen])[0]
        self.grid_valid = cv2.resize(valid, self.grid_wh, interpolation=cv2.INTER_AREA)
        self.burnt_share = float((self.grid_seen.max(axis=0) > photometry.BURNT).mean())
        self.xy, self.grid_xy = unit_grid(w, h), unit_grid(*self.grid_wh)
        self.scale = photometry.COUNT * WEIGHT / valid.size
        self.grid_scale = photometry.COUNT * WEIGHT / self.grid_valid.size

    def grid(self, pictures: list[F32]) -> F32:
        """`pictures`, each (h, w, 3), averaged onto the grid: (M, 3, rows, cols)."""
        small = [cv2.resize(p, self.grid_wh, interpolation=cv2.INTER_AREA) for p in pictures]
        return np.ascontiguousarray(np.stack(small).transpose(0, 3, 1, 2))

    def lit(self, picture: F32, factor: F32) -> F32:
        """`picture` (h, w, 3) under the light `factor` of the grid."""
        return np.asarray(picture * self.wide(factor)[..., None])

    def wide(self, factor: F32) -> F32:
        """Factors of the grid for every pixel (h, w)."""
        return np.asarray(cv2.resize(factor, self.hw[::-1]))

    def fit(self, pictures: list[F32]) -> photometry.Rendering:
        edges = self.grid([cv2.Laplacian(p, cv2.CV_32F, ksize=1) for p in pictures])
        m = len(pictures)
        basis = photometry.design(self.grid(pictures).reshape(m, 3, -1), edges.reshape(m, 3, -1), self.grid_xy)
        return photometry.fit(basis, self.grid_seen.reshape(3, -1), self.grid_valid.ravel(), self.noise)

    def render(self, pictures: list[F32], rendering: photometry.Rendering) -> F32:
        """The candidates as the camera would show them, pixel by pixel: (M, 3, P)."""
        planes = np.stack([p.reshape(-1, 3).T for p in pictures])
        edges = np.stack([cv2.Laplacian(p, cv2.CV_32F, ksize=1).reshape(-1, 3).T for p in pictures])
        basis = photometry.design(planes, edges, self.xy)
        return np.asarray(np.clip(np.matmul(rendering.each[:, :, None, :], basis)[:, :, 0], 0, 1))

    def contest(self, shown: F32, priors: F32, owners: list[int]) -> tuple[F32, F32, int]:
        """How far each candidate is behind the best, how far it would be on a perfect view, and the best."""
        slopes = [_steepness(x.reshape(3, *self.hw)) for x in shown]
        flat = bounded(shown - self.flat_seen, 1 / (2 * self.noise**2))
        champion = int((flat @ self.flat_valid * self.scale + priors).argmin())
        for _ in range(len(owners)):
            behind = np.zeros(len(owners), dtype=np.float32)
            ideal = np.zeros_like(behind)
            for k in (k for k in range(len(owners)) if k != champion):
                steep = np.maximum(slopes[k], slopes[champion])
                sure = np.float32(1) / (np.float32(self.noise**2) + (np.float32(SLIP) * steep) ** 2)
                gap = bounded(shown[k] - self.flat_seen, sure) - bounded(shown[champion] - self.flat_seen, sure)
                behind[k] = self.flat_valid @ gap * self.scale + priors[k] - priors[champion]
                ideal[k] = self.flat_valid @ bounded(shown[k] - shown[champion], sure) * self.scale
            rival = int(behind.argmin())
            if behind[rival] >= 0 or owners[rival] == owners[champion]:
                break
            champion = rival
        return behind, ideal, champion


def unit_grid(w: int, h: int) -> F32:
    """(2, w * h) x and y of the pixel centres, -1..1 across the picture."""
    x = (np.arange(w, dtype=np.float32) + 0.5) / w * 2 - 1
    y = (np.arange(h, dtype=np.float32) + 0.5) / h * 2 - 1
    return np.stack([np.tile(x, h), np.repeat(y, w)])


def _steepness(planes: F32) -> F32:
    """(P,) root mean square gradient per px over the three channels of `planes` (3, h, w)."""
    total = np.zeros(planes.shape[1:], dtype=np.float32)
    for plane in planes:
        gx = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        gy = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        total += gx * gx + gy * gy
    return np.sqrt(total / 3).ravel()
