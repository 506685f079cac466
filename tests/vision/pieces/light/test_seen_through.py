"""Print that is seen where a piece should hide it speaks against the piece."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight
from vision.pieces.light.seen_through import PrintSeen, details_within
from vision.pieces.shapes import Hypothesis

LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0)
TOP = (slice(20, 36), slice(24, 40))
EVERYWHERE = (slice(0, 60), slice(0, 60))
KNOWN = np.ones((60, 60), bool)


def canvas_of(seen: np.ndarray, bare: np.ndarray) -> Canvas:
    window = Window(0.0, 0.0, 60, 60)
    return replace(Canvas.without_faces(np.zeros((60, 60, 3), np.uint8), window, LIGHT), seen=seen, bare=bare)


def print_of(seed: int) -> np.ndarray:
    """Dark mottled print, (60, 60, 3) float32."""
    rough = np.random.default_rng(seed).normal(0, 1, (60, 60, 3)).astype(np.float32)
    return np.asarray(np.clip(50 + 40 * cv2.GaussianBlur(rough, (0, 0), 1.5), 5, 255), np.float32)


def piece() -> Hypothesis:
    whole, none = np.ones((16, 16), np.float32), np.zeros((16, 16), np.float32)
    return Hypothesis(0, 0, np.array([32.0, 28.0]), TOP, whole, none, none, none, 40.0)


@pytest.mark.parametrize("darkened", [1.0, 0.5])
def test_print_seen_in_whatever_light_leaves_nothing_for_a_piece(darkened: float) -> None:
    bare = print_of(1)
    noise = np.random.default_rng(2).normal(0, 1.0, bare.shape).astype(np.float32)
    seen = bare * darkened + noise
    assert PrintSeen(canvas_of(seen, bare), KNOWN).left_for(piece(), EVERYWHERE) < 0.2


def test_a_plain_top_leaves_its_piece_most_of_the_evidence() -> None:
    bare = print_of(1)
    seen = bare.copy()
    seen[TOP] = 20 + np.random.default_rng(3).normal(0, 1.5, (16, 16, 3))
    assert PrintSeen(canvas_of(seen, bare), KNOWN).left_for(piece(), EVERYWHERE) > 0.6


@pytest.mark.parametrize(("columns", "left"), [(16, 1.0), (9, 1.0), (4, 0.5), (0, 0.0)])
def test_a_piece_that_hardly_shows_on_its_face_is_left_less(columns: int, left: float) -> None:
    bare = np.full((60, 60, 3), 90.0, np.float32)
    known = KNOWN.copy()
    known[:, : TOP[1].stop - columns] = False
    assert PrintSeen(canvas_of(bare, bare), known).left_for(piece(), EVERYWHERE) == pytest.approx(left)


def test_where_the_face_is_plain_nothing_is_seen_through() -> None:
    bare = np.full((60, 60, 3), 90.0, np.float32)
    assert PrintSeen(canvas_of(print_of(4), bare), KNOWN).left_for(piece(), EVERYWHERE) == 1.0


def test_a_symbol_beside_a_piece_is_not_seen_through_it() -> None:
    bare = 90.0 + 0.2 * (print_of(1) - 50.0)
    bare[4:19, 24:40] += 50.0
    bare = cv2.GaussianBlur(bare, (0, 0), 0.9)
    seen = bare.copy()
    seen[TOP] = 80.0
    seen = cv2.GaussianBlur(seen, (0, 0), 0.5) + np.random.default_rng(6).normal(0, 2.0, seen.shape).astype(np.float32)
    assert PrintSeen(canvas_of(seen, bare), KNOWN).left_for(piece(), EVERYWHERE) > 0.6


def test_the_detail_of_each_picture_is_its_own_whatever_else_is_asked_for() -> None:
    inside = np.zeros((60, 60), bool)
    inside[20:34, 30:46] = True
    seen, bare, elsewhere = print_of(1), print_of(2), print_of(3)
    of_seen, of_bare = details_within((seen, bare), inside)
    np.testing.assert_array_equal(of_seen, details_within((seen,), inside)[0])
    np.testing.assert_array_equal(of_bare, details_within((bare,), inside)[0])
    beside = np.where(inside[..., None], bare, elsewhere)
    np.testing.assert_array_equal(of_bare, details_within((beside, seen), inside)[0])
