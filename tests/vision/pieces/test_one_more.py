"""Where one more piece may touch one that was found, in its shadow or over the rim, nobody is sure of the count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.pieces.test_finder import COLOURS, SHAPE, table
from vision.appearance.canvas import compose
from vision.pieces.finder import PieceFinder, PieceSearch
from vision.pieces.probability import ON_PRINT, Counted, count_probability

IN_FRONT, OVER_THE_RIM = ("purple", 5.0, -15.5, 0.0), ("purple", 5.0, -25.7, 0.0)


def search(pieces: list[tuple[str, float, float, float]], purple_table: bool = False) -> PieceSearch:
    window, seen, laid = table(pieces)
    canvas = compose(seen, window, [laid])
    if purple_table:
        colour = np.array(COLOURS.bgr[COLOURS.names.index("purple")], np.float32) * 1.1
        canvas = replace(canvas, seen=np.where((canvas.label < 0)[..., None], colour, canvas.seen))
    return PieceFinder(COLOURS, SHAPE).search(canvas, printed=True)


def probability(found: PieceSearch) -> float:
    return count_probability(Counted.of(found.pieces, found.refused[0], float(found.room_mm2[0])), ON_PRINT)


def test_a_piece_behind_another_of_its_colour_that_shows_beyond_the_rim_alone_puts_the_count_in_doubt() -> None:
    found = search([IN_FRONT, OVER_THE_RIM])
    assert [one.colour for one in found.pieces] == ["purple"]  # the face shows nothing of the other one
    assert probability(found) < 0.5
    assert list(found.refused_of[0]) == ["purple"]


@pytest.mark.parametrize("purple_table", [False, True], ids=["bare table beyond", "table of its colour beyond"])
def test_a_piece_with_table_beyond_is_counted_without_doubt(purple_table: bool) -> None:
    found = search([IN_FRONT], purple_table)
    assert [one.colour for one in found.pieces] == ["purple"]
    assert found.refused[0] == 0.0
    assert probability(found) > 0.9


def test_of_another_colour_beyond_the_rim_nothing_is_asked() -> None:
    found = search([IN_FRONT, ("white", *OVER_THE_RIM[1:])])
    assert "purple" not in found.refused_of[0]
