"""A picture from above in the light that known faces tell: what else lies there is held against it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.placed_face import PlacedFace
from vision.pieces.likelihood_maps import bare_likelihoods
from vision.pieces.scene import UNEXPLAINED

# Half of what is examined around a face, in its sides: somewhat more than to its corners.
REACH = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class LitPicture:
    """A picture from above (H, W, 3) uint8 BGR, and the canvas of the faces that are known in it."""

    seen: np.ndarray
    canvas: Canvas

    @property
    def window(self) -> Window:
        """Where on the table the picture is."""
        return self.canvas.window

    def strange_shares(self) -> np.ndarray:
        """(N,) part of every known face that looks neither like its print nor like it in a shadow."""
        return strange_shares(self.canvas)

    def strange_share(self, face: PlacedFace) -> float | None:
        """The same of a further face; None where it reaches beyond the picture."""
        reach = REACH * face.side_mm
        low, high = (np.floor(self.window.to_px(face.centre_mm + side * reach)).astype(int) for side in (-1, 1))
        if (low < 0).any() or high[0] >= self.window.width_px or high[1] >= self.window.height_px:
            return None
        x, y = self.window.to_mm(low - 0.5)
        part = Window(float(x), float(y), int(high[0] - low[0]), int(high[1] - low[1]))
        seen = self.seen[low[1] : high[1], low[0] : high[0]]
        return float(strange_shares(compose(seen, part, [face], self.canvas.light))[0])


def strange_shares(canvas: Canvas) -> np.ndarray:
    """(N,) part of every face of a canvas that looks neither like its print nor like it in a shadow."""
    bare, _ = bare_likelihoods(canvas)
    known = canvas.label >= 0
    bad = np.bincount(canvas.label[known & (bare < -UNEXPLAINED)], minlength=len(canvas.faces))
    return np.asarray(bad / np.maximum(np.bincount(canvas.label[known], minlength=len(canvas.faces)), 1))
