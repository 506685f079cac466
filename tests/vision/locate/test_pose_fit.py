"""A pose is fitted to points on the table, with or without a measured lens."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locate.camera_model import Camera
from vision.locate.pose_fit import descend, fit_pose

SIZE = (1280, 720)
LENS = Camera(np.array([[1200.0, 0, 640], [0, 1200.0, 360], [0, 0, 1]]), np.zeros(5), SIZE, measured=True)
RVEC, TVEC = np.array([0.45, 0.05, -0.02]), np.array([10.0, -20.0, 900.0])
POINTS = np.array([[x, y, 0.0] for x in (-220, 0, 220) for y in (-170, 0, 170)])


def seen(points: np.ndarray = POINTS) -> np.ndarray:
    return cv2.projectPoints(points, RVEC, TVEC, LENS.matrix, LENS.dist)[0].reshape(-1, 2)


def test_with_a_measured_lens_the_pose_is_found_again() -> None:
    fit = fit_pose(POINTS, seen(), SIZE, LENS)
    assert fit is not None
    assert fit.rvec == pytest.approx(RVEC, abs=1e-5)
    assert fit.tvec == pytest.approx(TVEC, abs=1e-3)
    assert fit.error_px < 1e-3
    assert fit.camera is LENS


def test_without_a_lens_the_points_are_explained_and_its_focal_length_is_near() -> None:
    fit = fit_pose(POINTS, seen(), SIZE)
    assert fit is not None
    assert fit.error_px < 0.1
    assert fit.camera.focal_px == pytest.approx(1200.0, rel=0.05)
    assert 0.0 < fit.focal_sd < 0.1


def test_residuals_are_what_was_seen_less_what_was_fitted() -> None:
    px = seen()
    px[4] += (3.0, 0.0)
    fit = fit_pose(POINTS, px, SIZE, LENS)
    assert fit is not None
    assert fit.residuals_px == pytest.approx(px - fit.project(POINTS), abs=1e-6)
    assert int(np.abs(fit.residuals_px).sum(1).argmax()) == 4


def test_a_mirrored_table_has_no_pose() -> None:
    mirrored = seen()
    mirrored[:, 0] = SIZE[0] - mirrored[:, 0]
    assert fit_pose(POINTS, mirrored, SIZE, LENS) is None


def test_of_a_linear_problem_the_descent_finds_the_least_squares() -> None:
    rng = np.random.default_rng(5)
    slopes, wanted = rng.normal(size=(12, 4)), rng.normal(size=12)
    theta, value, _ = descend(lambda x: (slopes @ x - wanted, slopes), np.zeros(4))
    assert theta == pytest.approx(np.linalg.lstsq(slopes, wanted)[0], abs=1e-3)
    assert value == pytest.approx(slopes @ theta - wanted)
