"""Which spaces of a map differ only in the edge and the shadow of a tile that has come, or gone, beside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.types import Slot
from vision.appearance.canvas import Window
from vision.tables.changes import NEAR_MM, Changes
from vision.tables.maps.map_plan import MapPlan
from vision.tables.zone import SpaceOnMap

# A tile that has come or gone changes so much beside its own spaces: it lies some mm off, and has a shadow. A piece
# that came with it to another tile is wider.
EDGE_MM = 4.0


def still_asked(
    plan: MapPlan, window: Window, before: Mapping[Slot, SpaceOnMap], shown: Mapping[Slot, SpaceOnMap],
    due: Collection[Slot], changes: Changes,
) -> Collection[Slot]:
    """The slots that are `due` without the spaces on which nothing can have come or gone: they show what they showed
    `before`, and all that has changed there lies on other spaces that show something else now, or close beside them.

    `changes`: what has changed in `window` since.
    """
    moved = [slot for slot in {**before, **shown} if shown.get(slot) != before.get(slot)]
    if not moved:
        return due
    left = changes.outside_areas([window.to_px(plan.outlines_mm[slot]) for slot in moved], EDGE_MM)

    def is_explained(slot: Slot) -> bool:
        if slot not in shown or shown[slot] != before.get(slot):
            return False
        box = window.box(plan.spaces_mm[slot], NEAR_MM)
        return changes.within(box) and not left.within(box)

    return [slot for slot in due if not is_explained(slot)]
