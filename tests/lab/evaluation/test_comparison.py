"""What counts as right, wrong and flagged when readings are compared with the truth."""

from __future__ import annotations

from typing import Any

from companion.lab.evaluation.comparison import MeasureCounts, compare_boards, compare_grid, compare_tally
from companion.lab.evaluation.comparison_text import as_json, as_text

SAME = {"a-1": "a-1", "a-2": "a-1", "b-1": "b-1"}
SQUARE = [[0, 0], [90, 0], [90, 90], [0, 90]]


def truth() -> dict[str, Any]:
    cells = [
        {"row": 0, "col": 0, "tile": "a-2", "corners_px": SQUARE},
        {"row": 0, "col": 1, "tile": "b-1", "corners_px": SQUARE},
        {"row": 0, "col": 2, "tile": None},
    ]
    return {"cells": cells, "cubes": [{"row": 0, "col": 0, "colour": "gray"}], "corner": "tl", "markers": True}


def reading(**changes: Any) -> dict[str, Any]:
    cells = [
        {"row": 0, "col": 0, "state": "tile", "tile": "a-1", "cubes": {"gray": 1}, "cubes_p": 0.99},
        {"row": 0, "col": 1, "state": "tile", "tile": "b-1", "cubes": {}, "cubes_p": 0.99},
        {"row": 0, "col": 2, "state": "empty"},
    ]
    for place, change in changes.items():
        cells[int(place[1:])] |= change
    return {"corner": "tl", "camera": {"located": True}, "cells": cells, "boards": []}


def test_any_tile_of_the_same_face_is_right() -> None:
    tally = MeasureCounts()
    compare_grid(tally, "x", truth(), reading(), SAME)
    assert tally.rate("tiles right", "tiles") == 1.0
    assert tally.rate("settled right", "settled") == 1.0


def test_a_wrong_count_that_is_flagged_is_honest_and_one_that_is_not_is_dishonest() -> None:
    for p, dishonest in ((0.5, 0), (0.99, 1)):
        tally = MeasureCounts()
        compare_grid(tally, "x", truth(), reading(c1={"cubes": {"gray": 1}, "cubes_p": p}), SAME)
        assert tally.counts["all", "all"]["cubes wrong"] == 1
        assert tally.counts["all", "all"]["settled dishonest"] == dishonest


def test_a_board_is_right_only_with_all_its_cutouts() -> None:
    tally = MeasureCounts()
    told = {"boards": [{"seat": 0, "slots": [{"row": 0, "col": 1, "colour": "gray"}]}]}
    compare_boards(tally, "x", told, {"boards": [{"seat": 0, "slots": [], "sure": True}]})
    assert tally.rate("boards right", "boards") == 0.0


def test_a_tally_is_exact_only_with_the_same_faces_and_total() -> None:
    tally = MeasureCounts()
    told = {"tiles": [{"tile": "a-2"}], "score": {"total": 3}}
    compare_tally(tally, "x", told, {"tiles": [{"tile": "a-1"}], "score": {"total": 3}, "sure": True}, SAME)
    compare_tally(tally, "y", told, {"tiles": [{"tile": "b-1"}], "score": {"total": 3}, "sure": True}, SAME)
    assert tally.rate("tallies exact", "tallies") == 0.5
    assert tally.counts["all", "all"]["tallies wrong and sure"] == 1


def test_tables_name_the_missed_targets_and_the_mistakes() -> None:
    tally = MeasureCounts()
    compare_grid(tally, "grid/000", truth(), reading(c1={"tile": "a-1"}), SAME)
    text = as_text(tally)
    assert "MISSED" in text
    assert "grid/000 r1c2" in text
    assert any(m["reached"] is False for m in as_json(tally)["measures"])
