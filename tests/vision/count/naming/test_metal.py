"""Pieces of one metal that taught say together what its colour is, whatever each mirrored."""

from __future__ import annotations

import numpy as np
import pytest

from vision.count.appearance.looks import features
from vision.count.naming.metal import MIRRORED, OWN, of_one_metal

COPPER, BRASS = np.array([0.06, 0.1, 0.25]), np.array([0.05, 0.16, 0.24])
OWNERS = np.array([0, 0, 0, 1])
REDDER = np.array([1.0, 1.0, 1.35])


def taught() -> np.ndarray:
    """(4, 2, 3) linear BGR: three of copper, one of them beside something red and one in shade; and one of brass."""
    return np.array(
        [[COPPER, COPPER], [COPPER * REDDER, COPPER * REDDER], [0.3 * COPPER, 0.3 * COPPER], [BRASS, BRASS]]
    )


def test_one_that_mirrors_something_red_is_taken_for_little_redder_than_the_others() -> None:
    before, after = features(taught()), features(of_one_metal(taught(), OWNERS))
    own = OWN**2 / (OWN**2 + MIRRORED**2)
    apart = [light[1, 0] - light[0, 0] for light in (before, after)]
    assert apart[1] == pytest.approx(own * apart[0], rel=0.2)
    assert apart[0] > 2 * apart[1] > 0


def test_what_lies_in_shade_stays_as_dark_and_another_metal_as_it_is() -> None:
    after = of_one_metal(taught(), OWNERS)
    assert features(after)[2, 2] == pytest.approx(features(taught())[2, 2], abs=0.1)
    assert after[3] == pytest.approx(taught()[3])


def test_how_a_ring_differs_from_the_face_stays() -> None:
    ringed = np.array([[COPPER, BRASS], [COPPER * REDDER, BRASS * REDDER]])
    after = of_one_metal(ringed, np.zeros(2, int))
    assert features(after)[:, 3:] == pytest.approx(features(ringed)[:, 3:], abs=0.03)
