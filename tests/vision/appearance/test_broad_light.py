"""Broad shadows and panes of sun are told from pieces, which darken less than half of a neighbourhood."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.broad_light import BroadLight, broad_light
from vision.appearance.picture_light import BLACK

SIDE_PX = 168  # two by two tiles of 55 mm
RIM_PX = 30  # nearer to the outline too little is seen around


def print_and_noise() -> tuple[np.ndarray, np.ndarray]:
    """What a face of dark print looks like in even light, and the camera's noise on it."""
    rng = np.random.default_rng(4)
    coarse = rng.uniform(30, 120, (24, 24, 3)).astype(np.float32)
    bare = np.kron(coarse, np.ones((7, 7, 1), np.float32))
    return bare, rng.normal(0, 4, bare.shape).astype(np.float32)


def seen_in(light: np.ndarray) -> BroadLight | None:
    bare, noise = print_and_noise()
    seen = np.clip((bare + BLACK) * light[..., None] - BLACK + noise, 0, 255).astype(np.float32)
    known = np.ones(light.shape, bool)
    return broad_light(seen, bare, np.zeros_like(bare), known, 3.0)


def test_even_light_is_none() -> None:
    assert seen_in(np.ones((SIDE_PX, SIDE_PX), np.float32)) is None


@pytest.mark.parametrize("share", [0.5, 0.7, 1.5])
def test_a_shadow_or_sun_over_half_of_the_faces_is_told_with_its_edge(share: float) -> None:
    light = np.ones((SIDE_PX, SIDE_PX), np.float32)
    light[:, SIDE_PX // 2 :] = share
    found = seen_in(light)
    assert found is not None
    away = np.abs(np.arange(SIDE_PX) + 0.5 - SIDE_PX / 2) > 4  # the edge itself is told to some 3 mm
    assert np.abs(np.log(found.share / light))[RIM_PX:-RIM_PX, away][:, RIM_PX:-RIM_PX].max() < 0.13
    assert found.noise < 4.0  # of a normal spread of 4 the median is 2.7


@pytest.mark.parametrize("side_px", [15, 22])
def test_a_dark_piece_and_two_side_by_side_are_no_broad_shadow(side_px: int) -> None:
    light = np.ones((SIDE_PX, SIDE_PX), np.float32)
    light[30 : 30 + 15, 30 : 30 + 2 * side_px - 15] = 0.4
    assert seen_in(light) is None


def test_two_pieces_at_the_edge_of_a_face_are_no_broad_shadow() -> None:
    light = np.ones((SIDE_PX, SIDE_PX), np.float32)
    light[60:87, :40] = 0.5
    assert seen_in(light) is None


def test_what_is_cut_off_by_the_camera_tells_no_light() -> None:
    white = np.full((SIDE_PX, SIDE_PX, 3), 255, np.float32)
    assert broad_light(white, 0.7 * white, np.zeros_like(white), np.ones(white.shape[:2], bool), 2.0) is None
