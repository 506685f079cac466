"""A crop with a rim of the table around its piece is cut at the piece's outlines before it is read."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_faces import card

from vision.faces.book import FaceBook
from vision.faces.identify import identify
from vision.faces.learning import learn_faces
from vision.faces.photographed.framed import framed
from vision.faces.placing.outline import framed_piece

LEARNT = {f"card-{k}": card(1 + k % 3, (40, 50, 190) if k < 3 else (120, 60, 90), k % 2 == 0) for k in range(4)}
H, W = LEARNT["card-0"].shape[:2]
TABLE = (30, 45, 60)


@pytest.fixture(scope="module")
def book() -> FaceBook:
    return learn_faces({face: [picture] for face, picture in LEARNT.items()}, loose=True)


def rimmed(piece: np.ndarray, left: int, top: int, right: int, bottom: int) -> np.ndarray:
    """`piece` on a table, with so many px of it around."""
    h, w = piece.shape[:2]
    out = np.full((h + top + bottom, w + left + right, 3), TABLE, np.uint8)
    out[top : top + h, left : left + w] = piece
    return out


@pytest.mark.parametrize("share", [0.06, 0.12, 0.2, 0.3])
@pytest.mark.parametrize("face", list(LEARNT))
def test_a_crop_with_a_rim_is_named_as_the_one_that_is_cut_at_the_edge(book: FaceBook, face: str, share: float) -> None:
    rim = round(share * W)
    reading = identify(book, rimmed(LEARNT[face], rim, rim, rim, rim))
    assert reading.face == face


def test_where_the_piece_lies_is_told_in_px_of_the_crop(book: FaceBook) -> None:
    corners = identify(book, rimmed(LEARNT["card-1"], 20, 12, 8, 24), turns=(0,)).corners_px(book.size_wh)
    expected = np.array([[20, 12], [20 + W, 12], [20 + W, 12 + H], [20, 12 + H]]) - 0.5
    np.testing.assert_allclose(corners, expected, atol=0.03 * W)


def test_a_neighbour_that_reaches_into_the_rim_is_not_taken_for_the_side(book: FaceBook) -> None:
    crop = rimmed(LEARNT["card-2"], 30, 30, 30, 30)
    crop[:, :8] = 235
    crop[-6:] = 235
    assert identify(book, crop).face == "card-2"


def test_a_piece_on_its_side_is_turned_upright() -> None:
    found = framed_piece(np.rot90(rimmed(LEARNT["card-0"], 15, 15, 15, 15)).copy(), W / H)
    assert found is not None
    assert np.linalg.norm(found[1] - found[0]) == pytest.approx(W, rel=0.05)


def test_a_crop_that_is_cut_at_the_edge_stays_as_it_is(book: FaceBook) -> None:
    assert book.album is not None
    assert framed(book.album, LEARNT["card-3"], book.turns, None) is None


def test_a_printed_frame_is_no_outline() -> None:
    printed = {face: picture.copy() for face, picture in LEARNT.items()}
    for picture in printed.values():
        picture[9:-9, 6:-6] = picture[9:-9, 6:-6] // 2
    assert framed_piece(printed["card-0"], W / H) is not None
    book = learn_faces({face: [picture] for face, picture in printed.items()}, loose=True)
    assert book.album is not None
    assert all(framed(book.album, picture, book.turns, None) is None for picture in printed.values())


def test_what_is_ignored_in_a_crop_is_ignored_in_its_piece(book: FaceBook) -> None:
    assert book.album is not None
    crop = rimmed(LEARNT["card-0"], 15, 15, 15, 15)
    ignore = np.zeros(crop.shape[:2], bool)
    ignore[: crop.shape[0] // 2] = True
    piece = framed(book.album, crop, book.turns, ignore)
    assert piece is not None
    assert piece.ignore is not None
    assert 0.4 < piece.ignore.mean() < 0.6


def test_a_piece_without_a_rim_is_named_though_it_was_learnt_with_one() -> None:
    rims = ((14, 22, 26, 10), (25, 12, 12, 24), (12, 26, 25, 14), (22, 16, 16, 22))
    pictures = {face: [rimmed(piece, *rim)] for (face, piece), rim in zip(LEARNT.items(), rims, strict=True)}
    book = learn_faces(pictures, loose=True)
    assert book.album is not None
    assert book.album.cut is not None
    assert [identify(book, piece).face for piece in LEARNT.values()] == list(LEARNT)
    assert [identify(book, picture).face for (picture,) in pictures.values()] == list(LEARNT)
