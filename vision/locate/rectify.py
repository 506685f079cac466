"""Upright square crops of places on the table, straight from the camera's picture, lens distortion and all."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from threading import Lock
from weakref import ref

import cv2
import numpy as np

from vision.locate.pose import TablePose

KEPT_BYTES = 32_000_000  # a map of 128 x 128 takes 96 kB, one of a whole table 7 MB: all that one table needs
# Where the picture has more than this many px per px of the crop, it is averaged and not only sampled.
SHRINK = 1.6
# The way from crop to picture (perspective and distortion) is computed at this many Chebyshev nodes a side and
# interpolated by the polynomial through them: within 0.01 px of the exact one even for a view of the whole table.
NODES = 10

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)  # corners of the unit square, clockwise

_Map = tuple[ref[TablePose], np.ndarray, np.ndarray, int]


class KeptMaps:
    """The maps that were used last, as many as fit into `most_bytes`, of poses that somebody still uses; from any
    thread."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self.bytes = most_bytes, 0
        self._maps: OrderedDict[tuple[object, ...], _Map] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...], pose: TablePose) -> _Map | None:
        """The map of a place at this very pose."""
        with self._lock:
            kept = self._maps.get(key)
            if kept is None or kept[0]() is not pose:
                return None
            self._maps.move_to_end(key)
            return kept

    def put(self, key: tuple[object, ...], made: _Map) -> None:
        """Keep a map, and let go of those whose pose nobody uses any more, and that were not used for longest."""
        with self._lock:
            for gone in [known for known, kept in self._maps.items() if kept[0]() is None]:
                self.bytes -= _size(self._maps.pop(gone))
            self.bytes += _size(made) - _size(self._maps.pop(key, None))
            self._maps[key] = made
            while self.bytes > self._most_bytes:
                self.bytes -= _size(self._maps.popitem(last=False)[1])


def _size(made: _Map | None) -> int:
    return 0 if made is None else made[1].nbytes + made[2].nbytes


_kept = KeptMaps(KEPT_BYTES)


def square_mm(centre_mm: Sequence[float], side_mm: float, turn_deg: float = 0.0) -> np.ndarray:
    """(4, 2) float64 corners of a square, table mm, clockwise from its top left, turned clockwise by `turn_deg`."""
    half = side_mm / 2
    angle = np.deg2rad(turn_deg)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return np.asarray(corners @ rotation.T + np.asarray(centre_mm, np.float64))


def rectify(
    image: np.ndarray,
    pose: TablePose,
    corners_mm: np.ndarray,
    z_mm: float,
    size_px: int | tuple[int, int],
    margin: float = 0.0,
) -> np.ndarray:
    """The crop (S, S, 3) uint8 of the quadrilateral `corners_mm` (4, 2), table mm, clockwise from top left.

    `z_mm`: height of its face (0 the table, -2 the top of a tile of 2 mm). `size_px`: S, or (width, height).
    `margin`: that share of the quadrilateral's sides is added all around: the nominal corners then lie
    margin / (1 + 2 margin) of the crop's side away from its edges. Outside the picture is black.
    `image`: (H, W, 3) or (H, W) uint8 of the size of the pose's camera. The maps are kept for the next frame.
    """
    width, height = (size_px, size_px) if isinstance(size_px, int) else size_px
    corners = np.ascontiguousarray(corners_mm, np.float64).reshape(4, 2)
    key = (id(pose), corners.tobytes(), float(z_mm), width, height, float(margin))
    kept = _kept.get(key, pose)
    if kept is None:
        kept = (ref(pose), *_make_maps(pose, corners, z_mm, width, height, margin))
        _kept.put(key, kept)
    _, whole, fraction, factor = kept
    crop = cv2.remap(image, whole, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(crop if factor == 1 else cv2.resize(crop, (width, height), interpolation=cv2.INTER_AREA))


def crop_to_table(corners_mm: np.ndarray, size_px: int | tuple[int, int], margin: float = 0.0) -> np.ndarray:
    """(3, 3) float64: the homography from px of a `rectify` crop to table mm at the crop's height."""
    width, height = (size_px, size_px) if isinstance(size_px, int) else size_px
    return np.asarray(_unit_to_quad(corners_mm) @ _crop_to_unit(width, height, margin))


def _crop_to_unit(width: int, height: int, margin: float) -> np.ndarray:
    """Crop px -> the unit square of the nominal corners; px 0 is the middle of the first pixel."""
    grow = 1 + 2 * margin
    return np.array(
        [
            [grow / width, 0.0, 0.5 * grow / width - margin],
            [0.0, grow / height, 0.5 * grow / height - margin],
            [0.0, 0.0, 1.0],
        ]
    )


def _unit_to_quad(corners_mm: np.ndarray) -> np.ndarray:
    # relative to the middle: getPerspectiveTransform takes float32
    middle = np.asarray(corners_mm, np.float64).mean(axis=0)
    to = cv2.getPerspectiveTransform(UNIT, (corners_mm - middle).astype(np.float32))
    to[:2] += middle[:, None] * to[2]
    return np.asarray(to)


def _make_maps(
    pose: TablePose, corners: np.ndarray, z_mm: float, width: int, height: int, margin: float
) -> tuple[np.ndarray, np.ndarray, int]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = pose.project(np.column_stack([corners, (z_mm,) * 4])).tolist()
    across_px = hypot(bx - ax, by - ay) + hypot(dx - cx, dy - cy)
    along_px = hypot(cx - bx, cy - by) + hypot(ax - dx, ay - dy)
    density = (across_px / width + along_px / height) * (1 + 2 * margin) / 4
    factor = min(max(round(density), 1), 8) if density > SHRINK else 1
    w, h = width * factor, height * factor
    mm = _node_grid(w, h) @ crop_to_table(corners, (w, h), margin).T
    mm = mm / mm[:, 2:]
    mm[:, 2] = z_mm
    px = pose.project(mm).reshape(NODES, NODES, 2)
    to_columns, to_rows = _interpolation(w), _interpolation(h)
    # single precision is a ten-thousandth of a px here; OpenCV keeps a thirty-second
    x, y = ((to_rows @ px[..., axis]).astype(np.float32) @ to_columns.T.astype(np.float32) for axis in (0, 1))
    whole, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return whole, fraction, factor


def _nodes(count: int) -> np.ndarray:
    """(NODES,) float64 Chebyshev nodes over the pixels 0 … count - 1."""
    half = (count - 1) / 2
    return half + half * np.cos(np.pi * (2 * np.arange(NODES) + 1) / (2 * NODES))


@lru_cache(maxsize=32)
def _node_grid(width: int, height: int) -> np.ndarray:
    """(NODES * NODES, 3) float64: the nodes of a crop, px x, y and 1, row by row."""
    columns, rows = np.meshgrid(_nodes(width), _nodes(height))
    return np.column_stack([columns.ravel(), rows.ravel(), np.ones(columns.size)])


@lru_cache(maxsize=32)
def _interpolation(count: int) -> np.ndarray:
    """(count, NODES) float64: values at the nodes -> values at every pixel."""
    nodes = _nodes(count)
    half = max((count - 1) / 2, 0.5)
    powers = np.polynomial.chebyshev.chebvander((nodes - half) / half, NODES - 1)
    every = np.polynomial.chebyshev.chebvander((np.arange(count) - half) / half, NODES - 1)
    return np.asarray(every @ np.linalg.inv(powers))
