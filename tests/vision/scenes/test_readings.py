"""Readings as JSON: what a reader says of its places is what is compared with the truth of a set."""

from __future__ import annotations

import json

import numpy as np
import pytest

from companion.core.messages import Message
from vision.locate.camera_model import Camera
from vision.locate.pose import NotLocated, TablePose
from vision.pieces.finder import FoundPiece
from vision.scenes.readings import cell_json, layout_json, row_col, table_json, tally_json
from vision.spread.tally_reading import TallyReading, TallyTile
from vision.tables.boards import BoardReading, Cutout
from vision.tables.place import CARD, GAP, TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading

POSE = TablePose(Camera.estimated((640, 480)), np.zeros(3), np.array([0.0, 0.0, 900.0]), "markers", 0.1)
LEAF = PlaceReading(
    "r2c3", TILE, PlaceState.FACE, "leaf", 0.98, 1, (("leaf", 0.98), ("drop", 0.02)), (("red", 2),), 0.95
)
BARE = PlaceReading("r1c1", TILE, PlaceState.EMPTY, p=0.995)


@pytest.mark.parametrize(("slot", "cell"), [("r1c1", (0, 0)), ("r2c3", (1, 2)), ("r10c12", (9, 11))])
def test_cells_are_named_from_one_and_counted_from_nought(slot: str, cell: tuple[int, int]) -> None:
    assert row_col(slot) == cell


@pytest.mark.parametrize("slot", ["", "r1", "market-3", "r1c1x", "xr1c1", "r-1c2"])
def test_another_slot_is_no_cell(slot: str) -> None:
    with pytest.raises(ValueError, match="expected a cell as r2c3"):
        row_col(slot)


def test_a_cell_says_its_tile_its_rivals_and_its_cubes() -> None:
    assert cell_json(LEAF) == {
        "row": 1, "col": 2, "state": "tile", "p": 0.98, "tile": "leaf", "turn": 1,
        "alternatives": [["drop", 0.02]], "cubes": {"red": 2}, "cubes_p": 0.95,
    }  # fmt: skip


def test_an_empty_cell_and_a_covered_one_claim_no_cubes() -> None:
    for state in (PlaceState.EMPTY, PlaceState.COVERED, PlaceState.OUTSIDE):
        assert set(cell_json(PlaceReading("r1c1", TILE, state))) == {"row", "col", "state", "p"}


def test_a_tile_that_was_not_recognised_names_its_likeliest_faces_and_none_as_its_own() -> None:
    ranked = tuple((f"face-{k}", 0.5 / 2**k) for k in range(6))
    told = cell_json(PlaceReading("r1c1", TILE, PlaceState.UNKNOWN, p=0.5, alternatives=ranked))
    assert "tile" not in told
    likeliest = [face for face, _ in told["alternatives"]]
    assert likeliest == [face for face, _ in ranked][: len(likeliest)]
    assert "face-0" in likeliest


@pytest.mark.parametrize(("p", "sure"), [(0.99, True), (0.2, False)])
def test_a_grid_is_sure_only_with_all_of_its_boards(p: float, sure: bool) -> None:
    board = BoardReading(90, True, (Cutout(0, 2, "blue", 0.97),), p)
    reading = TableReading(POSE, (LEAF, BARE), boards=(board,))
    told = table_json("001", reading)
    assert told["sure"] is sure
    assert told["camera"] == {"located": True, "by": "markers"}
    assert [cell["state"] for cell in told["cells"]] == ["tile", "empty"]
    (on_board,) = told["boards"]
    assert (on_board["seat"], on_board["slots"]) == (90, [{"row": 0, "col": 2, "colour": "blue", "p": 0.97}])


def test_a_table_that_was_not_found_says_why_and_is_never_sure() -> None:
    lost = TableReading(NotLocated(Message("the picture is mirrored")))
    for told in (table_json("001", lost), layout_json("001", lost)):
        assert not told["sure"]
        assert not told["camera"]["located"]
        assert "mirrored" in str(told["camera"]["reason"])


def test_slots_tell_pieces_where_pieces_are_counted_and_nowhere_else() -> None:
    foot = FoundPiece("red", (12.34, -5.0), 0.0, 50.0, 20.0)
    gap = PlaceReading("gap-1", GAP, PlaceState.EMPTY, p=0.995, pieces=(("red", 1),), found=(foot,))
    card = PlaceReading("card-1", CARD, PlaceState.FACE, "mill", 0.99, 0, (("mill", 0.99),))
    covered = PlaceReading("gap-2", GAP, PlaceState.COVERED)
    told = {one["slot"]: one for one in layout_json("001", TableReading(POSE, (gap, card, covered)))["slots"]}
    assert (told["gap-1"]["pieces"], told["gap-1"]["feet_mm"]) == ({"red": 1}, [["red", 12.3, -5.0]])
    assert told["card-1"]["face"] == "mill"
    assert "pieces" not in told["card-1"]
    assert "pieces" not in told["gap-2"]


def test_a_tally_tells_where_each_tile_lies_with_its_score_and_what_is_in_doubt() -> None:
    square = np.array([[10, 10], [30, 10], [30, 30], [10, 30]], float)
    tile = TallyTile("leaf", 0.99, (("leaf", 0.99), ("drop", 0.01)), square)
    reading = TallyReading((tile,), False, (Message("one tile is half covered"),), "nothing")
    told = tally_json("t1", reading, {"tiles": 3, "sets": 2, "total": 5})
    assert told["tiles"] == [{"tile": "leaf", "p": 0.99, "xy_px": [20.0, 20.0], "alternatives": [["drop", 0.01]]}]
    assert (told["score"]["total"], told["doubts"]) == (5, ["one tile is half covered"])
    assert not told["camera"]["located"]


def test_what_is_told_can_be_written_as_json() -> None:
    told = table_json("001", TableReading(POSE, (LEAF,), boards=(BoardReading(0, False),)))
    assert json.loads(json.dumps(told)) == told
