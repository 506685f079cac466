"""Where a piece of known size appears on a canvas: masks of its top and sides, and hypotheses made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.core.layout import PieceShape, TableLayout
from vision.appearance.placed_face import turn_matrix

# A cube looks the same after 90 degrees: steps of 7.5 degrees keep its edges within half a pixel.
YAWS = 12

# Masks are drawn with so many pixels a side of each, corners to a part of these.
FINE, PART_BITS = 4, 4
PART = 1 << PART_BITS

# A round foot is drawn as a polygon with so many corners.
ROUND_CORNERS = 32


@dataclass(frozen=True, slots=True)
class PieceModel:
    """A piece whose foot is `side_mm` wide and stands at z = `face_z_mm`, seen from `camera_mm` (x, y, z; z negative
    above the table); it is `height_mm` high, or as high as wide."""

    side_mm: float
    face_z_mm: float
    camera_mm: tuple[float, float, float]
    height_mm: float | None = None
    shape: PieceShape = PieceShape.SQUARE

    @classmethod
    def on_face(cls, layout: TableLayout, camera_mm: tuple[float, float, float]) -> PieceModel:
        """The piece of a layout that stands on one of its flat faces."""
        return cls(
            layout.piece_side_mm, -layout.face_thickness_mm, camera_mm, layout.piece_height_mm, layout.piece_shape
        )

    def lean(self) -> float:
        """How much farther from the point below the camera a top appears than its foot: factor of the distance."""
        height = self.face_z_mm - self.camera_mm[2]
        return height / (height - (self.height_mm or self.side_mm))


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """(Y, S, S) float32 each: part of a pixel that the top and the sides cover, around the middle of the foot."""

    top: np.ndarray
    side: np.ndarray

    @property
    def size(self) -> int:
        """S."""
        return int(self.top.shape[1])

    def columns(self) -> np.ndarray:
        """(2 S S, Y) float32: top above side, to be multiplied with windows of the pixels' gains."""
        return _columns(self)

    def covered(self) -> tuple[np.ndarray, np.ndarray]:
        """(S, S) float32 each: the part of a pixel that a piece covers at least, and at most, however it is turned."""
        return _covered(self)


@lru_cache(maxsize=32)  # as large as the masks themselves
def _columns(shape: Masks) -> np.ndarray:
    return np.concatenate([m.reshape(len(m), -1) for m in (shape.top, shape.side)], axis=1).T


@lru_cache(maxsize=32)
def _covered(shape: Masks) -> tuple[np.ndarray, np.ndarray]:
    both = shape.top + shape.side
    return both.min(0), both.max(0)


def masks(side_px: float, lean_px: np.ndarray, shape: PieceShape) -> Masks:
    """The masks of a piece whose top appears `lean_px` (2,) from its foot. Of a round foot there is one yaw only."""
    size = int(np.ceil(side_px * 1.5 + 2 * np.abs(lean_px).max())) | 1
    return _masks(round(side_px, 2), round(float(lean_px[0]) * 10), round(float(lean_px[1]) * 10), size, shape)


@lru_cache(maxsize=128)  # 50 kB each; a table uses a hundred
def _masks(side_px: float, lean_x: int, lean_y: int, size: int, shape: PieceShape) -> Masks:
    lean = np.array([lean_x, lean_y]) / 10.0
    feet = disc(side_px)[None] if shape is PieceShape.ROUND else _squares(side_px)
    # each outline as a foot and as a top, in parts of a pixel
    both = np.concatenate([feet, feet + lean], axis=1)
    corners = np.rint(((both + size / 2) * FINE - 0.5) * PART).astype(np.int32)
    hulls = [cv2.convexHull(one, returnPoints=False)[:, 0] for one in both.astype(np.float32)]
    tops = corners[:, feet.shape[1] :]
    swept_over = [one[hull] for one, hull in zip(corners, hulls, strict=True)]
    top, whole = np.split(_covers([*tops, *swept_over], size), 2)
    return Masks(top, np.maximum(whole - top, 0.0))


@lru_cache(maxsize=8)
def _squares(side_px: float) -> np.ndarray:
    """(YAWS, 4, 2) corners of a square foot around the origin in all its turns."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side_px / 2
    return np.stack([corners @ turn_matrix(90.0 / YAWS * k).T for k in range(YAWS)])


def disc(side_px: float) -> np.ndarray:
    """(N, 2) outline of a round foot of that diameter around the origin."""
    angle = np.linspace(0, 2 * np.pi, ROUND_CORNERS, endpoint=False)
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * side_px / 2)


def swept(outline: np.ndarray, way: np.ndarray) -> np.ndarray:
    """(M, 2) float32 outline of all that a convex outline (N, 2) covers on a way (2,)."""
    return np.asarray(cv2.convexHull(np.vstack([outline, outline + way]).astype(np.float32)).reshape(-1, 2))


def _covers(polygons: Sequence[np.ndarray], size: int) -> np.ndarray:
    """(N, size, size) float32: how much of each pixel of a (size, size) picture each of N polygons covers, (M, 2) int32
    in PART of FINE of a pixel."""
    high = size * FINE
    mask = np.zeros((len(polygons) * high, high), np.uint8)
    for number, polygon in enumerate(polygons):
        cv2.fillConvexPoly(mask[number * high : (number + 1) * high], polygon, 255, cv2.LINE_8, PART_BITS)
    small = cv2.resize(mask, (size, len(polygons) * size), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(-1, size, size).astype(np.float32) / 255.0)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Hypothesis:
    """A piece that may stand in a region: where its pixels are and what each says for it against the bare face.

    `foot_px` (2,) x, y in the region; `top`, `side` (h, w): part of each pixel of `where` that they cover;
    `top_gain`, `side_gain`: nats, weighted by the cover. `alone`: evidence without other pieces.
    """

    colour: int
    yaw: int
    foot_px: np.ndarray
    where: tuple[slice, slice]
    top: np.ndarray
    side: np.ndarray
    top_gain: np.ndarray
    side_gain: np.ndarray
    alone: float


def hypothesis(
    colour: int, yaw: int, xy: tuple[int, int], gains: tuple[np.ndarray, np.ndarray], shape: Masks, alone: float
) -> Hypothesis:
    """A piece with its foot at a pixel of a region whose `gains` as top and as side (h, w) are given."""
    top, side = gains
    foot = np.array(xy, float)
    where, cut = place_mask(top.shape, foot, shape.size // 2)
    mt, ms = shape.top[yaw][cut], shape.side[yaw][cut]
    return Hypothesis(colour, yaw, foot, where, mt, ms, top[where] * mt, side[where] * ms, alone)


def place_mask(shape: tuple[int, ...], px: np.ndarray, half: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Where a mask of 2 half + 1 px a side around a pixel (2,) x, y lies in a map of `shape`, and what part of it."""
    x, y = map(round, px.tolist())
    height, width = shape
    y0, x0, y1, x1 = y - half, x - half, y + half + 1, x + half + 1
    if y0 < 0 or x0 < 0 or y1 > height or x1 > width:
        y0, x0 = min(max(0, y0), height), min(max(0, x0), width)
        y1, x1 = max(y0, min(height, y1)), max(x0, min(width, x1))
    cut = (slice(y0 - y + half, y1 - y + half), slice(x0 - x + half, x1 - x + half))
    return (slice(y0, y1), slice(x0, x1)), cut
