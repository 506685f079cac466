"""Reads a grid again: only what has changed since each cell was read, with the light that was learnt from the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from companion.core.types import Face
from vision.canvas import Window
from vision.changes import find_changes
from vision.colours import PictureLight
from vision.corner import read_corner
from vision.grid import CellReading, CellState, GridReader, GridReading
from vision.laid import PX_PER_MM
from vision.pose import TablePose
from vision.rectify import rectify
from vision.surroundings import Surroundings

Cell = tuple[int, int]

AT_LEAST = 1
"""Cells that are read in every picture, the least looked at first: no error stays, no change rests on one look."""

WHOLE = 2
"""Looks that a reading of the whole grid counts: a cell that has changed since is looked at again before the others."""

WORTH_IT = 0.5
"""Part of the cells up to which reading them one by one is quicker than reading the whole grid."""

AROUND_MM = 22.0
"""What is composed around a cell: a piece at its edge with its lean and shadow, and the edge of its neighbours."""

NEAR_MM = 6.0
"""A change so far outside a cell's place may belong to it: a tile that strays, the lean of a piece."""

CARD_MM = 30.0
"""The corner card is looked for again when anything has changed so near to a tile: it sticks out 14 mm."""

SURE_OF_PIECES = 0.9
"""Probability of the counts below which a cell is doubtful: one of these is looked at again in every picture."""


@dataclass(frozen=True, slots=True, eq=False)
class GridMemory:
    """What is known of a grid from earlier pictures of the same view.

    `seen_bgr` (H, W, 3) uint8: every cell as it looked when it was last read. `looks`: how often each cell was read
    since it last changed; `read_in`: the picture in which that was, counted from 0. `light`: that of the whole
    picture, None when no face was known.
    """

    reading: GridReading
    seen_bgr: np.ndarray
    light: PictureLight | None
    looks: Mapping[Cell, int]
    read_in: Mapping[Cell, int]
    pictures: int = 1

    @classmethod
    def of(cls, reading: GridReading) -> GridMemory:
        """The memory of a grid that was read as a whole."""
        cells = [(c.row, c.col) for c in reading.cells]
        light = reading.canvas.light if reading.canvas is not None else None
        return cls(reading, reading.seen_bgr, light, dict.fromkeys(cells, WHOLE), dict.fromkeys(cells, 0))


def read_again(
    reader: GridReader,
    image: np.ndarray,
    pose: TablePose,
    memory: GridMemory,
    covered: frozenset[Cell] = frozenset(),
    expected: Mapping[Cell, Face] | None = None,
) -> GridMemory | None:
    """The grid in `image` (H, W, 3) uint8 BGR, with the cells that have not changed as they were read before.

    Read anew are the cells that have changed, those that were covered, and besides one that is doubtful, or one that
    was looked at least since it changed. `covered`: cells under a hand. None: the light or too many cells
    have changed, so that the whole grid must be read.
    """
    window, light = memory.reading.window, memory.light
    seen = rectify(image, pose, window.corners_mm, -reader.plan.thickness_mm, (window.width_px, window.height_px))
    changes = find_changes(memory.seen_bgr, seen)
    if light is None or not changes.same_light:
        return None
    known = {(c.row, c.col): c for c in memory.reading.cells}
    places = dict(zip(known, memory.reading.places_mm, strict=True))
    changed = {at for at, place in places.items() if changes.within(_box(window, place, NEAR_MM))}
    visible = [at for at in known if at not in covered]
    due = [at for at in visible if at in changed or known[at].state is CellState.COVERED]
    if len(due) > WORTH_IT * len(known):
        return None
    if not covered:
        due += _besides(memory, [at for at in visible if at not in due], fewest=AT_LEAST - len(due))
    cols, every = reader.plan.cols, memory.reading.places_mm
    beside_tiles = changes.outside([_box(window, place, NEAR_MM) for place in every])
    corner = memory.reading.corner
    if any(beside_tiles.within(_box(window, every[k], CARD_MM)) for k in (0, cols - 1, -cols, -1)):
        corner = read_corner(seen, window, list(every), cols)
    cells = dict(known)
    cells.update({at: CellReading(*at, CellState.COVERED) for at in covered})
    cells.update({at: reader.face(image, pose, *at) for at in due})
    # most pictures need no second thought about bare table: it is looked at only for a face that was not recognised
    around = cache(lambda: Surroundings(seen, window, list(every), corner.colour_bgr))
    for at in due:
        near = _part(window, _box(window, places[at], AROUND_MM))
        shown = [cells[at], *(c for other, c in cells.items() if other != at and near.touches(places[other]))]
        cells[at] = _whole_cell(reader, pose, seen[near.box], near.window, light, around, shown, expected)
    together = reader.within_box(list(cells.values()))
    reading = replace(memory.reading, cells=tuple(together), corner=corner, seen_bgr=seen)
    fresh = {at: 1 if at in changed else memory.looks[at] + 1 for at in due}
    return GridMemory(
        reading,
        _patched(memory.seen_bgr, seen, window, [places[at] for at in due]),
        light,
        {**memory.looks, **fresh},
        {**memory.read_in, **dict.fromkeys(due, memory.pictures)},
        memory.pictures + 1,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of the window: its pixels in the window's picture, and the window that it is."""

    box: tuple[slice, slice]
    window: Window

    def touches(self, place_mm: np.ndarray) -> bool:
        """Whether a place (4, 2) mm lies in it, at least partly."""
        px = self.window.to_px(place_mm)
        return bool((px.max(0) > 0).all() and (px.min(0) < (self.window.width_px, self.window.height_px)).all())


def _box(window: Window, place_mm: np.ndarray, around_mm: float) -> tuple[slice, slice]:
    """The pixels of the window's picture within `around_mm` of a place (4, 2) mm."""
    px, reach = window.to_px(place_mm), around_mm * PX_PER_MM
    x0, y0 = np.maximum(np.floor(px.min(0) - reach).astype(int), 0).tolist()
    x1, y1 = np.minimum(np.ceil(px.max(0) + reach).astype(int) + 1, (window.width_px, window.height_px)).tolist()
    return slice(y0, y1), slice(x0, x1)


def _part(window: Window, box: tuple[slice, slice]) -> _Part:
    ys, xs = box
    left, top = window.left_mm + xs.start / PX_PER_MM, window.top_mm + ys.start / PX_PER_MM
    return _Part(box, Window(left, top, xs.stop - xs.start, ys.stop - ys.start))


def _besides(memory: GridMemory, cells: list[Cell], fewest: int) -> list[Cell]:
    """Of cells that have not changed those that are read all the same, in turns: a doubtful one, or `fewest`."""

    def least_looked(some: Iterable[Cell]) -> list[Cell]:
        return sorted(some, key=lambda at: (memory.looks[at], memory.read_in[at], at))

    doubtful = {(c.row, c.col) for c in memory.reading.cells if _doubtful(c)}
    return least_looked(at for at in cells if at in doubtful)[:1] or least_looked(cells)[: max(0, fewest)]


def _doubtful(cell: CellReading) -> bool:
    return cell.state is CellState.UNKNOWN or cell.cubes_p < SURE_OF_PIECES


def _whole_cell(
    reader: GridReader,
    pose: TablePose,
    seen: np.ndarray,
    window: Window,
    light: PictureLight,
    around: Callable[[], Surroundings],
    near: list[CellReading],
    expected: Mapping[Cell, Face] | None,
) -> CellReading:
    """The first of some cells, whose face was read, with the second look at a doubtful face, and with its pieces.

    `seen` (h, w, 3) uint8 is the part of the picture that `window` shows, `near` are the cells that reach into it.
    """
    cell = near[0]
    if cell.state is CellState.UNKNOWN:
        cell = reader.empty_or_unknown(around(), cell)
    beside = [c for c in near[1:] if c.state is CellState.TILE]
    settled = frozenset(range(1, len(beside) + 1))
    cell = reader.together(seen, window, pose, [cell, *beside], light, settled, expected)[0][0]
    if cell.state is CellState.UNKNOWN:
        cell = reader.empty_or_unknown(around(), cell)
    return reader.covered_or_unknown(around(), cell) if cell.state is CellState.UNKNOWN else cell


def _patched(old: np.ndarray, new: np.ndarray, window: Window, places_mm: Iterable[np.ndarray]) -> np.ndarray:
    """The old picture with the new one where cells were read."""
    out = old.copy()
    for place in places_mm:
        box = _box(window, place, NEAR_MM)
        out[box] = new[box]
    return out
