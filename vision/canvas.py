"""The playing area seen from straight above at the height of the faces, beside what the faces alone would look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.colours import BLACK, SATURATED, PictureLight, fit_light
from vision.laid import PX_PER_MM, LaidFace, draw, settle

CAMERA_BLUR_PX = 0.9
"""Blur of what a webcam at 1 m shows of print, on the canvas."""

MISPLACED = 0.3
"""Standard deviation, in px, of where print lies on the canvas: alignment to 0.2 mm. Times the contrast of a pixel's
neighbourhood it is the slack in grey levels."""

LIGHT_SAMPLES = 1500
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
class Canvas:
    """What is seen and what the faces alone would look like in this light.

    `seen`, `bare`, `slack`: (H, W, 3) float32 BGR; `slack` is how far, in grey levels, the print near an edge may be
    off because the face is not aligned to better than part of a pixel and the camera's blur is not known.
    `face_levels`: brightness of each face against the light of the whole picture.
    `faces`: the faces where they fit best.
    `label`: (H, W) int16, index of the face a pixel lies on, -1 between faces.
    """

    window: Window
    seen: np.ndarray
    bare: np.ndarray
    slack: np.ndarray
    label: np.ndarray
    light: PictureLight
    face_levels: tuple[float, ...]
    faces: tuple[LaidFace, ...] = ()


def compose(
    seen: np.ndarray,
    window: Window,
    faces: Sequence[LaidFace],
    light: PictureLight | None = None,
    settled: frozenset[int] = frozenset(),
) -> Canvas:
    """The canvas for `seen` (H, W, 3) uint8 with the given faces lying in it.

    `light`: that of the picture, when it is known from a larger part of it. `settled`: indices of faces that lie
    where they fit best already. Raises ValueError without faces: the light of the picture comes from them.
    """
    if not faces:
        raise ValueError("a canvas needs at least one recognised face to know the light")
    origin = (window.left_mm, window.top_mm)
    rough = light or _rough_light(seen, window, faces)
    laid = tuple(face if k in settled else settle(seen, face, rough, origin) for k, face in enumerate(faces))
    flat, label = _drawn(seen.shape[:2], laid, origin)
    pixel = np.ones((3, 3), np.uint8)
    soft = cv2.GaussianBlur(flat, (0, 0), CAMERA_BLUR_PX)
    darkest, brightest = cv2.erode(flat, pixel), cv2.dilate(flat, pixel)
    ys, xs = _plain(brightest - darkest, label)
    if light is None:
        light = fit_light(flat[ys, xs], seen[ys, xs], window.to_mm(np.stack([xs, ys], -1)))
    place = window.grid_mm()
    seen = seen.astype(np.float32)
    level = _face_levels(seen[ys, xs], light.expect(flat[ys, xs], place[ys, xs]), label[ys, xs], len(faces))
    brightness = np.append(level, 1.0).astype(np.float32)[label][..., None]  # label -1 takes the last
    bare = light.expect(soft, place, brightness)
    slack = MISPLACED * (light.expect(brightest, place, brightness) - light.expect(darkest, place, brightness))
    return Canvas(window, seen, bare, slack, label, light, tuple(float(v) for v in level), laid)


def _rough_light(seen: np.ndarray, window: Window, faces: Sequence[LaidFace]) -> PictureLight:
    """The light by which the faces are settled: from plain print, where its exact place matters little."""
    flat, label = _drawn(seen.shape[:2], faces, (window.left_mm, window.top_mm))
    around = np.ones((5, 5), np.uint8)
    ys, xs = _plain(cv2.dilate(flat, around) - cv2.erode(flat, around), label)
    return fit_light(flat[ys, xs], seen[ys, xs], window.to_mm(np.stack([xs, ys], -1)))


def _drawn(
    shape: tuple[int, int], faces: Sequence[LaidFace], origin_mm: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    flat = np.zeros((*shape, 3), np.uint8)
    label = np.full(shape, -1, np.int16)
    for index, face in enumerate(faces):
        draw(flat, label, face, index, origin_mm)
    return flat, label


def _plain(contrast: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(N,) rows and columns of pixels within faces whose neighbourhood is plain: blur does not matter there."""
    inner = cv2.erode((label >= 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    ys, xs = np.nonzero(inner & (contrast.max(-1) < PLAIN))
    if len(ys) < 64:  # busy print all over
        ys, xs = np.nonzero(inner)
    step = max(1, len(ys) // LIGHT_SAMPLES)
    return ys[::step], xs[::step]


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
