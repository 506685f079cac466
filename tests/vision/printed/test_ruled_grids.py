"""Ruled grids found without having been learnt, and the signs in their squares named: drawn puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from ruled_pages import SQUARE, drawn, photographed

from companion.app.commands.eyes.grid import grid
from companion.core.errors import DataError
from vision.printed.board import BoardShape
from vision.printed.glyphs import name_signs, sign_of, signs_of
from vision.printed.ruled import find_grid

NINE = BoardShape(9, 9)


@pytest.mark.parametrize("squares", [10, 15, 18])
def test_a_grid_of_more_squares_is_not_taken_for_the_one_that_is_asked_for(squares: int) -> None:
    side = 9 * SQUARE
    paper = np.full((side + 80, side + 80, 3), (205, 222, 230), np.uint8)
    for at in np.linspace(40, 40 + side, squares + 1).round().astype(int):
        cv2.line(paper, (at, 40), (at, 40 + side), (60, 50, 50), 1, cv2.LINE_AA)
        cv2.line(paper, (40, at), (40 + side, at), (60, 50, 50), 1, cv2.LINE_AA)
    image, corners = photographed(paper, 3)
    assert not find_grid(image, NINE).found
    whole = find_grid(image, BoardShape(squares, squares))
    assert whole.found
    assert np.abs(whole.corners_px - corners).max() < SQUARE / 4


@pytest.fixture(scope="module")
def cells() -> np.ndarray:
    rng = np.random.default_rng(4)
    return np.where(rng.random((9, 9)) < 0.4, rng.integers(1, 10, (9, 9)), 0)


@pytest.fixture(scope="module")
def learnt() -> dict[str, np.ndarray]:
    paper = drawn(np.array([[1, 2, 3, 4, 5, 6, 7, 8, 9]] + [[0] * 9] * 8))
    return {str(n + 1): paper[40:80, 40 + n * SQUARE : 80 + n * SQUARE] for n in range(9)}


@pytest.mark.parametrize("seed", range(2))
def test_a_ruled_grid_is_found_and_its_signs_are_named_by_one_picture_each(
    cells: np.ndarray, learnt: dict[str, np.ndarray], seed: int
) -> None:
    image, corners = photographed(drawn(cells), seed)
    place = find_grid(image, NINE)
    assert place.found
    assert np.abs(place.corners_px - corners).max() < 0.1 * SQUARE
    signs = {name: [sign_of(picture)] for name, picture in learnt.items()}
    named = name_signs(signs_of(image, place, NINE), signs)  # type: ignore[arg-type]
    read = np.zeros((9, 9), int)
    for one in named:
        read[one.row, one.column] = int(one.alternatives[0][0])
        assert one.name in (None, str(cells[one.row, one.column]))
    np.testing.assert_array_equal(read, cells)


def test_a_picture_without_a_grid_has_none() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    assert not find_grid(noise, NINE).found
    assert not find_grid(np.full((300, 400, 3), 200, np.uint8), NINE).found


def test_the_command_reads_pictures_and_says_where_there_is_no_grid(
    tmp_path: Path, cells: np.ndarray, learnt: dict[str, np.ndarray]
) -> None:
    (tmp_path / "signs").mkdir()
    for name, picture in learnt.items():
        cv2.imwrite(str(tmp_path / "signs" / f"{name}.png"), picture)
    cv2.imwrite(str(tmp_path / "puzzle.png"), photographed(drawn(cells), 5)[0])
    cv2.imwrite(str(tmp_path / "table.png"), np.full((300, 400, 3), 200, np.uint8))
    (tmp_path / "broken.png").write_bytes(b"no picture")
    files = [str(tmp_path / f"{name}.png") for name in ("puzzle", "broken", "table")]
    result = CliRunner().invoke(grid, ["--references", str(tmp_path / "signs"), *files])
    assert isinstance(result.exception, DataError)
    assert files[1] in str(result.exception)
    first, second = (json.loads(line) for line in result.output.splitlines())
    assert first["found"]
    for row, told in zip(cells.tolist(), first["cells"], strict=True):
        for value, name in zip(row, told, strict=True):
            assert name in ((str(value), "?") if value else (None,))
    assert not second["found"]
    assert "9 x 9" in second["why"]


def test_a_sign_unlike_those_of_its_name_in_the_same_picture_is_asked() -> None:
    signs = {value: sign_of(drawn_square(value)) for value in "12356789"}
    learnt = {value: [sign] for value, sign in signs.items() if value != "8"}  # what it shows was never learnt
    shown = {(k, 0): signs[value] for k, value in enumerate("111222555")} | {(0, 1): signs["8"]}
    named = {(s.column, s.row): s for s in name_signs(shown, learnt)}  # type: ignore[arg-type]
    assert "".join(named[k, 0].name or "?" for k in range(9)) == "111222555"
    assert named[0, 1].name is None
    alone = name_signs({(0, 1): signs["8"]}, learnt)[0]  # type: ignore[arg-type, dict-item]
    assert named[0, 1].p < alone.p


def drawn_square(value: str) -> np.ndarray:
    """A digit on paper, by itself."""
    paper = np.full((SQUARE, SQUARE, 3), 220, np.uint8)
    (w, h), _ = cv2.getTextSize(value, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 2)
    place = ((SQUARE - w) // 2, (SQUARE + h) // 2)
    cv2.putText(paper, value, place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (60, 50, 50), 2, cv2.LINE_AA)
    return paper
