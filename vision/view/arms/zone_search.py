"""Whether an arm reaches over one zone of slots in one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Slot
from vision.locate.rectify import rectify
from vision.view.arms.crossing import changed_samples, crossings, gone_samples, odd_samples
from vision.view.arms.extent import colours_before_slots, goes_on_from_light, grown, hiding_grain, may_be_shadow, way_of
from vision.view.arms.occlusion import (
    COVERED_SHARE,
    MIN_FINGER_MM,
    TOUCHED_SHARE,
    Occlusion,
    area_of,
    finger_kernel,
    is_finger_wide,
    shares_of,
    to_px,
)
from vision.view.arms.rim import (
    BESIDE,
    BLACK_LAB,
    MM_PER_PX,
    RING_FAR_MM,
    SAMPLE_MM,
    Rim,
    in_sight,
    rim_colours,
    soft_lab,
    visible_places,
)
from vision.view.arms.standing_things import (
    AROUND_MM,
    AROUND_MM_PER_PX,
    KNOWN_SHARE,
    RESTED_PART,
    STANDING_SHARE,
    bare_table,
    ends_all_around,
    ends_before,
    unlike_skin,
)
from vision.view.arms.table_between import is_seen_beyond, is_table_between
from vision.view.as_before import PosedPicture, seen_as_before
from vision.view.hidden_grain import MOST_PX, Grain, grain_of
from vision.view.other_light import in_other_light

POINTED_SHARE = 0.9  # an arm points at a slot when so much of it lies in its way
# What has come since an earlier picture may end so many rows before the end of the ring: a sleeve there looks like the
# table.
COME_SHORT_ROWS = 1
TABLE_COLOURS = 80  # samples of bare table, at least so many of many, that an arm's colours are told from


@dataclass(frozen=True, slots=True, eq=False)
class ZoneBefore:
    """What earlier pictures of this view told of a zone. `colours`: (N, 3) of its ring without a hand; `standing`: (N,)
    bool, where of it things are known to stand; `resting`: (N,) bool, where what points at slots and covers none has
    rested; `grain`: the zone's without a hand; `pictures`: the last ones in which nothing reached over a slot, the
    latest last."""

    colours: np.ndarray | None
    standing: np.ndarray | None
    resting: np.ndarray | None
    grain: Grain | None
    pictures: Sequence[PosedPicture]


class ZoneSearch:
    """The search over one zone of slots in one picture; what takes long is worked out when it is first asked for.

    `close`: the slots of the zone before which an arm may end, see `occluded_slots`; `with_grain`: whether the fine
    detail is looked at.
    """

    def __init__(
        self,
        look: PosedPicture,
        zone: Sequence[SlotOutline],
        close: Sequence[SlotOutline],
        rim: Rim,
        before: ZoneBefore,
        *,
        with_grain: bool,
    ) -> None:
        self._look, self._zone, self._close, self._rim, self._before = look, zone, close, rim, before
        low, high = rim.low_mm - RING_FAR_MM, rim.high_mm + RING_FAR_MM
        self._origin_mm = low
        self._view_mm = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float64)
        self._size_wh = _size_px(high - low, MM_PER_PX)
        self._at_px = to_px(rim.ring.places_mm, low).astype(np.float32)  # (N, 2): where the ring lies in the view
        self._colours = rim_colours(look.image, look.pose, self._view_mm, self._size_wh, self._at_px)
        self._visible = visible_places(look.pose, rim, look.image.shape[:2])
        # the samples of what crosses the ring and seems to end before the slots, as it is found
        self._beside = np.zeros(len(self._visible), bool)
        # those of what points at slots and covers none, of things round which table is seen, of what of both has
        # rested, and where that may lie
        self._still = np.zeros(len(self._visible), bool)
        self._things = np.zeros(len(self._visible), bool)
        self._rested = np.zeros(len(self._visible), bool)
        self._unread: frozenset[Slot] = frozenset()
        self._followed: dict[tuple[bytes, bytes, bytes], Occlusion] = {}
        self._hiding = np.zeros(self._size_wh[::-1], bool)
        self._fine_wh = _size_px(high - low, 1.0)
        fine = with_grain and max(self._fine_wh) <= MOST_PX
        self._grain = grain_of(look.view(self._view_mm, self._fine_wh)) if fine else None

    def occlusion(self) -> Occlusion:
        """What covers the slots of the zone."""
        strange = self._at_work(self._arms(odd_samples(self._rim.ring, self._colours, self._visible), self._colours))
        groups = strange or self._come()
        if not groups:
            return self._by_grain() or self._found(hand=False)
        crossing = self._samples(np.concatenate(groups))
        alone = [self._reached_by(self._samples(group), crossing) for group in groups]
        # what alone shows that it rests adds nothing to another: the two would have no one line to come along
        resting = [one for one in alone if one.rested and not one.hand]
        moving = [group for group, one in zip(groups, alone, strict=True) if not one.rested or one.hand]
        together = self._reached_by(self._samples(np.concatenate(moving)), crossing) if moving else resting[0]
        if together.hand:
            return together
        # what rests tells neither where one of them reaches alone nor what has come beside it
        for group in [*(moving if len(groups) > 1 else []), *(self._come() if strange else [])]:
            one = self._reached_by(self._samples(group), crossing)
            if one.hand and _touches(one.share):
                return one
        return self._by_grain() or together.beside_resting(resting)

    def _at_work(self, arms: list[np.ndarray]) -> list[np.ndarray]:
        """Of what crosses the ring, numbers of the samples of each, what has not rested.

        What points at slots, covers none and has long been there is about to do nothing. Where table is seen all around
        it, it is no arm, may lie over slots, or beside a card of its own colours, and hides what it touches; else all
        on its way, though it were a hand, and no more.
        """
        out = []
        crossing = self._samples(np.concatenate(arms)) if arms else self._still
        for group in arms:
            alone, known = self._reached_by(self._samples(group), crossing), self._before.resting
            rested = known is not None and bool(self._astray(known)[group].mean() >= STANDING_SHARE)
            is_thing = alone.hand and self._ends_all_around(group, crossing, rested=rested)
            points = is_thing or (alone.hand and not alone.covered())
            self._still[group] |= points
            self._things[group] |= is_thing
            if points and rested:
                self._rested[group] = True
                self._unread |= {s for s, part in alone.share.items() if part > 0.0} if is_thing else alone.pointed
                self._hiding |= self._way(self._samples(group))
            else:
                out.append(group)
        return out

    def _astray(self, known: np.ndarray) -> np.ndarray:
        """(N,) bool: the samples `known` (N,) bool and those beside them: noise moves the edge of what is seen by one
        sample, to and fro."""
        places = self._rim.ring.places_mm
        apart = np.abs(places[:, None] - places[known][None]).max(axis=2)
        return np.asarray(apart.min(axis=1, initial=np.inf) <= BESIDE * SAMPLE_MM)

    def _ends_all_around(self, group: np.ndarray, crossing: np.ndarray, *, rested: bool) -> bool:
        """Whether table is seen all around what crosses the ring at the samples numbered `group`; `crossing`: (N,)
        bool, all that cross it. `rested`: whether something is known to lie there."""
        low, high = self._view_mm[0] - AROUND_MM, self._view_mm[2] + AROUND_MM
        view_mm = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        size_wh = _size_px(high - low, AROUND_MM_PER_PX)
        lab = soft_lab(rectify(self._look.image, self._look.pose, view_mm, 0.0, size_wh, loosely=True))
        shown = in_sight(self._look.pose, view_mm, size_wh, self._look.image.shape[:2])
        table = self._colours[self._visible & ~crossing & ~self._beside]
        at = (self._rim.ring.places_mm[group] - low) / AROUND_MM_PER_PX - 0.5
        least = KNOWN_SHARE * (RESTED_PART if rested else 1.0)
        return ends_all_around(lab, BLACK_LAB, AROUND_MM_PER_PX, at, table, shown, least)

    def _found(
        self,
        *,
        hand: bool,
        mask: np.ndarray | None = None,
        share: Mapping[Slot, float] | None = None,
        pointed: frozenset[Slot] = frozenset(),
        rested: frozenset[Slot] = frozenset(),
    ) -> Occlusion:
        """What covers the slots: nothing, or `mask` (H, W) bool of the view and with it each slot's `share`."""
        share = {o.slot: 0.0 for o in self._zone} if share is None else share
        grain = self._grain
        if grain is not None and self._hiding.any():  # what rests is nothing to know the table by
            hiding = cv2.resize(self._hiding.astype(np.uint8), self._fine_wh, interpolation=cv2.INTER_NEAREST)
            grain = grain.without(hiding > 0)
        seen = (self._colours,), (self._beside,), (grain,)
        lies = (self._still,), self._unread, (self._things,)
        return Occlusion(hand, share, mask, self._view_mm, *seen, pointed, rested, *lies)

    def _shares(self, mask: np.ndarray) -> dict[Slot, float]:
        return shares_of(mask, self._zone, self._origin_mm)

    def _samples(self, numbers: np.ndarray) -> np.ndarray:
        """(N,) bool: the samples of the ring with these numbers."""
        return np.isin(np.arange(len(self._visible)), numbers)

    def _arms(self, odd: np.ndarray, light: np.ndarray | None) -> list[np.ndarray]:
        """Numbers of the samples of each that crosses the ring, of those that are `odd` (N,) bool, without things that
        are known to stand there. `light`: see `crossings`."""
        out = []
        table = self._colours[self._visible & ~odd]
        slots_px = (np.array([self._rim.low_mm, self._rim.high_mm]) - self._origin_mm) / MM_PER_PX
        standing = self._before.standing
        short = COME_SHORT_ROWS if light is None else 0
        for group in crossings(self._rim.ring, odd, self._visible, light, short_rows=short):
            ends = ends_before(self._lab, BLACK_LAB, MM_PER_PX, slots_px, self._at_px[group], table)
            thing = group[ends]
            self._beside[thing] = True
            known = standing is not None and len(thing) > 0 and standing[thing].mean() >= STANDING_SHARE
            if not known and not (len(thing) and unlike_skin(table, BLACK_LAB)):
                out.append(group)
        return out

    def _come(self) -> list[np.ndarray]:
        """The same of what has another hue than before and has not rested, by its colours or by that hue."""
        before = self._before.colours
        if before is None:
            return []
        odd = changed_samples(self._colours, before, self._visible)
        come = self._arms(odd & ~gone_samples(self._colours, before, odd, self._visible), None)
        still = self._astray(self._rested)
        return self._at_work([group for group in come if still[group].mean() < STANDING_SHARE])

    def _reached_by(self, arm: np.ndarray, crossing: np.ndarray) -> Occlusion:
        """What the samples `arm` (N,) bool go on to; `crossing`: all that cross the ring. The same samples are not
        followed twice against the same table, unless more is known to rest since."""
        bare = self._visible & ~crossing & ~arm & ~self._beside & ~self._rested
        key = arm.tobytes(), bare.tobytes(), self._rested.tobytes()
        if key not in self._followed:
            self._followed[key] = self._follow(arm, bare)
        return self._followed[key]

    def _follow(self, arm: np.ndarray, bare: np.ndarray) -> Occlusion:
        """What the samples `arm` go on to; `bare`: those of the table; (N,) bool both."""
        table = self._colours[bare][:: max(1, int(bare.sum()) // TABLE_COLOURS)]
        way = self._way(arm)
        ahead = way & self._in_sight
        seeds, colours = self._at_px[arm], self._colours[arm]
        may_be_light = may_be_shadow(colours, table)
        possible = goes_on_from_light(self._lab, colours) if may_be_light else None
        mask = grown(self._lab, seeds, colours, table, possible) & ahead
        share = self._shares(mask)
        if not _touches(share):
            # a sleeve crosses the ring and a bare hand goes on: its colour is found between ring and slots
            low, high = self._rim.low_mm, self._rim.high_mm
            beyond = colours_before_slots(self._lab, ahead, table, self._origin_mm, low, high)
            mask = grown(self._lab, seeds, np.vstack([colours, beyond]), table, possible) & ahead
            share = self._shares(mask)
        on_the_way = self._shares(way)
        pointed = frozenset(slot for slot, part in on_the_way.items() if part > COVERED_SHARE)
        if _touches(share):
            if not self._rests(mask, ahead, table):
                if self._is_light(mask, ahead):
                    return self._found(hand=False)
                return self._found(hand=True, mask=mask, share=share, pointed=pointed)
            touched = frozenset(slot for slot, part in share.items() if part > TOUCHED_SHARE)
            return self._found(hand=False, mask=mask, share=share, rested=touched)
        # a sleeve that points at slots goes on over them, though a bare hand may have the table's own colour, unless
        # the table is seen before it; what crosses the ring beside them is a sleeve at rest, a cable, and a shadow is
        # no sleeve
        points = max(on_the_way.values()) >= POINTED_SHARE and not may_be_light
        if not points or self._ends_in_sight(mask, ahead, table):
            return self._found(hand=False, mask=mask, share=share)
        return self._found(hand=True, mask=mask, share=share, pointed=pointed)

    def _way(self, arm: np.ndarray) -> np.ndarray:
        return way_of(self._rim.ring, arm, self._origin_mm, self._lab.shape[:2])

    def _is_light(self, mask: np.ndarray, ahead: np.ndarray) -> bool:
        """Whether what reaches over the slots, (H, W) bool, is but other light on what was seen before, nor does
        anything else hang together with it that came in; `ahead`: see `_ends_in_sight`."""
        return not self._without_light(mask, ahead).any()

    def _without_light(self, mask: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """(H, W) bool: the parts of a mask (H, W) bool, each hanging together, that are no such light."""
        if self._in_other_light is None:
            return mask
        came = ahead & ~self._in_other_light
        if self._still_shown is not None:
            came &= ~self._still_shown
        came = cv2.morphologyEx(came.astype(np.uint8), cv2.MORPH_OPEN, finger_kernel())
        touched = cv2.dilate(came, finger_kernel()) > 0
        _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
        return np.asarray(mask & np.isin(labels, labels[mask & touched]))

    def _rests(self, mask: np.ndarray, ahead: np.ndarray, table: np.ndarray) -> bool:
        """Whether what reaches over the slots, (H, W) bool, rests, its shadow over them, where pictures showed it that
        had no hand over them; `ahead` and `table`: see `_ends_in_sight`."""
        if self._still_shown is None:
            return False
        new = mask & ~self._still_shown
        return not is_finger_wide(new) or self._ends_in_sight(new, ahead, table)

    def _ends_in_sight(self, mask: np.ndarray, ahead: np.ndarray, table: np.ndarray) -> bool:
        """Whether the table's grain, seen before, is seen between what crosses the ring and every slot on its way, or
        all over those that are close; or before those that are close a table, (M, 3) colours, that no hand looks like.
        `ahead`: where the hand can be, and is seen if it is there; (H, W) bool as the mask."""
        near = area_of(self._close, self._origin_mm, mask.shape)
        bare = bare_table(self._lab, table, BLACK_LAB) if self._close else None
        if bare is not None and is_table_between(mask, near, bare, MIN_FINGER_MM / MM_PER_PX):
            return True
        if self._still_shown is None:
            return False
        seen = self._still_shown | ~ahead
        slots = area_of(self._zone, self._origin_mm, mask.shape)
        if is_table_between(mask, slots, seen, MIN_FINGER_MM / MM_PER_PX):
            return True
        return 0 < len(self._close) < len(self._zone) and is_seen_beyond(mask, near, seen, MM_PER_PX, MIN_FINGER_MM)

    def _by_grain(self) -> Occlusion | None:
        """What hides the grain that was seen before, from beyond the ring to over a close slot. The hard edge of a
        shadow is detail, too, and goes with it: then nothing but light has changed."""
        before = self._before.grain
        hidden = None if before is None or self._grain is None else before.hidden(self._grain)
        if hidden is None:
            return None
        mask = hiding_grain(
            self._rim.ring, self._visible, hidden, self._size_wh, self._at_px, self._close, self._origin_mm
        )
        mask = None if mask is None else self._without_light(mask, self._in_sight)
        if mask is None or max(shares_of(mask, self._close, self._origin_mm).values()) <= COVERED_SHARE:
            return None
        return self._found(hand=True, mask=mask, share=self._shares(mask))

    @cached_property
    def _lab(self) -> np.ndarray:
        """(H, W, 3) the whole view's colours: asked for only where something crosses the ring."""
        view = rectify(self._look.image, self._look.pose, self._view_mm, 0.0, self._size_wh, loosely=True)
        return soft_lab(view)

    @cached_property
    def _in_sight(self) -> np.ndarray:
        """(H, W) bool: beyond the picture's edge the view is black, neither an arm's colour nor a part of one."""
        return in_sight(self._look.pose, self._view_mm, self._size_wh, self._look.image.shape[:2])

    @cached_property
    def _in_other_light(self) -> np.ndarray | None:
        """(H, W) bool: where one of the pictures before, in more or less light, is seen; None without any."""
        if not self._before.pictures:
            return None
        now = self._look.view(self._view_mm, self._size_wh)
        earlier = (one.view(self._view_mm, self._size_wh) for one in self._before.pictures)
        return in_other_light(earlier, now, 1 / MM_PER_PX)

    @cached_property
    def _still_shown(self) -> np.ndarray | None:
        """(H, W) bool: where what was seen before is seen, in the shadow of a hand as well; None when nothing tells."""
        before = self._before
        shown = None if before.grain is None or self._grain is None else before.grain.shown(self._grain)
        if shown is None and before.pictures:
            shown = seen_as_before(before.pictures, self._look, self._view_mm, self._fine_wh)
        if shown is None:
            return None
        return np.asarray(cv2.resize(shown.astype(np.uint8), self._size_wh, interpolation=cv2.INTER_NEAREST) > 0)


def _touches(share: Mapping[Slot, float]) -> bool:
    """Whether anything lies over a slot; `share`: slot -> covered part."""
    return max(share.values()) > TOUCHED_SHARE


def _size_px(extent_mm: np.ndarray, mm_per_px: float) -> tuple[int, int]:
    """Width and height in px of a view of `extent_mm` (2,)."""
    width, height = (round(side) for side in (extent_mm / mm_per_px).tolist())
    return width, height
