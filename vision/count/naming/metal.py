"""What several pieces of one metal say of its colour together: each mirrors another part of the room."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import DARK

Floats = NDArray[np.float64]

# Natural logs by which the casts of pieces of one metal in one photograph differ: by what they mirror, as measured on
# coins (docs/measured/count.md), and by their own alloys and wear, which is less than two thirds of that.
MIRRORED, OWN = 0.11, 0.07


def of_one_metal(looks: Floats, colour_of: NDArray[np.int64]) -> Floats:
    """Looks (M, 2, 3) linear BGR of pieces that taught metals (M,), each as its own cast and those of its metal's other
    pieces tell it: the mean of what it may have without what it mirrored (normal, of unknown mean). What a piece shows
    brighter or darker, and how its ring differs from its inner part, stay.
    """
    logs = np.log(looks + DARK)
    casts = (logs - logs.mean(axis=2, keepdims=True)).mean(axis=1)
    own = OWN**2 / (OWN**2 + MIRRORED**2)
    together = np.array([casts[colour_of == colour].mean(axis=0) for colour in colour_of])
    moved = logs + ((1 - own) * (together - casts))[:, None]
    return np.asarray(np.maximum(np.exp(moved) - DARK, 0.0))
