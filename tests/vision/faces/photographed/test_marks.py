"""Marks on pieces of one colour are found; shades of the colour and pieces that are mostly something else are not."""

from __future__ import annotations

import cv2
import numpy as np
from patchwork import patchwork

from vision.faces.identify import identify_many
from vision.faces.learning import learn_faces
from vision.faces.photographed.album import Album
from vision.faces.photographed.marks import marked


def piece(colour: tuple[int, int, int], side_px: int = 90) -> np.ndarray:
    """(side, side, 3) uint8, lit from the left, with a little noise."""
    lit = np.linspace(1.0, 0.8, side_px)[None, :, None] * np.array(colour, float)
    noise = np.random.default_rng(5).normal(0, 3, (side_px, side_px, 3))
    return np.clip(np.broadcast_to(lit, noise.shape) + noise, 0, 255).astype(np.uint8)


def test_a_makers_sign_is_a_mark_and_nothing_else_is() -> None:
    crop = piece((180, 200, 210))
    cv2.putText(crop, "Go", (20, 55), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (30, 20, 20), 3)
    inked = crop.max(axis=2) < 90
    marks = marked(crop)
    assert (marks & inked).sum() > 0.97 * inked.sum()
    assert not marks[65:].any()
    assert not marks[:, :12].any()


def test_a_sign_that_covers_the_middle_is_a_mark_and_the_rim_is_the_piece() -> None:
    crop = piece((180, 200, 210))
    for at in range(16, 76, 12):
        cv2.line(crop, (14, at), (76, at), (30, 20, 20), 8)
        cv2.line(crop, (at, 14), (at, 76), (30, 20, 20), 4)
    inked = crop.max(axis=2) < 90
    assert inked.mean() > 0.4
    marks = marked(crop)
    assert (marks & inked).sum() > 0.97 * inked.sum()
    assert not marks[:8].any()


def test_a_piece_in_a_black_frame_is_not_marked_all_over() -> None:
    crop = piece((40, 40, 200))
    framed = cv2.copyMakeBorder(crop, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=(15, 15, 15))
    assert not marked(framed)[30:84, 30:84].any()


def test_a_plain_piece_has_no_mark() -> None:
    assert not marked(piece((20, 170, 200))).any()


def test_print_all_over_is_no_mark() -> None:
    crop = np.asarray(patchwork(3, (90, 90)) * 255, np.uint8)
    assert not marked(crop).any()


def test_large_crops_are_judged_like_small_ones() -> None:
    crop = piece((180, 200, 210), 300)
    crop[100:160, 90:130] = (20, 20, 150)
    marks = marked(crop)
    assert marks[100:160, 90:130].all()
    assert 0.02 < marks.mean() < 0.05


def test_a_piece_with_a_makers_sign_is_named_by_its_colour() -> None:
    colours = {"red": (30, 30, 200), "orange": (30, 120, 230), "blue": (200, 90, 20), "white": (200, 205, 210)}
    book = learn_faces({name: [piece(colour, 64)] for name, colour in colours.items()}, size_px=96, loose=True)
    crops = [piece(colour, 80) for colour in colours.values()]
    cv2.putText(crops[-1], "Go", (12, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (30, 20, 20), 3)
    assert [r.face for r in identify_many(book, crops, same_light=True)] == list(colours)


def test_an_album_of_plain_colours_is_plain_and_one_of_symbols_is_not() -> None:
    colours = [(30, 30, 200), (30, 120, 230), (200, 90, 20), (20, 200, 230)]
    plain = np.stack([piece(c, 64) for c in colours]).astype(np.float32) / np.float32(255)
    symbols = np.zeros_like(plain)
    symbols[:, 16:48, 16:48] = plain[:, 16:48, 16:48]
    assert Album.of(plain, (0,)).plain
    drawn = Album.of(symbols, (0,))
    assert drawn.one_colour
    assert not drawn.plain
