"""What lies beside the faces is a heap of pieces or the table itself."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
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
