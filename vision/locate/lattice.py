"""The playing grid without markers: square tiles at even distances, whatever is printed on them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.core.messages import Message
from vision.locate.camera_model import Camera
from vision.locate.pose import NotLocated, TablePose
from vision.locate.quads import Quad, find_quads
from vision.locate.tile_fit import fit_tiles

# Visible square over pitch: 55 / 62 = 0.89 for whole tiles; a frame printed inside the edge may be all that shows.
MIN_SIDE_PITCHES, MAX_SIDE_PITCHES = 0.72, 0.945
ROUGH = 0.06  # a single square's side may be off by this much
SAME_SIZE = 0.02  # logarithm: sides that differ by less from an even fall are of the same size
MAX_FALL = 0.12  # logarithm of the side per pitch: a camera half a metre away, looking aslant
MAX_TRIPLES = 600
WHOLE_SIDE_TOLERANCE = 0.045  # sides that near to the tile's are the tile's own edges
STRAY_PITCHES = 0.16  # tiles are laid by hand; 10 mm beside the lattice is something else
MAX_TURN_DEG = 14.0
MIN_CELLS = 4
MAX_ERROR_SIDES = 0.04  # root mean square error of the corners; tiles fit to 1 or 2 %, a cloth's pattern does not
MIN_SHARE = 0.4  # of the cells: fewer is a guess
STEPS_AHEAD = 2  # the next tile may be missing
LOOSE_STEP = 0.2  # of a side, per step: how far beside the expected place the next tile may lie
LIKE_SIDE = 0.14  # logarithm: how much the next tile may differ in size, by perspective or by what shows of it

# Steps right and down from the square that a lattice was grown from.
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GridShape:
    """Rows, columns and sizes (mm) of the grid in the middle of the table frame; `thickness_mm` of a tile."""

    rows: int
    cols: int
    pitch_mm: float = 62.0
    side_mm: float = 55.0
    thickness_mm: float = 2.0

    def centre_mm(self, row: int, col: int) -> tuple[float, float]:
        """Where the middle of a cell lies, table mm."""
        return ((col - (self.cols - 1) / 2) * self.pitch_mm, (row - (self.rows - 1) / 2) * self.pitch_mm)


def locate_grid(image: np.ndarray, shape: GridShape, camera: Camera | None = None) -> TablePose | NotLocated:
    """The table's pose from the tiles that lie in the grid, in a picture (H, W, 3) BGR uint8.

    The table's top is taken to be towards the picture's top: a grid without its corner card looks the same when
    turned (`TablePose.turned`). As exact as the tiles were laid, 1 to 2 mm. Takes some 0.5 s.
    """
    size_wh = (image.shape[1], image.shape[0])
    field = _Field(find_quads(image))
    cells = _best_lattice(field, shape)
    chosen, side_mm, side_sd = _common_side(field, cells, shape) if cells else ({}, 0.0, 0.0)
    if len(chosen) < max(MIN_CELLS, MIN_SHARE * shape.rows * shape.cols):
        size = f"{shape.rows} x {shape.cols}"
        return NotLocated(Message("no grid of {size} tiles was found: show the markers or click corners", size=size))
    places = _places(chosen, shape)
    if places is None:
        return NotLocated(Message("tiles were found, but not which rows and columns they lie in: show the markers"))
    place, first = places
    tiles = tuple(
        (shape.centre_mm(*place[cell]), np.roll(field.corners[i], -first, axis=0)) for cell, i in chosen.items()
    )
    found = fit_tiles(tiles, side_mm, side_sd, -shape.thickness_mm, size_wh, camera)
    if found is None or found.error_px > MAX_ERROR_SIDES * float(np.median(field.sides[list(chosen.values())])):
        squares = "squares were found, but they do not make a table: show the markers or click corners"
        return NotLocated(Message(squares))
    return TablePose(found.camera, found.rvec, found.tvec, "grid", found.error_px)


class _Field:
    """The candidates as arrays of N: corners (N, 4, 2), centres, right and down axes (N, 2), sides and votes (N,)."""

    def __init__(self, quads: list[Quad]) -> None:
        self.corners = np.array([q.corners_px for q in quads], np.float64).reshape(-1, 4, 2)
        self.centres = np.array([q.centre_px for q in quads], np.float64).reshape(-1, 2)
        self.sides = np.array([q.side_px for q in quads], np.float64)
        self.votes = np.array([q.votes for q in quads], int)
        a, b, c, d = self.corners.swapaxes(0, 1)
        self.right, self.down = (b + c - a - d) / 2, (d + c - a - b) / 2

    def turned(self, right: np.ndarray, down: np.ndarray) -> np.ndarray:
        """(N,) the larger angle, degrees, between the given axes (2,) and each square's."""
        return np.asarray(np.maximum(_angle(self.right, right), _angle(self.down, down)))


def _angle(vectors: np.ndarray, one: np.ndarray) -> np.ndarray:
    turn = np.arctan2(vectors[:, 1], vectors[:, 0]) - np.arctan2(one[1], one[0])
    return np.asarray(np.abs((np.degrees(turn) + 180) % 360 - 180))


def _best_lattice(field: _Field, shape: GridShape) -> dict[Cell, int]:
    """The lattice that most candidates agree on, grown from each of them: cell -> candidate."""
    best: dict[Cell, int] = {}
    best_score = (0, 0)
    used: set[int] = set()
    for seed in range(len(field.sides)):
        if seed in used:
            continue
        cells, beyond = _straighten(field, _grow(field, seed, shape), shape)
        used |= set(cells.values())
        if not cells:
            continue
        # tiles are of one size, and the grid ends where it ends: the squares of a chequered cloth go on
        alike = list(_common_side(field, cells, shape)[0].values())
        score = (len(alike) - beyond, int(field.votes[alike].sum()))
        if score > best_score:
            best, best_score = cells, score
    return best


def _grow(field: _Field, seed: int, shape: GridShape) -> dict[Cell, int]:
    """The squares reached from `seed` by steps of a pitch along the sides of the squares themselves.

    Steps over a missing tile are taken only when no tile next to one leads any further.
    """
    reach = max(shape.rows, shape.cols) - 1
    cells: dict[Cell, int] = {(0, 0): seed}
    fresh = [((0, 0), step) for step in (1, *range(2, STEPS_AHEAD + 1))]
    while fresh:
        at, step = fresh.pop(0)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell = (at[0] + dx * step, at[1] + dy * step)
            if cell in cells or max(abs(cell[0]), abs(cell[1])) > reach:
                continue
            following = _next(field, cells[at], dx * step, dy * step, shape)
            if following is not None:
                cells[cell] = following
                fresh += [(cell, further) for further in range(1, STEPS_AHEAD + 1)]
                fresh.sort(key=lambda item: item[1])
    return cells


def _next(field: _Field, one: int, dx: int, dy: int, shape: GridShape) -> int | None:
    """The square so many pitches right and down from another, if there is one like it."""
    right, down = field.right[one], field.down[one]
    # what shows of a tile may be its inner frame; the pitch is then up to a fifth longer
    way = 1.05 * shape.pitch_mm / shape.side_mm * (dx * right + dy * down)
    off = np.linalg.norm(field.centres - field.centres[one] - way, axis=1)
    off /= LOOSE_STEP * field.sides[one] * max(abs(dx), abs(dy))
    fitting = np.flatnonzero((off < 1) & (np.abs(np.log(field.sides / field.sides[one])) < LIKE_SIDE))
    fitting = fitting[field.turned(right, down)[fitting] < MAX_TURN_DEG]
    if not len(fitting):
        return None
    return int(fitting[np.argmin(off[fitting] - 0.1 * np.log1p(field.votes[fitting]))])


def _straighten(field: _Field, cells: dict[Cell, int], shape: GridShape) -> tuple[dict[Cell, int], int]:
    """The lattice under one homography: strays out, overlooked squares in, no more rows and columns than there are.

    Also how many squares go on beyond the grid. No cells when their common size is not that of a tile.
    """
    beyond = 0
    for stray in (1.5 * STRAY_PITCHES, STRAY_PITCHES, STRAY_PITCHES):
        way = _homography(field, cells)
        if way is None:
            return {}, 0
        again, shares = {}, []
        for cell in _around(cells, max(shape.rows, shape.cols)):
            fitting, share = _candidates(field, way, cell, stray)
            if len(fitting):
                best = int(np.argmax(field.votes[fitting]))
                again[cell] = int(fitting[best])
                shares.append(share[best])
        cells = _window(field, again, shape)
        beyond = len(again) - len(cells)
        if not shares or not MIN_SIDE_PITCHES < float(np.median(shares)) < MAX_SIDE_PITCHES:
            return {}, 0
    return cells, beyond


def _around(cells: dict[Cell, int], span: int) -> list[Cell]:
    """All cells that may belong to the same grid, and those next to it."""
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    return [
        (column, row)
        for column in range(max(columns) - span, min(columns) + span + 1)
        for row in range(max(rows) - span, min(rows) + span + 1)
    ]


def _homography(field: _Field, cells: dict[Cell, int]) -> np.ndarray | None:
    """(3, 3) cell steps -> px, strays left out; None for too few cells or cells in one line."""
    if len(cells) < MIN_CELLS or len({c for c, _ in cells}) < 2 or len({r for _, r in cells}) < 2:
        return None
    members = list(cells.values())
    limit = STRAY_PITCHES * float(np.median(field.sides[members]))
    steps = np.array(list(cells), np.float64)
    way, _ = cv2.findHomography(steps, field.centres[members], cv2.RANSAC, limit)
    return np.asarray(way)


def _candidates(
    field: _Field, way: np.ndarray, cell: Cell, stray: float = STRAY_PITCHES
) -> tuple[np.ndarray, np.ndarray]:
    """The squares that can be the tile of a cell, and their sides in pitches."""
    column, row = cell
    steps = np.array([[[column, row], [column + 0.5, row], [column, row + 0.5]]], np.float64)
    middle, right, down = cv2.perspectiveTransform(steps, way)[0]
    right, down = 2 * (right - middle), 2 * (down - middle)
    pitch = max(abs(float(right[0] * down[1] - right[1] * down[0])), 1e-9) ** 0.5
    share = field.sides / pitch
    fitting = np.flatnonzero(
        (np.linalg.norm(field.centres - middle, axis=1) < stray * pitch)
        & (share > MIN_SIDE_PITCHES - ROUGH)
        & (share < MAX_SIDE_PITCHES + ROUGH)
        & (field.turned(right, down) < MAX_TURN_DEG)
    )
    return fitting, share[fitting]


def _window(field: _Field, cells: dict[Cell, int], shape: GridShape) -> dict[Cell, int]:
    """Of the cells those in the best window of the grid's size, lying or (camera turned) standing."""
    best: dict[Cell, int] = {}
    best_score = (0, 0)
    for width, height in {(shape.cols, shape.rows), (shape.rows, shape.cols)}:
        for left in {c for c, _ in cells}:
            for top in {r for _, r in cells}:
                inside = {
                    cell: i for cell, i in cells.items() if 0 <= cell[0] - left < width and 0 <= cell[1] - top < height
                }
                score = (len(inside), int(field.votes[list(inside.values())].sum()))
                if score > best_score:
                    best, best_score = inside, score
    return best


def _places(cells: dict[Cell, int], shape: GridShape) -> tuple[dict[Cell, tuple[int, int]], int] | None:
    """Row and column of each cell, and which corner of its square is the table's top left.

    None when a whole outer row or column is missing, so that two answers fit.
    """
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    wide, high = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    if (wide, high) == (shape.cols, shape.rows):
        return {(c, r): (r - min(rows), c - min(columns)) for c, r in cells}, 0
    if (wide, high) == (shape.rows, shape.cols):  # the camera looks from a side: a quarter turn
        return {(c, r): (max(columns) - c, r - min(rows)) for c, r in cells}, 1
    return None


def _common_side(field: _Field, cells: dict[Cell, int], shape: GridShape) -> tuple[dict[Cell, int], float, float]:
    """The candidates of one common size, one a cell; that size in mm, and its standard deviation.

    Of a tile with a printed frame both the frame and the edge are found: what most tiles show counts, of equals
    the larger, which is the edge. Perspective makes sizes fall off evenly: the logarithm of the side is taken as
    linear over the picture.
    """
    way = _homography(field, cells)
    if way is None:
        return {}, 0.0, 0.0
    options = [(cell, i, share) for cell in cells for i, share in zip(*_candidates(field, way, cell), strict=True)]
    if len({cell for cell, _, _ in options}) < MIN_CELLS:
        return {}, 0.0, 0.0
    at = np.array([[cell[0], cell[1], 1.0] for cell, _, _ in options])
    members = np.array([i for _, i, _ in options])
    shares = np.array([share for _, _, share in options])
    logs = np.log(field.sides[members])
    names = {cell: n for n, cell in enumerate(cells)}
    owner = np.array([names[cell] for cell, _, _ in options])
    planes = _even_planes(at, logs)
    near = np.abs(planes @ at.T - logs) < SAME_SIZE  # (planes, options)
    met = np.column_stack([near[:, owner == n].any(axis=1) for n in range(len(cells))]).sum(axis=1)
    level = planes @ at.mean(axis=0)
    best = np.lexsort((level, met))[-1]
    plane = np.linalg.lstsq(at[near[best]], logs[near[best]], rcond=None)[0]
    off = np.abs(at @ plane - logs)
    chosen = {}
    for cell, n in names.items():
        own = np.flatnonzero((owner == n) & (off < 1.5 * SAME_SIZE))
        if len(own):
            chosen[cell] = int(members[own[np.argmin(off[own] - 0.004 * np.log1p(field.votes[members[own]]))]])
    common = float(np.median(shares[near[best]]))
    if common > MAX_SIDE_PITCHES:  # squares without a gap between them are a pattern of the table
        return {}, 0.0, 0.0
    whole = shape.side_mm / shape.pitch_mm
    if abs(common - whole) < WHOLE_SIDE_TOLERANCE:
        return chosen, shape.side_mm, 0.01 * shape.side_mm
    return chosen, common * shape.pitch_mm, 0.05 * shape.side_mm


def _even_planes(at: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """(M, 3): linear falls of the sides' logarithms through three candidates each, as steep as perspective allows."""
    triples = np.array(list(combinations(range(len(at)), 3)))
    if len(triples) > MAX_TRIPLES:
        triples = triples[:: len(triples) // MAX_TRIPLES + 1]
    base = at[triples]  # (M, 3, 3)
    sound = np.abs(np.linalg.det(base)) > 0.5
    planes = np.linalg.solve(base[sound], logs[triples[sound]][..., None])[..., 0]
    flat = np.column_stack([np.zeros((len(logs), 2)), logs])
    return np.vstack([planes[(np.abs(planes[:, :2]) < MAX_FALL).all(axis=1)], flat])
