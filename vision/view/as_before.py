"""Where a view still shows what earlier pictures of it showed: the same fine detail, or the same colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np

from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.median import median
from vision.view.hidden_grain import LIGHT_OF, SEEN, SQUARE_PX, Detail, Grain, fine_detail, grain_of

# Of two pictures of one view the same plain thing differs by so much of its light in no channel, when that of the whole
# view is made up for. A shadow that has come takes more; there only detail tells.
SAME_LIGHT = 0.08

# In a shadow other lamps are left, whose light has another colour: of its own light each channel keeps so much more or
# less than the others. The deepest leaves 0.3 of all light.
SAME_HUE, DEEP_SHADOW = 0.12, 1.2

# Correlation from which one picture shows the detail of another one. In a rendered rough room wood in a shadow so deep
# that a camera's noise drowns most of its grain had 0.3 and more in 95 % of its squares, an arm 0.2 at most in 75 %.
SHOWN = 0.3

# Over a square as wide (px) as an arm is asked whether a table has detail that is seen: in more than this part of it.
AROUND_PX, MOSTLY = 61, 0.5

# So far (px) the edge of a picture is seen in the detail around it.
EDGE = np.ones((13, 13), np.uint8)

# Views are compared in strips of so many rows, which stay in the processor's cache: whole maps took 1.5 times as long,
# and twenty arrays of them at once.
STRIP_PX = 128

# Every so many-th pixel tells how much two pictures' light differs.
THIN = 16


@dataclass(frozen=True, slots=True, eq=False)
class PosedPicture:
    """A picture (H, W, 3) BGR uint8 of a table, and its pose. One thread asks for its views, which are kept: with a
    hand in sight the pictures before it are compared with every further one."""

    image: np.ndarray
    pose: TablePose
    _views: dict[tuple[bytes, tuple[int, int]], np.ndarray] = field(default_factory=dict, init=False, repr=False)

    def view(self, view_mm: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
        """(H, W, 3) uint8 of `size_px` (width, height), with corners `view_mm` (4, 2), table mm."""
        key = (view_mm.tobytes(), size_px)
        if key not in self._views:
            self._views[key] = rectify(self.image, self.pose, view_mm, 0.0, size_px, loosely=True)
        return self._views[key]


@dataclass(frozen=True, slots=True, eq=False)
class KeptView:
    """A view (H, W, 3) uint8 that later ones of the same place are compared with: with a hand in sight with each."""

    view_bgr: np.ndarray
    _fine: dict[float, np.ndarray] = field(default_factory=dict, init=False, repr=False)

    def fine(self, px_per_mm: float) -> np.ndarray:
        """(h, w) float32: its `fine_detail`, one px a mm; the view has so many."""
        if px_per_mm not in self._fine:
            height, width = self.view_bgr.shape[:2]
            size = (round(width / px_per_mm), round(height / px_per_mm))
            self._fine[px_per_mm] = fine_detail(cv2.resize(self.view_bgr, size, interpolation=cv2.INTER_AREA))
        return self._fine[px_per_mm]


def detail_before(
    earlier: Sequence[np.ndarray], now: np.ndarray, in_picture: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(H, W) bool each, of the `fine_detail` (H, W) float32 of views of one place: where `now` shows what one of the
    `earlier` ones showed; and where it hides that in which two of these agree. Light leaves detail as it is.

    `in_picture` (H, W) bool: what the pictures show, all by default; the edge where they end is none of their detail.
    """
    inner = np.ones(now.shape, np.uint8)
    if in_picture is not None:
        inner = cv2.erode(in_picture.astype(np.uint8), EDGE, borderType=cv2.BORDER_CONSTANT, borderValue=1)
    shown, hidden = np.zeros((2, *now.shape), bool)
    for rows, around, own in _strips(len(now)):
        *before, there = (Detail.of(one[around] * inner[around]) for one in (*earlier, now))
        for one in before:
            shown[rows] |= one.likeness(there)[own] >= SHOWN
        if not shown[rows].all():
            hidden[rows] = _agreed(before, own)
    return shown, hidden & ~shown


def detail_around(earlier: Sequence[np.ndarray]) -> np.ndarray:
    """(H, W) bool: where two of the `earlier` ones, the `fine_detail` (H, W) float32 of views of one place, one px a
    mm, mostly agree around: a camera's noise may drown all detail, and what one picture then shows of another is
    chance."""
    agreed = np.zeros(earlier[0].shape[:2], np.float32)
    for rows, around, own in _strips(len(agreed)):
        agreed[rows] = _agreed([Detail.of(one[around]) for one in earlier], own)
    return np.asarray(cv2.blur(agreed, (AROUND_PX, AROUND_PX)) > MOSTLY)


def _strips(height: int) -> Iterator[tuple[slice, slice, slice]]:
    """Strips of a view so many px high: their rows, these with as many around as their detail needs, and their rows
    within the latter."""
    for top in range(0, height, STRIP_PX):
        first = max(0, top - SQUARE_PX // 2)
        own = slice(top - first, top - first + STRIP_PX)
        yield slice(top, top + STRIP_PX), slice(first, top + STRIP_PX + SQUARE_PX // 2), own


def _agreed(details: Sequence[Detail], rows: slice) -> np.ndarray | bool:
    """(h, W) bool: where two of these agree, in some of their rows; False of fewer than two."""
    agreed: np.ndarray | bool = False
    for one, other in combinations(details, 2):
        agreed = agreed | (one.likeness(other)[rows] >= SEEN)
    return agreed


def kept_pictures(pictures: Sequence[np.ndarray], most: int) -> list[int]:
    """Which of `pictures` (H, W, 3) uint8 of one view, the latest last, tell most of how it looks: the latest, and of
    the two before those that are dropped the one in light least like the latest, so that a shadow which comes and goes
    does not leave itself alone. Their indices, `most` at most, in order."""
    if len(pictures) <= most:
        return list(range(len(pictures)))
    thin = [cv2.LUT(np.ascontiguousarray(one[::THIN, ::THIN]), LIGHT_OF) for one in pictures]
    apart = [float(np.abs(one - thin[-1]).mean()) for one in thin]
    late = range(len(pictures) - most + 1, len(pictures))
    first = max(range(late.start), key=lambda number: apart[number])
    return [first, *late]


def seen_as_before(
    earlier: Sequence[PosedPicture], now: PosedPicture, view_mm: np.ndarray, size_px: tuple[int, int]
) -> np.ndarray:
    """(H, W) bool over a view of `size_px`, one a mm, with corners `view_mm` (4, 2): where `now` shows the detail that
    the `earlier` pictures showed, the latest last, or the colour that one of them did; nowhere without any."""
    view = now.view(view_mm, size_px)
    grain, light = grain_of(view), _light(view)
    known: Grain | None = None
    alike = np.zeros(view.shape[:2], bool)
    for one in earlier:
        before = one.view(view_mm, size_px)
        known = grain_of(before).after(known)
        alike |= _same_light(light, _light(before))
    shown = None if known is None else known.again(grain)
    return alike if shown is None else np.asarray(alike | shown)


def only_light_differs(before_bgr: np.ndarray, now_bgr: np.ndarray) -> np.ndarray:
    """(H, W) bool: where two views (H, W, 3) uint8 of one place may show the same thing in more or less light, when
    what differs all over is made up for: in a shadow that has come or gone a camera's noise may drown all detail."""
    channels = cv2.split(cv2.subtract(_light(now_bgr, SQUARE_PX), _light(before_bgr, SQUARE_PX)))
    apart = np.stack([one - float(np.float32(median(one[::4, ::4]))) for one in channels])
    light = apart.mean(axis=0)
    return np.asarray((np.abs(apart - light).max(axis=0) < SAME_HUE) & (np.abs(light) < DEEP_SHADOW))


def _same_light(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(H, W) bool: where two lights (H, W, 3) float32 differ in no channel by more than they do in the median. Channel
    by channel: over the last axis of three NumPy takes eight times as long."""
    same = np.ones(one.shape[:2], bool)
    for apart in cv2.split(cv2.subtract(one, other)):
        usual = float(np.float32(median(apart[::4, ::4])))
        same &= cv2.absdiff(apart, usual) < SAME_LIGHT
    return same


def _light(view_bgr: np.ndarray, mean_px: int = SQUARE_PX // 2) -> np.ndarray:
    """(H, W, 3) float32: the logarithm of the light of a view (H, W, 3) uint8, without its detail."""
    return np.asarray(cv2.blur(cv2.LUT(view_bgr, LIGHT_OF), (mean_px, mean_px)))
