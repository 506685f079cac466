"""Chips as pale as their table, of which spots are all that is seen, are found by spots as on the one that taught."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.count.appearance.looks import look_in_outline
from vision.count.discs.rims import ANGLES
from vision.count.discs.search import Copies, FoundDiscs
from vision.count.discs.spotted import spotted_pieces
from vision.count.naming.taught import Taught
from vision.count.round_pieces import count_round
from vision.count.table.ground import find_ground, to_lab
from vision.count.teaching.references import learn_colour

STONE, BLUE = (196, 200, 204), (140, 60, 30)
RADIUS = 30
SEEN = [(80, 80), (230, 80), (380, 80), (80, 230), (230, 230), (380, 230)]
UNSEEN, CROSS = (520, 150), (520, 300)


def table(seed: int) -> np.ndarray:
    """A stone with chips of just its colour but for their spots, and a printed cross as broad as one."""
    picture = np.full((380, 600, 3), STONE, np.uint8)
    for xy in (*SEEN, UNSEEN):
        for start in range(0, 360, 45):
            cv2.ellipse(picture, xy, (RADIUS, RADIUS), 0, start, start + 16, BLUE, -1, cv2.LINE_AA)
        cv2.circle(picture, xy, RADIUS - 9, STONE, -1, cv2.LINE_AA)
    for turn in (0, 90):
        way = RADIUS * np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
        ends = [tuple(np.round(CROSS + side * way).astype(int).tolist()) for side in (-1, 1)]
        cv2.line(picture, *ends, BLUE, 4, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, 1.5, picture.shape)
    return cv2.GaussianBlur(np.clip(picture + noise, 0, 255).astype(np.uint8), (0, 0), 0.7)


def rims(places: list[tuple[int, int]]) -> FoundDiscs:
    """Clear rims of one size."""
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    middles = np.array(places, float)
    outlines = middles[:, None] + RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    number = len(places)
    return FoundDiscs(outlines, np.full(number, 0.9), np.full(number, float(RADIUS)), middles, np.full(number, 0.01))


def spotted_in(picture: np.ndarray, found: FoundDiscs) -> list[np.ndarray]:
    """What is found there beside the found ones, by one that taught in another picture."""
    look = look_in_outline(table(1), rims(SEEN).outlines[0])
    lab = to_lab(picture)
    lying = np.linalg.norm(lab - np.median(lab.reshape(-1, 3), axis=0), axis=2) > 15
    return spotted_pieces(picture, Copies(lab), found, lying, [look])


def test_a_chip_of_which_only_spots_are_seen_is_found_and_a_cross_is_none() -> None:
    found = spotted_in(table(2), rims(SEEN))
    assert len(found) == 1
    assert np.linalg.norm(found[0].mean(axis=0) - UNSEEN) < 0.2 * RADIUS


def test_nothing_is_found_where_few_pieces_show_their_size() -> None:
    assert spotted_in(table(2), rims(SEEN[:3])) == []


def dark_table(seed: int, places: list[tuple[int, int]]) -> np.ndarray:
    """A stone with dark chips whose spots have its colour."""
    picture = np.full((380, 600, 3), STONE, np.uint8)
    for xy in places:
        cv2.circle(picture, xy, RADIUS, BLUE, -1, cv2.LINE_AA)
        for start in range(0, 360, 60):
            cv2.ellipse(picture, xy, (RADIUS, RADIUS), 0, start, start + 24, STONE, -1, cv2.LINE_AA)
        cv2.circle(picture, xy, RADIUS - 9, BLUE, -1, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, 1.5, picture.shape)
    return cv2.GaussianBlur(np.clip(picture + noise, 0, 255).astype(np.uint8), (0, 0), 0.7)


def test_a_chip_that_others_surround_is_found_once_these_are() -> None:
    apart, step = [(80, 80), (230, 80), (80, 280), (230, 280)], 2 * RADIUS + 2
    cross = [(450, 180), (450 - step, 180), (450 + step, 180), (450, 180 - step), (450, 180 + step)]
    picture = dark_table(2, apart + cross)
    look = look_in_outline(dark_table(1, apart), rims(apart).outlines[0])
    lab = to_lab(picture)
    lying = np.linalg.norm(lab - np.median(lab.reshape(-1, 3), axis=0), axis=2) > 15
    found = spotted_pieces(picture, Copies(lab), rims(apart), lying, [look])
    assert len(found) == len(cross)
    gaps = np.linalg.norm(np.array([o.mean(axis=0) for o in found])[:, None] - np.array(cross)[None], axis=2)
    assert (gaps.min(axis=0) < 0.2 * RADIUS).all()


def test_what_lies_between_touching_chips_is_looked_at_once_they_are_known_by_their_spots() -> None:
    apart, step = [(80, 80), (230, 80), (80, 280), (230, 280)], 2 * RADIUS
    square = [(450 + step * x, 180 + step * y) for x in (0, 1) for y in (0, 1)]
    boxes = [(x - RADIUS - 2, y - RADIUS - 2, 2 * RADIUS + 4, 2 * RADIUS + 4) for x, y in apart]
    taught = dark_table(1, apart)
    red = np.ascontiguousarray(taught[..., ::-1])
    learnt = Taught.by([learn_colour("blue", [(taught, boxes)]), learn_colour("red", [(red, boxes)])])
    picture, seen = dark_table(2, apart + square), rims(apart)
    none = seen.take(np.zeros(len(seen), bool))
    ground = find_ground(picture, learnt.lab())
    counted = count_round(picture, Copies(to_lab(picture)), (seen, none), ground, learnt, None, None)
    assert counted.counts == {"blue": 8, "red": 0}
    assert "larger thing" not in counted.why


def test_a_letter_in_the_middle_is_no_spot_by_which_a_piece_is_known() -> None:
    look = look_in_outline(table(1), rims(SEEN).outlines[0])
    lettered = replace(look, mixed=(0.4, 0.4, 0.4, *(0.0,) * (len(look.mixed) - 3)))
    lab = to_lab(table(2))
    lying = np.linalg.norm(lab - np.median(lab.reshape(-1, 3), axis=0), axis=2) > 15
    assert spotted_pieces(table(2), Copies(lab), rims(SEEN), lying, [lettered]) == []
