"""Icons that are there or not: told by the place at which the confirmed ones look alike and no other face does; before
any is confirmed, guessed by what recurs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.recurring import GROUNDS, ICON_PX, TOLD_APART, Recurring, find_recurring
from calibration.face_print.small_view import SMALL, small_view, window_share, windows
from calibration.proposals.faces import Proposal, Reading
from calibration.proposals.grounds import ground_groups
from companion.core.face_form import NO, YES, FaceField, FaceForm, Shown

F32 = NDArray[np.float32]

CONFIRMED_WITH, CONFIRMED_WITHOUT = 2, 4
"""So many faces with the icon and without it must be confirmed before anything is said unasked."""
WITHIN, BEYOND = 1.3, 0.75
"""How far an icon may be from the confirmed ones against the farthest of these, and how far a face without one must be
against the nearest of those that are known to be without: in any turn, as it may lie another way up."""
NEAR, HALF_WAY = 0.25, 0.5
"""Two or three confirmed icons do not tell yet how far one may be: so near, against the nearest face without one, it is
surely one, and half-way it is likelier one than not."""


def propose_icon(reading: Reading, number: int, field: FaceField) -> Proposal:
    """Whether the icon is on the face: surely where confirmed ones are told apart at one place."""
    told = reading.told(field)
    with_icon = tuple(k for k, value in told if value == YES)
    without = tuple(k for k, value in told if value == NO)
    if len(with_icon) < CONFIRMED_WITH or len(without) < CONFIRMED_WITHOUT:
        return _guess(reading, number, field)
    kept, key = reading.places.likenesses, ("icon", field.key, with_icon, without)
    if key not in kept:
        kept[key] = _learnt(
            [small_view(reading.faces[k].view) for k in with_icon],
            [small_view(reading.faces[k].view) for k in without],
            reading.form,
        )
    learnt = kept[key]
    if learnt is None:
        return _guess(reading, number, field)
    assert isinstance(learnt, _Icon)
    small = small_view(reading.faces[number].view)
    box = window_share(learnt.left, learnt.top, learnt.side)
    apart = learnt.apart(small)
    if apart <= max(WITHIN * learnt.farthest, NEAR * learnt.nearest_other):
        return Proposal(YES, True, (), box)
    if apart < HALF_WAY * learnt.nearest_other:
        return Proposal(YES, False, (), box)
    nearest = min(learnt.apart(way) for way in _in_all_turns(small, reading.form))
    # confirmed on one ground alone, the window may show more of that ground than of the icon
    groups = ground_groups(reading)
    grounds = {groups[k] for k in with_icon}
    met = len(grounds) >= GROUNDS or groups[number] in grounds
    return Proposal(NO, met and nearest >= BEYOND * learnt.nearest_other, (), box)


def _guess(reading: Reading, number: int, field: FaceField) -> Proposal:
    """Whether the face has the recurring icon that is most likely this one."""
    for field_key, icon in _icons_of(reading).items():
        if number in icon.members:
            return Proposal(YES if field_key == field.key else NO, False, (), window_share(*icon.box))
    return Proposal(NO, False)


def _icons_of(reading: Reading) -> dict[str, Recurring]:
    """The recurring icon of each field: that which most of those who were confirmed to have it show and fewest of those
    without; else the most frequent of what is left, as a form names the more frequent icon first."""
    kept = reading.places.likenesses
    if ("recurring",) not in kept:
        smalls = [small_view(face.view) for face in reading.faces]
        grounds = [face.view.ground for face in reading.faces]
        kept["recurring",] = find_recurring(smalls, grounds, ground_groups(reading))
    found = kept["recurring",]
    assert isinstance(found, tuple)
    left = list(found)
    out: dict[str, Recurring] = {}
    for field in reading.form.fields:
        if field.shown is Shown.ICON and left:
            told = reading.told(field)
            agreed = [sum((1 if value == YES else -1) for k, value in told if k in icon.members) for icon in left]
            best = max(range(len(left)), key=lambda n: (agreed[n], -n))
            if agreed[best] >= 0:
                out[field.key] = left.pop(best)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Icon:
    """An icon: its look (side, side, 3) Lab and where it stands (left, top), how far the confirmed ones are from it at
    most, and how near it a face without one comes at least, in whichever turn that lies."""

    look: F32
    left: int
    top: int
    farthest: float
    nearest_other: float

    @property
    def side(self) -> int:
        """Side of its window, px of a small view."""
        return len(self.look)

    def apart(self, small: F32) -> float:
        """How far (Lab units a pixel) a face is from the icon at its place, a pixel off at most."""
        around = small[self.top - 1 : self.top + self.side + 1, self.left - 1 : self.left + self.side + 1]
        squares = cv2.matchTemplate(np.ascontiguousarray(around), self.look, cv2.TM_SQDIFF)
        return float(np.sqrt(max(float(squares.min()), 0.0) / self.side**2))


def _in_all_turns(small: F32, form: FaceForm) -> list[F32]:
    """A face as it lies, and in every other turn in which the camera may have seen it."""
    outline = form.outlines[0] if form.outlines else None
    width, height = form.size_mm if outline is None else outline.size_mm
    turns = outline.turns if outline is not None else 4 if width == height else 2
    middle = (SMALL - 1) / 2
    out = [small]
    for k in range(1, turns):
        cos, sin = np.cos(2 * np.pi * k / turns), np.sin(2 * np.pi * k / turns)
        turn = np.array([[cos, sin * height / width], [-sin * width / height, cos]])
        moved = np.column_stack([turn, middle - turn @ (middle, middle)])
        out.append(np.asarray(cv2.warpAffine(small, moved, (SMALL, SMALL), borderMode=cv2.BORDER_REPLICATE)))
    return out


def _learnt(with_icon: list[F32], without: list[F32], form: FaceForm) -> _Icon | None:
    """The window in which the faces with the icon are most alike against those without; None where none tells."""
    mean = np.array(with_icon).mean(axis=0)
    turned = [way for one in without for way in _in_all_turns(one, form)]
    best: tuple[float, int, int, int] = (0.0, 0, 0, 0)
    for side in ICON_PX:
        own = np.max([windows(((one - mean) ** 2).sum(-1), side) for one in with_icon], axis=0)
        others = np.min([windows(((one - mean) ** 2).sum(-1), side) for one in turned], axis=0)
        ratio = np.sqrt(others / np.maximum(own, 1.0))
        y, x = np.unravel_index(int(ratio.argmax()), ratio.shape)
        best = max(best, (float(ratio[y, x]), int(x) + 1, int(y) + 1, side))
    told_apart, left, top, side = best
    if told_apart < TOLD_APART:
        return None
    icon = _Icon(np.ascontiguousarray(mean[top : top + side, left : left + side]), left, top, 0.0, 0.0)
    farthest = max(icon.apart(one) for one in with_icon)
    nearest_other = min(icon.apart(one) for one in turned)
    told_apart = nearest_other > TOLD_APART * farthest
    return replace(icon, farthest=farthest, nearest_other=nearest_other) if told_apart else None
