"""The share of the print that looks alike: all of it, the uncovered part of it, or none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import patchwork

from vision.faces.photographed.fields import Fields, as_soft


def alike_share(shown: np.ndarray, seen: np.ndarray, valid: np.ndarray) -> float:
    return Fields.of(shown, seen, valid).alike_share()


def strange_share(shown: np.ndarray, seen: np.ndarray) -> float:
    return Fields.of(shown, seen, ALL).strange_share()


SHOWN = patchwork(1, (96, 96))
ALL = np.ones(SHOWN.shape[:2], np.float32)


def noisy(picture: np.ndarray) -> np.ndarray:
    """As a sharper camera with a noisy sensor shows it, which sharpens its pictures."""
    sharp = picture + 1.5 * (picture - cv2.GaussianBlur(picture, (0, 0), 1.0))
    return np.asarray(sharp + np.random.default_rng(1).normal(0, 0.05, picture.shape), np.float32)


def test_noise_and_halos_of_the_crop_are_no_print() -> None:
    pale = np.full_like(SHOWN, 0.75)
    pale[20:76, 44:48] = pale[20:24, 24:72] = 0.5
    crop = noisy(pale)
    assert strange_share(pale, crop) > 0.2
    assert strange_share(pale, as_soft(crop, pale, ALL)) < 0.02


def test_other_print_stays_other_print_when_it_is_softened() -> None:
    other = patchwork(3, (96, 96))
    assert strange_share(SHOWN, as_soft(other, SHOWN, ALL)) > 0.7


def test_a_crop_as_sharp_as_the_face_is_left_as_it_is() -> None:
    assert as_soft(SHOWN, SHOWN, ALL) is SHOWN


def test_the_same_print_in_another_light_is_all_alike() -> None:
    across = np.linspace(0.5, 0.8, 96, dtype=np.float32)[None, :, None]
    assert alike_share(SHOWN, SHOWN * across + 0.1, ALL) == 1.0


def test_print_that_is_a_little_off_is_alike() -> None:
    assert alike_share(SHOWN, np.roll(SHOWN, (1, -2), axis=(0, 1)), ALL) > 0.95


def test_what_is_covered_is_not_alike() -> None:
    covered = SHOWN.copy()
    covered[:, :48] = patchwork(2, (96, 96))[:, :48]
    assert alike_share(SHOWN, covered, ALL) == pytest.approx(0.55, abs=0.15)


def test_what_is_outside_of_the_crop_is_not_asked_for() -> None:
    covered = SHOWN.copy()
    covered[:, :48] = patchwork(2, (96, 96))[:, :48]
    inside = ALL.copy()
    inside[:, :48] = 0
    assert alike_share(SHOWN, covered, inside) > 0.9


def test_other_print_is_hardly_alike() -> None:
    assert alike_share(SHOWN, patchwork(3, (96, 96)), ALL) < 0.3


def test_a_plain_picture_has_no_print_that_could_be_missed() -> None:
    assert alike_share(np.full_like(SHOWN, 0.5), patchwork(3, (96, 96)), ALL) == 1.0


def test_print_that_only_one_of_the_two_has_is_strange() -> None:
    stroke = np.full_like(SHOWN, 0.8)
    stroke[20:76, 44:52] = 0.1
    crossed = stroke.copy()
    crossed[20:28, 24:72] = 0.1
    assert strange_share(stroke, stroke * 0.9) == 0.0
    assert 0.3 < strange_share(stroke, crossed) < 0.8
    assert strange_share(crossed, stroke) == pytest.approx(strange_share(stroke, crossed), abs=0.02)
    assert alike_share(stroke, crossed, ALL) > strange_share(stroke, crossed)


def test_nothing_is_strange_between_plain_pictures() -> None:
    assert strange_share(np.full_like(SHOWN, 0.5), np.full_like(SHOWN, 0.3)) == 0.0
