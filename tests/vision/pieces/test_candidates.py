"""Hypotheses of pieces: what the coarse search tells of each place, and what it need not ask."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.layout import PieceShape
from vision.pieces.candidates import HALF, WORTH_KEEPING, coarse_scores
from vision.pieces.likelihood_maps import CORRELATED_PX
from vision.pieces.shapes import masks

SIDE_PX = 15.0  # 10 mm on a canvas


def sums(tops: np.ndarray, sides: np.ndarray, feet: np.ndarray, top: np.ndarray, side: np.ndarray) -> np.ndarray:
    """(Y, h, w) the evidence of every turn with its foot at each of the feet (h, w), pixel by pixel: maps of half the
    size, 0 beyond their edges."""
    reach = top.shape[1] // 2
    padded = [np.pad(m, reach) for m in (tops, sides)]
    out = np.full((len(top), *feet.shape), -np.inf)
    for y, x in np.argwhere(feet):
        here = [m[y : y + 2 * reach + 1, x : x + 2 * reach + 1] for m in padded]
        out[:, y, x] = (top * here[0] + side * here[1]).sum((1, 2))
    return out * HALF**2 / CORRELATED_PX


@pytest.mark.parametrize("seed", range(6))
def test_every_place_worth_keeping_has_the_sum_of_its_pixels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = masks(SIDE_PX / HALF, rng.uniform(-2.0, 2.0, 2), PieceShape.SQUARE)
    speaks = rng.normal(-1.0, 1.0, (2, 24, 30))
    speaks[:, 8:16, 10:20] += 2.0  # something like a piece, some of it against one
    feet = rng.random((24, 30)) < 0.8
    whole = np.kron(speaks, np.ones((HALF, HALF))).astype(np.float32)
    found = coarse_scores(whole[0], whole[1], feet, shape)
    wanted = sums(speaks[0], speaks[1], feet, shape.top, shape.side)
    worth = wanted.max(0) > WORTH_KEEPING
    assert 0 < worth.sum() < feet.sum() / 2
    np.testing.assert_allclose(found[:, worth], wanted[:, worth], rtol=1e-3, atol=1e-3)
    asked = np.isfinite(found[0])
    assert not (asked & ~feet).any()
    assert asked.sum() < feet.sum() / 2  # most places are not asked at all


def test_where_nothing_speaks_for_a_piece_no_place_is_asked() -> None:
    shape = masks(SIDE_PX / HALF, np.zeros(2), PieceShape.SQUARE)
    against = np.full((40, 40), -0.5, np.float32)
    assert np.isneginf(coarse_scores(against, against, np.ones((20, 20), bool), shape)).all()
