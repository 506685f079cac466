"""`companion calibrate` from end to end on pictures."""

from __future__ import annotations

import json

import cv2
import pytest
from click.testing import CliRunner
from small_set import SMALL_SET, scene, without_markers

from companion.app.commands.calibrate import calibrate
from companion.core.errors import CompanionError, DataError, DeviceError

PICTURE = str(SMALL_SET / "grid" / "001.jpg")


def run(*words: str):
    return CliRunner().invoke(calibrate, list(words), catch_exceptions=False)


def test_sheets_are_written(tmp_path):
    out = tmp_path / "sheets.pdf"
    assert run("print", "--paper", "letter", "--out", str(out)).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_table_is_found_remembered_and_checked(tmp_path):
    picture = tmp_path / "found.png"
    found = run("table", PICTURE, "--profiles", str(tmp_path), "--picture", str(picture), "--json")
    figures = json.loads(found.output)
    assert figures["by"] == "markers"
    assert figures["error_px"] < 0.5
    assert cv2.imread(str(picture)).shape == scene("grid", "001").image.shape
    checked = run("check", PICTURE, "--profiles", str(tmp_path), "--json")
    rows = {f["what"]: f for f in json.loads(checked.output)["findings"]}
    assert rows["table"]["good"]
    assert rows["table"]["figure"].startswith("0.0 mm")


def test_a_check_without_calibration_fails_and_says_what_to_do(tmp_path):
    with pytest.raises(CompanionError, match="does not hold"):
        run("check", PICTURE, "--profiles", str(tmp_path))


def test_a_table_without_markers_is_found_by_its_grid(tmp_path):
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), without_markers(scene("grid", "001"), 0, 1, 2, 3))
    with pytest.raises(CompanionError, match="3 corner markers are needed"):
        run("table", str(path), "--profiles", str(tmp_path))
    figures = json.loads(run("table", str(path), "--grid", "3", "3", "--profiles", str(tmp_path), "--json").output)
    assert figures["by"] == "grid"


def test_lens_is_measured_from_a_directory_and_used_for_the_table(tmp_path):
    folder = str(SMALL_SET / "calibration")
    done = run("lens", folder, "--camera", PICTURE, "--profiles", str(tmp_path), "--json")
    assert json.loads(done.output)["held_out_px"] < 0.2
    figures = json.loads(run("table", PICTURE, "--profiles", str(tmp_path), "--json").output)
    assert figures["lens_measured"]


def test_a_source_without_a_board_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(DataError, match="0 views show the board"):
        run("lens", PICTURE, "--profiles", str(tmp_path))


def test_a_source_that_is_none_is_refused(tmp_path):
    with pytest.raises(DeviceError, match="names no source"):
        run("check", "nonsense", "--profiles", str(tmp_path))
