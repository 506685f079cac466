"""Pieces that stand on the bare table between faces: the look of the table stands in for a face's print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.layout import TableLayout
from vision.canvas import Canvas, Window
from vision.colours import PictureLight, PieceColours
from vision.cubes import FoundPiece, PieceFinder, PieceShape, pieces_probability
from vision.laid import PX_PER_MM
from vision.piece_maps import COLOUR_SPREAD, DARKEST_SHADOW, MODEL_NOISE, SHADOW_COST

TABLE_SAMPLES = 64
"""Colours of the table around the faces that a pixel between them is compared with: both squares of a chequered cloth,
the lines and the ground of a grain."""

LEAN_MM = 18.0
"""A piece hides what lies this far behind it at most: 16 mm high, seen from 45 degrees."""

AROUND_MM = 20.0
"""How much around a gap is looked at: what leans into it from beside stands within this."""

OUTSIDE_MM = 6.0
"""A piece may stand this far outside the places between the faces and still belong to one."""


@dataclass(frozen=True, slots=True)
class GapReading:
    """What stands in a gap: pieces by colour (sorted), the probability that these are all, and where each stands."""

    counts: tuple[tuple[str, int], ...]
    p: float
    pieces: tuple[FoundPiece, ...]


@dataclass(frozen=True, slots=True)
class TableLook:
    """Colours of the bare table: (N, 3) float32 BGR as seen, and how far, in grey levels, it strays from them."""

    samples_bgr: np.ndarray
    stray: float

    @classmethod
    def of(cls, pixels_bgr: np.ndarray) -> TableLook:
        """The look of a table from (M, 3) pixels of it; every other one tells how well the rest predict it."""
        pixels = pixels_bgr.astype(np.float32)
        pixels = pixels[np.argsort(pixels.sum(-1), kind="stable")]
        known, asked = pixels[::2], pixels[1::2]
        samples = known[:: max(1, len(known) // TABLE_SAMPLES)]
        asked = asked[:: max(1, len(asked) // 400)]
        if not len(asked):
            return cls(samples, MODEL_NOISE)
        apart = np.linalg.norm(asked[:, None] - samples[None], axis=-1).min(1)
        return cls(samples, float(np.sqrt(np.mean(apart**2) / 3)))

    def explain(self, seen: np.ndarray, noise: float) -> np.ndarray:
        """(N, 3) float32: for each pixel (N, 3) the colour of the table, lit, that it most likely shows."""
        samples = self.samples_bgr
        variance = (noise**2 + self.stray**2 + (COLOUR_SPREAD * samples) ** 2).mean(-1)  # (S,)
        cross, own, square = seen @ samples.T, (seen**2).sum(-1)[:, None], (samples**2).sum(-1)[None]
        lit = 0.5 * (own - 2 * cross + square) / variance
        shade = np.clip(cross / np.maximum(square, 1.0), DARKEST_SHADOW, 1.0)
        dark = 0.5 * (own - 2 * shade * cross + shade**2 * square) / variance + SHADOW_COST
        return np.asarray(samples[np.minimum(lit, dark).argmin(1)])


class GapReader:
    """Counts pieces in the gaps of one window. `places_mm`: (4, 2) upright corners of each gap, table mm."""

    def __init__(
        self, window: Window, places_mm: Sequence[np.ndarray], colours: PieceColours, layout: TableLayout
    ) -> None:
        """`layout` tells the size and shape of the pieces."""
        self.colours, self.layout = colours, layout
        self.low = np.array([p.min(0) for p in places_mm])  # (G, 2)
        self.high = np.array([p.max(0) for p in places_mm])
        rows, columns = np.indices((window.height_px, window.width_px))
        place = window.to_mm(np.stack([columns, rows], axis=-1))
        apart = [self._outside(place, gap) for gap in range(len(places_mm))]
        self._owner = np.argmin(apart, axis=0)  # (H, W): the nearest gap of every pixel
        self._far = np.min(apart, axis=0) > LEAN_MM
        low, high = self.low.min(0) - OUTSIDE_MM, self.high.max(0) + OUTSIDE_MM
        self._between = ((place > low) & (place < high)).all(-1)

    def read(
        self, canvas: Canvas, table: TableLook, unknown: np.ndarray, eye_mm: tuple[float, float, float]
    ) -> tuple[GapReading, ...]:
        """What stands in each gap.

        `canvas`: the faces in the window and their light. `unknown` (H, W) bool: pixels over which something lies
        whose look is not known. `eye_mm`: the camera, table mm.
        """
        bare_table = (canvas.label < 0) & ~unknown & self._between
        bare, slack = canvas.bare.copy(), canvas.slack.copy()
        bare[bare_table] = table.explain(canvas.seen[bare_table], MODEL_NOISE + canvas.light.noise)
        slack[bare_table] = table.stray
        label = canvas.label.copy()
        label[unknown | self._far] = -1
        ground = replace(canvas, bare=bare, slack=slack, label=label)
        size = self.layout
        shape = PieceShape(size.piece_side_mm, 0.0, eye_mm, size.piece_height_mm, size.round_pieces)
        finder = PieceFinder(self.colours, shape)
        return tuple(self._gap(finder, ground, bare_table, gap) for gap in range(len(self.low)))

    def _gap(self, finder: PieceFinder, ground: Canvas, bare_table: np.ndarray, gap: int) -> GapReading:
        """One gap, looked at with what stands near it: how far a piece leans depends on where it stands."""
        faces = len(ground.face_levels)
        part = cut_out(ground, self.low[gap] - AROUND_MM, self.high[gap] + AROUND_MM)
        where = rows_and_columns(ground.window, part.window)
        own = self._owner[where] == gap
        label = np.where(bare_table[where], np.where(own, faces, faces + 1), part.label).astype(np.int16)
        part = replace(part, label=label, face_levels=(*part.face_levels, 1.0, 1.0))
        search = finder.search(part)
        pieces, doubt = [], 1.0
        for piece in search.pieces:
            apart = [float(self._outside(np.array(piece.foot_mm), other)) for other in range(len(self.low))]
            if int(np.argmin(apart)) != gap:
                continue
            if apart[gap] <= OUTSIDE_MM:
                pieces.append(piece)
            else:
                doubt = 0.5  # it stands where no piece stands: somebody should look
        names = [self.colours.names[p.colour] for p in pieces]
        counts = tuple(sorted((name, names.count(name)) for name in set(names)))
        p = pieces_probability(pieces, float(search.refused[faces]), float(search.unexplained_mm2[faces]))
        return GapReading(counts, p * doubt, tuple(pieces))

    def _outside(self, xy_mm: np.ndarray, gap: int) -> np.ndarray:
        """(...) how far outside a gap places (..., 2) mm are, 0 within."""
        beyond = np.maximum(np.maximum(self.low[gap] - xy_mm, xy_mm - self.high[gap]), 0.0)
        return np.asarray(np.linalg.norm(beyond, axis=-1))


def rows_and_columns(window: Window, part: Window) -> tuple[slice, slice]:
    """The rows and columns of a window that a part of it covers."""
    left, top = np.round(window.to_px(np.array([part.left_mm, part.top_mm])) + 0.5).astype(int)
    return slice(int(top), int(top) + part.height_px), slice(int(left), int(left) + part.width_px)


def cut_out(canvas: Canvas, low_mm: np.ndarray, high_mm: np.ndarray) -> Canvas:
    """The part of a canvas between two corners (2,) mm, as far as the canvas reaches."""
    window = canvas.window
    size = np.array([window.width_px, window.height_px])
    left, top = np.clip(np.floor(window.to_px(low_mm)).astype(int), 0, size - 1).tolist()
    right, bottom = np.clip(np.ceil(window.to_px(high_mm)).astype(int) + 1, 1, size).tolist()
    x, y = window.to_mm(np.array([left - 0.5, top - 0.5]))
    where = (slice(top, bottom), slice(left, right))
    return replace(
        canvas,
        window=Window(float(x), float(y), right - left, bottom - top),
        seen=canvas.seen[where],
        bare=canvas.bare[where],
        slack=canvas.slack[where],
        label=canvas.label[where],
    )


def canvas_without_faces(seen: np.ndarray, window: Window, light: PictureLight) -> Canvas:
    """A canvas of `seen` (H, W, 3) uint8 on which no face was recognised, in a light known from elsewhere."""
    empty = np.zeros(seen.shape, np.float32)
    label = np.full(seen.shape[:2], -1, np.int16)
    return Canvas(window, seen.astype(np.float32), empty, empty.copy(), label, light, ())


def polygon_mask(window: Window, corners_mm: Sequence[np.ndarray], grow_mm: float) -> np.ndarray:
    """(H, W) bool: the canvas pixels within any of the quadrilaterals (4, 2) mm, grown on all sides."""
    mask = np.zeros((window.height_px, window.width_px), np.uint8)
    for corners in corners_mm:
        cv2.fillConvexPoly(mask, np.round(window.to_px(corners)).astype(np.int32), 1)
    reach = 2 * round(grow_mm * PX_PER_MM) + 1
    return np.asarray(cv2.dilate(mask, np.ones((reach, reach), np.uint8)) > 0)
