"""Easy pictures over a wide range: they show what their truth says, and each way of teaching shows one piece."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.lab.scenes.make_laid import BEANS
from companion.lab.scenes.make_wide import KINDS, MARGINS, MOST
from companion.lab.scenes.make_wide import main as make_wide
from companion.lab.scenes.wide_pieces import CANDIES, CHIPS, lab_of, linear_of
from vision.count.table.ground import to_lab


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A set of every kind, its beans drawn, its tables drawn or as grey as two pictures."""
    folder = tmp_path_factory.mktemp("wide")
    candies = np.full((356, 413, 3), 255, np.uint8)
    for colour, circles in BEANS.items():
        for x, y, radius in circles:
            cv2.circle(candies, (round(x), round(y)), round(radius), CANDIES[colour][::-1], -1)
    cv2.imwrite(str(folder / "candies.png"), candies)
    (folder / "tables").mkdir()
    for name, level in (("a", 120), ("b", 150)):
        cv2.imwrite(str(folder / "tables" / f"{name}.png"), np.full((320, 400, 3), level, np.uint8))
    arguments = [str(folder / part) for part in ("candies.png", "tables", "out")]
    result = CliRunner().invoke(make_wide, [*arguments, "--sets", "3", "--pictures", "2", "--seed", "4"])
    assert result.exit_code == 0, result.output
    return sorted((folder / "out").iterdir())


def test_every_kind_has_its_sets(wide):
    assert sorted(folder.name.rsplit("-", 1)[0] for folder in wide) == sorted(KINDS)


def test_pieces_of_every_colour_are_nearest_to_it_in_hue(wide):
    for folder in wide:
        known = CHIPS if folder.name.startswith("chips") else CANDIES
        truths = json.loads((folder / "truth.json").read_text())
        for name, truth in truths.items():
            lab = to_lab(cv2.imread(str(folder / name)))
            assert 1 <= sum(truth["counts"].values()) == len(truth["pieces"]) <= MOST
            for piece in truth["pieces"]:
                x, y = (round(v) for v in piece["px"])
                own = np.median(lab[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3), axis=0)
                meant = lab_of(linear_of(known[piece["colour"]]))
                if np.linalg.norm(meant[1:]) > 40:  # what is vivid keeps its hue in any of these lights
                    turn = np.arctan2(own[2], own[1]) - np.arctan2(meant[2], meant[1])
                    assert abs((turn + np.pi) % (2 * np.pi) - np.pi) < 0.7, f"{folder.name}/{name}: {piece}"


def test_each_way_of_teaching_shows_every_colour_once_or_thrice(wide):
    for folder in wide:
        colours = set(json.loads((folder / "truth.json").read_text())["000.jpg"]["counts"])
        for number in (1, 3):
            boxes = json.loads((folder / f"boxes{number}.json").read_text())
            assert set(boxes) == colours
            assert all(1 <= len(entry["boxes"]) <= number for entry in boxes.values())
        for margin in MARGINS:
            names = json.loads((folder / f"crop{margin}.json").read_text())
            assert set(names) == colours
            assert all(cv2.imread(str(folder / name)) is not None for name in names.values())
