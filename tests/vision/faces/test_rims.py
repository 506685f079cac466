"""Pieces that were learnt with a rim that is the same in all pictures are read with it, without it, or with another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_faces import card

from vision.faces.book import FaceBook
from vision.faces.identify import identify, identify_many
from vision.faces.learning import learn_faces

PIECES = {f"card-{k}": card(1 + k % 3, (40, 50, 190) if k < 3 else (120, 60, 90), k % 2 == 0) for k in range(4)}
H, W = PIECES["card-0"].shape[:2]
TABLE = (30, 45, 60)
RIM = round(0.1 * W)


def rimmed(piece: np.ndarray, rim: int, colour: tuple[int, int, int] = TABLE) -> np.ndarray:
    """`piece` with `rim` px of `colour` around."""
    h, w = piece.shape[:2]
    out = np.full((h + 2 * rim, w + 2 * rim, 3), colour, np.uint8)
    out[rim : rim + h, rim : rim + w] = piece
    return out


@pytest.fixture(scope="module")
def book() -> FaceBook:
    return learn_faces({face: [rimmed(piece, RIM)] for face, piece in PIECES.items()}, loose=True)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.2])
def test_a_piece_is_named_whatever_rim_its_crop_has(book: FaceBook, share: float) -> None:
    crops = [rimmed(piece, round(share * W)) for piece in PIECES.values()]
    assert [identify(book, crop).face for crop in crops] == list(PIECES)
    assert [one.face for one in identify_many(book, crops, same_light=True)] == list(PIECES)


def test_crops_of_one_photograph_may_be_cut_in_several_ways(book: FaceBook) -> None:
    crops = [rimmed(piece, RIM * (k % 2)) for k, piece in enumerate(PIECES.values())]
    assert [one.face for one in identify_many(book, crops, same_light=True)] == list(PIECES)


def test_where_the_learnt_picture_lies_is_told_in_px_of_a_tight_crop(book: FaceBook) -> None:
    corners = identify(book, PIECES["card-1"], turns=(0,)).corners_px(book.size_wh)
    expected = np.array([[-RIM, -RIM], [W + RIM, -RIM], [W + RIM, H + RIM], [-RIM, H + RIM]]) - 0.5
    np.testing.assert_allclose(corners, expected, atol=0.03 * W)


def test_pieces_that_are_cut_at_the_edge_have_no_rim() -> None:
    assert learn_faces({face: [piece] for face, piece in PIECES.items()}, loose=True).rimless is None


def test_a_printed_frame_by_which_faces_are_told_is_no_rim() -> None:
    colours = ((40, 40, 200), (60, 170, 40))
    framed = {f"frame-{k}": [rimmed(PIECES["card-0"], RIM, colour)] for k, colour in enumerate(colours)}
    book = learn_faces(framed, loose=True)
    assert book.rimless is None
    assert [identify(book, picture).face for (picture,) in framed.values()] == list(framed)


def test_shapes_in_one_ink_on_black_are_told_by_it_whatever_table_was_learnt_around_them() -> None:
    inks = ((14, 22, 170), (14, 110, 225), (5, 185, 205), (90, 165, 20), (165, 85, 10), (200, 205, 205))

    def shape(ink: tuple[int, ...], corners: int) -> np.ndarray:
        angles = 2 * np.pi * np.arange(corners) / corners
        points = np.round(48 + 36 * np.stack([np.cos(angles), np.sin(angles)], axis=1)).astype(np.int32)
        return cv2.GaussianBlur(cv2.fillPoly(np.full((96, 96, 3), 12, np.uint8), [points], ink), (0, 0), 0.8)

    learnt = {f"{k}-{n}": shape(ink, n) for k, ink in enumerate(inks) for n in (3, 4, 6)}
    book = learn_faces({face: [rimmed(piece, 10, (70, 110, 150))] for face, piece in learnt.items()}, loose=True)
    assert book.rimless is not None
    crops = [rimmed(shape(tuple(int(0.7 * v) for v in ink), 4), 10, (120, 90, 60)) for ink in inks]
    assert [one.face for one in identify_many(book, crops, same_light=True)] == [f"{k}-4" for k in range(6)]
