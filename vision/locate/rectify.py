"""Upright square crops of places on the table, straight from the camera's picture, lens distortion and all."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from weakref import ref

import cv2
import numpy as np

from vision.locate.pose import TablePose

# A map of 128 x 128 takes 96 kB, one of a whole table 7 MB: all that one table needs in every picture. What an arm over
# it needs besides makes 28 MB, and is made again when the next arm comes.
KEPT_BYTES = 20_000_000
# A larger map would leave no room for the others: it is made and used in strips, and not kept. In a picture that shows
# two px and more a px of the crop a whole table's has 21 MB, a view of all the table around that is averaged 23.
MOST_BYTES = KEPT_BYTES // 2
PIXEL_BYTES = 6  # of a map
# Where the picture has more than this many px per px of the crop, it is averaged and not only sampled.
SHRINK = 1.6
# The way from crop to picture (perspective and distortion) is computed at this many Chebyshev nodes a side and
# interpolated by the polynomial through them: within 0.01 px of the exact one even for a view of the whole table.
NODES = 10

MOST_TIMES = 8  # more than so many are not averaged: a crop of a whole table would need all of the memory
# Pixels whose maps are made and used at a time, which stay in a processor's cache; and OpenCV's limit to a picture.
TOGETHER_PX, MOST_ROWS = 200_000, 32766

_Map = tuple[ref[TablePose], np.ndarray, np.ndarray, int]


class KeptMaps:
    """The maps that were used last, as many as fit into `most_bytes`, of poses that somebody still uses; from any
    thread."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self.bytes = most_bytes, 0
        self._maps: OrderedDict[tuple[object, ...], _Map] = OrderedDict()
        self._latest: ref[TablePose] | None = None
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
        """Keep a map, and let go of those that were not used for longest, and, whenever one of another pose than the
        last comes, of those whose pose nobody uses any more."""
        with self._lock:
            if made[0] is not self._latest:
                self._latest = made[0]
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
    *,
    loosely: bool = False,
) -> np.ndarray:
    """The crop (S, S, 3) uint8 of the quadrilateral `corners_mm` (4, 2), table mm, clockwise from top left.

    `z_mm`: height of its face (0 the table, -2 the top of a tile of 2 mm). `size_px`: S, or (width, height).
    `margin`: that share of the quadrilateral's sides is added all around: the nominal corners then lie
    margin / (1 + 2 margin) of the crop's side away from its edges. Outside the picture is black. `loosely`: averaged
    from as few samples as leave no pixel of the picture out, in half the time: what is blurred next is as good so.
    `image`: (H, W, 3) or (H, W) uint8 of the size of the pose's camera. The maps are kept for the next frame.
    """
    width, height = (size_px, size_px) if isinstance(size_px, int) else size_px
    corners = np.ascontiguousarray(corners_mm, np.float64).reshape(4, 2)
    key = (id(pose), corners.tobytes(), float(z_mm), width, height, float(margin), loosely)
    kept = _kept.get(key, pose)
    if kept is None:
        factor = int(_factors(pose, corners[None], z_mm, width, height, margin, loosely=loosely)[0])
        if PIXEL_BYTES * width * height * factor**2 > MOST_BYTES:
            return _in_strips(image, pose, corners, z_mm, (width, height), margin, factor)
        kept = (ref(pose), *_make_maps(pose, corners[None], z_mm, width * factor, height * factor, margin), factor)
        _kept.put(key, kept)
    _, whole, fraction, factor = kept
    return _sampled(image, whole, fraction, (width, height), factor)


def rectify_all(
    image: np.ndarray, pose: TablePose, corners_mm: np.ndarray, z_mm: float, size_px: tuple[int, int], margin: float
) -> np.ndarray:
    """The crops (N, height, width[, 3]) uint8 of quadrilaterals (N, 4, 2), as `rectify` of each.

    Their maps are made together, in a third of the time, and not kept: for places of which there are many.
    """
    width, height = size_px
    corners = np.ascontiguousarray(corners_mm, np.float64).reshape(-1, 4, 2)
    crops = np.empty((len(corners), height, width, *image.shape[2:]), np.uint8)
    factors = _factors(pose, corners, z_mm, width, height, margin)
    for factor in np.unique(factors).tolist():
        w, h = width * factor, height * factor
        at_a_time = max(1, min(TOGETHER_PX // w, MOST_ROWS) // h)
        these = np.flatnonzero(factors == factor)
        for first in range(0, len(these), at_a_time):
            some = these[first : first + at_a_time]
            maps = _make_maps(pose, corners[some], z_mm, w, h, margin)
            strip = _sampled(image, *maps, (width, height * len(some)), factor)
            crops[some] = strip.reshape(len(some), *crops.shape[1:])
    return crops


def _sampled(
    image: np.ndarray, whole: np.ndarray, fraction: np.ndarray, size_wh: tuple[int, int], factor: int
) -> np.ndarray:
    crop = cv2.remap(image, whole, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(crop if factor == 1 else cv2.resize(crop, size_wh, interpolation=cv2.INTER_AREA))


def _in_strips(
    image: np.ndarray, pose: TablePose, corners: np.ndarray, z_mm: float, size_wh: tuple[int, int], margin: float,
    factor: int,
) -> np.ndarray:
    """The crop of one quadrilateral (4, 2), so many px a px taken, some of its rows at a time."""
    width, height = size_wh
    nodes_px = _nodes_px(pose, corners[None], z_mm, width * factor, height * factor, margin)
    crop = np.empty((height, width, *image.shape[2:]), np.uint8)
    at_a_time = max(1, TOGETHER_PX // (width * factor**2))
    to_columns, to_rows = _interpolation(width * factor), _interpolation(height * factor)
    for first in range(0, height, at_a_time):
        rows = slice(first, min(first + at_a_time, height))
        maps = _maps_between(nodes_px, to_columns, to_rows[rows.start * factor : rows.stop * factor])
        crop[rows] = _sampled(image, *maps, (width, rows.stop - rows.start), factor)
    return crop


def crop_to_table(corners_mm: np.ndarray, size_px: int | tuple[int, int], margin: float = 0.0) -> np.ndarray:
    """(3, 3) float64: the homography from px of a `rectify` crop to table mm at the crop's height."""
    width, height = (size_px, size_px) if isinstance(size_px, int) else size_px
    corners = np.asarray(corners_mm, np.float64).reshape(1, 4, 2)
    return np.asarray(_unit_to_quads(corners)[0] @ _crop_to_unit(width, height, margin))


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


def _unit_to_quads(corners_mm: np.ndarray) -> np.ndarray:
    """(N, 3, 3) float64: the homographies from the unit square to quadrilaterals (N, 4, 2), in closed form."""
    a, b, c, d = np.moveaxis(corners_mm, 1, 0)
    far_b, far_d, odd = b - c, d - c, a - b + c - d  # the last is nought for a parallelogram
    area = _cross(far_b, far_d)
    g, h = _cross(odd, far_d) / area, _cross(far_b, odd) / area
    out = np.ones((len(corners_mm), 3, 3))
    out[:, :2, 0], out[:, :2, 1], out[:, :2, 2] = b - a + g[:, None] * b, d - a + h[:, None] * d, a
    out[:, 2, 0], out[:, 2, 1] = g, h
    return out


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def _factors(
    pose: TablePose, corners: np.ndarray, z_mm: float, width: int, height: int, margin: float, *,
    loosely: bool = False,
) -> np.ndarray:
    """(N,) int: how many times as many px a side are taken of each quadrilateral (N, 4, 2), to be averaged. `loosely`:
    so few that they lie `SHRINK` px of the picture apart, each of which is a mean of 2 x 2 px."""
    heights = np.full((len(corners) * 4, 1), z_mm)
    px = pose.project(np.hstack([corners.reshape(-1, 2), heights])).reshape(-1, 4, 2)
    sides = np.roll(px, -1, axis=1) - px
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    density = (lengths[:, [0, 2]].sum(1) / width + lengths[:, [1, 3]].sum(1) / height) * (1 + 2 * margin) / 4
    times = np.ceil(density / SHRINK) if loosely else np.rint(density)
    return np.where(density > SHRINK, np.clip(times, 1, MOST_TIMES), 1).astype(int)


def _make_maps(
    pose: TablePose, corners: np.ndarray, z_mm: float, width: int, height: int, margin: float
) -> tuple[np.ndarray, np.ndarray]:
    """OpenCV's fixed maps of the crops of quadrilaterals (N, 4, 2), one below the other."""
    nodes_px = _nodes_px(pose, corners, z_mm, width, height, margin)
    return _maps_between(nodes_px, _interpolation(width), _interpolation(height))


def _nodes_px(
    pose: TablePose, corners: np.ndarray, z_mm: float, width: int, height: int, margin: float
) -> np.ndarray:
    """(N, NODES, NODES, 2) float64: where the nodes of the crops of quadrilaterals (N, 4, 2) lie in the picture."""
    to_mm = _unit_to_quads(corners) @ _crop_to_unit(width, height, margin)
    mm = (_node_grid(width, height) @ to_mm.transpose(0, 2, 1)).reshape(-1, 3)
    mm = mm / mm[:, 2:]
    mm[:, 2] = z_mm
    return pose.project(mm).reshape(-1, NODES, NODES, 2)


def _maps_between(nodes_px: np.ndarray, to_columns: np.ndarray, to_rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """OpenCV's fixed maps between nodes (N, NODES, NODES, 2), for those columns and rows: see `_interpolation`."""
    # single precision is a ten-thousandth of a px here; OpenCV keeps a thirty-second
    rows = [(to_rows @ nodes_px[..., axis]).astype(np.float32).reshape(-1, NODES) for axis in (0, 1)]
    x, y = (of_axis @ to_columns.T.astype(np.float32) for of_axis in rows)
    whole, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return whole, fraction


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
