"""Faces lying on the table as rectangles of known size: drawn where they lie, and fitted to where they fit best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK, TO_LIGHT, PictureLight, from_light

# Resolution of a canvas: a 10 mm piece is 15 px wide, about what a webcam at 1 m gives.
PX_PER_MM = 1.5

# Blurs (standard deviation, canvas px) that a scan is kept in: from a sharp camera near by to a soft one far away.
BLURS_PX = (0.5, 0.7, 0.9, 1.15, 1.45, 1.8, 2.3)

# Settling starts with the coarsest blur and ends with that of the picture itself.
USUAL, COARSE = 3, len(BLURS_PX) - 1
COARSE_ROUNDS, FINE_ROUNDS = 8, 5

# A face is fitted by the strongest edges of 12 x 12 fields, so that pieces cannot hide them all; plain spots, which
# tell the light, are taken from as many fields.
FIELDS = 12
PER_FIELD = 5

# Size of the pictures in which faces are compared from afar.
AFAR_PX = 20

# Strip along a face's outline that is not compared, in px at least and in blurs: what lies beside it is unknown and
# blurs into it.
EDGE_PX = 2
OUTLINE_BLURS = 2.0

# Grey levels that print may vary within a spot's neighbourhood (5 x 5 px) for the spot to tell about the light.
PLAIN_GREY = 40

# Grey levels at which a pixel counts half: pieces, shadows and glare hide parts of a face.
COARSE_ROBUST, ROBUST = 30.0, 12.0

# How far a face may be off before it is fitted: 1.3 mm, 2 degrees, 1 % of its size (the pose of the table).
SHIFT_SD_PX, TURN_SD_RAD, GROW_SD = 2.0, 0.04, 0.01

# A face that would have to lie so many times as far off as is ordinary was drawn away by what lies on it.
DRAWN_AWAY = 4.0

# Noise of a pixel's comparison, grey levels: what the evidence for moving is weighed with.
GREY_SD = 8.0

# Points of one edge repeat each other: so much of one observation each.
INDEPENDENT = 1.0 / 2.0

# A step smaller than this, canvas px at the corners, is the last one of its kind.
COARSELY_SETTLED_PX, SETTLED_PX = 0.2, 0.04


@dataclass(frozen=True, slots=True, eq=False)
class FaceScan:
    """A flat scan at the canvas' resolution.

    `soft`: (H, W, 3) uint8 BGR for each of BLURS_PX, blurred as light and not as grey levels, since bright print grows
    over dark print where a camera blurs. `edges`: (N, 2) px x, y of the strongest edges; `slopes`: per blur (N, 2)
    float32, change of grey along x and y there; `greys`: per blur (N,) float32, the grey itself. `plain`: (M, 2) px
    x, y of spots without an edge near by. `afar`: (AFAR_PX, AFAR_PX, 3) uint8 BGR, the most blurred one, small.
    """

    soft: tuple[np.ndarray, ...]
    edges: np.ndarray
    slopes: tuple[np.ndarray, ...]
    greys: tuple[np.ndarray, ...]
    plain: np.ndarray
    afar: np.ndarray

    @property
    def wh(self) -> tuple[int, int]:
        """Width and height, px."""
        return self.soft[0].shape[1], self.soft[0].shape[0]

    @property
    def inset(self) -> np.ndarray:
        """(N,) px: how far each of the edges lies from the outline."""
        return np.asarray(np.minimum(self.edges, np.array(self.wh) - 1 - self.edges).min(1))

    @property
    def middle(self) -> np.ndarray:
        """(2,) px: its middle."""
        return (np.array(self.wh) - 1) / 2


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
        half = np.array([1.0, height / width]) * self.side_mm / 2
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        return np.asarray(corners @ _turn(self.turn_deg).T + self.centre_mm)

    def place_mm(self, points: np.ndarray) -> np.ndarray:
        """(N, 2) table mm of points (N, 2) px of the scan."""
        per_px = self.side_mm / self.scan.wh[0]
        return np.asarray((points - self.scan.middle) @ _turn(self.turn_deg).T * per_px + self.centre_mm)


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

    def __init__(self, bgr: np.ndarray, origin_mm: tuple[float, float]) -> None:
        self.bgr = bgr
        self.origin_mm = origin_mm
        self._greys: dict[float, np.ndarray] = {}

    def grey(self, extra_blur_px: float) -> np.ndarray:
        """(H, W) float32 mean of the channels, blurred further."""
        if extra_blur_px not in self._greys:
            plain = grey(self.bgr.astype(np.float32))
            self._greys[extra_blur_px] = cv2.GaussianBlur(plain, (0, 0), extra_blur_px) if extra_blur_px else plain
        return self._greys[extra_blur_px]

    def at(self, face: PlacedFace, points: np.ndarray) -> np.ndarray:
        """(N, 3) float32 BGR seen at points (N, 2) px of a face's scan."""
        return _sampled(self.bgr, _to_canvas(face, self.origin_mm), points).astype(np.float32)

    def grey_at(self, face: PlacedFace, points: np.ndarray, extra_blur_px: float) -> np.ndarray:
        """(N,) float32 grey seen at points (N, 2) px of a face's scan, with a further blur."""
        return _sampled(self.grey(extra_blur_px), _to_canvas(face, self.origin_mm), points)


def _sampled(picture: np.ndarray, to_canvas: np.ndarray, points: np.ndarray) -> np.ndarray:
    at = (points @ to_canvas[:, :2].T + to_canvas[:, 2]).astype(np.float32)
    return np.asarray(cv2.remap(picture, at[None], None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0])


def in_face_frame(seen_bgr: np.ndarray, face: PlacedFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(H, W, 3) uint8: what is seen where a face lies, upright and as large as its scan."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    to_canvas = _to_canvas(face, origin_mm)
    return np.asarray(cv2.warpAffine(seen_bgr, to_canvas, face.scan.wh, flags=flags, borderMode=cv2.BORDER_REPLICATE))


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


def fit_face(seen: SeenTable, face: PlacedFace, light: PictureLight) -> PlacedFace:
    """The face moved, turned and grown a little so that it fits what is seen best, or unmoved where that leads too far.

    Robust Gauss-Newton on the grey levels of its strongest edges (inverse compositional: Baker and Matthews 2004,
    "Lucas-Kanade 20 years on"), with a prior of how far it may be off.
    """
    scan = face.scan
    x, y = (scan.edges - scan.middle).T.astype(np.float32)
    spread = np.array([1.0, 1.0, max(scan.wh) / 2, max(scan.wh) / 2])
    ordinary = np.array([SHIFT_SD_PX, SHIFT_SD_PX, TURN_SD_RAD, GROW_SD])
    prior = np.diag(1.0 / ordinary**2)
    moved, begun = np.zeros(4), face
    own = blur_level(light.blur_px)
    coarse = (max(COARSE, own), COARSE_ROUNDS, COARSE_ROBUST, COARSELY_SETTLED_PX)
    for level, rounds, robust, enough_px in (coarse, (own, FINE_ROUNDS, ROBUST, SETTLED_PX)):
        extra = float(np.sqrt(max(0.0, BLURS_PX[level] ** 2 - BLURS_PX[own] ** 2)))
        here = light.expect(scan.soft[level][scan.edges[:, 1], scan.edges[:, 0]], face.centre_mm[None])
        grey_here = here.mean(-1)
        # grey grows by so much from scan to picture; what is cut off says nothing
        steep = (grey_here + BLACK) / (scan.greys[level] + BLACK) * (here.min(-1) < 255.0)
        gx, gy = scan.slopes[level].T * steep
        slope = np.stack([gx, gy, gy * x - gx * y, gx * x + gy * y], -1)
        slope[scan.inset < OUTLINE_BLURS * BLURS_PX[level]] = 0.0
        for _ in range(rounds):
            off = seen.grey_at(face, scan.edges, extra) - grey_here
            off -= np.median(off)
            weight = INDEPENDENT / (GREY_SD**2 * (1.0 + (off / robust) ** 2))
            sw = slope * weight[:, None]
            step = np.linalg.solve((sw.T @ slope).astype(np.float64) + prior, sw.T @ off - prior @ moved)
            moved += step
            face = _moved(face, step)
            if np.abs(step * spread).max() < enough_px:
                break
    return face if (np.abs(moved) < DRAWN_AWAY * ordinary).all() else begun


def _moved(face: PlacedFace, step: np.ndarray) -> PlacedFace:
    """The face after a step (right, down, turn, growth) found in its own px: seen(p) = want(p + step), so the face
    lies the other way by as much."""
    shift = _turn(face.turn_deg) @ step[:2] / PX_PER_MM
    return replace(
        face,
        centre_mm=face.centre_mm - shift,
        turn_deg=face.turn_deg - float(np.rad2deg(step[2])),
        side_mm=face.side_mm * (1.0 - float(step[3])),
    )


def blur_level(blur_px: float) -> int:
    """The index of the nearest of BLURS_PX."""
    return int(np.argmin(np.abs(np.log(np.array(BLURS_PX) / blur_px))))


def fit_blur(seen: SeenTable, faces: list[PlacedFace], light: PictureLight) -> float:
    """The blur of the picture, one of BLURS_PX: that in which the edges of fitted faces look most like those seen."""
    cost = np.zeros(len(BLURS_PX))
    for face in faces:
        points = face.scan.edges[::2]
        got = seen.at(face, points)
        want = np.stack([soft[points[:, 1], points[:, 0]] for soft in face.scan.soft])
        off = light.expect(want, face.centre_mm[None, None]) - got
        off2 = (off * off).mean(-1) / ROBUST**2
        cost += (off2 / (1.0 + off2)).sum(-1)
    return BLURS_PX[int(cost.argmin())]


def grey(bgr: np.ndarray) -> np.ndarray:
    """(H, W) float32: the mean of the channels."""
    return np.asarray(cv2.transform(bgr, np.full((1, 3), 1 / 3, np.float32)))


def _turn(degrees: float) -> np.ndarray:
    a = np.deg2rad(degrees)
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


def _to_canvas(face: PlacedFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(2, 3) float64: px of the face's scan -> canvas px (pixel centres at whole numbers)."""
    linear = _turn(face.turn_deg) * (face.side_mm * PX_PER_MM / face.scan.wh[0])
    middle = (face.centre_mm - np.array(origin_mm)) * PX_PER_MM - 0.5
    return np.column_stack([linear, middle - linear @ face.scan.middle])
