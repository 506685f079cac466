"""The box files of a data folder: a name is never taken from a box of another game."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.box_file import EnrolledBox, read_box
from companion.app.enrolment.saved_boxes import SavedBoxes, file_name
from companion.core.errors import DataError

FACE = np.full((16, 16, 3), 90, np.uint8)


def box(game: str, catalogue: str = "") -> EnrolledBox:
    return EnrolledBox(game, catalogue, {"face": [FACE]})


def test_a_box_of_another_game_keeps_its_name_and_one_of_the_same_game_is_replaced(tmp_path: Path) -> None:
    boxes = SavedBoxes(tmp_path / "boxes")
    put = [("envyra", "old"), ("rifts", ""), ("envyra", "new")]
    names = [boxes.put("mine", box(game, text)).name for game, text in put]
    assert names == ["mine.zip", "mine-2.zip", "mine.zip"]
    assert read_box(boxes.folder / "mine.zip").catalogue == "new"
    assert (boxes.newest_of("rifts"), boxes.newest_of("spyrium")) == ("mine-2.zip", "")


@pytest.mark.parametrize("name", ["../mine.zip", "mine", "other.zip"])
def test_only_box_files_of_the_folder_are_given_away(tmp_path: Path, name: str) -> None:
    boxes = SavedBoxes(tmp_path / "boxes")
    boxes.put("mine", box("envyra"))
    (tmp_path / "mine.zip").write_bytes(b"secret")
    with pytest.raises(DataError):
        boxes.data(name)


@pytest.mark.parametrize(("title", "expected"), [("Môj box č. 2", "moj-box-c-2"), ("!?", ""), ("a" * 60, "a" * 40)])
def test_a_file_is_named_by_letters_without_accents_and_digits(title: str, expected: str) -> None:
    assert file_name(title) == expected
