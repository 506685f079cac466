"""Whether the look of a piece's place has changed since an earlier picture, as far as noise need not have made it."""

from __future__ import annotations

import numpy as np

from vision.appearance.canvas import Canvas
from vision.pieces.likelihood_maps import COLOUR_SPREAD, CORRELATED_PX, MODEL_NOISE

# Pixels of a top of which fewer tell nothing.
LEAST_TOP = 12

# Square of the change of a top's mean look, in deviations of one of its pixels, that a piece makes at least (mean of
# the channels): the noise of colours hangs together, and dark print seen twice looked like black pieces, pixel by
# pixel. Of 16 pieces that were none in five rendered rough films 12 changed less, of some 70 true ones none. It is
# asked where the print was quite unlike the top, too, by this square: a piece may lie in part on print of its colour.
# So many pixels of such noise count as one at most; a lesser change speaks for a piece by no more than it is itself,
# and where print was quite unlike, by all of it: noise makes none so great.
CHANGED_LOOK, UNLIKE_TOP, TOGETHER_PX = 1.0, 16.0, 33.0


def change_of_look(canvas: Canvas, top: np.ndarray, hides: np.ndarray) -> tuple[float, float]:
    """Square of the change of the mean look of a piece's `top` or of what it `hides`, (h, w) bool, that was unlike it,
    see `CHANGED_LOOK`, and the nats that it may be worth; both infinite where too little of the top is seen."""
    noise = MODEL_NOISE + canvas.noise

    def off(was: np.ndarray, has: np.ndarray) -> np.ndarray:
        return np.asarray((has - was) ** 2 / (noise * noise + (COLOUR_SPREAD * was) ** 2))

    if np.count_nonzero(top) < LEAST_TOP:
        return np.inf, np.inf
    unlike = hides & (off(canvas.bare, canvas.seen[top].mean(0)).mean(-1) > UNLIKE_TOP)
    change, nats = 0.0, 0.0
    for part, together in ((top, TOGETHER_PX), (unlike, CORRELATED_PX)):
        pixels = np.count_nonzero(part)
        if not pixels:
            continue
        each = off(canvas.bare[part].mean(0), canvas.seen[part].mean(0))
        nats = max(nats, 0.5 * float(each.sum()) * pixels / together)
        if pixels >= LEAST_TOP:  # fewer leave it open
            change = max(change, float(each.mean()))
    return change, nats
