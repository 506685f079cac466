"""A folder of photographs as people have them: in any order of names, held in any turn, with files that are none."""

from __future__ import annotations

from pathlib import Path

import cv2
from printed_board import SHAPE, TEXTS, photograph

from examples.crossword.catalogue import load_catalogue
from examples.crossword.photographs import NO_PICTURE, in_order, read_folder
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
    (tmp_path / "10.jpg").write_bytes(b"no picture")
    found = read_folder(tmp_path, board, load_catalogue("german"), game=False)["pictures"]
    assert found["2.png"]["letters"] == {f"{c},{r}": letter for (c, r), letter in letters.items()}
    assert found["10.jpg"] == {"letters": {}, "unsure": {}, "refused": NO_PICTURE}
