"""Drawn boxes around pieces that lie anyhow show all of a bare piece, and less of a covered one."""

from __future__ import annotations

import numpy as np

from companion.lab.simulators.laid_askew import laid_askew

RED = np.full((90, 60, 3), (0, 0, 255), np.uint8)
GREEN = np.full((90, 60, 3), (0, 255, 0), np.uint8)


def share(picture: np.ndarray, colour: tuple[int, int, int]) -> float:
    return float((picture == colour).all(axis=2).mean())


def test_a_bare_piece_fills_its_box_as_far_as_its_turn_allows() -> None:
    for seed in range(8):
        crop = laid_askew(RED, GREEN, np.random.default_rng(seed), covered=0.0)
        assert share(crop, (0, 255, 0)) == 0.0
        assert share(crop, (0, 0, 255)) > 0.35  # a third of the box at the most unlucky turn, were it a line


def test_a_covered_piece_is_seen_in_part_under_the_other() -> None:
    shares = [laid_askew(RED, GREEN, np.random.default_rng(seed), covered=1.0) for seed in range(8)]
    assert sum(share(crop, (0, 255, 0)) > 0.02 for crop in shares) >= 6
    assert all(share(crop, (0, 0, 255)) > 0.1 for crop in shares)


def test_the_same_chance_draws_the_same_picture() -> None:
    one, other = (laid_askew(RED, GREEN, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(one, other)
