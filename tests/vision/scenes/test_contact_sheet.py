"""The contact sheet shows what was found: outlines where things lie, crops of faces from above, colours of doubt."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.messages import Message
from vision.appearance.canvas import Window
from vision.locate.camera_model import Camera
from vision.locate.plane import square_at
from vision.locate.pose import NotLocated, TablePose
from vision.scenes.contact_sheet import (
    AMBER,
    CROP_PX,
    GRAY,
    GREEN,
    RED,
    SHEET_WIDTH_PX,
    caption_bar,
    contact_sheet,
    framed,
    in_rows,
    tally_picture,
)
from vision.spread.tally_reading import TallyReading, TallyTile
from vision.tables.boards import BoardReading
from vision.tables.place import TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading
from vision.tables.zone import ZoneReading

CLOTH, TILE_BGR = (70, 60, 50), (30, 200, 230)
SIDE_MM = 55.0
# straight above the middle of the table: 1 mm is about 1.1 px of a frame of 1280 x 720 px
POSE = TablePose(Camera.estimated((1280, 720)), np.zeros(3), np.array([0.0, 0.0, 1000.0]), "markers", 0.1)
PLACE_MM = square_at(np.array([0.0, 0.0]), SIDE_MM, 0.0)
LEAF = PlaceReading("r1c1", TILE, PlaceState.FACE, "leaf", 0.99, 0, (("leaf", 0.99),), corners_mm=PLACE_MM)


def tile_px() -> np.ndarray:
    """(4, 2) corners of the tile in the frame, 2 mm above the table."""
    return POSE.project(np.c_[PLACE_MM, np.full(4, -2.0)])


def frame() -> np.ndarray:
    """A plain tile on a plain cloth, (720, 1280, 3) uint8."""
    image = np.full((720, 1280, 3), CLOTH, np.uint8)
    cv2.fillConvexPoly(image, np.round(tile_px()).astype(np.int32), TILE_BGR)
    return image


def table(*places: PlaceReading, boards: tuple[BoardReading, ...] = ()) -> TableReading:
    seen = np.full((120, 240, 3), CLOTH, np.uint8)
    zone = ZoneReading({one.slot: one for one in places}, Window(-80.0, -40.0, 240, 120), seen)
    return TableReading(POSE, places, (zone,), boards)


def share(picture: np.ndarray, colour: tuple[int, int, int]) -> float:
    """Part of a picture that has a colour, but for blur and noise."""
    return float((np.abs(picture.astype(int) - colour).max(-1) < 12).mean())


def test_a_table_that_was_not_found_is_the_frame_with_the_reason_below() -> None:
    sheet = contact_sheet(frame(), TableReading(NotLocated(Message("the picture is mirrored"))))
    assert sheet.shape == (720 + caption_bar("", 10).shape[0], SHEET_WIDTH_PX, 3)
    assert (sheet[:720] == frame()).all()
    assert sheet[720:].max() > 200  # there is something to read


@pytest.mark.parametrize(("reading", "colour"), [(LEAF, GREEN), (replace(LEAF, pieces_p=0.2), RED)])
def test_a_face_is_outlined_where_it_lies_green_when_sure_and_red_when_not(
    reading: PlaceReading, colour: tuple[int, int, int]
) -> None:
    sheet = contact_sheet(frame(), table(reading))
    left, top = np.round(tile_px()[0]).astype(int)
    middle_of_top_edge = sheet[top - 2 : top + 3, 630:650]
    assert share(middle_of_top_edge, colour) > 0.2
    assert (sheet[top + 10 : top + 30, left + 10 : left + 30] == TILE_BGR).all()  # what is read is not drawn over
    assert (sheet[:200, :200] == CLOTH).all()


def test_a_face_is_shown_from_above_in_a_frame_of_its_state() -> None:
    sheet = contact_sheet(frame(), table(LEAF))
    above = sheet[-(CROP_PX + 6 + 48) : -48, : CROP_PX + 6]
    assert share(above[3:-3, 3:-3], TILE_BGR) == pytest.approx(1 / 1.2**2, abs=0.05)  # a tenth of cloth on each side
    assert share(above[:3], GREEN) == 1.0


def test_a_place_that_is_covered_is_neither_outlined_nor_cropped() -> None:
    covered = PlaceReading("r1c1", TILE, PlaceState.COVERED)
    sheet = contact_sheet(frame(), table(covered))
    assert (sheet[:720] == frame()).all()
    assert sheet.shape[0] < contact_sheet(frame(), table(LEAF)).shape[0]


def test_a_board_that_was_not_found_is_a_red_frame_around_nothing() -> None:
    sheet = contact_sheet(frame(), table(LEAF, boards=(BoardReading(90, False),)))
    rest = sheet[contact_sheet(frame(), table(LEAF)).shape[0] :]
    assert share(rest[:3, :CROP_PX], RED) == 1.0
    assert not rest[10:100, 10:100].any()


def test_tiles_fill_rows_of_the_sheet_and_hang_from_one_line() -> None:
    low, high = (np.full((height, 500, 3), 200, np.uint8) for height in (40, 60))
    rows = in_rows([low, high, high])
    assert rows.shape == (120, SHEET_WIDTH_PX, 3)  # two of 500 px beside each other, the third below
    assert (rows[:40, :1000] == 200).all()
    assert (rows[40:60, :500] < 200).all()
    assert (rows[60:, :500] == 200).all()


def test_a_framed_crop_keeps_its_picture_whole() -> None:
    crop = np.random.default_rng(3).integers(0, 255, (40, 60, 3)).astype(np.uint8)
    out = framed(crop, "leaf\n2 red", GREEN)
    assert (out[3:43, 3:63] == crop).all()
    assert share(out[:3], GREEN) == 1.0


def test_a_tally_outlines_tiles_to_ask_about_in_red_and_those_of_one_set_alike() -> None:
    def tile(face: str | None, left: int) -> TallyTile:
        return TallyTile(face, 0.9, (), np.array([[left, 20], [left + 60, 20], [left + 60, 80], [left, 80]], float))

    tiles = (tile("leaf", 20), tile("drop", 120), tile("fire", 220), tile(None, 320))
    image = np.zeros((100, 400, 3), np.uint8)
    out = tally_picture(image, TallyReading(tiles, False, (), "nothing"), ["", "", "", ""], [0, 0, -1, -1])
    first, second, alone, asked = (tuple(out[50, left].tolist()) for left in (20, 120, 220, 320))
    assert first == second
    assert len({first, GRAY, RED}) == 3
    assert (alone, asked) == (GRAY, RED)
    assert not image.any()  # the frame itself is left as it was
    hidden = np.array([[330, 5], [390, 5], [390, 15], [330, 15]], float)
    out = tally_picture(image, TallyReading((), False, (), "nothing", hidden_px=hidden), [], [])
    assert tuple(out[5, 360].tolist()) == AMBER
