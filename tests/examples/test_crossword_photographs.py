"""A folder of photographs as people have them: in any order of names, held in any turn, with files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from printed_board import SHAPE, TEXTS, photograph

from companion.core.errors import DataError
from examples.crossword.catalogue import load_catalogue
from examples.crossword.photographs import ANOTHER_FORM, NO_PICTURE, in_order, learn_folder, main, read_folder
from vision.printed.squares import learn_board

DAY, LAMP = (1.0, 1.0, 1.0), (0.7, 0.9, 1.0)


def test_pictures_are_taken_in_the_order_of_their_numbers() -> None:
    names = ["move-10.jpg", "move-9.JPG", "a.jpg", "2.jpg", "10b.jpg", "10.jpg"]
    assert [p.name for p in in_order(map(Path, names))] == [
        "a.jpg", "move-9.JPG", "move-10.jpg", "2.jpg", "10.jpg", "10b.jpg",
    ]  # fmt: skip


def test_a_turned_picture_is_read_upright_and_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    learnt = [photograph({}, 1, DAY), photograph({(2 + n, 4): letter for n, letter in enumerate("HASEL")}, 2, LAMP)]
    board = learn_board(learnt, SHAPE, {letter: TEXTS[letter] for letter in "HASEL"}, "_")
    letters = {(3, 3): "S", (3, 4): "E", (3, 5): "L", (3, 6): "E"}
    shown = photograph(letters, 11, DAY).image
    cv2.imwrite(str(tmp_path / "2.png"), cv2.rotate(shown, cv2.ROTATE_180))
    (tmp_path / "3.png").write_bytes((tmp_path / "2.png").read_bytes())
    (tmp_path / "10.jpg").write_bytes(b"no picture")
    (tmp_path / "11.HEIC").write_bytes(b"\0\0\0\x18ftypheic")
    (tmp_path / "12.jpg").mkdir()
    found = read_folder(tmp_path, board, load_catalogue("german"), game=False)["pictures"]
    assert found["2.png"]["letters"] == {f"{c},{r}": letter for (c, r), letter in letters.items()}
    assert found["3.png"]["refused"] == "the same picture as 2.png"
    assert found["10.jpg"] == {"letters": {}, "unsure": {}, "refused": NO_PICTURE}
    assert found["11.HEIC"]["refused"] == ANOTHER_FORM
    assert "12.jpg" not in found


@pytest.mark.parametrize(
    ("letters", "corners", "message"),
    [
        ({"7,7": "Č"}, [[0, 0], [9, 0], [9, 9], [0, 9]], "Č"),
        ({"7,15": "A"}, [[0, 0], [9, 0], [9, 9], [0, 9]], "7,15"),
        ({"7,7": "A"}, [[0, 0], [9, 0], [9, 9]], "4 corners"),
        ({"r8c8": "A"}, [[0, 0], [9, 0], [9, 9], [0, 9]], "a square is column,row, not 'r8c8'"),
    ],
    ids=["letter of another box", "square off the board", "three corners", "another name of a square"],
)
def test_a_truth_that_teaches_wrongly_is_refused_by_what_is_wrong(
    tmp_path: Path, letters: dict[str, str], corners: list[list[int]], message: str
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((9, 9, 3), np.uint8))
    truth = {"1.png": {"letters": letters, "board_corners_px": corners}}
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        learn_folder(tmp_path, load_catalogue("german"))


def test_a_folder_that_teaches_nothing_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        learn_folder(tmp_path, load_catalogue("german"))
    (tmp_path / "truth.json").write_text('{"1.png": {"letters": {}}}', encoding="utf-8")
    with pytest.raises(DataError, match="'board_corners_px' is missing"):
        learn_folder(tmp_path, load_catalogue("german"))


def test_a_result_that_could_not_be_written_is_told_before_anything_is_read(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, [str(tmp_path), "--learn", str(tmp_path), "--out", str(tmp_path / "no" / "r.json")])
    assert told.exit_code == 2
    assert "there is no folder" in told.output
