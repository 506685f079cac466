"""`companion calibrate` from end to end on pictures."""

from __future__ import annotations

import json

import cv2
import pytest
from click.testing import CliRunner
from small_set import SMALL_SET, scene, without_markers

from calibration.piece_colours.colour_enrolment import read_report
from companion.app.commands.eyes.calibrate_colours import calibrate
from companion.app.commands.eyes.see import see
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


CUBES = SMALL_SET / "enrol" / "cubes.jpg"
FROM_LEFT = "purple,gray,pink,white"


def test_colours_are_learnt_from_columns_or_from_a_list_and_agree(tmp_path):
    alone = tmp_path / "cubes.jpg"
    alone.write_bytes(CUBES.read_bytes())
    picture = tmp_path / "found.png"
    found = run("colours", str(alone), "--colours", FROM_LEFT, "--out", str(tmp_path / "a.json"),
                "--picture", str(picture), "--json")
    by_column = json.loads(found.output)
    listed = json.loads(run("colours", str(CUBES), "--out", str(tmp_path / "b.json"), "--json").output)
    assert list(by_column["colours"]) == FROM_LEFT.split(",")
    for name, rgb in by_column["colours"].items():
        assert max(abs(a - b) for a, b in zip(rgb, listed["colours"][name], strict=True)) <= 6, name
    assert cv2.imread(str(picture)).shape == cv2.imread(str(CUBES)).shape
    again = read_report(tmp_path / "a.json")
    assert [round(v) for v in again.colours.bgr[2][::-1]] == by_column["colours"]["pink"]
    assert len(again.pairs) == 6


def test_colours_are_refused_when_the_columns_are_not_those_named(tmp_path):
    alone = tmp_path / "cubes.jpg"
    alone.write_bytes(CUBES.read_bytes())
    with pytest.raises(DataError, match=r"expected 3 columns.*got 4"):
        run("colours", str(alone), "--colours", "purple,gray,pink", "--out", str(tmp_path / "a.json"))
    assert not (tmp_path / "a.json").exists()


def test_colours_too_close_in_this_light_are_named_and_kept(tmp_path):
    dim = tmp_path / "dim.jpg"
    image = cv2.imread(str(CUBES)).astype(float)
    grey = image.mean(axis=2, keepdims=True)
    cv2.imwrite(str(dim), (0.12 * image + 0.04 * grey).clip(0, 255).astype("uint8"))
    listed = dim.with_suffix(".json")
    listed.write_bytes(CUBES.with_suffix(".json").read_bytes())
    with pytest.raises(CompanionError, match=r"this light does not tell .* apart"):
        run("colours", str(dim), "--out", str(tmp_path / "a.json"))
    assert read_report(tmp_path / "a.json").too_close


def test_a_picture_is_seen_with_the_colours_that_were_learnt(tmp_path):
    out = tmp_path / "a.json"
    run("colours", str(CUBES), "--out", str(out))
    read = [str(SMALL_SET / "grid" / "001.jpg"), "--set", str(SMALL_SET), "--players", "2", "--json",
            "--out", str(tmp_path / "sheet.png")]
    truth = json.loads((SMALL_SET / "grid" / "001.json").read_text(encoding="utf-8"))
    players = str(truth["players"])
    read[read.index("--players") + 1] = players
    seen = json.loads(CliRunner().invoke(see, [*read, "--colours", str(out)], catch_exceptions=False).output)
    plain = json.loads(CliRunner().invoke(see, read, catch_exceptions=False).output)
    assert [cell["tile"] for cell in seen["cells"]] == [cell["tile"] for cell in plain["cells"]]
    other = tmp_path / "other.json"
    other.write_text('{"red": [200, 0, 0]}', encoding="utf-8")
    with pytest.raises(DataError, match="got none of"):
        CliRunner().invoke(see, [*read, "--colours", str(other)], catch_exceptions=False)
