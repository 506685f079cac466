"""Ruled grids found without having been learnt, and the signs in their squares named: drawn puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.app.commands.eyes.grid import grid
from vision.printed.board import BoardShape
from vision.printed.glyphs import name_signs, sign_of, signs_of
from vision.printed.ruled import find_grid

NINE = BoardShape(9, 9)
SQUARE = 40


def drawn(cells: np.ndarray, font: int = cv2.FONT_HERSHEY_SIMPLEX, bold: int = 2) -> np.ndarray:
    """A puzzle as print on pale paper, (h, w, 3) uint8, with lines of text below."""
    side = 9 * SQUARE
    paper = np.full((side + 140, side + 80, 3), (205, 222, 230), np.uint8)
    for k in range(10):
        wide = 3 if k % 3 == 0 else 1
        cv2.line(paper, (40 + k * SQUARE, 40), (40 + k * SQUARE, 40 + side), (60, 50, 50), wide, cv2.LINE_AA)
        cv2.line(paper, (40, 40 + k * SQUARE), (40 + side, 40 + k * SQUARE), (60, 50, 50), wide, cv2.LINE_AA)
    for (row, column), value in np.ndenumerate(cells):
        if value:
            (w, h), _ = cv2.getTextSize(str(value), font, 0.9, bold)
            place = (40 + column * SQUARE + (SQUARE - w) // 2, 40 + row * SQUARE + (SQUARE + h) // 2)
            cv2.putText(paper, str(value), place, font, 0.9, (60, 50, 50), bold, cv2.LINE_AA)
    cv2.putText(paper, "Fill in every row", (60, side + 100), font, 0.8, (60, 50, 50), 1, cv2.LINE_AA)
    return paper


def photographed(paper: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The print seen askew in uneven light, and its grid's corners (4, 2) px."""
    rng = np.random.default_rng(seed)
    h, w = paper.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    target = (source + rng.uniform(-18, 18, (4, 2)) + 25).astype(np.float32)
    move = cv2.getPerspectiveTransform(source, target)
    shown = cv2.warpPerspective(paper, move, (w + 50, h + 50), borderValue=(40, 60, 80)).astype(np.float32)
    y, x = np.mgrid[0 : h + 50, 0 : w + 50]
    shown *= (0.6 + 0.4 * x / w + 0.1 * y / h)[..., None] * (0.8, 0.95, 1.0)
    shown = cv2.GaussianBlur(shown, (0, 0), 1.0) + rng.normal(0, 3, shown.shape)
    edge = 40 + 9 * SQUARE
    corners = np.array([[[40, 40], [edge, 40], [edge, edge], [40, edge]]], np.float64)
    return np.clip(shown, 0, 255).astype(np.uint8), cv2.perspectiveTransform(corners, move)[0]


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
    arguments = ["--references", str(tmp_path / "signs"), str(tmp_path / "puzzle.png"), str(tmp_path / "table.png")]
    result = CliRunner().invoke(grid, arguments)
    assert result.exit_code == 0
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
