"""What lies over the slots in a single picture: an arm that reaches in from outside is found against the table around.

No model of skin is needed: whoever reaches for a slot crosses the ring of bare table around the slots, and there looks
unlike the rest of the ring. On a table of nearly the colour of skin, in a noisy picture, little is unlike: where the
same view was seen without a hand before, what has another hue now counts as well, and what hides the table's grain from
beyond the ring to over a slot.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Slot
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.locate.zones import in_picture, zones_of
from vision.view.as_before import Look, seen_as_before
from vision.view.crossing import ODD_LAB, changed_samples, crossings, gone_samples, odd_samples
from vision.view.hidden_grain import MOST_PX, Grain, grain_of
from vision.view.nearest import nearest_distances
from vision.view.resting import same_cover
from vision.view.rim import (
    BLACK_LAB,
    MM_PER_PX,
    RING_FAR_MM,
    RING_NEAR_MM,
    SAMPLE_MM,
    Rim,
    Ring,
    box_of,
    in_sight,
    rim_colours,
    rim_of,
    soft_lab,
    visible_places,
)
from vision.view.standing_things import STANDING_SHARE, ends_before, unlike_skin
from vision.view.table_between import is_seen_beyond, is_table_between

LIKE_ARM_LAB = 11.0  # fingers in their own shade still count as the arm
MIN_FINGER_MM = 12.0  # thinner things of the arm's colour, such as tiles' borders, are not the arm
# How far the hand may lie beside the line of the arm: the arm's width, and more the further on (a bent wrist).
BESIDE_ARM_WIDTHS, BESIDE_PER_MM = 0.8, 0.35
TOUCHED_SHARE = 0.02
POINTED_SHARE = 0.9  # an arm points at a slot when so much of it lies in its way
COVERED_SHARE = 0.06  # a slot is covered when more than this share of it is: a finger tip over a tile's icon


@dataclass(frozen=True, slots=True, eq=False)
class Occlusion:
    """What reaches over the slots. `share`: slot -> covered part of its area, 0 to 1.

    `hand`: whether anything covers a slot, or a sleeve of which no more is seen points at one. `mask`: (H, W) bool over
    the view of the slots and the ring, None when nothing crosses the ring; `view_mm`: its corners (4, 2), table mm,
    clockwise from top left. `rings`: (N, 3) colours around each zone that was seen, to compare a later picture with;
    `beside`: (N,) bool for each, where something crosses it that seems to end before the slots; `grains`: the fine
    detail of each zone and its ring, for the same; None of a large one. `pointed`: the slots that lie in the way of a
    hand, seen or not. `rested`: the slots over which what is no hand lies.
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

    def covered(self, limit: float = COVERED_SHARE) -> frozenset[Slot]:
        """The slots of which more than `limit` is covered."""
        return frozenset(slot for slot, share in self.share.items() if share > limit)

    def joined(self, other: Occlusion) -> Occlusion:
        """This and what covers other slots of the same picture."""
        return _joined((self, other))

    def reaches(self, places_mm: np.ndarray) -> np.ndarray:
        """(N,) bool: over which places (N, 2), table mm, what crosses the ring is seen."""
        over = np.zeros(len(places_mm), bool)
        if self.mask is not None:
            columns, rows = np.round(_to_px(places_mm, self.view_mm[0])).astype(int).T
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
            cv2.fillPoly(area, [np.round(_to_px(outline, self.view_mm[0])).astype(np.int32)], 1)
        wide = 2 * round(slack_mm / MM_PER_PX) + 1
        return not _is_new(self.mask & ~(cv2.dilate(area, np.ones((wide, wide), np.uint8)) > 0))

    def under_hand(self) -> frozenset[Slot]:
        """The slots over which a hand is seen."""
        return self.covered(TOUCHED_SHARE) - self.rested if self.hand else frozenset()

    def hand_over(self, slots: Sequence[SlotOutline], resting: Mapping[Slot, float] | None = None) -> bool:
        """Whether a hand is seen over any slot, or a sleeve points at one of `slots`. `resting`: slot -> covered part,
        of those beside `slots` over which something has rested; as long as it does it is not asked whether a hand."""
        followed = {o.slot for o in slots}
        rests = {slot for slot, part in (resting or {}).items() if same_cover(self.share.get(slot, 0.0), part)}
        return self.hand and bool(self.pointed & followed or self.under_hand() - (rests - followed))


def occluded_slots(
    image: np.ndarray,
    pose: TablePose,
    outlines: Sequence[SlotOutline],
    markers: MarkerLayout | None = None,
    before: Sequence[np.ndarray] = (),
    standing: Sequence[np.ndarray] = (),
    grains: Sequence[Grain | None] | None = (),
    earlier: Sequence[Look] = (),
    only: Collection[Slot] | None = None,
    near: Collection[Slot] | None = None,
) -> Occlusion:
    """What covers the slots in a picture (H, W, 3) BGR uint8 of the table at `pose`. Takes 7 ms a zone without a hand.

    Each zone of slots has a ring of its own, in which neither the other zones nor `markers` (the usual ones by
    default) count. Zones that are not in the picture have nothing over them. `mask` and `view_mm` are those of the
    first zone that something reaches over, else of the first. `before`: the `rings` of an earlier picture with this
    pose in which nothing reached over a slot. `standing`: where of each ring things are known to stand, which are no
    arms unless they reach the slots. `grains`: as `before`, of the `grains`; None: no grain is looked at. `earlier`:
    the last pictures of this view in which nothing reached over a slot, the latest last; a zone of which no grain is
    kept is compared with these, where something crosses the ring. `only`: slots whose zones are searched; None: all.
    `near`: what surely ends before all of these hides the other slots that it lies over, and is no hand; None: all.
    """
    known = markers or MarkerLayout()
    zones = zones_of(outlines)
    papers = tuple(box_of(known.corners_mm(marker)) for marker in known.centres_mm)
    asked = [z for z in zones if only is None or any(o.slot in only for o in z)]
    seen = [z for z in asked if any(in_picture(image, pose, np.array(o.corners_mm, float)) for o in z)]
    found = []
    for number, zone in enumerate(seen or asked[:1]):
        free = before[number] if number < len(before) else None
        things = standing[number] if number < len(standing) else None
        others = tuple(other for other in zones if other is not zone)
        grain = grains[number] if grains is not None and number < len(grains) else None
        ring = rim_of(zone, others, papers)
        close = [o for o in zone if near is None or o.slot in near]
        with_grain = grains is not None
        found.append(_occluded(image, pose, zone, ring, free, things, grain, earlier, close, with_grain=with_grain))
    free_share = {o.slot: 0.0 for zone in asked for o in zone}
    together = _joined(found)
    return replace(together, share=free_share | dict(together.share))


def _joined(found: Sequence[Occlusion]) -> Occlusion:
    """What is found over zones of one picture, together."""
    shown = next((one for one in found if one.hand), found[0])
    share = {slot: part for one in found for slot, part in one.share.items()}
    rings = tuple(ring for one in found for ring in one.rings)
    beside = tuple(ring for one in found for ring in one.beside)
    grains = tuple(grain for one in found for grain in one.grains)
    pointed = frozenset(slot for one in found for slot in one.pointed)
    rested = frozenset(slot for one in found for slot in one.rested)
    return Occlusion(shown.hand, share, shown.mask, shown.view_mm, rings, beside, grains, pointed, rested)


def _occluded(
    image: np.ndarray,
    pose: TablePose,
    outlines: Sequence[SlotOutline],
    rim: Rim,
    before: np.ndarray | None,
    standing: np.ndarray | None,
    grain_before: Grain | None,
    earlier: Sequence[Look],
    close: Sequence[SlotOutline],
    *,
    with_grain: bool,
) -> Occlusion:
    """What covers the slots of one zone; `rim`: the ring around it; `before`: (N, 3) colours of the ring without a
    hand; `standing`: (N,) bool, where of the ring things are known to stand; `grain_before`: the zone's without a
    hand; `with_grain`: whether the zone's is looked at; `earlier`: see `occluded_slots`; `close`: the slots that are
    near."""
    ring, low, high = rim.ring, rim.low_mm, rim.high_mm
    grown_low, grown_high = low - RING_FAR_MM, high + RING_FAR_MM
    view_mm = np.array(
        [grown_low, [grown_high[0], grown_low[1]], grown_high, [grown_low[0], grown_high[1]]], np.float64
    )
    width, height = (int(n) for n in np.round((grown_high - grown_low) / MM_PER_PX))
    size = (width, height)
    # the whole view is asked for only where something crosses the ring
    whole = cache(lambda: soft_lab(rectify(image, pose, view_mm, 0.0, size, loosely=True)))
    at = _to_px(ring.places_mm, grown_low).astype(np.float32)
    colours = rim_colours(image, pose, view_mm, size, at)
    # beyond the picture's edge the view is black, which is neither an arm's colour nor a part of one
    shown_at_all = cache(lambda: in_sight(pose, view_mm, size, image.shape[:2]))
    visible = visible_places(pose, rim, image.shape[:2])
    beside = np.zeros(len(visible), bool)

    def arms(odd: np.ndarray, light: np.ndarray | None) -> list[np.ndarray]:
        # indices of the samples of all that crosses the ring, without things that are known to stand there
        out = []
        table = colours[visible & ~odd]
        extent_px = (np.array([low, high]) - grown_low) / MM_PER_PX
        for group in crossings(ring, odd, visible, light):
            thing = group[ends_before(whole(), BLACK_LAB, MM_PER_PX, extent_px, at[group], table)]
            beside[thing] = True
            known = standing is not None and len(thing) > 0 and standing[thing].mean() >= STANDING_SHARE
            if not known and not (len(thing) and unlike_skin(table)):
                out.append(group)
        return out

    def come() -> list[np.ndarray]:
        # the same of what has another hue than before
        if before is None:
            return []
        odd = changed_samples(colours, before, visible)
        return arms(odd & ~gone_samples(colours, before, odd, visible), None)

    strange = arms(odd_samples(ring, colours, visible), colours)
    groups = strange or come()
    wide, high_px = (round(n) for n in (grown_high - grown_low).tolist())
    fine = with_grain and max(wide, high_px) <= MOST_PX
    grain = grain_of(rectify(image, pose, view_mm, 0.0, (wide, high_px), loosely=True)) if fine else None
    found = (view_mm, (colours,), (beside,), (grain,))

    @cache
    def still_shown() -> np.ndarray | None:
        # (H, W) bool: where what was seen before is seen, in the shadow of a hand as well
        shown = None if grain_before is None or grain is None else grain_before.shown(grain)
        if shown is None and earlier:
            shown = seen_as_before(earlier, Look(image, pose), view_mm, (wide, high_px))
        return None if shown is None else cv2.resize(shown.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0

    def ends_in_sight(mask: np.ndarray, ahead: np.ndarray) -> bool:
        # the table's grain, seen before, is seen between what crosses the ring and every slot on its way, or all over
        # those that are close; `ahead`: where the hand can be, and is seen if it is there
        shown = still_shown()
        if shown is None:
            return False
        seen = shown | ~ahead
        if is_table_between(mask, _area(outlines, grown_low, mask.shape), seen, MIN_FINGER_MM / MM_PER_PX):
            return True
        near = _area(close, grown_low, mask.shape)
        return 0 < len(close) < len(outlines) and is_seen_beyond(mask, near, seen, MM_PER_PX, MIN_FINGER_MM)

    def by_grain() -> Occlusion | None:
        # what hides the grain that was seen before, from beyond the ring to over a close slot
        hidden = None if grain_before is None or grain is None else grain_before.hidden(grain)
        mask = None if hidden is None else _reaching_over(ring, visible, hidden, size, at, close, grown_low)
        return None if mask is None else Occlusion(True, _shares(mask, outlines, grown_low), mask, *found)

    if not groups:
        return by_grain() or Occlusion(False, {o.slot: 0.0 for o in outlines}, None, *found)
    crossing = np.isin(np.arange(len(visible)), np.concatenate(groups))
    lab = whole()

    def over_slots(arm: np.ndarray) -> Occlusion:
        # what the samples `arm` (N,) bool go on to
        bare = visible & ~crossing & ~arm & ~beside
        table = colours[bare][:: max(1, int(bare.sum()) // 80)]
        way = _ahead(ring, arm, view_mm[0], lab.shape[:2])
        ahead = way & shown_at_all()
        mask = _grow(lab, at[arm], colours[arm], table) & ahead
        shares = _shares(mask, outlines, grown_low)
        on_the_way = _shares(way, outlines, grown_low)
        pointed = frozenset(slot for slot, part in on_the_way.items() if part > COVERED_SHARE)
        if max(shares.values()) <= TOUCHED_SHARE:
            # a sleeve crosses the ring and a bare hand goes on: its colour is found between ring and slots
            beyond = _between(lab, ahead, table, grown_low, low, high)
            mask = _grow(lab, at[arm], np.vstack([colours[arm], beyond]), table) & ahead
            shares = _shares(mask, outlines, grown_low)
        if max(shares.values()) > TOUCHED_SHARE:
            as_before = still_shown()
            new = None if as_before is None else mask & ~as_before
            # it rests, its shadow over the slots, where pictures showed it that had no hand over them
            rests = new is not None and (not _is_new(new) or ends_in_sight(new, ahead))
            if not rests:
                return Occlusion(True, shares, mask, *found, pointed)
            touched = frozenset(slot for slot, part in shares.items() if part > TOUCHED_SHARE)
            return Occlusion(False, shares, mask, *found, rested=touched)
        # a sleeve that points at slots goes on over them, though a bare hand may have the table's own colour, unless
        # the table is seen before it; what crosses the ring beside them is a sleeve at rest, a cable, and a shadow is
        # no sleeve
        points = max(on_the_way.values()) >= POINTED_SHARE and not _may_be_shadow(colours[arm], table)
        if not points or ends_in_sight(mask, ahead):
            return Occlusion(False, shares, mask, *found)
        return Occlusion(True, shares, mask, *found, pointed)

    together = over_slots(crossing)
    if together.hand:
        return together
    # what rests tells neither where one of them reaches alone nor what has come beside it
    for group in [*(groups if len(groups) > 1 else []), *(come() if strange else [])]:
        alone = over_slots(np.isin(np.arange(len(visible)), group))
        if alone.hand and max(alone.share.values()) > TOUCHED_SHARE:
            return alone
    return by_grain() or together


def _is_new(strange: np.ndarray) -> bool:
    """Whether anything as wide as a finger is left, (H, W) bool: an outline alone shows neither side's look."""
    finger = int(MIN_FINGER_MM / MM_PER_PX) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (finger, finger))
    return bool(cv2.erode(strange.astype(np.uint8), kernel).any())


def _reaching_over(
    ring: Ring,
    visible: np.ndarray,
    hidden: np.ndarray,
    size: tuple[int, int],
    at: np.ndarray,
    outlines: Sequence[SlotOutline],
    origin_mm: np.ndarray,
) -> np.ndarray | None:
    """(H, W) bool over the view of `size`: what hides the grain, (h, w) bool, from beyond the ring to over a slot; None
    when nothing does. `at` (N, 2): where the ring lies in the view."""
    covers = cv2.resize(hidden.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    finger = int(MIN_FINGER_MM / MM_PER_PX) | 1
    covers = cv2.morphologyEx(covers, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (finger, finger)))
    places = np.round(at).astype(int).clip(0, np.array(size) - 1)
    gone = visible & (covers[places[:, 1], places[:, 0]] > 0)
    _, labels = cv2.connectedComponents(covers, connectivity=4)
    own = [labels[places[group, 1], places[group, 0]] for group in crossings(ring, gone, visible, None)]
    mask = np.isin(labels, np.concatenate(own)) if own else np.zeros(labels.shape, bool)
    covered = max(_shares(mask, outlines, origin_mm).values(), default=0.0)
    return mask if own and covered > COVERED_SHARE else None


def _ahead(ring: Ring, arm: np.ndarray, origin_mm: np.ndarray, size_hw: tuple[int, int]) -> np.ndarray:
    """(H, W) bool: the part of the view where the hand of this arm can be, given the line along which it comes."""
    places = ring.places_mm[arm]
    entry = places[ring.row[arm] == ring.row[arm].max()].mean(axis=0)
    inner = places[ring.row[arm] == 0].mean(axis=0)
    along = inner - entry
    # an arm that comes slantwise keeps its direction; one seen in a single row points at the middle of the slots
    along = along if np.linalg.norm(along) > SAMPLE_MM else ring.middle_mm - entry
    length = np.linalg.norm(along)
    if length < SAMPLE_MM:  # arms from opposite sides: no one line tells where they are
        return np.ones(size_hw, bool)
    along = along / length
    beside = np.array([-along[1], along[0]])
    width = np.ptp((places - entry) @ beside) + SAMPLE_MM
    rows, columns = np.indices(size_hw)
    off = np.stack([columns, rows], axis=-1) * MM_PER_PX + origin_mm - entry
    forward, sideways = off @ along, np.abs(off @ beside)
    return np.asarray(sideways <= BESIDE_ARM_WIDTHS * width + BESIDE_PER_MM * np.maximum(forward, 0.0))


def _shares(mask: np.ndarray, outlines: Sequence[SlotOutline], origin_mm: np.ndarray) -> dict[Slot, float]:
    return {o.slot: float(mask[_area([o], origin_mm, mask.shape)].mean()) for o in outlines}


def _area(outlines: Sequence[SlotOutline], origin_mm: np.ndarray, size_hw: tuple[int, ...]) -> np.ndarray:
    """(H, W) bool: the part of the view that slots take up."""
    area = np.zeros(size_hw, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(area, np.round(_to_px(np.asarray(outline.corners_mm), origin_mm)).astype(np.int32), 1)
    return area > 0


def _to_px(places_mm: np.ndarray, origin_mm: np.ndarray) -> np.ndarray:
    """(..., 2) px x, y of places (..., 2), table mm, in a view whose top left corner lies at `origin_mm` (2,)."""
    return np.asarray((places_mm - origin_mm) / MM_PER_PX - 0.5)


def _between(
    lab: np.ndarray, ahead: np.ndarray, table: np.ndarray, origin_mm: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """(M, 3) colours, at most 40, that lie before the slots on the arm's way and are not the table's."""
    rows, columns = np.indices(ahead.shape)
    places = np.stack([columns, rows], axis=-1) * MM_PER_PX + origin_mm
    outside = ((places < low - MIN_FINGER_MM / 2) | (places > high + MIN_FINGER_MM / 2)).any(axis=-1)
    near = ((places > low - RING_NEAR_MM) & (places < high + RING_NEAR_MM)).all(axis=-1)
    pixels = lab[ahead & outside & near]
    odd = pixels[nearest_distances(pixels, table) > 2 * ODD_LAB]
    return np.asarray(odd[:: len(odd) // 40 + 1])


def _may_be_shadow(arm: np.ndarray, table: np.ndarray) -> bool:
    """Whether samples (N, 3) of an arm are but the table's (M, 3) colours in less, or in more, light."""
    hue = nearest_distances(arm[:, 1:], table[:, 1:])
    return bool(np.median(hue) < ODD_LAB) if len(table) else True


def _grow(lab: np.ndarray, seeds_px: np.ndarray, arm: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(H, W) bool: the part of the view that has the arm's colours rather than the table's, grown from the seeds."""
    height, width = lab.shape[:2]
    pixels = lab.reshape(-1, 3)
    to_arm = nearest_distances(pixels, arm)
    like = (to_arm < LIKE_ARM_LAB) & (to_arm < nearest_distances(pixels, table))
    like = like.reshape(height, width).astype(np.uint8)
    like = cv2.morphologyEx(like, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    finger = int(MIN_FINGER_MM / MM_PER_PX) | 1
    like = cv2.morphologyEx(like, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (finger, finger)))
    count, labels = cv2.connectedComponents(like, connectivity=4)
    seeds = np.round(seeds_px).astype(int)
    seeds = seeds[(seeds >= 0).all(axis=1) & (seeds[:, 0] < width) & (seeds[:, 1] < height)]
    touched = np.zeros(count, bool)
    touched[labels[seeds[:, 1], seeds[:, 0]]] = True
    touched[0] = False
    return touched[labels]
