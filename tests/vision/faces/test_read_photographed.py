"""Crops of one photograph are named together: turned, askew, in a light that nobody told, or as nothing at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import as_photograph, patchwork, spotted

from vision.faces.book import FaceBook
from vision.faces.identify import identify
from vision.faces.learning import learn_faces
from vision.faces.photographed.one_colour import Hue
from vision.faces.read_photographed import Crop, read_together
from vision.faces.readings import FaceReading

WH = (40, 64)
FACES = {face: as_photograph(patchwork(seed, WH)) for seed, face in enumerate(("fox", "owl", "elk", "hen"))}


@pytest.fixture(scope="module")
def book() -> FaceBook:
    """Four cards; of the owl a second picture, taken in a dimmer light."""
    pictures = {face: [picture] for face, picture in FACES.items()}
    pictures["owl"].append(lit(FACES["owl"], (0.8, 0.8, 0.8)))
    return learn_faces(pictures, size_px=48, loose=True)


def lit(picture: np.ndarray, light: tuple[float, float, float]) -> np.ndarray:
    return np.round(picture * np.array(light)).astype(np.uint8)


def read(book: FaceBook, *images: np.ndarray) -> tuple[FaceReading, ...]:
    assert book.album is not None
    return read_together(book, book.album, [Crop(image, 0.0, (0, 2)) for image in images])


def test_crops_of_one_photograph_are_named_in_the_light_they_share(book: FaceBook) -> None:
    light = (0.5, 0.65, 0.7)
    readings = read(book, *(lit(FACES[face], light) for face in ("hen", "owl", "fox")))
    assert [r.face for r in readings] == ["hen", "owl", "fox"]
    assert min(r.p for r in readings) > 0.99
    np.testing.assert_allclose(readings[0].gain, light, rtol=0.1)


def test_a_crop_upside_down_is_read_with_its_turn(book: FaceBook) -> None:
    (reading,) = read(book, np.ascontiguousarray(FACES["elk"][::-1, ::-1]))
    assert (reading.face, reading.turn) == ("elk", 2)
    w, h = book.size_wh
    corner = reading.to_reference @ (-0.5, -0.5, 1.0)  # of the crop: the last corner of the card
    np.testing.assert_allclose(corner[:2] / corner[2], (w - 0.5, h - 0.5), atol=0.5)


def test_a_card_that_lies_askew_in_its_crop_is_read_where_it_lies(book: FaceBook) -> None:
    angle = np.radians(20)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = (np.array(WH) - 1) / 2
    outline = (np.array([[0, 0], [WH[0], 0], WH, [0, WH[1]]]) - 0.5 - middle) @ turn.T
    size = np.ceil(np.ptp(outline, axis=0)).astype(int)
    to = np.column_stack([turn, (size - 1) / 2 - turn @ middle])
    crop = cv2.warpAffine(FACES["fox"], to, tuple(size.tolist()), borderValue=(128, 128, 128))
    (reading,) = read(book, crop)
    assert (reading.face, reading.turn) == ("fox", 0)
    own = to @ (5.0, 9.0, 1.0)  # a point of the card in the crop, and where it is on the learnt card
    w, h = book.size_wh
    back = reading.to_reference @ (*own, 1.0)
    np.testing.assert_allclose(back[:2] / back[2], (5.5 / WH[0] * w - 0.5, 9.5 / WH[1] * h - 0.5), atol=1.0)


def test_a_card_partly_under_another_is_named_by_its_print() -> None:
    cards = {face: as_photograph(spotted(seed, (80, 112))) for seed, face in enumerate(("fox", "owl", "elk", "hen"))}
    printed = learn_faces({face: [picture] for face, picture in cards.items()}, size_px=96, loose=True)
    to = cv2.getRotationMatrix2D((40, 56), 25, 1.2) + np.array([[0, 0, 60], [0, 0, 60]])
    lying = cv2.warpAffine(cards["elk"], to, (200, 230), borderValue=(120, 110, 90))
    cv2.fillConvexPoly(lying, np.array([[0, 0], [90, 0], [0, 230]]), (60, 200, 210))  # what lies on it
    (reading,) = read(printed, np.ascontiguousarray(lying[20:215, 55:180]))
    assert reading.face == "elk"
    back = reading.to_reference @ (*(to @ (60.0, 40.0, 1.0) - (55, 20)), 1.0)
    w, h = printed.size_wh
    np.testing.assert_allclose(back[:2] / back[2], (60.5 / 80 * w - 0.5, 40.5 / 112 * h - 0.5), atol=1.5)


def test_a_card_that_was_never_learnt_is_not_named(book: FaceBook) -> None:
    (reading,) = read(book, as_photograph(patchwork(77, WH)))
    assert reading.face is None


def test_nothing_to_read_is_read_as_nothing(book: FaceBook) -> None:
    assert read(book) == ()


def letter_tile(letter: str, seed: int) -> np.ndarray:
    """(90, 90, 3) uint8, a dark letter on a pale tile with a little noise."""
    tile = np.full((90, 90, 3), (190, 205, 210), np.uint8)
    cv2.putText(tile, letter, (24, 70), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (40, 35, 30), 7, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, 3, tile.shape)
    return np.asarray(np.clip(tile + noise, 0, 255), np.uint8)


def test_a_letter_that_was_not_learnt_is_not_named_as_one_that_lacks_a_stroke() -> None:
    book = learn_faces({name: [letter_tile(name, 1)] for name in "IFOHN"}, size_px=96, loose=True)
    assert {name: identify(book, letter_tile(name, 2)).face for name in "IFTEQ"} == {
        "I": "I", "F": "F", "T": None, "E": None, "Q": None
    }  # fmt: skip


@pytest.mark.parametrize(
    ("behind", "misfit", "named"),
    [(0.0, 0.0, True), (0.5, 0.0, True), (2.0, 0.0, False), (0.5, 10.0, True), (0.5, 60.0, False), (0.0, 60.0, True)],
)
def test_a_plain_piece_is_not_named_where_its_photograph_tells_another_colour(
    monkeypatch: pytest.MonkeyPatch, behind: float, misfit: float, named: bool
) -> None:
    """The crops' own pixels are those that were learnt; the photograph makes all of them less likely by some nats, and
    its likeliest light does not fit them by others."""
    colours = {"red": (30, 30, 200), "green": (60, 150, 40), "blue": (200, 90, 20), "white": (200, 205, 210)}
    plain = {name: np.full((64, 64, 3), colour, np.uint8) for name, colour in colours.items()}
    book = learn_faces({name: [picture] for name, picture in plain.items()}, size_px=48, loose=True)
    others = {kind: Hue(kind, 0.0, 0.0) for kind in range(len(plain))}
    told = [{**others, kind: Hue(kind, behind, misfit)} for kind in range(len(plain))]
    monkeypatch.setattr("vision.faces.read_photographed.hues_behind", lambda _pieces, _plain: told)
    readings = read(book, *plain.values())
    assert [r.alternatives[0][0] for r in readings] == list(plain)
    assert all((r.face is not None) == named for r in readings)
