"""Completes compound pieces of which the table hides a space: one of its own colour, whose sides alone are seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.piece_outline import PieceOutline
from vision.locate.plane import Plane
from vision.spread.shaped_piece import ShapedPiece, rotation

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

BARE_SHARE = 0.9
"""Of as long lines of the same direction on the bare table so many have a fainter step than a side that is seen: grain
has a direction, and all the sides of a space, four or five, are hardly ever seen by chance."""
BARE_LEAST = 40
"""Fewer lines on the bare table do not tell that."""
BARE_EVERY_MM = 20.0
DIRECTION_DEG = 10.0
"""Directions nearer than this are one."""
CLEAR_MM = 4.0
"""Nearer to a found piece its shadow lies on the table."""
SAME_MM = 1.5
"""Places nearer than this are one: two spaces of a piece are farther apart than any corners of one."""

PART_MM = 4.0
"""So far off may be a space that was outlined by itself, within the border of its piece or with its shadow."""
POINTS = 7
"""Of a side that are asked how near another piece is."""

ALONG_EVERY_MM = 1.0
CORNER_SHARE = 0.08
"""At each end of a side, where the next one's step is seen."""
REACH_MM, EVERY_MM = 1.5, 0.25
"""How far from where a side must be its step is looked for: a turn that is a degree off moves a far side by 1 mm."""
STEP_MM = 1.0
"""Across which a step is measured: the blur of a camera that shows 2 px/mm."""


def completed(
    image: U8, plane: Plane, pieces: Sequence[ShapedPiece], outlines: Sequence[PieceOutline], bare: U8,
    low_mm: F64, px_per_mm: float,
) -> list[ShapedPiece]:
    """For each piece that may be a part of a larger one, the largest all of whose other sides are seen as steps in
    `image`. `bare` (H, W) uint8: 1 where the table shows, but for the pieces themselves, in a view of the plane whose
    top left is `low_mm`."""
    compound = [one for one in outlines if one.parts_mm]
    if not pieces or not compound:
        return []
    length = max(float(np.linalg.norm(b - a)) for a, b in _sides_of(np.array(compound[0].corners_mm)))
    middles = _bare_middles(pieces, bare, low_mm, px_per_mm, length)
    if len(middles) < BARE_LEAST:
        return []
    sides = _Sides(image, plane, middles, length)
    out = []
    for piece in pieces:
        others = [one for one in pieces if one is not piece]
        whole = [
            one for one in _larger(piece, compound) if (hidden := _hidden(piece, one)) and sides.all_seen(hidden)
            and not any(_in_the_way(hidden, one, other) for other in others if not _is_part(other, one))
        ]
        if whole:
            out.append(max(whole, key=lambda one: one.outline.area_mm2))
    return out


class _Sides:
    """Which sides are seen in a picture; each is looked at once."""

    def __init__(self, image: U8, plane: Plane, bare_mm: F64, length_mm: float) -> None:
        """`bare_mm`: (N, 2) middles of lines of this length on the bare table."""
        self._image, self._plane, self._bare, self._length = image, plane, bare_mm, length_mm
        self._least: dict[int, float] = {}
        self._seen: dict[tuple[int, ...], bool] = {}

    def all_seen(self, sides: Sequence[F64]) -> bool:
        """Whether each of the sides, (2, 2) mm, shows a step that the table has seldom."""
        return all(self._is_seen(side) for side in sides)

    def _is_seen(self, side: F64) -> bool:
        place = tuple(np.round(side.mean(axis=0) / SAME_MM).astype(int).tolist())
        if place not in self._seen:
            self._seen[place] = bool(steps(self._image, self._plane, side[None])[0] > self._least_step(side))
        return self._seen[place]

    def _least_step(self, side: F64) -> float:
        x, y = side[1] - side[0]
        direction = round(float(np.rad2deg(np.arctan2(y, x))) % 180.0 / DIRECTION_DEG)
        if direction not in self._least:
            a = np.deg2rad(direction * DIRECTION_DEG)
            half = self._length / 2 * np.array([np.cos(a), np.sin(a)])
            lines = np.stack([self._bare - half, self._bare + half], axis=1)
            self._least[direction] = float(np.quantile(steps(self._image, self._plane, lines), BARE_SHARE))
        return self._least[direction]


def steps(image: U8, plane: Plane, lines_mm: F64) -> F64:
    """(N,) Lab distance of the steepest step across each of (N, 2, 2) lines, ends in mm of the plane, within REACH_MM:
    of what most of the line's length shows, so that a print or a speck beside it counts for nothing."""
    ends = lines_mm[:, 1] - lines_mm[:, 0]
    lengths = np.linalg.norm(ends, axis=1, keepdims=True)
    normals = np.stack([ends[:, 1], -ends[:, 0]], axis=1) / lengths
    shares = np.linspace(CORNER_SHARE, 1 - CORNER_SHARE, max(3, int(float(lengths.max()) / ALONG_EVERY_MM)))
    reach = REACH_MM + STEP_MM / 2
    offsets = np.arange(-reach, reach + EVERY_MM / 2, EVERY_MM)
    along = lines_mm[:, None, 0] + shares[None, :, None] * ends[:, None]
    places = along[:, :, None] + offsets[None, None, :, None] * normals[:, None, None]
    shape = (len(lines_mm) * len(shares), len(offsets))
    px = plane.to_px(places.reshape(-1, 2)).astype(np.float32).reshape(*shape, 2)
    seen = cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    profile = np.median(lab.reshape(len(lines_mm), len(shares), len(offsets), 3), axis=1)
    apart = round(STEP_MM / EVERY_MM)
    step = np.linalg.norm(profile[:, apart:] - profile[:, :-apart], axis=2)
    return np.asarray(step.max(axis=1), np.float64)


def _bare_middles(pieces: Sequence[ShapedPiece], bare: U8, low_mm: F64, px_per_mm: float, length: float) -> F64:
    """(N, 2) middles of lines of this length on the bare table, mm."""
    clear = bare.copy()
    clear[[0, -1]] = clear[:, [0, -1]] = 0
    for one in pieces:
        cv2.fillPoly(clear, [np.round((one.outline_mm - low_mm) * px_per_mm).astype(np.int32)], 0)
    far = cv2.distanceTransform(clear, cv2.DIST_L2, 3) / px_per_mm
    every = round(BARE_EVERY_MM * px_per_mm)
    rows, columns = np.nonzero(far[::every, ::every] > length / 2 + CLEAR_MM)
    return np.asarray(np.stack([columns, rows], axis=1) * every / px_per_mm + low_mm, np.float64)


def _larger(piece: ShapedPiece, outlines: Sequence[PieceOutline]) -> Iterator[ShapedPiece]:
    """Every way in which a larger outline may lie so that the piece is some of its spaces."""
    own = piece.placed(np.array(piece.outline.parts_mm)) if piece.outline.parts_mm else np.zeros((0, 2))
    for outline in outlines:
        parts = np.array(outline.parts_mm)
        if not len(own) or len(parts) <= len(own):
            continue
        turns = 360.0 / _turns_of_a_space(outlines) * np.arange(_turns_of_a_space(outlines))
        met: list[F64] = []
        for turn in piece.turn_deg + turns:
            laid = parts @ rotation(turn).T
            for first in laid:
                at = own[0] - first
                if not _among(own, laid + at) or any(_among(laid + at, other) for other in met):
                    continue
                met.append(laid + at)
                yield ShapedPiece(outline, at, float(turn), piece.votes)


def _turns_of_a_space(outlines: Sequence[PieceOutline]) -> int:
    """In how many turns a single space lies on itself."""
    return max(one.turns for one in outlines)


def _among(points: F64, others: F64, off_mm: float = SAME_MM) -> bool:
    """Whether each of (N, 2) points is one of the others, or so far off it at most."""
    return bool((np.linalg.norm(points[:, None] - others, axis=2).min(axis=1) < off_mm).all())


def _hidden(piece: ShapedPiece, whole: ShapedPiece) -> list[F64]:
    """The sides, (2, 2) mm each, of the whole that are none of the piece's."""
    own = _sides_of(piece.outline_mm).mean(axis=1)
    return [side for side in _sides_of(whole.outline_mm) if not _among(side.mean(axis=0)[None], own)]


def _is_part(piece: ShapedPiece, whole: ShapedPiece) -> bool:
    """Whether the piece is some of the spaces of the whole."""
    parts = np.array(piece.outline.parts_mm)
    spaces = whole.placed(np.array(whole.outline.parts_mm))
    return bool(len(parts)) and _among(piece.placed(parts), spaces, PART_MM)


def _in_the_way(sides: Sequence[F64], whole: ShapedPiece, other: ShapedPiece) -> bool:
    """Whether another piece lies in the whole, or one of the sides, (2, 2) mm each, in that piece or along it, where
    the step may be its shadow's. A corner may touch a side: most of that is seen."""
    if cv2.pointPolygonTest(whole.outline_mm.astype(np.float32), _point(other.outline_mm.mean(axis=0)), False) >= 0:
        return True
    rim = other.outline_mm.astype(np.float32)
    for a, b in sides:
        within = [cv2.pointPolygonTest(rim, _point(a + share * (b - a)), True) for share in np.linspace(0, 1, POINTS)]
        if max(within) > CLEAR_MM or float(np.median(within)) > -CLEAR_MM:
            return True
    return False


def _point(xy: F64) -> tuple[float, float]:
    return float(xy[0]), float(xy[1])


def _sides_of(corners: F64) -> F64:
    """(N, 2, 2) the sides of a polygon of (N, 2) corners."""
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
