"""Chips that all bear the same print are told apart by their bodies, and found where only their labels have a rim."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.appearance.looks import PieceLook, edges_of, light_of, look_in_outline
from vision.count.counting import count_pieces
from vision.count.discs.rims import ANGLES, Discs
from vision.count.discs.search import FoundDiscs
from vision.count.discs.whole import around_labels
from vision.count.naming.names import closest
from vision.count.table.ground import to_lab
from vision.count.teaching.colours import PieceColour
from vision.count.teaching.references import BOX_PX, inner_rims
from vision.srgb import to_linear

TABLE, PAPER = (70, 95, 40), (225, 228, 230)
BODIES = {"red": (40, 30, 170), "blue": (150, 60, 30), "black": (35, 33, 34)}
PLACES = ((110, 110), (280, 120), (450, 115), (120, 320), (300, 330), (470, 325))


def circle(middle, radius):
    """(ANGLES, 2) px."""
    angles = np.linspace(0, 2 * np.pi, ANGLES, endpoint=False)
    return np.array(middle) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def rims(places, radii):
    """Rims seen in full."""
    outlines = np.array([circle(xy, r) for xy, r in zip(places, radii, strict=True)])
    ones = np.ones(len(radii))
    return FoundDiscs(outlines, ones, np.array(radii, float), np.array(places, float), 0.01 * ones)


def chip(picture, xy, body, radius=50, paper=PAPER):
    """A broad white label, and white spots beside half of the rim."""
    cv2.circle(picture, xy, radius, body, -1, cv2.LINE_AA)
    for k in range(12):
        cv2.ellipse(picture, xy, (radius, radius), 0, 30 * k, 30 * k + 15, paper, -1, cv2.LINE_AA)
    cv2.circle(picture, xy, round(0.86 * radius), body, -1, cv2.LINE_AA)
    cv2.circle(picture, xy, round(0.64 * radius), paper, -1, cv2.LINE_AA)


def test_pieces_reach_as_far_beyond_their_labels_as_what_is_no_table():
    lying = np.zeros((440, 600), np.uint8)
    for xy in PLACES:
        cv2.circle(lying, xy, 50, 1, -1)
    found = around_labels(rims(PLACES, [25] * 6), lying > 0)
    assert np.allclose(found.radius, 50, rtol=0.05)


def test_a_pip_that_nothing_surrounds_and_a_rim_between_labels_are_no_pieces():
    lying = np.zeros((440, 600), np.uint8)
    for xy in PLACES[:4]:
        cv2.circle(lying, xy, 50, 1, -1)
    cv2.circle(lying, PLACES[4], 12, 1, -1)
    between = (PLACES[0][0] + 45, PLACES[0][1])
    found = around_labels(rims((*PLACES[:5], between), [25] * 4 + [12, 20]), lying > 0)
    assert sorted(map(tuple, found.xy.astype(int).tolist())) == sorted(PLACES[:4])


def test_no_pieces_are_made_up_where_no_end_of_them_is_seen():
    assert len(around_labels(rims(PLACES, [25] * 6), np.ones((440, 600), bool))) == 0


@pytest.mark.parametrize(("radius", "inner"), [(20.0, True), (31.0, False)], ids=["a label", "the piece"])
def test_a_rim_with_the_piece_around_it_is_a_label_in_a_crop(radius, inner):
    crop = np.full((BOX_PX, BOX_PX, 3), TABLE, np.uint8)
    chip(crop, (BOX_PX // 2, BOX_PX // 2), BODIES["red"], 31)
    found = Discs(
        np.array([[36.0, 36.0]]), np.array([radius]), np.zeros((1, 2)), np.ones((1, ANGLES), bool), np.zeros(1)
    )
    assert inner_rims(to_lab(crop), found, 0.88).tolist() == [inner]


def test_a_small_piece_in_a_wide_crop_has_the_table_around_its_rim():
    crop = np.full((BOX_PX, BOX_PX, 3), TABLE, np.uint8)
    cv2.circle(crop, (36, 36), 20, BODIES["red"], -1, cv2.LINE_AA)
    found = Discs(np.array([[36.0, 36.0]]), np.array([20.0]), np.zeros((1, 2)), np.ones((1, ANGLES), bool), np.zeros(1))
    assert inner_rims(to_lab(crop), found, 0.88).tolist() == [False]


def test_the_commonest_colour_at_the_edge_is_the_body_s():
    looks = []
    for body in BODIES.values():
        picture = np.full((120, 120, 3), TABLE, np.uint8)
        chip(picture, (60, 60), body)
        looks.append(look_in_outline(picture, circle((60, 60), 50)))
    owners = np.arange(len(looks))
    assert closest(edges_of(looks), owners) > 3 > closest(light_of(looks), owners)


def test_a_piece_without_print_has_one_colour():
    look = PieceLook((0.1, 0.2, 0.3), (0.1, 0.2, 0.3))
    assert (edges_of([look]) == light_of([look])).all()


def test_chips_with_the_same_label_and_spots_are_counted_by_their_bodies():
    picture = np.full((440, 600, 3), TABLE, np.uint8)
    papers = [(205, 225, 235), (230, 228, 215), (225, 215, 228)] * 2  # yellowed by use, each its own way
    for xy, body, paper in zip(PLACES, [*BODIES.values()] * 2, papers[::-1], strict=True):
        chip(picture, xy, body, paper=paper)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    picture = np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)
    paper, *bodies = to_linear(np.array([PAPER, *BODIES.values()], np.uint8)).tolist()
    taught = [PieceLook(tuple(paper), tuple(paper), 0.9, edge_bgr=tuple(body)) for body in bodies]
    colours = [PieceColour(name, look.edge_bgr, (0, 0, 0), (look,)) for name, look in zip(BODIES, taught, strict=True)]
    assert count_pieces(picture, colours).counts == {"red": 2, "blue": 2, "black": 2}
