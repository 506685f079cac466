"""Whether an arm has come in over what seems gone since a zone was read: in the table's own colours it looks bare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np

from companion.core.types import Slot
from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM, PlacedFace
from vision.tables.again.incremental import ZoneLook
from vision.tables.again.same_card import print_is_seen_partly
from vision.tables.changes import Changes, find_wide_changes, is_noisy_all_over
from vision.tables.face_at_place import UNLIKE_A_FACE
from vision.tables.light.faces_in_light import FAR_FROM
from vision.tables.place import PlaceReading, PlaceState, Shot
from vision.view.arms.occlusion import COVERED_SHARE
from vision.view.as_before import KeptView, only_light_differs
from vision.view.reach import NARROW_MM, come_in, detail_since

# A card's edge is seen against so much of the table beside it (mm): two pixels of a camera far away.
EDGE_MM = 2.0

# A hand that takes a card away leaves the table beside its place as it was, so far (mm) from it: as far as a card may
# lie astray.
BESIDE_MM = 10.0

# A count that is no likelier right than wrong says nothing of what stood there.
EVEN = 0.5

# What is narrower than half of what an arm is at least is noise: an arm has its own colours, or hides detail, in parts.
PART = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(NARROW_MM / 2 * PX_PER_MM),) * 2)


def is_gone_under_arm(
    shot: Shot, look: ZoneLook, before: Mapping[Slot, PlaceReading], now: Mapping[Slot, PlaceReading],
    places_mm: Mapping[Slot, np.ndarray], faces_of: Callable[[PlaceReading], Sequence[PlacedFace]],
) -> bool:
    """Whether faces or pieces that lay in a zone `before` seem to be gone `now` where something has come in over them,
    or beside a face's place, from beyond the zone, or a part of such a face is still seen. A hand takes what it takes
    away with it, all of it, and leaves the table beside it as it was.

    `look`: the zone in `shot`, with its changes since; `places_mm`: slot -> corners (4, 2); `faces_of`: what may have
    lain in a place, where it lay. An arm of the table's own
    colours is told by the detail that it hides, and by another hue than was there before: it lies over cards, too.
    """
    gone = [slot for slot, one in before.items() if _seems_gone(one, now[slot])]
    if not gone or look.changes is None:
        return False
    seen, earlier, shown_part = look.seen, look.changes.before_bgr, in_picture(shot, look.window)
    bare = [before[slot] for slot in gone if now[slot].state is PlaceState.EMPTY]
    for one in bare:
        if one.corners_mm is None:
            continue
        box = look.window.box(one.corners_mm, EDGE_MM)
        if print_is_seen_partly(earlier[box], seen[box], look.window.part(box), faces_of(one)):
            return True
    shown, _ = detail_since((KeptView(earlier),), KeptView(seen), shown_part, PX_PER_MM)
    strange = (_changed(look.changes, seen) > 0) & ~shown & ~only_light_differs(earlier, seen)
    # where a card lay another look tells nothing of an arm: it is there, too, when the card was taken away
    lay = [at for slot in gone if _lay_there(before[slot]) and (at := before[slot].corners_mm) is not None]
    strange &= ~look.window.mask(lay, EDGE_MM)
    # before gaps are bridged: in a dark picture noise alone makes specks of other hue all over
    wide = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, PART)
    arm = come_in(wide, shown_part, PX_PER_MM)
    reaches = {slot: BESIDE_MM if _lay_there(before[slot]) else 0.0 for slot in gone}
    return any(arm[look.window.mask([places_mm[slot]], mm)].mean() > COVERED_SHARE for slot, mm in reaches.items())


def _changed(changes: Changes, seen: np.ndarray) -> np.ndarray:
    """(H, W) uint8: where what is `seen` has changed; where noise hides what is small, as widely as an arm is."""
    if changes.is_comparable or not is_noisy_all_over(changes.before_bgr, seen):
        return changes.changed
    wide = find_wide_changes(changes.before_bgr, seen)
    return changes.changed if wide is None else wide


def in_picture(shot: Shot, window: Window) -> np.ndarray:
    """(H, W) bool: the part of a window that is in the picture."""
    height, width = shot.image.shape[:2]
    edges_px = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)
    return window.mask([shot.pose.to_table(edges_px)], 0.0)


def _seems_gone(before: PlaceReading, now: PlaceReading) -> bool:
    fewer = sum(dict(now.pieces).values()) < sum(dict(before.pieces).values()) and before.pieces_p > EVEN
    return fewer or (_lay_there(before) and now.state is PlaceState.EMPTY)


def _lay_there(one: PlaceReading) -> bool:
    """Whether a face lay in a place, named or not: one that is burnt out has no name. What looked far from any face was
    a hand, or table in noise or another light."""
    if one.state is PlaceState.FACE:
        return True
    if one.state is not PlaceState.UNKNOWN or one.corners_mm is None:
        return False
    return one.burnt_out or one.likeness >= FAR_FROM * UNLIKE_A_FACE
