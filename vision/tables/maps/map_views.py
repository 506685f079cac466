"""A map's picture beside earlier ones of the same view: whether an arm has come in since, in whatever light."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM
from vision.tables.again.changes import find_changes
from vision.tables.again.incremental import LOOKS, TableMemory, ZoneLook
from vision.tables.place import Shot
from vision.view.as_before import kept_pictures
from vision.view.reach import NARROW_MM, come_in, detail_since


def kept_looks(memory: TableMemory | None, seen: np.ndarray) -> tuple[np.ndarray, ...]:
    """What is kept of how a map has looked, with what is `seen` of it now (H, W, 3) uint8."""
    known = () if memory is None else memory.looks_bgr
    looks = (*(one for one in known if one.shape == seen.shape), seen)
    return tuple(looks[number] for number in kept_pictures(looks, LOOKS))


def is_reached_over(shot: Shot, memory: TableMemory, look: ZoneLook, slots: Sequence[SlotOutline]) -> bool:
    """Whether something has come in from the picture's edge, since a map was read, to any of the `slots`. What stays
    just so is no arm: either it was laid there, or an arm that was not noticed has gone. What shows the detail that was
    there before is the same in other light; where light has changed all over, what hides such detail has come in."""
    window = look.window
    in_picture = _in_picture(shot, window)
    near: np.ndarray | None = None
    detail: tuple[np.ndarray, np.ndarray] | None = None
    for before in (None, *memory.reached_bgr):
        changes = look.changes if before is None else find_changes(before, look.seen)
        if changes is None:
            return False
        if changes.same_light and not come_in(changes.changed, in_picture, PX_PER_MM).any():
            return False  # in most pictures: then nobody need know more
        detail = detail or detail_since(memory.looks_bgr, look.seen, in_picture, PX_PER_MM)
        shown, hidden = detail
        if before is not None:
            shown = shown | detail_since((before,), look.seen, in_picture, PX_PER_MM)[0]
        strange = (changes.changed > 0 if changes.same_light else hidden) & ~shown
        arm = come_in(strange.astype(np.uint8), in_picture, PX_PER_MM)
        if near is None:
            near = window.mask([np.array(o.corners_mm) for o in slots], 0.0)
        if cv2.countNonZero((arm & near).astype(np.uint8)) <= (NARROW_MM * PX_PER_MM) ** 2:
            return False
    return True


def _in_picture(shot: Shot, window: Window) -> np.ndarray:
    """(H, W) bool: the part of a window that is in the picture."""
    height, width = shot.image.shape[:2]
    edges_px = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)
    return window.mask([shot.pose.to_table(edges_px)], 0.0)
