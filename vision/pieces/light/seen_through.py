"""Whether a piece shows on its face, and no print through it: noise and shadows on dark print are no pieces."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import BLACK
from vision.pieces.shapes import Hypothesis

# Print is looked for between these blurs (canvas px): coarser than noise, finer than the top of a piece, 15 px.
FINE_PX, COARSE_PX = 0.9, 4.0

# Part of a pixel that a top must cover to hide its print, and margin of the top into which the table around it blurs.
WHOLLY, MARGIN = 0.9, np.ones((3, 3), np.uint8)

# Spread of the print's detail, in logarithms of light, from which it can be seen, and beyond which it is bold: the edge
# of a white symbol looks much like that of a white piece on it.
LEAST_DETAIL, BOLD = 0.01, 0.1

# Part of its top and sides that a piece shows where the face's look is known: at least half of its foot stands there.
# Of 14 pieces of eight rendered rough rooms that stood on a rim and showed less than three quarters of themselves all
# had 0.52 and more; one that was none, beside a table of its colour, had 0.2.
SHOWN = 0.5


def details_within(pictures: Sequence[np.ndarray], inside: np.ndarray) -> list[np.ndarray]:
    """Of each picture, a part (h, w, 3) in 0..255, (N, 3) float32: its fine detail, as differences of log light, in the
    pixels of `inside` (h, w) bool, told by those alone: a white symbol that a piece covers in part would else be seen
    through it, as its rest blurs into what is asked."""
    left, top, wide, high = cv2.boundingRect(inside.view(np.uint8))
    box = slice(top, top + high), slice(left, left + wide)
    inside = inside[box]
    weight = inside.astype(np.float32)[..., None]
    lights = [np.log(np.maximum(picture[box], 0.0).astype(np.float32) + np.float32(BLACK)) for picture in pictures]
    together = np.concatenate([*((light - light[inside].mean(0)) * weight for light in lights), weight], axis=-1)
    blurs = (
        cv2.GaussianBlur(together, (0, 0), blur_px, borderType=cv2.BORDER_CONSTANT)[inside]
        for blur_px in (FINE_PX, COARSE_PX)
    )
    fine, coarse = (blur[:, :-1] / blur[:, -1:] for blur in blurs)
    return np.split(fine - coarse, len(pictures), axis=1)


def hidden_by(one: Hypothesis) -> np.ndarray:
    """(h, w) bool: where a piece's top hides all, of the pixels of its masks."""
    return np.asarray(cv2.erode((one.top > WHOLLY).astype(np.uint8), MARGIN) > 0)


class PrintSeen:
    """The fine detail of a canvas beside that of its bare faces, in whatever light; looked for where it is asked."""

    def __init__(self, canvas: Canvas, known: np.ndarray) -> None:
        """`known` (H, W) bool: the canvas' `inner_pixels`, where it is known what a bare face looks like."""
        self._pictures, self._known = (canvas.seen, canvas.bare), known
        self._left = WeakKeyDictionary[Hypothesis, float]()

    def left_for(self, one: Hypothesis, box: tuple[slice, slice]) -> float:
        """Part of the evidence for a piece in the region `box` that is left (0..1): all where no print is seen under
        its top, nothing where all of it is; and less where less than half of it shows on its face, since beside it
        nothing speaks against a piece that looks like the table. The same piece is asked for again and again.

        Of 589 pieces of ten rendered rough rooms none keeps less than 0.2, nine less than 0.4; of 87 that were none 32
        and 45 do.
        """
        known = self._left.get(one)
        if known is None:
            there = tuple(slice(b.start + w.start, b.start + w.stop) for b, w in zip(box, one.where, strict=True))
            known = self._left[one] = self._not_seen_through(one, there) * self._shown(one, there)
        return known

    def _shown(self, one: Hypothesis, there: tuple[slice, ...]) -> float:
        whole = one.top + one.side
        return min(1.0, float(whole[self._known[there]].sum()) / (SHOWN * float(whole.sum())))

    def _not_seen_through(self, one: Hypothesis, there: tuple[slice, ...]) -> float:
        hidden = hidden_by(one)
        if not hidden.any():
            return 1.0
        here, wanted = details_within([picture[there] for picture in self._pictures], hidden)
        own = float((wanted * wanted).sum())
        if not LEAST_DETAIL**2 * wanted.size < own < BOLD**2 * wanted.size:
            return 1.0
        seen = float((here * wanted).sum()) / float(np.sqrt(own * (here * here).sum() + 1e-12))
        return (1.0 - max(seen, 0.0)) ** 2
