"""How large pieces are beside those that were taught: kinds of unlike size tell each other apart in any scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Natural logs of radii. Rims of coins lie within 0.02 of their true size in one photograph, and within 0.025 where it
# was taken somewhat aslant; what taught them differs as much.
SPREAD = 0.035
ANY_SIZE = 0.64  # a piece of a kind that was not taught: all sizes that are taken for pieces of one picture are likely
TAUGHT_KIND = 0.6  # chance that a piece's kind is among those that were taught
STEP = 0.02  # between the scales that are tried: half of what sizes are known to
TAUGHT_APART = 0.1  # between the largest and the smallest taught: less is the camera's perspective
# Beside a plane in perspective: pieces of one size lie within 0.03 of it, coins of several kinds 0.045 and more.
MIXED = 0.04
USUAL_SLOPE = 0.15  # of a picture's sizes from its middle to its edge, by perspective


def size_chances(taught: Floats, seen: Floats, xy: Floats) -> Floats | None:
    """(S, N, M) log chances of the sizes of N pieces, radii (N,) at places (N, 2) px, as M taught ones (M,), for each
    of S scales; 0 is that of a piece of any size. A taught radius of 0 is not known. None where sizes tell nothing:
    all pieces of the picture are of one size, or all taught ones.
    """
    known = taught > 0
    if known.sum() < 2 or len(seen) < 2 or (seen <= 0).any():
        return None
    logs, taught_logs = np.log(seen), np.log(taught[known])
    if np.ptp(taught_logs) < TAUGHT_APART or _beside_plane(logs, xy) < MIXED:
        return None
    low, high = logs.min() - taught_logs.max(), logs.max() - taught_logs.min()
    scales = np.arange(low - STEP, high + 2 * STEP, STEP)
    off = (logs[None, :, None] - taught_logs[None, None] - scales[:, None, None]) / SPREAD
    fits = np.exp(-0.5 * off**2) / (np.sqrt(2 * np.pi) * SPREAD)
    chances = np.zeros((len(scales), len(seen), len(taught)))
    chances[..., known] = np.log(TAUGHT_KIND * fits * ANY_SIZE + 1 - TAUGHT_KIND)
    return chances


def _beside_plane(logs: Floats, xy: Floats) -> float:
    """How far sizes (N,) in natural logs lie beside those of one kind on a table that the camera sees aslant."""
    away = xy - xy.mean(axis=0)
    away = away / max(float(np.abs(away).max()), 1.0)
    off = logs - logs.mean()
    slope = np.linalg.solve(away.T @ away + np.eye(2) * (SPREAD / USUAL_SLOPE) ** 2, away.T @ off)
    return float((off - away @ slope).std())
