"""The table found by the tiles' own grid, and not by a table cloth's pattern."""

from __future__ import annotations

import numpy as np
import pytest
from small_set import scene, without_markers

from vision.locate.lattice import GridShape, locate_grid
from vision.locate.pose import NotLocated, TablePose
from vision.locate.quads import Quad, find_quads

LAID_MM = 3.5  # tiles of the set are laid up to 3 mm beside their places, and nothing else holds the pose


@pytest.mark.parametrize("number", ["000", "001", "002"])
def test_the_grid_is_found_without_markers(number):
    it = scene("grid", number)
    found = locate_grid(without_markers(it, 0, 1, 2, 3), it.grid)
    assert isinstance(found, TablePose), found
    assert found.by == "grid"
    assert it.slot_errors_mm(found).max() < LAID_MM


def test_a_picture_that_never_had_markers_is_located():
    it = scene("grid", "012")
    assert not it.truth["markers"]
    found = locate_grid(it.image, it.grid)
    assert it.slot_errors_mm(found).max() < LAID_MM


def test_a_known_lens_serves_the_grid_too():
    it = scene("grid", "001")
    found = locate_grid(it.image, it.grid, it.true_pose.camera)
    assert found.camera is it.true_pose.camera or found.camera.measured
    assert it.slot_errors_mm(found).max() < LAID_MM


def test_a_chequered_cloth_is_no_grid():
    rows, columns = np.mgrid[0:360, 0:640]
    cloth = np.where(((rows // 60 + columns // 60) % 2)[..., None] == 0, [200, 120, 60], [220, 215, 210]).astype(
        np.uint8
    )
    noise = np.random.default_rng(4).normal(0, 4, cloth.shape)
    found = locate_grid(np.clip(cloth + noise, 0, 255).astype(np.uint8), GridShape(3, 3))
    assert isinstance(found, NotLocated)


def test_a_bare_table_is_said_so():
    found = locate_grid(np.full((720, 1280, 3), 120, np.uint8), GridShape(2, 3))
    assert "no grid of 2 x 3 tiles was found" in found.reason


def test_a_missing_outer_row_is_said_and_not_guessed():
    it = scene("grid", "002")
    image = it.image.copy()
    shape = it.grid
    low = it.true_pose.project(np.array([[-300.0, shape.centre_mm(shape.rows - 1, 0)[1] - 31.0], [300.0, 31.0]]))
    image[int(low[0, 1]) :] = np.median(image[-60:], axis=(0, 1))
    found = locate_grid(image, shape)
    assert isinstance(found, NotLocated)


def test_tiles_are_among_the_squares_found():
    it = scene("grid", "001")
    quads = find_quads(it.image)
    for cell in (c for c in it.truth["cells"] if c["tile"]):
        true = np.array(cell["corners_px"])
        side = np.linalg.norm(true[1] - true[0])
        off = min(np.linalg.norm(q.centre_px - true.mean(axis=0)) for q in quads)
        assert off < 0.08 * side


def test_the_centre_of_a_square_is_kept_in_perspective():
    # a unit square seen aslant: the centre is where the diagonals cross, not the mean of the corners
    quad = Quad(np.array([[0.0, 0.0], [10.0, 0.0], [8.0, 5.0], [2.0, 5.0]]), 1)
    assert quad.centre_px == pytest.approx([5.0, 3.125])
    assert quad.side_px == pytest.approx(40.0**0.5)
