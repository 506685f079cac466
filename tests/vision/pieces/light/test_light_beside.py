"""What looks like a piece is print where the light beside it, or a brighter one of its own, explains it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, from_light, to_light
from vision.pieces.light.light_beside import LightBeside
from vision.pieces.likelihood_maps import bare_likelihoods, inner_pixels
from vision.pieces.shapes import Hypothesis

LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0)
SIDE = 70
TOP = (slice(28, 44), slice(26, 42))
EVERYWHERE = (slice(0, SIDE), slice(0, SIDE))
NOTHING = np.zeros((SIDE, SIDE), np.float32)


def beside(seen: np.ndarray, bare: np.ndarray) -> LightBeside:
    plain = Canvas.without_faces(np.zeros(seen.shape, np.uint8), Window(0.0, 0.0, SIDE, SIDE), LIGHT)
    noisy = (seen + np.random.default_rng(5).normal(0, 2, seen.shape)).astype(np.float32)
    canvas = replace(plain, seen=noisy, bare=bare, label=np.zeros(bare.shape[:2], np.int16), face_levels=(1.0,))
    return LightBeside(canvas, bare_likelihoods(canvas)[0], inner_pixels(canvas))


def print_of(seed: int) -> np.ndarray:
    """Dark mottled print, (SIDE, SIDE, 3) float32."""
    rough = np.random.default_rng(seed).normal(0, 1, (SIDE, SIDE, 3)).astype(np.float32)
    return np.asarray(np.clip(50 + 40 * cv2.GaussianBlur(rough, (0, 0), 2.0), 5, 255), np.float32)


def piece(gain: float = 0.0) -> Hypothesis:
    whole, none = np.ones((16, 16), np.float32), np.zeros((16, 16), np.float32)
    return Hypothesis(0, 0, np.array([34.0, 36.0]), TOP, whole, none, gain * whole, none, 40.0)


@pytest.mark.parametrize(("gain", "gloss"), [(1.0, 0.05), (1.8, 0.0)])
def test_gloss_or_brighter_light_all_around_explains_the_print_there(gain: float, gloss: float) -> None:
    bare = print_of(1)
    glossy = np.asarray(from_light(to_light(bare) * gain + gloss), np.float32)
    assert beside(glossy, bare).speaks_for_print(piece(), EVERYWHERE, NOTHING) > 50


def test_a_piece_on_bare_print_is_not_explained_by_light() -> None:
    bare = print_of(1)
    seen = bare.copy()
    seen[TOP] = (40.0, 70.0, 110.0)
    assert beside(seen, bare).speaks_for_print(piece(), EVERYWHERE, NOTHING) < 5


def test_a_piece_whose_shadow_lies_on_a_third_of_the_print_around_is_not_explained_by_it() -> None:
    bare = print_of(1)
    seen = bare.copy()
    seen[TOP[0], 42:54] *= 0.5
    seen[TOP] = (40.0, 70.0, 110.0)
    assert beside(seen, bare).speaks_for_print(piece(), EVERYWHERE, NOTHING) < 5


def test_where_other_pieces_cover_the_print_around_nothing_is_told() -> None:
    bare = print_of(1)
    glossy = np.asarray(from_light(to_light(bare) + 0.05), np.float32)
    covered = np.ones((SIDE, SIDE), np.float32)
    assert beside(glossy, bare).speaks_for_print(piece(), EVERYWHERE, covered) == 0.0


def test_print_in_sun_that_ends_at_its_rim_is_explained_by_a_brighter_light_alone() -> None:
    bare = print_of(1)
    seen = bare.copy()
    seen[TOP] = from_light(to_light(bare[TOP]) * 1.5 + 0.1)
    light = beside(seen, bare)
    assert light.speaks_for_print(piece(), EVERYWHERE, NOTHING) < 5
    assert light.speaks_for_brighter_print(piece(), EVERYWHERE, NOTHING) > 150


@pytest.mark.parametrize("bgr", [(40.0, 70.0, 200.0), (190.0, 60.0, 60.0), (4.0, 4.0, 4.0)])
def test_no_brighter_light_explains_a_piece(bgr: tuple[float, float, float]) -> None:
    bare = print_of(1)
    seen = bare.copy()
    seen[TOP] = bgr
    assert beside(seen, bare).speaks_for_brighter_print(piece(), EVERYWHERE, NOTHING) < 10


def test_what_is_as_plain_as_a_piece_is_no_bold_print_in_a_brighter_light() -> None:
    bare = print_of(1)
    bare[28:44, 26:34] += 40.0
    lit = np.asarray(from_light(to_light(bare) + 0.3), np.float32)
    plain = bare.copy()
    plain[TOP] = lit[TOP].mean((0, 1))
    assert beside(plain, bare).speaks_for_brighter_print(piece(), EVERYWHERE, NOTHING) == 0.0
    printed = bare.copy()
    printed[TOP] = lit[TOP]
    assert beside(printed, bare).speaks_for_brighter_print(piece(), EVERYWHERE, NOTHING) > 150


def test_of_a_piece_that_others_hide_no_brighter_light_is_told() -> None:
    bare = print_of(1)
    covered = np.ones((SIDE, SIDE), np.float32)
    assert beside(bare * 1.5, bare).speaks_for_brighter_print(piece(), EVERYWHERE, covered) == 0.0


def test_print_on_the_edge_of_a_shade_that_goes_on_beside_it_is_explained_in_either_light() -> None:
    bare = print_of(1)
    shade = bare.copy()
    shade[:, 36:] *= 0.6  # over the right of the place
    light = beside(shade, bare)
    assert light.speaks_for_print(piece(), EVERYWHERE, NOTHING) < -40
    assert light.speaks_for_print(piece(), EVERYWHERE, NOTHING, in_either=True) > 0
    dark = shade.copy()
    dark[TOP] *= 0.25
    assert beside(dark, bare).speaks_for_print(piece(), EVERYWHERE, NOTHING, in_either=True) < -40


def test_only_a_brighter_light_beside_the_place_counts_where_a_piece_may_cast_the_shade() -> None:
    bare = print_of(1)
    pane = bare.copy()
    pane[:, 36:] = from_light(to_light(bare[:, 36:]) * 2.0)  # sun, over the right of the place
    sunny = beside(pane, bare)
    assert sunny.speaks_for_print(piece(), EVERYWHERE, NOTHING) < 0
    assert sunny.speaks_for_print(piece(), EVERYWHERE, NOTHING, in_either=True, if_brighter=True) > 0
    shade = bare.copy()
    shade[:, 36:] *= 0.6
    shaded = beside(shade, bare)
    assert shaded.speaks_for_print(piece(), EVERYWHERE, NOTHING, in_either=True, if_brighter=True) < -40
