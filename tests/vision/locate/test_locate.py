"""The table's pose from markers: exact without a lens profile, with few markers, and refused where it must be."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from small_set import scene, without_markers

from vision.locate.camera_model import Camera
from vision.locate.markers import DEFAULT_CENTRES_MM, MarkerLayout, find_markers, with_overgrown
from vision.locate.pose import NotLocated, TablePose, locate_corners, locate_table, printed_markers

MARKED = [("grid", n) for n in ("000", "001", "002", "005", "007")] + [("boards", "000"), ("boards", "001")]
SLOT_MM = 1.0  # what is asked of a slot's place


@pytest.mark.parametrize(("part", "number"), MARKED)
def test_slots_are_within_a_millimetre_without_a_lens_profile(part, number):
    it = scene(part, number)
    found = locate_table(it.image)
    assert isinstance(found, TablePose), found
    assert found.by == "markers"
    assert len(found.markers) >= (3 if it.truth.get("hand") else 4)  # an arm lies over one of them
    assert not found.camera.measured
    assert it.slot_errors_mm(found).max() < SLOT_MM


def test_a_lens_profile_is_used_as_it_is():
    it = scene("grid", "001")
    lens = it.true_pose.camera
    found = locate_table(it.image, camera=lens)
    assert found.camera is lens
    assert it.slot_errors_mm(found).max() < SLOT_MM


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
def test_any_two_markers_are_enough_once_the_table_is_calibrated(pair):
    it = scene("grid", "001")
    calibrated = locate_table(it.image)
    picture = without_markers(it, *(set(DEFAULT_CENTRES_MM) - set(pair)))
    found = locate_table(picture, remembered=calibrated)
    assert isinstance(found, TablePose), found
    assert found.by == "remembered"
    assert it.slot_errors_mm(found).max() < SLOT_MM


def test_two_markers_find_a_moved_camera_with_the_remembered_lens():
    it = scene("grid", "001")
    calibrated = locate_table(it.image)
    shift = np.array([[1.0, 0.0, 14.0], [0.0, 1.0, -9.0]])
    moved = cv2.warpAffine(without_markers(it, 0, 3), shift, it.image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    found = locate_table(moved, remembered=calibrated)
    assert found.by == "markers"
    assert found.markers == (1, 2)
    middle = found.project(np.zeros((1, 2))) - calibrated.project(np.zeros((1, 2)))
    assert middle[0] == pytest.approx([14.0, -9.0], abs=1.5)  # two markers at one side, the middle is far from them


def test_two_markers_are_not_enough_for_an_unknown_lens():
    found = locate_table(without_markers(scene("grid", "001"), 0, 2))
    assert isinstance(found, NotLocated)
    assert "3 corner markers are needed, seen: 1, 3" in found.reason


def test_a_marker_is_read_until_its_black_square_reaches_the_pictures_edge():
    gray = cv2.cvtColor(scene("grid", "001").image, cv2.COLOR_BGR2GRAY)
    whole = {one.marker: one.corners_px for one in find_markers(gray, MarkerLayout())}
    lowest = max(whole, key=lambda marker: whole[marker][:, 1].max())
    end = int(whole[lowest][:, 1].max())
    for rows in range(14):  # in some of them the white paper ends with the picture
        seen = {one.marker: one.corners_px for one in find_markers(gray[: end + rows], MarkerLayout())}
        assert set(seen) == (set(whole) if rows >= 4 else set(whole) - {lowest})
        for marker, corners_px in seen.items():
            assert corners_px == pytest.approx(whole[marker], abs=0.05)


def overgrown(image, size_px, gain):
    """The picture with white grown over black, and so much brighter."""
    grown = cv2.dilate(image, np.ones((size_px, size_px), np.uint8))
    return np.clip(grown * gain, 0, 255).astype(np.uint8)


def test_markers_that_white_has_grown_over_are_read_once_it_is_cut_back():
    it = scene("grid", "001")
    grown = overgrown(it.image, 3, 1.6)
    assert len(find_markers(cv2.cvtColor(grown, cv2.COLOR_BGR2GRAY), MarkerLayout())) == 2
    found = locate_table(grown)
    assert isinstance(found, TablePose), found
    assert found.markers == (0, 1, 2, 3)
    assert it.slot_errors_mm(found).max() < SLOT_MM


def test_a_soft_marker_with_cells_three_px_high_is_read_once_white_is_cut_back_by_one():
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    paper = np.pad(cv2.aruco.generateImageMarker(known, 0, 6, borderBits=1), 2, constant_values=255)
    large = cv2.resize(paper, None, fx=40, fy=40, interpolation=cv2.INTER_NEAREST)
    gray = np.full((120, 120), 90, np.uint8)
    gray[40:70, 30:90] = cv2.resize(large, (60, 30), interpolation=cv2.INTER_AREA)
    soft = cv2.dilate(cv2.GaussianBlur(gray, (0, 0), 1.0), np.ones((2, 2), np.uint8))
    assert not find_markers(soft, MarkerLayout())
    assert [one.marker for one in with_overgrown(soft, MarkerLayout(), ())] == [0]


def test_a_burnt_out_picture_is_said_to_be_too_bright():
    found = locate_table(overgrown(scene("grid", "001").image, 5, 1.6))
    assert isinstance(found, NotLocated)
    assert "too bright" in found.reason


def test_covered_markers_beside_white_ones_are_not_called_too_bright():
    found = locate_table(without_markers(scene("grid", "001"), 0, 1, 2))
    assert "3 corner markers are needed, seen: 3" in found.reason


def test_no_marker_is_said_so():
    found = locate_table(np.full((480, 640, 3), 90, np.uint8))
    assert found.reason == "3 corner markers are needed, seen: none"


def test_a_mirrored_picture_is_refused_with_the_reason():
    found = locate_table(np.ascontiguousarray(scene("grid", "001").image[:, ::-1]))
    assert "mirrored" in found.reason


def test_a_marker_that_is_there_twice_is_refused_with_the_reason():
    it = scene("grid", "001")
    image = it.image.copy()
    x, y = np.round(it.true_pose.project(np.array([DEFAULT_CENTRES_MM[0]]))[0]).astype(int)
    u, v = np.round(it.true_pose.project(np.array([[0.0, 150.0]]))[0]).astype(int)
    half = 50
    image[v - half : v + half, u - half : u + half] = it.image[y - half : y + half, x - half : x + half]
    found = locate_table(image)
    assert found.reason.startswith("marker 0 is seen more than once")


@pytest.mark.parametrize("printed", [0.94, 0.97, 1.03, 1.06])
def test_a_wrongly_scaled_sheet_is_refused_with_the_measured_side(printed):
    # the picture shows 40 mm; a layout that says otherwise is the same as a sheet printed at the wrong scale
    found = locate_table(scene("grid", "001").image, MarkerLayout(side_mm=40.0 / printed))
    assert isinstance(found, NotLocated)
    assert "print the sheet at 100 %" in found.reason
    assert " 40." in found.reason or " 39.9" in found.reason


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_exchanged_markers_are_refused_by_name(number):
    centres = {**DEFAULT_CENTRES_MM, 0: DEFAULT_CENTRES_MM[1], 1: DEFAULT_CENTRES_MM[0]}
    found = locate_table(scene("grid", number).image, MarkerLayout(centres_mm=centres))
    assert found.reason.startswith("markers 0, 1 are exchanged")


def test_a_marker_out_of_place_is_left_out_and_named():
    it = scene("grid", "001")
    centres = {**DEFAULT_CENTRES_MM, 2: (232.0, 170.0)}
    found = locate_table(it.image, MarkerLayout(centres_mm=centres))
    assert found.strays == (2,)
    assert found.markers == (0, 1, 3)
    assert it.slot_errors_mm(found).max() < SLOT_MM


def test_a_picture_of_another_size_than_the_profile_is_misuse():
    with pytest.raises(ValueError, match="camera profile is for pictures of"):
        locate_table(scene("grid", "001").image, camera=Camera.estimated((640, 480)))


def test_four_clicked_corners_are_a_pose():
    it = scene("grid", "001")
    places = np.array([DEFAULT_CENTRES_MM[i] for i in range(4)])
    clicks = it.true_pose.project(places) + np.array([[2.0, -1.0], [-1.0, 2.0], [1.0, 1.0], [-2.0, -1.0]])
    found = locate_corners(clicks, places, it.image.shape[1::-1])
    assert found.by == "corners"
    assert it.slot_errors_mm(found).max() < 6.0  # clicks are off by 2 px, and four points tell little of the lens
    crossed = clicks[[0, 2, 1, 3]]
    assert isinstance(locate_corners(crossed, places, it.image.shape[1::-1]), NotLocated)


def test_points_go_to_the_picture_and_back_at_any_height():
    pose = scene("grid", "000").true_pose
    places = np.array([[-200.0, -150.0], [0.0, 0.0], [120.0, 90.0]])
    for z_mm in (0.0, -2.0, -12.0):
        px = pose.project(np.column_stack([places, np.full(3, z_mm)]))
        assert pose.to_table(px, z_mm) == pytest.approx(places, abs=1e-4)


def test_what_stands_on_the_table_has_negative_height():
    pose = scene("grid", "000").true_pose
    assert pose.eye_mm[2] < -300.0
    foot, top = pose.project(np.array([[150.0, 0.0, -2.0], [150.0, 0.0, -40.0]]))
    middle = pose.project(pose.eye_mm[None, :2])[0]
    assert np.linalg.norm(top - middle) > np.linalg.norm(foot - middle)  # tall things lean away from below the camera


def test_a_turned_table_has_its_axes_turned():
    pose = scene("grid", "000").true_pose
    quarter = pose.turned(1)
    assert quarter.project(np.array([[10.0, 0.0]])) == pytest.approx(pose.project(np.array([[0.0, 10.0]])), abs=1e-6)
    assert pose.turned(4).project(np.array([[7.0, 3.0]])) == pytest.approx(pose.project(np.array([[7.0, 3.0]])))


def test_scale_of_the_picture_is_what_a_ruler_says():
    pose = scene("grid", "001").true_pose
    a, b = pose.project(np.array([[-5.0, 0.0], [5.0, 0.0]]))
    c, d = pose.project(np.array([[0.0, -5.0], [0.0, 5.0]]))
    expected = 10.0 / np.sqrt(np.linalg.norm(b - a) * np.linalg.norm(d - c))
    assert pose.mm_per_px == pytest.approx(expected, rel=0.05)  # the axes are not quite at right angles in the picture


def test_markers_lie_where_the_pose_that_rests_on_them_says() -> None:
    image = scene("grid", "001").image
    pose = locate_table(image)
    assert isinstance(pose, TablePose)
    searched = sorted(printed_markers(image, MarkerLayout(), None), key=lambda corners: tuple(corners[0]))
    told = sorted(printed_markers(image, MarkerLayout(), pose), key=lambda corners: tuple(corners[0]))
    assert len(told) == len(searched) == 4
    np.testing.assert_allclose(told, searched, atol=1.0)
