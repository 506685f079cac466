"""The playing area seen from straight above at the height of the faces, beside what the faces alone would look like."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.colours import BLACK, SATURATED, PictureLight, fit_light

PX_PER_MM = 1.5
"""Resolution of a canvas: a 10 mm piece is 15 px wide, about what a webcam at 1 m gives."""

CAMERA_BLUR_PX = 0.9
"""Blur of what a webcam at 1 m shows of print, on the canvas."""

MISPLACED = 0.3
"""Standard deviation, in px, of where print lies on the canvas: alignment to 0.2 mm. Times the contrast of a pixel's
neighbourhood it is the slack in grey levels."""

LIGHT_SAMPLES = 4000
"""Pixels of known faces that the light is fitted to: they fix its eight numbers well and cost a few ms."""

PLAIN = 40
"""Grey levels that print may vary within a pixel's neighbourhood for the pixel to tell about the light: not an edge."""

UNEVEN = 0.15
"""Light may differ by so much from face to face beyond its slope over the table; more is a hand or another face."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the table: its top left corner (mm, at the height of the faces) and size in canvas px."""

    left_mm: float
    top_mm: float
    width_px: int
    height_px: int

    @classmethod
    def around(cls, corners_mm: np.ndarray, margin_mm: float) -> Window:
        """The window that holds (N, 2) mm points with a margin on every side."""
        low, high = corners_mm.min(0) - margin_mm, corners_mm.max(0) + margin_mm
        size = np.ceil((high - low) * PX_PER_MM).astype(int)
        return cls(float(low[0]), float(low[1]), int(size[0]), int(size[1]))

    @property
    def corners_mm(self) -> np.ndarray:
        """(4, 2) float64 table mm, clockwise from top left."""
        right, bottom = self.left_mm + self.width_px / PX_PER_MM, self.top_mm + self.height_px / PX_PER_MM
        left, top = self.left_mm, self.top_mm
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])

    def to_px(self, xy_mm: np.ndarray) -> np.ndarray:
        """(..., 2) table mm -> (..., 2) canvas px (pixel centres at whole numbers)."""
        return (np.asarray(xy_mm, float) - (self.left_mm, self.top_mm)) * PX_PER_MM - 0.5

    def to_mm(self, xy_px: np.ndarray) -> np.ndarray:
        """(..., 2) canvas px -> (..., 2) table mm."""
        return (np.asarray(xy_px, float) + 0.5) / PX_PER_MM + (self.left_mm, self.top_mm)

    def grid_mm(self) -> np.ndarray:
        """(H, W, 2) float32: the table place of every canvas pixel."""
        y, x = np.mgrid[0 : self.height_px, 0 : self.width_px].astype(np.float32)
        return np.stack([(x + 0.5) / PX_PER_MM + self.left_mm, (y + 0.5) / PX_PER_MM + self.top_mm], -1)


@dataclass(frozen=True, slots=True)
class LaidFace:
    """A face found on the table: its upright corners on the table (4, 2) mm from top left clockwise, its reference.

    `reference_bgr`: (S, S, 3) uint8 flat scan shrunk to about the canvas' resolution.
    """

    corners_mm: np.ndarray
    reference_bgr: np.ndarray


@dataclass(frozen=True, slots=True)
class Canvas:
    """What is seen and what the faces alone would look like in this light.

    `seen`, `bare`, `slack`: (H, W, 3) float32 BGR; `slack` is how far, in grey levels, the print near an edge may be
    off because the face is not aligned to better than part of a pixel and the camera's blur is not known.
    `face_levels`: brightness of each face against the light of the whole picture.
    `label`: (H, W) int16, index of the face a pixel lies on, -1 between faces.
    """

    window: Window
    seen: np.ndarray
    bare: np.ndarray
    slack: np.ndarray
    label: np.ndarray
    light: PictureLight
    face_levels: tuple[float, ...]


def shrink_reference(scan_bgr: np.ndarray, side_mm: float) -> np.ndarray:
    """A flat scan at the canvas' resolution, (S, S, 3) uint8."""
    size = round(side_mm * PX_PER_MM)
    return np.asarray(cv2.resize(scan_bgr, (size, size), interpolation=cv2.INTER_AREA))


def compose(seen: np.ndarray, window: Window, faces: list[LaidFace]) -> Canvas:
    """The canvas for `seen` (H, W, 3) uint8 with the given faces lying in it.

    Raises ValueError without faces: the light of the picture comes from them.
    """
    if not faces:
        raise ValueError("a canvas needs at least one recognised face to know the light")
    shape = seen.shape[:2]
    flat = np.zeros((*shape, 3), np.uint8)
    label = np.full(shape, -1, np.int16)
    for index, face in enumerate(faces):
        _lay(flat, label, window, face, index)
    pixel = np.ones((3, 3), np.uint8)
    soft = cv2.GaussianBlur(flat, (0, 0), CAMERA_BLUR_PX)
    darkest, brightest = cv2.erode(flat, pixel), cv2.dilate(flat, pixel)
    inner = cv2.erode((label >= 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    plain = ((brightest - darkest) < PLAIN).all(-1)  # blur does not matter there
    ys, xs = np.nonzero(inner & plain)
    step = max(1, len(ys) // LIGHT_SAMPLES)
    ys, xs = ys[::step], xs[::step]
    light = fit_light(flat[ys, xs], seen[ys, xs], window.to_mm(np.stack([xs, ys], -1)))
    place = window.grid_mm()
    seen = seen.astype(np.float32)
    level = _face_levels(seen[ys, xs], light.expect(flat[ys, xs], place[ys, xs]), label[ys, xs], len(faces))
    brightness = np.append(level, 1.0).astype(np.float32)[label][..., None]  # label -1 takes the last
    bare = light.expect(soft, place, brightness)
    slack = MISPLACED * (light.expect(brightest, place, brightness) - light.expect(darkest, place, brightness))
    return Canvas(window, seen, bare, slack, label, light, tuple(float(v) for v in level))


def _face_levels(seen: np.ndarray, predicted: np.ndarray, label: np.ndarray, faces: int) -> np.ndarray:
    """How much brighter each face is than the light of the whole picture says: median ratio of pixels not cut off."""
    usable = (seen < SATURATED).all(-1) & (predicted < SATURATED).all(-1)
    ratio = (seen.sum(-1) + 3 * BLACK) / (predicted.sum(-1) + 3 * BLACK)
    out = np.ones(faces)
    for face in range(faces):
        here = ratio[usable & (label == face)]
        if len(here) >= 16:
            out[face] = np.clip(np.median(here), 1 - UNEVEN, 1 + UNEVEN)
    return out


def _lay(flat: np.ndarray, label: np.ndarray, window: Window, face: LaidFace, index: int) -> None:
    """Draw one face into the canvas, in place."""
    corners = window.to_px(face.corners_mm).astype(np.float32)
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (flat.shape[1], flat.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    size = face.reference_bgr.shape[0]
    corner = np.array([[-0.5, -0.5], [size - 0.5, -0.5], [size - 0.5, size - 0.5], [-0.5, size - 0.5]], np.float32)
    to_window = cv2.getPerspectiveTransform(corner, corners - np.array([x0, y0], np.float32))
    patch = cv2.warpPerspective(
        face.reference_bgr,
        to_window,
        (int(x1 - x0), int(y1 - y0)),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((corners - (x0, y0)) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inside = mask > 0
    flat[y0:y1, x0:x1][inside] = patch[inside]
    label[y0:y1, x0:x1][inside] = index
