"""A face's print is seen whatever the light and the contrast; bare table has none of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.placed_face import PlacedFace, draw, shrink_reference
from vision.appearance.print_detail import (
    beside_rivals,
    detail_likeness,
    least_likeness,
    print_strength,
    same_print,
)

SIDE_MM = 55.0
ORIGIN = (-50.0, -50.0)


def printed() -> np.ndarray:
    """A face with a dark sign and lines on a dark ground."""
    out = np.full((440, 440, 3), (60, 66, 70), np.uint8)
    cv2.circle(out, (150, 170), 70, (110, 90, 95), -1)
    cv2.rectangle(out, (240, 250), (380, 400), (84, 120, 92), -1)
    cv2.putText(out, "R7", (220, 170), cv2.FONT_HERSHEY_SIMPLEX, 4, (150, 150, 160), 14)
    return out


FACE = PlacedFace(np.array([1.0, -2.0]), 4.0, SIDE_MM, shrink_reference(printed(), SIDE_MM))


def seen(gain: float, noise: float) -> np.ndarray:
    flat, label = np.full((150, 150, 3), 66, np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, FACE, 0, ORIGIN, blur=2)
    return np.clip(flat * gain + np.random.default_rng(2).normal(0, noise, flat.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("gain", [0.4, 1.0, 1.5])
def test_a_dark_face_is_seen_in_dim_and_in_bright_light(gain: float) -> None:
    assert detail_likeness(seen(gain, 1.0), FACE, ORIGIN) > 0.6


def test_a_bare_table_of_the_same_colour_shows_nothing_of_it() -> None:
    noise = np.random.default_rng(3).normal(0, 3, (150, 150, 3))
    bare = np.clip(np.full((150, 150, 3), 66.0) + noise, 0, 255).astype(np.uint8)
    assert abs(detail_likeness(bare, FACE, ORIGIN)) < 0.2


@pytest.mark.parametrize(("gain", "noise"), [(0.4, 1.0), (1.0, 6.0), (1.5, 1.0)])
def test_print_is_as_strong_in_any_light_and_noise_and_a_table_has_none(gain: float, noise: float) -> None:
    assert print_strength(seen(gain, noise), FACE, ORIGIN) > 0.6
    bare = np.clip(66.0 * gain + np.random.default_rng(3).normal(0, noise, (150, 150, 3)), 0, 255).astype(np.uint8)
    assert abs(print_strength(bare, FACE, ORIGIN)) < 0.1


def test_print_as_bright_as_its_ground_is_seen_by_its_colour() -> None:
    face = np.full((440, 440, 3), (70, 110, 60), np.uint8)
    cv2.rectangle(face, (150, 120), (220, 330), (150, 60, 128), -1)  # as bright a purple
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(int)
    assert np.ptp(grey) <= 3
    place = PlacedFace(FACE.centre_mm, FACE.turn_deg, SIDE_MM, shrink_reference(face, SIDE_MM))
    flat, label = np.full((150, 150, 3), 90, np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, place, 0, ORIGIN, blur=2)
    assert print_strength(flat, place, ORIGIN) > 0.6


def test_another_place_of_the_face_is_not_taken_for_its_own() -> None:
    moved = PlacedFace(FACE.centre_mm + np.array([9.0, 7.0]), FACE.turn_deg, SIDE_MM, FACE.scan)
    assert detail_likeness(seen(1.0, 1.0), moved, ORIGIN) < detail_likeness(seen(1.0, 1.0), FACE, ORIGIN) / 2


def test_a_face_is_more_like_itself_than_its_rival_is() -> None:
    rival = shrink_reference(np.ascontiguousarray(printed()[:, ::-1]), SIDE_MM)
    assert beside_rivals(seen(1.0, 1.0), FACE, [rival], ORIGIN) > 0.1
    assert beside_rivals(seen(1.0, 1.0), FACE, [rival, FACE.scan], ORIGIN) == 0.0
    assert beside_rivals(seen(1.0, 1.0), FACE, [], ORIGIN) == np.inf


def test_every_part_of_a_face_is_seen_on_both_sides_of_a_suns_edge() -> None:
    picture = seen(1.0, 1.0)
    sunny = cv2.GaussianBlur(np.tri(150, dtype=np.float32), (0, 0), 2.0)[..., None]
    picture = np.clip(picture * (1.0 + 0.6 * sunny), 0, 255).astype(np.uint8)
    assert least_likeness(picture, FACE, ORIGIN) > 0.58


def test_the_part_of_a_face_under_a_coin_is_not_seen() -> None:
    picture = seen(1.0, 1.0)
    at = ((FACE.centre_mm + np.array([-9.0, -6.0]) - np.array(ORIGIN)) * 1.5).astype(int).tolist()  # on the round sign
    cv2.circle(picture, at, 15, (90, 110, 120), -1)
    assert least_likeness(seen(1.0, 1.0), FACE, ORIGIN) > 0.58
    assert least_likeness(picture, FACE, ORIGIN) < 0.4


def test_what_covers_a_known_part_of_a_face_does_not_count() -> None:
    picture = seen(1.0, 1.0)
    at = ((FACE.centre_mm + np.array([-9.0, -6.0]) - np.array(ORIGIN)) * 1.5).astype(int).tolist()
    covered = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(picture, at, 11, (90, 110, 120), -1)
    cv2.circle(covered, at, 12, 255, -1)
    assert detail_likeness(picture, FACE, ORIGIN, covered) > detail_likeness(picture, FACE, ORIGIN) + 0.015
    assert least_likeness(picture, FACE, ORIGIN, covered) > 0.5
    assert least_likeness(picture, FACE, ORIGIN, np.full_like(covered, 255)) == 0.0


def test_the_same_print_is_seen_through_the_colour_noise_of_a_dark_picture() -> None:
    shown = np.zeros((150, 150), bool)
    shown[45:105, 45:105] = True

    def taken(seed: int) -> np.ndarray:
        # a camera's colours are noisier than its lightness, and four pixels share one
        colour = cv2.cvtColor(seen(0.5, 1.0), cv2.COLOR_BGR2YCrCb).astype(float)
        noise = np.random.default_rng(seed).normal(0, 6, (75, 75, 2))
        colour[..., 1:] += cv2.resize(noise, (150, 150), interpolation=cv2.INTER_LINEAR)
        return cv2.cvtColor(np.clip(colour, 0, 255).astype(np.uint8), cv2.COLOR_YCrCb2BGR)

    assert same_print(taken(5), taken(6), shown) > 0.8
    assert abs(same_print(taken(5), np.ascontiguousarray(taken(6)[::-1]), shown)) < 0.4
