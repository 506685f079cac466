"""The light by the markers alone: by their white, and by their edges where the camera cut the white off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.marker_light import INK, light_of_markers
from vision.appearance.picture_light import PAPER, SATURATED, from_light, to_light
from vision.locate.camera_model import Camera
from vision.locate.markers import CELLS, MarkerLayout
from vision.locate.pose import TablePose

WH = (1280, 720)
FINER = 4
VEIL = 0.02
LAYOUT = MarkerLayout()
POSE = TablePose(
    Camera.estimated(WH), np.zeros(3), np.array([0.0, 0.0, 800.0]), "markers", 0.1, tuple(LAYOUT.centres_mm)
)


def lit(gain: float, blur_px: float) -> np.ndarray:
    """The markers on white paper on a dull table as a camera above them shows them in a light of this gain."""
    scan = np.full((WH[1] * FINER, WH[0] * FINER), 90.0, np.float32)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in LAYOUT.centres_mm:
        outer, inner = (
            np.round(FINER * POSE.project(np.array(LAYOUT.centres_mm[marker]) + share * (LAYOUT.corners_mm(marker) -
                     np.array(LAYOUT.centres_mm[marker])))).astype(int)
            for share in (1.3, 1.0)
        )
        scan[outer[0, 1] : outer[2, 1], outer[0, 0] : outer[2, 0]] = PAPER
        bits = cv2.aruco.generateImageMarker(dictionary, marker, CELLS)
        size = (int(inner[2, 0] - inner[0, 0]), int(inner[2, 1] - inner[0, 1]))
        printed = cv2.resize(bits, size, interpolation=cv2.INTER_NEAREST) > 0
        scan[inner[0, 1] : inner[2, 1], inner[0, 0] : inner[2, 0]] = np.where(printed, PAPER, INK)
    seen = cv2.resize(np.asarray(to_light(scan), np.float32), WH, interpolation=cv2.INTER_AREA)
    light = gain * cv2.GaussianBlur(seen, (0, 0), blur_px) + VEIL
    noise = np.random.default_rng(3).normal(0, 1.5, (*light.shape, 3))
    return np.clip(from_light(light)[..., None] + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("blur_px", [0.8, 1.4])
@pytest.mark.parametrize("gain", [0.8, 1.5, 1.8])
def test_the_gain_is_told_though_all_white_is_cut_off(gain: float, blur_px: float) -> None:
    image = lit(gain, blur_px)
    white = image[[int(y) for _, y in POSE.project(np.array([LAYOUT.centres_mm[0]]) - (24.0, 0.0))],
                  [int(x) for x, _ in POSE.project(np.array([LAYOUT.centres_mm[0]]) - (24.0, 0.0))]]
    assert bool((white >= SATURATED).all()) is (gain > 1)
    light = light_of_markers(image, POSE, LAYOUT)
    assert light is not None
    assert light.gain == pytest.approx((gain,) * 3, rel=0.13)


@pytest.mark.parametrize(("gain", "at_least"), [(0.8, False), (1.8, False), (2.6, True)])
def test_a_light_so_bright_that_the_edges_are_cut_off_too_is_told_to_be_the_least(gain: float, at_least: bool) -> None:
    light = light_of_markers(lit(gain, 1.4), POSE, LAYOUT)
    assert light is not None
    assert light.at_least is at_least
