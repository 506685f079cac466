"""A map in one picture: what all who look for pieces on it are given."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from companion.core.types import Slot
from vision.appearance.canvas import Window
from vision.locate.rectify import rectify
from vision.tables.place import Shot


@dataclass(frozen=True, slots=True, eq=False)
class MapInPicture:
    """The picture (`shot`), the `window` from above that the spaces of the map fill, the `middles` (2,) of all its
    spaces, table mm, how long the sides of these are, and how thick its tiles."""

    shot: Shot
    window: Window
    middles: Mapping[Slot, np.ndarray]
    side_mm: float
    thickness_mm: float

    def around(self, slots: Collection[Slot], reach_mm: float) -> Window:
        """The part of the window that shows these spaces as far as so many mm around their middles."""
        return self.window.part(self.window.box(np.array([self.middles[slot] for slot in slots]), reach_mm))

    def seen(self, part: Window) -> np.ndarray:
        """(h, w, 3) uint8 BGR: a part of the window as it is seen from above, at the height of the tiles' faces."""
        size = (part.width_px, part.height_px)
        return rectify(self.shot.image, self.shot.pose, part.corners_mm, -self.thickness_mm, size)
