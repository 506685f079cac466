"""Comparison of aligned candidates where they differ: log-likelihood ratios with a bounded cost per pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces import photometry

F32 = NDArray[np.float32]

SLIP = 0.5  # px of the picture that alignment is ordinarily off: edges are judged less strictly
BOUND = 3.0  # an error beyond this many sigmas costs no more: a cube, a shadow or glare, not another face


def bounded(error: F32, sigma: F32) -> F32:
    """Cost of errors (..., 3) with spread `sigma` (...,): half the squared sigmas, levelling off at BOUND**2 / 2."""
    square = np.sum(error**2, axis=-1) / (3 * sigma**2)
    return 0.5 * square / (1 + square / BOUND**2)


def pair_ratio(
    seen: F32, valid: F32, one: F32, other: F32, slope: F32
) -> tuple[float, float]:
    """How much better `one` explains `seen` than `other`, and how much it would if it were seen perfectly.

    All (P, 3) except `valid` (P,) and `slope` (P,), the picture's gradient per px there. Both figures are sums
    of bounded costs, scaled so that a whole picture counts photometry.COUNT pixels.
    """
    sigma = np.sqrt(photometry.NOISE**2 + (SLIP * slope) ** 2)
    better = bounded(seen - other, sigma) - bounded(seen - one, sigma)
    ideal = bounded(one - other, sigma)
    scale = photometry.COUNT * 4 / valid.shape[0]
    return float(valid @ better) * scale, float(valid @ ideal) * scale
