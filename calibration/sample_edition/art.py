"""Draws the pieces of an edition as pictures: tiles, player board, corner card."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.drawing import Picture, Rgb, Sheet
from calibration.sample_edition.style import Badge, Motif, Style
from calibration.shapes import disc, rosette, star

WORK_PX = 880
"""Side of a tile while it is drawn: 16 px/mm for the 55 mm tile, four times what any camera here resolves."""
_SHIFT = 4  # sub-pixel bits of OpenCV's polygon filler

BOARD_MM = (116.0, 92.0)
BOARD_PITCH_MM = 24.0
BOARD_ORIGIN_MM = (2.0, 1.0)
BOARD_ROWS_COLS = (3, 4)
CUTOUT_MM = 14.0
END_INK: Rgb = (250, 246, 238)  # the End tile is dark in every style


@dataclass(frozen=True, slots=True)
class TileFacts:
    """What a tile shows. `symbol` counts from 0 within the theme; `requires` names themes, repeats allowed."""

    id: str
    theme: str
    symbol: int
    vp: int
    cubes: int
    requires: tuple[str, ...] = ()
    start: bool = False
    min34: bool = False
    alternative: bool = False


def _sheet(ground: Rgb) -> Sheet:
    """A tile in the making, drawn on in fractions of its side."""
    return Sheet((1.0, 1.0), WORK_PX, ground)


def draw_tile(tile: TileFacts, style: Style, side_px: int = WORK_PX) -> Picture:
    """The face of a tile, upright: (side_px, side_px, 3) uint8 BGR. Raises KeyError for a theme the style lacks."""
    ground = style.ground[tile.theme]
    sheet = _sheet(ground)
    _motif(sheet, tile, style)
    if tile.theme == "end":
        _end(sheet, tile, style)
    else:
        shapes = style.symbols[tile.theme]
        sheet.shape(shapes[tile.symbol % len(shapes)], style.places.symbol_xy, style.symbol_size, style.ink, ground)
    _badge(sheet, tile, style)
    _cube_icons(sheet, tile.cubes, style)
    _requirements(sheet, tile.requires, style)
    if tile.start:
        sheet.text("S", style.places.start_xy, 0.075, style.ink, font=style.font, weight=style.font_weight)
    if tile.min34:
        sheet.text("3/4", style.places.late_xy, 0.07, style.ink, font=style.font, weight=style.font_weight)
    _border(sheet, style)
    return np.asarray(cv2.resize(sheet.pixels, (side_px, side_px), interpolation=cv2.INTER_AREA))


def _motif(sheet: Sheet, tile: TileFacts, style: Style) -> None:
    """The faint pattern behind everything; it depends on theme and symbol only, so equal faces stay equal."""
    rng = np.random.default_rng([tile.symbol, len(tile.theme), ord(tile.theme[0])])
    if style.motif is Motif.RAYS:
        turns = np.linspace(0, 2 * np.pi, 13)[:-1] + rng.uniform(0, 0.5)
        shapes = [
            np.array(
                [[0.5, 0.57], [0.5 + np.cos(t), 0.57 + np.sin(t)], [0.5 + np.cos(t + 0.2), 0.57 + np.sin(t + 0.2)]]
            )
            for t in turns
        ]
    elif style.motif is Motif.STRIPES:
        shapes = [np.array([[x, 0], [x + 0.06, 0], [x - 0.34, 1], [x - 0.4, 1.0]]) for x in np.arange(0, 1.5, 0.14)]
    elif style.motif is Motif.DOTS:
        shapes = [disc(x, y, rng.uniform(0.01, 0.035)) for x, y in rng.uniform(0.05, 0.95, (26, 2))]
    elif style.motif is Motif.RINGS:
        shapes = [
            np.concatenate([disc(x, y, r), disc(x, y, r * 0.86)[::-1]])
            for x, y, r in rng.uniform([0, 0, 0.1], [1, 1, 0.3], (7, 3))
        ]
    else:
        return
    sheet.blend(shapes, (255, 255, 255), 0.12)


def _end(sheet: Sheet, tile: TileFacts, style: Style) -> None:
    """The End tile: its word; the alternative one carries a ring around it."""
    if tile.alternative:
        sheet.fill(disc(*style.places.symbol_xy, 0.31), END_INK)
        sheet.fill(disc(*style.places.symbol_xy, 0.28), style.ground["end"])
    sheet.text("END", style.places.symbol_xy, 0.15, END_INK, font=style.font, weight=style.font_weight)


def _badge(sheet: Sheet, tile: TileFacts, style: Style) -> None:
    outlines = {
        Badge.STAR: star(5, 0.62, 1.12),
        Badge.DISC: disc(0, 0, 0.85),
        Badge.HEXAGON: star(3, 0.95, 0.95),
        Badge.SCALLOP: rosette(9, 0.1),
    }
    outline = outlines[style.badge] * style.badge_size + style.badge_xy
    centre = np.array(style.badge_xy)
    sheet.fill(centre + (outline - centre) * 1.09, style.badge_text)
    sheet.fill(outline, style.badge_fill)
    height = style.badge_size * 0.72
    sheet.text(str(tile.vp), style.badge_xy, height, style.badge_text, font=style.font, weight=style.font_weight)


def _line(count: int, size: float, xy: tuple[float, float], *, in_row: bool) -> list[tuple[float, float]]:
    """Middles of `count` icons of `size`, around `xy`."""
    steps = (np.arange(count) - (count - 1) / 2) * size * 1.3
    return [(xy[0] + float(d), xy[1]) if in_row else (xy[0], xy[1] + float(d)) for d in steps]


def _cube_icons(sheet: Sheet, count: int, style: Style) -> None:
    half, places = style.icon_size / 2, style.places
    for middle in _line(count, style.icon_size, places.cubes_xy, in_row=places.cubes_in_row):
        icon = disc(0, 0, 1) if style.cube_icon_round else star(2, 1.0, 1.0, np.pi / 4) * 1.3
        sheet.fill(icon * (half + 0.009) + middle, (30, 30, 34))
        sheet.fill(icon * half + middle, style.cube_icon)


def _requirements(sheet: Sheet, themes: tuple[str, ...], style: Style) -> None:
    half, places = style.icon_size / 2, style.places
    middles = _line(len(themes), style.icon_size, places.requires_xy, in_row=places.requires_in_row)
    for middle, theme in zip(middles, themes, strict=True):
        icon = disc(0, 0, 1) if style.require_round else star(2, 1.1, 1.1)
        sheet.fill(icon * (half + 0.012) + middle, (250, 250, 250))
        sheet.fill(icon * half + middle, style.require_colour(theme))


def _border(sheet: Sheet, style: Style) -> None:
    """A frame with rounded inner corners, over all else; none when the style prints to the edge."""
    if style.border <= 0:
        return
    inner = np.zeros((WORK_PX, WORK_PX), np.uint8)
    inset, radius = round(style.border * WORK_PX), round(style.corner_radius * WORK_PX)
    low, high = inset + radius, WORK_PX - inset - radius
    cv2.rectangle(inner, (low, inset), (high, WORK_PX - inset), 255, -1)
    cv2.rectangle(inner, (inset, low), (WORK_PX - inset, high), 255, -1)
    for x in (low, high):
        for y in (low, high):
            cv2.circle(inner, (x, y), radius, 255, -1, cv2.LINE_AA)
    framed = inner < 255
    share = inner[framed, None].astype(np.float32) / 255
    frame = np.array(style.border_colour[::-1], np.float32)
    sheet.pixels[framed] = (sheet.pixels[framed] * share + frame * (1 - share) + 0.5).astype(np.uint8)


def draw_board(px_per_mm: float = 8.0, ground: Rgb = (226, 222, 206), cutout: Rgb = (104, 100, 94)) -> Picture:
    """A player board with its 3 x 4 cut-outs shown dark and the red corner at the top left: BGR at `px_per_mm`."""
    width, height = (round(side * px_per_mm) for side in BOARD_MM)
    board: Picture = np.full((height, width, 3), ground[::-1], np.uint8)
    corner = np.array([[0, 0], [13, 0], [0, 13]]) * px_per_mm
    cv2.fillPoly(board, [np.round(corner * 16).astype(np.int32)], (44, 30, 170), cv2.LINE_AA, _SHIFT)
    for row in range(BOARD_ROWS_COLS[0]):
        for col in range(BOARD_ROWS_COLS[1]):
            x, y = cutout_centre_mm(row, col)
            low = np.array([x + BOARD_MM[0] / 2, y + BOARD_MM[1] / 2]) - CUTOUT_MM / 2
            first, last = np.round(low * px_per_mm).astype(int), np.round((low + CUTOUT_MM) * px_per_mm).astype(int)
            cv2.rectangle(board, first.tolist(), last.tolist(), cutout[::-1], -1)
    return board


def cutout_centre_mm(row: int, col: int) -> tuple[float, float]:
    """Centre of a cut-out from the board's middle, mm, x right and y down with the red corner at the top left."""
    rows, cols = BOARD_ROWS_COLS
    x = (col - (cols - 1) / 2) * BOARD_PITCH_MM + BOARD_ORIGIN_MM[0]
    y = (row - (rows - 1) / 2) * BOARD_PITCH_MM + BOARD_ORIGIN_MM[1]
    return x, y


def draw_corner_card(side_px: int = 440) -> Picture:
    """The red corner card, plain with a slightly darker rim: BGR."""
    card: Picture = np.full((side_px, side_px, 3), (46, 30, 172), np.uint8)
    cv2.rectangle(card, (0, 0), (side_px - 1, side_px - 1), (38, 24, 150), max(1, side_px // 40))
    return card


def draw_card(
    symbols: list[tuple[str, int]], points: int, style: Style, size_mm: tuple[float, float], px_per_mm: float
) -> Picture:
    """An Equilibrium card: its points and its symbols (theme, number from 0), each on a patch of its theme's colour."""
    sheet = _sheet(style.border_colour)
    size = 0.72 / max(3, len(symbols))
    for k, (theme, symbol) in enumerate(symbols):
        middle = (0.5, 0.63 + (k - (len(symbols) - 1) / 2) * size)
        patch = star(2, 1.0, 1.0, np.pi / 4) * (size * 0.66, size * 0.66)
        sheet.fill(patch * (0.95, 0.95) + middle, style.ground[theme])
        sheet.shape(style.symbols[theme][symbol], middle, size * 0.34, style.ink, style.ground[theme])
    sheet.fill(star(5, 0.62, 1.12) * 0.12 + (0.5, 0.13), style.badge_fill)
    sheet.text(str(points), (0.5, 0.13), 0.09, style.badge_text, font=style.font, weight=style.font_weight)
    width, height = (round(side * px_per_mm) for side in size_mm)
    side = max(width, height)
    square = cv2.resize(sheet.pixels, (side, side), interpolation=cv2.INTER_AREA)
    left, top = (side - width) // 2, (side - height) // 2
    return np.ascontiguousarray(square[top : top + height, left : left + width])
