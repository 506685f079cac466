"""The ring around a zone: where it is free, where a picture shows it, its colours without the rest of the view."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import POSE, WH, bare_cloth

from companion.core.layout import SlotOutline
from vision.locate.plane import square_at
from vision.locate.rectify import rectify
from vision.view.arms.rim import (
    ASTRAY_MM,
    BESIDE,
    MM_PER_PX,
    RING_FAR_MM,
    RING_NEAR_MM,
    SAMPLE_MM,
    SECTORS,
    in_sight,
    rim_colours,
    rim_of,
    soft_lab,
    visible_places,
    well_inside,
)

HALF_MM = 25.0


def slot(name: str, x: float, y: float) -> SlotOutline:
    return SlotOutline(name, tuple(map(tuple, square_at(np.array([x, y]), 2 * HALF_MM, 0.0))))


MIDDLE, RIGHT = (slot("middle", 0.0, 0.0),), (slot("right", 130.0, 0.0),)


def test_the_ring_lies_between_its_two_distances_on_all_sides() -> None:
    ring = rim_of(MIDDLE, (), ()).ring
    apart = np.abs(ring.places_mm).max(axis=1) - HALF_MM
    assert apart.min() == pytest.approx(RING_NEAR_MM)
    assert RING_FAR_MM - 7.0 < apart.max() <= RING_FAR_MM + 0.1
    assert set(ring.sector.tolist()) == set(range(SECTORS))


def test_places_on_other_slots_and_markers_are_not_free() -> None:
    paper = (-20.0, 60.0, 20.0, 100.0)
    rim = rim_of(MIDDLE, (RIGHT,), (paper,))
    x, y = rim.ring.places_mm.T
    on_slot = (x >= 130.0 - HALF_MM - ASTRAY_MM) & (np.abs(y) <= HALF_MM + ASTRAY_MM)
    on_paper = (np.abs(x) <= 20.0 + ASTRAY_MM) & (y >= 60.0 - ASTRAY_MM)
    assert not on_slot.any()  # the ring ends before the neighbour ...
    assert on_paper.any()  # ... and runs over the marker
    assert (rim.is_free == ~on_paper).all()
    near = rim_of(MIDDLE, ((slot("near", 110.0, 0.0),),), ())
    assert 0 < (~near.is_free).sum() < len(near.is_free) / 4


def test_colours_of_the_ring_are_those_of_the_whole_view() -> None:
    image = cv2.GaussianBlur(np.random.default_rng(4).integers(0, 255, (WH[1], WH[0], 3), np.uint8), (0, 0), 4)
    rim = rim_of(MIDDLE, (), ())
    low, high = rim.low_mm - RING_FAR_MM, rim.high_mm + RING_FAR_MM
    view_mm = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    width, height = np.round((high - low) / MM_PER_PX).astype(int).tolist()
    at = ((rim.ring.places_mm - low) / MM_PER_PX - 0.5).astype(np.float32)
    whole = soft_lab(rectify(image, POSE, view_mm, 0.0, (width, height)))
    there = cv2.remap(whole, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR)[0]
    assert np.ptp(there, axis=0).min() > 2.0
    # a strip's own map is as exact as a whole view's: 0.01 px
    assert rim_colours(image, POSE, view_mm, (width, height), at) == pytest.approx(there, abs=0.3)


def test_what_the_picture_does_not_show_is_not_asked() -> None:
    wide = (slot("left", -120.0, 0.0), slot("right", 120.0, 0.0))
    rim = rim_of(wide, (), ())
    inside = visible_places(POSE, rim, bare_cloth().shape[:2])
    x = np.abs(rim.ring.places_mm[:, 0])
    assert inside[x < 150.0].any()
    assert not inside[x > 194.0].any()  # the picture shows 388 mm


@pytest.mark.parametrize(("from_edge_mm", "counts"), [(-1.0, False), (1.0, False), (3.0, False), (5.0, True)])
def test_a_place_counts_only_where_the_picture_shows_all_that_its_colour_is_blurred_from(from_edge_mm, counts):
    image = bare_cloth()
    middle_x, bottom_y = POSE.to_table(np.array([[image.shape[1] / 2, image.shape[0] - 1.0]]))[0]
    place = np.array([[middle_x, bottom_y - from_edge_mm]])
    assert well_inside(POSE, place, image.shape[:2]).tolist() == [counts]


def test_a_view_is_in_sight_where_its_places_are_well_inside_the_picture():
    shape = bare_cloth().shape[:2]
    view_mm = np.array([[-240.0, -60.0], [240.0, -60.0], [240.0, 60.0], [-240.0, 60.0]])
    seen = in_sight(POSE, view_mm, (240, 60), shape)
    rows, columns = np.indices(seen.shape)
    places = view_mm[0] + MM_PER_PX * (np.stack([columns, rows], axis=-1).reshape(-1, 2) + 0.5)
    differ = seen.ravel() != well_inside(POSE, places, shape)
    assert 0.2 < seen.mean() < 0.9
    assert differ.mean() < 0.02  # at most the two columns along the picture's edges, for rounding


def test_neighbours_of_a_ring_lie_in_its_rows_a_sample_apart() -> None:
    ring = rim_of(MIDDLE, (), ()).ring
    apart = np.abs(ring.places_mm[:, None] - ring.places_mm[None]).max(axis=2)
    near = (apart > 0) & (apart <= BESIDE * SAMPLE_MM) & (ring.row[:, None] == ring.row[None])
    assert {tuple(pair) for pair in ring.neighbours.tolist()} == {tuple(pair) for pair in np.argwhere(near).tolist()}
    assert len(ring.neighbours) >= 2 * len(ring.row)  # one on either side
