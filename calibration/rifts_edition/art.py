"""Draws the spaces of location tiles: terrain, icons, what a village buys, and a pattern of the tile's own."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import sqrt

import cv2
import numpy as np

from calibration.drawing import Picture, Rgb, Sheet
from calibration.shapes import (
    Shape,
    band,
    conifer,
    crown,
    disc,
    flame,
    invented,
    leaf,
    rosette,
    shell,
    star,
    sun,
    volcano,
    waves,
)
from companion.games.rifts.edition.catalogue import Catalogue, Space, Tile
from companion.games.rifts.edition.hexes import HEX_SIDE_MM, corners_mm, middle_mm
from companion.games.rifts.edition.world import Element, Terrain

SPACE_MM = (HEX_SIDE_MM * sqrt(3), 2 * HEX_SIDE_MM)
"""Width and height of a space, points up."""

PX_PER_MM = 10.0  # as drawn
INK: Rgb = (28, 26, 34)
PAPER: Rgb = (246, 240, 226)
GROUND: Mapping[Terrain, Rgb] = {
    Terrain.IMPERIUM: (120, 104, 128),
    Terrain.MOUNTAIN: (142, 142, 150),
    Terrain.FOREST: (70, 120, 66),
    Terrain.DESERT: (206, 170, 96),
    Terrain.VILLAGE: (84, 120, 176),
    Terrain.RIVER: (70, 150, 170),
}
_SYMBOLS: Mapping[Terrain, Shape] = {
    Terrain.IMPERIUM: crown(),
    Terrain.MOUNTAIN: volcano(),
    Terrain.FOREST: conifer(),
    Terrain.DESERT: sun(),
    Terrain.VILLAGE: shell(),
    Terrain.RIVER: waves(),
}
_ELEMENTS: Mapping[Element, Shape] = {Element.FIRE: flame(), Element.EARTH: leaf(), Element.AIR: waves()}
ENEMY: Rgb = (176, 36, 40)
RIFT: Rgb = (150, 60, 170)
PATTERN_SHAPES = 7
PATTERN_SHARE = 0.22


def draw_space(tile: Tile, number: int, px_per_mm: float = PX_PER_MM) -> Picture:
    """A space of a tile with the tile upright: the rectangle SPACE_MM around the hexagon at `px_per_mm`, uint8 BGR.

    What lies outside of the hexagon is printed in the terrain's colour and cut away.
    """
    space = tile.spaces[number]
    width, height = SPACE_MM
    ground = GROUND[space.terrain]
    sheet = Sheet(SPACE_MM, PX_PER_MM, ground)
    _pattern(sheet, tile, number)
    middle = (width / 2, height / 2)
    sheet.shape(_SYMBOLS[space.terrain], (middle[0], middle[1] - 3.0), 9.5, PAPER, ground)
    _icons(sheet, space, middle)
    edge = np.array([[0.0, 0.25], [0.5, 0.0], [1.0, 0.25], [1.0, 0.75], [0.5, 1.0], [0.0, 0.75], [0.0, 0.25]])
    for a, b in pairwise(edge):
        sheet.fill(band(np.linspace(a, b, 5) * SPACE_MM, 0.7), PAPER)
    size = (round(width * px_per_mm), round(height * px_per_mm))
    return np.asarray(cv2.resize(sheet.pixels, size, interpolation=cv2.INTER_AREA))


def _pattern(sheet: Sheet, tile: Tile, number: int) -> None:
    """Faint shapes that no other tile has: a painter's landscape is never the same twice."""
    rng = np.random.default_rng([zlib.crc32(repr(tile.look).encode()), number])
    for kind in rng.integers(0, 4, PATTERN_SHAPES):
        xy, size = rng.uniform((4, 4), np.array(SPACE_MM) - 4), rng.uniform(3.0, 8.0)
        tone = (255, 255, 255) if rng.random() < 0.5 else (0, 0, 0)
        sheet.blend([layer.points * size + xy for layer in invented(rng, int(kind))], tone, PATTERN_SHARE)


def _icons(sheet: Sheet, space: Space, middle: tuple[float, float]) -> None:
    x, y = middle
    if space.enemy:
        sheet.fill(disc(x - 11.0, y + 9.0, 4.4), INK)
        sheet.fill(star(6, 0.5) * 4.0 + (x - 11.0, y + 9.0), ENEMY)
    if space.rift:
        sheet.fill(disc(x + 11.0, y + 9.0, 4.6), INK)
        sheet.fill(rosette(7, 0.25) * 4.2 + (x + 11.0, y + 9.0), RIFT)
    if space.sells is not None:
        sheet.shape(_ELEMENTS[space.sells], (x - 4.0, y + 13.5), 4.0, INK, GROUND[space.terrain])
        sheet.text(str(space.gold), (x + 5.0, y + 13.5), 5.0, PAPER)


def tile_size_mm(tile: Tile) -> tuple[float, float]:
    """Width and height of an upright tile's bounding rectangle."""
    low, high = _bounds_mm(tile)
    width, height = high - low
    return float(width), float(height)


def draw_tile(
    tile: Tile, px_per_mm: float = PX_PER_MM, draw: Callable[[Tile, int, float], Picture] = draw_space
) -> Picture:
    """An upright tile in its bounding rectangle at `px_per_mm`, white around it: (H, W, 3) uint8 BGR. `draw`: another
    edition's spaces."""
    low, high = _bounds_mm(tile)
    width, height = np.ceil((high - low) * px_per_mm).astype(int)
    sheet: Picture = np.full((height, width, 3), 255, np.uint8)
    for number, space in enumerate(tile.spaces):
        art = draw(tile, number, px_per_mm)
        corners = (np.array(corners_mm(space.at, HEX_SIDE_MM)) - low) * px_per_mm
        left, top = np.round((np.array(middle_mm(space.at, HEX_SIDE_MM)) - low) * px_per_mm).astype(int) - (
            art.shape[1] // 2,
            art.shape[0] // 2,
        )
        rows, columns = slice(max(0, top), top + art.shape[0]), slice(max(0, left), left + art.shape[1])
        mask = np.zeros(sheet.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
        here = sheet[rows, columns]
        art = art[max(0, -top) :, max(0, -left) :][: here.shape[0], : here.shape[1]]
        cv2.copyTo(art, mask[rows, columns][: art.shape[0], : art.shape[1]], here[: art.shape[0], : art.shape[1]])
    return sheet


def tile_faces(catalogue: Catalogue, px_per_mm: float = PX_PER_MM) -> dict[str, Picture]:
    """Every tile by its id, as `draw_tile` draws it."""
    return {tile.id: draw_tile(tile, px_per_mm) for tile in (catalogue.start, *catalogue.tiles)}


def _bounds_mm(tile: Tile) -> tuple[np.ndarray, np.ndarray]:
    corners = np.concatenate([np.array(corners_mm(space.at, HEX_SIDE_MM)) for space in tile.spaces])
    return corners.min(0), corners.max(0)
