"""Fitting a pose to square tiles that were laid by hand: each a bit beside its place and a bit turned."""

from __future__ import annotations

import cv2
import numpy as np

from vision.locate.camera_model import Camera
from vision.locate.pose_fit import Fit, PoseProblem, begin_pose, descend

# How tiles are laid by hand when told to keep a grid.
BESIDE_SD_MM = 2.5
TURN_SD_RAD = np.deg2rad(3.0)
LENS_TRUST = 2.5  # contours of cardboard are no calibration target: what is usual for cameras counts more
OUTLIER = 2.5  # times the noise: from here on a corner counts less
ROBUST_ROUNDS = 4
RAYLEIGH_MEDIAN = 1.1774  # median over standard deviation of an axis, for errors alike in both axes
CORNER_NOISE_PX = 1.5  # corners of contours, rounded cardboard


def fit_tiles(
    tiles: tuple[tuple[tuple[float, float], np.ndarray], ...],
    side_mm: float,
    side_sd_mm: float,
    z_mm: float,
    size_wh: tuple[int, int],
    camera: Camera | None = None,
) -> Fit | None:
    """The pose (and lens, without `camera`) from tiles: (nominal centre (x, y) mm, corners (4, 2) px clockwise).

    Every tile's place and turn and the common side are fitted along, held by how tiles are laid: that the tiles
    are squares of one size tells the perspective better than their places do. `z_mm`: height of the faces. The
    corners begin at the one nearest the table's top left. None when no pose fits.
    """
    start = camera or Camera.estimated(size_wh)
    centres = np.array([centre for centre, _ in tiles], np.float64)
    px = np.concatenate([corners for _, corners in tiles])
    problem = _TileProblem(centres, px, side_mm, side_sd_mm, z_mm, start, camera is None)
    begin = begin_pose(problem.points(np.zeros(problem.laid)), px, start, refine=camera is None)
    if begin is None:
        return None
    theta = np.concatenate([problem.pose.pack(*begin), np.zeros(problem.laid)])
    for _ in range(ROBUST_ROUNDS):
        theta, value, _ = descend(problem.residuals, theta)
        residuals = value[: 2 * len(px)].reshape(-1, 2) * problem.pose.noise[:, None]
        off = np.linalg.norm(residuals, axis=1)
        # a corner far off lies under a hand or belongs to something else: the further, the less it counts
        problem.pose.noise = CORNER_NOISE_PX * np.maximum(1.0, off / (OUTLIER * CORNER_NOISE_PX)) ** 2
    fitted, rvec, tvec, _ = problem.pose.unpack(theta[: -problem.laid])
    if tvec[2] <= 0:
        return None
    # half the corners and more must fit; their usual error speaks for the pose
    usual = float(np.median(off)) / RAYLEIGH_MEDIAN
    return Fit(fitted, rvec, tvec, usual * 2**0.5, 0.0, residuals, float("nan"))


class _TileProblem:
    """Residuals and derivatives; theta = the pose's, then x, y, turn of each tile and the logarithm of the side."""

    def __init__(
        self,
        centres_mm: np.ndarray,
        px: np.ndarray,
        side_mm: float,
        side_sd_mm: float,
        z_mm: float,
        camera: Camera,
        free: bool,
    ) -> None:
        half = side_mm / 2
        self.square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        self.centres = centres_mm
        self.z = z_mm
        self.laid = 3 * len(centres_mm) + 1
        spread_sd = side_sd_mm / side_mm
        beside = [BESIDE_SD_MM, BESIDE_SD_MM, TURN_SD_RAD]
        self.belief = 1 / np.array([*(beside * len(centres_mm)), spread_sd])
        noise = np.full(len(px), CORNER_NOISE_PX)
        self.pose = PoseProblem(self.points(np.zeros(self.laid)), px, camera, None, noise, free, LENS_TRUST)

    def points(self, laid: np.ndarray) -> np.ndarray:
        """(4 N, 3) mm: the corners of the tiles as `laid`."""
        return self._points(laid)[0]

    def _points(self, laid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The corners, and their derivatives (4 N, 2, P) after what `laid` holds."""
        count = len(self.centres)
        scale = np.exp(laid[-1])
        points = np.full((4 * count, 3), self.z)
        slope = np.zeros((4 * count, 2, self.laid))
        for i in range(count):
            x, y, turn = laid[3 * i : 3 * i + 3]
            cos, sin = np.cos(turn), np.sin(turn)
            corners = scale * self.square @ np.array([[cos, sin], [-sin, cos]])
            rows = slice(4 * i, 4 * i + 4)
            points[rows, :2] = self.centres[i] + [x, y] + corners
            slope[rows, 0, 3 * i] = slope[rows, 1, 3 * i + 1] = 1.0
            slope[rows, 0, 3 * i + 2], slope[rows, 1, 3 * i + 2] = -corners[:, 1], corners[:, 0]
            slope[rows, :, -1] = corners
        return points, slope

    def residuals(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `descend`."""
        laid = theta[-self.laid :]
        points, moved = self._points(laid)
        self.pose.points = points
        value, jacobian = self.pose.residuals(theta[: -self.laid])
        rows = 2 * len(points)
        # a point moved in the table frame moves the picture as a translation of the turned point does
        rotation = cv2.Rodrigues(theta[:3])[0]
        by_translation = jacobian[:rows, 3:6].reshape(-1, 2, 3)
        by_laid = (by_translation @ rotation[:, :2]) @ moved
        wide = np.zeros((len(value) + self.laid, len(theta)))
        wide[: len(value), : -self.laid] = jacobian
        wide[:rows, -self.laid :] = by_laid.reshape(rows, -1)
        wide[len(value) :, -self.laid :] = np.diag(self.belief)
        return np.concatenate([value, laid * self.belief]), wide
