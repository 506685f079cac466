"""How a camera renders a learnt picture: light, haze, colour and blur, fitted robustly around what is ordinary."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

COUNT = 100.0  # pixels of a picture that count as independent
# Round by round: an error of so many times the noise counts a quarter, and what a clipped value counts. Clipped values
# come in once it is known how bright they should be, else they would feign haze.
ROUNDS = ((6.0, 0.02), (3.0, 0.02), (2.0, 1.0), (2.0, 1.0))
BURNT = 0.97  # a brighter value is clipped: it says "at least this bright"
# What ordinarily differs between two photographs of a printed piece, as standard deviations around "nothing".
# Exposure and haze change all channels alike and freely, the white balance each by some tens of percent.
GAIN_SPREAD, CHANNEL_GAIN_SPREAD = 0.7, 0.25
OFFSET_SPREAD, CHANNEL_OFFSET_SPREAD = 0.3, 0.03
SLANT_SPREAD, CHANNEL_SLANT_SPREAD = 0.3, 0.05  # fall of light from the middle to an edge, as a share
SATURATION_SPREAD = 0.1
BLUR_SPREAD = 1.0  # half the variance of the blur, px**2
LIGHT_SIGMA = 1 / 8  # reach of the slowly varying light, as a share of the side
BURNT_LIGHT = 0.02  # what a clipped value says about it
LIGHT_LIMIT = 1.0  # beyond e times brighter or darker it is not light any more
HAZE_TIE = 0.015**2  # local variance of a picture below which its contrast tells nothing
HAZE_LIMIT = 0.25  # least contrast that a reflection leaves
HAZE_SPREAD = 0.4  # its ordinary deviation, as a natural logarithm
HAZE_COUNT = 3.0  # independent values of it on a piece
LIGHT_COUNT = 20.0  # independent values of it on a piece

# Parameters: gain, offset, slant in x and in y for each channel, then saturation and blur of all three.
PLACES = np.array([[4 * c, 4 * c + 1, 4 * c + 2, 4 * c + 3, 12, 13] for c in range(3)])
PARAMETERS = 14


@dataclass(frozen=True, slots=True)
class Takes:
    """How the learnt pictures were taken, and so what ordinarily differs between one and a crop.

    `noise`: residual of a right fit, in 0..1: sensor noise, print, uneven light. `light_spread`: deviation of the
    slowly varying light, as a natural logarithm. `hazy`: a reflection may lie on either of the two.
    """

    noise: float
    light_spread: float
    hazy: bool


SCANNED = Takes(noise=0.04, light_spread=0.15, hazy=False)
PHOTOGRAPHED = Takes(noise=0.06, light_spread=0.3, hazy=True)
"""Photographs have noise, uneven light and reflections of their own: half as much again, and twice the light."""


def _prior_precision() -> F64:
    covariance = np.zeros((3, 4, 3, 4))
    spreads = (
        (GAIN_SPREAD, CHANNEL_GAIN_SPREAD),
        (OFFSET_SPREAD, CHANNEL_OFFSET_SPREAD),
        (SLANT_SPREAD, CHANNEL_SLANT_SPREAD),
        (SLANT_SPREAD, CHANNEL_SLANT_SPREAD),
    )
    for k, (common, own) in enumerate(spreads):
        covariance[:, k, :, k] = common**2 + np.eye(3) * own**2
    precision = np.zeros((PARAMETERS, PARAMETERS))
    precision[:12, :12] = np.linalg.inv(covariance.reshape(12, 12))
    precision[12, 12] = SATURATION_SPREAD**-2
    precision[13, 13] = BLUR_SPREAD**-2
    return precision


PRIOR = _prior_precision()


@dataclass(frozen=True, slots=True)
class Rendering:
    """Fits of M candidates: `each` (M, 3, 6) gain, offset, slant x, slant y, saturation, blur of every channel.

    `prior_cost` (M,): minus log-probability of parameters that unusual. `shown` (M, 3, P): the candidates as the
    camera would show them at the points of the fit.
    """

    each: F32
    prior_cost: F32
    shown: F32

    @property
    def blur(self) -> F32:
        """(M,) half the variance of the blur between picture and crop, px**2 of the picture; negative: sharper."""
        return self.each[:, 0, 5]

    @property
    def white(self) -> F32:
        """(M, 3) what white becomes."""
        return np.asarray(self.each[:, :, 0] + self.each[:, :, 1])

    def take(self, chosen: list[int]) -> Rendering:
        """The renderings of some of the candidates."""
        return Rendering(self.each[chosen], self.prior_cost[chosen], self.shown[chosen])


def design(pictures: F32, edges: F32, xy: F32) -> F32:
    """Basis (M, 3, 6, P) of the renderings of `pictures` (M, 3, P) whose Laplacians are `edges`, at `xy` (2, P)."""
    m, _, p = pictures.shape
    basis = np.empty((m, 3, 6, p), dtype=np.float32)
    basis[:, :, 0] = pictures
    basis[:, :, 1] = 1
    basis[:, :, 2] = pictures * xy[0]
    basis[:, :, 3] = pictures * xy[1]
    grey = (pictures[:, 0] + pictures[:, 1] + pictures[:, 2]) / 3
    basis[:, :, 4] = pictures - grey[:, None]
    basis[:, :, 5] = edges
    return basis


def fit(basis: F32, seen: F32, valid: F32, noise: float) -> Rendering:
    """The rendering of each candidate that explains `seen` best.

    `basis` from `design`, `seen` (3, P) values of the crop at the same points, `valid` (P,) weights 0..1, `noise` the
    ordinary residual. Least squares with the prior above, re-weighted by Geman and McClure's function so that cubes
    and glare do not pull; a clipped value that is predicted brighter is no error.
    """
    m, _, _, p = basis.shape
    burnt = seen > BURNT
    trust = np.broadcast_to(valid, (m, p))
    target = np.broadcast_to(seen, (m, 3, p))
    mean = np.zeros(PARAMETERS)
    mean[0:12:4] = 1.0
    scale = COUNT / (max(float(valid.sum()), 1.0) * noise**2)
    pull = PRIOR @ mean
    each = np.zeros((m, 3, 6), dtype=np.float32)
    solution, shown = np.zeros((m, PARAMETERS)), np.empty((m, 3, p), dtype=np.float32)
    for tolerance, burnt_weight in ROUNDS:
        weight = trust[:, None] * np.where(burnt, np.float32(burnt_weight), np.float32(1))
        weighted = basis * weight[:, :, None]
        blocks = np.matmul(weighted, basis.transpose(0, 1, 3, 2)).astype(np.float64) * scale
        rights = np.matmul(weighted, target[..., None])[..., 0].astype(np.float64) * scale
        normal = np.repeat(PRIOR[None], m, axis=0)
        right = np.repeat(pull[None], m, axis=0)
        for c in range(3):
            normal[:, PLACES[c][:, None], PLACES[c]] += blocks[:, c]
            right[:, PLACES[c]] += rights[:, c]
        solution = np.linalg.solve(normal, right[..., None])[..., 0]
        each = solution[:, PLACES].astype(np.float32)
        shown = np.matmul(each[:, :, None, :], basis)[:, :, 0]
        target = np.where(burnt & (shown > seen), shown, seen)
        error = shown - target
        size = (error[:, 0] ** 2 + error[:, 1] ** 2 + error[:, 2] ** 2) / 3
        trust = valid / (1 + size / np.float32((tolerance * noise) ** 2)) ** 2
    away = solution - mean
    prior = 0.5 * np.einsum("mi,ij,mj->m", away, PRIOR, away)
    return Rendering(each, prior.astype(np.float32), np.clip(shown, 0, 1))


@dataclass(frozen=True, slots=True)
class SlowLight:
    """What varies slowly over each of M pictures: factors `light` and `contrast` (M, h, w), and their `cost` (M,).

    seen = light (mean + contrast (picture - mean)), with the local mean of the picture. No haze: `contrast` is None.
    """

    light: F32
    contrast: F32 | None
    cost: F32


def light_between(seen: F32, pictures: F32, valid: F32, takes: Takes) -> SlowLight:
    """The slowly varying light and haze that `seen` has over each picture, and how unusual they are.

    `seen` (3, h, w), `pictures` (M, 3, h, w), `valid` (h, w), all on one coarse grid. The light is the ratio of
    local mean brightnesses, less what does not fit it. Haze (a reflection on either of the two) leaves the mean and
    takes away contrast: that is the slope of a local regression, tied to one where the picture is plain.
    """
    h, w = valid.shape
    sigma = LIGHT_SIGMA * (h * w) ** 0.5
    grey_seen = seen.mean(axis=0)
    burnt = seen.max(axis=0) > BURNT
    sure = valid * np.where(burnt, np.float32(BURNT_LIGHT), np.float32(1)) + np.float32(1e-3)
    lights, contrasts, costs = [], [], []
    for picture in pictures.mean(axis=1):
        trust = sure
        light = np.zeros_like(grey_seen)
        for _ in range(2):
            floor = np.float32(0.02) * trust.mean()
            above = cv2.GaussianBlur(grey_seen * trust, (0, 0), sigma) + floor
            below = cv2.GaussianBlur(picture * trust, (0, 0), sigma) + floor
            light = np.clip(np.log(above / below), -LIGHT_LIMIT, LIGHT_LIMIT)
            error = grey_seen - picture * np.exp(light)
            trust = sure / (1 + (error / 0.1) ** 2) ** 2 + np.float32(1e-3)
        lights.append(np.exp(light))
        costs.append(LIGHT_COUNT * _unusual(light, takes.light_spread))
        if takes.hazy:
            contrast = _log_contrast(grey_seen / lights[-1], picture, sure, sigma)
            costs[-1] += HAZE_COUNT * _unusual(contrast, HAZE_SPREAD)
            contrasts.append(np.exp(contrast))
    return SlowLight(
        np.stack(lights).astype(np.float32),
        np.stack(contrasts).astype(np.float32) if takes.hazy else None,
        np.array(costs, np.float32),
    )


def _log_contrast(seen: F32, picture: F32, sure: F32, sigma: float) -> F32:
    """(h, w) natural logarithm of the slope of the local regression of `seen` on `picture`, both (h, w)."""
    whole = cv2.GaussianBlur(sure, (0, 0), sigma) + np.float32(1e-6)
    mean = cv2.GaussianBlur(picture * sure, (0, 0), sigma) / whole
    own, other = picture - mean, seen - mean
    both = cv2.GaussianBlur(own * other * sure, (0, 0), sigma) / whole
    alone = cv2.GaussianBlur(own * own * sure, (0, 0), sigma) / whole
    return np.asarray(np.log(np.clip((both + HAZE_TIE) / (alone + HAZE_TIE), HAZE_LIMIT, 1 / HAZE_LIMIT)))


def _unusual(field: F32, spread: float) -> float:
    """Mean cost (nats) of a field's deviations from its middle, levelling off at three times the spread."""
    square = ((field - np.median(field)) / spread) ** 2
    return float(np.mean(0.5 * square / (1 + square / 9)))
