"""Probabilities of faces from the comparison, calibrated on drawn and degraded pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

ACCEPTED = 0.9  # probability from which a reading names its face


def probabilities(
    names: Sequence[str], behind: F32, evidence: tuple[float, float, float], prior: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    """(face, probability), best first, from how far each candidate is behind the best one."""
    gaps: dict[str, float] = {}
    for name, gap in zip(names, behind, strict=True):
        gaps[name] = min(gaps.get(name, math.inf), float(gap))
    weights = {name: math.exp(-max(min(gap, 50.0), 0.0)) * prior.get(name, 1.0) for name, gap in gaps.items()}
    whole = sum(weights.values()) or 1.0
    return tuple(sorted(((name, x / whole) for name, x in weights.items()), key=lambda pair: -pair[1]))
