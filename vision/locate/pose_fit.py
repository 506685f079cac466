"""Fitting a pose, and where nobody measured the lens the lens too, to points whose places on the table are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.locate.camera_model import TYPICAL_FOCAL_WIDTHS, Camera

# What is believed of an unknown lens before looking: (mean, standard deviation). Focal length as a logarithm,
# principal point in picture widths, distortion as OpenCV's k1 k2 p1 p2. The widths cover webcams and phones without
# fish-eye lenses; the picture decides wherever it can, these only hold what one view cannot tell.
LOG_FOCAL = (np.log(TYPICAL_FOCAL_WIDTHS), 0.35)
CENTRE_WIDTHS_SD = 0.006
DISTORTION_SD = (0.10, 0.05, 0.001, 0.001)
NOISE_PX = 0.15  # scatter of refined marker corners
SPREAD_SD_PX = 1.0  # what is left of the spread once `measure_spread` was taken off, or all of a wrongly scaled sheet
STEPS = 40
# projectPoints' derivative columns: rotation 3, translation 3, fx fy, cx cy, k1 k2 p1 p2 k3
_FOCAL, _CENTRE, _DIST = slice(6, 8), slice(8, 10), slice(10, 14)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted camera and pose; `error_px` root mean square over the points, `spread_px` the edges' shift outwards.

    `residuals_px`: (N, 2) observed minus fitted. `focal_sd`: relative standard deviation of the focal length.
    """

    camera: Camera
    rvec: np.ndarray
    tvec: np.ndarray
    error_px: float
    spread_px: float
    residuals_px: np.ndarray
    focal_sd: float

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        """(N, 3) table mm -> (N, 2) px."""
        return self.camera.project(points_mm, self.rvec, self.tvec)


def fit_pose(
    points_mm: np.ndarray,
    px: np.ndarray,
    size_wh: tuple[int, int],
    camera: Camera | None = None,
    spread: np.ndarray | None = None,
    noise_px: float | np.ndarray = NOISE_PX,
) -> Fit | None:
    """The pose, and without `camera` the lens, that explain `px` (N, 2) as pictures of `points_mm` (N, 3).

    Maximum a posteriori by Levenberg-Marquardt with the beliefs above. `spread` (N, 2): direction in which each
    point moves when a marker's edges move inwards by one px; the common amount is fitted along. A camera that was
    not measured is refined, starting from its figures. None when no pose puts the points before the camera.
    """
    start = camera or Camera.estimated(size_wh)
    begin = begin_pose(points_mm, px, start, refine=camera is None)
    if begin is None:
        return None
    free = camera is None
    problem = PoseProblem(points_mm, px, start, spread, np.broadcast_to(noise_px, (len(px),)), free)
    theta, value, jacobian = descend(problem.residuals, problem.pack(*begin))
    fitted, rvec, tvec, amount = problem.unpack(theta)
    if tvec[2] <= 0:
        return None
    residuals = value[: 2 * len(px)].reshape(-1, 2) * problem.noise[:, None]
    error = float(np.sqrt((residuals**2).sum(axis=1).mean()))
    focal_sd = float(np.sqrt(np.linalg.pinv(jacobian.T @ jacobian)[7, 7])) if free else 0.0
    return Fit(fitted, rvec, tvec, error, amount, residuals, focal_sd)


def descend(
    residuals: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], theta: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levenberg-Marquardt: the theta that makes the residuals smallest, with residuals and derivatives there.

    `residuals`: theta (P,) -> values (N,) and their derivatives (N, P).
    """
    damping = 1e-3
    value, jacobian = residuals(theta)
    cost = float(value @ value)
    for _ in range(STEPS):
        normal = jacobian.T @ jacobian
        step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), jacobian.T @ value)
        trial_value, trial_jacobian = residuals(theta + step)
        trial = float(trial_value @ trial_value)
        if np.isfinite(trial) and trial < cost:
            gain = cost - trial
            theta, value, jacobian, cost = theta + step, trial_value, trial_jacobian, trial
            damping = max(damping / 10, 1e-9)
            if gain < 1e-9 * (1 + cost):
                break
        else:
            damping *= 10
            if damping > 1e8:
                break
    return theta, value, jacobian


def begin_pose(
    points_mm: np.ndarray, px: np.ndarray, camera: Camera, refine: bool
) -> tuple[float, np.ndarray, np.ndarray] | None:
    """The best of several focal lengths with its pose, a start for the descent: (log of the focal length over the
    camera's, rvec, tvec). The points lie in a plane parallel to the table.
    """
    height = np.array([0.0, 0.0, float(points_mm[:, 2].mean())])
    flat = points_mm - height  # the solver wants z = 0
    best: tuple[float, float, np.ndarray, np.ndarray] | None = None
    for factor in (0.65, 0.85, 1.0, 1.2, 1.5) if refine else (1.0,):
        matrix = camera.matrix.copy()
        matrix[0, 0] *= factor
        matrix[1, 1] *= factor
        count, rvecs, tvecs, errors = cv2.solvePnPGeneric(flat, px, matrix, camera.dist, flags=cv2.SOLVEPNP_IPPE)
        for k in range(count):
            # the camera looks at the upper side of the table: the table's z axis points away from it
            eye = -cv2.Rodrigues(rvecs[k])[0].T @ tvecs[k]
            error = float(np.ravel(errors[k])[0])
            if tvecs[k][2, 0] > 0 and eye[2, 0] < 0 and (best is None or error < best[0]):
                down = tvecs[k].ravel() - cv2.Rodrigues(rvecs[k])[0] @ height
                best = (error, float(np.log(factor)), rvecs[k].ravel(), down)
    return None if best is None else best[1:]


class PoseProblem:
    """Residuals and derivatives; theta = rvec 3, tvec 3, spread; of a free lens also log f, cx, cy, k1 k2 p1 p2."""

    def __init__(
        self,
        points_mm: np.ndarray,
        px: np.ndarray,
        camera: Camera,
        spread: np.ndarray | None,
        noise: np.ndarray,
        free: bool,
        lens_trust: float = 1.0,
    ) -> None:
        """`lens_trust`: how many times more the beliefs about an unknown lens count."""
        self.lens_trust = lens_trust
        self.points = np.ascontiguousarray(points_mm, np.float64)
        self.px = np.asarray(px, np.float64)
        self.camera = camera
        self.spread = np.zeros_like(self.px) if spread is None else spread
        self.noise = noise
        self.free = free
        self.width = max(camera.size_wh)

    def pack(self, log_focal: float, rvec: np.ndarray, tvec: np.ndarray) -> np.ndarray:
        theta = np.zeros(14 if self.free else 7)
        theta[0:3], theta[3:6] = rvec, tvec
        if self.free:
            theta[7] = log_focal
        return theta

    def unpack(self, theta: np.ndarray) -> tuple[Camera, np.ndarray, np.ndarray, float]:
        if not self.free:
            return self.camera, theta[0:3].copy(), theta[3:6].copy(), float(theta[6])
        matrix = self.camera.matrix.copy()
        scale = np.exp(theta[7])
        matrix[0, 0] *= scale
        matrix[1, 1] *= scale
        matrix[0, 2] += theta[8]
        matrix[1, 2] += theta[9]
        dist = np.array([*theta[10:14], 0.0])
        return Camera(matrix, dist, self.camera.size_wh, False), theta[0:3].copy(), theta[3:6].copy(), float(theta[6])

    def residuals(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        camera, rvec, tvec, amount = self.unpack(theta)
        fitted, slope = cv2.projectPoints(self.points.reshape(-1, 1, 3), rvec, tvec, camera.matrix, camera.dist)
        off = self.px - fitted.reshape(-1, 2) - amount * self.spread
        weight = np.repeat(1 / self.noise, 2)
        rows = [-slope[:, :6], -self.spread.reshape(-1, 1)]
        if self.free:
            focal = slope[:, _FOCAL] @ np.array([camera.matrix[0, 0], camera.matrix[1, 1]])
            rows += [-focal[:, None], -slope[:, _CENTRE], -slope[:, _DIST]]
        data, jacobian = off.ravel() * weight, np.hstack(rows) * weight[:, None]
        belief, believed = self._beliefs(theta)
        return np.concatenate([data, belief]), np.vstack([jacobian, believed])

    def _beliefs(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sd = [SPREAD_SD_PX]
        mean = [0.0]
        if self.free:
            prior_focal = LOG_FOCAL[0] - np.log(self.camera.focal_px / self.width)
            lens = [LOG_FOCAL[1], CENTRE_WIDTHS_SD * self.width, CENTRE_WIDTHS_SD * self.width, *DISTORTION_SD]
            sd += [belief / self.lens_trust for belief in lens]
            mean += [float(prior_focal)] + [0.0] * 6
        scale = 1 / np.array(sd)
        jacobian = np.zeros((len(sd), len(theta)))
        jacobian[np.arange(len(sd)), 6 + np.arange(len(sd))] = scale
        return (theta[6 : 6 + len(sd)] - mean) * scale, jacobian
