"""How a camera renders a learnt picture: light, haze, colour and blur, fitted robustly around what is ordinary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.blur import blurred
from vision.median import medians

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
MOST_CHANNELS = 512  # of a picture of OpenCV
LIGHT_COUNT = 20.0  # independent values of it on a piece

# Parameters: gain, offset, slant in x and in y for each channel, then saturation and blur of all three.
PLACES = np.array([[4 * c, 4 * c + 1, 4 * c + 2, 4 * c + 3, 12, 13] for c in range(3)])
PARAMETERS = 14
OWN = 6  # of them, a channel's own
# (3 * 6, 14) and (3 * 36, 14 * 14): where the sums of each channel's parameters, and of their products, belong.
SUMS = np.eye(PARAMETERS)[PLACES.ravel()]
PRODUCTS = np.einsum("cia,cjb->cijab", *(SUMS.reshape(3, OWN, PARAMETERS),) * 2).reshape(3 * OWN * OWN, -1)


@dataclass(frozen=True, slots=True)
class Takes:
    """How the learnt pictures were taken, and so what ordinarily differs between one and a crop.

    `noise`: residual of a right fit, in 0..1: sensor noise, print, uneven light. `light_spread`: deviation of the
    slowly varying light, as a natural logarithm.
    """

    noise: float
    light_spread: float


SCANNED = Takes(noise=0.04, light_spread=0.15)


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
    camera would show them at the points of the fit. `normal` (M, 14, 14): precision of the parameters.
    """

    each: F32
    prior_cost: F32
    shown: F32
    normal: F64

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
        return Rendering(self.each[chosen], self.prior_cost[chosen], self.shown[chosen], self.normal[chosen])


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


@dataclass(frozen=True, slots=True)
class Belief:
    """What light is ordinary: `mean` (14,) and `precision` (14, 14) of the parameters; or of each of M candidates."""

    mean: F64
    precision: F64


def _ordinary() -> Belief:
    mean = np.zeros(PARAMETERS)
    mean[0:12:4] = 1.0
    return Belief(mean, PRIOR)


ORDINARY = _ordinary()


def fit(
    basis: F32, seen: F32, valid: F32, noise: float, belief: Belief = ORDINARY, surely: F32 | float = 1.0
) -> Rendering:
    """The rendering of each candidate that explains `seen` best.

    `basis` from `design`, `seen` (3, P) values of the crop at the same points, `valid` (P,) weights 0..1, or those of
    each candidate's own crop, (M, 3, P) and (M, P); `noise` the ordinary residual, `surely` (P,) what divides its
    square where it is greater. Least squares with the `belief`,
    re-weighted by Geman and McClure's function so that cubes and glare do not pull; a clipped value that is predicted
    brighter is no error.
    """
    m, _, _, p = basis.shape
    burnt = seen > BURNT
    trust = np.broadcast_to(valid, (m, p))
    target = np.broadcast_to(seen, (m, 3, p))
    scale = np.reshape(COUNT / (np.maximum(valid.sum(axis=-1, dtype=np.float64), 1.0) * noise**2), (-1, 1))
    precision = np.broadcast_to(belief.precision, (m, PARAMETERS, PARAMETERS))
    mean = np.broadcast_to(belief.mean, (m, PARAMETERS))
    pull = np.matmul(precision, mean[..., None])[..., 0]
    each = np.zeros((m, 3, 6), dtype=np.float32)
    solution, shown = np.zeros((m, PARAMETERS)), np.empty((m, 3, p), dtype=np.float32)
    normal: F64 = np.empty((m, PARAMETERS, PARAMETERS))
    any_burnt = bool(burnt.any())
    weighted = np.empty_like(basis)
    for tolerance, burnt_weight in ROUNDS:
        weight = (trust * surely)[:, None]
        if any_burnt:
            weight = weight * np.where(burnt, np.float32(burnt_weight), np.float32(1))
        np.multiply(basis, weight[:, :, None], out=weighted)
        blocks = np.matmul(weighted, basis.transpose(0, 1, 3, 2)).reshape(m, -1) * scale
        rights = np.matmul(weighted, target[..., None]).reshape(m, -1) * scale
        normal = precision + (blocks @ PRODUCTS).reshape(m, PARAMETERS, PARAMETERS)
        right = pull + rights @ SUMS
        solution = np.linalg.solve(normal, right[..., None])[..., 0]
        each = solution[:, PLACES].astype(np.float32)
        shown = np.matmul(each[:, :, None, :], basis)[:, :, 0]
        if any_burnt:
            target = np.where(burnt & (shown > seen), shown, seen)
        error = shown - target
        size = np.einsum("mcp,mcp->mp", error, error)
        doubt = 1 + size * surely * np.float32(1 / (3 * (tolerance * noise) ** 2))
        trust = valid / (doubt * doubt)
    away = solution - mean
    prior = 0.5 * np.einsum("mi,mij,mj->m", away, precision, away)
    return Rendering(each, prior.astype(np.float32), np.clip(shown, 0, 1), normal)


@dataclass(frozen=True, slots=True)
class SlowLight:
    """What varies slowly over each of M pictures: factors `light` (M, h, w), and what they `cost` (M,)."""

    light: F32
    cost: F32


def light_between(seen: F32, pictures: F32, valid: F32, takes: Takes) -> SlowLight:
    """The slowly varying light that `seen` has over each picture, and how unusual it is.

    `seen` (3, h, w), `pictures` (M, 3, h, w), `valid` (h, w), or those of each picture's own crop, (M, 3, h, w) and
    (M, h, w); all on one coarse grid. The light is the ratio of local mean brightnesses, less what does not fit it.
    """
    h, w = valid.shape[-2:]
    sigma = LIGHT_SIGMA * (h * w) ** 0.5
    m = len(pictures)
    # (h, w, M): blurred all at once
    greys = np.ascontiguousarray(pictures.mean(axis=1).transpose(1, 2, 0))
    grey_seen, brightest, counts = (
        np.ascontiguousarray(np.moveaxis(np.broadcast_to(each, (m, h, w)), 0, 2))
        for each in (seen.mean(axis=-3), seen.max(axis=-3), valid)
    )
    sure = counts * np.where(brightest > BURNT, np.float32(BURNT_LIGHT), np.float32(1)) + np.float32(1e-3)
    trust = sure
    light = np.zeros_like(greys)
    for _ in range(2):
        floor = np.float32(0.02) * trust.mean(axis=(0, 1))
        there, learnt = (_blurred_together(each * trust, sigma) for each in (grey_seen, greys))
        light = np.clip(np.log((there + floor) / (learnt + floor)), -LIGHT_LIMIT, LIGHT_LIMIT)
        error = grey_seen - greys * np.exp(light)
        doubt = 1 + (error / np.float32(0.1)) ** 2
        trust = sure / (doubt * doubt) + np.float32(1e-3)
    fields = np.ascontiguousarray(light.transpose(2, 0, 1))
    return SlowLight(np.exp(fields), LIGHT_COUNT * _unusual(fields.reshape(m, -1), takes.light_spread))


def _blurred_together(planes: F32, sigma: float) -> F32:
    """(h, w, M) planes, each blurred."""
    every = planes.shape[2]
    parts = [
        blurred(np.ascontiguousarray(planes[..., k : k + MOST_CHANNELS]), sigma)
        for k in range(0, every, MOST_CHANNELS)
    ]
    return np.concatenate([part.reshape(*planes.shape[:2], -1) for part in parts], axis=2)


def _unusual(fields: F32, spread: float) -> F32:
    """(M,) mean cost (nats) of the deviations of fields (M, P) from their middles, levelling off at three times the
    spread."""
    square = ((fields - medians(fields, axis=1)) / np.float32(spread)) ** 2
    return np.asarray(np.mean(0.5 * square / (1 + square / 9), axis=1), np.float32)
