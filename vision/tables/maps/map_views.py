"""A map's picture beside earlier ones of the same view: whether an arm has come in since, in whatever light."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from vision.appearance.placed_face import PX_PER_MM
from vision.median import byte_median
from vision.tables.again.incremental import LOOKS, TableMemory, ZoneLook
from vision.tables.again.reached import in_picture
from vision.tables.changes import Changes, find_changes, find_wide_changes
from vision.tables.place import Shot
from vision.view.as_before import KeptView, kept_pictures
from vision.view.other_light import SOFT_MM, in_other_light, is_of_no_skin
from vision.view.reach import BRIDGED_MM, NARROW_MM, come_in, detail_since, picture_edge, with_detail, without_light

# What is darker than this part of the middle brightness of a picture shows no change from one black thing to another: a
# black sleeve over a black box. Where as much of the picture as this is so dark, it is the table.
BLACK, MOST_BLACK = 0.35, 0.1

# Of every so many pixels that is told.
THIN_PX = 4


def kept_looks(memory: TableMemory | None, now: KeptView, moved_s: float) -> tuple[KeptView, ...]:
    """What is kept of how a map has looked, with the view of it `now`, since which nothing has moved from `moved_s` on
    (-inf: unknown): one look a rest. Its pictures may share their noise, as those of a video stream do, and what only
    they agree on is not known to be the table's."""
    known = () if memory is None else memory.looks
    if memory is not None and moved_s == memory.moved_s > -np.inf:
        known = known[:-1]
    looks = (*(one for one in known if one.view_bgr.shape == now.view_bgr.shape), now)
    return tuple(looks[number] for number in kept_pictures([one.view_bgr for one in looks], LOOKS))


def is_reached_over(
    shot: Shot, memory: TableMemory, look: ZoneLook, now: KeptView, slots: Sequence[SlotOutline]
) -> bool:
    """Whether something has come in from the picture's edge, since a map was read, to any of the `slots`. What stays
    just so is no arm: either it was laid there, or an arm that was not noticed has gone. What shows the detail that was
    there before is the same in other light, and on a table without detail what has the colour that was there and no
    hand has; where light has changed all over, what hides such detail has come in. What is black then and now may be a
    part of it: a sleeve over a black box. `now`: the view of `look`."""
    window = look.window
    shown_part = in_picture(shot, window)
    near: np.ndarray | None = None
    detail: tuple[np.ndarray, np.ndarray] | None = None
    plain: np.ndarray | None = None
    for before in (None, *memory.reached):
        changes = look.changes if before is None else find_changes(before.view_bgr, look.seen)
        if changes is None:
            return False
        near = window.mask([np.array(o.corners_mm) for o in slots], 0.0) if near is None else near
        black = _black_beside(changes, look.seen, shown_part)
        if changes.same_light and not _is_over(come_in(changes.changed | black, shown_part, PX_PER_MM, near), near):
            return False  # in most pictures: of what has changed an arm is a part, and nobody need know more
        detail = detail or detail_since(memory.looks, now, shown_part, PX_PER_MM)
        shown, hidden = detail
        if before is not None:
            shown = shown | detail_since((before,), now, shown_part, PX_PER_MM)[0]
        strange = (changes.changed > 0 if changes.same_light else hidden) & ~shown
        # whether the table has detail is told by two pictures; the first one may have held an arm
        known = not changes.is_comparable and len(memory.looks) > 1
        wide = find_wide_changes(changes.before_bgr, look.seen) if known else None
        if wide is not None:  # noise hides pieces, and drowns what little detail there may be, but no arm
            plain = ~with_detail(memory.looks, shown_part.shape, PX_PER_MM) if plain is None else plain
            shown, strange = shown & ~plain, np.where(plain, wide > 0, strange)
        arm = come_in(strange.astype(np.uint8) | (black & ~shown), shown_part, PX_PER_MM, near)
        if not _is_over(arm, near):
            return False
        if not _is_over(_without_other_light(arm, near, memory.looks, look.seen, shown_part), near):
            return False
    return True


def _without_other_light(
    arm: np.ndarray, near: np.ndarray, looks: Sequence[KeptView], seen: np.ndarray, shown_part: np.ndarray
) -> np.ndarray:
    """(H, W) bool: what `without_light` leaves of the parts of an arm (H, W) bool that lie over the places `near`, the
    same, where what is `seen` (H, W, 3) uint8 is compared with `looks`. Around them nothing need be looked at.
    `shown_part`: (H, W) bool."""
    out = np.zeros(arm.shape, bool)
    _, labels = cv2.connectedComponents(arm.astype(np.uint8), connectivity=8)
    over = np.zeros(int(labels.max()) + 1, bool)
    over[labels[arm & near]] = True
    mine = over[labels]
    left, top, wide, high = cv2.boundingRect(mine.astype(np.uint8))
    reach = int(np.ceil(max(SOFT_MM, NARROW_MM) * PX_PER_MM))
    box = slice(max(0, top - reach), top + high + reach), slice(max(0, left - reach), left + wide + reach)
    earlier = [one.view_bgr[box] for one in looks]
    table = np.median(seen[::THIN_PX, ::THIN_PX][shown_part[::THIN_PX, ::THIN_PX]], axis=0)
    coloured = is_of_no_skin(table)
    if coloured:  # where a hand that rested has gone nothing but the table is seen
        earlier.append(np.full_like(seen[box], table))
    light = in_other_light(earlier, seen[box], PX_PER_MM, hands_rest=coloured)
    out[box] = without_light(mine[box], light, picture_edge(shown_part, PX_PER_MM)[box], PX_PER_MM)
    return out


def _black_beside(changes: Changes, seen: np.ndarray, shown_part: np.ndarray) -> np.ndarray:
    """(H, W) uint8, 1 where `seen` (H, W, 3) uint8 is as black as it was before; none where nothing so black lies
    within reach of what has changed, as in most pictures. `shown_part`: (H, W) bool."""
    out = np.zeros(shown_part.shape, np.uint8)
    left, top, wide, high = cv2.boundingRect(changes.changed)
    reach = int(np.ceil(BRIDGED_MM * PX_PER_MM))
    near = slice(max(0, top - reach), top + high + reach), slice(max(0, left - reach), left + wide + reach)
    both = changes.before_bgr, seen
    most = [_most_black(one, shown_part) for one in both]

    def is_black(part: tuple[slice, slice]) -> np.ndarray:
        dark = (cv2.inRange(_grey(one[part]), 0.0, limit) for one, limit in zip(both, most, strict=True))
        return np.asarray(cv2.bitwise_and(*dark) & 1)

    if wide and min(most) > 0.0 and is_black(near).any():
        out = is_black((slice(None), slice(None))) & shown_part
    return out


def _most_black(seen: np.ndarray, shown_part: np.ndarray) -> float:
    """The grey level up to which what is seen, (H, W, 3) uint8, is black; 0 where too much of it is."""
    levels = _grey(seen[::THIN_PX, ::THIN_PX])[shown_part[::THIN_PX, ::THIN_PX]]
    if not levels.size:
        return 0.0
    most = BLACK * byte_median(levels)
    return most if np.count_nonzero(levels <= most) <= MOST_BLACK * levels.size else 0.0


def _grey(seen: np.ndarray) -> np.ndarray:
    """(H, W) uint8 of a picture (H, W, 3) uint8."""
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(seen), cv2.COLOR_BGR2GRAY))


def _is_over(arm: np.ndarray, near: np.ndarray) -> bool:
    """Whether more than a cable of an arm (H, W) bool lies over the places `near` (H, W) bool."""
    return cv2.countNonZero((arm & near).astype(np.uint8)) > (NARROW_MM * PX_PER_MM) ** 2
