"""A drawn grey table in a shadow and under a hand: which of it is only in other light."""

from __future__ import annotations

import numpy as np
import pytest

from vision.view.other_light import in_other_light, is_of_no_skin
from vision.view.reach import picture_edge, without_light

GREY_BGR = (118.0, 122.0, 124.0)


def picture(*patches: tuple[slice, tuple[float, float, float]]) -> np.ndarray:
    view = np.full((60, 90, 3), GREY_BGR)
    for columns, colour in patches:
        view[:, columns] = colour
    return (view + np.random.default_rng(2).normal(0, 3, view.shape)).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("shadow", [(50, 52, 53), (62, 54, 46), (190, 195, 198)])
def test_a_grey_table_in_a_grey_or_a_bluish_shadow_or_in_more_light_is_the_same(shadow):
    assert in_other_light((picture(),), picture((slice(30, 60), shadow)), 2.0).mean() > 0.9


@pytest.mark.parametrize("skin", [(140, 172, 224), (54, 78, 122), (40, 56, 88)])
def test_a_hand_on_a_grey_table_is_no_other_light(skin):
    same = in_other_light((picture(),), picture((slice(30, 60), skin)), 2.0)
    assert not same[:, 36:54].any()
    assert same[:, :24].all()


def test_a_crimson_table_in_a_shadow_is_the_same_and_a_brown_hand_on_it_is_not():
    crimson = slice(0, 90), (72, 38, 205)
    dark = slice(30, 60), (30, 16, 95)
    assert in_other_light((picture(crimson),), picture(crimson, dark), 2.0).mean() > 0.9
    for skin in ((140, 172, 224), (54, 78, 122), (40, 56, 88), (26, 54, 110)):  # the last in a warm lamp's light
        assert not in_other_light((picture(crimson),), picture(crimson, (slice(30, 60), skin)), 2.0)[:, 36:54].any()


def test_of_what_came_in_a_shadow_is_left_out_and_a_dark_sleeve_with_its_hand_is_not():
    came = np.zeros((60, 90), bool)
    came[20:50, 30:] = True
    light, edge = np.ones((60, 90), bool), picture_edge(np.ones((60, 90), bool), 1.0)
    assert not without_light(came, light, edge, 1.0).any()
    light[25:45, 30:48] = False  # the hand
    assert (without_light(came, light, edge, 1.0) == came).all()


def test_light_before_a_hand_that_rests_at_the_rim_is_no_part_of_it():
    came, light = np.zeros((60, 120), bool), np.ones((60, 120), bool)
    came[20:50, 30:] = True
    light[20:50, 90:] = False  # the hand
    left = without_light(came, light, picture_edge(light | ~light, 1.0), 1.0)
    assert not left[:, :88].any()
    assert left[25:45, 92:].all()


@pytest.mark.parametrize(("table", "none"), [((104, 20, 96), True), ((40, 90, 40), True), ((40, 80, 120), False)])
def test_what_had_the_colour_of_skin_before_rests_on_a_table_that_has_it_nowhere(
    table: tuple[float, float, float], none: bool
) -> None:
    cloth, hand = (slice(0, 90), table), (slice(0, 40), (110, 140, 190))
    blue, green, red = table
    before = picture(cloth, hand)
    shaded = picture((cloth[0], (0.6 * blue, 0.6 * green, 0.6 * red)), (hand[0], (66, 84, 114)))
    assert is_of_no_skin(np.array(table)) == none
    assert not in_other_light((before,), shaded, 2.0)[:, :36].any()
    assert in_other_light((before,), shaded, 2.0, hands_rest=True)[:, :36].all()
    farther = picture(cloth, (slice(0, 70), (110, 140, 190)))
    if none:
        assert not in_other_light((before,), farther, 2.0, hands_rest=True)[:, 46:64].any()
