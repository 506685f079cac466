"""A piece that was learnt with a gloss on it is known without, and none becomes another by gloss."""

from __future__ import annotations

import cv2
import numpy as np

from vision.faces.identify import identify_many
from vision.faces.learning import learn_faces
from vision.faces.photographed.gloss import SPREAD, glossed
from vision.faces.photographed.one_colour import GAMMA, SeenColour

MATT = {
    name: np.array(bgr) / 255
    for name, bgr in {
        "red": (14, 22, 170),
        "orange": (14, 110, 225),
        "yellow": (5, 185, 205),
        "green": (90, 165, 20),
        "blue": (165, 85, 10),
        "white": (200, 205, 205),
    }.items()
}
SIDE = 96


def mirrored(colour: np.ndarray, white: float) -> np.ndarray:
    """An encoded colour (3,) with so much linear white over it."""
    return np.clip(colour**GAMMA + white, 0, 1) ** (1 / GAMMA)


def shape(colour: np.ndarray, corners: int) -> np.ndarray:
    """A regular polygon of an encoded colour (3,) on black, (96, 96, 3) in 0..1."""
    angles = 2 * np.pi * np.arange(corners) / corners
    points = SIDE / 2 + 0.38 * SIDE * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    picture = np.full((SIDE, SIDE, 3), 0.05, np.float32)
    cv2.fillPoly(picture, [np.round(points).astype(np.int32)], colour.tolist())
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


def fitted(learnt: str, seen: str, white: float) -> tuple[np.ndarray, float]:
    """The colour (3,) that a picture learnt with a gloss of `white` is given for a crop of a matt piece, and nats."""
    colour = mirrored(MATT[learnt], white)
    pictures, nats = glossed(shape(colour, 4)[None], SeenColour(MATT[seen][None], colour[None], np.zeros(1, np.intp)))
    return np.asarray(pictures[0, SIDE // 2, SIDE // 2]), float(nats[0])


def test_gloss_is_taken_off_a_learnt_colour_at_the_nats_of_an_ordinary_one() -> None:
    for name in ("red", "orange", "yellow", "green", "blue"):
        colour, nats = fitted(name, name, SPREAD)
        np.testing.assert_allclose(colour, MATT[name], atol=0.04)
        assert 0.3 < nats < 0.6


def test_a_colour_without_gloss_stays_as_it_is() -> None:
    for name, matt in MATT.items():
        colour, nats = fitted(name, name, 0.0)
        np.testing.assert_allclose(colour, matt, atol=0.01)
        assert nats < 0.01


def test_no_gloss_makes_one_ink_another() -> None:
    for learnt, seen in (("red", "orange"), ("orange", "yellow"), ("green", "blue"), ("orange", "red")):
        colour = fitted(learnt, seen, 0.0)[0]
        assert np.abs(colour / colour.max() - MATT[seen] / MATT[seen].max()).max() > 0.15


def test_the_black_ground_of_a_piece_mirrors_nothing() -> None:
    seen = mirrored(MATT["blue"], 0.1)
    piece = SeenColour(seen[None], MATT["blue"][None], np.zeros(1, np.intp))
    pictures, _ = glossed(shape(MATT["blue"], 4)[None], piece)
    assert np.abs(pictures[0, 2, 2] - 0.05).max() < 0.03


def test_shapes_that_were_learnt_with_gloss_are_named_without() -> None:
    def picture(colour: np.ndarray, corners: int) -> np.ndarray:
        return np.round(255 * shape(colour, corners)).astype(np.uint8)

    faces = [(name, corners) for name in MATT for corners in (3, 4, 6)]
    references = {f"{name} {corners}": [picture(mirrored(MATT[name], 0.09), corners)] for name, corners in faces}
    book = learn_faces(references, size_px=64, loose=True)
    assert book.album is not None
    assert book.album.one_colour
    assert not book.album.plain
    seen = [(name, 3 + k % 2) for k, name in enumerate(MATT)]
    readings = identify_many(book, [picture(0.9 * MATT[name], corners) for name, corners in seen], same_light=True)
    assert [reading.face for reading in readings] == [f"{name} {corners}" for name, corners in seen]
