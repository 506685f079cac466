"""Reads one picture of the table: where it is, the grid, the corner card and the player boards, as one observation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.inputs import (
    BoardObservation,
    CutoutReading,
    PieceReading,
    Sight,
    SlotReading,
    ViewState,
)
from companion.core.layout import SlotOutline
from companion.core.said import NOTHING
from companion.core.types import Face, Slot
from vision.boards import BoardPlan, BoardReader, BoardReading, SeatBoard
from vision.camera_model import Camera
from vision.colours import PieceColours
from vision.faces.book import FaceBook
from vision.grid import CellReading, CellState, GridPlan, GridReader, GridReading
from vision.lattice import GridShape, locate_grid
from vision.markers import MarkerLayout
from vision.occlusion import Occlusion, occluded_slots
from vision.pose import NotLocated, TablePose, locate_table
from vision.reread import GridMemory, read_again

SURE = 0.9
"""Probability below which a count of pieces or a board is shown to a person instead of being believed."""


def slot_name(row: int, col: int) -> Slot:
    """The name of a cell, counted from 1: "r2c3"."""
    return f"r{row + 1}c{col + 1}"


@dataclass(frozen=True, slots=True)
class TableReading:
    """All that was read in one picture. `grid` is None when the table was not located.

    `memory`: what the next picture of the same view need not be read again for.
    """

    pose: TablePose | NotLocated
    grid: GridReading | None = None
    boards: tuple[BoardReading, ...] = ()
    hand: bool = False
    memory: GridMemory | None = None

    def observation(self, frame: int, time_ms: int, view: ViewState | None = None) -> BoardObservation:
        """The reading in the words that every part shares. `view`: what is known of the view from earlier frames."""
        if self.grid is None:
            reason = self.pose.reason if isinstance(self.pose, NotLocated) else NOTHING
            return BoardObservation(frame, time_ms, ViewState.LOST, note=reason)
        cutouts = tuple(
            CutoutReading(board.seat_deg, slot_name(c.row, c.col), c.colour, c.p)
            for board in self.boards
            for c in board.slots
        )
        return BoardObservation(
            frame,
            time_ms,
            view or (ViewState.HAND if self.hand else ViewState.SETTLED),
            tuple(slot_reading(cell) for cell in self.grid.cells),
            cutouts,
            tuple(board.seat_deg for board in self.boards if board.found),
            self.grid.corner.corner,
        )


def slot_reading(cell: CellReading) -> SlotReading:
    """A cell of the grid as a reading of its slot: log-probabilities of the faces, counts of the pieces."""
    slot = slot_name(cell.row, cell.col)
    if cell.state is CellState.COVERED:
        return SlotReading(slot, Sight.COVERED)
    if cell.state is CellState.EMPTY:
        return SlotReading(slot, Sight.SEEN, ((None, math.log(cell.p)),))
    # a face that was not accepted keeps its share of what the reader believes at all
    scale = 1.0 if cell.state is CellState.TILE else min(1.0, cell.p)
    faces = tuple((face, math.log(max(p * scale, 1e-12))) for face, p in cell.alternatives)
    pieces = tuple(PieceReading(colour, count, cell.cubes_p) for colour, count in cell.cubes)
    return SlotReading(slot, Sight.SEEN, faces, cell.turn, pieces, cell.cubes_p)


class TableReader:
    """Reads pictures of one table: a grid plan, the faces of the box, the colours of its pieces, its boards."""

    def __init__(
        self,
        plan: GridPlan,
        book: FaceBook,
        scans: Mapping[Face, np.ndarray],
        colours: PieceColours,
        *,
        markers: MarkerLayout | None = None,
        camera: Camera | None = None,
        boards: BoardPlan | None = None,
        copies: Mapping[Face, int] | None = None,
    ) -> None:
        """`scans`: face -> (H, W, 3) uint8 BGR upright, for every face that `book` can name.

        `copies`: how many tiles of the box have each face, where that is known.
        """
        self.plan = plan
        self.grid = GridReader(plan, book, scans, colours, copies=copies)
        self.boards = BoardReader(boards or BoardPlan(), colours)
        self.markers = markers or MarkerLayout()
        self.camera = camera
        self.outlines = tuple(
            SlotOutline(slot_name(r, c), tuple((float(x), float(y)) for x, y in plan.corners_mm(r, c)))
            for r, c in plan.cells()
        )

    def read(
        self,
        image: np.ndarray,
        *,
        seats: Sequence[SeatBoard] = (),
        pose: TablePose | None = None,
        remembered: TablePose | None = None,
        memory: GridMemory | None = None,
        over: Occlusion | None = None,
        expected: Mapping[Slot, Face] | None = None,
    ) -> TableReading:
        """What lies on the table in `image` (H, W, 3) uint8 BGR.

        `seats`: whose boards are looked for. `pose`: where the table is, when that is followed elsewhere;
        `remembered`: an earlier pose of the same camera, which makes two markers enough. `memory`: of the reading
        before, if the camera has not moved since: then only what has changed is read. `over`: what covers the slots
        in this picture, when that is known. `expected`: the face that the rules expect in a slot; it says nothing for
        the face, but where that remains uncertain, pieces are counted on the expected one.
        """
        located = pose or locate_table(image, self.markers, self.camera, remembered)
        if isinstance(located, NotLocated) and not located.markers:
            located = self._by_grid(image, located)
        if isinstance(located, NotLocated):
            return TableReading(located)
        over = over or occluded_slots(image, located, self.outlines)
        covered = frozenset(rc for rc in self.plan.cells() if slot_name(*rc) in over.covered())
        wanted = {rc: (expected or {}).get(slot_name(*rc)) for rc in self.plan.cells()}
        believed = {rc: face for rc, face in wanted.items() if face is not None}
        now = read_again(self.grid, image, located, memory, covered, believed) if memory is not None else None
        if now is None:
            now = GridMemory.of(self.grid.read(image, located, covered, believed))
        grid, light = now.reading, now.light
        size = (self.plan.rows, self.plan.cols)
        clear = (self.plan.cols * self.plan.pitch_mm / 2, self.plan.rows * self.plan.pitch_mm / 2)
        corner = grid.corner.corner
        boards = tuple(self.boards.read(image, located, seat, size, corner, light, clear) for seat in seats)
        # a picture with a hand in it is compared with what was seen before, but is nothing to compare with
        return TableReading(located, grid, boards, over.hand, memory if over.hand else now)

    def _by_grid(self, image: np.ndarray, reason: NotLocated) -> TablePose | NotLocated:
        """The table by its tiles, where no marker is seen at all; else why the markers did not do."""
        plan = self.plan
        if plan.centre_mm != (0.0, 0.0):  # the tiles tell the grid's own frame only
            return reason
        shape = GridShape(plan.rows, plan.cols, plan.pitch_mm, plan.side_mm, plan.thickness_mm)
        return locate_grid(image, shape, self.camera)
