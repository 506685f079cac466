"""Pieces are named in one unknown light for a whole picture; what another light would name otherwise is not sure."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.appearance.looks import PieceLook, light_of, rings_of
from vision.count.counting import count_pieces
from vision.count.naming import names as naming
from vision.count.naming.names import Names, is_coated, may_be_metal, name_pieces
from vision.count.teaching.colours import PieceColour
from vision.count.teaching.references import learn_colour
from vision.srgb import LINEAR

RED, ORANGE, BLUE = (0.03, 0.04, 0.45), (0.04, 0.16, 0.5), (0.4, 0.09, 0.03)
TAUGHT = light_of([PieceLook(c, c) for c in (RED, ORANGE, BLUE)])
OWNERS = np.arange(3)


def seen(colours, gains=(1.0, 1.0, 1.0), spread=0.04):
    """Pieces of these colours in one light, each a little different."""
    rng = np.random.default_rng(3)
    light = light_of([PieceLook(c, c) for c in colours]) * np.array(gains)
    return light * np.exp(rng.normal(0, spread, (len(colours), 1, 3)))


@pytest.mark.parametrize(
    "gains", [(1.0, 1.0, 1.0), (0.6, 0.9, 1.2), (1.3, 1.0, 0.8), (0.5, 0.5, 0.5), (0.7, 1.0, 0.95)]
)
def test_one_light_over_all_pieces_changes_no_name(gains):
    colours = [RED, ORANGE, BLUE] * 4
    names = name_pieces(TAUGHT, OWNERS, seen(colours, gains), ringed=True)
    assert names.p.argmax(axis=1).tolist() == [0, 1, 2] * 4


def test_a_picture_of_one_colour_that_another_light_explains_is_not_sure():
    ivory, white = (0.45, 0.66, 0.75), (0.68, 0.7, 0.7)
    taught = light_of([PieceLook(c, c) for c in (ivory, white)])
    between = tuple(np.sqrt(np.array(ivory) * np.array(white)))
    alone = name_pieces(taught, np.arange(2), seen([between] * 6, spread=0.02), ringed=True)
    both = name_pieces(taught, np.arange(2), seen([ivory, white] * 3, (0.8, 1.0, 1.05), 0.02), ringed=True)
    assert alone.together < 0.9
    assert both.p.argmax(axis=1).tolist() == [0, 1] * 3


@pytest.mark.parametrize("scales", [0, 2])
def test_names_are_the_same_however_many_lights_are_weighed_at_once(scales, monkeypatch):
    colours = [RED, ORANGE, BLUE] * 2
    sizes = np.log(np.random.default_rng(5).uniform(0.5, 1.0, (scales, 6, 3))) if scales else None
    given = (TAUGHT, OWNERS, seen(colours, (0.7, 0.9, 1.1)), True, True, sizes)
    many = name_pieces(*given)
    monkeypatch.setattr(naming, "AT_ONCE", 100)  # numbers: five lights
    few = name_pieces(*given)
    assert many.p.argmax(axis=1).tolist() == [0, 1, 2] * 2
    np.testing.assert_allclose(few.p, many.p, rtol=1e-5, atol=1e-9)
    assert few.together == pytest.approx(many.together, rel=1e-5)


def test_a_piece_of_no_taught_colour_is_unknown():
    green = (0.05, 0.5, 0.05)
    names = name_pieces(TAUGHT, OWNERS, seen([RED, ORANGE, BLUE, BLUE, green]), ringed=True)
    assert names.p.argmax(axis=1).tolist() == [0, 1, 2, 2, 3]


def test_pieces_whose_rings_show_more_of_their_pale_spots_than_those_that_taught_are_named():
    face, ring = (0.05, 0.4, 0.05), (0.115, 0.42, 0.115)
    taught = light_of([PieceLook(c, c) for c in (RED, face, BLUE)])
    spotted = light_of([PieceLook(RED, RED), PieceLook(BLUE, BLUE), *[PieceLook(face, ring)] * 6])
    spotted = spotted * np.exp(np.random.default_rng(3).normal(0, 0.02, (8, 1, 3)))
    names = name_pieces(taught, OWNERS, spotted, ringed=True)
    assert names.p.argmax(axis=1).tolist() == [0, 2] + [1] * 6


def test_pieces_of_two_metals_are_told_by_face_and_ring():
    brass, steel = (0.06, 0.22, 0.3), (0.24, 0.27, 0.29)
    taught = light_of([PieceLook(brass, brass), PieceLook(steel, brass), PieceLook(brass, steel)])
    warm = taught[[0, 1, 2, 0, 1]] * np.array([0.7, 0.95, 1.1])
    names = name_pieces(taught, np.array([0, 1, 1]), warm, ringed=True)
    assert names.p.argmax(axis=1).tolist() == [0, 1, 1, 0, 1]


def test_nothing_seen_is_named_with_certainty():
    names = name_pieces(TAUGHT, OWNERS, np.zeros((0, 2, 3)), ringed=True)
    assert (names.p.shape, names.together) == ((0, 4), 1.0)


def test_colours_taught_in_lights_of_their_own_are_told_less_surely():
    brass, copper = (0.1, 0.3, 0.42), (0.09, 0.22, 0.4)
    taught = light_of([PieceLook(c, c) for c in (brass, copper)])
    pieces = seen([copper, copper, brass], spread=0.01)
    together = name_pieces(taught, np.arange(2), pieces, ringed=True)
    apart = name_pieces(taught, np.arange(2), pieces, ringed=True, one_photograph=False)
    assert apart.p.argmax(axis=1).tolist() == together.p.argmax(axis=1).tolist() == [1, 1, 0]
    assert apart.together < together.together


def test_looks_remember_which_picture_taught_them():
    first, second = (np.full((60, 120, 3), level, np.uint8) for level in (90, 140))
    boxes = [(0, 0, 50, 50), (60, 0, 50, 50)]
    one = learn_colour("grey", [(first, boxes[:1]), (first, boxes[1:])])
    two = learn_colour("grey", [(first, boxes), (second, boxes[:1])])
    assert len({look.photograph for look in one.looks}) == 1
    assert [look.photograph == two.looks[0].photograph for look in two.looks] == [True, True, False]


def test_a_printed_piece_that_mirrors_a_lamp_is_not_the_white_one():
    purple, white, green = (0.07, 0.017, 0.04), (0.28, 0.3, 0.3), (0.03, 0.1, 0.014)
    taught = light_of([PieceLook(c, c) for c in (purple, white, green)])
    shown = seen([purple, white, green] * 3, (1.8, 1.8, 1.8), 0.01)
    shown[0] += 0.2
    named = [
        name_pieces(taught, np.arange(3), shown, ringed=True, printed=printed).p.argmax(axis=1)[0]
        for printed in (False, True)
    ]
    assert named[0] != 0
    assert named[1] == 0


def test_a_coated_piece_that_mirrored_a_window_when_it_taught_is_named_where_it_mirrors_none():
    washed, white, green = (0.38, 0.17, 0.14), (0.5, 0.5, 0.5), (0.04, 0.13, 0.03)
    taught = light_of([PieceLook(c, c) for c in (washed, white, green)])
    blue = tuple(np.array(washed) - 0.13)
    shown = seen([white, green, blue, blue, white, green], spread=0.02)
    names = [name_pieces(taught, OWNERS, shown, ringed=True, coated=c).p.argmax(axis=1).tolist() for c in (False, True)]
    assert names == [[1, 2, 3, 3, 1, 2], [1, 2, 0, 0, 1, 2]]


def test_a_vivid_piece_that_was_nearly_all_window_when_it_taught_is_named_where_it_mirrors_none():
    washed, white, red = (0.138, 0.191, 0.117), (0.56, 0.55, 0.58), (0.001, 0.001, 0.22)
    vivid = (0.023, 0.078, 0.0025)
    taught = light_of([PieceLook(c, c) for c in (washed, white, red)])
    shown = seen([white, red, vivid, vivid, white, red], spread=0.02)
    names = name_pieces(taught, OWNERS, shown, ringed=True, coated=True)
    assert names.p.argmax(axis=1).tolist() == [1, 2, 0, 0, 1, 2]


def test_a_room_that_lay_on_all_that_taught_and_not_here_is_taken_off():
    """Linear RGB of rendered candies: taught on a white table, seen in half as much light again on a dark one. Purple
    and red lost as much green and blue by the table as the lamp gave them, orange, whose green is its own, did not.
    """
    orange, red, purple, yellow = (1.0, 0.392, 0.052), (1.0, 0.042, 0.06), (0.2, 0.045, 0.134), (1.0, 1.0, 0.056)
    rgb = [(1.0, 0.248, 0.045), (0.855, 0.051, 0.056), (0.13, 0.053, 0.093), (1.0, 1.0, 0.053)]
    taught = light_of([PieceLook(c[::-1], c[::-1]) for c in rgb])
    here = [orange] * 2 + [red] * 6 + [purple] * 7 + [yellow] * 5
    pieces = light_of([PieceLook(c[::-1], c[::-1]) for c in here])
    names = name_pieces(taught, np.arange(4), pieces, ringed=True, coated=True, printed=True)
    assert names.p.argmax(axis=1).tolist() == [0] * 2 + [1] * 6 + [2] * 7 + [3] * 5
    assert names.p.max(axis=1).min() > 0.98


def test_a_black_piece_is_no_white_one_that_was_all_window_when_it_taught():
    green, white, red = (0.03, 0.1, 0.014), (0.56, 0.55, 0.58), (0.001, 0.001, 0.22)
    taught = light_of([PieceLook(c, c) for c in (green, white, red)])
    shown = seen([white, red, white, red, white, red, (0.012, 0.012, 0.012)], spread=0.02)
    bare, coated = (name_pieces(taught, OWNERS, shown, ringed=True, coated=c).p[-1] for c in (False, True))
    assert coated.argmax() == 3
    assert coated[1] < 2 * bare[1]


@pytest.mark.parametrize(
    ("colours", "coated"),
    [
        (((0.03, 0.12, 0.25), (0.25, 0.27, 0.29), (0.02, 0.04, 0.16)), False),
        ((RED, BLUE), True),
        ((RED, ORANGE), True),
        (((0.1, 0.12, 0.3), (0.7, 0.7, 0.7), (0.2, 0.06, 0.2)), True),
    ],
)
def test_blue_green_and_purple_pieces_are_of_no_metal(colours, coated):
    assert is_coated(light_of([PieceLook(c, c) for c in colours])) is coated


@pytest.mark.parametrize(
    ("colours", "metal"),
    [
        (((0.03, 0.12, 0.25), (0.25, 0.27, 0.29), (0.02, 0.04, 0.16)), True),
        (((0.014, 0.011, 0.198), (0.38, 0.40, 0.41)), False),
        ((RED, BLUE), False),
    ],
)
def test_what_has_saturated_colours_is_no_metal(colours, metal):
    assert may_be_metal(light_of([PieceLook(c, c) for c in colours]), np.zeros((0, 3))) is metal


@pytest.mark.parametrize(
    ("face", "ring", "metal"),
    [
        ((0.0110, 0.0176, 0.0802), (0.0110, 0.0144, 0.0578), True),  # copper coins, photographed: dark,
        ((0.0194, 0.0273, 0.1274), (0.0194, 0.0296, 0.1812), True),  # and beside something red
        ((0.701, 0.445, 0.991), (0.604, 0.386, 1.0), False),  # pink sugar, rendered: partly blown out,
        ((0.2346, 0.1441, 0.5333), (0.227, 0.1329, 0.5089), False),  # and not
        ((0.0356, 0.0130, 0.0452), (0.0307, 0.0103, 0.0423), False),  # purple sugar, rendered
    ],
)
def test_copper_in_dark_and_red_surroundings_is_metal_and_pink_and_purple_sugar_is_none(face, ring, metal):
    piece = PieceLook(face, ring, rings=(ring,) * 9, mixed=(0.0,) * 9)
    assert may_be_metal(light_of([piece]), rings_of([piece])) is metal
    assert is_coated(light_of([piece])) is not metal


@pytest.mark.parametrize(
    ("body", "metal"), [((0.03, 0.12, 0.25), True), ((0.45, 0.2, 0.06), False), ((0.05, 0.03, 0.4), False)]
)
def test_a_chip_whose_pale_label_might_be_metal_is_none_by_its_body(body, metal):
    label = (0.45, 0.46, 0.5)
    chip = PieceLook(label, label, rings=(label,) * 6 + (body,) * 3, mixed=(0.0,) * 9)
    assert may_be_metal(light_of([chip]), rings_of([chip])) is metal


def test_other_names_hold_for_pieces_that_have_one_and_the_smaller_chance_for_all() -> None:
    plain = Names(np.array([[0.9, 0.1, 0.0], [0.1, 0.1, 0.8]]), 0.9, np.ones(3))
    veiled = Names(np.array([[0.2, 0.8, 0.0], [0.7, 0.2, 0.1]]), 0.6, 2 * np.ones(3))
    both = plain.where_known(veiled)
    assert both.p.argmax(axis=1).tolist() == [1, 2]
    assert both.together == 0.6
    unnamed = Names(np.array([[0.0, 0.2, 0.8], [0.1, 0.1, 0.8]]), 0.9, np.ones(3))
    named = unnamed.where_known(veiled, np.array([True, False]))
    assert named.p.argmax(axis=1).tolist() == [1, 2]
    assert named.together == pytest.approx(0.2)
    nothing = Names(np.zeros((0, 3)), 1.0, np.ones(3))
    assert nothing.where_known(nothing).together == 1.0


def test_a_print_outweighs_the_cast_of_metal_that_was_taught_in_several_photographs() -> None:
    copper, brass = np.array([0.06, 0.12, 0.28]), np.array([0.09, 0.20, 0.30])
    taught = light_of([PieceLook(tuple(c * w), tuple(c * w)) for c in (copper, brass) for w in (0.9, 1.1)])
    between = tuple(copper * 0.85 + brass * 0.15)
    seen = light_of([PieceLook(tuple(metal), tuple(metal)) for metal in (between, brass, copper)])
    prints = np.zeros((1, 3, 4))
    prints[0, 0, 2:] = 3.0  # the first piece bears the print of brass
    owners = np.array([0, 0, 1, 1])
    given = (taught, owners, seen, True, False, prints)
    assert name_pieces(*given, metal=True).p.argmax(axis=1).tolist() == [1, 1, 0]
    assert name_pieces(*given).p.argmax(axis=1).tolist() == [0, 1, 0]


COPPER, GOLD, SILVER = (0.07, 0.12, 0.28), (0.07, 0.19, 0.29), (0.16, 0.22, 0.28)


def between(share):
    """The colour with so much of copper and the rest of gold."""
    return np.exp(share * np.log(COPPER) + (1 - share) * np.log(GOLD))


def test_gold_coins_that_look_like_copper_ones_are_gold_where_some_prints_say_so() -> None:
    taught = light_of([PieceLook(face, ring) for face, ring in ((COPPER, COPPER), (GOLD, GOLD), (SILVER, GOLD))])
    light = between(0.8) * np.exp(np.random.default_rng(1).normal(0, 0.04, (50, 1, 3)))
    prints = np.zeros((1, 50, 3))
    prints[0, :15, 1] = 2.0
    names = name_pieces(taught, np.arange(3), np.repeat(light, 2, axis=1), True, True, prints, metal=True)
    assert names.p.argmax(axis=1).tolist() == [1] * 50


def test_a_coin_between_two_metals_is_of_the_redder_one_whose_coins_differ_more() -> None:
    taught = light_of([PieceLook(metal, metal) for metal in (COPPER, GOLD)])
    pieces = [COPPER] * 4 + [GOLD] * 4 + [between(0.48)]
    names = name_pieces(taught, np.arange(2), light_of([PieceLook(p, p) for p in pieces]), True, True, metal=True)
    assert names.p.argmax(axis=1).tolist() == [0] * 4 + [1] * 4 + [0]


def test_coins_are_not_named_by_glints_at_their_rims_that_are_farther_apart_than_their_metals() -> None:
    gold, silver = (0.10, 0.19, 0.25), (0.2, 0.2, 0.2)
    taught = [
        PieceColour("copper", COPPER, (0, 0, 0), (PieceLook(COPPER, COPPER, 0.9),)),
        PieceColour("gold", GOLD, (0, 0, 0), (PieceLook(GOLD, GOLD, 0.9, edge_bgr=gold),)),
        PieceColour("two", SILVER, (0, 0, 0), (PieceLook(SILVER, GOLD, 0.9, edge_bgr=silver),)),
    ]
    picture = np.full((400, 700, 3), (60, 40, 30), np.uint8)
    for k in range(6):
        xy = (130 + 210 * (k % 3), 110 + 180 * (k // 3))
        cv2.circle(picture, xy, 60, _srgb(GOLD), -1, cv2.LINE_AA)
        cv2.circle(picture, xy, 42, _srgb(SILVER if k < 4 else GOLD), -1, cv2.LINE_AA)
    assert count_pieces(picture, taught).counts == {"copper": 0, "gold": 2, "two": 4}


def _srgb(linear):
    """The bytes of which a camera's light is this."""
    return [int(np.abs(LINEAR - part).argmin()) for part in linear]


@pytest.mark.parametrize("printed", [False, True])
def test_lights_that_some_pieces_rule_out_change_nothing_by_all(printed, monkeypatch):
    colours = ([RED, ORANGE, BLUE] * 23)[:61]
    pieces = seen(colours, (0.7, 1.0, 0.95), spread=0.08)
    some = name_pieces(TAUGHT, OWNERS, pieces, ringed=False, coated=True, printed=printed)
    monkeypatch.setattr(naming, "RULED_OUT", np.inf)
    every = name_pieces(TAUGHT, OWNERS, pieces, ringed=False, coated=True, printed=printed)
    assert some.p == pytest.approx(every.p, abs=1e-6)
    assert some.together == pytest.approx(every.together, abs=1e-4)
    assert some.gains == pytest.approx(every.gains)
