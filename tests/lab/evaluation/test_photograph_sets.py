"""Sets of photographs that the bench reads: both forms, what is missing, and the recipes beside."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles

from companion.core.errors import DataError
from companion.lab.evaluation.photograph_sets import drawn_task, read_tasks
from companion.lab.evaluation.quick_recipes import recipes

COLOURS = {"red": (40, 40, 200), "blue": (190, 90, 30)}


def stickers(folder: Path, rows: list[list[str]]) -> None:
    """Pictures of sticker rows, 20 px each, with their truth."""
    folder.mkdir()
    truth = []
    for n, row in enumerate(rows):
        image = np.concatenate([np.full((20, 20, 3), COLOURS[c], np.uint8) for c in row], axis=1)
        cv2.imwrite(str(folder / f"p{n}.png"), image)
        boxes = [{"colour": c, "box": [20 * k, 0, 20 * k + 20, 20]} for k, c in enumerate(row)]
        truth.append({"file": f"p{n}.png", "stickers": boxes})
    (folder / "truth.json").write_text(json.dumps(truth))


def test_colours_are_learnt_from_the_picture_of_an_object_that_shows_the_most(tmp_path: Path) -> None:
    stickers(tmp_path / "set", [["red"], ["red", "blue"], ["blue", "blue"]])
    groups = tmp_path / "groups.json"
    groups.write_text(json.dumps({"cube": ["p0", "p1", "p2"]}))
    (task,) = read_tasks(tmp_path / "set", groups)
    assert {colour: len(pictures) for colour, pictures in task.references.items()} == {"red": 1, "blue": 1}
    assert [[kind for _, kind in group] for group in task.groups] == [["red"], ["blue", "blue"]]


def test_what_a_set_lacks_is_named(tmp_path: Path) -> None:
    stickers(tmp_path / "set", [["red"]])
    with pytest.raises(DataError, match="--groups"):
        list(read_tasks(tmp_path / "set", None))
    groups = tmp_path / "groups.json"
    groups.write_text(json.dumps({"cube": ["p7"]}))
    with pytest.raises(DataError, match="p7"):
        list(read_tasks(tmp_path / "set", groups))
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="reference/"):
        list(read_tasks(tmp_path / "empty", None))


def test_crops_of_one_photograph_are_read_as_one_group(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "crops").mkdir()
    tiles = dict(list(drawn_tiles(2).items())[:2])
    truth = {}
    for n, (kind, picture) in enumerate(tiles.items()):
        cv2.imwrite(str(tmp_path / "reference" / f"{kind}.png"), picture)
        for shot in "ab":
            truth[f"{shot}__{n}.png"] = kind
            cv2.imwrite(str(tmp_path / "crops" / f"{shot}__{n}.png"), picture)
    (tmp_path / "crops" / "truth.json").write_text(json.dumps(truth))
    (task,) = read_tasks(tmp_path, None)
    assert [[kind for _, kind in group] for group in task.groups] == [list(tiles), list(tiles)]


def test_every_recipe_names_the_picture_it_has_learnt() -> None:
    tiles = dict(list(drawn_tiles(2).items())[:3])
    for recipe in recipes({kind: [picture] for kind, picture in tiles.items()}, (0, 1, 2, 3)).values():
        assert [recipe(picture) for picture in tiles.values()] == list(tiles)


def test_a_drawn_box_is_the_same_every_time() -> None:
    one, other = drawn_task(3, 1, 4), drawn_task(3, 1, 4)
    assert len(one.references) == 36
    np.testing.assert_array_equal(one.groups[0][2][0], other.groups[0][2][0])
