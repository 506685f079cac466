"""Where a view still shows what earlier pictures of it showed: the same fine detail, or the same colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.median import median
from vision.view.hidden_grain import LIGHT_OF, SEEN, SQUARE_PX, Detail, Grain, grain_of

# Of two pictures of one view the same plain thing differs by so much of its light in no channel, when that of the whole
# view is made up for. A shadow that has come takes more; there only detail tells.
SAME_LIGHT = 0.08

# Correlation from which one picture shows the detail of another one. In a rendered rough room wood in a shadow so deep
# that a camera's noise drowns most of its grain had 0.3 and more in 95 % of its squares, an arm 0.2 at most in 75 %.
SHOWN = 0.3

# So far (px) the edge of a picture is seen in the detail around it.
EDGE = np.ones((13, 13), np.uint8)

# Every so many-th pixel tells how much two pictures' light differs.
THIN = 16


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A picture (H, W, 3) BGR uint8 of a table, and its pose."""

    image: np.ndarray
    pose: TablePose


def detail_before(
    earlier: Sequence[np.ndarray], now: np.ndarray, in_picture: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(H, W) bool each, over views (H, W, 3) uint8 of one place, one px a mm: where `now` shows the detail that one of
    the `earlier` ones showed; and where it hides the detail in which two of these agree. Light leaves detail as it is.

    `in_picture` (H, W) bool: what the pictures show, all by default; the edge where they end is none of their detail.
    """
    before, there = [grain_of(one).detail for one in earlier], grain_of(now).detail
    if in_picture is not None:
        inner = cv2.erode(in_picture.astype(np.uint8), EDGE, borderType=cv2.BORDER_CONSTANT, borderValue=1)
        before, there = [Detail.of(one.values * inner) for one in before], Detail.of(there.values * inner)
    shown = hidden = np.zeros(now.shape[:2], bool)
    for number, one in enumerate(before):
        shown = shown | (one.likeness(there) >= SHOWN)
        for other in before[:number]:
            hidden = hidden | (one.likeness(other) >= SEEN)
    return shown, hidden & ~shown


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


def seen_as_before(earlier: Sequence[Look], now: Look, view_mm: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
    """(H, W) bool over a view of `size_px`, one a mm, with corners `view_mm` (4, 2): where `now` shows the detail that
    the `earlier` pictures showed, the latest last, or the colour that one of them did; nowhere without any."""
    view = _seen(now, view_mm, size_px)
    grain, light = grain_of(view), _light(view)
    known: Grain | None = None
    alike = np.zeros(view.shape[:2], bool)
    for one in earlier:
        before = _seen(one, view_mm, size_px)
        known = grain_of(before).after(known)
        apart = light - _light(before)
        apart -= np.array([median(channel[::4, ::4]) for channel in cv2.split(apart)], np.float32)
        alike |= np.abs(apart).max(axis=2) < SAME_LIGHT
    shown = None if known is None else known.again(grain)
    return alike if shown is None else np.asarray(alike | shown)


def _seen(look: Look, view_mm: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
    return rectify(look.image, look.pose, view_mm, 0.0, size_px, loosely=True)


def _light(view_bgr: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the logarithm of the light of a view (H, W, 3) uint8, without its detail."""
    return np.asarray(cv2.blur(cv2.LUT(view_bgr, LIGHT_OF), (SQUARE_PX // 2, SQUARE_PX // 2)))
