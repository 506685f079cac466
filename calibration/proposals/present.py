"""Icons that are there or not: told by the place at which the confirmed ones look alike and no other face does."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.proposals.face_view import FaceView
from calibration.proposals.faces import Proposal, Reading
from companion.core.face_form import NO, YES, FaceField

F32 = NDArray[np.float32]

SMALL = 40
"""Side, px, to which a face is shrunk: an icon of a fifth of it has 8, and a cut that is a pixel askew none."""
ICON_PX = (7, 9)
"""Sides of the windows that are tried, of those 40 px."""
CONFIRMED_WITH, CONFIRMED_WITHOUT = 2, 4
"""So many faces with the icon and without it must be confirmed before anything is said unasked."""
TOLD_APART = 2.0
"""So many times as far as the confirmed icons are from each other must every face without one be."""
WITHIN, BEYOND = 1.3, 0.75
"""How far an icon may be from the confirmed ones against the farthest of these, and how far a face without one must be
against the nearest of those that are known to be without: anywhere on it, as it may lie another way up."""


def propose_icon(reading: Reading, number: int, field: FaceField) -> Proposal:
    """Whether the icon is on the face: surely where confirmed ones are told apart at one place."""
    told = reading.told(field)
    with_icon = tuple(k for k, value in told if value == YES)
    without = tuple(k for k, value in told if value == NO)
    if len(with_icon) < CONFIRMED_WITH or len(without) < CONFIRMED_WITHOUT:
        return Proposal(NO, False)
    kept, key = reading.places.likenesses, ("icon", field.key, with_icon, without)
    if key not in kept:
        kept[key] = _learnt(
            [_small(reading.faces[k].view) for k in with_icon], [_small(reading.faces[k].view) for k in without]
        )
    learnt = kept[key]
    if learnt is None:
        return Proposal(NO, False)
    assert isinstance(learnt, _Icon)
    small = _small(reading.faces[number].view)
    there, anywhere = learnt.apart(small)
    x, y, side = learnt.box
    box = (x / SMALL, y / SMALL, (x + side) / SMALL, (y + side) / SMALL)
    if there <= WITHIN * learnt.farthest:
        return Proposal(YES, True, (), box)
    return Proposal(NO, anywhere >= BEYOND * learnt.nearest_other, (), box)


class _Icon:
    """An icon: its look (side, side, 3) Lab and where it stands, how far the confirmed ones are from it at most, and
    how near it the print of a face without one comes at least, anywhere."""

    def __init__(self, look: F32, box: tuple[int, int, int], farthest: float, nearest_other: float) -> None:
        self.look, self.box, self.farthest, self.nearest_other = look, box, farthest, nearest_other

    def apart(self, small: F32) -> tuple[float, float]:
        """How far (Lab units a pixel) a face is from the icon at its place, a pixel off at most, and anywhere."""
        everywhere = _distances(small, self.look)
        x, y, _ = self.box
        return float(everywhere[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].min()), float(everywhere.min())


def _small(view: FaceView) -> F32:
    return np.asarray(cv2.resize(view.lab, (SMALL, SMALL), interpolation=cv2.INTER_AREA), np.float32)


def _distances(small: F32, look: F32) -> F32:
    """(H, W) root mean square distance from the look of every window of its size."""
    squares = cv2.matchTemplate(small, look, cv2.TM_SQDIFF)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / (look.shape[0] * look.shape[1])), np.float32)


def _learnt(with_icon: list[F32], without: list[F32]) -> _Icon | None:
    """The window in which the faces with the icon are most alike against those without; None where none tells."""
    stack = np.array(with_icon)
    mean = stack.mean(axis=0)
    best: tuple[float, int, int, int] = (0.0, 0, 0, 0)
    for side in ICON_PX:
        box = (side, side)
        own = [cv2.boxFilter(((one - mean) ** 2).sum(-1), -1, box, anchor=(0, 0)) for one in with_icon]
        others = [cv2.boxFilter(((one - mean) ** 2).sum(-1), -1, box, anchor=(0, 0)) for one in without]
        ratio = np.sqrt(np.min(others, axis=0) / np.maximum(np.max(own, axis=0), 1.0))
        inner = ratio[1 : SMALL - side, 1 : SMALL - side]
        y, x = np.unravel_index(int(inner.argmax()), inner.shape)
        best = max(best, (float(inner[y, x]), int(x) + 1, int(y) + 1, side))
    told_apart, left, top, side = best
    if told_apart < TOLD_APART:
        return None
    look = np.ascontiguousarray(mean[top : top + side, left : left + side])
    icon = _Icon(look, (left, top, side), 0.0, 0.0)
    icon.farthest = max(icon.apart(one)[0] for one in with_icon)
    icon.nearest_other = min(icon.apart(one)[1] for one in without)
    return icon if icon.nearest_other > TOLD_APART * icon.farthest else None

