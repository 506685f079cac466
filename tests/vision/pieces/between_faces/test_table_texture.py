"""The look of a bare table explains itself, lit or shaded, and says how near a colour comes to it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pieces.between_faces.table_texture import (
    LEAST_STRAY,
    LEVEL_GREY,
    SUN_COST,
    UNEVEN_LIGHT,
    TableTexture,
    brighter_cost,
    light_over,
    noise_by_level,
    soften,
)
from vision.pieces.likelihood_maps import DARKEST_SHADOW, SHADOW_COST


def cloth(first: tuple[int, int, int], second: tuple[int, int, int]) -> np.ndarray:
    rng = np.random.default_rng(1)
    both = np.repeat(np.array([first, second], np.float32), 400, axis=0)
    return both + rng.normal(0, 2, both.shape).astype(np.float32)


CHEQUERED = TableTexture.of(cloth((60, 60, 180), (220, 225, 230)))


@pytest.mark.parametrize(
    ("colour", "lit", "shaded"),
    [
        ((60, 60, 180), True, True),
        ((220, 225, 230), True, True),
        ((42, 42, 126), False, True),
        ((60, 180, 60), False, False),
    ],
    ids=["one square", "the other square", "a square in a shadow", "another colour"],
)
def test_a_colour_is_the_tables_own_lit_or_in_a_shadow(
    colour: tuple[int, int, int], lit: bool, shaded: bool
) -> None:
    plain, dark = CHEQUERED.likeness(np.array(colour, np.float32))
    assert (plain < 10.0) is lit
    assert (dark < 10.0) is shaded


def test_the_nearest_table_colour_is_that_of_the_right_square() -> None:
    near = CHEQUERED.nearest(np.array([[70, 70, 160], [200, 200, 200]], np.float32))
    assert near == pytest.approx(np.array([[60, 60, 180], [220, 225, 230]]), abs=8)


def test_what_explains_a_pixel_of_the_table_is_near_it_and_a_piece_is_not_explained() -> None:
    pixels = np.array([[60, 60, 180], [20, 160, 30]], np.float32)
    off = np.abs(CHEQUERED.explain(pixels, pixels, 6.0) - pixels).max(1)
    assert off[0] < 12.0
    assert off[1] > 60.0


def test_a_pixel_is_explained_by_the_likeliest_of_all_colours_lit_or_in_a_shadow() -> None:
    lit = cloth((60, 60, 180), (220, 225, 230))[::8]
    pixels = np.concatenate([lit, 0.6 * lit]).astype(np.float32)
    own = np.hypot(CHEQUERED.stray, LEAST_STRAY)
    samples = CHEQUERED.samples_bgr.astype(float)
    variance = own**2 + ((UNEVEN_LIGHT * samples) ** 2).mean(-1)
    for pixel, found in zip(pixels, CHEQUERED.explain(pixels, pixels, 0.0), strict=True):
        left = np.clip((samples @ pixel) / (samples**2).sum(-1), DARKEST_SHADOW, 1.0)[:, None]
        plain, dark = (((pixel - part * samples) ** 2).sum(-1) / (2 * variance) for part in (1.0, left))
        chosen = np.abs(samples - found).sum(-1).argmin()
        assert samples[chosen] == pytest.approx(found, abs=1e-3)
        least = min(plain.min(), dark.min() + SHADOW_COST)
        assert min(plain[chosen], dark[chosen] + SHADOW_COST) == pytest.approx(least, abs=0.02)


def test_a_pixel_of_the_table_in_the_sun_is_explained_and_a_brighter_piece_of_another_hue_is_not() -> None:
    felt = TableTexture.of(cloth((24, 118, 105), (20, 95, 82)))
    pixels = np.array([[44, 216, 192], [30, 215, 255]], np.float32)  # felt in full sun, a yellow worker in it
    sun, worker = np.linalg.norm(felt.explain(pixels, pixels, 20.0) - pixels, axis=1) / 20.0
    assert sun == pytest.approx(np.sqrt(2 * SUN_COST), abs=0.5)  # in standard deviations
    assert worker > np.sqrt(2 * 8.0)


def test_what_is_darker_than_most_of_the_table_lies_in_no_sun_though_a_dark_thing_beside_it_has_its_hue() -> None:
    paper, box = cloth((150, 155, 160), (140, 145, 150)), np.full((40, 3), (30, 12, 9), np.float32)
    blue = np.array([[78, 31, 24]], np.float32)  # a worker: the hue of the box, over twice as bright
    explained = TableTexture.of(np.concatenate([paper, box])).explain(blue, blue, 6.0)
    assert np.linalg.norm(explained - blue) / 6.0 > np.sqrt(2 * SUN_COST) + 1.0


def test_what_is_a_little_brighter_than_the_table_costs_little() -> None:
    assert brighter_cost(np.array([1.0, 1.05, 1.1, 2.0])) == pytest.approx([0.0, 0.125, 0.5, SUN_COST], abs=1e-3)


def test_softening_keeps_the_mean_and_takes_the_noise() -> None:
    noisy = np.random.default_rng(3).normal(120, 20, (60, 60, 3)).astype(np.float32)
    soft = soften(noisy)
    assert soft.mean() == pytest.approx(noisy.mean(), abs=0.5)
    assert soft.std() < noisy.std() / 3


def test_without_any_table_light_is_even() -> None:
    assert light_over(np.full((20, 30, 3), 80.0, np.float32), np.zeros((20, 30), bool)) == pytest.approx(1.0)


def test_what_is_dark_in_a_channel_and_noisy_there_is_explained_and_a_piece_on_it_is_not() -> None:
    rng = np.random.default_rng(2)
    check = np.array([112, 78, 30], np.float32)
    spread = np.array([2.0, 2.0, 8.0], np.float32)
    seen = np.full((200, 200, 3), (170, 145, 115), np.float32) + rng.normal(0, 10, (200, 200, 3)).astype(np.float32)
    seen[:, :80] = check + rng.normal(0, 5 * spread, (200, 80, 3)).astype(np.float32)
    soft = soften(seen)
    table = np.ones(soft.shape[:2], bool)
    noisier = noise_by_level(soft, table)
    plain, told = (TableTexture.of(soft.reshape(-1, 3)[::10], one) for one in (None, noisier))
    off = check + np.array([[0.0, 0.0, 18.0]], np.float32)  # a blotch of noise
    worker = np.array([[161.0, 80.0, 22.0]], np.float32)

    assert noisier[30 // LEVEL_GREY, 2] > 2.0
    assert noisier[112 // LEVEL_GREY, 0] < 1.3
    before, now = (np.linalg.norm(one.explain(off, off, 13.0) - off) for one in (plain, told))
    assert now < 0.75 * before
    assert np.linalg.norm(told.explain(worker, worker, 13.0) - worker) > 60.0
