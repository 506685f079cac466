"""Where pieces show clear rims, a broken one around what is unlike its surroundings is print; grain is none either."""

from __future__ import annotations

import cv2
import numpy as np

from vision.count.counting import count_pieces
from vision.count.discs.bare import unexplained
from vision.count.discs.clear import broken_rims, free_support, seen_support
from vision.count.discs.rims import ANGLES
from vision.count.discs.search import FoundDiscs
from vision.count.table.ground import find_ground, to_lab
from vision.count.teaching.references import learn_colour

WOOD, RED, GREEN, BLUE = (92, 128, 160), (40, 30, 190), (60, 140, 40), (190, 90, 20)
RADIUS = 20
PLACES = [((90 + 110 * k, 90 + 60 * (k % 2)), (RED, GREEN, BLUE)[k % 3]) for k in range(6)]


def found_of(rims: list[tuple[float, float, float, float]]) -> FoundDiscs:
    """Round outlines of one size by their middles, the part of each that is sharp, and how wavy it is."""
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    ring = RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    x, y, support, wavy = np.array(rims, float).T
    xy = np.stack([x, y], axis=1)
    return FoundDiscs(xy[:, None] + ring, support, np.full(len(xy), float(RADIUS)), xy, wavy)


CLEAR = [(x, y, 0.95, 0.015) for (x, y), _ in PLACES]


def grainy_table(hearts: bool) -> np.ndarray:
    """Six candies on a table with a coarse grain, beside a card with two hearts."""
    rng = np.random.default_rng(3)
    coarse = cv2.resize(rng.normal(0, 16, (80, 120)).astype(np.float32), (720, 480), interpolation=cv2.INTER_CUBIC)
    picture = np.full((480, 720, 3), WOOD, np.float32) + coarse[..., None]
    if hearts:
        cv2.rectangle(picture, (420, 240), (620, 450), (228, 232, 235), -1)
        for x in (480, 560):
            points = np.array([[x - 22, 330], [x + 22, 330], [x, 364]], np.int32)
            cv2.fillPoly(picture, [points], RED, cv2.LINE_AA)
            for side in (-11, 11):
                cv2.circle(picture, (x + side, 326), 12, RED, -1, cv2.LINE_AA)
    for xy, colour in PLACES:
        cv2.circle(picture, xy, RADIUS, colour, -1, cv2.LINE_AA)
    picture += rng.normal(0, 1.5, picture.shape)
    return cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (0, 0), 0.7)


def test_a_broken_rim_around_what_is_unlike_its_surroundings_is_none() -> None:
    lab = to_lab(grainy_table(hearts=True))
    found = found_of([*CLEAR, (480, 338, 0.55, 0.05), (480, 338, 0.7, 0.05), (200, 400, 0.55, 0.05)])
    assert broken_rims(found, lab).tolist() == [False] * 6 + [True, False, False]


def test_what_a_clear_piece_hides_of_a_rim_does_not_count() -> None:
    (x, y), _ = PLACES[0]
    found = found_of([*CLEAR, (x + 1.4 * RADIUS, y, 0.5, 0.02), (300, 300, 0.5, 0.02)])
    free = free_support(found, found.support > 0.9)
    assert free[-2] > 0.7
    assert free[-1] == 0.5


def test_where_few_rims_are_clear_broken_ones_may_be_pieces() -> None:
    found = found_of([*CLEAR[:4], (480, 338, 0.5, 0.02)])
    assert not broken_rims(found, to_lab(grainy_table(hearts=True))).any()


def test_candies_on_coarse_grain_are_counted_by_their_rims() -> None:
    teaching = grainy_table(hearts=False)
    boxes = {name: PLACES[k][0] for k, name in enumerate(("red", "green", "blue"))}
    colours = [learn_colour(name, [(teaching, ((x - 22, y - 22, 44, 44),))]) for name, (x, y) in boxes.items()]
    result = count_pieces(grainy_table(hearts=False), colours)
    assert (result.counts, result.unknown) == ({"red": 2, "green": 2, "blue": 2}, 0)
    beside_hearts = count_pieces(grainy_table(hearts=True), colours)  # in a learnt colour, and about as large
    assert beside_hearts.counts == result.counts  # red were six with all rings that the hearts give


def test_a_broken_rim_around_neither_table_nor_piece_is_told() -> None:
    picture = grainy_table(hearts=True)
    broken = found_of([(480, 338, 0.5, 0.05), (200, 400, 0.5, 0.05), (*PLACES[0][0], 0.5, 0.05)])
    pieces = [found_of([rim]).outlines[0] for rim in CLEAR]
    assert unexplained(broken, pieces, find_ground(picture), picture.shape[1]) == 1


def test_things_without_round_rims_are_never_sure_where_any_round_piece_taught() -> None:
    picture = np.full((480, 720, 3), WOOD, np.float32)
    for k, colour in enumerate((RED, GREEN, BLUE) * 2):
        x, y = 100 + 200 * (k % 3), 100 + 220 * (k // 3)
        cv2.rectangle(picture, (x, y), (x + 60, y + 90), colour, -1)
    picture += np.random.default_rng(3).normal(0, 1.5, picture.shape)
    cards = cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (0, 0), 0.7)
    teaching = grainy_table(hearts=False)
    (x, y), _ = PLACES[0]
    swatches = [learn_colour(name, [(np.full((20, 20, 3), bgr, np.uint8), ())]) for name, bgr in
                (("green", GREEN), ("blue", BLUE))]  # fmt: skip
    result = count_pieces(cards, [learn_colour("red", [(teaching, ((x - 22, y - 22, 44, 44),))]), *swatches])
    assert not result.sure


def test_a_rim_is_as_certain_as_what_no_clear_piece_hides_of_it_where_most_of_it_is_seen() -> None:
    (x, y), _ = PLACES[0]
    beside, arc = (x + 2 * RADIUS, y, 0.66, 0.02), (x + 0.8 * RADIUS, y, 0.4, 0.02)
    alone = seen_support(found_of([*CLEAR, (300, 300, 0.66, 0.02)]))[-1]
    touching, hidden = (float(seen_support(found_of([*CLEAR, rim]))[-1]) for rim in (beside, arc))
    assert alone == 0.66
    assert 0.7 < touching < 0.9
    assert hidden == 0.4
