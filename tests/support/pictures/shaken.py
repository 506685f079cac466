"""What can happen to a camera picture: the camera is turned a little, the sensor's noise, an arm over the table."""

from __future__ import annotations

import cv2
import numpy as np


def bumped(image: np.ndarray, by_px: float, direction: float = 0.6) -> np.ndarray:
    """The picture from a camera turned so that its middle moves by so many px."""
    height, width = image.shape[:2]
    focal = 0.85 * width
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    turn = np.array([np.sin(direction), np.cos(direction), 0.0]) * by_px / focal
    way = matrix @ cv2.Rodrigues(turn)[0] @ np.linalg.inv(matrix)
    return cv2.warpPerspective(image, way, (width, height), borderMode=cv2.BORDER_REFLECT)


def noisy(image: np.ndarray, rng: np.random.Generator, levels: int = 3) -> np.ndarray:
    """The picture with even noise of so many levels to both sides."""
    noise = rng.integers(-levels, levels + 1, image.shape, np.int16)
    return cv2.add(image, noise, dtype=cv2.CV_8U)


def painted_arm(it, towards_mm, from_mm, colour, width_mm=55.0):
    """The picture with an arm of this colour drawn from a place to a place on the table."""
    start, end = np.array(from_mm, float), np.array(towards_mm, float)
    along = (end - start) / np.linalg.norm(end - start)
    beside = np.array([-along[1], along[0]]) * width_mm / 2
    corners = np.array([start + beside, end + beside, end - beside, start - beside])
    outline = np.round(it.true_pose.project(corners)).astype(np.int32)
    image = it.image.copy()
    cv2.fillConvexPoly(image, outline, colour, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 0.8)
