"""Faces lying on the table as rectangles of known size: drawn where they lie, and settled to where they fit best."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.colours import PictureLight

PX_PER_MM = 1.5
"""Resolution of a canvas: a 10 mm piece is 15 px wide, about what a webcam at 1 m gives."""

ROUNDS_PX = (2.0, 1.0, 1.0)
"""Blur of the comparison, round by round: first over some px, then over what the camera blurs anyway."""

ROBUST = 12.0
"""Grey levels at which a pixel counts half: pieces, shadows and glare hide parts of a face."""

SHIFT_SD_PX, TURN_SD_RAD, GROW_SD = 1.5, 0.03, 0.01
"""How far a face may be off before it is settled: 1 mm, 2 degrees, 1 % of its size (the pose of the table)."""

GREY_SD = 8.0
"""Noise of a pixel's comparison, grey levels: what the evidence for moving is weighed with."""

INDEPENDENT = 1.0 / 8.0
"""Neighbouring pixels repeat each other: so much of one observation each."""


@dataclass(frozen=True, slots=True)
class LaidFace:
    """A face on the table: middle (2,) mm, turn of the upright face clockwise in degrees, width, and its scan.

    `reference_bgr`: (H, W, 3) uint8 flat scan shrunk to the canvas' resolution; its shape tells the height.
    """

    centre_mm: np.ndarray
    turn_deg: float
    side_mm: float
    reference_bgr: np.ndarray

    @property
    def corners_mm(self) -> np.ndarray:
        """(4, 2) corners from the upright face's top left clockwise."""
        height, width = self.reference_bgr.shape[:2]
        half = np.array([1.0, height / width]) * self.side_mm / 2
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ _turn(self.turn_deg).T + self.centre_mm


def shrink_reference(scan_bgr: np.ndarray, side_mm: float) -> np.ndarray:
    """A flat scan of a face `side_mm` wide at the canvas' resolution, (H, W, 3) uint8."""
    width = round(side_mm * PX_PER_MM)
    height = round(side_mm * PX_PER_MM * scan_bgr.shape[0] / scan_bgr.shape[1])
    return np.asarray(cv2.resize(scan_bgr, (width, height), interpolation=cv2.INTER_AREA))


def draw(flat: np.ndarray, label: np.ndarray, face: LaidFace, index: int, origin_mm: tuple[float, float]) -> None:
    """Draw a face into `flat` (H, W, 3) uint8 and its index into `label` (H, W), in place."""
    to_canvas = _to_canvas(face, origin_mm)
    height, width = face.reference_bgr.shape[:2]
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    corners = edge @ to_canvas[:, :2].T + to_canvas[:, 2]
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (flat.shape[1], flat.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    to_patch = to_canvas.copy()
    to_patch[:, 2] -= (x0, y0)
    area = (int(x1 - x0), int(y1 - y0))
    patch = cv2.warpAffine(face.reference_bgr, to_patch, area, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((corners - (x0, y0)) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inside = mask > 0
    flat[y0:y1, x0:x1][inside] = patch[inside]
    label[y0:y1, x0:x1][inside] = index


def in_face_frame(seen_bgr: np.ndarray, face: LaidFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(H, W, 3) uint8: what is seen where a face lies, upright and as large as its scan."""
    size_wh = face.reference_bgr.shape[1::-1]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    to_canvas = _to_canvas(face, origin_mm)
    return cv2.warpAffine(seen_bgr, to_canvas, size_wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def settle(seen_bgr: np.ndarray, face: LaidFace, light: PictureLight, origin_mm: tuple[float, float]) -> LaidFace:
    """The face moved, turned and grown a little so that it fits `seen_bgr` (H, W, 3) uint8 best.

    Robust Gauss-Newton on grey levels in the frame of the face, with a prior of how far it may be off.
    """
    height, width = face.reference_bgr.shape[:2]
    expected = _grey(light.expect(face.reference_bgr, face.centre_mm[None, None]))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y, x = y - (height - 1) / 2, x - (width - 1) / 2
    prior = np.diag(1.0 / np.array([SHIFT_SD_PX, SHIFT_SD_PX, TURN_SD_RAD, GROW_SD]) ** 2)
    moved = np.zeros(4)
    for blur in ROUNDS_PX:
        here = in_face_frame(seen_bgr, face, origin_mm)
        want, got = (cv2.GaussianBlur(a, (0, 0), blur) for a in (expected, _grey(here.astype(np.float32))))
        gx, gy = (cv2.Sobel(want, cv2.CV_32F, i, 1 - i, ksize=3, scale=1 / 8) for i in (1, 0))
        slope = np.stack([gx, gy, gy * x - gx * y, gx * x + gy * y], -1)[2:-2, 2:-2].reshape(-1, 4).astype(np.float64)
        off = (got - want)[2:-2, 2:-2].reshape(-1).astype(np.float64)
        off -= np.median(off)
        weight = INDEPENDENT / (GREY_SD**2 * (1.0 + (off / ROBUST) ** 2))
        sw = slope * weight[:, None]
        step = np.linalg.solve(sw.T @ slope + prior, sw.T @ off - prior @ moved)
        moved += step
        # seen(p) = want(p + step): the face lies the other way by as much
        shift = _turn(face.turn_deg) @ step[:2] / PX_PER_MM
        face = replace(
            face,
            centre_mm=face.centre_mm - shift,
            turn_deg=face.turn_deg - float(np.rad2deg(step[2])),
            side_mm=face.side_mm * (1.0 - float(step[3])),
        )
    return face


def _grey(bgr: np.ndarray) -> np.ndarray:
    """(H, W) float32: the mean of the channels."""
    return np.asarray(cv2.transform(bgr, np.full((1, 3), 1 / 3, np.float32)))


def _turn(degrees: float) -> np.ndarray:
    a = np.deg2rad(degrees)
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


def _to_canvas(face: LaidFace, origin_mm: tuple[float, float]) -> np.ndarray:
    """(2, 3) float64: px of the face's scan -> canvas px (pixel centres at whole numbers)."""
    height, width = face.reference_bgr.shape[:2]
    linear = _turn(face.turn_deg) * (face.side_mm * PX_PER_MM / width)
    middle = (face.centre_mm - np.array(origin_mm)) * PX_PER_MM - 0.5
    return np.column_stack([linear, middle - linear @ (np.array([width - 1, height - 1]) / 2)])
