"""A flat piece of any outline as it lies on a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.core.piece_outline import PieceOutline

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ShapedPiece:
    """A piece: which of the outlines, (2,) plane mm of the middle of the rectangle around it upright, its turn
    clockwise, and in how many masks it was seen. The turn is one of those that its outline cannot tell apart."""

    outline: PieceOutline
    at_mm: F64
    turn_deg: float
    votes: int

    def placed(self, points_mm: F64) -> F64:
        """(N, 2) points of the upright piece in the plane, mm."""
        return points_mm @ rotation(self.turn_deg).T + self.at_mm

    @property
    def outline_mm(self) -> F64:
        """(N, 2) its outline in the plane, mm."""
        return self.placed(np.array(self.outline.corners_mm))

    @property
    def box_mm(self) -> F64:
        """(4, 2) corners, plane mm, of the rectangle around it, clockwise from its own top left."""
        x, y = np.array(self.outline.size_mm) / 2
        return self.placed(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]))


def rotation(deg: float) -> F64:
    """(2, 2) by which points turn clockwise as seen, y down."""
    a = np.deg2rad(deg)
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
