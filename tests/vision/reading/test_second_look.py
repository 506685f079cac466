"""Faces that differ in a digit: told apart where the digit is seen, left in doubt where a piece hides it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.colours import PictureLight
from vision.laid import LaidFace, SeenTable, draw, settle, shrink_reference
from vision.second_look import look_again

SIDE_MM = 55.0
ORIGIN = (-50.0, -50.0)


def scan(digit: str) -> np.ndarray:
    out = np.full((440, 440, 3), (217, 236, 245), np.uint8)
    cv2.rectangle(out, (16, 16), (424, 424), (43, 98, 217), -1)
    cv2.circle(out, (220, 260), 90, (220, 238, 252), -1)
    cv2.circle(out, (220, 80), 45, (47, 207, 246), -1)
    cv2.putText(out, digit, (202, 98), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (0, 40, 60), 6, cv2.LINE_AA)
    return out


SCANS = {digit: shrink_reference(scan(digit), SIDE_MM) for digit in "123"}
FIRST = (("1", 0.34), ("2", 0.33), ("3", 0.33))


def table(digit: str, light: PictureLight) -> tuple[np.ndarray, LaidFace]:
    laid = LaidFace(np.array([1.0, -2.0]), 2.0, SIDE_MM, SCANS[digit])
    flat, label = np.zeros((150, 150, 3), np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, laid, 0, ORIGIN, blur=2)
    seen = light.expect(flat, np.zeros((1, 1, 2)))
    seen[label < 0] = 60.0
    return np.clip(seen + np.random.default_rng(3).normal(0, 4, seen.shape), 0, 255).astype(np.uint8), laid


@pytest.mark.parametrize("gain", [0.5, 1.0, 2.2])
@pytest.mark.parametrize("digit", ["1", "2", "3"])
def test_a_digit_is_read_in_dim_and_in_glaring_light(digit: str, gain: float) -> None:
    light = PictureLight((gain, gain, gain), (0.02, 0.02, 0.02), (0.0, 0.0), 4.0)
    seen, laid = table(digit, light)
    (face, p), *_ = look_again(seen, light, ORIGIN, laid, FIRST, SCANS)
    assert face == digit
    assert p > (0.9 if gain == 1.0 else 0.7)


def test_a_hidden_digit_leaves_the_face_in_doubt_even_if_the_piece_resembles_one() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    seen, laid = table("1", light)
    covered = np.zeros(seen.shape[:2], np.float32)
    x, y = ((laid.centre_mm + np.array([0.6, -17.5]) - ORIGIN) * 1.5).astype(int)
    covered[y - 9 : y + 10, x - 9 : x + 10] = 1.0
    seen[y - 8 : y + 9, x - 8 : x + 9] = (38, 34, 34)
    (_, p), *_ = look_again(seen, light, ORIGIN, laid, FIRST, SCANS, covered)
    assert p < 0.9


def test_a_face_that_the_first_look_did_not_name_is_found() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    seen, laid = table("3", light)
    assert look_again(seen, light, ORIGIN, laid, FIRST[:2], SCANS)[0][0] == "3"


def test_a_face_settles_from_three_degrees_and_two_millimetres_away_beside_a_dark_table() -> None:
    light = PictureLight((1.5, 1.5, 1.5), (0.05, 0.05, 0.05), (0.0, 0.0), 4.0)
    seen, true = table("2", light)
    away = LaidFace(true.centre_mm + np.array([1.6, -1.2]), true.turn_deg - 3.0, SIDE_MM, true.scan)
    found = settle(SeenTable(seen, ORIGIN), away, light)
    assert found.corners_mm == pytest.approx(true.corners_mm, abs=0.3)
