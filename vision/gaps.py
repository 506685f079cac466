"""Pieces that stand on the bare table between faces: the look of the table stands in for a face's print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.layout import TableLayout
from vision.canvas import Canvas, Window
from vision.colours import PictureLight, PieceColours
from vision.cubes import PieceFinder, PieceShape, pieces_probability
from vision.laid import PX_PER_MM
from vision.piece_maps import DARKEST_SHADOW, MODEL_NOISE, SHADOW_COST

TABLE_SAMPLES = 64
"""Colours of the table around the faces that a pixel between them is compared with: both squares of a chequered cloth,
the lines and the ground of a grain."""

SOFT_PX = 5
LEAST_STRAY = 3.0
UNEVEN_LIGHT = 0.05
"""Neighbourhood that is averaged; grey levels, and part of the level, by which the plainest table varies."""

LEVEL_ROUNDS, LEVEL_ROBUST, LEVEL_PRIOR = 6, 0.08, 1e-4
MOST_UNEVEN = 1.3
"""How the light over a plain table is fitted: rounds, relative difference that counts a quarter, and weight a pixel of
the belief in even light; and what it may differ by."""

TOO_ALIKE = 12.0
SHALLOW_SHADOW = 0.5
THE_SAME = 6.0
UNSURE = 0.5
"""A colour this close to the table's own (grey levels over the three channels; its prediction is good to 5 a channel)
is not surely told from it, nor from it in a shadow that leaves it half its light; so close it is not even looked for;
and what is believed of gaps then."""

KNOWN_SHARE = 0.8
"""Part of a gap that must show table, piece or known faces for what is told of it to be believed."""

BESIDE_SLACK = 25.0
"""Grey levels by which the table may differ from itself right beside a face, whose edge is blurred into it."""

LEAN_MM = 18.0
"""A piece hides what lies this far behind it at most: 16 mm high, seen from 45 degrees."""

AROUND_MM = 20.0
"""How much around a gap is looked at: what leans into it from beside stands within this."""

OUTSIDE_MM = 6.0
"""A piece may stand this far outside the places between the faces and still belong to one."""


@dataclass(frozen=True, slots=True)
class GapReading:
    """What stands in a gap: pieces by colour (sorted), the probability that these are all, colour and foot of each."""

    counts: tuple[tuple[str, int], ...]
    p: float
    feet_mm: tuple[tuple[str, tuple[float, float]], ...]


@dataclass(frozen=True, slots=True)
class TableLook:
    """Colours of the bare table: (N, 3) float32 BGR as seen, and how far, in grey levels, it strays from them.

    Both are of the table softened by `soften`: what is compared is the mean of a neighbourhood, so that a table's own
    noise does not hide a piece that is nearly of its colour.
    """

    samples_bgr: np.ndarray
    stray: float

    @classmethod
    def of(cls, pixels_bgr: np.ndarray) -> TableLook:
        """The look of a table from (M, 3) softened pixels; every other one tells how well the rest predict it."""
        pixels = pixels_bgr.astype(np.float32)
        pixels = pixels[np.argsort(pixels.sum(-1), kind="stable")]
        known, asked = pixels[::2], pixels[1::2]
        samples = known[:: max(1, len(known) // TABLE_SAMPLES)]
        asked = asked[:: max(1, len(asked) // 400)]
        if not len(asked):
            return cls(samples, MODEL_NOISE)
        apart = np.linalg.norm(asked[:, None] - samples[None], axis=-1).min(1)
        return cls(samples, float(np.sqrt(np.mean(apart**2) / 3)))

    def explain(self, seen: np.ndarray, soft: np.ndarray, noise: float) -> np.ndarray:
        """(N, 3) float32: the colour of the table, lit, that each pixel `seen` (N, 3) most likely shows.

        `soft` (N, 3): the same, softened. A lit pixel that differs from the table is put as much farther from it as
        `noise`, with which it will be judged as print is, exceeds the table's own.
        """
        samples = self.samples_bgr
        own = float(np.hypot(self.stray, LEAST_STRAY))
        variance = own**2 + ((UNEVEN_LIGHT * samples) ** 2).mean(-1)  # (S,)
        cross, here, square = soft @ samples.T, (soft**2).sum(-1)[:, None], (samples**2).sum(-1)[None]
        lit = 0.5 * (here - 2 * cross + square) / variance
        shade = np.clip(cross / np.maximum(square, 1.0), DARKEST_SHADOW, 1.0)
        dark = 0.5 * (here - 2 * shade * cross + shade**2 * square) / variance + SHADOW_COST
        best = np.minimum(lit, dark).argmin(1)
        shadow = np.take_along_axis(dark < lit, best[:, None], axis=1)
        table = samples[best]
        apart = (soft - table) * max(1.0, noise / own)
        return np.asarray(np.where(shadow, table, np.clip(seen - apart, 0.0, 255.0)), np.float32)


    def nearest(self, seen: np.ndarray) -> np.ndarray:
        """(N, 3) float32: the colour of the lit table nearest to each pixel `seen` (N, 3)."""
        samples = self.samples_bgr
        apart = (samples**2).sum(-1)[None] - 2 * seen @ samples.T
        return np.asarray(samples[apart.argmin(1)], np.float32)

    def likeness(self, lit_bgr: np.ndarray) -> tuple[float, float]:
        """How far, grey levels, a colour (3,) as it would be seen is from the lit table, and from it in a shadow."""
        samples = self.samples_bgr
        shade = np.clip(samples @ lit_bgr / np.maximum((samples**2).sum(1), 1.0), SHALLOW_SHADOW, 1.0)
        lit = np.linalg.norm(samples - lit_bgr, axis=1).min()
        return float(lit), float(np.linalg.norm(shade[:, None] * samples - lit_bgr, axis=1).min())


def light_over(soft: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(H, W, 1) float32: how much brighter than on the whole the table is lit at each pixel, 1 in the mean.

    `soft` (H, W, 3), `table` (H, W) bool: pixels that show bare table, most of them. A quadratic of the place fitted
    to the logarithm of the brightness, re-weighted so that pieces and the pattern of a cloth do not pull.
    """
    height, width = table.shape
    y, x = np.mgrid[0:height, 0:width] / max(height, width) - 0.5
    basis = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    rows = table.copy()
    rows[1::2] = rows[:, 1::2] = False
    log = np.log(soft[rows].sum(-1) + 1.0)
    points = basis[rows]
    weight = np.ones(len(log))
    middle = np.array([np.median(log), 0, 0, 0, 0, 0]) if len(log) else np.zeros(6)
    found = middle
    prior = np.diag([1e-6, *[LEVEL_PRIOR * len(log)] * 5])
    for _ in range(LEVEL_ROUNDS):
        off = log - points @ found
        weight = 1.0 / (1.0 + (off / LEVEL_ROBUST) ** 2) ** 2
        weighted = points * weight[:, None]
        found = np.linalg.solve(weighted.T @ points + prior, weighted.T @ log + prior @ middle)
    level = np.exp(basis[..., 1:] @ found[1:])
    level /= level[table].mean() if table.any() else 1.0
    return np.asarray(np.clip(level, 1 / MOST_UNEVEN, MOST_UNEVEN), np.float32)[..., None]


def soften(seen_bgr: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the mean of each pixel's neighbourhood, a third of a piece wide."""
    return np.asarray(cv2.blur(seen_bgr.astype(np.float32), (SOFT_PX, SOFT_PX)))


@dataclass(frozen=True, slots=True)
class Gaps:
    """The gaps in order, and the colours of pieces that cannot be told from the table they stand on."""

    readings: tuple[GapReading, ...]
    hidden: tuple[str, ...]


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
        self, canvas: Canvas, ring: np.ndarray, unknown: np.ndarray, eye_mm: tuple[float, float, float]
    ) -> Gaps:
        """What stands in each gap. The table's very colour is not looked for; with one like it no gap is sure.

        `canvas`: the faces in the window and their light. `ring` (H, W) bool: bare table around everything. `unknown`
        (H, W) bool: pixels over which something lies whose look is not known. `eye_mm`: the camera, table mm.
        """
        bare_table = (canvas.label < 0) & ~unknown & self._between
        bare, slack = canvas.bare.copy(), canvas.slack.copy()
        noise = MODEL_NOISE + canvas.light.noise
        soft = soften(canvas.seen)
        level = light_over(soft, ring | bare_table)
        even = soft / level
        table = TableLook.of(even[ring][:: max(1, int(ring.sum()) // 4000)])
        here = level[bare_table]
        bare[bare_table] = here * table.explain(canvas.seen[bare_table] / here, even[bare_table], noise)
        slack[bare_table] = max(0.0, table.stray - noise)
        # beside a face its print is softened and blurred into the table: only what differs clearly speaks there
        reach = SOFT_PX + 2 * int(np.ceil(2.0 * canvas.light.blur_px))
        beside = cv2.dilate((canvas.label >= 0).astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
        beside &= bare_table
        bare[beside] = level[beside] * table.nearest(canvas.seen[beside] / level[beside])
        slack[beside] = BESIDE_SLACK
        label = canvas.label.copy()
        label[unknown | self._far] = -1
        ground = replace(canvas, bare=bare, slack=slack, label=label)
        size = self.layout
        shape = PieceShape(size.piece_side_mm, 0.0, eye_mm, size.piece_height_mm, size.round_pieces)
        hidden, shadowy = self._like_table(canvas.light, table)
        seen_colours = self.colours.only(tuple(n for n in self.colours.names if n not in hidden))
        doubt = UNSURE if hidden or shadowy else 1.0
        if not seen_colours.names:
            return Gaps(tuple(GapReading((), doubt, ()) for _ in self.low), hidden)
        finder = PieceFinder(seen_colours, shape)
        found = [self._gap(finder, ground, bare_table, gap) for gap in range(len(self.low))]
        return Gaps(tuple(replace(g, p=min(g.p, doubt)) for g in found), (*hidden, *shadowy))

    def _like_table(self, light: PictureLight, table: TableLook) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The colours that are the lit table's own, and those that are like it or like it in a shadow."""
        middle = np.broadcast_to((self.low.min(0) + self.high.max(0)) / 2, (len(self.colours.names), 2))
        lit = light.expect(self.colours.array(), middle, clip=False)
        apart = dict(zip(self.colours.names, (table.likeness(colour) for colour in lit), strict=True))
        hidden = tuple(name for name, (plain, _) in apart.items() if plain < THE_SAME)
        alike = tuple(name for name, both in apart.items() if min(both) < TOO_ALIKE)
        return hidden, tuple(name for name in alike if name not in hidden)

    def _gap(self, finder: PieceFinder, ground: Canvas, bare_table: np.ndarray, gap: int) -> GapReading:
        """One gap, looked at with what stands near it: how far a piece leans depends on where it stands."""
        faces = len(ground.face_levels)
        part = cut_out(ground, self.low[gap] - AROUND_MM, self.high[gap] + AROUND_MM)
        where = rows_and_columns(ground.window, part.window)
        own = self._owner[where] == gap
        label = np.where(bare_table[where], np.where(own, faces, faces + 1), part.label).astype(np.int16)
        part = replace(part, label=label, face_levels=(*part.face_levels, 1.0, 1.0))
        search = finder.search(part)
        rows, columns = np.indices(label.shape)
        inside = self._outside(part.window.to_mm(np.stack([columns, rows], axis=-1)), gap) == 0.0
        # what lies over a good part of the gap and is not known may hide anything
        pieces, doubt = [], 1.0 if (label[inside] >= 0).mean() > KNOWN_SHARE else UNSURE
        for piece in search.pieces:
            apart = [float(self._outside(np.array(piece.foot_mm), other)) for other in range(len(self.low))]
            if int(np.argmin(apart)) != gap:
                continue
            if apart[gap] <= OUTSIDE_MM:
                pieces.append(piece)
            else:
                doubt = UNSURE  # it stands where no piece stands: somebody should look
        names = [finder.colours.names[p.colour] for p in pieces]
        counts = tuple(sorted((name, names.count(name)) for name in set(names)))
        p = pieces_probability(pieces, float(search.refused[faces]), float(search.unexplained_mm2[faces]))
        return GapReading(counts, p * doubt, tuple(zip(names, (p.foot_mm for p in pieces), strict=True)))

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
