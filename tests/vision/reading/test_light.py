"""The light of a picture is recovered from known faces, with channels cut off and pieces in the way."""

from __future__ import annotations

import numpy as np
import pytest

from vision.colours import PictureLight, PieceColours, fit_light

LIGHT = PictureLight((1.3, 0.8, 1.7), (0.01, 0.005, 0.02), (0.04, -0.02), 0.0)


def samples(light: PictureLight, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    reference = rng.uniform(10, 240, (1500, 3))
    xy = rng.uniform(-120, 120, (1500, 2))
    return reference, light.expect(reference, xy) + rng.normal(0, 3, (1500, 3)), xy


def test_light_predicts_colours_to_two_percent_although_bright_channels_are_cut_off() -> None:
    reference, seen, xy = samples(LIGHT)
    found = fit_light(reference, np.clip(seen, 0, 255), xy)
    probe = np.array([[60.0, 90.0, 120.0]])
    place = np.array([[50.0, -50.0]])
    assert found.expect(probe, place) == pytest.approx(LIGHT.expect(probe, place), rel=0.02, abs=2)


def test_a_quarter_of_hidden_pixels_does_not_change_the_light() -> None:
    reference, seen, xy = samples(LIGHT)
    seen[::4] = (150, 40, 160)  # a purple piece
    found = fit_light(reference, np.clip(seen, 0, 255), xy)
    probe, place = np.array([[60.0, 90.0, 120.0]]), np.zeros((1, 2))
    assert found.expect(probe, place) == pytest.approx(LIGHT.expect(probe, place), rel=0.06, abs=4)


def test_fewer_than_sixteen_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 16"):
        fit_light(np.zeros((5, 3)), np.zeros((5, 3)), np.zeros((5, 2)))


def test_unknown_piece_colour_is_named() -> None:
    colours = PieceColours.from_rgb({"red": (200, 20, 30), "blue": (20, 30, 200)})
    assert colours.only(("blue",)).bgr == ((200.0, 30.0, 20.0),)
    with pytest.raises(ValueError, match="green"):
        colours.only(("green",))
