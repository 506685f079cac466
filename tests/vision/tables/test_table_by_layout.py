"""A rendered table of Spyrium is read by its layout alone: cards, inclined ones as inclined, workers in the gaps."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.app.commands.lab.evaluate import evaluate
from companion.core.errors import DataError
from companion.core.inputs import Sight, ViewState
from companion.lab.scenes.make_tables import main as make_tables
from companion.lab.scenes.spyrium.pictures import table_layout
from vision.appearance.marker_light import light_of_markers
from vision.locate.pose import TablePose, locate_table
from vision.locate.zones import zones_of
from vision.scenes.layout_file import read_table_plan
from vision.scenes.scene_set import PictureJob, SceneSet, picture
from vision.scenes.set_reader import SetReader
from vision.tables.again.incremental import read_zone
from vision.tables.place import PlaceState, Shot
from vision.tables.table_reader import TableReader, TableReading

MARKET_2, WHOLE_TABLE = "002", "005"


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tables")
    sizes = ["--size", "1280", "720", "--size", "1920", "1080"]
    arguments = [str(out), "--seed", "3", *sizes, "--tables", "2,5", "--reference-px", "200"]
    assert CliRunner().invoke(make_tables, arguments, catch_exceptions=False).exit_code == 0
    return out


@pytest.fixture(scope="module")
def reader(small_set: Path) -> SetReader:
    cv2.setNumThreads(1)
    return SetReader(SceneSet(small_set))


@pytest.fixture(scope="module")
def readings(reader: SetReader) -> dict[str, tuple[TableReading, dict[str, Any]]]:
    out = {}
    for job in reader.scenes.jobs("table"):
        told = reader.scenes.truth(job)
        assert told is not None
        out[job.stem] = (reader.read(job), told)
    return out


@pytest.mark.parametrize("stem", [MARKET_2, WHOLE_TABLE])
def test_every_card_is_named_in_its_slot(readings, reader, stem: str) -> None:
    reading, told = readings[stem]
    same = reader.scenes.representative
    for slot in told["slots"]:
        if slot["holds"] == "card":
            seen = reading.at(slot["slot"])
            assert seen.face == (same[slot["face"]] if slot["face"] else None), slot
            assert seen.state is (PlaceState.FACE if slot["face"] else PlaceState.EMPTY)


@pytest.mark.parametrize("stem", [MARKET_2, WHOLE_TABLE])
def test_neighbouring_zones_and_markers_are_no_hand(readings, stem: str) -> None:
    reading, _ = readings[stem]
    assert not reading.hand
    assert not [slot.slot for slot in reading.places if slot.state is PlaceState.COVERED]


def test_inclined_buildings_are_seen_inclined_and_upright_ones_upright(readings) -> None:
    reading, told = readings[WHOLE_TABLE]
    turns = {s["slot"]: s["turn"] for s in told["slots"] if s.get("face") and "-b" in s["slot"]}
    assert Counter(turns.values()).keys() == {0, 1}
    assert {slot: reading.at(slot).turn for slot in turns} == turns


@pytest.mark.parametrize("stem", [MARKET_2, WHOLE_TABLE])
def test_workers_are_counted_by_colour_in_every_gap(readings, stem: str) -> None:
    reading, told = readings[stem]
    gaps = {s["slot"]: s["pieces"] for s in told["slots"] if s["holds"] == "gap"}
    assert sum(sum(p.values()) for p in gaps.values()) > 0
    assert {slot: dict(reading.at(slot).pieces) for slot in gaps} == gaps


def test_the_observation_tells_gaps_without_a_face_and_slots_outside_the_picture(readings) -> None:
    reading, told = readings[MARKET_2]
    observation = reading.observation(7, 1000)
    assert observation.view is ViewState.SETTLED
    by_slot = {s.slot: s for s in observation.slots}
    occupied = next(s for s in told["slots"] if s.get("pieces"))
    assert by_slot[occupied["slot"]].faces[0][0] is None
    assert {p.colour: p.count for p in by_slot[occupied["slot"]].pieces} == occupied["pieces"]
    assert by_slot["A-b12"].sight is Sight.OUTSIDE


def test_a_picture_without_markers_is_lost_with_the_reason(reader: SetReader) -> None:
    blank = np.full((720, 1280, 3), 120, np.uint8)
    observation = reader.table(2).read(blank).observation(1, 0)
    assert observation.view is ViewState.LOST
    assert observation.note


def test_boards_are_refused_by_a_table_that_has_none(reader: SetReader) -> None:
    with pytest.raises(ValueError, match="no player boards"):
        reader.table(2).read(np.zeros((8, 8, 3), np.uint8), seats=[object()])  # type: ignore[list-item]


def test_the_markers_alone_tell_the_light_nearly_as_the_cards_do(reader: SetReader) -> None:
    job = next(j for j in reader.scenes.jobs("table") if j.stem == MARKET_2)
    image = picture(job.image)
    pose = locate_table(image, reader.plan.markers)
    assert isinstance(pose, TablePose)
    market = next(zone for zone in reader.table(2).zones if "r2c2" in zone.places_mm)
    canvas = read_zone(market, Shot(image, pose), lambda: None).reading.canvas
    light = light_of_markers(image, pose, reader.plan.markers)
    assert canvas is not None
    assert light is not None
    greys = np.array([[60] * 3, [128] * 3, [200] * 3], np.uint8)
    middle = np.zeros((3, 2))
    # printed paper is not white to better than a tenth
    assert light.expect(greys, middle) == pytest.approx(canvas.light.expect(greys, middle), rel=0.12, abs=6)


def test_cards_too_bright_for_the_picture_are_not_surely_named(reader: SetReader) -> None:
    """A camera that takes a black table for grey burns the cards out: what is left of their print names wrong ones."""
    (job,) = (one for one in reader.scenes.jobs("table") if one.stem == MARKET_2)
    image = picture(job.image)
    pose = locate_table(image, reader.plan.markers)
    assert isinstance(pose, TablePose)
    table = reader.table(2, ("blue", "red"))
    burnt = np.minimum(image.astype(np.float32) * 3.0, 255.0).astype(np.uint8)
    cards = [one for one in table.read(burnt, pose=pose).places if one.holds == "card" and one.corners_mm is not None]
    assert cards
    for one in cards:
        assert max(np.exp(log_p) for _, log_p in one.slot_reading().faces) < 0.9, one.slot


def test_evaluate_reads_a_set_by_layout(small_set: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    result = CliRunner().invoke(
        evaluate,
        [str(small_set), "--readings", str(tmp_path / "out"), "--json", str(figures), "--quiet"],
        catch_exceptions=False,
    )
    assert result.exit_code == 0
    assert "whole table right" in result.output
    rates = {m["title"]: m["rate"] for m in json.loads(figures.read_text())["measures"]}
    assert rates["inclined faces as inclined"] == 1.0
    reading = json.loads((tmp_path / "out" / "table" / f"{MARKET_2}.json").read_text())
    assert reading["camera"] == {"located": True, "by": "markers"}


def test_market_events_and_neighbourhoods_are_zones_of_their_own() -> None:
    zones = zones_of(table_layout(2).slots)
    first = {zone[0].slot: len(zone) for zone in zones}
    assert first == {"r1c1": 9 + 12, "event": 2, "A-b1": 12, "B-b1": 12}


def test_a_layout_for_other_players_is_refused_naming_those_there_are(reader: SetReader) -> None:
    with pytest.raises(DataError, match=r"\[2, 3, 4, 5\]"):
        reader.table(7)


def test_a_job_without_its_number_of_players_is_refused(reader: SetReader) -> None:
    with pytest.raises(DataError, match="number of players"):
        reader.read(PictureJob("table", Path("x.jpg"), None))


def test_a_plan_with_an_unknown_kind_of_slot_is_refused(small_set: Path, tmp_path: Path) -> None:
    data = json.loads((small_set / "layout.json").read_text())
    data["slots"]["2"][0]["holds"] = "drawer"
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(data))
    with pytest.raises(DataError, match="drawer"):
        read_table_plan(path)


def test_a_plan_without_turns_tells_none_apart_and_an_odd_number_of_them_is_refused(
    small_set: Path, tmp_path: Path
) -> None:
    data, path = json.loads((small_set / "layout.json").read_text()), tmp_path / "layout.json"
    for slot in data["slots"]["2"]:
        del slot["turns"]
    path.write_text(json.dumps(data))
    assert {outline.turns for outline in read_table_plan(path).layouts[2].slots} == {1}
    data["slots"]["2"][0]["turns"] = 3
    path.write_text(json.dumps(data))
    with pytest.raises(DataError, match="got 3"):
        read_table_plan(path)


def test_the_plan_keeps_the_layout_of_the_rules(small_set: Path, reader: SetReader) -> None:
    assert read_table_plan(small_set / "layout.json").layouts[3] == table_layout(3)
    assert isinstance(reader.table(3, ("blue", "red")), TableReader)
