"""Printed pieces are named by those of their rings that bear no print."""

from __future__ import annotations

import cv2
import numpy as np

from vision.count.appearance.looks import PieceLook, look_in_outline
from vision.count.naming.bodies import bodies_of, body_zone
from vision.srgb import to_linear

TABLE, PAPER = (70, 95, 40), (225, 228, 230)
BODIES = ((40, 30, 170), (150, 60, 30), (35, 33, 34), PAPER)
SPOTS = (PAPER, PAPER, PAPER, (150, 60, 30))
RADIUS = 60


def chip(body: tuple[int, int, int], spots: tuple[int, int, int], label: float, clear: float) -> PieceLook:
    """A chip with a white label of a part of its radius, and with spots from another part of it on."""
    picture = np.full((160, 160, 3), TABLE, np.uint8)
    cv2.circle(picture, (80, 80), RADIUS, body, -1, cv2.LINE_AA)
    for k in range(8):
        cv2.ellipse(picture, (80, 80), (RADIUS, RADIUS), 0, 45 * k, 45 * k + 18, spots, -1, cv2.LINE_AA)
    cv2.circle(picture, (80, 80), round(clear * RADIUS), body, -1, cv2.LINE_AA)
    cv2.circle(picture, (80, 80), round(label * RADIUS), PAPER, -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    return look_in_outline(picture, 80 + RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def shaded(body: tuple[int, int, int]) -> PieceLook:
    """A dome that is darker by half at its edge."""
    rows, cols = np.mgrid[:160, :160]
    away = np.hypot(rows - 80, cols - 80) / RADIUS
    face = np.array(body) * (1 - 0.25 * np.clip(away, 0, 1) ** 2)[..., None]
    picture = np.where(away[..., None] < 1, face, TABLE).astype(np.uint8)
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    return look_in_outline(picture, 80 + RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def test_the_body_shows_between_label_and_spots() -> None:
    looks = [chip(body, spots, 0.5, 0.7) for body, spots in zip(BODIES, SPOTS, strict=True)]
    zone = body_zone(looks, np.arange(4))
    assert zone == (5, 7)
    seen = bodies_of(looks, zone)
    assert np.allclose(seen[:, 0], to_linear(np.array(BODIES, np.uint8)), atol=0.02)
    assert np.array_equal(seen[:, 0], seen[:, 1])


def test_without_a_label_the_body_reaches_to_the_middle() -> None:
    looks = [chip(body, spots, 0.0, 0.7) for body, spots in zip(BODIES, SPOTS, strict=True)]
    assert body_zone(looks, np.arange(4)) == (0, 7)


def test_the_body_shows_around_a_label_though_spots_are_few() -> None:
    """Spots under a tenth of every ring: a label that covers half of the piece is print all the same."""
    looks = [chip(body, body, 0.55, 1.0) for body in BODIES]
    zone = body_zone(looks, np.arange(4))
    assert zone is not None
    assert zone[0] >= 5
    assert np.allclose(bodies_of(looks, zone)[:, 0], to_linear(np.array(BODIES, np.uint8)), atol=0.02)


def test_shade_towards_the_edge_is_no_label() -> None:
    looks = [shaded(body) for body in BODIES[:2]]
    assert body_zone(looks, np.arange(2)) is None


def test_pieces_without_print_and_colours_that_no_piece_taught_have_no_body_zone() -> None:
    plain = [chip(body, body, 0.0, 0.75) for body in BODIES]
    assert body_zone(plain, np.arange(4)) is None
    assert body_zone([PieceLook((0.1, 0.1, 0.4), (0.1, 0.1, 0.4))], np.arange(1)) is None


def test_pieces_with_print_all_over_have_no_body_zone() -> None:
    looks = [chip(body, spots, 0.0, 0.02) for body, spots in zip(BODIES, SPOTS, strict=True)]
    assert body_zone(looks, np.arange(4)) is None


def test_labels_of_one_colour_are_no_bodies_where_no_other_ring_is_free_of_print() -> None:
    """Spots from the label outwards: all that has one colour is the label, and it is white on every chip."""
    bodies = BODIES[:3]
    looks = [chip(body, spots, 0.5, 0.3) for body, spots in zip(bodies, SPOTS[:3], strict=True)]
    assert body_zone(looks, np.arange(3)) is None
