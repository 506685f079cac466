"""Reads the playing grid: what lies in each cell, how it is turned, which pieces stand on it, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

import cv2
import numpy as np

from companion.core.types import Face
from vision.box_contents import left_over, too_many
from vision.canvas import Canvas, Window, compose
from vision.colours import PictureLight, PieceColours
from vision.corner import CornerReading, read_corner
from vision.cubes import FoundPiece, PieceFinder, PieceSearch, PieceShape
from vision.faces.book import FaceBook
from vision.laid import LaidFace, shrink_reference
from vision.piece_chance import Counted, count_probability
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

BEYOND_DOUBT = 0.9999
"""Probability of the first look below which a tile gets a second one."""

LIKELY = 0.02
"""Probability from which a face that the rules expect in a cell is one that may lie there."""

LIGHTS_FROM = 0.3
"""Probability from which a face helps to tell the light: its likely rivals differ in little, but it may be the only
one with colours that tell how bright red is."""

STRAY = 0.2
"""A tile whose corners are found farther than this part of its side from its place was not aligned, or is not one."""

IN_DOUBT = 0.3
"""Probability left to a face that does not look like itself, or that lies in more places than the box has copies."""

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
    probability that all counts are right, if the face is, or differs little; 0 where none were counted.
    `pieces`: where they stand; `counted`: what `cubes_p` rests on.
    """

    row: int
    col: int
    state: CellState
    face: Face | None = None
    p: float = 0.0
    turn: int | None = None
    alternatives: tuple[tuple[Face, float], ...] = ()
    cubes: tuple[tuple[str, int], ...] = ()
    cubes_p: float = 0.0
    corners_mm: np.ndarray | None = None
    pieces: tuple[FoundPiece, ...] = ()
    counted: Counted | None = None


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
        copies: Mapping[Face, int] | None = None,
    ) -> None:
        """`scans`: face -> (H, W, 3) uint8 BGR upright flat scan, for every face that `book` can name.

        `copies`: how many tiles of the box have each face; faces that are not named may be there in any number.
        """
        self.plan = plan
        self.book = book
        self.small = {face: shrink_reference(scan, plan.side_mm) for face, scan in scans.items()}
        self.colours = colours
        self.piece_side_mm = piece_side_mm
        self.copies = copies or {}

    def read(
        self,
        image: np.ndarray,
        pose: TablePose,
        covered: frozenset[tuple[int, int]] = frozenset(),
        expected: Mapping[tuple[int, int], Face] | None = None,
    ) -> GridReading:
        """The grid in `image` (H, W, 3) uint8 BGR. `covered`: cells (row, col) under a hand, left unread.

        `expected`: the face that the rules expect in a cell; it says nothing for the face, only where pieces are
        counted on a face that remains uncertain.
        """
        window = self.plan.window()
        seen = rectify(image, pose, window.corners_mm, -self.plan.thickness_mm, (window.width_px, window.height_px))
        cells = [
            CellReading(r, c, CellState.COVERED) if (r, c) in covered else self.face(image, pose, r, c)
            for r, c in self.plan.cells()
        ]
        places = self.plan.places_mm()
        corner = read_corner(seen, window, places, self.plan.cols)
        # most pictures need no second thought about bare table: it is looked at only for a face that was not recognised
        around = cache(lambda: Surroundings(seen, window, places, corner.colour_bgr))
        cells = [self.empty_or_unknown(around(), c) if c.state is CellState.UNKNOWN else c for c in cells]
        cells, canvas = self.together(seen, window, pose, cells, expected=expected)
        cells = self.within_box(cells)
        # what was taken for a tile but did not look like its face in this light may be bare table after all
        cells = [self.empty_or_unknown(around(), c) if c.state is CellState.UNKNOWN else c for c in cells]
        cells = [self.covered_or_unknown(around(), c) if c.state is CellState.UNKNOWN else c for c in cells]
        return GridReading(tuple(cells), corner, tuple(places), window, seen, canvas)

    def together(
        self,
        seen: np.ndarray,
        window: Window,
        pose: TablePose,
        cells: Sequence[CellReading],
        light: PictureLight | None = None,
        settled: frozenset[int] = frozenset(),
        expected: Mapping[tuple[int, int], Face] | None = None,
    ) -> tuple[list[CellReading], Canvas | None]:
        """The cells with their pieces, doubtful faces decided by what no piece hides; and the canvas of this.

        `seen` (h, w, 3) uint8 is the part of the picture that `window` shows. `light`: that of the whole picture, when
        it is known; `settled`: indices of cells that are known already. `expected`: faces that the rules
        expect: where the face of a cell remains uncertain, its pieces are counted on that one.
        """
        out = list(cells)
        shown = {i: self._shown(c, expected or {}) for i, c in enumerate(out) if _is_laid(c)}
        if not shown or (light is None and not any(c.state is CellState.TILE for c in out)):
            return out, None
        canvas, search = self._with_pieces(seen, window, pose, out, shown, light, settled)
        decided = dict(shown)
        for number, index in enumerate(shown):
            if index not in settled and self.doubtful(out[index]):
                out[index] = self.second_look(canvas, seen, number, search.covered, out[index])
                decided[index] = self._shown(out[index], expected or {})
        if decided != shown:
            canvas, search = self._with_pieces(seen, window, pose, out, decided, canvas.light, settled)
        found = self._counted(canvas, search, [out[i] for i in decided])
        for index, cell in zip(decided, found, strict=True):
            out[index] = cell
        return out, canvas

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
        """Whether the first look at a cell does not settle what lies there."""
        return cell.state is CellState.UNKNOWN or (cell.state is CellState.TILE and cell.p < BEYOND_DOUBT)

    def within_box(self, cells: Sequence[CellReading]) -> list[CellReading]:
        """The cells with doubtful faces told from those named elsewhere, and what is named too often in doubt."""
        named = [c.face for c in cells if c.state is CellState.TILE and c.face is not None]
        twice = too_many(named, self.copies)
        out = []
        for cell in cells:
            if cell.face in twice:
                cell = replace(cell, state=CellState.UNKNOWN, face=None, p=min(cell.p, IN_DOUBT))
            elif cell.state is CellState.UNKNOWN and cell.p > IN_DOUBT:
                chances = left_over(cell.alternatives, named, self.copies)
                if chances[0][1] >= ACCEPTED:
                    face, p = chances[0]
                    cell = replace(cell, state=CellState.TILE, face=face, p=p, alternatives=chances)
            out.append(cell)
        return out

    def _shown(self, cell: CellReading, expected: Mapping[tuple[int, int], Face]) -> Face:
        """The face that a cell is taken to show while its pieces are looked for."""
        likely = [face for face, p in cell.alternatives if p >= LIKELY]
        wanted = expected.get((cell.row, cell.col))
        return cell.face or (wanted if wanted in likely else cell.alternatives[0][0])

    def _with_pieces(
        self,
        seen: np.ndarray,
        window: Window,
        pose: TablePose,
        cells: Sequence[CellReading],
        shown: Mapping[int, Face],
        light: PictureLight | None,
        settled: frozenset[int],
    ) -> tuple[Canvas, PieceSearch]:
        faces = [self.laid(cells[index], face) for index, face in shown.items()]
        still = frozenset(number for number, index in enumerate(shown) if index in settled)
        lights = [number for number, index in enumerate(shown) if cells[index].p >= LIGHTS_FROM]
        canvas = compose(seen, window, faces, light, still, lights)
        eye = (float(pose.eye_mm[0]), float(pose.eye_mm[1]), float(pose.eye_mm[2]))
        shape = PieceShape(self.piece_side_mm, -self.plan.thickness_mm, eye)
        return canvas, PieceFinder(self.colours, shape).search(canvas)

    def second_look(
        self, canvas: Canvas, seen: np.ndarray, number: int, covered: np.ndarray, cell: CellReading
    ) -> CellReading:
        """A cell with a doubtful face, decided in the light of the whole picture by what no piece hides.

        `number`: of the face on the canvas; `covered` (H, W): part of each pixel that pieces cover.
        """
        origin = (canvas.window.left_mm, canvas.window.top_mm)
        laid = canvas.faces[number]
        found = look_again(seen, canvas.light, origin, laid, cell.alternatives, self.small, covered)
        face, p = found[0]
        known = p >= ACCEPTED
        state = CellState.TILE if known else CellState.UNKNOWN
        return replace(
            cell, state=state, face=face if known else None, p=p, alternatives=found, corners_mm=laid.corners_mm
        )

    def laid(self, cell: CellReading, face: Face) -> LaidFace:
        """The face as it lies in a cell: a tile is a square of known size, its alignment is not better."""
        assert cell.corners_mm is not None
        centre, turn, _, _ = fit_square(cell.corners_mm)
        return LaidFace(centre, turn, self.plan.side_mm, self.small[face])

    def _counted(self, canvas: Canvas, search: PieceSearch, cells: Sequence[CellReading]) -> list[CellReading]:
        """The cells whose faces make up a canvas, with the pieces that were found on it."""
        standing: list[list[FoundPiece]] = [[] for _ in cells]
        for piece in search.pieces:
            # a piece belongs to the tile its foot is on, or nearest to
            depth = [cv2.pointPolygonTest(f.corners_mm.astype(np.float32), piece.foot_mm, True) for f in canvas.faces]
            standing[int(np.argmax(depth))].append(piece)
        out = []
        for index, (cell, pieces) in enumerate(zip(cells, standing, strict=True)):
            corners = canvas.faces[index].corners_mm
            strange = float(search.unexplained_mm2[index])
            if strange > STRANGE_SHARE * self.plan.side_mm**2:
                p = min(cell.p, IN_DOUBT)
                out.append(replace(cell, state=CellState.UNKNOWN, face=None, p=p, cubes_p=0.0, corners_mm=corners))
                continue
            counts = Counter(self.colours.names[p.colour] for p in pieces)
            rests = Counted.of(pieces, float(search.refused[index]), strange)
            cell = replace(cell, corners_mm=corners, pieces=tuple(pieces), counted=rests)
            out.append(replace(cell, cubes=tuple(sorted(counts.items())), cubes_p=count_probability(rests)))
        return out

    def empty_or_unknown(self, around: Surroundings, cell: CellReading) -> CellReading:
        """A cell whose face was not recognised, empty if it shows nothing but table."""
        if around.is_empty(self.plan.corners_mm(cell.row, cell.col)):
            return CellReading(cell.row, cell.col, CellState.EMPTY, p=EMPTY_P, cubes_p=EMPTY_P)
        return cell

    def covered_or_unknown(self, around: Surroundings, cell: CellReading) -> CellReading:
        """A cell that shows neither table nor a known face: covered if something comes in from outside over it."""
        if around.is_reached_over(self.plan.corners_mm(cell.row, cell.col)):
            return replace(cell, state=CellState.COVERED)
        return cell


def _is_laid(cell: CellReading) -> bool:
    """Whether something that was aligned with a face lies in a cell."""
    return cell.state in (CellState.TILE, CellState.UNKNOWN) and cell.p > 0.0 and cell.corners_mm is not None


EMPTY_P = 0.995
"""Nine tenths of a place looked like the table beside it and no face was found there."""
