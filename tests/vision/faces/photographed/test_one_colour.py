"""Pieces of one colour are told by all of a photograph together, though its camera turns hues."""

from __future__ import annotations

import numpy as np
import pytest

from vision.faces.chance import OTHER_INK
from vision.faces.photographed.one_colour import GAMMA, SeenColour, hues_behind, main_colour, of_one_colour

KINDS = ("red", "orange", "yellow", "green", "blue", "white")
LEARNT = np.array([(45, 30, 190), (30, 110, 230), (50, 205, 225), (75, 155, 45), (180, 95, 35), (225, 230, 230)]) / 255


def as_shown(colour: np.ndarray, light: np.ndarray) -> np.ndarray:
    """The encoded colour (3,) that a camera with the matrix `light` (3, 3) on linear values shows."""
    return np.clip(light @ colour**GAMMA, 0, 1) ** (1 / GAMMA)


def seen(number: int, light: np.ndarray) -> SeenColour:
    """A piece of kind `number`, to be told from all kinds."""
    return SeenColour(np.tile(as_shown(LEARNT[number], light), (6, 1)), LEARNT, np.arange(6))


def turned(share: float) -> np.ndarray:
    """A camera that mixes a share of red into green, which is to make orange of red; grey stays grey."""
    return np.array([[1, 0, 0], [0, 1 - share, share], [0, 0, 1]])


def hue(colour: np.ndarray) -> float:
    """Green of a warm colour between its blue (0) and its red (1)."""
    return float((colour[1] - colour[0]) / (colour[2] - colour[0]))


def test_a_camera_that_turns_hues_is_told_by_the_other_pieces_of_its_photograph() -> None:
    light = turned(0.15)
    shown, red, orange = (hue(c) for c in (as_shown(LEARNT[0], light), LEARNT[0], LEARNT[1]))
    assert abs(shown - orange) < abs(shown - red)  # by itself the red piece is more like the orange one that was learnt
    told = hues_behind([seen(k, light) for k in range(6)])
    assert [min(one, key=lambda kind: one[kind].behind) for one in told] == list(range(6))


@pytest.mark.parametrize("exposure", [0.2, 1.0])
def test_a_piece_whose_colour_was_learnt_is_right_in_any_exposure(exposure: float) -> None:
    told = hues_behind([seen(k, exposure * np.eye(3)) for k in (0, 1, 1, 3, 4)])
    for one, kind in zip(told, (0, 1, 1, 3, 4), strict=True):
        assert one[kind].behind == 0
        assert min(hue.behind for k, hue in one.items() if k != kind) > 1


def test_one_red_piece_is_less_sure_than_one_beside_an_orange_one() -> None:
    alone = hues_behind([seen(0, np.eye(3)), seen(0, np.eye(3))])[0]
    beside = hues_behind([seen(k, np.eye(3)) for k in range(6)])[0]
    assert alone[1].behind < beside[1].behind


def test_dark_red_pieces_are_not_bright_orange_ones_where_the_others_are_as_bright_as_learnt() -> None:
    learnt = np.array([(15, 10, 160), (17, 44, 219), (1, 170, 188), (67, 136, 1), (110, 60, 40), (168, 177, 191)]) / 255
    red_with_gloss = learnt[0] + 10 / 255
    shown = [red_with_gloss] * 4 + [learnt[2], learnt[2], learnt[4], learnt[5]]
    told = hues_behind([SeenColour(np.tile(colour, (6, 1)), learnt, np.arange(6)) for colour in shown])
    assert all(one[0].behind == 0 and one[1].behind > 2 for one in told[:4])


def test_two_readings_that_a_light_explains_alike_are_both_seen_however_many_shapes_an_ink_has() -> None:
    inks = np.array([(24, 25, 164), (15, 92, 222), (35, 165, 226), (58, 111, 33), (166, 58, 37), (122, 24, 123)]) / 255
    greener = np.diag([1.09, 2.2, 1.25])  # orange is then as the yellow of a light with less green
    shapes = 1 - 0.02 * np.arange(4)  # of one ink, each a little darker than the one before
    learnt = (inks[:, None] * shapes[:, None]).reshape(-1, 3)
    shown = [inks[k] * shapes[n % 4] for n, k in enumerate((5, 1, 5, 1, 0, 4, 1, 1, 5, 5))]
    told = hues_behind([SeenColour(np.tile(as_shown(ink, greener), (24, 1)), learnt, np.arange(24)) for ink in shown])
    oranges = [told[n] for n in (1, 3, 6, 7)]
    assert all(one[4].behind < 2 and one[8].behind < 2 for one in oranges)


def test_a_piece_in_an_ink_that_was_not_learnt_fits_none_in_the_light_of_its_photograph() -> None:
    light = np.diag([1.1, 1.0, 0.8])
    purple = SeenColour(np.tile(as_shown(np.array((140, 40, 120)) / 255, light), (6, 1)), LEARNT, np.arange(6))
    told = hues_behind([*(seen(k, light) for k in range(6)), purple])
    assert all(told[k][k].misfit < OTHER_INK for k in range(6))
    assert min(hue.misfit for hue in told[6].values()) > OTHER_INK


def test_kinds_of_one_ink_are_one_colour() -> None:
    learnt = LEARNT[[0, 0, 1]]
    pieces = [SeenColour(np.tile(LEARNT[k], (3, 1)), learnt, np.arange(3)) for k in (0, 1)]
    first, second = hues_behind(pieces)
    assert first[0].number == first[1].number != first[2].number
    assert first[0].behind == first[1].behind == 0 == second[2].behind


def pictures(ground: float, shown: np.ndarray) -> np.ndarray:
    """Pictures (T, 20, 20, 3) of a square in each colour of `shown` on a grey ground."""
    out = np.full((len(shown), 20, 20, 3), ground, np.float32)
    out[:, 6:14, 6:14] = shown[:, None, None]
    return out


def test_symbols_on_black_are_of_one_colour_and_print_on_white_is_not() -> None:
    assert of_one_colour(pictures(0.02, LEARNT[:5]))
    assert not of_one_colour(pictures(0.95, LEARNT[:5]))
    assert not of_one_colour(pictures(0.02, LEARNT[[0, 0]]))


def test_thin_ink_on_paper_is_no_colour_of_the_piece() -> None:
    cards = np.full((5, 40, 40, 3), 0.7, np.float32)
    cards[:, 16:24, 16:24] = LEARNT[:5, None, None]  # so little that most of the picture has no colour
    assert not of_one_colour(cards)
    blurred = cards.copy()
    blurred[:, 10:30, 10:30] = 0.5 * (cards[:, 10:30, 10:30] + LEARNT[:5, None, None])  # and as a soft picture shows it
    assert not of_one_colour(blurred)


def test_a_piece_by_itself_may_be_of_another_colour_in_another_light() -> None:
    shown = as_shown(LEARNT[1], np.diag([1.3, 0.6, 1.0]))  # orange in a light with little green
    (told,) = hues_behind([SeenColour(np.tile(shown, (6, 1)), LEARNT, np.arange(6))])
    assert abs(told[0].behind - told[1].behind) < 3
    assert told[4].behind > 6


def test_black_ground_in_which_a_pale_wall_is_mirrored_is_no_other_colour() -> None:
    assert of_one_colour(pictures(0.2, LEARNT[:5]))


def test_pieces_of_one_ink_in_uneven_light_are_not_told_by_colour_though_one_shows_much_of_the_table() -> None:
    light = np.linspace(0.85, 1.15, 12)
    shown = np.array((0.5, 0.58, 0.6)) * light[:, None]
    shown[3] = LEARNT[4]  # a tile that the picture shows little of beside a blue square
    assert not of_one_colour(pictures(0.02, shown))
    assert not of_one_colour(pictures(0.02, LEARNT[:1]))


def test_the_colour_of_a_symbol_is_that_of_its_ink() -> None:
    colour, where = main_colour(pictures(0.02, LEARNT[:1])[0])
    assert np.allclose(colour, LEARNT[0], atol=1e-6)
    assert where.sum() == 64


def test_the_colour_of_a_thin_pale_symbol_is_not_that_of_its_black_ground() -> None:
    picture = np.full((40, 40, 3), 0.06, np.float32)
    picture[10:30, 17:23] = (0.9, 0.92, 0.95)
    colour, where = main_colour(picture)
    assert np.allclose(colour, (0.9, 0.92, 0.95), atol=1e-6)
    assert where.sum() == 120


def test_pieces_of_a_colour_that_was_learnt_in_a_cast_of_its_own_are_it_rather_than_all_of_another() -> None:
    greenish = LEARNT.copy()
    greenish[2] = np.array((90, 200, 190)) / 255  # yellow as it was learnt; orange has nearly that in other light
    shown = (1, 1, 1, 0, 0, 2, 2, 3, 5)
    told = hues_behind([SeenColour(np.tile(LEARNT[k], (6, 1)), greenish, np.arange(6)) for k in shown], plain=True)
    for one in told[5:7]:
        assert min(hue.behind for kind, hue in one.items() if kind != 2) - one[2].behind > 6
