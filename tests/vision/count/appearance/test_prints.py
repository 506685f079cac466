"""Pieces are told by what is stamped on them, in light that makes one metal look like another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.errors import DataError
from vision.count.appearance.prints import UNROLLED, is_smooth, print_chances, prints_alike, unroll, without_print
from vision.count.counting import count_pieces
from vision.count.result import Count
from vision.count.teaching.colour_file import read_colours, write_colours
from vision.count.teaching.references import learn_colour
from vision.srgb import to_linear

TABLE, COPPER, BRASS = (205, 208, 210), (62, 92, 150), (70, 130, 165)
RADIUS = 50
SEVEN, EIGHT, PLUS = 7, 8, 9


def stamped(sign: int, metal: tuple[int, int, int], turn: float, light_from: float = 0.0) -> NDArray[np.uint8]:
    """A piece (140, 140, 3) with raised strokes, turned by degrees and lit from an angle in degrees."""
    raised = np.zeros((140, 140), np.uint8)
    for first, second in np.random.default_rng(sign).integers(38, 103, (16, 2, 2)).tolist():
        cv2.line(raised, first, second, 255, 2, cv2.LINE_AA)
    height = raised.astype(np.float32) / 255
    height = cv2.GaussianBlur(height, (0, 0), 1.2)
    height = cv2.warpAffine(height, cv2.getRotationMatrix2D((70, 70), turn, 1.0), (140, 140))
    down, right = np.gradient(height)
    slope = np.cos(np.radians(light_from)) * right + np.sin(np.radians(light_from)) * down
    lit = np.clip(np.array(metal) * (1 + 1.2 * slope[..., None]), 0, 255)
    picture = np.full((140, 140, 3), TABLE, np.float32)
    disc = cv2.circle(np.zeros((140, 140), np.float32), (70, 70), RADIUS, 1.0, -1, cv2.LINE_AA)[..., None]
    noise = np.random.default_rng(int(turn)).normal(0, 2, picture.shape)
    return np.clip(picture * (1 - disc) + lit * disc + noise, 0, 255).astype(np.uint8)


def print_of(piece: NDArray[np.uint8]) -> bytes:
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    return unroll(piece, 70 + RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def test_a_stamp_is_known_turned_and_lit_from_another_side_and_another_stamp_is_not() -> None:
    taught = [print_of(stamped(sign, COPPER, 0)) for sign in (SEVEN, EIGHT)]
    seen = [print_of(stamped(sign, BRASS, 130, light_from=100)) for sign in (SEVEN, EIGHT)]
    alike = prints_alike(seen, taught)
    assert min(alike[0, 0], alike[1, 1]) > 0.2
    assert max(alike[0, 1], alike[1, 0]) < 0.6 * min(alike[0, 0], alike[1, 1])
    chances = print_chances(taught, np.arange(2), seen)
    assert chances is not None
    assert (chances.argmax(axis=1) == [0, 1]).all()


def test_one_stamp_on_all_colours_tells_nothing() -> None:
    taught = [print_of(stamped(SEVEN, metal, turn)) for metal, turn in ((COPPER, 0), (BRASS, 70))]
    assert print_chances(taught, np.arange(2), taught) is None


def test_pieces_that_were_taught_without_an_outline_have_no_print() -> None:
    assert print_chances([b"", b""], np.arange(2), [print_of(stamped(SEVEN, COPPER, 0))]) is None


def test_a_piece_without_its_print_is_doubtful_only_beside_pieces_that_show_theirs() -> None:
    owners = np.array([0, 0, 1])
    shown, bare = [5.0, 0.2, -0.5], [0.1, 0.3, 6.0]
    assert without_print(np.array([shown, bare]), owners, np.array([0, 0])) == 1
    assert without_print(np.array([shown, bare]), owners, np.array([0, 1])) == 0
    assert without_print(np.array([bare, bare]), owners, np.array([0, 0])) == 0
    assert without_print(np.array([shown, bare]), owners, np.array([0, 2])) == 0


def smooth(colour: tuple[int, int, int], noise: int) -> NDArray[np.uint8]:
    """A piece (140, 140, 3) without stamp or print."""
    picture = np.full((140, 140, 3), TABLE, np.float32)
    disc = cv2.circle(np.zeros((140, 140), np.float32), (70, 70), RADIUS, 1.0, -1, cv2.LINE_AA)[..., None]
    grain = np.random.default_rng(noise).normal(0, 2, picture.shape)
    return np.clip(picture * (1 - disc) + np.array(colour) * disc + grain, 0, 255).astype(np.uint8)


def test_a_stamp_is_told_from_a_smooth_face() -> None:
    assert is_smooth(print_of(smooth((228, 230, 231), 3)))
    assert not is_smooth(print_of(stamped(SEVEN, COPPER, 0)))
    assert not is_smooth(b"")


def test_white_and_black_pieces_without_a_stamp_are_asked_for_none() -> None:
    """Two spots of dirt on black pieces are alike; those without it lack no print."""
    white, black = (180, 182, 183), (34, 33, 32)
    dirty = stamped(SEVEN, black, 0)
    taught = table_of([smooth(white, 1), dirty], (1.0, 1.0, 1.0))
    boxes = [(50, 50, 100, 100), (230, 50, 100, 100)]
    colours = [learn_colour(name, [(taught, (box,))]) for name, box in zip(("white", "black"), boxes, strict=True)]
    pieces = [smooth(white, 2), smooth(white, 3), stamped(SEVEN, black, 80), smooth(black, 4), smooth(black, 5)]
    seen = count_pieces(table_of(pieces, (1.0, 1.0, 1.0)), colours)
    assert seen.counts == {"white": 2, "black": 3}
    assert "print" not in seen.why


def test_lamps_mirrored_in_sugar_are_no_prints() -> None:
    sugar = ((25, 25, 190), (150, 60, 30))
    taught = table_of([stamped(SEVEN, sugar[0], 0), stamped(PLUS, sugar[1], 0)], (1.0, 1.0, 1.0))
    boxes = [(50, 50, 100, 100), (230, 50, 100, 100)]
    colours = [learn_colour(name, [(taught, (box,))]) for name, box in zip(("red", "blue"), boxes, strict=True)]
    pieces = [stamped(sign, sugar[k % 2], 31.0 * k) for k, sign in enumerate((SEVEN, SEVEN, EIGHT, PLUS))]
    seen = count_pieces(table_of(pieces, (1.0, 1.0, 1.0)), colours)
    assert seen.counts == {"red": 2, "blue": 2}
    assert "print" not in seen.why


def table_of(pieces: list[NDArray[np.uint8]], gains: tuple[float, float, float]) -> NDArray[np.uint8]:
    """Pieces lying apart on a table, in a light (3,) of linear BGR."""
    picture = np.full((420, 560, 3), TABLE, np.uint8)
    for k, piece in enumerate(pieces):
        row, column = 30 + 190 * (k // 3), 30 + 180 * (k % 3)
        picture[row : row + 140, column : column + 140] = piece
    light = np.clip(to_linear(picture) * np.array(gains), 0, 1)
    return np.round(255 * np.clip(1.055 * light ** (1 / 2.4) - 0.055, 0, 1)).astype(np.uint8)


def counted(gains: tuple[float, float, float]) -> Count:
    """Five pieces of brass and copper in a light, taught by one each in white light."""
    taught = table_of([stamped(SEVEN, COPPER, 0), stamped(PLUS, BRASS, 0)], (1.0, 1.0, 1.0))
    boxes = [(30 + 20, 50, 100, 100), (210 + 20, 50, 100, 100)]
    colours = [learn_colour(name, [(taught, (box,))]) for name, box in zip(("copper", "brass"), boxes, strict=True)]
    lying = [(SEVEN, COPPER)] * 2 + [(PLUS, BRASS)] * 3
    pieces = [stamped(sign, metal, 40 + 61 * k, 35.0 * k) for k, (sign, metal) in enumerate(lying)]
    # each piece mirrors a part of the room of its own: by their colours alone brass and copper change places
    mirrored = [(1.0, 1.0, 1.0), (1.0, 1.1, 0.97), (1.0, 0.9, 1.03), (1.0, 0.9, 1.03), (1.0, 1.0, 1.0)]
    pieces = [
        np.clip(255 * (piece / 255.0) * np.array(tint) ** 0.9, 0, 255).astype(np.uint8)
        for piece, tint in zip(pieces, mirrored, strict=True)
    ]
    return count_pieces(table_of(pieces, gains), colours)


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.8, 0.9, 1.1)])
def test_metals_that_mirror_a_coloured_room_are_named_by_their_stamps(gains: tuple[float, float, float]) -> None:
    assert counted(gains).counts == {"copper": 2, "brass": 3}


def test_a_colour_file_keeps_the_prints_and_refuses_broken_ones(tmp_path) -> None:
    taught = table_of([stamped(SEVEN, COPPER, 0)], (1.0, 1.0, 1.0))
    colours = (learn_colour("copper", [(taught, ((50, 50, 100, 100),))]),)
    assert len(colours[0].looks[0].unrolled) == UNROLLED
    path = tmp_path / "colours.json"
    write_colours(path, colours)
    assert read_colours(path) == colours
    path.write_text(path.read_text().replace('"unrolled": "', '"unrolled": "AAAA'), encoding="utf-8")
    with pytest.raises(DataError, match="unrolled print"):
        read_colours(path)
