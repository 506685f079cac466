"""Drawn faces for tests of the recogniser: a few tiles of a made-up edition, and cards that differ in little."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from calibration.sample_edition.art import draw_tile
from calibration.sample_edition.box import sample_tiles
from calibration.sample_edition.style import made_up_style


@lru_cache(maxsize=4)
def drawn_tiles(seed: int, count: int = 16, side_px: int = 160, every: int = 1) -> dict[str, np.ndarray]:
    """Tile id -> picture, of the made-up edition `seed`; tiles that look the same are left out.

    `every`: of the first `count` only each so many-th is drawn.
    """
    style = made_up_style(seed)
    looks: dict[tuple[object, ...], str] = {}
    for tile in sample_tiles():
        looks.setdefault((tile.theme, tile.symbol, tile.vp, tile.cubes, tile.requires, tile.start, tile.min34), tile.id)
    chosen = list(looks.values())[:count:every]
    return {t.id: draw_tile(t, style, side_px) for t in sample_tiles() if t.id in chosen}


def card(shapes: int, colour: tuple[int, int, int], filled: bool, wh: tuple[int, int] = (120, 186)) -> np.ndarray:
    """A pale card with `shapes` lozenges in a colour (BGR), filled or in outline."""
    sheet = np.full((wh[1], wh[0], 3), (226, 230, 232), np.uint8)
    for k in range(shapes):
        middle = np.array([wh[0] / 2, wh[1] / 2 + (k - (shapes - 1) / 2) * 48])
        corners = middle + np.array([[-42, 0], [0, -18], [42, 0], [0, 18]])
        points = np.round(corners).astype(np.int32)
        if filled:
            cv2.fillPoly(sheet, [points], colour, cv2.LINE_AA)
        cv2.polylines(sheet, [points], True, colour, 3, cv2.LINE_AA)
    return sheet


def wooden(colour: tuple[int, int, int], kind: int, side_px: int = 128) -> np.ndarray:
    """A dark wooden piece with a coloured mark: a disc (kind 0), a square (1) or a cross (2)."""
    grain = np.linspace(0, 18, side_px, dtype=np.float32)[None, :, None]
    piece = (np.full((side_px, side_px, 3), (34, 38, 44), np.float32) + grain).astype(np.uint8)
    middle, reach = side_px // 2, side_px // 4
    if kind == 0:
        cv2.circle(piece, (middle, middle), reach, colour, -1, cv2.LINE_AA)
    elif kind == 1:
        cv2.rectangle(piece, (middle - reach, middle - reach), (middle + reach, middle + reach), colour, -1)
    else:
        for dx, dy in ((reach, reach // 3), (reach // 3, reach)):
            cv2.rectangle(piece, (middle - dx, middle - dy), (middle + dx, middle + dy), colour, -1)
    return piece
