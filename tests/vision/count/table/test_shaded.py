"""A white piece in another one's shadow can have a grey table's colour: with no room to try it, a count is not sure."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.counting import count_pieces
from vision.count.result import Count
from vision.count.teaching.references import learn_colour

WHITE, RED, BLUE = (222, 226, 228), (40, 40, 180), (170, 70, 30)
PLACES = [(80 + 110 * k, 80 + 110 * row) for row in range(2) for k in range(4)]


def counted(table: tuple[int, int, int]) -> Count:
    """The count of white, red and blue pieces on a table of one colour."""
    picture = np.full((270, 490, 3), table, np.uint8)
    for xy, colour in zip(PLACES, [WHITE, RED, BLUE, RED, WHITE, BLUE, RED, BLUE], strict=True):
        cv2.circle(picture, xy, 32, colour, -1, cv2.LINE_AA)
    grain = np.random.default_rng(5).normal(0, 1.0, picture.shape)
    picture = cv2.GaussianBlur(np.clip(picture + grain, 0, 255).astype(np.uint8), (0, 0), 0.7)
    named = zip(("white", "red", "blue"), PLACES, strict=False)
    colours = [learn_colour(name, [(picture, ((x - 34, y - 34, 68, 68),))]) for name, (x, y) in named]
    return count_pieces(picture, colours)


@pytest.mark.parametrize(("table", "told"), [((172, 174, 176), False), ((60, 110, 60), True)])
def test_white_is_surely_told_only_from_a_table_that_shaded_white_is_not_like(
    table: tuple[int, int, int], told: bool
) -> None:
    result = counted(table)
    assert result.counts == {"white": 2, "red": 3, "blue": 3}
    assert ("white cannot be told" not in result.why) is told
    assert result.sure is told
