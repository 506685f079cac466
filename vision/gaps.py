"""Pieces that stand on the bare table between faces: the look of the table stands in for a face's print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.layout import TableLayout
from vision.canvas import Canvas, Window
from vision.colours import PictureLight, PieceColours
from vision.cubes import FoundPiece, PieceFinder, PieceSearch, PieceShape, pieces_probability
from vision.laid import PX_PER_MM
from vision.piece_light import Shadows, find_light, shadow_gain
from vision.piece_maps import MODEL_NOISE
from vision.piece_scene import ACCEPTED
from vision.table_look import SOFT_PX, TableLook, light_over, soften

TOO_ALIKE = 2 * 5.0 * 3**0.5
THE_SAME = 6.0
UNSURE = 0.5
"""A colour this close to the table's own (grey levels over the three channels; its prediction is good to 5 in each)
is not surely told from it, nor from it in a shadow that leaves it half its light; so close it is not even looked for
unless the light is known; and what is believed of gaps then."""

ALIKE_ACCEPTED = 1.5 * ACCEPTED
"""Evidence (nats) from which a piece of such a colour is believed: what the table is not quite told right by repeats
itself over the whole of a piece."""

KNOWN_SHARE = 0.8
"""Part of a gap that must show table, piece or known faces for what is told of it to be believed."""

BESIDE_SLACK = 25.0
"""Grey levels by which the table may differ from itself right beside a face, whose edge is blurred into it."""

LEAN_MM = 18.0
"""A piece hides what lies this far behind it at most: 16 mm high, seen from 45 degrees."""

AROUND_MM = 20.0
"""How much around a gap is looked at: what leans into it from beside stands within this."""

HALF_COVERED = 0.5
"""Part of a pixel that a piece covers from which no shadow is seen there."""

OUTSIDE_MM = 6.0
"""A piece may stand this far outside the places between the faces and still belong to one."""


@dataclass(frozen=True, slots=True)
class GapReading:
    """What stands in a gap: pieces by colour (sorted), the probability that these are all, colour and foot of each."""

    counts: tuple[tuple[str, int], ...]
    p: float
    feet_mm: tuple[tuple[str, tuple[float, float]], ...]


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

    def read(self, canvas: Canvas, ring: np.ndarray, unknown: np.ndarray, eye_mm: tuple[float, float, float]) -> Gaps:
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
        alike = (*hidden, *shadowy)
        shadows = self._shadows(ground, bare_table, shape, alike)
        # in a known light the shadow of a piece tells that it stands there, even on a table of its own colour
        without = hidden if shadows is None else ()
        doubt = UNSURE if hidden or shadowy else 1.0
        names = tuple(n for n in self.colours.names if n not in without)
        if not names:
            return Gaps(tuple(GapReading((), doubt, ()) for _ in self.low), hidden)
        finder = PieceFinder(self.colours.only(names), shape)
        found = [self._gap(finder, ground, bare_table, gap, shadows, alike) for gap in range(len(self.low))]
        return Gaps(tuple(replace(g, p=min(g.p, doubt)) for g in found), alike)

    def _shadows(
        self, ground: Canvas, bare_table: np.ndarray, shape: PieceShape, doubtful: tuple[str, ...]
    ) -> Shadows | None:
        """What the picture says of shadows, if the pieces of all but the doubtful colours tell where the light is."""
        names = tuple(n for n in self.colours.names if n not in doubtful)
        if not names:
            return None
        finder = PieceFinder(self.colours.only(names), shape)
        covered = np.zeros(bare_table.shape, np.float32)
        found: list[FoundPiece] = []
        for gap in range(len(self.low)):
            search, where, _ = self._search(finder, ground, bare_table, gap)
            covered[where] = np.maximum(covered[where], search.covered)
            found += [piece for piece in search.pieces if self._nearest(piece)[0] == gap]
        found.sort(key=lambda piece: -piece.evidence)
        label = np.where(bare_table, len(ground.face_levels), ground.label).astype(np.int16)
        gain = shadow_gain(replace(ground, label=label))
        free = gain * (cv2.dilate(covered, np.ones((3, 3))) < HALF_COVERED)
        feet = [piece.foot_mm for piece in found]
        light = find_light(free, ground.window, feet, shape.side_mm, self.layout.piece_height_mm)
        return None if light is None else Shadows(gain, light)

    def _like_table(self, light: PictureLight, table: TableLook) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The colours that are the lit table's own, and those that are like it or like it in a shadow."""
        middle = np.broadcast_to((self.low.min(0) + self.high.max(0)) / 2, (len(self.colours.names), 2))
        lit = light.expect(self.colours.array(), middle, clip=False)
        apart = dict(zip(self.colours.names, (table.likeness(colour) for colour in lit), strict=True))
        hidden = tuple(name for name, (plain, _) in apart.items() if plain < THE_SAME)
        alike = tuple(name for name, both in apart.items() if min(both) < TOO_ALIKE)
        return hidden, tuple(name for name in alike if name not in hidden)

    def _search(
        self,
        finder: PieceFinder,
        ground: Canvas,
        bare_table: np.ndarray,
        gap: int,
        shadows: Shadows | None = None,
        *,
        crowded: bool = False,
    ) -> tuple[PieceSearch, tuple[slice, slice], np.ndarray]:
        """One gap, looked at with what stands near it: how far a piece leans depends on where it stands.

        The pieces (the gap itself is the last face but one, other bare table the last), the rows and columns of the
        ground that were looked at, and their labels.
        """  # fmt: skip
        faces = len(ground.face_levels)
        part = cut_out(ground, self.low[gap] - AROUND_MM, self.high[gap] + AROUND_MM)
        where = rows_and_columns(ground.window, part.window)
        own = self._owner[where] == gap
        label = np.where(bare_table[where], np.where(own, faces, faces + 1), part.label).astype(np.int16)
        part = replace(part, label=label, face_levels=(*part.face_levels, 1.0, 1.0))
        return finder.search(part, shadows and shadows.part(where), crowded=crowded), where, label

    def _gap(
        self,
        finder: PieceFinder,
        ground: Canvas,
        bare_table: np.ndarray,
        gap: int,
        shadows: Shadows | None,
        alike: tuple[str, ...],
    ) -> GapReading:
        """What stands in one gap. `alike`: the colours that are like the table."""
        search, where, label = self._search(finder, ground, bare_table, gap, shadows, crowded=True)
        rows, columns = np.indices(label.shape)
        place = ground.window.to_mm(np.stack([columns + where[1].start, rows + where[0].start], axis=-1))
        inside = self._outside(place, gap) == 0.0
        # what lies over a good part of the gap and is not known may hide anything
        pieces, doubt = [], 1.0 if (label[inside] >= 0).mean() > KNOWN_SHARE else UNSURE
        for piece in search.pieces:
            nearest, apart_mm = self._nearest(piece)
            like_table = finder.colours.names[piece.colour] in alike
            if nearest != gap or (like_table and piece.evidence < ALIKE_ACCEPTED):
                continue
            if apart_mm <= OUTSIDE_MM:
                pieces.append(piece)
            else:
                doubt = UNSURE  # it stands where no piece stands: somebody should look
        names = [finder.colours.names[p.colour] for p in pieces]
        counts = tuple(sorted((name, names.count(name)) for name in set(names)))
        own = len(ground.face_levels)
        p = pieces_probability(pieces, float(search.refused[own]), float(search.unexplained_mm2[own]))
        return GapReading(counts, p * doubt, tuple(zip(names, (p.foot_mm for p in pieces), strict=True)))

    def _nearest(self, piece: FoundPiece) -> tuple[int, float]:
        """The gap that a piece stands in or next to, and how far outside of it, mm."""
        apart = [float(self._outside(np.array(piece.foot_mm), gap)) for gap in range(len(self.low))]
        nearest = int(np.argmin(apart))
        return nearest, apart[nearest]

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
