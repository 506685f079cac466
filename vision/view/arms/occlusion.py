"""What lies over the slots in one picture, as it was found: how much of each slot, and whether a hand does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Slot
from vision.view.arms.rim import MM_PER_PX
from vision.view.hidden_grain import Grain
from vision.view.resting import no_more

MIN_FINGER_MM = 12.0  # thinner things of the arm's colour, such as tiles' borders, are not the arm
TOUCHED_SHARE = 0.02
COVERED_SHARE = 0.06  # a slot is covered when more than this share of it is: a finger tip over a tile's icon


@dataclass(frozen=True, slots=True, eq=False)
class Occlusion:
    """What reaches over the slots. `share`: slot -> covered part of its area, 0 to 1.

    `hand`: whether anything covers a slot, or a sleeve of which no more is seen points at one. `mask`: (H, W) bool over
    the view of the slots and the ring, None when nothing crosses the ring; `view_mm`: its corners (4, 2), table mm,
    clockwise from top left. `rings`: (N, 3) colours around each zone that was seen, to compare a later picture with;
    `beside`: (N,) bool for each, where something crosses it that seems to end before the slots; `grains`: the fine
    detail of each zone and its ring, for the same; None of a large one. `pointed`: the slots that lie in the way of a
    hand, seen or not. `rested`: the slots over which what is no hand lies. `still`: (N,) bool for each zone, where what
    crosses its ring points at slots and covers none, or is a thing; `unread`: the slots on the way of such that has
    rested, of which nothing is believed; `things`: (N,) bool for each zone, where table is seen all around it.
    """

    hand: bool
    share: Mapping[Slot, float]
    mask: np.ndarray | None
    view_mm: np.ndarray
    rings: tuple[np.ndarray, ...] = ()
    beside: tuple[np.ndarray, ...] = ()
    grains: tuple[Grain | None, ...] = ()
    pointed: frozenset[Slot] = frozenset()
    rested: frozenset[Slot] = frozenset()
    still: tuple[np.ndarray, ...] = ()
    unread: frozenset[Slot] = frozenset()
    things: tuple[np.ndarray, ...] = ()

    def covered(self, limit: float = COVERED_SHARE) -> frozenset[Slot]:
        """The slots of which more than `limit` is covered."""
        return frozenset(slot for slot, share in self.share.items() if share > limit)

    def joined(self, other: Occlusion) -> Occlusion:
        """This and what covers other slots of the same picture."""
        return joined((self, other))

    def beside_resting(self, resting: Sequence[Occlusion]) -> Occlusion:
        """This and what is no hand and rests over slots of the same zone."""
        share = {slot: max([part, *(one.share[slot] for one in resting)]) for slot, part in self.share.items()}
        masks = [one.mask for one in (self, *resting) if one.mask is not None]
        mask = np.logical_or.reduce(masks) if masks else None
        rested = self.rested.union(*(one.rested for one in resting))
        return replace(self, share=share, mask=mask, rested=rested)

    def reaches(self, places_mm: np.ndarray) -> np.ndarray:
        """(N,) bool: over which places (N, 2), table mm, what crosses the ring is seen."""
        over = np.zeros(len(places_mm), bool)
        if self.mask is not None:
            columns, rows = np.round(to_px(places_mm, self.view_mm[0])).astype(int).T
            height, width = self.mask.shape
            inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
            over[inside] = self.mask[rows[inside], columns[inside]]
        return over

    def is_within(self, outlines_mm: Sequence[np.ndarray], slack_mm: float) -> bool:
        """Whether nothing as wide as a finger is seen to reach in but inside of these outlines (N, 2), table mm, each
        larger by `slack_mm` all around."""
        if self.mask is None:
            return True
        area = np.zeros(self.mask.shape, np.uint8)
        for outline in outlines_mm:
            cv2.fillPoly(area, [np.round(to_px(outline, self.view_mm[0])).astype(np.int32)], 1)
        wide = 2 * round(slack_mm / MM_PER_PX) + 1
        return not is_finger_wide(self.mask & ~(cv2.dilate(area, np.ones((wide, wide), np.uint8)) > 0))

    def under_hand(self) -> frozenset[Slot]:
        """The slots over which a hand is seen."""
        return self.covered(TOUCHED_SHARE) - self.rested if self.hand else frozenset()

    def hand_over(self, slots: Sequence[SlotOutline]) -> bool:
        """Whether a hand is seen over any of `slots`, or a sleeve points at one."""
        return self.hand and bool((self.pointed | self.under_hand()) & {o.slot for o in slots})

    def hand_beside(self, slots: Sequence[SlotOutline], resting: Mapping[Slot, float]) -> frozenset[Slot]:
        """The other slots over which a hand is seen. `resting`: slot -> covered part, of those over which something has
        rested; as long as it does it is not asked whether a hand, nor is its edge, which covers a slot more beside
        `slots` in one picture and not in the next."""
        followed, under = {o.slot for o in slots}, self.under_hand()
        rests = {slot for slot, part in resting.items() if no_more(self.share.get(slot, 0.0), part)}
        edge = under - self.covered() if rests & under else frozenset()
        return under - rests - edge - followed


def joined(found: Sequence[Occlusion]) -> Occlusion:
    """What is found over zones of one picture, together."""
    shown = next((one for one in found if one.hand), found[0])
    share = {slot: part for one in found for slot, part in one.share.items()}
    rings = tuple(ring for one in found for ring in one.rings)
    beside = tuple(ring for one in found for ring in one.beside)
    grains = tuple(grain for one in found for grain in one.grains)
    pointed = frozenset(slot for one in found for slot in one.pointed)
    rested = frozenset(slot for one in found for slot in one.rested)
    still = tuple(ring for one in found for ring in one.still)
    unread = frozenset(slot for one in found for slot in one.unread)
    things = tuple(ring for one in found for ring in one.things)
    return Occlusion(
        shown.hand, share, shown.mask, shown.view_mm, rings, beside, grains, pointed, rested, still, unread, things
    )


def finger_kernel() -> np.ndarray:
    """(k, k) uint8: a disc as wide as a finger in a view of one pixel a MM_PER_PX."""
    finger = int(MIN_FINGER_MM / MM_PER_PX) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (finger, finger)))


def is_finger_wide(strange: np.ndarray) -> bool:
    """Whether anything in (H, W) bool is as wide as a finger: an outline alone shows neither side's look."""
    return bool(cv2.erode(strange.astype(np.uint8), finger_kernel()).any())


def shares_of(mask: np.ndarray, outlines: Sequence[SlotOutline], origin_mm: np.ndarray) -> dict[Slot, float]:
    """Slot -> the part of it, 0 to 1, that a mask (H, W) bool covers; the view's top left corner: `origin_mm` (2,)."""
    return {o.slot: float(mask[area_of([o], origin_mm, mask.shape)].mean()) for o in outlines}


def area_of(outlines: Sequence[SlotOutline], origin_mm: np.ndarray, size_hw: tuple[int, ...]) -> np.ndarray:
    """(H, W) bool: the part of the view that slots take up."""
    area = np.zeros(size_hw, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(area, np.round(to_px(np.asarray(outline.corners_mm), origin_mm)).astype(np.int32), 1)
    return area > 0


def to_px(places_mm: np.ndarray, origin_mm: np.ndarray) -> np.ndarray:
    """(..., 2) px x, y of places (..., 2), table mm, in a view whose top left corner lies at `origin_mm` (2,)."""
    return np.asarray((places_mm - origin_mm) / MM_PER_PX - 0.5)
