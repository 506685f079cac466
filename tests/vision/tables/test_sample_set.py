"""The committed rendered set is read whole: grids, boards and tallies, with and without its truth."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner
from learnt_sets import learnt

from companion.app.commands.eyes.see import see, tally
from companion.app.commands.lab.evaluate import evaluate
from companion.core.inputs import ViewState
from vision.scenes.scene_set import SceneSet
from vision.scenes.set_reader import SetReader

SAMPLE = Path(__file__).parents[1] / "fixtures" / "sample"


@pytest.fixture(scope="module")
def reader() -> SetReader:
    cv2.setNumThreads(1)
    return learnt(SAMPLE)


def test_grid_is_read_with_faces_pieces_and_corner(reader: SetReader) -> None:
    job = reader.scenes.jobs("grid")[0]
    told = reader.scenes.truth(job)
    assert told is not None
    observation = reader.read(job).observation(7, 1000)
    assert observation.view is ViewState.SETTLED
    assert observation.corner == told["corner"]
    by_slot = {s.slot: s for s in observation.slots}
    same = reader.scenes.representative
    for cell in told["cells"]:
        slot = by_slot[f"r{cell['row'] + 1}c{cell['col'] + 1}"]
        if cell.get("tile"):
            assert slot.faces[0][0] == same[cell["tile"]]


def test_tiles_of_a_tally_are_named(reader: SetReader) -> None:
    job = reader.scenes.jobs("tally")[0]
    told = reader.scenes.truth(job)
    assert told is not None
    got = reader.read_tally(job)
    assert sorted(got.faces) == sorted(reader.scenes.representative[t["tile"]] for t in told["tiles"])


def test_evaluate_writes_readings_without_any_truth(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    for name in ("layout.json", "catalogue.json"):
        (bare).mkdir(exist_ok=True)
        shutil.copy(SAMPLE / name, bare / name)
    shutil.copytree(SAMPLE / "reference", bare / "reference")
    (bare / "boards").mkdir()
    jobs = json.loads((SAMPLE / "boards" / "jobs.json").read_text())[:1]
    (bare / "boards" / "jobs.json").write_text(json.dumps(jobs))
    shutil.copy(SAMPLE / "boards" / jobs[0]["image"], bare / "boards" / jobs[0]["image"])
    result = CliRunner().invoke(
        evaluate,
        [str(bare), "--readings", str(tmp_path / "out"), "--only", "boards", "--quiet"],
        catch_exceptions=False,
    )
    assert result.exit_code == 0
    assert "No truth" in result.output
    reading = json.loads((tmp_path / "out" / "boards" / f"{Path(jobs[0]['image']).stem}.json").read_text())
    assert reading["camera"] == {"located": True, "by": "markers"}
    assert {b["seat"] for b in reading["boards"]} == {s["seat"] for s in jobs[0]["seats"]}
    assert all({"row", "col", "state", "p"} <= set(cell) for cell in reading["cells"])


def test_see_writes_a_contact_sheet_and_tally_its_score(tmp_path: Path) -> None:
    scenes = SceneSet(SAMPLE)
    job = scenes.jobs("grid")[0]
    sheet = tmp_path / "sheet.png"
    arguments = [str(job.image), "--set", str(SAMPLE), "--players", str(job.players), "--out", str(sheet), "--json"]
    result = CliRunner().invoke(see, arguments, catch_exceptions=False)
    assert json.loads(result.output)["camera"]["located"]
    assert cv2.imread(str(sheet)).shape[1] == 1280
    captured = scenes.jobs("tally")[0]
    outlined = tmp_path / "tally.png"
    arguments = [str(captured.image), "--set", str(SAMPLE), "--out", str(outlined), "--json"]
    result = CliRunner().invoke(tally, arguments, catch_exceptions=False)
    told = scenes.truth(captured)
    assert told is not None
    assert json.loads(result.output)["score"] == told["score"]
    assert outlined.exists()


def test_unknown_part_is_a_usage_error() -> None:
    result = CliRunner().invoke(evaluate, [str(SAMPLE), "--only", "shields"])
    assert result.exit_code == 2
    assert "grid, boards, tally, table, game" in result.output
