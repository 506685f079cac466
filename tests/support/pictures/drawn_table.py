"""A tiny table drawn by hand: faces and upright pieces on a cloth, seen by a camera from straight above its middle."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.locate.camera_model import Camera
from vision.locate.plane import square_at
from vision.locate.pose import TablePose

WH = (640, 480)
EYE_MM = 330.0
POSE = TablePose(Camera.estimated(WH), np.zeros(3), np.array([0.0, 0.0, EYE_MM]), "markers", 0.1)
"""1 mm of the table is about 1.65 px; the picture shows 388 x 291 mm around the middle."""

CLOTH_BGR = (92, 104, 84)
THICK_MM, PIECE_MM = 2.0, 10.0


def picture_px(xy_mm: np.ndarray, above_mm: float) -> np.ndarray:
    """(N, 2) px of points (N, 2) mm so high above the table."""
    return POSE.project(np.c_[xy_mm, np.full(len(xy_mm), -above_mm)])


def bare_cloth(seed: int = 1) -> np.ndarray:
    """(480, 640, 3) uint8: a cloth of one colour with the noise of a camera."""
    noise = np.random.default_rng(seed).normal(0, 2, (WH[1], WH[0], 3))
    return np.clip(np.array(CLOTH_BGR) + noise, 0, 255).astype(np.uint8)


def lay(image: np.ndarray, face: np.ndarray, centre_mm: Sequence[float], side_mm: float, turn_deg: float = 0.0) -> None:
    """A square face (H, H, 3) uint8 laid on the table, in place."""
    wide = face.shape[0]
    source = np.array([[0, 0], [wide, 0], [wide, wide], [0, wide]], np.float32) - 0.5
    target = picture_px(square_at(np.array(centre_mm, float), side_mm, turn_deg), THICK_MM).astype(np.float32)
    warp = cv2.getPerspectiveTransform(source, target)
    sharp = cv2.GaussianBlur(face, (0, 0), max(0.3, 0.35 * wide / (1.65 * side_mm)))
    mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), warp, WH) > 128
    image[mask] = cv2.warpPerspective(sharp, warp, WH)[mask]


def stand(image: np.ndarray, colour_bgr: Sequence[float], foot_mm: Sequence[float], above_mm: float = THICK_MM) -> None:
    """A cube of 10 mm that stands on a face, in place: its sides a little darker than its top."""
    foot = square_at(np.array(foot_mm, float), PIECE_MM, 0.0)
    low, top = (np.round(picture_px(foot, h)).astype(np.int32) for h in (above_mm, above_mm + PIECE_MM))
    cv2.fillConvexPoly(image, cv2.convexHull(np.vstack([low, top])), tuple(0.8 * c for c in colour_bgr))
    cv2.fillConvexPoly(image, top, tuple(colour_bgr))
