"""Light that differs within a face is told apart from print and from what stands on the face."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.picture_light import from_light, to_light
from vision.appearance.placed_face import shrink_reference
from vision.appearance.print_detail import PRINT_SEEN, crop_likeness, shown_likeness
from vision.appearance.uneven_light import fit_uneven

SIDE = 27
WHITE = np.ones(3)
NOISE = 2.0
# Grey levels to which uneven light must be told: what counting takes for noise of a good picture is 5.
NEAR = 3.0


@pytest.fixture(scope="module")
def face():
    """Places (N, 2) and print (N, 3) of a face with three colours."""
    y, x = (a.ravel() for a in np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j])
    colours = np.array([[60.0, 90, 120], [150, 140, 130], [40, 50, 110]])
    kind = (np.floor(x * 4) + np.floor(y * 3)).astype(int) % 3
    return np.column_stack([x, y]), colours[kind]


def seen_in(wanted: np.ndarray, shade: np.ndarray, gloss: np.ndarray) -> np.ndarray:
    """The print (N, 3) with a part of its light (N,) and gloss (N,), and a camera's noise."""
    light = from_light(to_light(wanted) * shade[:, None] + gloss[:, None])
    return np.clip(light + np.random.default_rng(1).normal(0, NOISE, wanted.shape), 0, 255)


def test_even_light_is_left_as_it_is(face):
    xy, wanted = face
    assert fit_uneven(wanted, seen_in(wanted, np.ones(len(xy)), np.zeros(len(xy))), xy, WHITE, NOISE) is None


@pytest.mark.parametrize(
    ("name", "tilt", "gloss"), [("half a shadow", 0.35, 0.0), ("gloss over a corner", 0.0, 0.2), ("both", 0.3, 0.1)]
)
def test_shadow_and_gloss_are_told(face, name, tilt, gloss):
    xy, wanted = face
    x, y = xy.T
    spot = gloss * np.exp(-((x - 1) ** 2 + (y - 1) ** 2) / 1.5)
    seen = seen_in(wanted, 0.7 + tilt * x, spot)
    uneven = fit_uneven(wanted, seen, xy, WHITE, NOISE)
    assert uneven is not None, name
    assert np.median(np.abs(uneven.on(wanted, xy) - seen)) < NEAR


@pytest.mark.parametrize("colour", [(20.0, 20, 22), (210.0, 214, 220), (40.0, 40, 190)])
def test_pieces_are_no_uneven_light(face, colour):
    xy, wanted = face
    seen = seen_in(wanted, np.ones(len(xy)), np.zeros(len(xy)))
    for middle in ((-0.4, 0.3), (0.5, -0.4)):  # a piece of 10 mm on a tile of 55
        seen[np.abs(xy - middle).max(-1) < 0.18] = colour
    assert fit_uneven(wanted, seen, xy, WHITE, NOISE) is None


def test_what_the_camera_cut_off_tells_no_light(face):
    xy, wanted = face
    bright = np.where(wanted > 100, 255.0, wanted)
    assert fit_uneven(bright, np.where(wanted > 100, 250.0, wanted * 0.7), xy, WHITE, NOISE) is None


def test_print_is_seen_in_dim_light_and_not_on_bare_table():
    rng = np.random.default_rng(2)
    picture = np.full((220, 220, 3), 60, np.uint8)
    for left, top in rng.integers(10, 180, (12, 2)):
        picture[top : top + 24, left : left + 24] = rng.integers(20, 140, 3)
    scan = shrink_reference(picture, 55.0)
    dim = scan.soft[0] * 0.35 + rng.normal(0, 3, scan.soft[0].shape)
    table = 50 + rng.normal(0, 6, scan.soft[0].shape)
    seen, bare = (np.clip(one, 0, 255).astype(np.uint8) for one in (dim, table))
    assert crop_likeness(seen, scan) > 2 * PRINT_SEEN
    assert abs(crop_likeness(bare, scan)) < PRINT_SEEN / 2
    everywhere = np.ones(seen.shape[:2], bool)
    assert shown_likeness(seen, scan.soft[0] * np.float32(0.35), everywhere) > 2 * PRINT_SEEN
    assert abs(shown_likeness(bare, scan.soft[0], everywhere)) < PRINT_SEEN / 2
