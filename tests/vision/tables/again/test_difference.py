"""Pieces put down and taken away are counted against how the same place looked before, in whatever light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.layout import TableLayout
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.pieces.finder import FoundPiece
from vision.pieces.shapes import PieceModel
from vision.tables.again.difference import DifferenceReader, KnownPlace, PlaceDifference

COLOURS = PieceColours.from_rgb({"purple": (92, 41, 115), "white": (224, 222, 212), "black": (34, 34, 38)})
SHAPE = PieceModel(10.0, -2.0, (60.0, 300.0, -700.0))
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
PLACE = np.array([[-27.0, -27.0], [27.0, -27.0], [27.0, 27.0], [-27.0, 27.0]])
WINDOW = Window.around(PLACE, 22.0)
FINE = 4

Piece = tuple[str, float, float]
WHITE, PURPLE, BLACK = ("white", -12.0, 8.0), ("purple", 9.0, -6.0), ("black", 0.0, 14.0)


def dark_face(seed: int) -> np.ndarray:
    """A painted face (220, 220, 3) darker than most pieces, its fine print drawn from `seed`."""
    random = np.random.default_rng(seed)
    face = cv2.resize(random.integers(20, 75, (14, 14, 3)).astype(np.uint8), (220, 220), interpolation=cv2.INTER_CUBIC)
    for _ in range(14):
        x, y = random.integers(15, 205, 2).tolist()
        cv2.circle(face, (x, y), int(random.integers(4, 14)), random.integers(30, 120, 3).tolist(), -1)
    return face


def picture(face: np.ndarray, pieces: Sequence[Piece], seed: int, *, turn_deg: float = 0.0) -> np.ndarray:
    """(h, w, 3) uint8: what the window shows of a face with cubes on it, noisy."""
    big = np.full((WINDOW.height_px * FINE, WINDOW.width_px * FINE, 3), (60, 90, 130), np.uint8)

    def px(mm: np.ndarray) -> np.ndarray:
        return (WINDOW.to_px(mm) + 0.5) * FINE - 0.5

    a = np.deg2rad(turn_deg)
    turned = PLACE @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    corners = np.array([[0, 0], [220, 0], [220, 220], [0, 220]], np.float32)
    size = (big.shape[1], big.shape[0])
    warp = cv2.getPerspectiveTransform(corners, px(turned).astype(np.float32))
    inside = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), warp, size) > 128
    big[inside] = cv2.warpPerspective(face, warp, size)[inside]
    eye = np.array(SHAPE.camera_mm[:2])
    for colour, x, y in pieces:
        b, g, r = COLOURS.bgr[COLOURS.names.index(colour)]
        foot = np.array([[x - 5, y - 5], [x + 5, y - 5], [x + 5, y + 5], [x - 5, y + 5]])
        top = eye + (foot - eye) * SHAPE.lean()
        hull = cv2.convexHull(px(np.vstack([foot, top])).astype(np.int32))
        cv2.fillConvexPoly(big, hull, (b * 0.6, g * 0.6, r * 0.6))
        cv2.fillConvexPoly(big, px(top).astype(np.int32), (b, g, r))
    small = cv2.resize(big, (WINDOW.width_px, WINDOW.height_px), interpolation=cv2.INTER_AREA).astype(np.float32)
    noisy = cv2.GaussianBlur(small, (0, 0), 0.7) + np.random.default_rng(seed).normal(0, 4, small.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def known(pieces: Sequence[Piece], *, located: bool = True) -> KnownPlace:
    """The face 1 with these cubes, taken down in one picture."""
    found = [FoundPiece(colour, (x, y), 0.0, 100.0, 100.0) for colour, x, y in pieces] if located else []
    counts = tuple(sorted((colour, 1) for colour, _, _ in pieces))
    return KnownPlace("face", counts, tuple(found), WINDOW, picture(dark_face(1), pieces, 1), PLACE, PLACE, 0.99)


def compare(
    before: KnownPlace, seen: np.ndarray, lies: np.ndarray | None = None, alone: Sequence[Piece] = ()
) -> PlaceDifference:
    found = [FoundPiece(colour, (x, y), 0.0, 20.0, 30.0) for colour, x, y in alone]
    told = DifferenceReader(TableLayout(()), COLOURS).read(before, seen, LIGHT, 1.0, SHAPE.camera_mm, lies, found)
    assert told is not None
    return told


CHANGES = {
    "nothing": ([WHITE], [WHITE]),
    "a dark piece came": ([], [PURPLE]),
    "a black piece came beside another": ([WHITE], [WHITE, BLACK]),
    "one went": ([WHITE, PURPLE], [WHITE]),
    "one went and another came": ([PURPLE], [WHITE]),
}


@pytest.mark.parametrize("located", [True, False], ids=["located", "somewhere"])
@pytest.mark.parametrize("name", CHANGES)
def test_pieces_that_came_and_went_are_counted(name: str, located: bool) -> None:
    before, now = CHANGES[name]
    told = compare(known(before, located=located), picture(dark_face(1), now, 2))
    assert told.pieces == tuple(sorted((colour, 1) for colour, _, _ in now))
    assert told.p > 0.9


def test_a_person_s_shadow_over_a_piece_is_no_other_piece() -> None:
    lit = picture(dark_face(1), [WHITE, PURPLE], 2).astype(np.float32)
    shade = np.linspace(0.55, 1.05, lit.shape[1])[None, :, None]
    told = compare(known([WHITE, PURPLE]), (lit * shade).astype(np.uint8))
    assert told.pieces == (("purple", 1), ("white", 1))


def test_a_piece_in_a_shadow_that_its_face_is_not_in_is_counted() -> None:
    bare, cubed = (picture(dark_face(1), pieces, 2).astype(np.float32) for pieces in ([], [WHITE]))
    piece = (np.abs(cubed - bare).max(-1) > 25.0).astype(np.float32)
    shade = 1.0 - 0.4 * cv2.GaussianBlur(piece, (0, 0), 0.7)[..., None]
    told = compare(known([]), (cubed * shade).astype(np.uint8))
    assert told.pieces == (("white", 1),)
    assert told.p > 0.9


@pytest.mark.parametrize("seed", range(4))
def test_coarse_noise_on_dark_print_is_no_black_piece_that_came(seed: int) -> None:
    dark = picture((dark_face(1) * 0.5).astype(np.uint8), [], 1).astype(np.float32)

    def with_noise(number: int) -> np.ndarray:
        coarse = cv2.GaussianBlur(np.random.default_rng(number).normal(0, 1, dark.shape), (0, 0), 2.0)
        return np.clip(dark + 9.0 * coarse / coarse.std(), 0, 255).astype(np.uint8)

    told = compare(replace(known([]), seen_bgr=with_noise(2 * seed)), with_noise(2 * seed + 1))
    assert told.pieces == ()


def with_black_symbol(pieces: Sequence[Piece], seed: int) -> np.ndarray:
    """(h, w, 3) uint8: a face with a symbol in the colour of black cubes and larger than one, in coarse noise."""
    face = np.full((220, 220, 3), (170, 125, 70), np.uint8)
    cv2.circle(face, (110, 110), 45, (40, 34, 42), -1)
    plain = picture(face, pieces, seed).astype(np.float32)
    coarse = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, plain.shape), (0, 0), 2.0)
    return np.clip(plain + 6.0 * coarse / coarse.std(), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", range(4))
def test_print_in_the_colour_of_a_piece_is_surely_none_where_it_looks_as_before(seed: int) -> None:
    told = compare(replace(known([]), seen_bgr=with_black_symbol([], 2 * seed)), with_black_symbol([], 2 * seed + 1))
    assert told.pieces == ()
    assert told.p > 0.9


@pytest.mark.parametrize(("before", "now", "alone", "unborne"), [
    ([], [], [BLACK], True),
    ([], [WHITE], [WHITE], False),
    ([], [WHITE], [BLACK], True),
    ([WHITE], [WHITE], [WHITE], False),
    ([WHITE], [WHITE, PURPLE], [WHITE, PURPLE], False),
])  # fmt: skip
def test_a_piece_that_the_picture_alone_shows_is_not_borne_out_where_nothing_has_changed(
    before: list[Piece], now: list[Piece], alone: list[Piece], unborne: bool
) -> None:
    lit = np.clip(picture(dark_face(1), now, 2) * np.array([1.1, 1.2, 1.3]), 0, 255)  # in a brighter, warmer light
    assert compare(known(before), lit.astype(np.uint8), alone=alone).unborne == unborne


@pytest.mark.parametrize("seed", range(4))
def test_a_piece_that_leans_over_print_of_its_colour_is_counted(seed: int) -> None:
    now = with_black_symbol([("black", 8.0, 8.0)], 2 * seed + 1)
    told = compare(replace(known([]), seen_bgr=with_black_symbol([], 2 * seed)), now)
    assert told.pieces == (("black", 1),)


@pytest.mark.parametrize("seed", range(4))
def test_a_piece_of_which_a_corner_alone_leaves_print_of_its_colour_is_not_surely_none(seed: int) -> None:
    now = with_black_symbol([("black", 4.0, 4.0)], 2 * seed + 1)
    told = compare(replace(known([]), seen_bgr=with_black_symbol([], 2 * seed)), now)
    assert told.pieces == (("black", 1),) or told.p < 0.5


def test_a_face_that_was_pushed_and_turned_is_compared_where_it_lies() -> None:
    told = compare(known([]), picture(dark_face(1), [PURPLE], 2, turn_deg=4.0), PLACE)
    assert told.pieces == (("purple", 1),)
    assert told.p > 0.9


@pytest.mark.parametrize(("turn_deg", "is_sure"), [(4.0, True), (90.0, False)])
def test_a_piece_that_came_to_a_face_laid_another_way_up_is_not_surely_one(turn_deg: float, is_sure: bool) -> None:
    a = np.deg2rad(turn_deg)
    lies = PLACE @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    told = compare(known([]), picture(dark_face(1), [PURPLE], 2, turn_deg=turn_deg), lies)
    assert told.same_print > 0.6
    assert dict(told.pieces) == {"purple": 1}
    assert (told.p >= 0.9) is is_sure
    bare = compare(known([]), picture(dark_face(1), [], 2, turn_deg=turn_deg), lies)
    assert (bare.pieces, bare.p >= 0.9) == ((), True)


def test_another_face_in_the_place_tells_nothing_of_pieces() -> None:
    assert compare(known([WHITE]), picture(dark_face(2), [WHITE], 2)).p == 0.0
    assert compare(known([WHITE]), picture(dark_face(2), [WHITE], 2), PLACE).p == 0.0
