"""Where things lie on the rendered table: the scene sets' layout.json and the slabs that all pictures share."""

from __future__ import annotations

import json

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sample_edition.art import BOARD_MM, cutout_centre_mm, draw_board, draw_corner_card
from companion.lab.render.edition import Edition
from companion.lab.render.pieces import Slab, cube, printed, rectangle, turned

Floats = NDArray[np.float64]

MARKER_MM = 40.0
MARKER_MARGIN_MM = 5.0
MARKER_CENTRES_MM = {0: (-220.0, -170.0), 1: (220.0, -170.0), 2: (220.0, 170.0), 3: (-220.0, 170.0)}
TILE_MM, TILE_THICKNESS_MM, PITCH_MM, CUBE_MM = 55.0, 2.0, 62.0, 10.0
ROWS_COLS = {2: (2, 3), 3: (3, 3), 4: (3, 4)}  # E11
CARD_OUT_MM = 14.0
SEAT_XY_MM = {0: (0.0, 232.0), 90: (-285.0, 0.0), 180: (0.0, -232.0), 270: (285.0, 0.0)}
BOARD_THICKNESS_MM = 2.0


def layout_json(edition: Edition) -> str:
    """The set's layout.json."""
    layout = {
        "units": "mm; origin in the middle of the markers, x right, y towards the bottom seat, z into the table",
        "markers": {
            "dictionary": "DICT_4X4_50",
            "side": MARKER_MM,
            "centres": {str(k): list(v) for k, v in MARKER_CENTRES_MM.items()},
        },
        "tile": {"side": TILE_MM, "thickness": TILE_THICKNESS_MM},
        "grid": {"pitch": PITCH_MM, "rows_cols": {str(k): list(v) for k, v in ROWS_COLS.items()}, "centre": [0, 0]},
        "cube": {
            "side": CUBE_MM,
            "colours": {k: list(v) for k, v in edition.cube_colours.items()},
            "seat_colours": list(edition.cube_colours),
        },
        "board": {
            "width": BOARD_MM[0],
            "height": BOARD_MM[1],
            "slot_pitch": 24.0,
            "slot_origin": [2, 1],
            "red_corner": "top left",
        },
        "corner_card": {"side": TILE_MM, "sticks_out": CARD_OUT_MM},
    }
    return json.dumps(layout, indent=1)


def marker_slabs(rng: np.random.Generator, paper: int = 236) -> list[Slab]:
    """The four printed corner markers, each on its own piece of paper."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    px_per_mm = 6
    slabs = []
    for number, centre in MARKER_CENTRES_MM.items():
        marker = cv2.aruco.generateImageMarker(dictionary, number, int(MARKER_MM * px_per_mm))
        edge = int(MARKER_MARGIN_MM * px_per_mm)
        sheet = cv2.copyMakeBorder(marker, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255)
        sheet = (sheet.astype(np.float32) / 255 * (paper - 22) + 22).astype(np.uint8)
        size = MARKER_MM + 2 * MARKER_MARGIN_MM
        deg = float(rng.normal(0, 0.15))
        slabs.append(
            printed(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), (size, size), centre, deg, 0.15, side=(200, 200, 200))
        )
    return slabs


def markers_extent_mm() -> Floats:
    """(4, 2) corners of the rectangle that holds all markers with their paper."""
    half = MARKER_MM / 2 + MARKER_MARGIN_MM
    x, y = MARKER_CENTRES_MM[2]
    return rectangle(2 * (x + half), 2 * (y + half), (0.0, 0.0))


def cell_centre_mm(row: int, col: int, rows_cols: tuple[int, int]) -> Floats:
    """(2,) centre of a cell of the playing grid, table mm."""
    rows, cols = rows_cols
    return np.array([(col - (cols - 1) / 2) * PITCH_MM, (row - (rows - 1) / 2) * PITCH_MM])


def half_of_grid_mm(rows_cols: tuple[int, int]) -> Floats:
    """(2,) half width and height of the playing grid."""
    return np.array([rows_cols[1], rows_cols[0]]) * PITCH_MM / 2


def grid_extent_mm(rows_cols: tuple[int, int]) -> Floats:
    """(4, 2) corners of the rectangle that the playing grid takes, with the corner card that sticks out of it."""
    width, height = (2 * half_of_grid_mm(rows_cols) + 2 * CARD_OUT_MM).tolist()
    return rectangle(width, height, (0.0, 0.0))


def corner_card_slab(corner: str, rows_cols: tuple[int, int], rng: np.random.Generator) -> Slab:
    """The red card under the corner tile: `corner` is tl, tr, br or bl."""
    row = 0 if corner[0] == "t" else rows_cols[0] - 1
    col = 0 if corner[1] == "l" else rows_cols[1] - 1
    outwards = np.array([-1 if col == 0 else 1, -1 if row == 0 else 1]) * CARD_OUT_MM
    xy = cell_centre_mm(row, col, rows_cols) + outwards + rng.normal(0, 0.7, 2)
    return printed(draw_corner_card(), (TILE_MM, TILE_MM), xy, rng.normal(0, 1.5), 0.4, side=(36, 24, 140))


def tile_slab(edition: Edition, tile_id: str, xy_mm: Floats, deg: float) -> Slab:
    """A tile on the table."""
    return printed(
        edition.face(tile_id), (TILE_MM, TILE_MM), xy_mm, deg, TILE_THICKNESS_MM, side=(150, 172, 184), layer=1
    )


def cube_slab(edition: Edition, colour: str, xy_mm: Floats, deg: float, bottom_mm: float = TILE_THICKNESS_MM) -> Slab:
    """A cube of a player's colour."""
    red, green, blue = edition.cube_colours[colour]
    return cube((blue, green, red), CUBE_MM, xy_mm, deg, bottom_mm)


def board_slabs(
    edition: Edition, seat: int, deg: float, colour: str, slots: list[tuple[int, int]], rng: np.random.Generator
) -> list[Slab]:
    """A player board at its seat with its cubes; the red corner stays at the top left of the table frame."""
    xy = SEAT_XY_MM[seat]
    slabs = [printed(draw_board(), BOARD_MM, xy, deg, BOARD_THICKNESS_MM, side=(90, 96, 104), layer=1)]
    for row, col in slots:
        place = turned(np.array([cutout_centre_mm(row, col)]), deg, xy)[0] + rng.uniform(-1, 1, 2)
        slabs.append(cube_slab(edition, colour, place, deg + rng.normal(0, 7), bottom_mm=0.3))
    return slabs


def shield_slab(seat: int) -> Slab:
    """A player's shield, standing upright between board and grid."""
    x, y = SEAT_XY_MM[seat]
    length = np.hypot(x, y)
    middle = np.array([x, y]) * (length - 62) / length
    size = (150.0, 4.0) if seat in (0, 180) else (4.0, 150.0)
    return Slab(rectangle(*size, middle), 0.0, 90.0, (96, 62, 50), (104, 70, 56), None, layer=3)
