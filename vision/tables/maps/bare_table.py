"""The bare table of one picture of a map: what it looks like beside tiles, and which spaces show more than that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.types import Slot
from vision.appearance.background import Background
from vision.appearance.canvas import Window
from vision.locate.rectify import square_mm
from vision.tables.maps.map_plan import MapPlan

# What less than this part of the table around looks like is none of it: a figure beside the tiles has a hundredth.
OFTEN_SEEN = 0.03


class BareTable:
    """The table around the tiles of the `plan`, as it is `seen` (H, W, 3) uint8 from above, filling `window`."""

    def __init__(self, plan: MapPlan, seen: np.ndarray, window: Window) -> None:
        self._plan, self._seen, self._window = plan, seen, window
        self._looks: dict[tuple[float, ...], Background] = {}

    def beside(self, laid: Sequence[Slot]) -> Background:
        """The look of the table beside the spaces on which something is `laid`, or of all that is seen where there is
        nothing: of those that fill the same part of the table once."""
        anywhere = square_mm((float(self._window.corners_mm[0, 0]), float(self._window.corners_mm[0, 1])), 1.0)
        corners = np.vstack([self._plan.spaces_mm[slot] for slot in laid] or [anywhere])
        low, high = corners.min(0), corners.max(0)
        key = (*low.tolist(), *high.tolist())
        if key not in self._looks:
            place = np.array([low, high])
            self._looks[key] = Background(self._seen, self._window, [place], least_share=OFTEN_SEEN)
        return self._looks[key]

    def not_empty(self, slots: Sequence[Slot], laid: Sequence[Slot]) -> list[Slot]:
        """Those of the spaces that show more than the bare table beside what is `laid`, of which the look is asked for
        only where there are any."""
        if not slots:
            return []
        empty = self.beside(laid).are_empty([self._plan.spaces_mm[slot] for slot in slots])
        return [slot for slot, one in zip(slots, empty, strict=True) if not one]
