"""What a peg beside a card hides of it: where it leans, where its shadow falls, or all around."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.layout import PieceShape
from vision.appearance.canvas import Window
from vision.pieces.between_faces.gap_cover import hidden_beside
from vision.pieces.finder import FoundPiece
from vision.pieces.shadows import FROM_ABOVE, CastLight
from vision.pieces.shapes import PieceModel

WINDOW = Window(-60.0, -60.0, 360, 360)
SIDE_MM, HEIGHT_MM = 12.0, 16.0
PEG = FoundPiece("red", (0.0, 0.0), 0.0, 100.0, 100.0)


def model(x: float = 0.0) -> PieceModel:
    return PieceModel(SIDE_MM, 0.0, (x, 0.0, -600.0), HEIGHT_MM, PieceShape.ROUND)


def hidden_at(hidden: np.ndarray, x: float, y: float) -> float:
    column, row = np.round(WINDOW.to_px(np.array([x, y]))).astype(int)
    return float(hidden[row, column])


def test_a_peg_hides_what_it_leans_over_away_from_the_camera() -> None:
    hidden = hidden_beside(WINDOW, [PEG], model(-600.0), CastLight((0.0, 0.12), 0.0))
    assert hidden_at(hidden, 18.0, 0.0) == 1.0
    assert hidden_at(hidden, -18.0, 0.0) == 0.0


def test_its_shadow_hides_what_it_falls_on() -> None:
    hidden = hidden_beside(WINDOW, [PEG], model(), CastLight((0.0, -1.0), 0.0))
    assert hidden_at(hidden, 0.0, -HEIGHT_MM) > 0.9
    assert hidden_at(hidden, 0.0, -HEIGHT_MM - SIDE_MM) == 0.0
    assert hidden_at(hidden, 0.0, SIDE_MM) == 0.0


@pytest.mark.parametrize("cast", [None, FROM_ABOVE])
def test_where_no_light_is_known_all_near_it_may_be_shaded(cast: CastLight | None) -> None:
    hidden = hidden_beside(WINDOW, [PEG], model(), cast)
    for x, y in ((14.0, 0.0), (-14.0, 0.0), (0.0, 14.0), (0.0, -14.0)):
        assert hidden_at(hidden, x, y) > 0.5
    assert hidden_at(hidden, 25.0, 0.0) == 0.0


def test_without_pieces_nothing_is_hidden() -> None:
    assert not hidden_beside(WINDOW, [], model(), None).any()
