"""A camera over the table: pinhole, lens distortion, and the undistorted canvas that pictures are painted on."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_MAP_STEP_PX = 8  # the lens map is computed every 8 px and interpolated: error below 0.01 px for webcams' lenses


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Intrinsics and pose. Table frame in mm: x right, y towards the bottom seat, z into the table."""

    size: tuple[int, int]  # width, height
    matrix: Floats  # (3, 3)
    dist: Floats  # (5,): k1 k2 p1 p2 k3
    rvec: Floats  # (3,)
    tvec: Floats  # (3,)

    def project(self, points_mm: Floats) -> Floats:
        """(N, 3) table mm -> (N, 2) px of the final, distorted picture."""
        points = np.asarray(points_mm, np.float64)
        return np.asarray(cv2.projectPoints(points, self.rvec, self.tvec, self.matrix, self.dist)[0][:, 0])

    def centre_mm(self) -> Floats:
        """(3,) where the camera is, table mm (z is negative: above the table)."""
        return np.asarray(-cv2.Rodrigues(self.rvec)[0].T @ self.tvec)

    def as_truth(self) -> dict[str, object]:
        """The camera as the scene sets write it."""
        return {
            "size": list(self.size),
            "matrix": np.round(self.matrix, 4).tolist(),
            "dist": np.round(self.dist, 6).tolist(),
            "rvec": np.round(self.rvec, 6).tolist(),
            "tvec": np.round(self.tvec, 4).tolist(),
        }


class View:
    """The undistorted canvas of a camera, `scale` times finer than the picture, and the way back through the lens."""

    def __init__(self, camera: Camera, scale: int = 2) -> None:
        self.camera = camera
        self.scale = scale
        width, height = camera.size
        across = np.arange(0, width + _MAP_STEP_PX, _MAP_STEP_PX, dtype=np.float64)
        down = np.arange(0, height + _MAP_STEP_PX, _MAP_STEP_PX, dtype=np.float64)
        grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 1, 2)
        ideal = cv2.undistortPoints(grid, camera.matrix, camera.dist, P=camera.matrix)
        ideal = ideal.reshape(len(down), len(across), 2)
        low = np.floor(ideal.min(axis=(0, 1))) - 2
        high = np.ceil(ideal.max(axis=(0, 1))) + 2
        wide, high_px = (int(v) for v in (high - low) * scale)
        self.canvas_size = (wide, high_px)
        affine = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
        self._lens = self._dense(ideal - low, across, down)
        half = (scale - 1) / 2  # pixel centres are whole numbers at either scale
        finer = np.array([[scale, 0, half], [0, scale, half], [0, 0, 1.0]])
        rotation = cv2.Rodrigues(camera.rvec)[0]
        self.projection = finer @ affine @ camera.matrix @ np.column_stack([rotation, camera.tvec])
        """(3, 4): homogeneous table mm -> canvas px."""

    def _dense(self, coarse: Floats, across: Floats, down: Floats) -> NDArray[np.float32]:
        """The canvas position (at the picture's scale) of each pixel of the picture: (H, W, 2)."""
        width, height = self.camera.size
        columns, rows = np.arange(width) / _MAP_STEP_PX, np.arange(height) / _MAP_STEP_PX
        del across, down
        x, y = np.meshgrid(columns.astype(np.float32), rows.astype(np.float32))
        return np.asarray(cv2.remap(coarse.astype(np.float32), x, y, cv2.INTER_LINEAR))

    def to_canvas(self, points_mm: Floats) -> Floats:
        """(N, 3) table mm -> (N, 2) canvas px."""
        image = np.column_stack([points_mm, np.ones(len(points_mm))]) @ self.projection.T
        return np.asarray(image[:, :2] / image[:, 2:])

    def plane(self, z_mm: float) -> Floats:
        """(3, 3) homography from table (x, y) mm at height z to canvas px."""
        return np.column_stack(
            [self.projection[:, 0], self.projection[:, 1], self.projection[:, 2] * z_mm + self.projection[:, 3]]
        )

    def through_lens(self, canvas: NDArray[np.float32]) -> NDArray[np.float32]:
        """A canvas reduced to the picture's scale, (h, w, 3), as the lens shows it: (H, W, 3)."""
        return np.asarray(cv2.remap(
            canvas, self._lens[..., 0], self._lens[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ))


def over_table(
    rng: np.random.Generator,
    size: tuple[int, int],
    *,
    must_see_mm: Floats,
    tilt_deg: float = 28.0,
    least_tilt_deg: float = 0.0,
    roll_deg: float = 18.0,
    slack: tuple[float, float] = (1.03, 1.4),
) -> Camera:
    """A random camera over the table that sees all of `must_see_mm` (N, 2), no closer than needed times `slack`."""
    width, height = size
    focal = rng.uniform(0.8, 1.05) * width
    matrix = np.array(
        [
            [focal, 0, width / 2 + rng.normal(0, width / 300)],
            [0, focal, height / 2 + rng.normal(0, width / 300)],
            [0, 0, 1],
        ]
    )
    dist = np.array([rng.uniform(-0.17, 0.05), rng.uniform(-0.02, 0.05), *rng.normal(0, 6e-4, 2), 0.0])
    leaning = -rng.uniform(least_tilt_deg, tilt_deg)
    tilt, aside, roll = np.deg2rad([leaning, rng.normal(0, 3), rng.uniform(-roll_deg, roll_deg)])
    rotation = _turn(0, tilt) @ _turn(1, aside) @ _turn(2, roll)
    rvec = cv2.Rodrigues(rotation)[0].ravel()
    points = np.column_stack([must_see_mm, np.zeros(len(must_see_mm))])
    for distance in np.arange(300.0, 4000.0, 10.0):
        camera = Camera(size, matrix, dist, rvec, np.array([0.0, 0.0, distance]))
        pixels = camera.project(points)
        if (pixels > 6).all() and (pixels < np.array(size) - 6).all():
            break
    distance *= rng.uniform(*slack)
    shift = rng.normal(0, 0.008, 2) * distance
    return Camera(size, matrix, dist, rvec, np.array([*shift, distance]))


def _turn(axis: int, angle: float) -> Floats:
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0])
