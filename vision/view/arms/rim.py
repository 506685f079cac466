"""The ring of bare table around a zone of slots, in which an arm is looked for: its places and what they show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from companion.core.layout import SlotOutline
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.view.skin import BLACK_LIGHTNESS

MM_PER_PX = 2.0  # scale of the view that is looked at: a finger is 7 px wide
# A colour of the ring is a mean of 3 x 3 px, between four of which it lies: what is so near to it is part of it.
BLURRED_MM = 2 * MM_PER_PX
# The ring: from beyond the corner card (it sticks out 14 mm) and tiles laid askew, to short of the markers.
RING_NEAR_MM, RING_FAR_MM = 26.0, 62.0
RIM_PX = int(np.ceil((RING_FAR_MM - RING_NEAR_MM) / MM_PER_PX))  # the ring in the view, along its edges
SAMPLE_MM = 7.0  # an arm is 50 mm wide, a pencil or a cable less than 10
BESIDE = 1.2  # neighbours are so many times as far apart at most: at the ends of a side a little more than elsewhere
# What lies beside the slots is laid and turned by hand, and a marker has a white border: so far around it is no table.
ASTRAY_MM = 10.0
# Directions of the ring, as parts of which it is judged.
SECTORS = 16
# CIELAB with lightness at half weight, since shadows and lamps change it most.
LIGHTNESS_WEIGHT = 0.5
BLACK_LAB = BLACK_LIGHTNESS * LIGHTNESS_WEIGHT


def soft_lab(view: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: a view (H, W, 3) uint8 BGR softened, in CIELAB with lightness at half weight."""
    lab = cv2.blur(cv2.cvtColor(view.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), (3, 3))
    lab[..., 0] *= LIGHTNESS_WEIGHT
    return np.asarray(lab)


def rim_colours(
    image: np.ndarray, pose: TablePose, view_mm: np.ndarray, size_px: tuple[int, int], at: np.ndarray
) -> np.ndarray:
    """(N, 3) float32: `soft_lab` of a view of `size_px` at places (N, 2) px in a strip of RIM_PX along its edges. Most
    of the view is not asked for, and to see it takes longer than all else."""
    width, height = size_px
    top, bottom, left = at[:, 1] < RIM_PX, at[:, 1] >= height - 1 - RIM_PX, at[:, 0] < RIM_PX
    reach = RIM_PX + 3  # with what a colour is softened from and lies between
    parts = (
        (top, (0, 0), (width, min(reach, height))),
        (bottom & ~top, (0, max(0, height - reach)), (width, height)),
        (left & ~top & ~bottom, (0, 0), (min(reach, width), height)),
        (~left & ~top & ~bottom, (max(0, width - reach), 0), (width, height)),
    )
    out = np.empty((len(at), 3), np.float32)
    per_px = (view_mm[2] - view_mm[0]) / (width, height)
    for chosen, (x0, y0), (x1, y1) in parts:
        corners = view_mm[0] + np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) * per_px
        lab = soft_lab(rectify(image, pose, corners, 0.0, (x1 - x0, y1 - y0), loosely=True))
        where = at[chosen] - np.array([x0, y0], np.float32)
        out[chosen] = cv2.remap(lab, where[None, :, 0], where[None, :, 1], cv2.INTER_LINEAR)[0]
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """Places (N, 2) around a rectangle, mm, sorted by sector; the row (0 innermost) and the sector of each; and the
    numbers (K, 2) of those that are neighbours in a row, both ways round."""

    places_mm: np.ndarray
    row: np.ndarray
    sector: np.ndarray
    neighbours: np.ndarray
    starts: np.ndarray  # (SECTORS,) where each sector begins
    middle_mm: np.ndarray


Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Rim:
    """The ring around a zone, and (N,) bool which of its places lie away from all else on the table; the zone's corners
    that are farthest to the top left and to the bottom right, (2,) mm each."""

    ring: Ring
    is_free: np.ndarray
    low_mm: np.ndarray
    high_mm: np.ndarray


@lru_cache(maxsize=16)
def rim_of(zone: tuple[SlotOutline, ...], others: tuple[tuple[SlotOutline, ...], ...], papers: tuple[Box, ...]) -> Rim:
    """The rim of a zone beside `others` and what is printed within `papers`: upright rectangles."""
    box = box_of(np.concatenate([np.asarray(o.corners_mm) for o in zone]))
    ring = _ring(*box)
    taken = np.array([*papers, *(box_of(np.asarray(o.corners_mm)) for other in others for o in other)]).reshape(-1, 4)
    low, high = taken[:, None, :2] - ASTRAY_MM, taken[:, None, 2:] + ASTRAY_MM
    on_it = ((ring.places_mm >= low) & (ring.places_mm <= high)).all(axis=-1)
    return Rim(ring, np.asarray(~on_it.any(axis=0)), np.array(box[:2]), np.array(box[2:]))


def box_of(corners_mm: np.ndarray) -> Box:
    """The upright rectangle around corners (N, 2): left, top, right, bottom."""
    (left, top), (right, bottom) = corners_mm.min(axis=0).tolist(), corners_mm.max(axis=0).tolist()
    return left, top, right, bottom


_visible: WeakKeyDictionary[TablePose, dict[tuple[Rim, tuple[int, int]], np.ndarray]] = WeakKeyDictionary()
"""What was worked out for the poses that somebody still uses."""


def visible_places(pose: TablePose, rim: Rim, image_hw: tuple[int, int]) -> np.ndarray:
    """(N,) bool: the places of a rim on which nothing else lies and that a picture of this size shows well."""
    known = _visible.setdefault(pose, {})
    if (rim, image_hw) not in known:
        known[rim, image_hw] = np.asarray(rim.is_free & well_inside(pose, rim.ring.places_mm, image_hw))
    return known[rim, image_hw]


def well_inside(pose: TablePose, places_mm: np.ndarray, image_hw: tuple[int, int]) -> np.ndarray:
    """(N,) bool: the places (N, 2) around which the picture shows all that their colour is blurred from. Beyond its
    edge there is black, which made a strip of bare table at the edge look like a sleeve."""
    limits = np.array([image_hw[1] - 1, image_hw[0] - 1])
    inside = np.ones(len(places_mm), bool)
    for aside in BLURRED_MM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]):
        px = pose.project(places_mm + aside)
        inside &= ((px >= 0) & (px <= limits)).all(axis=1)
    return inside


def in_sight(pose: TablePose, view_mm: np.ndarray, size_px: tuple[int, int], image_hw: tuple[int, int]) -> np.ndarray:
    """(H, W) bool over a view of `size_px` (width, height), one a MM_PER_PX, with corners `view_mm` (4, 2): where a
    picture shows all that a colour is blurred from. Beyond its edge a view is black."""
    seen = rectify(np.full((*image_hw, 3), 255, np.uint8), pose, view_mm, 0.0, size_px, loosely=True)[..., 0]
    reach = round(BLURRED_MM / MM_PER_PX)
    return np.asarray(cv2.erode(seen, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) == 255)


def _ring(x0: float, y0: float, x1: float, y1: float) -> Ring:
    places, rows = [], []
    for row, depth in enumerate(np.arange(RING_NEAR_MM, RING_FAR_MM + 0.1, SAMPLE_MM)):
        left, top, right, bottom = x0 - depth, y0 - depth, x1 + depth, y1 + depth
        across, down = np.arange(left, right, SAMPLE_MM), np.arange(bottom, top, -SAMPLE_MM)
        for xs, ys in ((across, top), (across[::-1] + right - across[-1], bottom), (left, down), (right, down[::-1])):
            places.append(np.column_stack(np.broadcast_arrays(xs, ys)))
            rows.append(np.full(len(places[-1]), row))
    at, row_of = np.concatenate(places), np.concatenate(rows)
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    angle = np.arctan2(at[:, 1] - middle[1], at[:, 0] - middle[0])
    sector = np.minimum(((angle + np.pi) / (2 * np.pi) * SECTORS).astype(int), SECTORS - 1)
    order = np.argsort(sector, kind="stable")
    at, row_of, sector = at[order], row_of[order], sector[order]
    starts = np.searchsorted(sector, range(SECTORS))
    return Ring(at, row_of, sector, _neighbours(at, row_of), starts, middle)


def _neighbours(places_mm: np.ndarray, row: np.ndarray) -> np.ndarray:
    """(K, 2): numbers of the places (N, 2) that lie beside each other in a `row` (N,)."""
    pairs = []
    for number in range(int(row.max()) + 1):
        mine = np.flatnonzero(row == number)
        across, down = (np.abs(line[:, None] - line) for line in places_mm[mine].T)
        apart = np.maximum(across, down)
        pairs.append(mine[np.argwhere((apart > 0) & (apart <= BESIDE * SAMPLE_MM))])
    return np.concatenate(pairs)
