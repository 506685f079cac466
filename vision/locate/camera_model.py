"""A camera as a lens model: pixels to rays and back, measured by calibration or estimated from the picture size."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

# Webcams and phones see 45 to 90 degrees across: focal lengths of 0.5 to 1.2 picture widths, 0.85 in the middle.
TYPICAL_FOCAL_WIDTHS = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Pinhole camera with OpenCV's five-parameter distortion; compared by identity.

    `matrix`: (3, 3) float64, px; `dist`: (5,) float64, k1 k2 p1 p2 k3; `size_wh`: picture size in px.
    `measured`: by lens calibration; otherwise the figures are a guess, refined by each picture that allows it.
    """

    matrix: np.ndarray
    dist: np.ndarray
    size_wh: tuple[int, int]
    measured: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", _frozen(self.matrix, (3, 3), "matrix"))
        object.__setattr__(self, "dist", _frozen(self.dist, (5,), "dist"))

    @classmethod
    def estimated(cls, size_wh: tuple[int, int], focal_widths: float = TYPICAL_FOCAL_WIDTHS) -> Camera:
        """A typical camera of that picture size (px): focal length in picture widths, no distortion."""
        width, height = size_wh
        focal_px = focal_widths * max(width, height)
        matrix = [[focal_px, 0.0, (width - 1) / 2], [0.0, focal_px, (height - 1) / 2], [0.0, 0.0, 1.0]]
        return cls(np.array(matrix), np.zeros(5), (width, height), measured=False)

    @property
    def focal_px(self) -> float:
        """Mean of the two focal lengths, px."""
        return float(self.matrix[0, 0] + self.matrix[1, 1]) / 2

    def project(self, points_mm: np.ndarray, rvec: np.ndarray, tvec: np.ndarray) -> np.ndarray:
        """(N, 3) points, mm, of a frame that lies at `rvec`, `tvec` before the camera -> (N, 2) float64 px."""
        points = np.ascontiguousarray(points_mm, np.float64).reshape(-1, 1, 3)
        if not len(points):
            return np.zeros((0, 2))
        return np.asarray(cv2.projectPoints(points, rvec, tvec, self.matrix, self.dist)[0].reshape(-1, 2))

    def rays(self, px: np.ndarray) -> np.ndarray:
        """(N, 2) px -> (N, 3) float64 directions in the camera's frame, z = 1, the distortion removed exactly."""
        px = np.ascontiguousarray(px, np.float64).reshape(-1, 1, 2)
        if not len(px):
            return np.zeros((0, 3))
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-10)
        flat = cv2.undistortPoints(px, self.matrix, self.dist, criteria=stop).reshape(-1, 2)
        return np.column_stack([flat, np.ones(len(flat))])


def _frozen(value: np.ndarray, shape: tuple[int, ...], name: str) -> np.ndarray:
    array = np.array(value, np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"the camera's {name} needs {shape} finite numbers, got {array.shape}")
    array.setflags(write=False)
    return array
