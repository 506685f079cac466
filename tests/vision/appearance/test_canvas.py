"""A window on the table: places, parts and masks of it keep their millimetres."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window, compose, laid_faces, told_light
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import PX_PER_MM, PlacedFace, shrink_reference

SQUARE = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
WINDOW = Window.around(SQUARE, 20.0)
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.9)


def test_px_and_mm_go_there_and_back_and_the_first_pixel_is_at_the_corner() -> None:
    places = np.array([[3.0, -7.5], [55.0, 12.0]])
    assert WINDOW.to_mm(WINDOW.to_px(places)) == pytest.approx(places)
    assert WINDOW.to_px(np.array([-20.0, -20.0])) == pytest.approx([-0.5, -0.5])


@pytest.mark.parametrize("around_mm", [0.0, 12.0, 500.0])
def test_a_box_holds_its_place_and_stays_within_the_window(around_mm: float) -> None:
    rows, columns = WINDOW.box(SQUARE, around_mm)
    part = WINDOW.part((rows, columns))
    inner = part.to_px(SQUARE)
    assert (inner >= -1).all()
    assert (inner <= (part.width_px, part.height_px)).all()
    assert 0 <= rows.start < rows.stop <= WINDOW.height_px
    assert 0 <= columns.start < columns.stop <= WINDOW.width_px


def test_a_part_shows_the_same_table() -> None:
    box = WINDOW.box(np.array([[10.0, 5.0], [25.0, 30.0]]), 3.0)
    part = WINDOW.part(box)
    px = part.to_px(np.array([15.0, 20.0])) + np.array([box[1].start, box[0].start])
    assert px == pytest.approx(WINDOW.to_px(np.array([15.0, 20.0])))


@pytest.mark.parametrize(("x", "touches"), [(10.0, True), (61.0, False), (-30.0, True), (-61.0, False)])
def test_a_place_touches_a_window_when_any_of_it_lies_in_it(x: float, touches: bool) -> None:
    assert WINDOW.touches(SQUARE + np.array([x, 0.0])) is touches


def test_a_mask_covers_its_places_grown() -> None:
    plain, grown = (WINDOW.mask([SQUARE], mm).sum() / PX_PER_MM**2 for mm in (0.0, 4.0))
    assert plain == pytest.approx(40.0**2, rel=0.05)
    assert grown == pytest.approx(48.0**2, rel=0.05)


def test_a_canvas_needs_a_face_or_a_light_from_elsewhere() -> None:
    seen = np.full((WINDOW.height_px, WINDOW.width_px, 3), 90, np.uint8)
    with pytest.raises(ValueError, match="at least one recognised face"):
        compose(seen, WINDOW, [])
    canvas = Canvas.without_faces(seen, WINDOW, LIGHT)
    assert (canvas.label == -1).all()
    assert canvas.faces == ()


def test_the_boxes_of_many_places_end_where_the_canvas_ends() -> None:
    places = [SQUARE, SQUARE + 1000.0 / 3.0]
    inside, beyond = WINDOW.boxes(places, 4.0)
    assert (inside, beyond) == (WINDOW.box(places[0], 4.0), WINDOW.box(places[1], 4.0))
    rows, columns = inside
    low, high = WINDOW.to_px(SQUARE).min(0) - 6.0, WINDOW.to_px(SQUARE).max(0) + 6.0  # 4 mm are 6 px
    assert (columns.start, rows.start) == (int(np.floor(low[0])), int(np.floor(low[1])))
    assert (columns.stop, rows.stop) == (int(np.ceil(high[0])) + 1, int(np.ceil(high[1])) + 1)
    assert (beyond[1].stop, beyond[0].stop) == (WINDOW.width_px, WINDOW.height_px)
    assert WINDOW.boxes([], 4.0) == []


def chequered(seed: int) -> PlacedFace:
    """A face of 40 mm with 64 squares of random colours, its middle at (20, 20) mm."""
    squares = np.random.default_rng(seed).integers(30, 220, (8, 8, 3), np.uint8)
    scan = shrink_reference(np.repeat(np.repeat(squares, 20, 0), 20, 1), 40.0)
    return PlacedFace(np.array([20.0, 20.0]), 0.0, 40.0, scan)


def test_a_face_looks_alike_in_a_wide_window_and_in_its_part_and_far_from_it_nothing_is_asked() -> None:
    face = chequered(3)
    scan = face.scan
    wide = Window.around(SQUARE, 120.0)
    seen = np.full((wide.height_px, wide.width_px, 3), 90, np.uint8)
    rows = columns = slice(180, 180 + scan.wh[0])
    seen[rows, columns] = scan.soft[2]
    canvas = compose(seen, wide, [face], LIGHT)
    (laid,), levels = laid_faces(seen, wide, [face], LIGHT)
    assert laid.corners_mm == pytest.approx(canvas.faces[0].corners_mm)
    assert levels == pytest.approx(canvas.face_levels)
    box = wide.box(SQUARE, 30.0)
    part = compose(seen[box], wide.part(box), [face], LIGHT)
    of_face = part.label >= 0
    assert (of_face == (canvas.label[box] >= 0)).all()
    assert of_face.sum() == pytest.approx(scan.wh[0] * scan.wh[1], rel=0.05)
    assert np.abs(canvas.bare[box] - part.bare)[of_face].max() < 1.0
    assert np.abs(canvas.bare[box] - canvas.seen[box])[of_face].mean() < 5.0
    assert not canvas.bare[:60].any()
    assert not canvas.slack[:60].any()


def test_faces_tell_the_light_of_their_canvas_without_its_memory() -> None:
    face = chequered(5)
    scan = face.scan
    wide = Window.around(SQUARE, 250.0)
    seen = np.full((wide.height_px, wide.width_px, 3), 90, np.uint8)
    top, left = (np.floor(wide.to_px(SQUARE).min(0)).astype(int) + 1).tolist()
    seen[top : top + scan.wh[1], left : left + scan.wh[0]] = scan.soft[2] // 2 + 20
    tracemalloc.start()
    canvas = compose(seen, wide, [face])
    _, of_canvas = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    held, _ = tracemalloc.get_traced_memory()
    light = told_light(seen, wide, [face])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert light == canvas.light
    assert most - held < of_canvas / 2
