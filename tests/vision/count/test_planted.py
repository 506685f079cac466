"""A colour like the table's costs certainty only where pieces of it, drawn into the picture, are not counted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.certainty import SURE_OF_COATED, Doubts
from vision.count.counting import count_pieces
from vision.count.leftovers import usual_shape
from vision.count.planted import LEAST, PLANTED, plant
from vision.count.result import Count
from vision.count.table.ground import find_ground
from vision.count.teaching.references import learn_colour

WHITE, RED, BLUE = (222, 226, 228), (40, 40, 180), (170, 70, 30)
GREY, WHITISH = (172, 174, 176), (219, 224, 227)
RADIUS = 20
PLACES = [(60 + 70 * k, 60 + 70 * row) for row in range(2) for k in range(4)]
ROOM = (460, 640)


def shown(table: tuple[int, int, int], size: tuple[int, int] = ROOM, white: tuple[int, int, int] = WHITE) -> np.ndarray:
    """White, red and blue pieces in the upper left corner of a table of one colour."""
    picture = np.full((*size, 3), table, np.uint8)
    for xy, colour in zip(PLACES, [white, RED, BLUE, RED, white, BLUE, RED, BLUE], strict=True):
        cv2.circle(picture, xy, RADIUS, colour, -1, cv2.LINE_AA)
    grain = np.random.default_rng(5).normal(0, 1.0, picture.shape)
    return cv2.GaussianBlur(np.clip(picture + grain, 0, 255).astype(np.uint8), (0, 0), 0.7)


def counted(picture: np.ndarray) -> Count:
    """The count by colours that were taught on grey."""
    taught = shown(GREY)
    reach, breadth = RADIUS + 2, 2 * RADIUS + 4
    named = zip(("white", "red", "blue"), PLACES, strict=False)
    colours = [learn_colour(name, [(taught, ((x - reach, y - reach, breadth, breadth),))]) for name, (x, y) in named]
    return count_pieces(picture, colours)


def test_a_colour_of_which_every_drawn_piece_is_counted_leaves_the_count_sure() -> None:
    """White in the shade has this grey: without room for drawn pieces the same count is not sure."""
    result, narrow = counted(shown(GREY)), counted(shown(GREY, (190, 340)))
    assert result.counts == narrow.counts == {"white": 2, "red": 3, "blue": 3}
    assert result.sure
    assert result.why == ""
    assert not narrow.sure
    assert "white cannot be told" in narrow.why


def test_a_colour_of_which_drawn_pieces_are_not_counted_is_never_sure() -> None:
    """Nothing white lies there; if it did, nobody would see it."""
    picture = shown(WHITISH, white=RED)
    result = counted(picture)
    assert result.counts == {"white": 0, "red": 5, "blue": 3}
    assert not result.sure
    assert "white cannot be told" in result.why


def drawn(size: tuple[int, int], sheet: slice | None = None, clear: int = 1):
    """Copies of the red piece drawn into a picture on which a sheet lies in some columns."""
    picture = shown(GREY, size)
    ground = find_ground(picture)
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    circle = RADIUS * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    outlines = [circle + np.array(place, float) for place in PLACES]
    sheets = np.zeros(picture.shape[:2], bool)
    if sheet is not None:
        sheets[:, sheet] = True
    lab = np.array([90.0, 0.0, 0.0], np.float32)
    return picture, outlines, plant(picture, ground, sheets, outlines, {"white": (lab, outlines[1 : 1 + clear])})


def test_pieces_are_drawn_on_bare_table_beside_all_others_and_no_sheet() -> None:
    picture, outlines, planted = drawn(ROOM, slice(400, 640))
    assert planted is not None
    assert LEAST <= len(planted.xy) == len(planted.colours) <= PLANTED
    middles = np.concatenate([planted.xy, [outline.mean(axis=0) for outline in outlines]])
    gaps = np.linalg.norm(planted.xy[:, None] - middles[None], axis=2)
    gaps[gaps == 0] = np.inf
    radius = usual_shape(outlines)[1]
    assert gaps.min() > 2 * radius - 1
    beside = gaps[:, len(planted.xy) :].min(axis=1) < 2.1 * radius
    assert 0 < beside.sum() <= PLANTED // 2, "some touch those that were counted"
    assert planted.xy[:, 0].max() < 400 - RADIUS
    for x, y in planted.xy.astype(int):
        assert planted.picture[y, x, 1] < picture[y, x, 1] - 50, "as red as the one that was copied"


def test_where_few_find_room_or_no_clear_one_is_seen_none_are_drawn() -> None:
    assert drawn((190, 340))[2] is None
    assert drawn(ROOM, clear=0)[2] is None


@pytest.mark.parametrize(
    ("missed", "sure"), [(None, False), ((0, PLANTED), True), ((0, LEAST), True), ((1, PLANTED), False)]
)
def test_only_a_test_that_misses_none_makes_sure(missed: tuple[int, int] | None, sure: bool) -> None:
    assert (Doubts(1.0, 1.0).hidden(["white"], 90, missed).all_right >= SURE_OF_COATED) is sure
