"""What a piece looks like is told in the light of the face it stands on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.pieces.likelihood_maps import PieceLooks, margin_in_own_light, margin_in_shadow
from vision.pieces.shapes import Hypothesis

COLOURS = PieceColours.from_rgb({"gray": (120, 120, 120), "white": (220, 220, 220)})
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
BOX, TOP = (slice(0, 60), slice(0, 100)), (slice(20, 40), slice(72, 92))


def canvas(levels: tuple[float, float]) -> Canvas:
    """Two faces side by side in different light, the left one wider; a white top on the right one."""
    label = np.zeros((60, 100), np.int16)
    label[:, 65:] = 1
    bare = np.where(label[..., None] == 0, 40.0 * levels[0], 40.0 * levels[1]) * np.ones(3)
    seen = bare.copy()
    white = COLOURS.array()[[1]]
    seen[TOP] = LIGHT.expect(white, np.zeros((1, 2)), levels[1])[0]
    window = Window(0.0, 0.0, 100, 60)
    both = (seen.astype(np.float32), bare.astype(np.float32))
    return Canvas(window, *both, np.zeros_like(both[0]), label, LIGHT, levels, (), None)


def standing(colour: int) -> Hypothesis:
    every = np.ones((20, 20), np.float32)
    none = np.zeros((20, 20), np.float32)
    return Hypothesis(colour, 0, np.array([82.0, 30.0]), TOP, every, none, none, none, 0.0)


@pytest.mark.parametrize("right", [0.7, 0.8])
def test_white_in_the_shade_beside_a_brighter_face_is_not_surely_gray(right: float) -> None:
    dim = canvas((1.1, right))
    gray, white = (margin_in_own_light(dim, COLOURS, BOX, standing(colour), [0, 1]) for colour in (0, 1))
    assert gray < 0.0 < white


def test_where_faces_are_lit_alike_nothing_is_told_anew() -> None:
    assert margin_in_own_light(canvas((1.0, 1.02)), COLOURS, BOX, standing(0), [0, 1]) == float("inf")


@pytest.mark.parametrize("light", [1.0, 0.63, 0.45])
def test_what_a_piece_in_a_shadow_is_taken_for_looks_less_like_it_than_its_own_colour_does(light: float) -> None:
    workers = PieceColours.from_rgb({"red": (200, 40, 30), "yellow": (240, 200, 40)})
    black = canvas((1.0, 1.0))
    black.seen[TOP] = light * LIGHT.expect(workers.array()[[0]], np.zeros((1, 2)))[0]
    red, yellow = (margin_in_shadow(black, workers, BOX, standing(colour), [0, 1]) for colour in (0, 1))
    assert yellow < 0.0 < red


def test_a_top_beside_an_edge_of_light_may_lie_in_either_and_print_makes_no_piece_for_it() -> None:
    told = canvas((1.0, 1.0))
    gray = LIGHT.expect(COLOURS.array()[[0]], np.zeros((1, 2)))[0]
    told.seen[TOP] = 1.6 * gray  # it stands in the sun, and is brightened as if it stood in the shade
    either = replace(told, otherwise=told.seen / 1.6)
    alone, with_other = (PieceLooks.of(one, COLOURS, BOX).tops()[0] for one in (told, either))
    assert alone[TOP].mean() < -5.0
    assert with_other[TOP].mean() > -2.5
    likelier = np.abs(with_other - alone) > 0.0
    likelier[10:50, 62:100] = False  # the piece, and what lies within half a top
    assert not likelier.any()
    as_told = replace(told, otherwise=told.seen.copy())
    assert (PieceLooks.of(as_told, COLOURS, BOX).tops()[0] == alone).all()
