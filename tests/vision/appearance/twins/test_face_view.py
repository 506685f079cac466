"""A face's place as a picture shows it: what lies on it does not count, and its own scan explains the rest best."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.colour_blur import with_coarse_colour
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import PX_PER_MM, FaceScan, PlacedFace, SeenTable, draw, shrink_reference
from vision.appearance.twins.face_view import STRANGE, WORST, FaceView, things_on

SIDE_MM = 55.0
ORIGIN = (-50.0, -50.0)
LIGHT = PictureLight((0.8, 0.8, 0.8), (0.02, 0.02, 0.02), (0.0, 0.0), 4.0)


def scan(at: int) -> FaceScan:
    out = np.full((440, 440, 3), (43, 98, 217), np.uint8)
    cv2.circle(out, (at, 220), 90, (220, 238, 252), -1)
    return shrink_reference(out, SIDE_MM)


LEFT, RIGHT = scan(140), scan(300)


def seen(covered: np.ndarray | None = None) -> FaceView:
    laid = PlacedFace(np.array([1.0, -2.0]), 0.0, SIDE_MM, LEFT)
    flat, label = np.zeros((150, 150, 3), np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, laid, 0, ORIGIN, blur=2)
    table = np.clip(LIGHT.expect(flat, np.zeros((1, 1, 2))), 0, 255).astype(np.uint8)
    return FaceView.of(SeenTable(table, ORIGIN), LIGHT, laid, covered)


def test_its_own_scan_explains_a_face_best_in_both_sizes() -> None:
    for view in (seen(), seen().halved()):
        assert view.fit(LEFT).sum() > view.fit(RIGHT).sum()
        assert view.fit(LEFT).min() > -STRANGE


def dotted(dot_bgr: tuple[int, int, int]) -> FaceScan:
    """A blue face with white rings around small dots."""
    out = np.full((440, 440, 3), (150, 60, 60), np.uint8)
    for y in (150, 220, 290):
        cv2.circle(out, (380, y), 26, (225, 225, 225), 12, cv2.LINE_AA)
        cv2.circle(out, (380, y), 20, dot_bgr, -1, cv2.LINE_AA)
    return shrink_reference(out, SIDE_MM)


REDDISH, BLUISH = dotted((95, 90, 125)), dotted((110, 90, 95))


@pytest.mark.parametrize(("own", "rival"), [(REDDISH, BLUISH), (BLUISH, REDDISH)], ids=["reddish", "bluish"])
def test_dots_that_take_on_the_colour_around_them_are_told_where_it_is_known_how_far(
    own: FaceScan, rival: FaceScan
) -> None:
    laid = PlacedFace(np.array([1.0, -2.0]), 0.0, SIDE_MM, own)
    flat, label = np.zeros((150, 150, 3), np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, laid, 0, ORIGIN, blur=2)
    lit = LIGHT.expect(flat, np.zeros((1, 1, 2))).astype(np.float32)
    table = np.clip(with_coarse_colour(lit, 2.8), 0, 255).astype(np.uint8)
    view = FaceView.of(SeenTable(table, ORIGIN, lambda: 2.8), LIGHT, laid, None)
    for each in (view, view.halved()):
        assert each.fit(own).sum() > each.fit(rival).sum()


def test_what_pieces_cover_and_what_lies_there_does_not_count() -> None:
    covered = np.zeros((150, 150), np.float32)
    covered[60:80, 60:80] = 1.0
    view = seen(covered)
    hidden = int((~view.visible).sum())
    assert hidden >= 20 * 20
    assert not view.fit(RIGHT)[~view.visible].any()
    more = np.zeros(view.visible.shape, bool)
    more[:10, :10] = True
    assert int((~view.without(more).visible).sum()) > hidden


def test_a_large_strange_part_is_a_thing_and_a_blurred_figure_is_print() -> None:
    side = round(15 * PX_PER_MM)
    best = np.zeros((100, 100), np.float32)
    best[20 : 20 + side, 20 : 20 + side] = -WORST
    best[24 : 16 + side, 24 : 16 + side] = 0.0  # a thing's plain parts may look like the print
    assert things_on(best)[20 + side // 2, 20 + side // 2]
    assert things_on(best[::2, ::2], step=2)[10 + side // 4, 10 + side // 4]
    small = np.zeros((100, 100), np.float32)
    small[40:46, 40:46] = -WORST
    assert not things_on(small).any()
    assert not things_on(small[::2, ::2], step=2).any()
