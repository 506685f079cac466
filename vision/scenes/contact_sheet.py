"""Pictures for people: the contact sheet of one reading, and an outlined tally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.locate.plane import square_at
from vision.locate.pose import NotLocated, TablePose
from vision.locate.rectify import rectify
from vision.spread.tally_reading import TallyReading
from vision.tables.boards import BoardReading
from vision.tables.grid import slot_name
from vision.tables.place import SURE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading
from vision.tables.zone import ZoneReading

# Height at which outlines are drawn, and size of the mark of a piece: near enough for the eye.
WHITE, BLACK, GREEN, AMBER, RED, GRAY = (
    (255, 255, 255),
    (24, 24, 24),
    (90, 190, 60),
    (40, 170, 250),
    (60, 60, 235),
    (150, 150, 150),
)
STATE_COLOURS: Mapping[PlaceState, tuple[int, int, int]] = {
    PlaceState.FACE: GREEN,
    PlaceState.EMPTY: GRAY,
    PlaceState.UNKNOWN: RED,
    PlaceState.COVERED: AMBER,
    PlaceState.OUTSIDE: AMBER,
}
FACE_Z_MM, PIECE_MM = -2.0, 10.0

CROP_PX = 150
CAPTION_PX = 48
SHEET_WIDTH_PX = 1280


def contact_sheet(image: np.ndarray, reading: TableReading) -> np.ndarray:
    """(H, 1280, 3) uint8: the frame with what was found, each zone with a face from above, its faces, the boards."""
    frame = _fitted(_outlined(image, reading), SHEET_WIDTH_PX)
    if isinstance(reading.pose, NotLocated):
        return np.vstack([frame, caption_bar(f"table not found: {reading.pose.reason}", SHEET_WIDTH_PX)])
    corner = "" if reading.corner is None else f"; corner card {reading.corner.corner} ({reading.corner.p:.2f})"
    hand = "; hand in view" if reading.hand else ""
    head = f"located by {reading.pose.by}, {reading.pose.error_px:.2f} px{corner}{hand}"
    zones = [zone for zone in reading.zones if zone.canvas is not None] or reading.zones[:1]
    parts = [frame, caption_bar(head, SHEET_WIDTH_PX), *(_from_above(zone) for zone in zones)]
    faces = [(one, one.corners_mm) for one in reading.places if one.corners_mm is not None]
    crops = [_place_crop(image, reading.pose, one, corners) for one, corners in faces]
    if crops:
        parts.append(in_rows(crops))
    if reading.boards:
        parts.append(in_rows([_board_crop(image, reading.pose, board) for board in reading.boards]))
    return np.vstack([_padded(part, SHEET_WIDTH_PX) for part in parts])


def _from_above(zone: ZoneReading) -> np.ndarray:
    """A zone as it is seen beside what its faces were expected to look like."""
    above = _fitted(zone.seen_bgr, SHEET_WIDTH_PX // 2)
    faces = above * 0
    if zone.canvas is not None:
        faces = _fitted(np.clip(zone.canvas.bare, 0, 255).astype(np.uint8), SHEET_WIDTH_PX // 2)
    return np.hstack([above, faces])


def tally_picture(
    image: np.ndarray, reading: TallyReading, captions: Sequence[str], marks: Sequence[int]
) -> np.ndarray:
    """The frame with every tile outlined: `captions` (points, set) and `marks` (number of its set, -1: none) per tile.

    Tiles to ask about are outlined in red; the tiles of one set share a colour. Where another one may lie unseen is
    outlined in amber.
    """
    out = image.copy()
    if reading.hidden_px is not None:
        cv2.polylines(out, [np.round(reading.hidden_px).astype(np.int32)], True, AMBER, 2, cv2.LINE_AA)
    for tile, caption, mark in zip(reading.tiles, captions, marks, strict=True):
        colour = RED if tile.face is None else GRAY if mark < 0 else _set_colour(mark)
        corners = np.round(tile.corners_px * 16).astype(np.int32)
        cv2.polylines(out, [corners], True, BLACK, 7, cv2.LINE_AA, 4)
        cv2.polylines(out, [corners], True, colour, 4, cv2.LINE_AA, 4)
        x, y = (round(v) for v in tile.centre_px)
        for i, line in enumerate(caption.split("\n")):
            _text(out, line, (x - 45, y + 18 * i), 0.5)
    return out


def _outlined(image: np.ndarray, reading: TableReading) -> np.ndarray:
    out, pose = image.copy(), reading.pose
    if isinstance(pose, NotLocated):
        return out

    def outline(corners_mm: np.ndarray, colour: tuple[int, int, int], width: int) -> None:
        px = pose.project(np.c_[corners_mm, np.full(len(corners_mm), FACE_Z_MM)])
        cv2.polylines(out, [np.round(px).astype(np.int32)], True, colour, width, cv2.LINE_AA)

    for one in reading.places:
        if one.corners_mm is not None and one.is_readable:
            outline(one.corners_mm, GREEN if one.is_sure else RED, 2)
        for piece in one.found:
            outline(square_at(np.array(piece.foot_mm), PIECE_MM, piece.yaw_deg), WHITE, 1)
    for board in reading.boards:
        if board.corners_mm is not None:
            outline(board.corners_mm, GREEN if board.p >= SURE else RED, 2)
    return out


def _place_crop(image: np.ndarray, pose: TablePose, one: PlaceReading, corners_mm: np.ndarray) -> np.ndarray:
    text = f"{one.slot} {one.face or one.state.value} {one.p:.3f}"
    if one.state is PlaceState.UNKNOWN and one.alternatives:
        text = f"{one.slot} ? {one.alternatives[0][0]} {one.p:.3f}"
    if one.pieces:
        text += f"\n{', '.join(f'{n} {colour}' for colour, n in one.pieces)} {one.pieces_p:.2f}"
    colour = STATE_COLOURS[one.state] if one.pieces_p >= SURE else RED
    return framed(rectify(image, pose, corners_mm, FACE_Z_MM, CROP_PX, 0.1), text, colour)


def _board_crop(image: np.ndarray, pose: TablePose, board: BoardReading) -> np.ndarray:
    if board.corners_mm is None:
        return framed(np.zeros((CROP_PX, CROP_PX, 3), np.uint8), f"seat {board.seat_deg}: no board", RED)
    crop = rectify(image, pose, board.corners_mm, FACE_Z_MM, (round(CROP_PX * 1.26), CROP_PX))
    slots = " ".join(slot_name(s.row, s.col) for s in board.slots)
    text = f"seat {board.seat_deg}: {slots or 'empty'}\np {board.p:.2f}"
    return framed(crop, text, GREEN if board.p >= SURE else RED)


def _set_colour(number: int) -> tuple[int, int, int]:
    hue = np.array([[[(number * 47 + 20) % 180, 220, 255]]], np.uint8)
    b, g, r = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return b, g, r


def framed(crop: np.ndarray, text: str, colour: tuple[int, int, int]) -> np.ndarray:
    """(H, W, 3) uint8: the crop in a border of a BGR colour, with lines of text below."""
    out = cv2.copyMakeBorder(crop, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=colour)
    below = np.full((CAPTION_PX, out.shape[1], 3), BLACK, np.uint8)
    for i, line in enumerate(text.split("\n")):
        cv2.putText(below, line, (4, 14 + 14 * i), cv2.FONT_HERSHEY_SIMPLEX, 0.36, WHITE, 1, cv2.LINE_AA)
    return np.vstack([out, below])


def in_rows(tiles: Sequence[np.ndarray]) -> np.ndarray:
    """Tiles side by side in rows of the sheet's width."""
    height = max(t.shape[0] for t in tiles)
    rows: list[np.ndarray] = []
    row: list[np.ndarray] = []
    width = 0
    for tile in tiles:
        if row and width + tile.shape[1] > SHEET_WIDTH_PX:
            rows.append(_padded(np.hstack(row), SHEET_WIDTH_PX))
            row, width = [], 0
        row.append(cv2.copyMakeBorder(tile, 0, height - tile.shape[0], 0, 0, cv2.BORDER_CONSTANT, value=BLACK))
        width += tile.shape[1]
    rows.append(_padded(np.hstack(row), SHEET_WIDTH_PX))
    return np.vstack(rows)


def caption_bar(text: str, width: int) -> np.ndarray:
    """(26, width, 3) uint8: one line of text on black."""
    out = np.full((26, width, 3), BLACK, np.uint8)
    _text(out, text, (6, 18), 0.5)
    return out


def _text(image: np.ndarray, text: str, at: tuple[int, int], scale: float) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, BLACK, 3, cv2.LINE_AA)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, WHITE, 1, cv2.LINE_AA)


def _fitted(image: np.ndarray, width: int) -> np.ndarray:
    size = (width, round(image.shape[0] * width / image.shape[1]))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def _padded(image: np.ndarray, width: int) -> np.ndarray:
    missing = max(0, width - image.shape[1])
    return np.asarray(cv2.copyMakeBorder(image, 0, 0, 0, missing, cv2.BORDER_CONSTANT, value=BLACK)[:, :width])
