"""Photographed candies laid on photographed tables: the pictures show what their truth says."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.lab.scenes.cut_tables import BORDER_PX, LEAST_PX, PLAIN_TABLES, Half, plain_table
from companion.lab.scenes.cut_tables import main as cut_tables
from companion.lab.scenes.make_laid import BEANS
from companion.lab.scenes.make_laid import main as make_laid

BGR = {
    "red": (30, 20, 200), "orange": (20, 100, 240), "green": (60, 210, 30), "blue": (230, 120, 40),
    "brown": (30, 20, 50),
}  # fmt: skip


@pytest.fixture
def laid(tmp_path):
    """A set of two pictures of drawn candies on two grey tables."""
    candies = np.full((356, 413, 3), 255, np.uint8)
    for colour, circles in BEANS.items():
        for x, y, radius in circles:
            cv2.circle(candies, (round(x), round(y)), round(radius), BGR[colour], -1)
    (tmp_path / "tables").mkdir()
    for name, level in (("a", 120), ("b", 150)):
        cv2.imwrite(str(tmp_path / "tables" / f"{name}.png"), np.full((320, 400, 3), level, np.uint8))
    cv2.imwrite(str(tmp_path / "candies.png"), candies)
    arguments = [str(tmp_path / part) for part in ("candies.png", "tables", "out")]
    result = CliRunner().invoke(make_laid, [*arguments, "--sets", "1", "--pictures", "2", "--seed", "3"])
    assert result.exit_code == 0, result.output
    return tmp_path / "out" / "laid-0"


def test_every_candy_lies_where_the_truth_says_and_shows_no_table(laid):
    truths = json.loads((laid / "truth.json").read_text())
    assert len(truths) == 2
    for name, truth in truths.items():
        picture = cv2.imread(str(laid / name))
        assert sum(truth["counts"].values()) == len(truth["pieces"]) >= 10
        for piece in truth["pieces"]:
            x, y = (round(v) for v in piece["px"])
            assert np.ptp(picture[y, x].astype(int)) > 15, f"{piece} is as grey as the table"


def test_every_colour_is_taught_by_one_box(laid):
    taught = json.loads((laid / "colours.json").read_text())
    truth = json.loads((laid / "truth.json").read_text())["000.png"]
    assert set(taught) == set(truth["counts"])
    assert all(len(entry["boxes"]) == 1 for entry in taught.values())


def test_no_photograph_is_looked_at_and_kept_back():
    looked_at, kept_back = (set(PLAIN_TABLES[half]) for half in Half)
    assert looked_at
    assert kept_back
    assert not looked_at & kept_back


def test_a_small_part_goes_on_as_in_mirrors():
    picture = np.random.default_rng(1).integers(0, 255, (200, 300, 3)).astype(np.uint8)
    table = plain_table(picture, (0, 0, 300, 200))
    part = picture[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX]
    high, wide = part.shape[:2]
    assert min(table.shape[:2]) >= LEAST_PX
    assert (table[:high, :wide] == part).all()
    assert (table[high : 2 * high, :wide] == part[::-1]).all()
    assert (table[:high, wide : 2 * wide] == part[:, ::-1]).all()


def test_a_photograph_that_is_not_there_is_named(tmp_path):
    result = CliRunner().invoke(cut_tables, [str(tmp_path), str(tmp_path / "out")])
    assert result.exit_code != 0
    assert "expected a photograph" in result.output
