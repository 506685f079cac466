"""What is learnt of a set of photographed pieces, as arrays over all pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.anchors import Anchors, make_anchors
from vision.faces.photographed.outline import Cut
from vision.faces.photographed.search import SearchIndex

F32 = NDArray[np.float32]

SCALES = (3.0, 1.3)  # px of the reference frame: alignment goes from coarse to fine
RIM = 0.1  # outer strip, as a share of the side, that loose cuts may take from another piece or the table
RIM_WORTH = 0.3


@dataclass(frozen=True, slots=True)
class Album:
    """T learnt pictures `pictures` (T, h, w, 3) float32 in 0..1; `weight` (h, w) what each place is worth.

    `cut`: how pieces are cut out of crops first; None when those are cut at the piece's edge.
    """

    pictures: F32
    cut: Cut | None
    weight: F32
    index: SearchIndex
    anchors: tuple[Anchors, ...]

    @classmethod
    def of(cls, pictures: F32, turns: tuple[int, ...], cut: Cut | None = None) -> Album:
        """The album of `pictures` (T, h, w, 3) float32 in 0..1 that may lie in any of `turns`."""
        anchors = tuple(make_anchors(pictures, sigma) for sigma in SCALES)
        return cls(pictures, cut, rim_weight(pictures.shape[1:3]), SearchIndex.build(pictures, turns), anchors)

    def without_cut(self) -> Album:
        """The album for crops that are cut at the piece's edge."""
        return replace(self, cut=None)


def rim_weight(hw: tuple[int, ...]) -> F32:
    """(h, w) one in the middle, falling to RIM_WORTH over the outer strip."""
    h, w = hw
    reach = RIM * (h * w) ** 0.5
    x = np.minimum(np.arange(w) + 0.5, w - 0.5 - np.arange(w)) / reach
    y = np.minimum(np.arange(h) + 0.5, h - 0.5 - np.arange(h)) / reach
    inside = np.minimum(np.minimum(x[None], y[:, None]), 1)
    return np.asarray(RIM_WORTH + (1 - RIM_WORTH) * inside, np.float32)
