"""What lies beside the faces is a heap of pieces or the table itself."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PlacedFace, shrink_reference
from vision.pieces.between_faces.laid_aside import bare_ring

COLOURS = PieceColours.from_rgb({"blue": (36, 74, 160)})
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.5)
BOX_MM = np.array([[-30.0, -30.0], [30.0, 30.0]])
WINDOW = Window.around(BOX_MM, 40.0)
BLUE = (160, 74, 36)


def seen_with(left_bgr: tuple[int, int, int], right_bgr: tuple[int, int, int]) -> np.ndarray:
    """A white table with a patch of 20 x 20 px on the left and one on the right of the box."""
    seen = np.full((WINDOW.height_px, WINDOW.width_px, 3), 200, np.float32)
    middle = WINDOW.height_px // 2
    seen[middle - 10 : middle + 10, 10:30] = left_bgr
    seen[middle - 10 : middle + 10, -30:-10] = right_bgr
    return seen


@pytest.mark.parametrize(
    ("other_side", "taken_away"),
    [((200, 200, 200), True), (BLUE, False), ((115, 58, 46), False), ((60, 160, 60), True)],
    ids=["table", "the same blue", "the blue of a darker check", "another colour"],
)
def test_what_only_one_side_shows_is_a_heap(other_side: tuple[int, int, int], taken_away: bool) -> None:
    seen = seen_with((150, 72, 44), other_side)
    canvas = Canvas.without_faces(seen, WINDOW, LIGHT)
    ring = np.ones(seen.shape[:2], bool)
    (left, top), (right, bottom) = WINDOW.to_px(BOX_MM).astype(int)
    ring[top:bottom, left:right] = False

    bare = bare_ring(ring, seen, canvas, COLOURS, BOX_MM, 100.0)

    assert bare[WINDOW.height_px // 2, 20] == (not taken_away)
    assert bare[5, 5]


@pytest.mark.parametrize("shaded_check", [True, False], ids=["checks all around", "workers on one side"])
def test_the_check_of_a_cloth_in_a_pane_of_sun_is_no_heap(shaded_check: bool) -> None:
    sun = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.5)
    shade = PictureLight((0.3, 0.3, 0.3), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.5)
    squares = np.random.default_rng(5).integers(30, 220, (8, 8, 3), np.uint8)
    scan = shrink_reference(np.repeat(np.repeat(squares, 20, 0), 20, 1), 40.0)
    face = PlacedFace(np.array([0.0, 0.0]), 0.0, 40.0, scan)
    check = np.array(BLUE, np.uint8)
    dark = tuple(shade.expect(check, np.zeros(2)).tolist())
    seen = seen_with(BLUE, dark if shaded_check else (200, 200, 200))
    top, left = np.round(WINDOW.to_px(np.array([-20.0, -20.0]))[::-1]).astype(int).tolist()
    print_bgr, right = scan.soft[0], 2 * scan.wh[0] // 3
    part = seen[top : top + scan.wh[1], left : left + scan.wh[0]]
    for columns, light in ((slice(0, right), sun), (slice(right, None), shade)):
        part[:, columns] = light.expect(print_bgr[:, columns], np.zeros(2))
    canvas = compose(seen.astype(np.uint8), WINDOW, [face])
    ring = np.ones(seen.shape[:2], bool)
    (left_px, top_px), (right_px, bottom_px) = WINDOW.to_px(BOX_MM).astype(int)
    ring[top_px:bottom_px, left_px:right_px] = False

    bare = bare_ring(ring, seen, canvas, COLOURS, BOX_MM, 100.0)

    assert bare[WINDOW.height_px // 2, 20] == shaded_check
