"""Pictures for people: the contact sheet of one reading, an outlined tally, and the worst crops of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.boards import BoardReading
from vision.evaluation import Mistake
from vision.grid import CellReading, CellState
from vision.plane import square_at
from vision.pose import NotLocated
from vision.reader import SURE, TableReading
from vision.rectify import rectify
from vision.scene_set import SceneSet, picture
from vision.tally import TallyReading

WHITE, BLACK, GREEN, AMBER, RED, GRAY = (
    (255, 255, 255),
    (24, 24, 24),
    (90, 190, 60),
    (40, 170, 250),
    (60, 60, 235),
    (150, 150, 150),
)
STATE_COLOURS: Mapping[CellState, tuple[int, int, int]] = {
    CellState.TILE: GREEN,
    CellState.EMPTY: GRAY,
    CellState.UNKNOWN: RED,
    CellState.COVERED: AMBER,
}
CROP_PX = 150
CAPTION_PX = 48
SHEET_WIDTH_PX = 1280
MOST_CROPS = 40


def contact_sheet(image: np.ndarray, reading: TableReading) -> np.ndarray:
    """(H, 1280, 3) uint8: the frame with what was found, the grid from above, every cell's crop, the boards."""
    frame = _fitted(_outlined(image, reading), SHEET_WIDTH_PX)
    if reading.grid is None or isinstance(reading.pose, NotLocated):
        reason = reading.pose.reason if isinstance(reading.pose, NotLocated) else ""
        return np.vstack([frame, _caption(f"table not found: {reason}", SHEET_WIDTH_PX)])
    cells = [_cell_crop(image, reading, cell) for cell in reading.grid.cells]
    above = _fitted(reading.grid.seen_bgr, SHEET_WIDTH_PX // 2)
    faces = above * 0
    if reading.grid.canvas is not None:
        faces = _fitted(np.clip(reading.grid.canvas.bare, 0, 255).astype(np.uint8), SHEET_WIDTH_PX // 2)
    corner = reading.grid.corner
    head = (
        f"located by {reading.pose.by}, {reading.pose.error_px:.2f} px; corner card {corner.corner} ({corner.p:.2f})"
        f"{'; hand in view' if reading.hand else ''}"
    )
    parts = [frame, _caption(head, SHEET_WIDTH_PX), np.hstack([above, faces]), _rows(cells)]
    if reading.boards:
        parts.append(_rows([_board_crop(image, reading, board) for board in reading.boards]))
    return np.vstack([_padded(part, SHEET_WIDTH_PX) for part in parts])


def tally_picture(
    image: np.ndarray, reading: TallyReading, captions: Sequence[str], marks: Sequence[int]
) -> np.ndarray:
    """The frame with every tile outlined: `captions` (points, set) and `marks` (number of its set, -1: none) per tile.

    Tiles to ask about are outlined in red; the tiles of one set share a colour.
    """
    out = image.copy()
    for tile, caption, mark in zip(reading.tiles, captions, marks, strict=True):
        colour = RED if tile.face is None else GRAY if mark < 0 else _set_colour(mark)
        corners = np.round(tile.corners_px * 16).astype(np.int32)
        cv2.polylines(out, [corners], True, BLACK, 7, cv2.LINE_AA, 4)
        cv2.polylines(out, [corners], True, colour, 4, cv2.LINE_AA, 4)
        x, y = (round(v) for v in tile.centre_px)
        for i, line in enumerate(caption.split("\n")):
            _text(out, line, (x - 45, y + 18 * i), 0.5)
    return out


def worst_crops(scenes: SceneSet, mistakes: Sequence[Mistake], path: Path) -> None:
    """Write the crops of the gravest mistakes as one picture: what was not flagged comes first."""
    ranked = sorted((m for m in mistakes if m.corners_px), key=lambda m: (m.flagged, m.kind != "tile"))[:MOST_CROPS]
    tiles = []
    for mistake in ranked:
        image = picture(scenes.root / f"{mistake.picture}.jpg")
        middle = np.array(mistake.corners_px).mean(0)
        outer = (middle + (np.array(mistake.corners_px) - middle) * 1.3).astype(np.float32)
        target = np.array([[0, 0], [CROP_PX, 0], [CROP_PX, CROP_PX], [0, CROP_PX]], np.float32)
        crop = cv2.warpPerspective(image, cv2.getPerspectiveTransform(outer, target), (CROP_PX, CROP_PX))
        flag = "asked" if mistake.flagged else "NOT ASKED"
        text = f"{mistake.picture} {mistake.place}\n{mistake.wanted}\n-> {mistake.got} {flag}"
        tiles.append(_framed(crop, text, AMBER if mistake.flagged else RED))
    cv2.imwrite(str(path), _rows(tiles) if tiles else _caption("no mistakes", SHEET_WIDTH_PX))


def _outlined(image: np.ndarray, reading: TableReading) -> np.ndarray:
    out = image.copy()
    if reading.grid is None or isinstance(reading.pose, NotLocated):
        return out
    z = -2.0
    for cell in reading.grid.cells:
        if cell.state in (CellState.TILE, CellState.UNKNOWN) and cell.corners_mm is not None:
            px = reading.pose.project(np.c_[cell.corners_mm, np.full(4, z)])
            sure = cell.state is CellState.TILE and cell.cubes_p >= SURE
            cv2.polylines(out, [np.round(px).astype(np.int32)], True, GREEN if sure else RED, 2, cv2.LINE_AA)
        for piece in cell.pieces:
            foot = square_at(np.array(piece.foot_mm), 10.0, piece.yaw_deg)
            px = reading.pose.project(np.c_[foot, np.full(4, z)])
            cv2.polylines(out, [np.round(px).astype(np.int32)], True, WHITE, 1, cv2.LINE_AA)
    for board in reading.boards:
        if board.corners_mm is not None:
            px = reading.pose.project(np.c_[board.corners_mm, np.full(4, z)])
            cv2.polylines(out, [np.round(px).astype(np.int32)], True, GREEN if board.p >= SURE else RED, 2, cv2.LINE_AA)
    return out


def _cell_crop(image: np.ndarray, reading: TableReading, cell: CellReading) -> np.ndarray:
    assert reading.grid is not None
    grid, size = reading.grid, max(c.col for c in reading.grid.cells) + 1
    place = grid.places_mm[cell.row * size + cell.col]
    assert not isinstance(reading.pose, NotLocated)
    crop = rectify(image, reading.pose, place, -2.0, CROP_PX, 0.1)
    cubes = ", ".join(f"{n} {c}" for c, n in cell.cubes)
    name = cell.face or cell.state.value
    if cell.state is CellState.UNKNOWN and cell.alternatives:
        name = f"? {cell.alternatives[0][0]}"
    text = (
        f"r{cell.row + 1}c{cell.col + 1} {name} {cell.p:.3f}\n{cubes} {cell.cubes_p:.2f}"
        if cubes
        else (f"r{cell.row + 1}c{cell.col + 1} {name} {cell.p:.3f}")
    )
    return _framed(crop, text, STATE_COLOURS[cell.state] if cell.cubes_p >= SURE else RED)


def _board_crop(image: np.ndarray, reading: TableReading, board: BoardReading) -> np.ndarray:
    if board.corners_mm is None or isinstance(reading.pose, NotLocated):
        return _framed(np.zeros((CROP_PX, CROP_PX, 3), np.uint8), f"seat {board.seat_deg}: no board", RED)
    crop = rectify(image, reading.pose, board.corners_mm, -2.0, (round(CROP_PX * 1.26), CROP_PX))
    slots = " ".join(f"r{s.row + 1}c{s.col + 1}" for s in board.slots)
    return _framed(
        crop, f"seat {board.seat_deg}: {slots or 'empty'}\np {board.p:.2f}", GREEN if board.p >= SURE else RED
    )


def _set_colour(number: int) -> tuple[int, int, int]:
    hue = np.uint8([[[(number * 47 + 20) % 180, 220, 255]]])
    b, g, r = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return b, g, r


def _framed(crop: np.ndarray, text: str, colour: tuple[int, int, int]) -> np.ndarray:
    out = cv2.copyMakeBorder(crop, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=colour)
    below = np.full((CAPTION_PX, out.shape[1], 3), BLACK, np.uint8)
    for i, line in enumerate(text.split("\n")):
        cv2.putText(below, line, (4, 14 + 14 * i), cv2.FONT_HERSHEY_SIMPLEX, 0.36, WHITE, 1, cv2.LINE_AA)
    return np.vstack([out, below])


def _rows(tiles: Sequence[np.ndarray]) -> np.ndarray:
    """Tiles side by side in rows of the sheet's width."""
    height = max(t.shape[0] for t in tiles)
    rows, row, width = [], [], 0
    for tile in tiles:
        if row and width + tile.shape[1] > SHEET_WIDTH_PX:
            rows.append(_padded(np.hstack(row), SHEET_WIDTH_PX))
            row, width = [], 0
        row.append(cv2.copyMakeBorder(tile, 0, height - tile.shape[0], 0, 0, cv2.BORDER_CONSTANT, value=BLACK))
        width += tile.shape[1]
    rows.append(_padded(np.hstack(row), SHEET_WIDTH_PX))
    return np.vstack(rows)


def _caption(text: str, width: int) -> np.ndarray:
    out = np.full((26, width, 3), BLACK, np.uint8)
    _text(out, text, (6, 18), 0.5)
    return out


def _text(image: np.ndarray, text: str, at: tuple[int, int], scale: float) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, BLACK, 3, cv2.LINE_AA)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, WHITE, 1, cv2.LINE_AA)


def _fitted(image: np.ndarray, width: int) -> np.ndarray:
    return cv2.resize(image, (width, round(image.shape[0] * width / image.shape[1])), interpolation=cv2.INTER_AREA)


def _padded(image: np.ndarray, width: int) -> np.ndarray:
    return cv2.copyMakeBorder(image, 0, 0, 0, max(0, width - image.shape[1]), cv2.BORDER_CONSTANT, value=BLACK)[
        :, :width
    ]
