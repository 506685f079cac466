"""Finds flat pieces of one size that lie loose on the table, at any place and turn, whatever is printed on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.locate.markers import MarkerLayout
from vision.locate.plane import Plane, PosePlane, planes_of_squares
from vision.locate.pose import TablePose, printed_markers
from vision.locate.quads import Quad, find_quads
from vision.spread.loose_edges import REACHES, edges_of
from vision.spread.table_colour import TableColour, cloth_colours, cloth_masks, table_masks, unlike_cloth

# Sides of an outline against the piece's: the printed area inside a border, or the piece with its own shadow.
SIDES = (0.84, 1.1)

# Corners of an outline may miss a true rectangle by this part of its shorter side.
RECTANGULAR = 0.12

# Middles nearer than this part of the shorter side are one piece.
SAME_PLACE = 0.5

# Thresholds by which an outline must have been seen; fewer, and it is a shadow's edge or wood's grain.
MIN_VOTES = 2

# An outline inside another one is believed less, the further its size is from the piece's.
SIZE_COUNTS = 8.0

# Part of the area of a found piece that may lie under another one: pieces lie beside each other.
OVERLAP = 0.12

# So far outside the middles of the markers a piece may lie: beside them.
AROUND_MM = 30.0

# A marker with the white paper around it, against its own size.
PAPER = 1.3

# Lab distance between the middle of a piece and the table beside it, below which there is none.
UNLIKE_TABLE = 9.0

# On a cloth of several colours a piece may have that of the check beside it nearly, or their mean: of its middle half
# has none of them, by so many deviations of their grain.
UNLIKE_CLOTH = 3.0

# Part of a piece's middle, and of the table beside all pieces, that has one colour (UNLIKE_TABLE apart at most) where
# the outline is a check of the cloth. A cloth has few colours: each is seen in a tenth of it, checks outlined or not.
# Print takes more than this of a piece.
PLAIN, OF_TABLE = 0.95, 0.05
TABLE_EVERY_PX = 4  # one pixel of so many in each direction tells the table's colours

# Of a piece, from its middle to its rim: what lies within has no shadow and no border.
MIDDLE = 0.85

# Side of the printed area within a white border, against the piece's.
PRINTED_SHARE = 0.91


@dataclass(frozen=True, slots=True, eq=False)
class LoosePiece:
    """Corners (4, 2) float64 of a piece's upper face, clockwise, in the picture (px) and in its plane (mm); which one
    is its own top left is not known: it is the one for which the piece is turned least. `votes`: how clearly it
    was seen. Of a piece that is no rectangle the corners are those of the rectangle around it upright, `outline` is
    the name of its outline, and `edge_px` (N, 2) that outline itself."""

    corners_px: np.ndarray
    corners_mm: np.ndarray
    votes: int
    outline: str = ""
    edge_px: np.ndarray | None = None

    @property
    def rim_px(self) -> np.ndarray:
        """(N, 2) its own outline, px."""
        return self.corners_px if self.edge_px is None else self.edge_px


@dataclass(frozen=True, slots=True, eq=False)
class LoosePieces:
    """All pieces found, from the top of the picture to its bottom, and the plane their faces lie in (None: no piece
    was found that tells it). `by`: "markers", or "pieces" when only their own shape told the plane."""

    pieces: tuple[LoosePiece, ...]
    plane: Plane | None
    by: str


def find_loose(
    image: np.ndarray, pose: TablePose | None, size_mm: tuple[float, float], thickness_mm: float, markers: MarkerLayout,
) -> LoosePieces:
    """The loose pieces of `size_mm` (width, height when upright) in `image` (H, W, 3) uint8 BGR.

    A piece whose outline the table hides is not found: who lays it moves it. Without a pose the plane is told by the
    pieces themselves, when they are square and two or more. What overlaps another piece is left out, and the markers.
    """
    # the size of what is seen is known with a pose alone
    quads = [q for q in find_quads(image, table_masks if pose is None else cloth_masks) if q.votes >= MIN_VOTES]
    printed = printed_markers(image, markers, pose)
    free = [q for q in quads if not any(_inside(q.centre_px, corners) for corners in printed)]
    square = abs(size_mm[0] - size_mm[1]) < 0.05 * max(size_mm)
    if pose is not None:
        planes: list[Plane] = [PosePlane(pose, -thickness_mm)]
    elif square:
        corners = [q.corners_px for q in free]
        planes = [p for share in (1.0, PRINTED_SHARE) for p in planes_of_squares(corners, share * size_mm[0], most=1)]
    else:
        planes = []
    if not planes:
        return LoosePieces((), None, "pieces")
    cloth = [] if pose is None else cloth_colours(image)
    tried = [(plane, _outlined(image, plane, free, size_mm, cloth)) for plane in planes]
    plane, found = max(tried, key=lambda one: len(one[1]))
    if pose is None:
        plane, found = _by_edges(image, plane, found, size_mm)
    if pose is not None:
        found = [one for one in found if _between(one, markers, image.shape)]
    found.sort(key=lambda one: (one.corners_px[:, 1].mean(), one.corners_px[:, 0].mean()))
    return LoosePieces(tuple(found), plane, "markers" if pose is not None else "pieces")


def _by_edges(
    image: np.ndarray, plane: Plane, found: list[LoosePiece], size_mm: tuple[float, float]
) -> tuple[Plane, list[LoosePiece]]:
    """The plane and the pieces once more, by the edges of all whose sides agree on one; another one stays where its
    outline was."""
    for reach in REACHES:
        edges = [edges_of(image, plane, one.corners_mm, reach) for one in found]
        planes = planes_of_squares([corners for corners in edges if corners is not None], size_mm[0], most=1)
        if not planes:
            break
        plane, again = planes[0], []
        for one, corners in zip(found, edges, strict=True):
            places = [one.corners_px] if corners is None else [corners, one.corners_px]
            fitted = next((f for px in places if (f := _rectangle(plane.to_mm(px), size_mm)) is not None), None)
            if fitted is not None:
                again.append(LoosePiece(plane.to_px(fitted[0]), fitted[0], one.votes))
        found = again
    return plane, found


def _between(one: LoosePiece, markers: MarkerLayout, shape: tuple[int, ...]) -> bool:
    """Whether the middle of a piece lies between the markers, and in the picture: beyond, it is another thing."""
    places = np.array(list(markers.centres_mm.values()))
    middle, at = one.corners_mm.mean(0), one.corners_px.mean(0)
    height, width = shape[:2]
    between = bool((middle > places.min(0) - AROUND_MM).all() and (middle < places.max(0) + AROUND_MM).all())
    return between and 0 <= at[0] < width and 0 <= at[1] < height


def with_paper(corners: np.ndarray) -> np.ndarray:
    """(4, 2) corners of a marker -> those of it with the white paper around it."""
    return np.asarray(corners.mean(0) + PAPER * (corners - corners.mean(0)))


def _inside(point: np.ndarray, corners: np.ndarray) -> bool:
    grown = with_paper(corners)
    return cv2.pointPolygonTest(grown.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0


def _outlined(
    image: np.ndarray, plane: Plane, quads: Sequence[Quad], size_mm: tuple[float, float],
    cloth: Sequence[TableColour],
) -> list[LoosePiece]:
    """The pieces whose outlines were seen, the best outline of each. `cloth`: the colours of the table, if several."""
    ranked: list[tuple[float, LoosePiece]] = []
    for quad in quads:
        fitted = _rectangle(plane.to_mm(quad.corners_px), size_mm)
        if fitted is None:
            continue
        corners_mm, scale = fitted
        rank = quad.votes - SIZE_COUNTS * abs(np.log(scale))
        ranked.append((rank, LoosePiece(plane.to_px(corners_mm), corners_mm, quad.votes)))
    kept: list[LoosePiece] = []
    for _, one in sorted(ranked, key=lambda r: -r[0]):
        if any(_overlap(one.corners_mm, other.corners_mm) for other in kept):
            continue
        if _unlike_table(image, one) or (cloth and _unlike_cloth(image, one, cloth)):
            kept.append(one)
    return _without_checks(image, kept)


def _unlike_cloth(image: np.ndarray, piece: LoosePiece, cloth: Sequence[TableColour]) -> bool:
    """Whether a piece's middle has none of the colours of the cloth."""
    low, high = _box_of(piece.corners_px, image)
    crop = image[low[1] : high[1], low[0] : high[0]]
    if not crop.size:
        return False
    inside = _within(unlike_cloth(crop, cloth), piece.corners_px - low)
    return bool(len(inside) and np.median(inside) > UNLIKE_CLOTH)


def _box_of(corners: np.ndarray, image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pixels around corners that the picture has: x and y of the first, and after the last."""
    low = np.clip(np.floor(corners.min(0)).astype(int), 0, image.shape[1::-1])
    return low, np.clip(np.ceil(corners.max(0)).astype(int) + 1, low, image.shape[1::-1])


def _without_checks(image: np.ndarray, pieces: Sequence[LoosePiece]) -> list[LoosePiece]:
    """Those that are no check of a cloth: one colour all over, and one that the table beside the pieces has."""
    soft = cv2.GaussianBlur(image, (0, 0), 1.0)
    beside = np.ones(image.shape[:2], np.uint8)
    for one in pieces:
        cv2.fillConvexPoly(beside, np.round(one.corners_px).astype(np.int32), 0)
    every = slice(None, None, TABLE_EVERY_PX)
    table = _lab(soft[every, every][beside[every, every] > 0])
    return [one for one in pieces if not _is_check(_lab(_within(soft, one.corners_px)), table)]


def _is_check(inside: np.ndarray, table: np.ndarray) -> bool:
    """Whether a piece's middle (N, 3) Lab has one colour, that of a part of the table (M, 3)."""
    if not len(inside) or not len(table):
        return False
    colour = np.median(inside, axis=0)
    plain, of_table = (np.mean(np.linalg.norm(some - colour, axis=1) < UNLIKE_TABLE) for some in (inside, table))
    return bool(plain >= PLAIN and of_table >= OF_TABLE)


def _within(image: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
    """(N, 3) or (N,) pixels of a piece, its rim left out."""
    corners = MIDDLE * corners_px + (1 - MIDDLE) * corners_px.mean(0)
    low, high = _box_of(corners, image)
    crop = image[low[1] : high[1], low[0] : high[0]]
    if not crop.size:
        return crop.reshape(-1, *image.shape[2:])
    mask = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners - low).astype(np.int32), 1)
    return np.asarray(crop[mask > 0])


def _lab(pixels: np.ndarray) -> np.ndarray:
    """(N, 3) uint8 BGR as Lab."""
    if not len(pixels):
        return np.empty((0, 3), np.float32)
    return np.asarray(cv2.cvtColor(pixels[None].astype(np.float32) / 255, cv2.COLOR_BGR2Lab)[0])


def _rectangle(corners: np.ndarray, size_mm: tuple[float, float]) -> tuple[np.ndarray, float] | None:
    """The rectangle of the piece's own size at (4, 2) corners in mm, and how large they are against it; None when they
    are no such rectangle."""
    centre = corners.mean(0)
    sides = np.roll(corners, -1, axis=0) - corners
    first, second = (sides[0] - sides[2]) / 2, (sides[1] - sides[3]) / 2
    lengths = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    if min(lengths) < 1e-6:
        return None
    width, height = size_mm
    if abs(np.log(lengths[0] / lengths[1] * height / width)) > abs(np.log(lengths[1] / lengths[0] * height / width)):
        first, second, lengths = second, -first, lengths[::-1]
    scales = lengths[0] / width, lengths[1] / height
    if not all(SIDES[0] <= scale <= SIDES[1] for scale in scales):
        return None
    along = first / lengths[0]
    across = np.array([-along[1], along[0]])
    if across @ second < 0:
        across = -across
    scale = (scales[0] + scales[1]) / 2
    wanted = _corners(centre, along, across, (width * scale, height * scale))
    apart = min(float(np.abs(np.roll(wanted, k, axis=0) - corners).max()) for k in range(4))
    if apart > RECTANGULAR * min(size_mm):
        return None
    return _least_turned(_corners(centre, along, across, size_mm), size_mm), scale


def _corners(
    centre: np.ndarray, along: np.ndarray, across: np.ndarray, size_mm: tuple[float, float]
) -> np.ndarray:
    a, b = along * size_mm[0] / 2, across * size_mm[1] / 2
    return np.array([centre - a - b, centre + a - b, centre + a + b, centre - a + b])


def _least_turned(corners: np.ndarray, size_mm: tuple[float, float]) -> np.ndarray:
    """The corners from that one on for which the piece stands most upright; a rectangle has two, a square four."""
    step = 1 if abs(size_mm[0] - size_mm[1]) < 0.05 * max(size_mm) else 2
    turned = [np.roll(corners, -k, axis=0) for k in range(0, 4, step)]
    return max(turned, key=lambda c: float((c[1] - c[0])[0]))


def _overlap(one: np.ndarray, other: np.ndarray) -> bool:
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return bool(area > OVERLAP * cv2.contourArea(one.astype(np.float32)))


def _unlike_table(image: np.ndarray, piece: LoosePiece) -> bool:
    """Whether the piece differs from what lies just outside all of its sides."""
    corners, middle = piece.corners_px, piece.corners_px.mean(0)
    inner = middle + MIDDLE * (corners - middle)
    outer, rim = middle + 1.35 * (corners - middle), middle + 1.12 * (corners - middle)
    low = np.floor(outer.min(0)).astype(int)
    high = np.ceil(outer.max(0)).astype(int) + 1
    low, high = np.maximum(low, 0), np.minimum(high, image.shape[1::-1])
    if (high - low).min() < 8:
        return False
    crop = image[low[1] : high[1], low[0] : high[0]]
    lab = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    masks = [np.zeros(crop.shape[:2], np.uint8) for _ in range(3)]
    for mask, shape in zip(masks, (inner, outer, rim), strict=True):
        cv2.fillConvexPoly(mask, np.round(shape - low).astype(np.int32), 1)
    inside, around = masks[0] > 0, (masks[1] > 0) & (masks[2] == 0)
    if inside.sum() < 16 or around.sum() < 16:
        return False
    table = np.median(lab[around], axis=0)
    return float(np.median(np.linalg.norm(lab[inside] - table, axis=1))) > UNLIKE_TABLE

