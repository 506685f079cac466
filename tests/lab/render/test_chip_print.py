"""What is printed on rendered chips lies where the style says, and leaves the body of a chip its colour."""

from __future__ import annotations

import numpy as np
import pytest

from companion.lab.render.glossy.chip_print import PRINTS, print_on

BODY, WHITE, SECOND = np.array([0.1, 0.1, 0.5]), np.array([0.8, 0.8, 0.8]), np.array([0.1, 0.7, 0.8])


def printed(style, radius, value="5"):
    """(720, 3) colours around a chip's face at a share of its radius."""
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    point = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    albedo = np.tile(BODY.astype(np.float32), (720, 1))
    print_on(albedo, style, (WHITE, SECOND), value, point, np.ones(720, np.float32), angles.astype(np.float32))
    return albedo


@pytest.mark.parametrize("style", PRINTS)
def test_spots_cover_their_share_of_the_rim_and_less_inside(style):
    own = PRINTS[style]
    spotted = SECOND if own.second else WHITE
    at_rim = np.isclose(printed(style, 0.97), spotted).all(axis=1).mean()
    assert at_rim == pytest.approx(own.share if own.spots else 0.0, abs=0.02)


def test_a_label_is_paper_and_a_value_is_printed_on_it():
    assert np.isclose(printed("inlaid", 0.4), 0.75).all()
    near_the_middle = [printed("valued", radius, "100") for radius in (0.1, 0.2, 0.3)]
    assert any(np.isclose(ring, WHITE).all(axis=1).any() for ring in near_the_middle)
    assert np.isclose(printed("valued", 0.9, "100"), BODY).all()
