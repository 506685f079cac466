"""Twins that differ by a digit are told by it in uneven light; where it is not seen, nothing is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.twins.fine_print import FinePrint, print_of

NOISE = 2.5


def tile(digit: str) -> np.ndarray:
    """(82, 82, 3) float32: a dark tile with a sign and a digit of 4 mm."""
    out = np.full((82, 82, 3), (70, 52, 44), np.uint8)
    cv2.circle(out, (41, 48), 16, (110, 96, 80), -1, cv2.LINE_AA)
    cv2.putText(out, digit, (37, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (120, 116, 104), 1, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 0.8).astype(np.float32)


TWINS = [tile(digit) for digit in "2358"]
PRINTS = [print_of(twin) for twin in TWINS]
ALL = np.ones((82, 82), bool)


def noisy(picture: np.ndarray) -> np.ndarray:
    return np.clip(picture + np.random.default_rng(4).normal(0, NOISE, picture.shape), 0, 255).astype(np.float32)


@pytest.mark.parametrize("gain", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("number", range(4))
def test_the_digit_tells_twins_on_both_sides_of_a_suns_edge(gain: float, number: int) -> None:
    sun = np.where(np.arange(82) > 45, 1.0, 0.6)[None, :, None]
    seen = FinePrint(noisy(TWINS[number] * sun * gain), ALL)
    found = seen.evidence([print_of(np.minimum(one * gain, 255.0)) for one in TWINS])
    assert int(np.argmax(found)) == number
    assert np.sort(found)[-1] - np.sort(found)[-2] > 3.0


def test_nothing_is_said_where_the_digit_is_hidden() -> None:
    visible = ALL.copy()
    visible[:28, 25:60] = False
    assert np.abs(FinePrint(noisy(TWINS[0]), visible).evidence(PRINTS)).max() < 0.1
    assert not FinePrint(noisy(TWINS[0]), ~ALL).evidence(PRINTS).any()


def test_nothing_is_said_where_the_camera_cut_the_digit_off() -> None:
    glaring = [np.minimum(one * 8.0, 255.0) for one in TWINS]
    assert not FinePrint(glaring[1], ALL).evidence([print_of(one) for one in glaring]).any()


def test_a_bare_place_says_less_for_its_likeliest_face_than_a_tile_does() -> None:
    bare = noisy(np.full((82, 82, 3), 60.0, np.float32))
    of_bare, of_tile = (np.ptp(FinePrint(picture, ALL).evidence(PRINTS)) for picture in (bare, noisy(TWINS[0])))
    assert of_bare < 0.1 * of_tile


def test_the_sharpness_of_the_picture_is_the_likeliest() -> None:
    softer = [cv2.GaussianBlur(TWINS[2], (0, 0), blur) for blur in (0.4, 0.9, 1.6)]
    seen = FinePrint(noisy(softer[1]), ALL)
    assert int(np.argmax([seen.likeness(print_of(one)) for one in softer])) == 1
