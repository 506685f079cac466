"""What all cards print alike is seen on every card, in half shadow and askew too, and never on bare checks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.canvas import Window
from vision.appearance.common_print import SHOWS_CARD, CommonPrint
from vision.appearance.placed_face import FaceScan, shrink_reference

CARD_MM = (44.0, 68.0)
PX_A_MM = 8  # of the drawn scans
RED, PALE = (60, 70, 120), (150, 160, 175)
CORNERS_MM = np.array([[0.0, 0.0], [CARD_MM[0], 0.0], list(CARD_MM), [0.0, CARD_MM[1]]])


def card(seed: int, colour: tuple[int, int, int]) -> np.ndarray:
    """A card with a pale border, a price and a title, as all have, and a crest of its own."""
    width, height = (round(side * PX_A_MM) for side in CARD_MM)
    picture = np.full((height, width, 3), (200, 210, 215), np.uint8)
    cv2.rectangle(picture, (12, 12), (width - 13, height - 13), colour, -1)
    cv2.circle(picture, (width - 48, 48), 26, (40, 190, 220), -1)
    cv2.rectangle(picture, (60, height - 60), (width - 60, height - 42), (200, 210, 215), -1)
    rng = np.random.default_rng(seed)
    crest = rng.uniform(-75, 75, (7, 2)) + np.array([width / 2, height * 0.42])
    cv2.fillPoly(picture, [crest.astype(np.int32)], (200, 210, 215))
    return picture


def faces() -> list[FaceScan]:
    colours = ((140, 90, 40), RED, (60, 130, 100), (110, 95, 80))
    return [shrink_reference(card(k, colour), CARD_MM[0]) for k, colour in enumerate(colours)]


def checks(window: Window, side_mm: float, turn_deg: float) -> np.ndarray:
    """A cloth of such checks, a little noisy."""
    y, x = np.mgrid[: window.height_px, : window.width_px] / 1.5
    angle = np.deg2rad(turn_deg)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    odd = ((u // side_mm + v // side_mm) % 2).astype(bool)
    cloth = np.where(odd[..., None], np.array(RED, float), np.array(PALE, float))
    return np.clip(cloth + np.random.default_rng(5).normal(0.0, 4.0, cloth.shape), 0, 255).astype(np.uint8)


def laid(
    seen: np.ndarray, window: Window, scan: np.ndarray, turn_deg: float, off_mm: tuple[float, float]
) -> np.ndarray:
    """The card drawn into a zone, turned about its middle and so far from its place, half of it in shadow."""
    turn = cv2.getRotationMatrix2D((CARD_MM[0] / 2, CARD_MM[1] / 2), turn_deg, 1.0)
    corners = CORNERS_MM @ turn[:, :2].T + turn[:, 2] + off_mm
    height, width = scan.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    way = cv2.getPerspectiveTransform(flat, window.to_px(corners).astype(np.float32))
    size = seen.shape[1::-1]
    drawn = cv2.warpPerspective(cv2.GaussianBlur(scan, (0, 0), 3.0), way, size)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), way, size)
    out = np.where(mask[..., None] > 0, drawn, seen).astype(np.float32)
    out[:, size[0] // 2 :] *= 0.55
    return np.clip(out + np.random.default_rng(6).normal(0.0, 4.0, out.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("turn_deg", "off_mm"), [(0.0, (0.0, 0.0)), (5.0, (4.0, -3.0)), (-3.0, (-9.0, 6.0))])
def test_a_card_of_the_cloths_colour_in_half_shadow_shows_what_all_cards_print(turn_deg, off_mm):
    window = Window.around(CORNERS_MM, 32.0)
    seen = laid(checks(window, 40.0, 25.0), window, card(9, RED), turn_deg, off_mm)
    assert CommonPrint.of(faces()).is_shown(seen, window, CORNERS_MM)


def test_a_card_that_lies_across_is_seen_in_its_own_turn():
    window = Window.around(CORNERS_MM, 32.0)
    seen = laid(checks(window, 40.0, 25.0), window, card(9, RED), 90.0, (0.0, 0.0))
    turn = cv2.getRotationMatrix2D((CARD_MM[0] / 2, CARD_MM[1] / 2), 90.0, 1.0)
    across = CORNERS_MM @ turn[:, :2].T + turn[:, 2]
    found = [CommonPrint.of(faces()).is_shown(seen, window, across, quarters) for quarters in range(4)]
    assert found == [False, False, False, True]  # OpenCV turns the other way round


@pytest.mark.parametrize("side_mm", [20.0, 40.0, 60.0])
@pytest.mark.parametrize("turn_deg", [0.0, 12.0, 45.0])
def test_bare_checks_are_far_from_what_all_cards_print(side_mm, turn_deg):
    window = Window.around(CORNERS_MM, 32.0)
    assert CommonPrint.of(faces()).likeness(checks(window, side_mm, turn_deg)) < SHOWS_CARD - 0.1


def test_a_picture_smaller_than_a_card_shows_none():
    assert CommonPrint.of(faces()).likeness(np.zeros((40, 40, 3), np.uint8)) == -1.0
