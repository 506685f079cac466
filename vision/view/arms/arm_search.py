"""The search for arms in a single picture: who reaches for a slot crosses the ring of bare table around the slots.

No model of skin is needed: there an arm looks unlike the rest of the ring, and its colours are followed to the slots.
On a table of nearly the colour of skin, in a noisy picture, little is unlike: where the same view was seen without a
hand before, what has another hue now counts as well, and what hides the table's grain from beyond the ring to over a
slot.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Slot
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose
from vision.locate.zones import in_picture, zones_of
from vision.view.arms.occlusion import Occlusion, joined
from vision.view.arms.rim import box_of, rim_of
from vision.view.arms.zone_search import ZoneBefore, ZoneSearch
from vision.view.as_before import PosedPicture
from vision.view.hidden_grain import Grain


def occluded_slots(
    image: np.ndarray,
    pose: TablePose,
    outlines: Sequence[SlotOutline],
    markers: MarkerLayout | None = None,
    before: Sequence[np.ndarray] = (),
    standing: Sequence[np.ndarray] = (),
    grains: Sequence[Grain | None] | None = (),
    earlier: Sequence[PosedPicture] = (),
    only: Collection[Slot] | None = None,
    near: Collection[Slot] | None = None,
    resting: Sequence[np.ndarray] = (),
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
    `resting`: where of each ring what pointed at slots and covered none has rested, as the `still` of pictures before.
    """
    known = markers or MarkerLayout()
    zones = zones_of(outlines)
    papers = tuple(box_of(known.corners_mm(marker)) for marker in known.centres_mm)
    asked = [z for z in zones if only is None or any(o.slot in only for o in z)]
    seen = [z for z in asked if any(in_picture(image, pose, np.array(o.corners_mm, float)) for o in z)]
    look = PosedPicture(image, pose)
    found = []
    for number, zone in enumerate(seen or asked[:1]):
        known_before = ZoneBefore(
            before[number] if number < len(before) else None,
            standing[number] if number < len(standing) else None,
            resting[number] if number < len(resting) else None,
            grains[number] if grains is not None and number < len(grains) else None,
            earlier,
        )
        rim = rim_of(zone, tuple(other for other in zones if other is not zone), papers)
        close = [o for o in zone if near is None or o.slot in near]
        found.append(ZoneSearch(look, zone, close, rim, known_before, with_grain=grains is not None).occlusion())
    free_share = {o.slot: 0.0 for zone in asked for o in zone}
    together = joined(found)
    return replace(together, share=free_share | dict(together.share))
