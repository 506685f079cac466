"""Pieces that stand on the bare table between faces: the look of the table stands in for a face's print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import cv2
import numpy as np

from companion.core.layout import TableLayout
from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.between_faces.laid_aside import bare_ring
from vision.pieces.between_faces.second_thoughts import most_like_a_piece, table_against
from vision.pieces.between_faces.showing import Chances, Showing
from vision.pieces.between_faces.table_texture import SOFT_PX, Spots, TableTexture, light_over, noise_by_level, soften
from vision.pieces.finder import Examined, FoundPiece, PieceFinder, PieceSearch
from vision.pieces.likelihood_maps import MODEL_NOISE, pixels_at
from vision.pieces.probability import pieces_probability
from vision.pieces.scene import ACCEPTED
from vision.pieces.shadows import CastLight, Shadows, find_light, shadow_gain
from vision.pieces.shapes import PieceModel, masks

# A colour this close to the table's own (grey levels over the three channels; its prediction is good to 5 in each) is
# not surely told from it, nor from it in a shadow that leaves it half its light; so close it is not even looked for
# unless the light is known.
TOO_ALIKE = 2 * 5.0 * 3**0.5
THE_SAME = 6.0

# What is believed of a gap in which something cannot be judged.
UNSURE = 0.5

# Evidence (nats) from which a piece of such a colour is believed: what the table is not quite told right by repeats
# itself over the whole of a piece.
ALIKE_ACCEPTED = 1.5 * ACCEPTED

# Nats a pixel by which the table must speak against itself where a piece's top is said to lie: of 140 that stood on
# three rendered tables none had less than 3.2, of 20 that checks of a cloth were taken for one had more than 2.4.
TABLE_AGAINST = 3.0

# Nats a pixel that a patch as wide as a top may speak for a piece that was not found: of 332 gaps that were counted
# right two had more than 0.5, in all of four with a piece overlooked it was 1.7 and more.
LIKE_A_PIECE = 1.0

# Part of a piece's foot that must show, wherever in a gap it may stand, for what is told of the gap to be believed.
KNOWN_SHARE = 0.5

# Grey levels by which the table may differ from itself right beside a face, whose edge is blurred into it.
BESIDE_SLACK = 25.0

# A piece hides what lies this far behind it at most: 16 mm high, seen from 45 degrees.
LEAN_MM = 18.0

# How much around a gap is examined: what leans into it from beside stands within this.
AROUND_MM = 20.0

# A pixel's shadow is told by labels so near: twice the largest blur of a picture, 5 px.
EDGE_MM = 4.0

# Pixels of bare table that its look is told by.
TABLE_PIXELS = 4000

# A patch of sun is at least so many sides of a piece wide: a piece and what it is blurred into are less, as two that
# touch are across.
PANE_SIDES = 1.5

# Part of a pixel that a piece covers from which no shadow is seen there.
HALF_COVERED = 0.5

# A piece may stand this far outside the places between the faces and still belong to one.
OUTSIDE_MM = 6.0


@dataclass(frozen=True, slots=True)
class GapReading:
    """What stands in a gap: pieces by colour (sorted), the probability that these are all, and each of them.

    `doubted`: (colour, probability that its count is right) of the colours that are like the table; `p` holds them too.
    """

    counts: tuple[tuple[str, int], ...]
    p: float
    pieces: tuple[FoundPiece, ...] = ()
    doubted: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The gaps in order, and the colours of pieces that cannot be told from the table they stand on.

    `cast`: where the light comes from that casts the pieces' shadows; None when they do not tell. `level`: see
    `light_over`, of the window; None when the table was not seen. `piece`: one as it was seen; None likewise.
    """

    readings: tuple[GapReading, ...]
    hidden: tuple[str, ...]
    cast: CastLight | None = None
    level: np.ndarray | None = None
    piece: PieceModel | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """Rows and columns of the window: `canvas` with the look of the bare table, which is its last face, between its
    faces; `owner` (h, w) int16 the gap that bare table belongs to, -1 elsewhere."""

    canvas: Canvas
    owner: np.ndarray


class GapReader:
    """Counts pieces in the gaps of one window. `places_mm`: (4, 2) upright corners of each gap, table mm."""

    def __init__(
        self, window: Window, places_mm: Sequence[np.ndarray], colours: PieceColours, layout: TableLayout
    ) -> None:
        """`layout` tells the size and shape of the pieces."""
        self.colours, self.layout = colours, layout
        self.low = np.array([p.min(0) for p in places_mm])  # (G, 2)
        self.high = np.array([p.max(0) for p in places_mm])
        self._owner, apart = self._nearest_gaps(window)
        self._far = apart > LEAN_MM
        low, high = self.low.min(0) - OUTSIDE_MM, self.high.max(0) + OUTSIDE_MM
        across, down = ((mm > low[k]) & (mm < high[k]) for k, mm in enumerate(_axes_mm(window)))
        self._between = down[:, None] & across[None]

    def read(
        self,
        canvas: Canvas,
        ring: np.ndarray,
        unknown: np.ndarray,
        eye_mm: tuple[float, float, float],
        before: Gaps | None = None,
        due: Collection[int] = (),
    ) -> Gaps:
        """What stands in each gap. The table's very colour is not looked for; of one like it no gap is sure.

        `canvas`: the faces in the window and their light. `ring` (H, W) bool: bare table around everything. `unknown`
        (H, W) bool: pixels over which something lies whose look is not known. `eye_mm`: the camera, table mm.
        `before`: an earlier reading of the same view; then only the gaps `due` (numbers) are read.
        """
        if not ring.any():  # nobody can say what the table looks like
            return Gaps(tuple(GapReading((), 0.0) for _ in self.low), ())
        bare_table = (canvas.label < 0) & ~unknown & self._between
        soft = soften(canvas.seen)
        # how evenly it is lit stays as it is, how brightly does not
        level = light_over(soft, ring | bare_table) if before is None or before.level is None else before.level
        top_px = (self.layout.piece_side_mm * PX_PER_MM) ** 2
        box_mm = np.stack([self.low.min(0), self.high.max(0)])
        bare = bare_ring(ring, soft, canvas, self.colours, box_mm, top_px)
        rows, columns = (axis[:: max(1, len(axis) // TABLE_PIXELS)] for axis in np.nonzero(bare))
        table = TableTexture.of(soft[rows, columns] / level[rows, columns], noise_by_level(soft, bare))
        ground = self._ground(canvas, bare_table, unknown, soft, level, table, None if before is None else due)
        size = self.layout
        piece = PieceModel(size.piece_side_mm, 0.0, eye_mm, size.piece_height_mm, size.piece_shape)
        hidden, shadowy = self._like_table(canvas.light, table)
        alike = (*hidden, *shadowy)
        # the search for the light and that for pieces both ask what the pixels of all gaps say
        finder = PieceFinder(self.colours, piece)
        examined = finder.examine(ground.canvas)
        shadows = self._shadows(examined, finder, alike, before, due)
        # in a known light the shadow of a piece tells that it stands there, even on a table of its own colour
        without = hidden if shadows is None else ()
        chances = self._chances(ground.canvas, table, piece, alike, without, known_light=shadows is not None)
        names = tuple(n for n in self.colours.names if n not in without)
        if not names:
            none = tuple(_doubted(GapReading((), 1.0), here) for here in chances)
            return Gaps(none, hidden, level=level, piece=piece)
        found = [] if before is None else list(before.readings)
        found += [GapReading((), 0.0)] * (len(self.low) - len(found))
        search = finder.search_examined(examined, names, shadows, crowded=True, owners=ground.owner)
        nearest = [self._nearest(piece) for piece in search.pieces]
        surely = [name for name in names if name not in alike]
        left = most_like_a_piece(finder, examined, search, surely, ground.owner, len(self.low))
        explained = {
            gap for one, (gap, _) in zip(search.pieces, nearest, strict=True)
            if one.colour in surely and table_against(examined, one, piece) < TABLE_AGAINST
        }
        for gap in range(len(self.low)) if before is None else sorted(due):
            read = self._gap(ground, search, nearest, gap, alike)
            if gap in explained or left[gap] > LIKE_A_PIECE:
                read = replace(read, p=min(read.p, UNSURE))
            found[gap] = _doubted(read, chances[gap])
        return Gaps(tuple(found), alike, None if shadows is None else shadows.light, level, piece)

    def _ground(
        self,
        canvas: Canvas,
        bare_table: np.ndarray,
        unknown: np.ndarray,
        soft: np.ndarray,
        level: np.ndarray,
        table: TableTexture,
        due: Collection[int] | None,
    ) -> _Ground:
        """The canvas with the look of the bare table between its faces, as far as the search of the gaps `due` (None:
        of all) sees; the other arguments (H, W) as `read` makes them."""
        if due is None:
            asked, where = bare_table, (slice(None), slice(None))
            part = replace(canvas, bare=canvas.bare.copy(), slack=canvas.slack.copy(), label=canvas.label.copy())
        else:
            asked, where = bare_table & self._around(canvas.window, due), self._cut(canvas.window, due)
            part = canvas.part(where)
            part = replace(part, bare=part.bare.copy(), slack=part.slack.copy(), label=part.label.copy())
            asked, soft, level = asked[where], soft[where], level[where]
        # beside a face its print is softened and blurred into the table: only what differs clearly speaks there
        reach = SOFT_PX + 2 * int(np.ceil(2.0 * canvas.light.blur_px))
        beside = cv2.dilate((part.label >= 0).astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
        noise, clear, near = MODEL_NOISE + canvas.noise, np.flatnonzero(asked & ~beside), np.flatnonzero(asked & beside)
        bare, slack = part.bare.reshape(-1, 3), part.slack.reshape(-1, 3)  # views: both were copied
        here = np.take(level, clear)[:, None]
        spots = Spots(clear, asked.shape, round(PANE_SIDES * self.layout.piece_side_mm * PX_PER_MM))
        seen = pixels_at(part.seen, clear) / here
        bare[clear] = here * table.explain(seen, pixels_at(soft, clear) / here, noise, spots)
        slack[clear] = max(0.0, table.stray - noise)
        here = np.take(level, near)[:, None]
        bare[near] = here * table.nearest(pixels_at(part.seen, near) / here)
        slack[near] = BESIDE_SLACK
        part.label[unknown[where] | self._far[where]] = -1
        part.label[asked] = len(canvas.face_levels)
        owner = np.where(asked, self._owner[where], -1).astype(np.int16)
        return _Ground(replace(part, face_levels=(*canvas.face_levels, 1.0)), owner)

    def _cut(self, window: Window, due: Collection[int]) -> tuple[slice, slice]:
        """Rows and columns that hold all that the search of these gaps sees, with what its edges are told by."""
        boxes = [self._box(window, gap, AROUND_MM + 2 * EDGE_MM) for gap in due]
        rows, columns = ([box[axis] for box in boxes] for axis in (0, 1))
        return (
            slice(min(r.start for r in rows), max(r.stop for r in rows)),
            slice(min(c.start for c in columns), max(c.stop for c in columns)),
        )

    def _chances(
        self,
        ground: Canvas,
        table: TableTexture,
        piece: PieceModel,
        alike: Sequence[str],
        without: Collection[str],
        *,
        known_light: bool,
    ) -> list[dict[str, Chances]]:
        """Per gap how the pieces of each of the colours `alike` show; those `without` are not looked for."""
        middles = (self.low + self.high) / 2
        centre = middles.mean(0)
        showing = {
            name: Showing(self.colours, name, ground, table, centre, known_light=known_light)
            for name in alike
            if name not in without
        }
        out = []
        for middle in middles if alike else ():
            lean = (middle - np.array(piece.camera_mm[:2])) * (piece.lean() - 1.0) * PX_PER_MM
            shape = masks(piece.side_mm * PX_PER_MM, lean, piece.shape)
            never = dict.fromkeys(without, Chances(missed=1.0, mistaken=0.0))
            out.append(never | {name: one.chances(shape, ALIKE_ACCEPTED) for name, one in showing.items()})
        return out or [{} for _ in middles]

    def _shadows(
        self,
        examined: Examined,
        finder: PieceFinder,
        doubtful: tuple[str, ...],
        before: Gaps | None,
        due: Collection[int],
    ) -> Shadows | None:
        """What the picture says of shadows, if the pieces of all but the doubtful colours tell where the light is.

        `before`: an earlier reading of the same view, which knows that already; then only the shadows near the gaps
        `due` are looked at.
        """
        canvas = examined.canvas
        if before is not None:
            cast = before.cast
            if cast is None:
                return None
            gain = np.zeros(canvas.label.shape, np.float32)
            for gap in due:
                # a pixel's gain hangs on its neighbours' labels only: the edge of what is cut out is left out
                where = self._box(canvas.window, gap, AROUND_MM)
                cut = self._box(canvas.window, gap, AROUND_MM + EDGE_MM)
                inner = tuple(slice(w.start - c.start, w.stop - c.start) for w, c in zip(where, cut, strict=True))
                gain[where] = shadow_gain(canvas.part(cut))[inner]
            return Shadows(gain, cast)
        names = tuple(n for n in self.colours.names if n not in doubtful)
        if not names:
            return None
        feet, covered = finder.standing(examined, names)
        gain = shadow_gain(canvas, examined.inner)
        free = gain * (cv2.dilate(covered, np.ones((3, 3))) < HALF_COVERED)
        light = find_light(free, canvas.window, feet, finder.piece.side_mm, self.layout.piece_height_mm)
        return None if light is None else Shadows(gain, light)

    def _like_table(self, light: PictureLight, table: TableTexture) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The colours that are the lit table's own, and those that are like it or like it in a shadow."""
        middle = np.broadcast_to((self.low.min(0) + self.high.max(0)) / 2, (len(self.colours.names), 2))
        lit = light.expect(self.colours.array(), middle, clip=False)
        apart = dict(zip(self.colours.names, (table.likeness(colour) for colour in lit), strict=True))
        hidden = tuple(name for name, (plain, _) in apart.items() if plain < THE_SAME)
        alike = tuple(name for name, both in apart.items() if min(both) < TOO_ALIKE)
        return hidden, tuple(name for name in alike if name not in hidden)

    def _gap(
        self,
        ground: _Ground,
        search: PieceSearch,
        nearest: Sequence[tuple[int, float]],
        gap: int,
        alike: tuple[str, ...],
    ) -> GapReading:
        """What stands in one gap, by the `search` of the ground and the gap `nearest` to each of its pieces.
        `alike`: the colours that are like the table."""
        label = ground.canvas.label
        x, y = ground.canvas.window.axes_mm()
        (left, top), (right, bottom) = self.low[gap], self.high[gap]
        inside = np.ix_((y >= top) & (y <= bottom), (x >= left) & (x <= right))
        # what is not known and has room for a piece may hide one
        shown = least_shown(label[inside] >= 0, round(self.layout.piece_side_mm * PX_PER_MM))
        pieces, doubt = [], 1.0 if shown > KNOWN_SHARE else UNSURE
        if ground.canvas.light.at_least:  # one bright piece looks like two of them, and a bright edge like one
            doubt = UNSURE
        for piece, (own, apart_mm) in zip(search.pieces, nearest, strict=True):
            like_table = piece.colour in alike
            if own != gap or (like_table and piece.evidence < ALIKE_ACCEPTED):
                continue
            if apart_mm <= OUTSIDE_MM:
                pieces.append(piece)
            else:
                doubt = UNSURE  # it stands where no piece stands: somebody should look
        counts = tuple(sorted(Counter(one.colour for one in pieces).items()))
        left = (float(each[gap]) if gap < len(each) else 0.0 for each in (search.refused, search.unexplained_mm2))
        return GapReading(counts, pieces_probability(pieces, *left) * doubt, tuple(pieces))

    def _box(self, window: Window, gap: int, around_mm: float) -> tuple[slice, slice]:
        """Rows and columns around a gap."""
        return window.box(np.stack([self.low[gap], self.high[gap]]), around_mm)

    def _around(self, window: Window, due: Collection[int]) -> np.ndarray:
        """(H, W) bool: all that the search of these gaps sees."""
        out = np.zeros((window.height_px, window.width_px), bool)
        for gap in due:
            out[self._box(window, gap, AROUND_MM)] = True
        return out

    def _nearest(self, piece: FoundPiece) -> tuple[int, float]:
        """The gap that a piece stands in or next to, and how far outside of it, mm."""
        foot = np.array(piece.foot_mm)
        apart = np.linalg.norm(np.maximum(np.maximum(self.low - foot, foot - self.high), 0.0), axis=-1)
        nearest = int(np.argmin(apart))
        return nearest, float(apart[nearest])

    def _nearest_gaps(self, window: Window) -> tuple[np.ndarray, np.ndarray]:
        """(H, W) int16 the nearest gap of every pixel of a window, and (H, W) float64 how far outside of it that lies,
        mm. One gap after the other: all of them at once take as much memory as all faces of a box."""
        owner = np.zeros((window.height_px, window.width_px), np.int16)
        nearest = np.full(owner.shape, np.inf)
        for gap, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            across, down = (
                np.maximum(np.maximum(low[k] - mm, mm - high[k]), 0.0) for k, mm in enumerate(_axes_mm(window))
            )
            apart = np.sqrt(across[None] ** 2 + down[:, None] ** 2)
            nearer = apart < nearest
            owner[nearer], nearest[nearer] = gap, apart[nearer]
        return owner, nearest


def _axes_mm(window: Window) -> tuple[np.ndarray, np.ndarray]:
    """(W,) and (H,) float64 table mm of a window's columns and rows."""
    x, y = (np.stack([np.arange(size)] * 2, axis=-1) for size in (window.width_px, window.height_px))
    return window.to_mm(x)[:, 0], window.to_mm(y)[:, 1]


def least_shown(known: np.ndarray, side_px: int) -> float:
    """The least part of a square of `side_px`, as far as it fits into the gap, that shows wherever in it it lies.

    `known`: (H, W) bool, the pixels of a gap that show table, piece or known faces.
    """
    height, width = (min(side_px, size) for size in known.shape)
    means = cv2.blur(known.astype(np.float32), (width, height), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    return float(means[: known.shape[0] - height + 1, : known.shape[1] - width + 1].min())


def _doubted(gap: GapReading, chances: Mapping[str, Chances]) -> GapReading:
    """The gap, believed as far as the colours that are like the table show."""
    counts = dict(gap.counts)
    doubted = tuple((name, one.count_is_right(counted=name in counts)) for name, one in sorted(chances.items()))
    return replace(gap, p=gap.p * prod(p for _, p in doubted), doubted=doubted)
