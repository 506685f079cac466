"""What a crop may show is found with its turn and its corners, in the crop's own pixels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import as_photograph, patchwork

from vision.faces.photographed.album import Album
from vision.faces.photographed.finding import FoundFaces, find, unit

SIDE = 48
PICTURES = np.stack([patchwork(seed) for seed in range(4)])
ALBUM = Album.of(PICTURES, (0, 1, 2, 3))
KINDS = np.array([0, 0, 1, 2])
CORNERS = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], np.float64).T


def found(crop: np.ndarray, turns: tuple[int, ...] = (0, 1, 2, 3), **options) -> FoundFaces:
    """The search of a float crop without a margin."""
    chosen = {"margin": 0.0, "ignore": None} | options
    return find(ALBUM, KINDS, as_photograph(crop), chosen.pop("margin"), turns, chosen.pop("ignore"), **chosen)


def corners(result: FoundFaces) -> np.ndarray:
    """(4, 2) px corners of the likeliest piece in its crop, clockwise from the top left of its face."""
    at = result.to_crop[0] @ CORNERS
    return (at[:2] / at[2]).T


def square(low: float, high: float) -> np.ndarray:
    """(4, 2) outer corners of the pixels from `low` to `high`, both ways."""
    return np.array([[low, low], [high, low], [high, high], [low, high]]) - 0.5


def test_the_frame_reaches_from_the_first_pixels_outer_edge_to_the_last_ones() -> None:
    ends = unit((60, 40)) @ np.array([[-0.5, -0.5, 1], [59.5, 39.5, 1], [29.5, 19.5, 1]]).T
    np.testing.assert_allclose(ends[:2].T, [(-1, -1), (1, 1), (0, 0)], atol=1e-12)


@pytest.mark.parametrize("turn", range(4))
def test_a_turned_piece_is_found_with_its_corners(turn: int) -> None:
    result = found(np.rot90(PICTURES[2], -turn))
    assert (result.numbers[0], result.owners[0], result.turns[0]) == (2, 1, turn)
    assert np.abs(corners(result) - np.roll(square(0, SIDE), -turn, axis=0)).max() < 0.5
    assert result.seen[0] > 0.95


def test_a_finer_crop_is_found_in_its_own_pixels() -> None:
    fine = cv2.resize(PICTURES[3], (4 * SIDE, 4 * SIDE), interpolation=cv2.INTER_CUBIC)
    result = found(np.clip(fine, 0, 1))
    assert result.numbers[0] == 3
    assert np.abs(corners(result) - square(0, 4 * SIDE)).max() < 2.0


def test_a_piece_within_a_margin_is_found_inside_of_it() -> None:
    crop = np.full((72, 72, 3), 0.5, np.float32)
    crop[12:60, 12:60] = PICTURES[0]
    result = found(crop, margin=0.25)
    assert result.numbers[0] == 0
    assert np.abs(corners(result) - square(12, 60)).max() < 1.0


def test_a_picture_that_is_left_out_is_no_candidate() -> None:
    assert 1 in found(PICTURES[1]).numbers
    assert 1 not in found(PICTURES[1], leave_out=1).numbers


def test_only_the_turns_that_are_asked_for_are_tried() -> None:
    assert set(found(PICTURES[1], turns=(1, 3)).turns.tolist()) <= {1, 3}


def test_ignored_pixels_are_not_seen() -> None:
    ignore = np.zeros((SIDE, SIDE), bool)
    ignore[: SIDE // 2] = True
    result = found(PICTURES[1], ignore=ignore)
    assert result.numbers[0] == 1
    assert result.seen[0] == pytest.approx(0.5, abs=0.05)


def test_every_kind_of_plain_pieces_is_a_candidate_however_many_turns_and_pictures_it_has() -> None:
    inks = np.linspace((0.1, 0.2, 0.9), (0.8, 0.3, 0.1), 7, dtype=np.float32)
    plain = np.stack([np.tile(ink, (SIDE, SIDE, 1)) for ink in inks for _ in range(2)])
    album, kinds = Album.of(plain, (0, 1, 2, 3)), np.repeat(np.arange(7), 2)
    assert album.plain
    result = find(album, kinds, as_photograph(plain[0]), 0.0, (0, 1, 2, 3), None)
    assert set(result.owners.tolist()) == set(range(7))
