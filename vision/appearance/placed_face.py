"""Faces lying on the table as rectangles of known size, drawn where they lie; and the table seen from above."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np

from vision.appearance.picture_light import TO_LIGHT, from_light
from vision.blur import blurred

# Resolution of a canvas: a 10 mm piece is 15 px wide, about what a webcam at 1 m gives.
PX_PER_MM = 1.5

# Blurs (standard deviation, canvas px) that a scan is kept in: from a sharp camera near by to a soft one far away.
BLURS_PX = (0.5, 0.7, 0.9, 1.15, 1.45, 1.8, 2.3)

# The blur in which a scan's edges are looked for: that of an ordinary picture.
USUAL = 3

# A face is fitted by the strongest edges of 12 x 12 fields, so that pieces cannot hide them all; plain spots, which
# tell the light, are taken from as many fields.
FIELDS = 12
PER_FIELD = 5

# Size of the pictures in which faces are compared from afar.
AFAR_PX = 20

# The corners of a square around the origin, clockwise from its top left.
AROUND = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])

# Strip along a face's outline without points, px: what lies beside it blurs into it.
EDGE_PX = 2

# Grey levels that print may vary within a spot's neighbourhood (5 x 5 px) for the spot to tell about the light.
PLAIN_GREY = 40

@dataclass(frozen=True, slots=True, eq=False)
class FaceScan:
    """A flat scan at the canvas' resolution.

    `soft`: (H, W, 3) uint8 BGR for each of BLURS_PX, blurred as light and not as grey levels, since bright print grows
    over dark print where a camera blurs. `edges`: (N, 2) px x, y of the strongest edges; `slopes`: per blur (N, 2)
    float32, change of grey along x and y there; `greys`: per blur (N,) float32, the grey itself. `plain`: (M, 2) px
    x, y of spots without an edge near by. `afar`: (AFAR_PX, AFAR_PX, 3) uint8 BGR, the most blurred one, small.
    `wh`: width and height, px; `middle`: (2,) px; `off_middle`: (2, N) float32 px x, y, where the edges lie from it.
    `details`: what others work out of the scan when they first need it, by a name of theirs.
    """

    soft: tuple[np.ndarray, ...]
    edges: np.ndarray
    slopes: tuple[np.ndarray, ...]
    greys: tuple[np.ndarray, ...]
    plain: np.ndarray
    afar: np.ndarray
    wh: tuple[int, int] = field(init=False)
    middle: np.ndarray = field(init=False)
    off_middle: np.ndarray = field(init=False)
    details: dict[str, np.ndarray] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        size = self.soft[0].shape[1], self.soft[0].shape[0]
        last = np.array(size) - 1
        object.__setattr__(self, "wh", size)
        object.__setattr__(self, "middle", last / 2)
        off_middle = np.ascontiguousarray((self.edges - self.middle).T, np.float32)
        object.__setattr__(self, "off_middle", off_middle)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedFace:
    """A face on the table: middle (2,) mm, turn of the upright face clockwise in degrees, width, and its scan.

    The shape of the scan tells the height.
    """

    centre_mm: np.ndarray
    turn_deg: float
    side_mm: float
    scan: FaceScan

    @property
    def corners_mm(self) -> np.ndarray:
        """(4, 2) corners from the upright face's top left clockwise."""
        width, height = self.scan.wh
        half = np.array([0.5, 0.5 * height / width]) * self.side_mm
        return np.asarray(AROUND * half @ turn_matrix(self.turn_deg).T + self.centre_mm)


def shrink_reference(scan_bgr: np.ndarray, side_mm: float) -> FaceScan:
    """A flat scan (H, W, 3) uint8 BGR of a face `side_mm` wide at the canvas' resolution."""
    width = side_mm * PX_PER_MM
    size = (round(width), round(width * scan_bgr.shape[0] / scan_bgr.shape[1]))
    light = cv2.resize(TO_LIGHT[scan_bgr], size, interpolation=cv2.INTER_AREA)
    levels = [cv2.GaussianBlur(light, (0, 0), blur, borderType=cv2.BORDER_REPLICATE) for blur in BLURS_PX]
    soft = tuple(np.clip(from_light(level) + 0.5, 0, 255).astype(np.uint8) for level in levels)
    greys = [grey(picture.astype(np.float32)) for picture in soft]
    gradients = [_gradient(picture) for picture in greys]
    steep = np.linalg.norm(gradients[USUAL], axis=-1)
    edges = _strongest(steep)
    around = np.ones((5, 5), np.uint8)
    rough = (cv2.dilate(soft[0], around) - cv2.erode(soft[0], around)).max(-1).astype(np.float32)
    plain = _strongest(-rough)
    calm = plain[rough[plain[:, 1], plain[:, 0]] < PLAIN_GREY]
    if len(calm) >= FIELDS:  # else busy print all over
        plain = calm
    slopes, levels_there = (tuple(p[edges[:, 1], edges[:, 0]] for p in pictures) for pictures in (gradients, greys))
    afar = cv2.resize(soft[-1], (AFAR_PX, AFAR_PX), interpolation=cv2.INTER_AREA)
    return FaceScan(soft, edges, slopes, levels_there, plain, afar)


def _gradient(picture: np.ndarray) -> np.ndarray:
    """(H, W, 2) float32: change of a picture (H, W) along x and y."""
    return np.stack([cv2.Sobel(picture, cv2.CV_32F, i, 1 - i, ksize=3, scale=1 / 8) for i in (1, 0)], -1)


def _strongest(strength: np.ndarray) -> np.ndarray:
    """(N, 2) x, y of the PER_FIELD strongest pixels in each field of a picture (H, W), the outline left out."""
    out = []
    rows, columns = (np.linspace(EDGE_PX, n - EDGE_PX, FIELDS + 1).astype(int) for n in strength.shape)
    for top, bottom in pairwise(rows.tolist()):
        for left, right in pairwise(columns.tolist()):
            field = strength[top:bottom, left:right]
            best = np.argsort(-field, axis=None, kind="stable")[:PER_FIELD]
            y, x = np.unravel_index(best, field.shape)
            out.append(np.stack([x + left, y + top], -1))
    return np.concatenate(out)


class SeenTable:
    """A part of the table seen from above, (H, W, 3) uint8 BGR, its top left corner at `origin_mm`."""

    def __init__(
        self, bgr: np.ndarray, origin_mm: tuple[float, float], colour_blur: Callable[[], float] | None = None
    ) -> None:
        """`colour_blur`: tells how much more (canvas px) colour is blurred than brightness, when it is first asked."""
        self.bgr = bgr
        self.origin_mm = origin_mm
        self._colour_blur = colour_blur
        self._greys: dict[float, np.ndarray] = {}

    @cached_property
    def colour_blur_px(self) -> float:
        """By how much more colour is blurred than brightness; 0 where nobody tells."""
        return 0.0 if self._colour_blur is None else self._colour_blur()

    def grey(self, extra_blur_px: float) -> np.ndarray:
        """(H, W) float32 mean of the channels, blurred further."""
        if extra_blur_px not in self._greys:
            plain = grey(self.bgr.astype(np.float32))
            self._greys[extra_blur_px] = blurred(plain, extra_blur_px) if extra_blur_px else plain
        return self._greys[extra_blur_px]

    def at(self, faces: Sequence[PlacedFace], points: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """(N, 3) float32 BGR seen at points (n, 2) px of each face's scan, one face after the other, and where those
        lie, (N, 2) table mm."""
        to_canvas = np.repeat([_to_canvas(face, self.origin_mm) for face in faces], [len(p) for p in points], axis=0)
        px = np.einsum("nij,nj->ni", to_canvas[..., :2], np.concatenate(points)) + to_canvas[..., 2]
        seen = sampled(self.bgr, px[None].astype(np.float32))[0]
        return seen.astype(np.float32), (px + 0.5) / PX_PER_MM + self.origin_mm


def sampled(picture: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A picture (H, W) or (H, W, 3) at places (M, N, 2) float32 px x, y, between pixels in proportion: (M, N, ...)."""
    return np.asarray(cv2.remap(picture, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def in_face_frame(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(H, W, 3) uint8: what is seen where a face lies, upright and as large as its scan."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    to_canvas = _to_canvas(face, origin_mm)
    return np.asarray(cv2.warpAffine(seen_bgr, to_canvas, face.scan.wh, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def box_around(face: PlacedFace, origin_mm: tuple[float, float], shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns of a canvas of this shape, all that `in_face_frame` looks at among them."""
    corners = (face.corners_mm - origin_mm) * PX_PER_MM
    left, top = np.floor(corners.min(0) - 1.0).astype(int).tolist()
    right, bottom = np.ceil(corners.max(0) + 2.0).astype(int).tolist()
    # beyond the canvas its last rows and columns are seen
    height, width = shape
    rows = slice(min(max(top, 0), height - 1), max(bottom, 1))
    return rows, slice(min(max(left, 0), width - 1), max(right, 1))


def draw(
    flat: np.ndarray, label: np.ndarray, face: PlacedFace, index: int, origin_mm: tuple[float, float], blur: int
) -> None:
    """Draw a face in one of BLURS_PX into `flat` (H, W, 3) uint8 and its index into `label` (H, W), in place."""
    to_canvas = _to_canvas(face, origin_mm)
    width, height = face.scan.wh
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    corners = edge @ to_canvas[:, :2].T + to_canvas[:, 2]
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (flat.shape[1], flat.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    to_patch = to_canvas.copy()
    to_patch[:, 2] -= (x0, y0)
    area = (int(x1 - x0), int(y1 - y0))
    soft = face.scan.soft[blur]
    patch = cv2.warpAffine(soft, to_patch, area, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((corners - (x0, y0)) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    cv2.copyTo(patch, mask, flat[y0:y1, x0:x1])
    label[y0:y1, x0:x1][mask > 0] = index


def grey(bgr: np.ndarray) -> np.ndarray:
    """(H, W) float32: the mean of the channels."""
    return np.asarray(cv2.transform(bgr, np.full((1, 3), 1 / 3, np.float32)))


def turn_matrix(degrees: float | np.ndarray) -> np.ndarray:
    """(2, 2), or of (F,) angles (F, 2, 2): what turns points clockwise as seen from above."""
    if isinstance(degrees, float):
        angle = math.radians(degrees)
        one, other = math.cos(angle), math.sin(angle)
        return np.array([[one, -other], [other, one]])
    a = np.deg2rad(degrees)
    cos, sin = np.cos(a), np.sin(a)
    out = np.empty((*np.shape(a), 2, 2))
    out[..., 0, 0] = out[..., 1, 1] = cos
    out[..., 0, 1], out[..., 1, 0] = -sin, sin
    return out


def _to_canvas(face: PlacedFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(2, 3) float64: px of the face's scan -> canvas px (pixel centres at whole numbers)."""
    angle, grown = math.radians(face.turn_deg), face.side_mm * PX_PER_MM / face.scan.wh[0]
    along, across = math.cos(angle) * grown, math.sin(angle) * grown
    (middle_x, middle_y), (x, y) = face.scan.middle.tolist(), face.centre_mm.tolist()
    to_x = (x - origin_mm[0]) * PX_PER_MM - 0.5 - (along * middle_x - across * middle_y)
    to_y = (y - origin_mm[1]) * PX_PER_MM - 0.5 - (across * middle_x + along * middle_y)
    return np.array([[along, -across, to_x], [across, along, to_y]])
