"""Reads the playing grid: what lies in each cell, how it is turned, which pieces stand on it, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from companion.core.types import Face
from vision.canvas import Canvas, Window, compose
from vision.colours import PictureLight, PieceColours
from vision.corner import CornerReading, read_corner
from vision.cubes import FoundPiece, PieceFinder, PieceShape, pieces_probability
from vision.faces.book import FaceBook
from vision.laid import LaidFace, shrink_reference
from vision.plane import fit_square
from vision.pose import TablePose
from vision.rectify import crop_to_table, rectify, square_mm
from vision.second_look import look_again
from vision.surroundings import Surroundings

CROP_PX = 96
CROP_MARGIN = 0.12
"""A tile may lie 4 mm off its place and turned by some degrees: an eighth of its side all around shows all of it."""

AROUND_MM = 32.0
"""What is shown around the grid: pieces lean outwards, the corner card sticks out, and bare table beyond it."""

ACCEPTED = 0.9
"""Probability from which a cell names its tile: with readings as honest as they claim, one in a thousand is wrong."""

BEYOND_DOUBT = 0.999
"""Probability of the first look below which a tile gets a second one."""

STRAY = 0.2
"""A tile whose corners are found farther than this part of its side from its place was not aligned, or is not one."""

STRANGE_SHARE = 0.06
"""Part of a tile that may be neither print, shadow nor piece before the reading of its face is no longer trusted."""


class CellState(Enum):
    """What is known of a cell."""

    TILE = "tile"
    EMPTY = "empty"
    UNKNOWN = "unknown"  # seen, not recognised
    COVERED = "covered"  # a hand or a shield lies over it


@dataclass(frozen=True, slots=True)
class GridPlan:
    """Where the cells of a grid are: rows, columns, pitch and side of a face in mm, its thickness, the middle."""

    rows: int
    cols: int
    pitch_mm: float = 62.0
    side_mm: float = 55.0
    thickness_mm: float = 2.0
    centre_mm: tuple[float, float] = (0.0, 0.0)

    def cells(self) -> tuple[tuple[int, int], ...]:
        """(row, col) of every cell, row by row."""
        return tuple((r, c) for r in range(self.rows) for c in range(self.cols))

    def corners_mm(self, row: int, col: int) -> np.ndarray:
        """(4, 2) corners of the place of a cell, table mm, clockwise from top left."""
        x = self.centre_mm[0] + (col - (self.cols - 1) / 2) * self.pitch_mm
        y = self.centre_mm[1] + (row - (self.rows - 1) / 2) * self.pitch_mm
        return square_mm((x, y), self.side_mm)

    def places_mm(self) -> list[np.ndarray]:
        """The corners of all cells, row by row."""
        return [self.corners_mm(r, c) for r, c in self.cells()]

    def window(self) -> Window:
        """The part of the table that is looked at."""
        return Window.around(np.vstack(self.places_mm()), AROUND_MM)


@dataclass(frozen=True, slots=True)
class CellReading:
    """What is seen in a cell. `turn`: quarter turns clockwise; `corners_mm` (4, 2): the upright tile's corners.

    `alternatives`: (face, probability), best first. `cubes`: (colour, count) sorted by colour; `cubes_p`:
    probability that all counts are right. `pieces`: where they stand.
    """

    row: int
    col: int
    state: CellState
    face: Face | None = None
    p: float = 0.0
    turn: int | None = None
    alternatives: tuple[tuple[Face, float], ...] = ()
    cubes: tuple[tuple[str, int], ...] = ()
    cubes_p: float = 1.0
    corners_mm: np.ndarray | None = None
    pieces: tuple[FoundPiece, ...] = ()


@dataclass(frozen=True, slots=True)
class GridReading:
    """A whole grid: its cells row by row, the corner card, the cells' places (4, 2) mm, and the window around them.

    `canvas`: what the faces were expected to look like in it; None when no tile was recognised.
    """

    cells: tuple[CellReading, ...]
    corner: CornerReading
    places_mm: tuple[np.ndarray, ...]
    window: Window
    seen_bgr: np.ndarray
    canvas: Canvas | None


class GridReader:
    """Reads grids of one plan with the faces of one box and the colours of its pieces."""

    def __init__(
        self,
        plan: GridPlan,
        book: FaceBook,
        scans: Mapping[Face, np.ndarray],
        colours: PieceColours,
        piece_side_mm: float = 10.0,
    ) -> None:
        """`scans`: face -> (H, W, 3) uint8 BGR upright flat scan, for every face that `book` can name."""
        self.plan = plan
        self.book = book
        self.small = {face: shrink_reference(scan, plan.side_mm) for face, scan in scans.items()}
        self.colours = colours
        self.piece_side_mm = piece_side_mm

    def read(
        self, image: np.ndarray, pose: TablePose, covered: frozenset[tuple[int, int]] = frozenset()
    ) -> GridReading:
        """The grid in `image` (H, W, 3) uint8 BGR. `covered`: cells (row, col) under a hand, left unread."""
        window = self.plan.window()
        seen = rectify(image, pose, window.corners_mm, -self.plan.thickness_mm, (window.width_px, window.height_px))
        cells = [
            CellReading(r, c, CellState.COVERED) if (r, c) in covered else self.face(image, pose, r, c)
            for r, c in self.plan.cells()
        ]
        laid = [cell for cell in cells if cell.state is CellState.TILE]
        places = self.plan.places_mm()
        corner = read_corner(seen, window, places, self.plan.cols)
        around = Surroundings(seen, window, places, corner.colour_bgr)
        cells = [self.empty_or_unknown(around, c) if c.state is CellState.UNKNOWN else c for c in cells]
        canvas = None
        if laid:
            canvas = compose(seen, window, [self.laid(cell) for cell in laid])
            again = [self.second_look(seen, window, canvas.light, c) if self.doubtful(c) else c for c in cells]
            if again != cells:
                cells, laid = again, [c for c in again if c.state is CellState.TILE]
                canvas = compose(seen, window, [self.laid(cell) for cell in laid])
            laid = [replace(c, corners_mm=f.corners_mm) for c, f in zip(laid, canvas.faces, strict=True)]
            for cell in self.with_pieces(canvas, pose, laid):
                cells[cell.row * self.plan.cols + cell.col] = cell
        # what was taken for a tile but did not look like its face in this light may be bare table after all
        cells = [self.empty_or_unknown(around, c) if c.state is CellState.UNKNOWN else c for c in cells]
        cells = [self.covered_or_unknown(around, c) if c.state is CellState.UNKNOWN else c for c in cells]
        return GridReading(tuple(cells), corner, tuple(places), window, seen, canvas)

    def face(self, image: np.ndarray, pose: TablePose, row: int, col: int) -> CellReading:
        """Which tile lies in a cell, by its face alone."""
        place = self.plan.corners_mm(row, col)
        size = round(CROP_PX * (1 + 2 * CROP_MARGIN))
        crop = rectify(image, pose, place, -self.plan.thickness_mm, size, CROP_MARGIN)
        reading = self.book.identify(crop, margin=CROP_MARGIN)
        w, h = self.book.size_wh
        outline = np.array([[[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]]])
        in_crop = cv2.perspectiveTransform(outline, np.linalg.inv(reading.to_reference))
        corners = cv2.perspectiveTransform(in_crop, crop_to_table(place, size, CROP_MARGIN))[0]
        aligned = min(np.abs(np.roll(corners, k, axis=0) - place).max() for k in range(4)) < STRAY * self.plan.side_mm
        known = reading.face is not None and reading.p >= ACCEPTED and aligned
        return CellReading(
            row,
            col,
            CellState.TILE if known else CellState.UNKNOWN,
            reading.face if known else None,
            reading.p if aligned else 0.0,
            reading.turn,
            reading.alternatives,
            corners_mm=corners,
        )

    def doubtful(self, cell: CellReading) -> bool:
        return cell.state is CellState.UNKNOWN or (cell.state is CellState.TILE and cell.p < BEYOND_DOUBT)

    def second_look(self, seen: np.ndarray, window: Window, light: PictureLight, cell: CellReading) -> CellReading:
        """A cell whose face was not accepted, decided in the light of the whole picture if that is possible."""
        if cell.p == 0.0 or cell.corners_mm is None:
            return cell
        centre, turn, _, _ = fit_square(cell.corners_mm)
        best = cell.alternatives[0][0]
        place = LaidFace(centre, turn, self.plan.side_mm, self.small[best])
        origin = (window.left_mm, window.top_mm)
        found = look_again(seen, light, origin, place, cell.alternatives, self.small)
        face, p = found[0]
        if p < ACCEPTED:
            return replace(cell, state=CellState.UNKNOWN, face=None, alternatives=found, p=p)
        return replace(cell, state=CellState.TILE, face=face, p=p, alternatives=found)

    def laid(self, cell: CellReading) -> LaidFace:
        assert cell.face is not None
        assert cell.corners_mm is not None
        centre, turn, _, _ = fit_square(
            cell.corners_mm
        )  # a tile is a square of known size: its alignment is not better
        return LaidFace(centre, turn, self.plan.side_mm, self.small[cell.face])

    def with_pieces(self, canvas: Canvas, pose: TablePose, laid: list[CellReading]) -> list[CellReading]:
        """The cells of `laid` with the pieces that stand on them."""
        eye = (float(pose.eye_mm[0]), float(pose.eye_mm[1]), float(pose.eye_mm[2]))
        shape = PieceShape(self.piece_side_mm, -self.plan.thickness_mm, eye)
        search = PieceFinder(self.colours, shape).search(canvas)
        standing: list[list[FoundPiece]] = [[] for _ in laid]
        for piece in search.pieces:
            # a piece belongs to the tile its foot is on, or nearest to
            depth = [cv2.pointPolygonTest(c.corners_mm.astype(np.float32), piece.foot_mm, True) for c in laid]
            standing[int(np.argmax(depth))].append(piece)
        out = []
        for index, (cell, pieces) in enumerate(zip(laid, standing, strict=True)):
            strange = float(search.unexplained_mm2[index])
            if strange > STRANGE_SHARE * self.plan.side_mm**2:
                out.append(replace(cell, state=CellState.UNKNOWN, face=None, p=min(cell.p, 0.5)))
                continue
            counts = Counter(self.colours.names[p.colour] for p in pieces)
            p = pieces_probability(pieces, float(search.refused[index]), strange)
            out.append(replace(cell, cubes=tuple(sorted(counts.items())), cubes_p=p, pieces=tuple(pieces)))
        return out

    def empty_or_unknown(self, around: Surroundings, cell: CellReading) -> CellReading:
        """A cell whose face was not recognised, empty if it shows nothing but table."""
        if around.is_empty(self.plan.corners_mm(cell.row, cell.col)):
            return CellReading(cell.row, cell.col, CellState.EMPTY, p=EMPTY_P)
        return cell

    def covered_or_unknown(self, around: Surroundings, cell: CellReading) -> CellReading:
        """A cell that shows neither table nor a known face: covered if something comes in from outside over it."""
        if around.is_reached_over(self.plan.corners_mm(cell.row, cell.col)):
            return replace(cell, state=CellState.COVERED)
        return cell


EMPTY_P = 0.995
"""Nine tenths of a place looked like the table beside it and no face was found there."""
