"""The bare table of one picture of a map: what it looks like beside tiles, and which spaces show more than that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.types import Slot
from vision.appearance.background import OUT_OF_REACH_MM, Background, TableLook
from vision.appearance.canvas import Window
from vision.locate.rectify import square_mm
from vision.tables.changes import Changes, is_change
from vision.tables.maps.map_plan import MapPlan

# What less than this part of the table around looks like is none of it: a figure beside the tiles has a hundredth.
OFTEN_SEEN = 0.03

# So many looks are kept, the last asked for: beside the tiles that were named and those that are seen at first, now and
# before one was laid.
KEPT_LOOKS = 3

Extent = tuple[float, ...]
"""Least and greatest x y, table mm, of the spaces on which something lies."""


class BareTable:
    """The table around the tiles of the `plan`, as it is `seen` (H, W, 3) uint8 from above, filling `window`.

    `kept`: the `looks` of the reading before, in its light; None: there is none. What has changed since is `changes`:
    where nothing has beside the tiles, the table looks as it did.
    """

    def __init__(
        self, plan: MapPlan, seen: np.ndarray, window: Window, kept: Mapping[Extent, TableLook] | None = None,
        changes: Changes | None = None,
    ) -> None:
        self._plan, self._seen, self._window = plan, seen, window
        self._kept: Mapping[Extent, TableLook] = kept or {}
        self._changes = None if kept is None else changes
        self._first = kept is None
        self._made: dict[Extent, Background] = {}
        self._still: dict[Extent, bool] = {}

    def beside(self, laid: Sequence[Slot]) -> TableLook:
        """The look of the table beside the spaces on which something is `laid`, or of all that is seen where there is
        nothing: of those that fill the same part of the table once."""
        extent = self._extent(laid)
        known = self._known(extent)
        return self._background(extent).look if known is None else known

    def not_empty(self, slots: Sequence[Slot], laid: Sequence[Slot]) -> list[Slot]:
        """Those of the spaces that show more than the bare table beside what is `laid`, of which the look is asked for
        only where there are any."""
        if not slots:
            return []
        extent, places = self._extent(laid), [self._plan.spaces_mm[slot] for slot in slots]
        known = self._known(extent)
        if known is None:
            empty = self._background(extent).are_empty(places)
        else:
            empty = known.are_empty(self._seen, self._window, places)
        return [slot for slot, one in zip(slots, empty, strict=True) if not one]

    def looks(self) -> dict[Extent, TableLook]:
        """The looks that hold until something changes, by the part of the table that tiles fill; all in the light of
        the picture with which later ones are compared."""
        if self._first:
            return {extent: one.look for extent, one in self._made.items()}
        if self._changes is None or not self._changes.same_light:
            return {}
        made = {extent: one.look.in_light(1 / self._changes.gain) for extent, one in self._made.items()}
        every, latest_first = {**self._kept, **made}, dict.fromkeys([*made, *self._still, *self._kept])
        still = [extent for extent in latest_first if self._is_still(extent)]
        return {extent: every[extent] for extent in still[:KEPT_LOOKS]}

    def _extent(self, laid: Sequence[Slot]) -> Extent:
        (left, top), _, _, _ = self._window.corners_mm.tolist()
        corners = np.vstack([self._plan.spaces_mm[slot] for slot in laid] or [square_mm((left, top), 1.0)])
        return (*corners.min(0).tolist(), *corners.max(0).tolist())

    def _background(self, extent: Extent) -> Background:
        if extent not in self._made:
            place = np.array(extent).reshape(2, 2)
            self._made[extent] = Background(self._seen, self._window, [place], least_share=OFTEN_SEEN)
        return self._made[extent]

    def _known(self, extent: Extent) -> TableLook | None:
        if extent in self._made or extent not in self._kept or self._changes is None or not self._is_still(extent):
            return None
        return self._kept[extent].in_light(self._changes.gain)

    def _is_still(self, extent: Extent) -> bool:
        """Whether the light is the same and nothing has changed beside the tiles."""
        changes = self._changes
        if changes is None or not changes.same_light:
            return False
        if extent not in self._still:
            box = self._window.box(np.array(extent).reshape(2, 2), OUT_OF_REACH_MM)
            beside = cv2.countNonZero(changes.changed) - cv2.countNonZero(changes.changed[box])
            self._still[extent] = not is_change(beside)
        return self._still[extent]
