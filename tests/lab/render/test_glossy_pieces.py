"""Rendered candies and chips lie where their truth says, and look as the colour that they are said to be."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.lab.render.glossy.beside import ASIDE, HIDES, Beside, things_beside
from companion.lab.render.glossy.eye import make_eye
from companion.lab.render.glossy.kinds import Kind, Piece, as_printed, glossy_kind
from companion.lab.render.glossy.picture import UNLIKE, Scenery, glossy_picture
from companion.lab.render.glossy.pieces import middle_mm
from companion.lab.render.glossy.tossed import OVER, Photograph, as_fallen
from companion.lab.render.surfaces import PLAIN_TABLES

CANDIES = Kind("candies", ("red", "green", "blue"), 7.0, 7.0)
CHIPS = Kind("chips", ("red", "green", "blue"), 18.0, 3.0, style="spotted")
CHANNEL = {"blue": 0, "green": 1, "red": 2}


@cache
def chips_apart():
    """A picture of chips and its truth, with nothing beside them."""
    return glossy_picture(CHIPS, 5, 1, one_room=False, megapixels=0.08)


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
    first, truth = chips_apart()
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


def test_tossed_candies_lean_bear_letters_and_lie_partly_on_each_other():
    kind = glossy_kind("lettered", np.random.default_rng(4))
    assert kind.lettered
    assert kind.tossed
    row = [Piece(np.array([30.0 * k, 0.0]), 0.0, 0.0, kind.albedo(kind.colours[0]), kind.colours[0]) for k in range(60)]
    fallen = as_fallen(kind, row, np.random.default_rng(5))
    upper = [piece for piece in fallen if piece.base_mm > 0]
    assert upper
    for piece in upper:
        gap = min(np.linalg.norm(piece.xy - other.xy) for other in fallen if other is not piece)
        assert gap >= OVER[0] * kind.radius_mm - 1e-6
    leaning = [piece for piece in fallen if abs(piece.lean) > 0.3]
    assert 0 < len(leaning) < len(fallen) / 2
    assert all(middle_mm(kind, piece) > kind.height_mm / 2 * piece.size for piece in leaning)


def test_nuts_are_of_uneven_sizes_and_tossed_chips_of_any_style():
    nuts = glossy_kind("nuts", np.random.default_rng(6))
    row = [Piece(np.array([40.0 * k, 0.0]), 0.0, 0.0, nuts.albedo(nuts.colours[0]), nuts.colours[0]) for k in range(30)]
    assert np.std([np.log(piece.size) for piece in as_fallen(nuts, row, np.random.default_rng(7))]) > 0.05
    styles = {glossy_kind("tossed", np.random.default_rng(k)).style for k in range(40)}
    assert len(styles) == 8


def test_pieces_lie_on_a_photographed_table_beside_what_is_named_there():
    table = np.full((300, 400, 3), (60, 90, 120), np.uint8)
    table[:, :200] = (200, 210, 215)
    seen = Photograph(table, ((0, 0, 200, 300),))
    jpeg, truth = glossy_picture(CANDIES, 8, 1, one_room=True, megapixels=0.12, scenery=Scenery.CALM, photograph=seen)
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert truth["pieces"]
    edge = int(np.abs(np.diff(picture[:20].mean(axis=(0, 2)))).argmax())
    assert all(piece["px"][0] > edge - 12 for piece in truth["pieces"])


def test_easy_pieces_lie_apart_on_a_table_unlike_them():
    for number in range(4):
        jpeg, truth = glossy_picture(CANDIES, 9, number, one_room=False, megapixels=0.08, scenery=Scenery.EASY)
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        table = np.median(lab.reshape(-1, 3), axis=0)
        assert truth["pieces"]
        for piece in truth["pieces"]:
            x, y = (round(v) for v in piece["px"])
            middle = np.median(lab[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3), axis=0)
            assert np.linalg.norm(middle - table) > UNLIKE / 2


def test_letters_are_printed_on_the_side_that_is_up_of_some_candies():
    kind = as_printed(glossy_kind("lettered", np.random.default_rng(4)), np.random.default_rng(5))
    assert not kind.tossed
    assert 0.5 <= kind.face_up < 1
    chips = glossy_kind("chips", np.random.default_rng(4))
    assert as_printed(chips, np.random.default_rng(5)).rough > chips.rough == 0


def test_stacked_chips_lie_on_each_other_and_are_all_in_the_truth():
    _, plain = chips_apart()
    _, stacks = glossy_picture(CHIPS, 5, 1, one_room=False, megapixels=0.08, beside=Beside.STACKS)
    assert sum(stacks["counts"].values()) == len(stacks["pieces"]) > len(plain["pieces"])
    below = np.array([piece["px"] for piece in plain["pieces"]])
    for piece in stacks["pieces"][len(plain["pieces"]) :]:
        near = np.linalg.norm(below - piece["px"], axis=1).min()
        assert near < (5 * ASIDE + 0.5) * piece["box"][2]


def test_nothing_lies_on_a_package_and_a_hand_hides_little_of_what_is_counted():
    rng = np.random.default_rng(3)
    area = (300.0, 225.0)
    eye = make_eye((400, 300), area, rng)
    grid = [Piece(np.array([x, y], float), 0.0, 0.0, CHIPS.albedo("red"), "red") for x in (-90, 90) for y in (-60, 60)]
    for beside in (Beside.HAND, Beside.PACKAGE):
        every = [things_beside(beside, CHIPS, area, np.random.default_rng(k)) for k in range(12)]
        left = [things.left(CHIPS, grid, eye) for things in every]
        assert {len(own) for own in left} != {len(grid)}  # some are in the way
        assert all(things.hidden(CHIPS, p, eye) <= HIDES for things, own in zip(every, left, strict=True) for p in own)
        pairs = [(one, p) for things, own in zip(every, left, strict=True) for one in things.packages for p in own]
        assert not any(one.covers(p.xy, 0.0) for one, p in pairs)


def test_a_hand_and_a_package_are_seen_at_the_rim():
    plain, _ = chips_apart()
    before = cv2.imdecode(np.frombuffer(plain, np.uint8), cv2.IMREAD_COLOR).astype(int)
    for beside in (Beside.HAND, Beside.PACKAGE):
        jpeg, _ = glossy_picture(CHIPS, 5, 1, one_room=False, megapixels=0.08, beside=beside)
        after = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).astype(int)
        changed = np.abs(after - before).max(axis=2) > 40
        assert 0.003 < changed.mean() < 0.5
