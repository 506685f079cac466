"""Profiles come back as they were written, and hold only for their camera and picture size."""

from __future__ import annotations

import json

import numpy as np
import pytest
from small_set import scene

from calibration.health import check_table
from calibration.profiles import LensProfile, ProfileStore, TableProfile, camera_identity, marker_layout
from companion.core.errors import DataError
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from vision.locate.pose import locate_table

SIZE = (1280, 720)


def lens(identity: str = "Cam A") -> LensProfile:
    camera = Camera(Camera.estimated(SIZE).matrix, np.array([-0.1, 0.01, 0, 0, 0]), SIZE, measured=True)
    return LensProfile(identity, camera, 0.11, 16, 1_700_000_000)


def test_a_lens_comes_back_as_it_was_written(tmp_path):
    store = ProfileStore(tmp_path)
    store.save_lens(lens())
    back = store.lens("Cam A", SIZE)
    assert np.array_equal(back.camera.matrix, lens().camera.matrix)
    assert np.array_equal(back.camera.dist, lens().camera.dist)
    assert (back.held_out_px, back.views, back.time_s) == (0.11, 16, 1_700_000_000)


def test_a_lens_does_not_hold_for_another_camera_or_size(tmp_path):
    store = ProfileStore(tmp_path)
    store.save_lens(lens())
    assert "has not been calibrated" in store.lens("Cam B", SIZE)
    assert "calibrated for 1280 x 720, the pictures have 1920 x 1080" in store.lens("Cam A", (1920, 1080))


def test_a_table_comes_back_as_it_was_written(tmp_path):
    store, pose = ProfileStore(tmp_path), locate_table(scene("grid", "001").image)
    layout = MarkerLayout(side_mm=40.0)
    store.save_table(TableProfile("Cam A", pose, layout, 5))
    back = store.table("Cam A", SIZE)
    grid = np.array([[-100.0, 50.0], [80.0, -60.0]])
    assert back.pose.project(grid) == pytest.approx(pose.project(grid), abs=1e-9)
    assert dict(back.layout.centres_mm) == dict(layout.centres_mm)
    assert "not been calibrated" in store.table("Cam B", SIZE)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": 1}', '{"schema": 1, "camera": {"matrix": 3}}'])
def test_a_damaged_profile_is_named(tmp_path, content):
    store = ProfileStore(tmp_path)
    path = store.save_lens(lens())
    path.write_text(content)
    with pytest.raises(DataError, match="is not a profile"):
        store.lens("Cam A", SIZE)


def test_a_newer_profile_is_refused(tmp_path):
    store = ProfileStore(tmp_path)
    path = store.save_lens(lens())
    path.write_text(json.dumps(json.loads(path.read_text()) | {"schema": 9}))
    with pytest.raises(DataError, match="has schema 9, expected 1"):
        store.lens("Cam A", SIZE)


def test_a_device_keeps_its_identity_and_an_address_loses_its_password(tmp_path):
    for number, name in ((0, "Cam A"), (2, "Cam B")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(f"{name}\n")
    assert camera_identity("2", tmp_path) == camera_identity("/dev/video2", tmp_path) == "Cam B"
    assert camera_identity("rtsp://me:secret@10.0.0.9/live", tmp_path) == "rtsp://10.0.0.9/live"


@pytest.mark.parametrize(
    "data",
    [{}, {"dictionary": "DICT_4X4_50", "side": "wide", "centres": {}}, {"dictionary": "X", "side": 40, "centres": {}}],
)
def test_a_layout_that_is_none_is_refused(data):
    with pytest.raises(DataError, match="layout"):
        marker_layout(data)


def test_health_is_good_after_calibration_and_says_when_the_table_moved():
    it = scene("grid", "001")
    pose = locate_table(it.image)
    table = TableProfile("Cam A", pose, MarkerLayout(), 5)
    good = check_table(it.image, MarkerLayout(), "not calibrated", table)
    assert {f.what: f.good for f in good} | {"light": True, "brightness": True, "resolution": True} == dict.fromkeys(
        ("lens", "markers", "place", "resolution", "table", "light", "brightness"), True
    )
    moved = TableProfile("Cam A", pose.turned(1), MarkerLayout(), 5)
    findings = {f.what: f for f in check_table(it.image, MarkerLayout(), "not calibrated", moved)}
    assert not findings["table"].good
    assert "companion calibrate table" in findings["table"].advice


def test_health_of_a_picture_without_markers_gives_the_reason():
    findings = check_table(np.full((720, 1280, 3), 90, np.uint8), MarkerLayout(), "no lens", "no table")
    assert any(f.what == "markers" and not f.good and "corner markers" in f.advice for f in findings)
