"""What all cards of a box print alike, looked for in a place: bare table may have a card's colours, not its outline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.canvas import Window
from vision.appearance.placed_face import USUAL, FaceScan
from vision.appearance.print_detail import CLIPPED, detail_between

# Borders, titles and corners are told in half the canvas' resolution: a border is a pixel wide there, and noise less.
HALF = 0.5

# Print is finer than light and shade, and coarser than noise: what lies between these blurs (px at half) is compared.
FINE_PX, COARSE_PX = 0.6, 3.0

# Quarter turns are looked for elsewhere; hands lay a card straight within some degrees. The straight one is first.
TURNS_DEG = (0.0, -4.0, 4.0)

# Part of its likeness in the best turn that a card keeps in the straight one: where even this is not seen no other turn
# is looked for. Turned by 4 degrees the print has 0.77 of itself; of 318 cards of seven rendered films one had 0.56.
KEPT_STRAIGHT = 0.5

# How far from its place a card is looked for (mm): hands lay it astray, and far from the markers the pose is less sure.
ASTRAY_MM = 10.0

# Correlation with what all cards print alike from which some card lies in a place, whatever its colours. In 13 rendered
# films 2,383 bare places had at most 0.44, chequered cloth and washed-out pictures among them, in another, of checks as
# wide as a card, 0.56; three cards in half shadow that had the colours of the cloth 0.68, of 579 that were told 99 in
# 100 at least 0.58.
SHOWS_CARD = 0.57


@dataclass(frozen=True, slots=True, eq=False)
class CommonPrint:
    """The fine detail that the faces of a box have in common, (h, w) float32 each, turned by each of TURNS_DEG."""

    turned: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, scans: Iterable[FaceScan]) -> CommonPrint:
        """From the upright scans of all faces, at least one; those of photographs may differ by a pixel in size."""
        every = [_detail(scan.soft[USUAL]) for scan in scans]
        details = [cv2.resize(one, every[0].shape[::-1]) for one in every]
        mean = np.mean([(one - one.mean()) / max(float(one.std()), 1e-6) for one in details], axis=0)
        height, width = mean.shape
        middle = ((width - 1) / 2, (height - 1) / 2)
        turns = [cv2.getRotationMatrix2D(middle, turn, 1.0) for turn in TURNS_DEG]
        return cls(tuple(cv2.warpAffine(mean.astype(np.float32), turn, (width, height)) for turn in turns))

    def is_shown(self, seen_bgr: np.ndarray, window: Window, corners_mm: np.ndarray, turn: int = 0) -> bool:
        """Whether some card lies at corners (4, 2) mm, or near them, of a `window`, (H, W, 3) uint8 BGR: upright, or
        turned clockwise by so many quarter turns."""
        here = seen_bgr[window.box(corners_mm, ASTRAY_MM)]
        return self.likeness(np.ascontiguousarray(np.rot90(here, turn))) >= SHOWS_CARD

    def likeness(self, seen_bgr: np.ndarray) -> float:
        """Correlation (-1..1) of the common print with what goes best with it in a picture (H, W, 3) uint8 BGR from
        above, in the straight turn where that is too little for a card; -1 where the picture is smaller than one."""
        here = _detail(seen_bgr)
        height, width = self.turned[0].shape
        if here.shape[0] < height or here.shape[1] < width:
            return -1.0
        straight = _best(here, self.turned[0])
        if straight < KEPT_STRAIGHT * SHOWS_CARD:
            return straight
        return max(straight, *(_best(here, one) for one in self.turned[1:]))


def _best(picture: np.ndarray, template: np.ndarray) -> float:
    return float(cv2.matchTemplate(picture, template, cv2.TM_CCOEFF_NORMED).max())


def _detail(picture_bgr: np.ndarray) -> np.ndarray:
    """(h, w) float32: the fine differences of log light in half the resolution of a picture (H, W, 3) uint8, cut: a
    check's edge must not outweigh the print."""
    gray = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(gray, None, fx=HALF, fy=HALF, interpolation=cv2.INTER_AREA)
    detail = detail_between(small, FINE_PX, COARSE_PX)
    most = CLIPPED * float(cv2.meanStdDev(detail)[1].item())  # in a fifth of the time of NumPy's own
    return np.asarray(np.clip(detail, -most, most), np.float32)
