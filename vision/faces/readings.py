"""What the reading of a crop says."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.chance import FaceEvidence

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What a crop shows.

    `face`: None when no face reaches the accepted probability. `p`: probability of the best face. `turn`:
    quarter turns clockwise of the best. `alternatives`: (face, probability), best first, the best included.
    `to_reference`: (3, 3) float64, crop px -> px of the reference frame. `gain`, `offset` (3,): crop = gain *
    reference + offset, BGR in 0..1. `residual` (h, w) float32: root mean square colour difference between the
    crop and the best face as it should look, in the reference frame, 0..1. `fit_error`: its median. `evidence`: what
    the probability of the best face rests on.
    """

    face: str | None
    p: float
    turn: int
    alternatives: tuple[tuple[str, float], ...]
    to_reference: F64
    gain: F32
    offset: F32
    residual: F32
    fit_error: float
    evidence: FaceEvidence

    @property
    def rival(self) -> str | None:
        """The next likely face."""
        return self.alternatives[1][0] if len(self.alternatives) > 1 else None

    def corners_px(self, size_wh: tuple[int, int]) -> F64:
        """(4, 2) px of the crop: the corners of the face as it was aligned, clockwise from top left of it upright;
        `size_wh`: of the reference frame, px."""
        w, h = size_wh
        outline = np.array([[[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]]])
        return np.asarray(cv2.perspectiveTransform(outline, np.linalg.inv(self.to_reference))[0], np.float64)
