"""Probabilities of faces: they never exceed one, follow the evidence, and heed what was known before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.faces.chance import PHOTOGRAPHED_FACES, SCANNED_FACES, Calibration, FaceEvidence, probabilities
from vision.faces.chance import right_probability as right
from vision.faces.readings import FaceReading

CLEAR = FaceEvidence(behind=40.0, share=0.9, fit_error=0.02)
DOUBTFUL = FaceEvidence(behind=0.5, share=0.1, fit_error=0.1)
BEHIND = np.array([0.0, 3.0, 1.0, 9.0], np.float32)
NAMES = ["sun", "moon", "moon", "star"]


@pytest.mark.parametrize("calibration", [SCANNED_FACES, PHOTOGRAPHED_FACES])
def test_a_face_far_ahead_of_its_rivals_is_named_and_one_beside_them_is_not(calibration: Calibration) -> None:
    assert right(CLEAR, calibration) > calibration.accepted > right(DOUBTFUL, calibration)


def test_what_a_photograph_does_not_show_makes_its_face_less_sure() -> None:
    assert right(replace(CLEAR, seen=0.3), PHOTOGRAPHED_FACES) < right(CLEAR, PHOTOGRAPHED_FACES)
    assert right(replace(CLEAR, worst=0.3), PHOTOGRAPHED_FACES) < right(CLEAR, PHOTOGRAPHED_FACES)


def test_a_piece_with_a_stroke_more_than_its_likeliest_face_is_not_named() -> None:
    assert right(replace(CLEAR, strange=0.3), PHOTOGRAPHED_FACES) < PHOTOGRAPHED_FACES.accepted


def test_a_form_in_an_ink_that_its_photograph_denies_is_not_named() -> None:
    assert right(replace(CLEAR, ink=4.0), PHOTOGRAPHED_FACES) == right(CLEAR, PHOTOGRAPHED_FACES)
    assert right(replace(CLEAR, ink=15.0), PHOTOGRAPHED_FACES) == right(CLEAR, PHOTOGRAPHED_FACES)
    assert right(replace(CLEAR, ink=35.0), PHOTOGRAPHED_FACES) < PHOTOGRAPHED_FACES.accepted


def test_an_ink_and_a_rendering_that_are_half_unusual_each_are_unusual_together() -> None:
    assert right(replace(CLEAR, ink=17.0, rendered=18.0), PHOTOGRAPHED_FACES) < PHOTOGRAPHED_FACES.accepted


@pytest.mark.parametrize("evidence", [CLEAR, DOUBTFUL])
def test_chances_sum_to_no_more_than_one_and_fall_with_the_distance(evidence: FaceEvidence) -> None:
    chances = probabilities(NAMES, BEHIND, evidence, SCANNED_FACES)
    assert [name for name, _ in chances] == ["sun", "moon", "star"], "two pictures of a face do not compete"
    assert sum(p for _, p in chances) <= 1.0 + 1e-9
    assert chances[0][1] >= chances[1][1] >= chances[2][1]


def test_a_single_face_has_no_rival() -> None:
    reading = FaceReading(
        "sun", 0.9, 0, (("sun", 0.9), ("moon", 0.1)), np.eye(3), np.ones(3, np.float32), np.zeros(3, np.float32),
        np.zeros((2, 2), np.float32), 0.01, CLEAR,
    )
    assert reading.rival == "moon"
    assert replace(reading, alternatives=(("sun", 0.9),)).rival is None
