"""A map's picture beside earlier ones of the same view: whether an arm has come in since, in whatever light."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from vision.appearance.placed_face import PX_PER_MM
from vision.tables.again.incremental import LOOKS, TableMemory, ZoneLook
from vision.tables.again.reached import in_picture
from vision.tables.changes import find_changes
from vision.tables.place import Shot
from vision.view.as_before import KeptView, kept_pictures
from vision.view.other_light import SOFT_MM, in_other_light
from vision.view.reach import NARROW_MM, come_in, detail_since, without_light


def kept_looks(memory: TableMemory | None, seen: np.ndarray) -> tuple[KeptView, ...]:
    """What is kept of how a map has looked, with what is `seen` of it now (H, W, 3) uint8."""
    known = () if memory is None else memory.looks
    looks = (*(one for one in known if one.view_bgr.shape == seen.shape), KeptView(seen))
    return tuple(looks[number] for number in kept_pictures([one.view_bgr for one in looks], LOOKS))


def is_reached_over(shot: Shot, memory: TableMemory, look: ZoneLook, slots: Sequence[SlotOutline]) -> bool:
    """Whether something has come in from the picture's edge, since a map was read, to any of the `slots`. What stays
    just so is no arm: either it was laid there, or an arm that was not noticed has gone. What shows the detail that was
    there before is the same in other light, and on a table without detail what has the colour that was there and no
    hand has; where light has changed all over, what hides such detail has come in."""
    window, now = look.window, KeptView(look.seen)
    shown_part = in_picture(shot, window)
    near: np.ndarray | None = None
    detail: tuple[np.ndarray, np.ndarray] | None = None
    for before in (None, *memory.reached_bgr):
        changes = look.changes if before is None else find_changes(before, look.seen)
        if changes is None:
            return False
        near = window.mask([np.array(o.corners_mm) for o in slots], 0.0) if near is None else near
        if changes.same_light and not _is_over(come_in(changes.changed, shown_part, PX_PER_MM), near):
            return False  # in most pictures: of what has changed an arm is a part, and nobody need know more
        detail = detail or detail_since(memory.looks, now, shown_part, PX_PER_MM)
        shown, hidden = detail
        if before is not None:
            shown = shown | detail_since((KeptView(before),), now, shown_part, PX_PER_MM)[0]
        strange = (changes.changed > 0 if changes.same_light else hidden) & ~shown
        arm = come_in(strange.astype(np.uint8), shown_part, PX_PER_MM)
        if not _is_over(arm, near):
            return False
        if not _is_over(_without_other_light(arm, near, memory.looks, look.seen), near):
            return False
    return True


def _without_other_light(
    arm: np.ndarray, near: np.ndarray, looks: Sequence[KeptView], seen: np.ndarray
) -> np.ndarray:
    """(H, W) bool: what `without_light` leaves of the parts of an arm (H, W) bool that lie over the places `near`, the
    same, where what is `seen` (H, W, 3) uint8 is compared with `looks`. Around them nothing need be looked at."""
    out = np.zeros(arm.shape, bool)
    _, labels = cv2.connectedComponents(arm.astype(np.uint8), connectivity=8)
    over = np.zeros(int(labels.max()) + 1, bool)
    over[labels[arm & near]] = True
    mine = over[labels]
    left, top, wide, high = cv2.boundingRect(mine.astype(np.uint8))
    reach = int(np.ceil(max(SOFT_MM, NARROW_MM) * PX_PER_MM))
    box = slice(max(0, top - reach), top + high + reach), slice(max(0, left - reach), left + wide + reach)
    light = in_other_light((one.view_bgr[box] for one in looks), seen[box], PX_PER_MM)
    out[box] = without_light(mine[box], light, PX_PER_MM)
    return out


def _is_over(arm: np.ndarray, near: np.ndarray) -> bool:
    """Whether more than a cable of an arm (H, W) bool lies over the places `near` (H, W) bool."""
    return cv2.countNonZero((arm & near).astype(np.uint8)) > (NARROW_MM * PX_PER_MM) ** 2
