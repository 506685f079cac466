"""A shadow that a piece throws is no piece; a dark piece beside another is one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.discs.rims import ANGLES
from vision.count.discs.search import FoundDiscs
from vision.count.shadows import thrown_shadows

TAN, ORANGE, BROWN = (120, 165, 190), (30, 90, 210), (26, 40, 74)
PLACES = ((100, 100), (150, 80))


def shaded(colour: tuple[int, int, int], light: float, bluer: float = 0.0) -> tuple[int, ...]:
    """The 8-bit colour that is left of a surface in so much of its light, a little bluer (natural log)."""
    linear = (np.array(colour) / 255) ** 2.2 * light * np.exp([bluer, 0, -bluer])
    return tuple(int(v) for v in np.round(255 * linear ** (1 / 2.2)))


def judged(second: tuple[int, ...], support: tuple[float, float], glint: tuple[int, ...] = ()) -> list[bool]:
    """Which of two discs of radius 30 that touch are shadows: an orange piece, and one of the second colour, in which
    something of another colour is mirrored.
    """
    picture = np.full((200, 260, 3), TAN, np.uint8)
    for xy, colour in zip(PLACES, (ORANGE, second), strict=True):
        cv2.circle(picture, xy, 30, colour, -1, cv2.LINE_AA)
    if glint:
        cv2.circle(picture, (156, 76), 4, glint, -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    ring = 28 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outlines = np.array([np.array(xy) + ring for xy in PLACES])
    found = FoundDiscs(outlines, np.array(support), np.full(2, 28.0), np.array(PLACES, float), np.full(2, 0.02))
    return thrown_shadows(picture, found).tolist()


@pytest.mark.parametrize(
    ("second", "support", "shadow"),
    [
        (shaded(TAN, 0.4), (0.9, 0.65), True),
        (shaded(TAN, 0.4, 0.06), (0.7, 0.65), True),
        (shaded(TAN, 0.4), (0.9, 0.92), False),
        (shaded(TAN, 0.05), (0.9, 0.65), False),
        (shaded(TAN, 1.6), (0.9, 0.65), False),
        (BROWN, (0.9, 0.65), False),
    ],
    ids=["shaded table", "in bluish light", "a sharp rim", "blacker than shade", "lighter", "another colour"],
)
def test_what_is_as_dark_as_shaded_table_beside_a_clearer_rim_is_a_shadow(
    second: tuple[int, ...], support: tuple[float, float], shadow: bool
) -> None:
    assert judged(second, support) == [False, shadow]


@pytest.mark.parametrize(
    ("glint", "shadow"),
    [((230, 235, 240), False), (shaded(TAN, 0.85), True), ((30, 90, 240), True)],
    ids=["a lamp", "half in the light", "light of the piece beside"],
)
def test_what_shines_brighter_than_the_lit_table_is_no_shadow(glint: tuple[int, ...], shadow: bool) -> None:
    assert judged(shaded(TAN, 0.4), (0.9, 0.65), glint) == [False, shadow]


@pytest.mark.parametrize(("beneath", "shadow"), [(shaded(TAN, 0.4), True), (BROWN, False)], ids=["shadow", "piece"])
def test_of_a_piece_and_its_shadow_in_one_rim_only_what_no_clearer_rim_covers_tells(
    beneath: tuple[int, ...], shadow: bool
) -> None:
    picture = np.full((200, 260, 3), TAN, np.uint8)
    piece, both = (100, 100), (116, 100)
    cv2.circle(picture, both, 30, beneath, -1, cv2.LINE_AA)
    cv2.circle(picture, piece, 30, ORANGE, -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    ring = 28 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    middles = np.array([piece, both], float)
    found = FoundDiscs(middles[:, None] + ring, np.array([0.9, 0.5]), np.full(2, 28.0), middles, np.full(2, 0.02))
    assert thrown_shadows(picture, found).tolist() == [False, shadow]


def test_the_spots_of_a_piece_beside_are_no_light_in_a_shadow() -> None:
    """Its own rim may be less clear than the shadow's, so that it throws none."""
    picture = np.full((200, 300, 3), TAN, np.uint8)
    places = (*PLACES, (196, 108))
    for xy, colour in zip(places, (ORANGE, shaded(TAN, 0.4), BROWN), strict=True):
        cv2.circle(picture, xy, 30, colour, -1, cv2.LINE_AA)
    cv2.circle(picture, (172, 93), 5, (235, 235, 235), -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    ring = 28 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outlines = np.array([np.array(xy) + ring for xy in places])
    support = np.array([0.9, 0.65, 0.6])
    found = FoundDiscs(outlines, support, np.full(3, 28.0), np.array(places, float), np.full(3, 0.02))
    assert thrown_shadows(picture, found).tolist() == [False, True, False]
