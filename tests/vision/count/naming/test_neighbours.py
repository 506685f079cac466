"""Tests of names that pieces of one picture give each other, where the light differs over the table."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.count.naming.neighbours import Lights, lit_alike, log_chance, name_by_neighbours

Floats = NDArray[np.float64]

COPPER, BRASS = 0, 1
LOOKS = np.array([[0.35, 0.0, 0.0], [0.0, 0.0, 0.0]])  # red, blue and brightness of copper and of brass
OWNERS = np.array([COPPER, BRASS])
UNKNOWN = float(log_chance(np.array(36.0)))
ROW = np.array([0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1])
PLACES = np.stack([2.2 * np.arange(len(ROW)), np.zeros(len(ROW))], axis=1)  # in radii: they all but touch


def _named(found: Floats, places: Floats | None, lights: Floats = LOOKS[None]) -> tuple[Floats, Floats]:
    """(L, N, 3) chances and (L,) log chances of lights, all looks as likely at first as they fit alone."""
    off = (found[None, :, None] - lights[:, None]) / 0.13
    chances = log_chance((off**2).sum(axis=3))
    own = Lights(lights, np.zeros(len(lights)), chances, np.zeros_like(chances))
    return name_by_neighbours(found, np.zeros_like(found), own, OWNERS, lit_alike(places, len(found)), UNKNOWN)


def _in_drifting_light(names: NDArray[np.int64]) -> Floats:
    """(N, 3) features of a row of pieces, redder by 0.4 from its left end to its right."""
    found = LOOKS[names]
    found[:, 0] += np.linspace(-0.2, 0.2, len(names))
    return found


def test_pieces_are_named_where_the_light_drifts_by_more_than_colours_differ() -> None:
    found = _in_drifting_light(ROW)
    assert found[ROW == BRASS, 0].max() > found[ROW == COPPER, 0].min()  # no one line divides them
    p, _ = _named(found, PLACES)
    assert (p[0].argmax(axis=1) == ROW).all()
    assert p[0, np.arange(len(ROW)), ROW].min() > 0.8


def test_the_same_pieces_are_not_named_right_where_their_places_are_not_known() -> None:
    p, _ = _named(_in_drifting_light(ROW), None)
    assert (p[0].argmax(axis=1) != ROW).any()


def test_chances_of_a_piece_add_up_to_one() -> None:
    p, fit = _named(_in_drifting_light(ROW), PLACES, np.stack([LOOKS, LOOKS + 0.3]))
    assert p.shape == (2, len(ROW), 3)
    assert fit.shape == (2,)
    assert p.sum(axis=2) == pytest.approx(np.ones((2, len(ROW))))


def test_the_light_that_bends_the_pieces_least_is_the_likeliest() -> None:
    _, fit = _named(LOOKS[ROW], PLACES, np.stack([LOOKS + 0.3, LOOKS, LOOKS - 0.3]))
    assert fit.argmax() == 1


def test_what_is_like_no_colour_is_unknown_and_does_not_bend_its_neighbours() -> None:
    found = LOOKS[ROW].copy()
    found[6] += np.array([-2.0, 2.0, 1.0])
    p, _ = _named(found, PLACES)
    assert p[0, 6].argmax() == 2
    others = np.arange(len(ROW)) != 6
    assert (p[0].argmax(axis=1) == ROW)[others].all()


def test_one_piece_alone_is_named_by_what_it_looks_like() -> None:
    p, _ = _named(LOOKS[:1], PLACES[:1])
    assert p[0, 0].argmax() == COPPER


def test_light_is_shared_by_those_that_touch_and_not_across_the_table() -> None:
    alike = lit_alike(np.array([[0.0, 0.0], [2.0, 0.0], [30.0, 0.0]]), 3)
    assert alike[0, 1] > 0.9
    assert alike[0, 2] < 0.01
    assert not lit_alike(None, 3).any()
