"""A playing grid: where its cells are, and back from a layout to rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.core.layout import PieceShape, SlotOutline, TableLayout
from companion.core.types import Slot
from vision.locate.rectify import square_mm
from vision.tables.place import TILE


def slot_name(row: int, col: int) -> Slot:
    """The name of a cell, counted from 1: "r2c3"."""
    return f"r{row + 1}c{col + 1}"


@dataclass(frozen=True, slots=True)
class GridPlan:
    """Where the cells of a grid are: rows, columns, pitch and side of a face in mm, its thickness, the middle."""

    rows: int
    cols: int
    pitch_mm: float = 62.0
    side_mm: float = 55.0
    thickness_mm: float = 2.0
    centre_mm: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, layout: TableLayout) -> GridPlan | None:
        """The grid that a layout describes; None for a table that is no grid of square tiles."""
        corners = {outline.slot: np.array(outline.corners_mm) for outline in layout.slots}
        if not corners or any(outline.holds != TILE or len(outline.corners_mm) != 4 for outline in layout.slots):
            return None
        middles = np.array([places.mean(0) for places in corners.values()])
        xs, ys = (np.unique(np.round(middles[:, axis], 3)) for axis in (0, 1))
        sides = {round(float(np.linalg.norm(c[k] - c[k - 1])), 3) for c in corners.values() for k in range(4)}
        pitches = {round(float(step), 3) for axis in (xs, ys) for step in np.diff(axis)}
        names = [slot_name(r, c) for r in range(len(ys)) for c in range(len(xs))]
        if len(sides) != 1 or len(pitches) != 1 or list(corners) != names:
            return None
        centre = (float(xs.mean()), float(ys.mean()))
        return cls(len(ys), len(xs), pitches.pop(), sides.pop(), layout.face_thickness_mm, centre)

    def cells(self) -> tuple[tuple[int, int], ...]:
        """(row, col) of every cell, row by row."""
        return tuple((r, c) for r in range(self.rows) for c in range(self.cols))

    def corners_mm(self, row: int, col: int) -> np.ndarray:
        """(4, 2) corners of the place of a cell, table mm, clockwise from top left."""
        x = self.centre_mm[0] + (col - (self.cols - 1) / 2) * self.pitch_mm
        y = self.centre_mm[1] + (row - (self.rows - 1) / 2) * self.pitch_mm
        return square_mm((x, y), self.side_mm)

    @property
    def half_mm(self) -> tuple[float, float]:
        """Half of the width and the height of the grid."""
        return self.cols * self.pitch_mm / 2, self.rows * self.pitch_mm / 2

    def layout(
        self,
        piece_height_mm: float = 10.0,
        piece_side_mm: float = 10.0,
        piece_shape: PieceShape = PieceShape.SQUARE,
    ) -> TableLayout:
        """The grid as the layout of a table on which such pieces stand."""
        slots = (
            SlotOutline(slot_name(r, c), tuple((float(x), float(y)) for x, y in self.corners_mm(r, c)), TILE)
            for r, c in self.cells()
        )
        return TableLayout(tuple(slots), self.thickness_mm, piece_height_mm, piece_side_mm, piece_shape)
