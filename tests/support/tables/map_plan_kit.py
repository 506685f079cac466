"""A small map for tests: hexagonal spaces a step apart, and a piece of two of them."""

from __future__ import annotations

from math import sqrt

from companion.core.layout import SlotOutline
from vision.tables.maps.map_plan import turned
from vision.tables.maps.space_pieces import SpacePiece

SIDE_MM = 20.0
STEP_MM = SIDE_MM * sqrt(3)
PAIR = SpacePiece("pair", ("first", "second"), ((0.0, 0.0), (STEP_MM, 0.0)))


def hexagon(name: str, x: float, y: float) -> SlotOutline:
    """A space with a point up and its middle at `x`, `y` mm."""
    corners = [turned((0.0, -SIDE_MM), sixth) for sixth in range(6)]
    return SlotOutline(name, tuple((x + float(one[0]), y + float(one[1])) for one in corners))
