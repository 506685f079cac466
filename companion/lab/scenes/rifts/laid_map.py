"""Editions of the map's tiles with other art, and rendered pictures of their tiles laid out to be learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb, Sheet
from calibration.rifts_edition.art import SPACE_MM
from calibration.shapes import Shape, band, disc, invented, rosette, star
from companion.core.piece_outline import PieceOutline, hexagons_outline
from companion.games.rifts.board import PIECE_HEIGHT_MM, PIECE_WIDTH_MM
from companion.games.rifts.edition.catalogue import Tile, load_catalogue
from companion.games.rifts.edition.hexes import HEX_SIDE_MM, middle_mm
from companion.games.rifts.edition.world import RESOURCES, Terrain
from companion.lab.films.map_film import PIECE_RGB
from companion.lab.render.camera import Camera
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.pieces import Slab, regular, turned
from companion.lab.scenes.profile import Room, make_room, take
from companion.lab.scenes.rifts.pictures import MapEdition, catalogue, tile_slabs

Floats = NDArray[np.float64]

PX_PER_MM = 8.0
GROUNDS: dict[Terrain, tuple[float, float, float]] = {
    Terrain.IMPERIUM: (285, 0.30, 0.55), Terrain.MOUNTAIN: (220, 0.04, 0.80), Terrain.FOREST: (120, 0.50, 0.48),
    Terrain.DESERT: (46, 0.55, 0.86), Terrain.VILLAGE: (216, 0.52, 0.66), Terrain.RIVER: (186, 0.42, 0.74),
}
"""Hue (degrees), saturation and value about which an edition's grounds are: the rulebook names their colours (N13)."""
ENEMY_PLACES = ((-11.0, 9.0), (11.0, 7.0), (0.0, -15.0))
RIFT_PLACES = ((11.0, 9.0), (-12.0, -5.0), (-11.0, 8.0))
"""Middles of the icons from the middle of a space, mm: an edition has one place of each line."""
BORDERS_MM = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class TileArt:
    """How an edition prints its tiles: all of it drawn from `seed`."""

    seed: int
    grounds: dict[Terrain, Rgb]
    symbols: dict[Terrain, Shape]
    icons: tuple[tuple[float, float], tuple[float, float]]
    border_mm: float
    paper: Rgb

    @classmethod
    def made_up(cls, seed: int) -> TileArt:
        """The art of a made-up edition."""
        rng = np.random.default_rng([seed, 801])
        grounds = {
            terrain: _rgb(hue + rng.uniform(-8, 8), sat * rng.uniform(0.8, 1.15), value * rng.uniform(0.88, 1.1))
            for terrain, (hue, sat, value) in GROUNDS.items()
        }
        symbols = {terrain: invented(rng, k % 4) for k, terrain in enumerate(rng.permutation(np.array(list(Terrain))))}
        layout = seed % len(ENEMY_PLACES)
        return cls(seed, grounds, symbols, (ENEMY_PLACES[layout], RIFT_PLACES[layout]), BORDERS_MM[seed % 3],
                   (244, 240, 232) if seed % 2 else (32, 30, 36))

    def space(self, tile: Tile, number: int) -> NDArray[np.uint8]:
        """The rectangle around a space, 8 px/mm."""
        space = tile.spaces[number]
        ground = self.grounds[space.terrain]
        sheet = Sheet(SPACE_MM, PX_PER_MM, ground)
        rng = np.random.default_rng([self.seed, *map(ord, tile.id), number])
        for kind in rng.integers(0, 4, 9):  # a landscape of the tile's own
            xy, size = rng.uniform((2, 2), np.array(SPACE_MM) - 2), rng.uniform(3.0, 9.0)
            tone = (255, 255, 255) if rng.random() < 0.5 else (0, 0, 0)
            sheet.blend([layer.points * size + xy for layer in invented(rng, int(kind))], tone, 0.16)
        x, y = np.array(SPACE_MM) / 2
        sheet.shape(self.symbols[space.terrain], (x, y - 1.0), 8.0, self.paper, ground)
        (ex, ey), (rx, ry) = self.icons
        if space.enemy:
            sheet.fill(disc(x + ex, y + ey, 4.4), (24, 24, 28))
            sheet.fill(star(5, 0.45) * 4.0 + (x + ex, y + ey), (214, 48, 40))
        if space.rift:
            sheet.fill(disc(x + rx, y + ry, 4.6), (236, 226, 246))
            sheet.fill(rosette(6, 0.3) * 3.9 + (x + rx, y + ry), (120, 30, 150))
        if space.sells is not None:
            colour = ((220, 90, 30), (50, 130, 60), (240, 240, 245))[RESOURCES.index(space.sells)]
            sheet.fill(disc(x - 5.0, y + 14.0, 3.4), colour)
            sheet.text(str(space.gold), (x + 5.0, y + 14.0), 5.0, self.paper)
        if self.border_mm:
            edge = np.array([[0.0, 0.25], [0.5, 0.0], [1.0, 0.25], [1.0, 0.75], [0.5, 1.0], [0.0, 0.75], [0.0, 0.25]])
            for a, b in pairwise(edge):
                sheet.fill(band(np.linspace(a, b, 5) * SPACE_MM, self.border_mm), self.paper)
        return sheet.pixels


def _rgb(hue: float, saturation: float, value: float) -> Rgb:
    hsv = np.array([[[hue % 360, min(saturation, 1.0), min(value, 1.0)]]], np.float32)
    red, green, blue = np.round(255 * cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]).astype(int).tolist()
    return red, green, blue


def made_up_map(seed: int) -> MapEdition:
    """An edition with other tiles and other art; spells, prices and temples are those of the sample edition."""
    rng = np.random.default_rng([seed, 802])
    tiles = catalogue().tiles
    spaces = [space for tile in tiles for space in tile.spaces]
    order = iter(rng.permutation(len(spaces)).tolist())
    text = []
    for line in catalogue().text.splitlines():
        if line.startswith("spaces = ") and "imperium" not in line:
            words = []
            for cell in ("0,0", "1,0", "0,1"):
                space = spaces[next(order)]
                icons = " enemy" * space.enemy + " rift" * space.rift
                icons += f" sells={space.sells.value}:{space.gold}" if space.sells is not None else ""
                words.append(f'"{cell} {space.terrain.value}{icons}"')
            line = f"spaces = [{', '.join(words)}]"
        text.append(line.replace('id = "sample"', f'id = "made-up-{seed}"'))
    art = TileArt.made_up(seed)
    return MapEdition(load_catalogue("\n".join(text)), lru_cache(maxsize=128)(art.space))


def outline_of(tile: Tile) -> PieceOutline:
    """The outline of a tile."""
    return hexagons_outline([middle_mm(space.at, HEX_SIDE_MM) for space in tile.spaces], HEX_SIDE_MM, tile.id)


@dataclass(frozen=True, slots=True, eq=False)
class LaidTiles:
    """A JPEG of tiles laid out: tile id -> where the middle of the rectangle around it lies upright (table mm), its
    turn clockwise, and (N, 2) px of its outline, corner by corner as in `outline_of`."""

    jpeg: bytes
    camera: Camera
    places: dict[str, tuple[Floats, float, Floats]]


CELLS = tuple((x, y) for y in (-105.0, 0.0, 105.0) for x in (-110.0, 0.0, 110.0))
"""Nine places between the markers, mm: apart, however a tile is turned."""


def laid_out(
    edition: MapEdition, tiles: Sequence[Tile], seed: int, size: tuple[int, int], *, table: str, light: str
) -> LaidTiles:
    """A rendered picture of up to nine tiles laid out by a person, each at any turn."""
    rng = np.random.default_rng([seed, 803])
    room: Room = make_room(
        rng, size, table, light, markers_extent_mm(), tilt_deg=16, roll_deg=5, slack=(1.02, 1.08)
    )
    slabs, places = marker_slabs(rng), {}
    for tile, cell in zip(tiles, rng.permutation(np.array(CELLS))[: len(tiles)], strict=True):
        outline, degrees = outline_of(tile), float(rng.uniform(0, 360))
        middle = cell + rng.uniform(-4, 4, 2)
        centre = middle - turned(np.array([outline.middle_mm]), degrees, (0.0, 0.0))[0]
        first = turned(np.array([outline.parts_mm[0]]), degrees, centre)[0]
        slabs += tile_slabs(tile, degrees, first, edition)
        corners = turned(np.array(outline.corners_mm), degrees, centre)
        seen = room.camera.project(np.column_stack([corners, np.full(len(corners), -2.0)]))
        places[tile.id] = (centre, degrees, seen)
    jpeg, _ = take(room, slabs, rng)
    return LaidTiles(jpeg, room.camera, places)


COLUMN_MM, ROW_MM = 34.0, 30.0
"""Between the columns of tokens and between the pieces of one, mm."""


def laid_tokens(seed: int, size: tuple[int, int], names: Sequence[str], *, table: str, light: str) -> bytes:
    """A rendered JPEG of the mages or tokens `names` in columns of two, from left to right."""
    rng = np.random.default_rng([seed, 804])
    room = make_room(
        rng, size, table, light, markers_extent_mm(), tilt_deg=16, roll_deg=5, slack=(1.02, 1.08)
    )
    slabs = marker_slabs(rng)
    for column, name in enumerate(names):
        red, green, blue = PIECE_RGB[name]
        for row in (-0.5, 0.5):
            xy = np.array([(column - (len(names) - 1) / 2) * COLUMN_MM, row * ROW_MM]) + rng.normal(0, 1.0, 2)
            outline = regular(32, PIECE_WIDTH_MM / 2, xy)
            slabs.append(Slab(outline, 0.0, PIECE_HEIGHT_MM, (blue, green, red), (blue, green, red), layer=3))
    return take(room, slabs, rng)[0]
