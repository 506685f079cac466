"""Rendered candies and chips lie where their truth says, and look as the colour that they are said to be."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.lab.render.glossy.kinds import Kind, glossy_kind
from companion.lab.render.glossy.picture import Scenery, glossy_picture
from companion.lab.render.surfaces import PLAIN_TABLES

CANDIES = Kind("candies", ("red", "green", "blue"), 7.0, 7.0)
CHIPS = Kind("chips", ("red", "green", "blue"), 18.0, 3.0, style="spotted")
CHANNEL = {"blue": 0, "green": 1, "red": 2}


@pytest.mark.parametrize("kind", [CANDIES, CHIPS])
def test_every_piece_shows_its_colour_in_the_middle_of_its_box(kind):
    jpeg, truth = glossy_picture(kind, 3, 0, one_room=True, taught=True, megapixels=0.12)
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert truth["counts"] == {"red": 3, "green": 3, "blue": 3}
    assert picture.shape[1::-1] == tuple(truth["conditions"]["size"])
    for piece in truth["pieces"]:
        x, y, width, height = piece["box"]
        middle = picture[y + height // 3 : y + 2 * height // 3 + 1, x + width // 3 : x + 2 * width // 3 + 1]
        assert int(np.median(middle.reshape(-1, 3), axis=0).argmax()) == CHANNEL[piece["colour"]]


def test_pieces_lie_beside_each_other_and_the_same_seed_gives_the_same_picture():
    first, truth = glossy_picture(CHIPS, 5, 1, one_room=False, megapixels=0.08)
    again, _ = glossy_picture(CHIPS, 5, 1, one_room=False, megapixels=0.08)
    other, _ = glossy_picture(CHIPS, 6, 1, one_room=False, megapixels=0.08)
    assert first == again != other
    assert sum(truth["counts"].values()) == len(truth["pieces"])


def test_kinds_have_four_to_six_colours():
    kinds = [glossy_kind(name, np.random.default_rng(k)) for name in ("candies", "chips") for k in range(12)]
    assert {len(kind.colours) for kind in kinds} == {4, 5, 6}
    assert {kind.style for kind in kinds} == {"", "plain", "spotted", "inlaid"}
    assert all(kind.domed == (kind.name == "candies") for kind in kinds)


def test_plain_tables_bear_no_cards_and_most_of_the_picture_is_one_colour():
    for number in range(3, 9, 3):  # every third picture of the other sceneries has cards
        jpeg, truth = glossy_picture(CHIPS, 5, number, one_room=False, megapixels=0.08, scenery=Scenery.PLAIN)
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        rim = np.concatenate([lab[:12].reshape(-1, 3), lab[-12:].reshape(-1, 3)])
        assert truth["conditions"]["table"] in PLAIN_TABLES
        assert truth["conditions"]["cards"] == 0
        assert np.median(np.linalg.norm(rim[:, 1:] - np.median(rim[:, 1:], axis=0), axis=1)) < 5
