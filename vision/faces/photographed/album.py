"""What is learnt of a set of photographed pieces, as arrays over all pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.fields import FEW, RIM, printed_share
from vision.faces.photographed.one_colour import of_one_colour
from vision.faces.placing.anchors import Anchors, make_anchors
from vision.faces.placing.keypoints import KeypointIndex
from vision.faces.placing.outline import Cut
from vision.faces.placing.search import SearchIndex
from vision.faces.placing.turned import TurnedIndex

F32 = NDArray[np.float32]

SCALES = (3.0, 1.3)  # px of the reference frame: alignment goes from coarse to fine
RIM_WORTH = 0.3  # of the outer strip, which loose cuts may take from another piece or the table
OTHER_SHAPE = 0.1  # natural logarithm of the ratio of two aspects from which they are of pictures cut in other ways


@dataclass(frozen=True, slots=True)
class Album:
    """T learnt pictures `pictures` (T, h, w, 3) float32 in 0..1; `weight` (h, w) what each place is worth.

    `cut`: how pieces are cut out of crops first; None when those are cut at the piece's edge. `turned`: where pieces
    may lie that do not fill their crops upright, as `keypoints` tell, too; `askew`: the learnt ones did not either.
    `one_colour`: each piece is of one colour, which tells it from others; `plain`: most show nothing else.
    """

    pictures: F32
    cut: Cut | None
    weight: F32
    index: SearchIndex
    turned: TurnedIndex
    keypoints: KeypointIndex
    askew: bool
    anchors: tuple[Anchors, ...]
    one_colour: bool
    plain: bool

    @classmethod
    def of(cls, pictures: F32, turns: tuple[int, ...], cut: Cut | None = None, askew: bool = False) -> Album:
        """The album of `pictures` (T, h, w, 3) float32 in 0..1 that may lie in any of `turns`."""
        anchors = tuple(make_anchors(pictures, sigma) for sigma in SCALES)
        weight, index = rim_weight(pictures.shape[1:3]), SearchIndex.build(pictures, turns)
        turned, keypoints = TurnedIndex.build(pictures), KeypointIndex(pictures)
        one_colour = of_one_colour(pictures)
        plain = one_colour and float(np.median([printed_share(picture) for picture in pictures])) < FEW
        return cls(pictures, cut, weight, index, turned, keypoints, askew, anchors, one_colour, plain)

    def cut_alike(self, wh: tuple[int, int]) -> bool:
        """Whether a crop of this width and height may be cut at the piece's edge as the learnt pictures are."""
        h, w = self.pictures.shape[1:3]
        return not self.askew and bool(abs(np.log(wh[0] * h / (wh[1] * w))) < OTHER_SHAPE)

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
