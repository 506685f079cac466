"""The light over a crop as each of many learnt pictures explains it: slow shade and haze, then gains tied together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.faces import photometry
from vision.faces.photometry import BURNT, BURNT_LIGHT, PLACES
from vision.median import medians

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

# Two photographs of a piece differ in exposure by so much (natural logarithm), whatever the light ...
EXPOSURE_SPREAD = 0.6
# ... and each channel apart from the others by so much: the white balance of cameras in ordinary rooms.
CHANNEL_SPREAD = 0.12
OWN_EXPOSURE, OWN_CHANNEL = 0.1, 0.03  # within one picture
# Offset common to the channels and of each (veil, black level); slant of the light likewise, as a share.
OTHER_SPREADS = ((0.2, 0.03), (0.3, 0.05), (0.3, 0.05))
SATURATION_SPREAD = 0.1
BLUR_SPREAD = 0.3  # half the variance of the blur, in squared px of the coarse grid
SHADE_PASSES = 2
SHADE_SPREAD = 0.3  # of the slow light, as a natural logarithm: twice that of one camera's pictures of flat scans
HAZE_TIE = 0.015**2  # local variance of a picture below which its contrast tells nothing
HAZE_LIMIT = 0.25  # least contrast that a reflection leaves
HAZE_SPREAD = 0.4  # its ordinary deviation, as a natural logarithm
HAZE_COUNT = 3.0  # independent values of it on a piece
SHADE_ERROR = 0.1  # difference in brightness that counts a quarter when the slow light is looked for
UNKNOWN_TAIL, SHARED_TAIL = 3.0, 10.0  # of a crop by itself, and of one whose photograph tells its light
GAINS = np.array([0, 4, 8])


@dataclass(frozen=True, slots=True)
class Light:
    """What is believed of the light of a crop before it is read.

    `gain` (3,) ordinary crop / learnt picture, BGR; `exposure` spread of the natural logarithm of the gain common to
    the channels; `channel` that of each channel by itself. `tail`: nats beyond which an unusual light costs ever less:
    there are rooms that nobody thought of.
    """

    gain: F64
    exposure: float
    channel: float
    tail: float

    def charged(self, cost: F64) -> F64:
        """What is charged for light that is unusual by `cost` nats."""
        return np.asarray(self.tail * np.log1p(cost / self.tail))


def unknown_light() -> Light:
    """The light of a crop of which nothing else is known."""
    return Light(np.ones(3), EXPOSURE_SPREAD, CHANNEL_SPREAD, UNKNOWN_TAIL)


def same_as_learnt() -> Light:
    """The light of a learnt picture itself."""
    return Light(np.ones(3), OWN_EXPOSURE, OWN_CHANNEL, SHARED_TAIL)


def belief(light: Light, exposures: F64) -> photometry.Belief:
    """The belief for `photometry.fit` of M candidates whose slow light has the middles `exposures` (M,).

    The gains that are fitted come on top of the slow light. They lie along the light's colour, by as much of it as
    the exposure may differ, and off it by the channels' own spread.
    """
    colour = light.gain / np.exp(np.log(light.gain).mean())
    along = np.exp(np.log(light.gain).mean()) / exposures
    m = len(exposures)
    covariance = np.zeros((m, 3, 4, 3, 4))
    covariance[:, :, 0, :, 0] = (along * light.exposure)[:, None, None] ** 2 * np.outer(colour, colour)
    covariance[:, :, 0, :, 0] += np.diag((colour * light.channel) ** 2)
    for k, (common, own) in enumerate(OTHER_SPREADS, start=1):
        covariance[:, :, k, :, k] = common**2 + np.eye(3) * own**2
    precision = np.zeros((m, photometry.PARAMETERS, photometry.PARAMETERS))
    precision[:, :12, :12] = np.linalg.inv(covariance.reshape(m, 12, 12))
    precision[:, 12, 12] = SATURATION_SPREAD**-2
    precision[:, 13, 13] = BLUR_SPREAD**-2
    mean = np.zeros((m, photometry.PARAMETERS))
    mean[:, PLACES[:, 0]] = along[:, None] * colour
    return photometry.Belief(mean, precision)


@lru_cache(maxsize=64)
def _smoother(count: int, sigma: float) -> F32:
    """(count, count) matrix that smooths a row by a Gaussian; what lies outside counts as not there."""
    at = np.arange(count)
    return np.asarray(np.exp(-0.5 * ((at[:, None] - at) / sigma) ** 2) / (sigma * (2 * np.pi) ** 0.5), np.float32)


def _soft(fields: F32, sigma: float) -> F32:
    """`fields` (..., rows, cols) smoothed; not normalised at the rim, for ratios of two."""
    rows, cols = fields.shape[-2:]
    return np.asarray(np.matmul(np.matmul(_smoother(rows, sigma), fields), _smoother(cols, sigma)))


@dataclass(frozen=True, slots=True)
class Shade:
    """What varies slowly over each of M pictures: factors `light` and `contrast` (M, h, w), and their `cost` (M,).

    seen = light (mean + contrast (picture - mean)), with the local mean of the picture.
    """

    light: F32
    contrast: F32
    cost: F32


def slow_light(seen: F32, pictures: F32, valid: F32) -> Shade:
    """The shade and the haze that `seen` has over each picture, and how unusual they are.

    The light is the ratio of local mean brightnesses, less what does not fit it. Haze (a reflection on either of the
    two) leaves the mean and takes away contrast: that is the slope of a local regression, tied to one where the
    picture is plain. `seen` (3, h, w), `pictures` (M, 3, h, w), `valid` (h, w), all on one coarse grid.
    """
    h, w = valid.shape
    sigma = photometry.LIGHT_SIGMA * (h * w) ** 0.5
    grey, pictures = seen.mean(axis=0), pictures.mean(axis=1)
    sure = valid * (1 - np.float32(1 - BURNT_LIGHT) * (seen > BURNT).mean(axis=0)) + np.float32(1e-3)
    trust = np.broadcast_to(sure, pictures.shape)
    light = np.zeros_like(pictures)
    limit = photometry.LIGHT_LIMIT
    for last in range(SHADE_PASSES):
        whole = _soft(trust, sigma)
        floor = np.float32(0.02) * whole
        above, below = _soft(grey * trust, sigma) + floor, _soft(pictures * trust, sigma) + floor
        light = np.log(above / below)
        # The middle is the exposure, which is free; what differs from it is limited.
        middle = medians(light.reshape(len(light), -1), axis=1)[..., None]
        light = middle + np.clip(light - middle, -limit, limit)
        if last < SHADE_PASSES - 1:
            error = grey - pictures * np.exp(light)
            trust = sure / (1 + (error / np.float32(SHADE_ERROR)) ** 2) ** 2 + np.float32(1e-3)
    factor = np.exp(light)
    cost = photometry.LIGHT_COUNT * _unusual(light, SHADE_SPREAD)
    contrast = _log_contrast(grey / factor, pictures, sure, sigma)
    cost = cost + HAZE_COUNT * _unusual(contrast, HAZE_SPREAD)
    return Shade(factor, np.exp(contrast), cost)


def _log_contrast(seen: F32, pictures: F32, sure: F32, sigma: float) -> F32:
    """(M, h, w) natural logarithm of the slope of the local regression of `seen` on `pictures`, both (M, h, w)."""
    whole = _soft(sure, sigma) + np.float32(1e-6)
    own = pictures - _soft(pictures * sure, sigma) / whole
    other = seen - _soft(seen * sure, sigma) / whole
    both, alone = _soft(own * other * sure, sigma) / whole, _soft(own * own * sure, sigma) / whole
    tie = np.float32(HAZE_TIE)
    slope = np.clip((both + tie) / (alone + tie), HAZE_LIMIT, 1 / HAZE_LIMIT)
    return np.asarray(np.log(slope))


def _unusual(fields: F32, spread: float) -> F32:
    """(M,) mean cost (nats) of each field's deviations from its middle, levelling off at three times the spread."""
    flat = fields.reshape(len(fields), -1)
    square = ((flat - medians(flat, axis=1)) / np.float32(spread)) ** 2
    return np.asarray(np.mean(0.5 * square / (1 + square / 9), axis=1))


def local_mean(pictures: F32) -> F32:
    """(M, 3, h, w) the mean around each point of `pictures`, which haze leaves alone."""
    sigma = photometry.LIGHT_SIGMA * (pictures.shape[-2] * pictures.shape[-1]) ** 0.5
    whole = _soft(np.ones(pictures.shape[-2:], np.float32), sigma)
    return np.asarray(_soft(pictures, sigma) / whole)
