"""The light of a picture is recovered from known faces, with channels cut off and pieces in the way."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.picture_light import PictureLight, PieceColours, fit_light

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


@pytest.mark.filterwarnings("error")
def test_the_light_of_what_is_black_all_over_is_a_number() -> None:
    reference, _, xy = samples(LIGHT)
    found = fit_light(reference, np.zeros((1500, 3)), xy)
    assert np.isfinite(found.expect(reference, xy)).all()


def test_unknown_piece_colour_is_named() -> None:
    colours = PieceColours.from_rgb({"red": (200, 20, 30), "blue": (20, 30, 200)})
    assert colours.only(("blue",)).bgr == ((200.0, 30.0, 20.0),)
    with pytest.raises(ValueError, match="green"):
        colours.only(("green",))


def test_one_channel_that_most_faces_cut_off_is_told_by_the_others() -> None:
    """Blue faces under much light: only a dark and a brown face tell how bright blue is."""
    light = PictureLight((3.0, 3.4, 2.9), (0.08, 0.06, 0.05), (0.01, 0.01), 0.0)
    rng = np.random.default_rng(5)
    kinds = np.array([[184.0, 108.0, 43.0]] * 4 + [[85.0, 122.0, 138.0], [64.0, 51.0, 59.0]])
    reference = np.repeat(kinds, 150, axis=0)
    xy = rng.uniform(-120, 120, (len(reference), 2))
    seen = np.clip(light.expect(reference, xy) + rng.normal(0, 3, reference.shape), 0, 255)
    found = fit_light(reference, seen, xy)
    probe, place = kinds[4:], np.zeros((2, 2))
    assert found.expect(probe, place) == pytest.approx(light.expect(probe, place), abs=8)


def test_gloss_brightens_black_more_than_white() -> None:
    dull = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 0.0)
    glossy = PictureLight((1.0, 1.0, 1.0), (0.05, 0.05, 0.05), (0.0, 0.0), 0.0)
    ends, place = np.array([[30.0] * 3, [200.0] * 3]), np.zeros((2, 2))
    black, white = (glossy.expect(ends, place) - dull.expect(ends, place))[:, 0]
    assert black > 3 * white > 0


def test_white_print_that_the_camera_cut_off_is_not_taken_for_pieces() -> None:
    # blue tiles whose red the camera shows darker than the reference has it, and an eighth white print, cut off
    rng = np.random.default_rng(4)
    count = 600
    white = np.arange(count) % 8 == 0
    reference = np.where(white[:, None], (236.0, 241.0, 240.0), (184.0, 108.0, 75.0))
    light = PictureLight((1.25, 1.25, 1.25), (0.0, 0.0, 0.0), (0.0, 0.0), 0.0)
    xy = rng.uniform(-100, 100, (count, 2))
    seen = light.expect(reference, xy).astype(np.float64)
    seen[~white, 2] *= 0.3
    found = fit_light(reference, np.clip(seen + rng.normal(0, 2, seen.shape), 0, 255), xy)
    assert found.gain[2] > 0.9


def test_worn_white_edges_that_the_camera_cut_off_do_not_change_the_light() -> None:
    rng = np.random.default_rng(5)
    count = 1200
    reference = rng.integers(20, 130, (count, 3)).astype(np.float64)
    light = PictureLight((1.6, 2.1, 2.4), (0.01, 0.02, 0.02), (0.0, 0.0), 0.0)
    xy = rng.uniform(-100, 100, (count, 2))
    seen = light.expect(reference, xy) + rng.normal(0, 3, (count, 3))
    seen[np.arange(count) % 20 == 0] = (215.0, 255.0, 255.0)
    found = fit_light(reference, np.clip(seen, 0, 255), xy)
    np.testing.assert_allclose(found.gain, light.gain, rtol=0.05)
    assert found.noise < 5


def test_the_scan_of_what_a_light_shows_is_the_scan() -> None:
    rng = np.random.default_rng(2)
    scan = rng.integers(30, 200, (400, 3)).astype(np.uint8)
    xy = rng.uniform(-200, 200, (400, 2))
    light = PictureLight((1.05, 0.9, 0.8), (0.02, 0.015, 0.01), (0.05, -0.03), 0.0)
    seen = np.round(light.expect(scan, xy)).astype(np.uint8)
    assert (seen < 248).all()
    assert np.abs(light.as_scan(seen, xy).astype(int) - scan).max() <= 3


def test_what_is_cut_off_in_every_channel_is_white_paper() -> None:
    light = PictureLight((2.0, 2.0, 2.0), (0.0, 0.0, 0.0), (0.0, 0.0), 0.0)
    white = light.as_scan(np.full((1, 3), 255, np.uint8), np.zeros((1, 2)))
    assert (white == 236).all()


@pytest.mark.parametrize("clip", [True, False])
def test_a_picture_in_one_place_looks_as_each_of_its_pixels_does(clip: bool) -> None:
    reference = np.random.default_rng(4).integers(0, 256, (6, 7, 3), np.uint8)
    place = np.array([80.0, -120.0])
    every = np.broadcast_to(place, (6, 7, 2))
    together = LIGHT.expect(reference, place[None, None], 1.1, clip=clip)
    assert together == pytest.approx(LIGHT.expect(reference, every, 1.1, clip=clip), abs=1e-3)
    assert together == pytest.approx(LIGHT.expect(reference.astype(float), every, 1.1, clip=clip), abs=0.01)
