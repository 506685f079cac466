"""What the rims leave over: pieces without a seen rim are found by size and colour; print is no piece."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.certainty import Doubts
from vision.count.leftovers import is_printed, is_touched, rimless_pieces
from vision.count.table.ground import find_ground, to_lab

TABLE, RED, BLUE = (120, 150, 140), (40, 40, 190), (180, 90, 40)
RED_LAB = to_lab(np.full((1, 1, 3), RED, np.uint8))[0]
RADIUS = 14


def ring(middle: tuple[int, int], radius: int = RADIUS) -> np.ndarray:
    """The outline (N, 2) of a disc."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.array(middle) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def table(*discs: tuple[tuple[int, int], int, tuple[int, int, int]]) -> np.ndarray:
    """A plain table (160, 200, 3) with discs: middle, radius, colour."""
    picture = np.full((160, 200, 3), TABLE, np.uint8)
    for middle, radius, colour in discs:
        cv2.circle(picture, middle, radius, colour, -1)
    noise = np.random.default_rng(1).normal(0, 1.5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


KNOWN = ((60, 80), RADIUS, RED)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (((140, 80), RADIUS, RED), [(140, 80)]),
        (((140, 80), 5, RED), []),  # a crumb
        (((140, 80), 28, RED), []),  # four times a piece
        (((140, 80), RADIUS, BLUE), []),  # of no piece's colour
    ],
    ids=["a piece", "a crumb", "a large thing", "another colour"],
)
def test_only_things_of_a_pieces_size_and_colour_are_pieces(other, found: list[tuple[int, int]]) -> None:
    picture = table(KNOWN, other)
    outlines = rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0])], RED_LAB).pieces
    assert len(outlines) == len(found)
    for outline, middle in zip(outlines, found, strict=True):
        assert np.linalg.norm(outline.mean(axis=0) - middle) < 1.5


def test_a_thing_of_a_pieces_size_and_of_another_colour_is_told() -> None:
    for other, strange in (((140, 80), RADIUS, BLUE), 1), (((140, 80), 5, BLUE), 0), (((140, 80), RADIUS, RED), 0):
        picture = table(KNOWN, other)
        assert rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0])], RED_LAB).strange == strange


def test_half_of_a_piece_that_another_hides_is_told() -> None:
    upper = (round(140 + 1.1 * RADIUS), 80)
    picture = table(KNOWN, ((140, 80), RADIUS, RED), (upper, RADIUS, BLUE))
    left = rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0]), ring(upper)], RED_LAB)
    assert (len(left.pieces), left.strange) == (0, 1)
    without = table(KNOWN, (upper, RADIUS, BLUE))
    left = rimless_pieces(without, find_ground(without), [ring(KNOWN[0]), ring(upper)], RED_LAB)
    assert (len(left.pieces), left.strange) == (0, 0)


def test_a_far_piece_is_as_deep_as_its_own_size_lets_it_be() -> None:
    radii = {20: 8, 60: 11, 100: 14, 140: 17}
    known = [((x, y), radius) for y, radius in radii.items() for x in (40, 110)]
    picture = table(*[(xy, radius, BLUE) for xy, radius in known], ((170, 20), 8, RED))
    left = rimless_pieces(picture, find_ground(picture), [ring(*one) for one in known], RED_LAB)
    assert [np.linalg.norm(o.mean(axis=0) - (170, 20)) < 2 for o in left.pieces] == [True]


def test_a_near_piece_may_be_larger_where_the_camera_looks_aslant() -> None:
    radii = {30: 9, 60: 11, 90: 14}
    rows = [((x, y), radius, RED) for y, radius in radii.items() for x in (40, 90, 140)]
    picture = table(*rows, ((90, 130), 17, RED))
    known = [ring(xy, radius) for xy, radius, _ in rows]
    left = rimless_pieces(picture, find_ground(picture), known, RED_LAB, printed=True)
    assert len(left.pieces) == 1
    assert np.ptp(left.pieces[0][:, 0]) / 2 == pytest.approx(17, abs=2.5)


def test_without_a_found_piece_no_size_is_known_and_nothing_is_found() -> None:
    picture = table(KNOWN)
    assert rimless_pieces(picture, find_ground(picture), [], RED_LAB).pieces == ()


def test_a_circle_drawn_on_the_table_is_print_and_a_disc_is_not() -> None:
    picture = table(KNOWN)
    cv2.circle(picture, (140, 80), RADIUS, (20, 20, 20), 2)
    assert is_printed(picture, ring((140, 80)))
    assert not is_printed(picture, ring((60, 80)))


def test_touching_pieces_without_a_seen_rim_are_told_apart_beside_a_known_one() -> None:
    picture = table(KNOWN, ((60 + 2 * RADIUS, 80), RADIUS, RED), ((60 + 4 * RADIUS, 80), RADIUS, RED))
    left = rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0])], RED_LAB)
    middles = sorted(float(outline.mean(axis=0)[0]) for outline in left.pieces)
    assert middles == pytest.approx([60 + 2 * RADIUS, 60 + 4 * RADIUS], abs=2.5)
    assert left.larger == 0


def test_a_card_in_the_colour_of_a_piece_is_not_tiled_with_pieces_and_costs_certainty() -> None:
    picture = table(KNOWN)
    cv2.rectangle(picture, (100, 30), (185, 130), RED, -1)
    cv2.circle(picture, (140, 80), 5, BLUE, -1)
    left = rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0])], RED_LAB)
    assert left.pieces == ()
    assert left.larger == 1
    assert "larger" in Doubts(1.0, 1.0).beneath(left.larger).why
    assert Doubts(1.0, 1.0).beneath(0) == Doubts(1.0, 1.0)


def test_a_piece_farther_away_may_be_smaller_than_the_known_one() -> None:
    picture = table(KNOWN, ((140, 40), round(0.8 * RADIUS), RED))
    left = rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0])], RED_LAB)
    assert len(left.pieces) == 1
    assert np.linalg.norm(left.pieces[0].mean(axis=0) - (140, 40)) < 2


def test_a_chip_on_a_card_whose_spots_have_the_card_s_colour_is_found() -> None:
    white, labs = (225, 225, 225), to_lab(np.array([[RED, (225, 225, 225)]], np.uint8))[0]
    picture = table(KNOWN)
    cv2.rectangle(picture, (100, 30), (185, 140), white, -1)
    cv2.circle(picture, (150, 100), RADIUS, RED, -1)
    for start in range(0, 360, 60):
        cv2.ellipse(picture, (150, 100), (RADIUS, RADIUS), 0, start, start + 20, white, -1)
    cv2.circle(picture, (150, 100), 10, RED, -1)
    left = rimless_pieces(picture, find_ground(picture), [ring(KNOWN[0])], labs)
    assert left.larger > 0
    assert [np.linalg.norm(outline.mean(axis=0) - (150, 100)) < 3 for outline in left.pieces] == [True]


def filled(*discs: tuple[float, float]) -> np.ndarray:
    """A mask (160, 200) with discs of a radius of 30 px."""
    mask = np.zeros((160, 200), np.uint8)
    for x, y in discs:
        cv2.circle(mask, (round(x), round(y)), 30, 1, -1)
    return mask > 0


def test_a_piece_that_others_of_its_colour_touch_is_told_from_the_corner_of_a_card_and_from_a_printed_ring() -> None:
    none, place = np.zeros((160, 200), bool), ring((100, 80), 30)
    around = [(100 + 62 * np.cos(turn), 80 + 62 * np.sin(turn)) for turn in np.deg2rad((90, 210, 330))]
    pieces = filled((100, 80), *around)
    closed = cv2.morphologyEx(pieces.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((21, 21), np.uint8)) > 0
    assert is_touched(place, pieces, closed, none)
    card = none.copy()
    card[48:, 68:] = True
    assert not is_touched(place, card, card, none)
    circle = filled((100, 80)) & ~(cv2.erode(filled((100, 80)).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0)
    assert not is_touched(place, circle, filled((100, 80)), none)
