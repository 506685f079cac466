"""Tells a hand from its shadow over a printed board: print shows through a shadow, and nothing shows through a hand."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

VIEW_PX = 500  # longer side at which views are compared: a line 1 mm wide on a board of half a metre is a pixel wide
BLOCK_PX, STEP_PX = 36, 12  # a block holds a line of a board's grid whose fields are a twentieth of it
STRAY_PX = 13  # a board slides so far, a quarter of a field more or less, before its print is matched anew
FINE_PX, COARSE_PX = 0.8, 6.0  # print is finer than light: what lies between these is compared
DARKEST = 8.0  # grey levels added before the logarithm: below them a camera's noise is as large as the light
CLIPPED = (
    1.0  # spreads of the print at which detail is cut: one piece's dark edge must not outweigh the lines beside it
)
PRINT_SEEN = 0.45  # correlation from which a block's print is seen: two unrelated blocks reach 0.2 to 0.3 somewhere
SURE_MATCH, LEAST_MATCHES, STRAY_MATCH_PX = 0.6, 30, 2.0  # blocks by which a board that has moved is laid back
LEAST_AGREEING = 0.3  # of them that must agree on where it went
PRINTED = 0.35  # of the usual detail that a block of the empty board must have: bare wood says nothing
# Share of the view that a hand covers at least: two finger tips of a hand over a board of half a metre. A piece of
# 22 mm at its rim hides the print of 0.45 %.
LEAST_HAND = 0.007


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What lies over a board's print. `blocks` (R, C) bool: print not seen; `share`: of the view, of the largest such
    place that hangs together and reaches the view's edge; `hand`: whether that is as large as a hand.
    """

    blocks: NDArray[np.bool_]
    share: float
    hand: bool


class PrintCover:
    """Compares views of a board with one of the empty board; made once a board, used from one thread."""

    def __init__(self, empty_bgr: Picture) -> None:
        """`empty_bgr` (H, W, 3) uint8: the rectified board with nothing over it."""
        view = _view(empty_bgr)
        detail = _detail(view)
        self._limit = CLIPPED * float(detail.std())
        self._print = np.clip(detail, -self._limit, self._limit)
        self._shape = view.shape
        spread = np.sqrt(cv2.blur(self._print**2, (BLOCK_PX, BLOCK_PX)))
        rows, cols = _blocks(view.shape[:2])
        middles = spread[np.ix_(rows + BLOCK_PX // 2, cols + BLOCK_PX // 2)]
        self._printed = middles > PRINTED * np.median(middles)

    def over(self, view_bgr: Picture) -> Cover:
        """What lies over the board in a rectified view (H, W, 3) uint8 BGR of the same extent; takes about 0.1 s.

        A board that slid or turned a little is laid back by the print that is seen. Raises ValueError for a view of
        other proportions.
        """
        view = _view(view_bgr)
        if view.shape != self._shape:
            raise ValueError(f"expected a view like the empty board's {self._shape[:2]}, got {view.shape[:2]}")
        likeness, moves = self._likeness(view)
        laid_back = _laid_back(view, likeness, moves)
        if laid_back is not None:
            again, _ = self._likeness(laid_back)
            likeness = again if np.median(again) > np.median(likeness) else likeness
        blocks = (likeness < PRINT_SEEN) & self._printed
        share = _reaching_in(blocks) * STEP_PX**2 / (self._shape[0] * self._shape[1])
        return Cover(blocks, share, share >= LEAST_HAND)

    def _likeness(self, view: Picture) -> tuple[Floats, Floats]:
        """(R, C) best correlation of each block's detail with the print near it, and (R, C, 2) where it was found."""
        detail = np.clip(_detail(view), -self._limit, self._limit)
        around = cv2.copyMakeBorder(self._print, *(STRAY_PX,) * 4, cv2.BORDER_REFLECT)
        rows, cols = _blocks(self._shape[:2])
        likeness = np.zeros((len(rows), len(cols)), np.float32)
        moves = np.zeros((len(rows), len(cols), 2), np.float32)
        reach = BLOCK_PX + 2 * STRAY_PX
        for i, y in enumerate(rows):
            for k, x in enumerate(cols):
                block = detail[y : y + BLOCK_PX, x : x + BLOCK_PX]
                found = cv2.matchTemplate(around[y : y + reach, x : x + reach], block, cv2.TM_CCOEFF_NORMED)
                _, likeness[i, k], _, place = cv2.minMaxLoc(found)
                moves[i, k] = np.array(place) - STRAY_PX
        return likeness, moves


def _view(picture: Picture) -> Picture:
    share = VIEW_PX / max(picture.shape[:2])
    return cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share != 1 else picture


def _detail(view: Picture) -> Floats:
    """Fine differences of log light: what a shadow or another lamp leaves as it is."""
    light = np.log(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARKEST)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), FINE_PX) - cv2.GaussianBlur(light, (0, 0), COARSE_PX))


def _blocks(size_hw: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Top edges and left edges of the blocks."""
    return np.arange(0, size_hw[0] - BLOCK_PX + 1, STEP_PX), np.arange(0, size_hw[1] - BLOCK_PX + 1, STEP_PX)


def _laid_back(view: Picture, likeness: Floats, moves: Floats) -> Picture | None:
    """The view with its board where the empty one lay; None when too little print is seen to say where it went."""
    rows, cols = _blocks(view.shape[:2])
    here = np.stack(np.meshgrid(cols, rows), axis=-1).astype(np.float32) + BLOCK_PX / 2
    sure = likeness > SURE_MATCH
    if sure.sum() < LEAST_MATCHES:
        return None
    warp, agreeing = cv2.findHomography(here[sure], (here + moves)[sure], cv2.RANSAC, STRAY_MATCH_PX)
    if warp is None or agreeing.mean() < LEAST_AGREEING:
        return None
    return np.asarray(cv2.warpPerspective(view, warp, view.shape[1::-1], borderMode=cv2.BORDER_REFLECT))


def _reaching_in(blocks: NDArray[np.bool_]) -> int:
    """The blocks of the largest place that hangs together and touches the edge: a hand comes from outside."""
    number, labels, stats, _ = cv2.connectedComponentsWithStats(blocks.astype(np.uint8), connectivity=4)
    edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return int(max((stats[k, cv2.CC_STAT_AREA] for k in edge if k), default=0)) if number > 1 else 0
