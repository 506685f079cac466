"""What a face keeps of its light in a shadow, and what is too dark or of another hue to be one."""

from __future__ import annotations

import numpy as np

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight
from vision.pieces.likelihood_maps import SHADOW_COST, bare_likelihoods

BARE = np.array([135.0, 180.0, 154.0], np.float32)
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.3, 0.5)


def likelihood_of(seen: np.ndarray) -> float:
    """Of a plain face of the colour BARE that looks like `seen` (3,) all over."""
    shape = (21, 21, 3)
    bare = np.broadcast_to(BARE, shape).astype(np.float32)
    there = np.broadcast_to(seen, shape).astype(np.float32)
    label = np.zeros(shape[:2], np.int16)
    canvas = Canvas(Window(0.0, 0.0, 21, 21), there, bare, np.zeros(shape, np.float32), label, LIGHT, (1.0,))
    return float(bare_likelihoods(canvas)[0][10, 10])


def test_a_lit_face_is_explained_fully() -> None:
    assert likelihood_of(BARE) > -0.01


def test_a_shadow_of_the_faces_own_hue_costs_no_more_than_a_shadow() -> None:
    assert likelihood_of(0.4 * BARE) > -SHADOW_COST - 0.1


def test_a_black_piece_is_no_deep_shadow_on_a_green_face() -> None:
    # as dark as the deepest shadow, but grey: a tolerance of the lit face's colour would let it pass
    assert likelihood_of(np.array([42.0, 37.0, 36.0])) < -SHADOW_COST - 2.0
