"""Print in the sun, or in gloss, on a part of a face is lit anew; print in even light, and pieces, are not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles
from drawn_table import POSE, bare_cloth, lay, stand

from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.picture_light import PieceColours
from vision.appearance.placed_face import PX_PER_MM, PlacedFace, shrink_reference
from vision.locate.rectify import rectify
from vision.pieces.finder import PieceFinder, PieceSearch
from vision.pieces.light.uneven_light import lit_anew
from vision.pieces.shapes import PieceModel

SIDE_MM = 55.0
WINDOW = Window(-90.0, -60.0, 270, 180)
MIDDLES = (np.array([-29.0, 0.0]), np.array([29.0, 0.0]))
TILES = list(drawn_tiles(3, 4).values())
BLUE_BGR, WHITE_BGR = (180.0, 80.0, 30.0), (212.0, 222.0, 224.0)
FINDER = PieceFinder(
    PieceColours(("blue", "white"), (BLUE_BGR, WHITE_BGR)),
    PieceModel(10.0, -2.0, tuple(float(v) for v in POSE.eye_mm)),  # type: ignore[arg-type]
)


def picture() -> np.ndarray:
    """Two tiles side by side."""
    image = bare_cloth()
    for face, middle in zip(TILES, MIDDLES, strict=False):
        lay(image, face, middle, SIDE_MM)
    return image


def part_of_the_right(soft_px: float) -> np.ndarray:
    """(h, w, 1) float32: 1 over the lower right of the right tile, 0 elsewhere."""
    rows, columns = np.indices(picture().shape[:2])
    x, y = POSE.project(np.array([[*MIDDLES[1], -2.0]]))[0]
    within = (columns > x - 40) & ((columns - x) + (rows - y) > 12)
    return np.asarray(cv2.GaussianBlur(within.astype(np.float32), (0, 0), soft_px)[..., None])


def in_sun(image: np.ndarray) -> np.ndarray:
    return np.asarray(np.clip(image * (1.0 + 0.5 * part_of_the_right(1.0)), 0, 255), np.uint8)


def in_gloss(image: np.ndarray) -> np.ndarray:
    """White light over a part of the print: linear, as it adds itself."""
    light = (image / 255.0) ** 2.2 + 0.12 * part_of_the_right(6.0)
    return np.asarray(np.clip(255.0 * light ** (1 / 2.2), 0, 255), np.uint8)


def examined(image: np.ndarray) -> tuple[Canvas, PieceSearch]:
    """The canvas of the two tiles, in the light that the left one tells, and the pieces found on it."""
    seen = rectify(image, POSE, WINDOW.corners_mm, -2.0, (WINDOW.width_px, WINDOW.height_px))
    faces = [
        PlacedFace(middle, 0.0, SIDE_MM, shrink_reference(face, SIDE_MM))
        for face, middle in zip(TILES, MIDDLES, strict=False)
    ]
    canvas = compose(seen, WINDOW, faces, lights=[0])
    return canvas, FINDER.search(canvas, printed=True)


@pytest.mark.parametrize("light", [in_sun, in_gloss])
def test_print_in_another_light_is_explained(light: Callable[[np.ndarray], np.ndarray]) -> None:
    canvas, before = examined(light(picture()))
    assert before.unexplained_mm2[1] > 200
    lit, faces = lit_anew(canvas, before.covered, before.unexplained_mm2)
    assert faces.tolist() == [False, True]
    assert FINDER.search(lit, printed=True).unexplained_mm2[1] < before.unexplained_mm2[1] / 4


def test_pieces_are_expected_as_bright_as_the_sun_makes_them() -> None:
    canvas, before = examined(in_sun(picture()))
    lit, _ = lit_anew(canvas, before.covered, before.unexplained_mm2)
    assert lit.broad is not None
    corner = WINDOW.to_px(MIDDLES[1] + 20.0).astype(int)
    other = WINDOW.to_px(MIDDLES[1] - 20.0).astype(int)
    assert lit.broad.share[corner[1], corner[0]] == pytest.approx(1.5, abs=0.2)
    assert lit.broad.share[other[1], other[0]] == 1.0
    assert (lit.broad.share[canvas.label == 0] == 1.0).all()


def test_a_pane_of_sun_falls_on_the_pieces_that_stand_in_it() -> None:
    image = picture()
    foot = MIDDLES[1] + 12.0
    stand(image, BLUE_BGR, (float(foot[0]), float(foot[1])))
    canvas, before = examined(in_sun(image))
    lit, faces = lit_anew(canvas, before.covered, before.unexplained_mm2)
    assert faces.tolist() == [False, True]
    assert lit.broad is not None
    x, y = WINDOW.to_px(foot).astype(int)
    assert np.median(lit.broad.share[y - 4 : y + 5, x - 4 : x + 5]) == pytest.approx(1.5, abs=0.2)
    assert [piece.colour for piece in FINDER.search(lit, printed=True).pieces] == ["blue"]


@pytest.mark.parametrize("light", [in_sun, in_gloss])
def test_what_was_taken_for_a_piece_may_be_print_in_that_light(light: Callable[[np.ndarray], np.ndarray]) -> None:
    canvas, before = examined(light(picture()))
    x, y = WINDOW.to_px(MIDDLES[1] + 16.0).astype(int)
    taken = before.covered.copy()
    taken[y - 8 : y + 9, x - 8 : x + 9] = 1.0
    lit, _ = lit_anew(canvas, taken, before.unexplained_mm2)
    unlike = [np.abs(one.seen - one.bare)[taken > 0.0].mean() for one in (canvas, lit)]
    assert unlike[1] < 0.5 * unlike[0]


def test_a_face_in_even_light_stays_as_it_is() -> None:
    image = picture()
    stand(image, BLUE_BGR, (30.0, 5.0))
    canvas, search = examined(image)
    lit, faces = lit_anew(canvas, search.covered, search.unexplained_mm2)
    assert not faces.any()
    assert lit is canvas


def test_pieces_that_were_not_found_are_not_taken_for_light() -> None:
    image = picture()
    for foot in ((24.0, 4.0), (34.0, 4.0)):
        stand(image, WHITE_BGR, foot)
    canvas, _ = examined(image)
    none_found = np.zeros(canvas.label.shape, np.float32)
    area = float((canvas.label == 1).sum()) / PX_PER_MM**2
    lit, _ = lit_anew(canvas, none_found, np.array([0.0, area]))
    found = [piece.colour for piece in FINDER.search(lit, printed=True).pieces]
    assert found == ["white", "white"]
