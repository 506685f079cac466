"""Facts about printed boards: found by their print, letters named in other lights, unknown ones drawn, blanks told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from printed_board import SHAPE, TEXTS, photograph

from vision.printed.squares import SquaresReader, SquaresReading, SquareState, learn_board

DAY, LAMP, DIM = (1.0, 1.0, 1.0), (0.7, 0.9, 1.0), (0.12, 0.13, 0.12)
LEARNT = (
    photograph({}, 1, DAY),
    photograph({(2 + n, 4): letter for n, letter in enumerate("HASEL")}, 2, DAY),
    photograph({(4, 1 + n): letter for n, letter in enumerate("TONNE")} | {(0, 0): "_"}, 3, LAMP),
    photograph({(1 + n, 6): letter for n, letter in enumerate("KANTE")}, 4, LAMP),
)


@pytest.fixture(scope="module")
def reader() -> SquaresReader:
    return SquaresReader(learn_board(LEARNT, SHAPE, TEXTS, "_"))


@pytest.mark.parametrize("light", [DAY, LAMP, DIM], ids=["day", "lamp", "dim"])
def test_tiles_are_named_where_the_board_lies_otherwise_and_in_another_light(
    reader: SquaresReader, light: tuple[float, float, float]
) -> None:
    letters = {(3, 3): "S", (3, 4): "O", (3, 5): "H", (3, 6): "N", (5, 5): "_", (8, 8): "E"}
    picture = photograph(letters, 11, light)
    reading = reader.read(picture.image)
    assert reading.refused == ""
    assert np.abs(reading.place.corners_px - picture.corners_px).max() < 4.0
    assert {(s.column, s.row): s.face for s in reading.squares if s.state is SquareState.TILE} == letters
    assert not [s for s in reading.squares if s.state is SquareState.UNSURE]


def test_letters_that_no_picture_showed_are_known_by_their_typeface(reader: SquaresReader) -> None:
    letters = {(4, 4): "P", (4, 5): "O", (6, 2): "Ö"}
    found = reader.read(photograph(letters, 12, LAMP).image)
    assert {(s.column, s.row): s.face for s in found.squares if s.face is not None} == letters


def test_a_picture_without_the_board_is_refused(reader: SquaresReader) -> None:
    noise = np.random.default_rng(5).integers(0, 255, (400, 400, 3), dtype=np.uint8)
    assert "not in the picture" in reader.read(noise).refused


def test_a_picture_that_is_too_dark_is_refused(reader: SquaresReader) -> None:
    dark = photograph({(3, 4): "H", (4, 4): "O"}, 13, (0.03, 0.03, 0.03))
    assert reader.read(dark.image).refused


def test_a_square_that_was_never_seen_empty_cannot_be_learnt() -> None:
    with pytest.raises(ValueError, match="never seen empty"):
        learn_board(LEARNT[1:2], SHAPE, TEXTS, "_")


def tiles(reading: SquaresReading) -> dict[tuple[int, int], str | None]:
    return {(s.column, s.row): s.face for s in reading.squares if s.state is not SquareState.EMPTY}


def test_a_sign_that_is_printed_on_the_board_is_no_tile_and_a_tile_hides_it() -> None:
    words = ({}, {(2 + n, 3): letter for n, letter in enumerate("HASEL")})
    learnt = [photograph(word, n, DAY, sign="N") for n, word in enumerate(words, 1)]
    reader = SquaresReader(learn_board(learnt, SHAPE, TEXTS, "_"))
    assert tiles(reader.read(photograph({}, 11, LAMP, sign="N").image)) == {}
    letters = {(4, 4): "S", (4, 5): "E"}
    assert tiles(reader.read(photograph(letters, 12, LAMP, sign="N").image)) == letters


def test_light_letters_on_dark_tiles_are_named_and_those_not_learnt_are_drawn() -> None:
    words = ({}, {(2 + n, 4): x for n, x in enumerate("HASEL")}, {(4, 1 + n): x for n, x in enumerate("TANK")})
    learnt = [photograph(word, n, DAY, light_signs=True) for n, word in enumerate(words, 1)]
    board = learn_board(learnt, SHAPE, TEXTS, "_")
    assert board.light_signs
    letters = {(3, 3): "S", (3, 4): "E", (3, 5): "P"}
    assert tiles(SquaresReader(board).read(photograph(letters, 11, LAMP, light_signs=True).image)) == letters


def test_a_letter_that_was_never_seen_and_cannot_be_drawn_is_unsure() -> None:
    learnt = {letter: TEXTS[letter] for letter in "HASELTONK"}
    board = learn_board(LEARNT, SHAPE, learnt, "_")
    found = SquaresReader(board).read(photograph({(4, 4): "P", (4, 5): "E", (6, 2): "S"}, 12, LAMP).image)
    assert tiles(found) == {(4, 4): None, (4, 5): "E", (6, 2): "S"}


@pytest.mark.parametrize("skin", [(130, 160, 215), (50, 70, 110)], ids=["light skin", "dark skin"])
def test_squares_under_a_hand_are_neither_bare_nor_blank(reader: SquaresReader, skin: tuple[int, int, int]) -> None:
    letters = {(2, 2): "S", (2, 3): "O", (4, 6): "E", (3, 7): "H"}  # the H lies at the edge of the hand
    picture = photograph(letters, 11, DAY)
    image, corners = picture.image, picture.corners_px
    across, down = (corners[1] - corners[0]) / 9, (corners[3] - corners[0]) / 9
    hand = np.array([corners[0] + x * across + y * down for x, y in ((3.6, 9.6), (3.6, 4.9), (6.4, 4.9), (6.4, 9.6))])
    cv2.fillConvexPoly(image, np.round(hand).astype(np.int32), skin)
    read = {(s.column, s.row): s for s in reader.read(image).squares}
    for square in ((4, 6), (5, 6), (5, 7), (4, 8)):
        assert (read[square].state, read[square].alternatives) == (SquareState.UNSURE, ())
    assert {square: one.face for square, one in read.items() if one.face} == {(2, 2): "S", (2, 3): "O"}
    assert read[3, 7].state is SquareState.UNSURE
