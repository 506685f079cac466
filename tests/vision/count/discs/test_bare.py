"""Broken rings in the table's own print are no pieces of about its colour; a pale piece there is one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.count.counting import count_pieces
from vision.count.discs.bare import is_bare_table
from vision.count.discs.rims import ANGLES
from vision.count.discs.search import FoundDiscs
from vision.count.table.ground import GRAIN, LEVEL, find_ground
from vision.count.teaching.references import learn_colour

STONE, LINE = (168, 176, 182), (138, 146, 152)
WHITE, RED, GREEN = (222, 226, 228), (40, 40, 180), (60, 120, 30)
RADIUS = 30
PIECES = {(80, 80): RED, (330, 200): RED, (580, 320): WHITE, (200, 320): GREEN, (580, 80): GREEN}
RINGS = [(x, y) for x in (80, 205, 330, 455, 580) for y in (80, 200, 320) if (x, y) not in PIECES]


def printed_table() -> np.ndarray:
    """A stone with broken rings in its print, and pieces on it."""
    picture = np.full((400, 660, 3), STONE, np.uint8)
    for xy in RINGS:
        for start in range(0, 360, 60):
            cv2.ellipse(picture, xy, (RADIUS, RADIUS), 0, start, start + 37, LINE, 2, cv2.LINE_AA)
    for xy, colour in PIECES.items():
        cv2.circle(picture, xy, RADIUS, colour, -1, cv2.LINE_AA)
    grain = np.random.default_rng(5).normal(0, 1.0, picture.shape)
    return cv2.GaussianBlur(np.clip(picture + grain, 0, 255).astype(np.uint8), (0, 0), 0.7)


def test_broken_rings_in_a_tables_print_are_not_counted() -> None:
    picture = printed_table()
    places = {"red": (80, 80), "white": (580, 320), "green": (200, 320)}
    colours = [learn_colour(name, [(picture, ((x - 32, y - 32, 64, 64),))]) for name, (x, y) in places.items()]
    result = count_pieces(picture, colours)
    assert (result.counts, result.unknown) == ({"red": 2, "white": 1, "green": 2}, 0)


def test_only_a_broken_rim_around_nothing_but_table_is_bare() -> None:
    picture = printed_table()
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    ring = RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    places = np.array([RINGS[0], RINGS[0], (580, 320), (80, 80)], float)
    support = np.array([0.6, 0.9, 0.6, 0.6])
    found = FoundDiscs(places[:, None] + ring, support, np.full(4, float(RADIUS)), places, np.full(4, 0.02))
    assert is_bare_table(found, find_ground(picture)).tolist() == [True, False, False, False]


def test_a_calm_piece_of_a_colour_that_a_grained_table_has_as_well_is_not_bare() -> None:
    rng = np.random.default_rng(2)
    grain = cv2.resize(rng.integers(0, 3, (50, 330)).astype(np.uint8), (660, 400), interpolation=cv2.INTER_NEAREST)
    picture = np.array([STONE, (60, 80, 110), (30, 36, 44)], np.uint8)[grain]
    cv2.circle(picture, (330, 200), RADIUS, (60, 80, 110), -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    places = np.array([(330, 200), (150, 120)], float)
    ring = RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = FoundDiscs(places[:, None] + ring, np.full(2, 0.6), np.full(2, float(RADIUS)), places, np.full(2, 0.02))
    assert is_bare_table(found, find_ground(picture)).tolist() == [False, True]


def test_what_is_off_the_table_on_all_its_sides_and_no_grain_is_not_bare() -> None:
    picture = np.full((400, 660, 3), STONE, np.uint8)
    pale, half, pip = (200, 120), (450, 280), (200, 280)
    off = tuple(channel + 14 for channel in STONE)
    for xy, colour in ((pale, off), (half, off), (pip, LINE)):
        cv2.circle(picture, xy, RADIUS, colour, -1, cv2.LINE_AA)
    picture[:, half[0] :] = STONE  # a step that is no rim: the other half of the outline is table
    noise = np.random.default_rng(3).normal(0, 4.0, picture.shape)
    ground = find_ground(np.clip(picture + noise, 0, 255).astype(np.uint8))
    difference = np.zeros_like(ground.difference)  # a pip has a colour that the table has elsewhere
    for xy in (pale, half):
        cv2.circle(difference, xy, RADIUS, (LEVEL + GRAIN) / 2, -1)
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    places = np.array([pale, half, pip], float)
    ring = RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = FoundDiscs(places[:, None] + ring, np.full(3, 0.6), np.full(3, float(RADIUS)), places, np.full(3, 0.02))
    assert is_bare_table(found, replace(ground, difference=difference)).tolist() == [False, True, True]
