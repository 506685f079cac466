"""A face in one place: named, turned, aligned; told from plain table by its contrast."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.lab.render.edition import Edition, edition_named, sample_edition
from vision.faces.book import FaceBook
from vision.faces.learning import learn_faces
from vision.locate.plane import HomographyPlane, square_at
from vision.spread.tally import LEAST_PRINT
from vision.tables.face_at_place import (
    LIKE_A_FACE,
    UNLIKE_A_FACE,
    crop_size_px,
    first_looks,
    fit_rectangle,
    is_plain,
    read_faces,
    size_mm,
    turned_corners,
)

PLANE = HomographyPlane(np.diag([0.5, 0.5, 1.0]))
"""A plane seen from straight above with 2 px a mm."""

SIDE_MM = 55.0
PLACE = square_at(np.array([60.0, 50.0]), SIDE_MM, 0.0)
CARD = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 60.0], [0.0, 60.0]])


@pytest.fixture(scope="module")
def book() -> FaceBook:
    cv2.setNumThreads(1)
    return learn_faces({tile.id: [sample_edition().face(tile.id)] for tile in sample_edition().tiles[:16:2]})


def picture(
    face: str, centre_mm: tuple[float, float], turn_deg: float, edition: Edition | None = None
) -> np.ndarray:
    """A face lying on a plain table, (200, 240, 3) uint8."""
    scan = (edition or sample_edition()).face(face)
    image = np.full((200, 240, 3), (90, 110, 130), np.uint8)
    wide = scan.shape[0]
    source = np.array([[0, 0], [wide, 0], [wide, wide], [0, wide]], np.float32)
    target = PLANE.to_px(square_at(np.array(centre_mm), SIDE_MM, turn_deg)).astype(np.float32)
    small = cv2.GaussianBlur(scan, (0, 0), 1.5)
    warp = cv2.getPerspectiveTransform(source, target)
    mask = cv2.warpPerspective(np.full(scan.shape[:2], 255, np.uint8), warp, (240, 200)) > 128
    image[mask] = cv2.warpPerspective(small, warp, (240, 200))[mask]
    return image


@pytest.mark.parametrize(("off_mm", "turn_deg", "turn"), [((0, 0), 0.0, 0), ((2, -1.5), 3.0, 0), ((1, 1), 92.0, 1)])
def test_a_face_is_named_with_its_turn_and_its_corners(
    book: FaceBook, off_mm: tuple[float, float], turn_deg: float, turn: int
) -> None:
    face = book.faces[3]
    centre = (60.0 + off_mm[0], 50.0 + off_mm[1])
    found = read_faces(picture(face, centre, turn_deg), PLANE, [PLACE], book, rigid=False)[0]
    assert found.is_named
    assert (found.reading.face, found.turn) == (face, turn)
    assert found.likeness > LIKE_A_FACE
    assert np.abs(found.corners_mm - square_at(np.array(centre), SIDE_MM, turn_deg)).max() < 1.0


@pytest.mark.parametrize(("face", "turn_deg"), [("bonus-3-a", 4.0), ("fire-3-b", 254.24)])
def test_fine_stripes_that_drag_an_alignment_along_do_not_make_a_tile_its_twin(face: str, turn_deg: float) -> None:
    striped = edition_named("random:6302")
    book = learn_faces({tile.id: [striped.face(tile.id)] for tile in striped.tiles})
    found = read_faces(picture(face, (61.0, 49.0), turn_deg, striped), PLANE, [PLACE], book, rigid=False)[0]
    assert (found.is_named, found.reading.face) == (True, face)
    assert np.abs(found.corners_mm - square_at(np.array([61.0, 49.0]), SIDE_MM, turn_deg)).max() < 1.0


def test_a_bare_place_is_plain_and_like_no_face_and_print_is_not(book: FaceBook) -> None:
    noise = np.random.default_rng(1).normal(0, 2, (200, 240, 3))
    bare = np.clip(np.full((200, 240, 3), (90, 110, 130)) + noise, 0, 255).astype(np.uint8)
    assert is_plain(bare, PLANE, PLACE)
    assert read_faces(bare, PLANE, [PLACE], book, rigid=True)[0].likeness < UNLIKE_A_FACE
    assert not is_plain(picture(book.faces[0], (60.0, 50.0), 0.0), PLANE, PLACE)


@pytest.mark.parametrize("turn_deg", [0.0, 5.0, 90.0, 180.0, 270.0])
def test_a_first_look_tells_print_in_any_quarter_turn_from_a_rough_table(book: FaceBook, turn_deg: float) -> None:
    face = book.faces[1]
    ((misfit, together),) = first_looks(picture(face, (62.0, 51.0), turn_deg), PLANE, [PLACE], book)
    assert misfit < 0.05
    assert together > 0.8
    rng = np.random.default_rng(int(turn_deg))
    grain = cv2.GaussianBlur(rng.normal(0.0, 60.0, (200, 240, 3)), (0, 0), 2.0)
    rough = np.clip(np.array([90.0, 110.0, 130.0]) + grain, 0, 255).astype(np.uint8)
    assert first_looks(rough, PLANE, [PLACE], book)[0][1] < LEAST_PRINT


def test_a_crop_keeps_the_shape_of_its_piece_and_the_area_of_a_square_one() -> None:
    width, height = crop_size_px(CARD)
    assert width / height == pytest.approx(40 / 60, rel=0.01)
    assert width * height == pytest.approx(crop_size_px(PLACE)[0] ** 2, rel=0.02)


def test_a_piece_turned_by_a_quarter_lies_across_about_the_same_middle() -> None:
    across = turned_corners(CARD, 1)
    assert across.mean(0) == pytest.approx(CARD.mean(0))
    assert np.ptp(across, axis=0) == pytest.approx([60.0, 40.0])
    assert size_mm(across) == pytest.approx((40.0, 60.0))
    assert turned_corners(CARD, 4) == pytest.approx(CARD)


@pytest.mark.parametrize("turn_deg", [0.0, 12.0, -75.0])
def test_the_rectangle_nearest_to_noisy_corners_has_their_middle_and_turn(turn_deg: float) -> None:
    angle = np.deg2rad(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (CARD - CARD.mean(0)) @ turn.T + (5.0, 9.0)
    corners[0] += (0.4, -0.4)
    centre, found = fit_rectangle(corners, (40.0, 60.0))
    assert centre == pytest.approx([5.1, 8.9])
    assert found == pytest.approx(turn_deg, abs=1.0)
