"""The edge of a shadow over a piece is found by its light; print of another piece is no shadow."""

from __future__ import annotations

import numpy as np
import pytest
from patchwork import patchwork

from vision.faces.photographed.compare import Contest, CropComparison, Setting
from vision.faces.photographed.light import unknown_light
from vision.faces.photographed.shadow import shadow_edge

HW = (96, 96)
PICTURES = np.stack([patchwork(seed, HW) for seed in range(3)])
ALL = np.ones(HW, np.float32)
GRID = 32


def on_grid(picture: np.ndarray) -> np.ndarray:
    """(3, GRID, GRID) means of `picture`."""
    return np.ascontiguousarray(picture.reshape(GRID, 3, GRID, 3, 3).mean(axis=(1, 3)).transpose(2, 0, 1))


def edge_of(seen: np.ndarray, picture: np.ndarray) -> np.ndarray:
    return shadow_edge(on_grid(seen), on_grid(picture), np.ones((GRID, GRID), np.float32), HW)


def shaded(picture: np.ndarray, angle_deg: float, light: float) -> np.ndarray:
    """`picture` with everything beyond a straight edge through its middle darker, `light` of what it was."""
    y, x = np.mgrid[:96, :96] - 47.5
    angle = np.radians(angle_deg)
    beyond = np.cos(angle) * x + np.sin(angle) * y > 6
    return np.asarray(picture * np.where(beyond, light, 1.0)[..., None], np.float32)


def contest_of(seen: np.ndarray) -> Contest:
    comparison = CropComparison(Setting(seen, ALL, PICTURES, np.arange(3), np.zeros(3)))
    return comparison.contest(comparison.explain(unknown_light()))


@pytest.mark.parametrize("angle_deg", [0.0, 40.0, 130.0])
@pytest.mark.parametrize("light", [0.45, 0.65])
def test_the_edge_of_a_shadow_is_found_where_it_lies(angle_deg: float, light: float) -> None:
    found = edge_of(shaded(PICTURES[0], angle_deg, light), PICTURES[0])
    y, x = np.mgrid[:96, :96] - 47.5
    angle = np.radians(angle_deg)
    distance = np.abs(np.cos(angle) * x + np.sin(angle) * y - 6)
    assert found[distance < 3].mean() > 0.9
    assert found.mean() < 0.25


@pytest.mark.parametrize("other", [1, 2])
def test_other_print_is_no_shadow(other: int) -> None:
    assert not edge_of(PICTURES[other], PICTURES[0]).any()
    assert not edge_of(PICTURES[0] * 0.6, PICTURES[0]).any()


def test_print_beside_the_edge_of_a_shadow_is_not_strange_and_other_print_under_one_is() -> None:
    assert contest_of(shaded(PICTURES[1], 40.0, 0.5)).strange < 0.02
    other = patchwork(9, HW)
    assert contest_of(shaded(other, 40.0, 0.5)).strange > 0.3
