"""How a piece of known size and shape appears from above, and where its mask lies in a map."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.layout import PieceShape
from vision.pieces.shapes import YAWS, PieceModel, disc, masks, place_mask

NO_LEAN, LEAN = np.zeros(2), np.array([6.0, 0.0])


@pytest.mark.parametrize(
    ("shape", "turns", "area"), [(PieceShape.SQUARE, YAWS, 15.0**2), (PieceShape.ROUND, 1, np.pi * 7.5**2)]
)
def test_a_top_covers_the_area_of_its_foot_in_every_turn(shape: PieceShape, turns: int, area: float) -> None:
    from_above = masks(15.0, NO_LEAN, shape)
    assert from_above.top.shape[0] == turns
    # to a quarter of a pixel along the rim
    assert from_above.top.sum((1, 2)) == pytest.approx([area] * turns, rel=0.06)
    assert from_above.side.sum() == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("shape", list(PieceShape))
def test_a_leaning_piece_shows_its_side_behind_its_top(shape: PieceShape) -> None:
    leaning = masks(15.0, LEAN, shape)
    middle = (leaning.size - 1) / 2
    columns = np.arange(leaning.size)
    top = (leaning.top[0].sum(0) * columns).sum() / leaning.top[0].sum()
    side = (leaning.side[0].sum(0) * columns).sum() / leaning.side[0].sum()
    assert top - middle == pytest.approx(LEAN[0], abs=0.25)
    assert side < top
    assert (leaning.top + leaning.side).max() <= 1.0 + 1e-5


def test_what_is_higher_leans_more_and_a_piece_without_a_height_is_as_high_as_wide() -> None:
    eye = (0.0, 0.0, -800.0)
    low, high, cube = PieceModel(10.0, 0.0, eye, 4.0), PieceModel(10.0, 0.0, eye, 16.0), PieceModel(10.0, 0.0, eye)
    assert 1.0 < low.lean() < cube.lean() < high.lean()


def test_a_round_foot_is_as_wide_as_it_is_said_to_be() -> None:
    assert np.linalg.norm(disc(12.0), axis=1) == pytest.approx(6.0)


@pytest.mark.parametrize(
    ("px", "rows", "columns"), [((10, 8), 7, 7), ((0, 0), 4, 4), ((19, 8), 7, 4), ((40, 40), 0, 0)]
)
def test_a_mask_is_cut_where_the_map_ends(px: tuple[int, int], rows: int, columns: int) -> None:
    where, cut = place_mask((20, 20), np.array(px), 3)
    for box in (where, cut):
        assert (box[0].stop - box[0].start, box[1].stop - box[1].start) == (rows, columns)
