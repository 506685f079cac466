"""Rendered pictures of a growing map of Rifts of N'Norya with their truth: location tiles, mages and tokens on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.rifts_edition.art import SPACE_MM, draw_space
from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import SeatInfo, Setup
from companion.games.rifts import GAME
from companion.games.rifts.board import LOCATION
from companion.games.rifts.edition.catalogue import Catalogue, Tile, load_catalogue
from companion.games.rifts.edition.hexes import (
    HEX_SIDE_MM,
    TILE_THICKNESS_MM,
    TURNS,
    Axial,
    corners_mm,
    middle_mm,
    turned,
)
from companion.games.rifts.edition.world import AFFINITIES
from companion.lab.render.camera import Camera
from companion.lab.render.edition import CUBE_PALETTE
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.lights import LIGHTS
from companion.lab.render.pieces import Slab, rectangle, regular
from companion.lab.render.pieces import turned as turned_mm
from companion.lab.render.surfaces import TABLES
from companion.lab.scenes.envyra_pictures import Sizes
from companion.lab.scenes.profile import PLAIN, Profile, Room, make_room, take

Floats = NDArray[np.float64]
Truth = dict[str, Any]

REACH_MM = (168.0, 118.0)  # spaces whose middles lie within this are clear of the markers
WIDE_MM = (218.0, 168.0)  # within this all of a space is in view; REACH_MM one way keeps it clear of the markers
MOST_TILES = 7
MOST_TILES_WIDE = 20
MOST_TRIES = 1000  # to lay a map of just so many tiles: one in a few tries has room for the most
TOKEN_MM, MAGE_MM, MAGE_HIGH_MM = 17.0, 12.0, 16.0
NEIGHBOURS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@dataclass(slots=True)
class LaidMap:
    """Tiles on the map by first space, with their turns; which space each space of the map shows; small offsets."""

    tiles: dict[Axial, tuple[Tile, int]] = field(default_factory=dict)
    taken: dict[Axial, tuple[Axial, int]] = field(default_factory=dict)  # space -> first space, number in the tile
    offsets: dict[Axial, tuple[Floats, float]] = field(default_factory=dict)  # first space -> mm, degrees


@dataclass(frozen=True, slots=True, eq=False)
class MapEdition:
    """An edition of the map's tiles. `paint`: the picture of a space (tile, number), uint8 BGR, 8 px/mm."""

    catalogue: Catalogue
    paint: Callable[[Tile, int], NDArray[np.uint8]]


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The sample edition."""
    return load_catalogue("sample")


@lru_cache(maxsize=1)
def all_tiles() -> tuple[Tile, ...]:
    """The starting tile and every location tile."""
    return (catalogue().start, *catalogue().tiles)


@lru_cache(maxsize=128)
def space_art(name: str, number: int) -> NDArray[np.uint8]:
    """The picture of a space, 8 px/mm BGR."""
    return draw_space(next(t for t in all_tiles() if t.id == name), number, 8.0)


def sample_map() -> MapEdition:
    """The sample edition as it is printed."""
    return MapEdition(catalogue(), lambda tile, number: space_art(tile.id, number))


@lru_cache(maxsize=1)
def map_layout() -> TableLayout:
    """The spaces of the map as the rules lay them, without the cards and corners beside them."""
    colours = list(AFFINITIES)
    seats = tuple(SeatInfo(f"player {k + 1}", colours[k]) for k in range(2))
    layout = GAME.make_rules(Setup(GAME.name, seats, catalogue().id), catalogue()).layout()
    spaces = tuple(o for o in layout.slots if o.holds == LOCATION and o.slot != "drawn")
    return TableLayout(spaces, layout.face_thickness_mm, layout.piece_height_mm)


@lru_cache(maxsize=1)
def _middles_mm() -> Floats:
    """The middles (n, 2) of the spaces of `map_layout`."""
    return np.array([np.mean(o.corners_mm, axis=0) for o in map_layout().slots])


def slot_of(at: Axial) -> SlotOutline:
    """The slot over a space."""
    off_mm = np.linalg.norm(_middles_mm() - middle_mm(at, HEX_SIDE_MM), axis=1)
    return map_layout().slots[int(off_mm.argmin())]


def lay_map(
    rng: np.random.Generator, count: int, edition: MapEdition | None = None, *, wide: bool = False
) -> LaidMap:
    """The starting tile and `count` others, each beside what lies there (N10), in any turn, clear of the markers.

    Without `wide` no farther out than the markers' inner corners, where some 13 tiles have room.
    """
    laid, known = LaidMap(), (edition or sample_map()).catalogue
    _lay(laid, known.start, (0, 0), 0, rng)
    reach = (8, 6) if wide else (5, 4)
    free = [(q, r) for q in range(-reach[0], reach[0] + 1) for r in range(-reach[1], reach[1] + 1)]
    for tile in rng.permutation(np.array(known.tiles, object))[:count]:
        for k in rng.permutation(len(free)):
            turn = int(rng.integers(TURNS))
            spaces = [_add(free[k], turned(space.at, turn)) for space in tile.spaces]
            inside = all(_has_room(middle_mm(s, HEX_SIDE_MM), wide) for s in spaces)
            beside = sum(_add(s, d) in laid.taken for s in spaces for d in NEIGHBOURS) >= 2
            if inside and beside and not any(s in laid.taken for s in spaces):
                _lay(laid, tile, free[k], turn, rng)
                break
    return laid


def lay_wide_map(rng: np.random.Generator, tiles: int, edition: MapEdition | None = None) -> LaidMap:
    """A map of exactly `tiles` tiles, up to MOST_TILES_WIDE, laid anew when the last ones find no room."""
    for _ in range(MOST_TRIES):
        laid = lay_map(rng, tiles - 1, edition, wide=True)
        if len(laid.tiles) == tiles:
            return laid
    raise RuntimeError(f"{tiles} tiles found no room on a map in {MOST_TRIES} tries")


def _has_room(middle: tuple[float, float] | Floats, wide: bool) -> bool:
    """Whether a space with this middle (2,) mm is in view and clear of the markers."""
    within = np.abs(middle) <= REACH_MM
    return bool((np.abs(middle) <= WIDE_MM).all() and within.any()) if wide else bool(within.all())


def _add(a: Axial, b: Axial) -> Axial:
    return a[0] + b[0], a[1] + b[1]


def _lay(laid: LaidMap, tile: Tile, at: Axial, turn: int, rng: np.random.Generator) -> None:
    laid.tiles[at] = (tile, turn)
    laid.offsets[at] = (rng.normal(0, 0.9, 2), float(rng.normal(0, 1.2)))
    for number, space in enumerate(tile.spaces):
        laid.taken[_add(at, turned(space.at, turn))] = (at, number)


def tile_slabs(tile: Tile, degrees: float, where: Floats, edition: MapEdition) -> list[Slab]:
    """A tile, space by space; the middle of its first space comes to lie at `where` (2,) mm."""
    out = []
    for number, space in enumerate(tile.spaces):
        hexagon = np.array(corners_mm(space.at, HEX_SIDE_MM))
        frame = rectangle(*SPACE_MM, np.array(middle_mm(space.at, HEX_SIDE_MM)))
        out.append(
            Slab(
                turned_mm(hexagon, degrees, where), 0.0, TILE_THICKNESS_MM, edition.paint(tile, number),
                (150, 172, 184), turned_mm(frame, degrees, where), layer=1,
            )
        )  # fmt: skip
    return out


def slabs_of(
    laid: LaidMap, rng: np.random.Generator, edition: MapEdition | None = None, *, pieces: bool = True
) -> list[Slab]:
    """Tiles space by space and, with `pieces`, tokens on some icons and mages on some spaces."""
    slabs = []
    for at, (tile, turn) in laid.tiles.items():
        off, askew = laid.offsets[at]
        pivot = np.array(middle_mm(at, HEX_SIDE_MM))
        degrees, where = 60.0 * turn + askew, pivot + off
        printed = tile_slabs(tile, degrees, where, edition or sample_map())
        for slab, space in zip(printed, tile.spaces, strict=True):
            slabs.append(slab)
            if not pieces:
                continue
            middle = np.array(middle_mm(space.at, HEX_SIDE_MM))
            spot = turned_mm(middle[None], degrees, where)[0]
            if (space.enemy or space.rift) and rng.random() < 0.5:
                red, green, blue = (176, 36, 40) if space.enemy else (150, 60, 170)
                outline = regular(24, TOKEN_MM / 2, spot + rng.normal(0, 5, 2))
                slabs.append(Slab(outline, TILE_THICKNESS_MM, 4.0, (blue, green, red), (60, 60, 60), None, layer=2))
            elif rng.random() < 0.06:
                red, green, blue = CUBE_PALETTE[str(rng.choice(list(AFFINITIES)))]
                outline = regular(24, MAGE_MM / 2, spot + rng.normal(0, 6, 2))
                top = TILE_THICKNESS_MM + MAGE_HIGH_MM
                slabs.append(Slab(outline, TILE_THICKNESS_MM, top, (blue, green, red), (blue, green, red), layer=3))
    return slabs


def table_picture(
    seed: int, number: int, sizes: Sizes, edition: MapEdition | None = None
) -> tuple[bytes, Truth, Truth]:
    """Picture, truth and job number `number`: the starting tile with up to MOST_TILES others."""
    rng = np.random.default_rng([seed, 90, number])
    laid = lay_map(rng, int(rng.integers(0, MOST_TILES + 1)), edition)
    room = make_room(
        rng, sizes[number % len(sizes)], TABLES[number % 5], LIGHTS[number // 5 % 4], markers_extent_mm(),
        slack=(1.02, 1.22),
    )  # fmt: skip
    jpeg, _ = take(room, [*slabs_of(laid, rng, edition), *marker_slabs(rng)], rng)
    return jpeg, _truth(laid, room, wide=False), {"kind": "table", "players": 2}


def wide_picture(
    seed: int, number: int, sizes: Sizes, tiles: int, profile: Profile = PLAIN, *, pieces: bool = True
) -> tuple[bytes, Truth, Truth]:
    """Picture, truth and job number `number`: a map of exactly `tiles` tiles in a room of the profile."""
    rng = np.random.default_rng([seed, 92, number])
    laid = lay_wide_map(rng, tiles)
    for off, _ in laid.offsets.values():
        off *= profile.untidiness
    room = profile.room(
        rng, sizes[number % len(sizes)], TABLES[number % 5], LIGHTS[number // 5 % 4], markers_extent_mm(),
        slack=(1.02, 1.22),
    )  # fmt: skip
    worn = MapEdition(catalogue(), lambda tile, k: profile.face(f"{tile.id}-{k}", space_art(tile.id, k)))
    slabs = [*slabs_of(laid, rng, worn, pieces=pieces), *marker_slabs(rng)]
    clear = [np.array(corners_mm(at, HEX_SIDE_MM)) for at in laid.taken]
    rgb = {colour: CUBE_PALETTE[colour] for colour in AFFINITIES}
    jpeg, _ = take(room, [*slabs, *profile.beside(rng, rgb, room, clear)], rng)
    return jpeg, _truth(laid, room, wide=True), {"kind": "table", "players": 2}


def _truth(laid: LaidMap, room: Room, *, wide: bool) -> Truth:
    """Of the spaces that can hold a tile in these pictures: the others lie under or beyond the markers."""
    asked = (o for o in map_layout().slots if _has_room(np.mean(o.corners_mm, axis=0), wide))
    return {
        "kind": "table", "game": "rifts", "edition": "sample", "players": 2, "markers": True, "hand": False,
        "camera": room.camera.as_truth(), "slots": [_slot_truth(outline, laid, room.camera) for outline in asked],
        "conditions": {"table": room.table, "light": room.light.name, "view": "map"},
    }  # fmt: skip


def _slot_truth(outline: SlotOutline, laid: LaidMap, camera: Camera) -> Truth:
    for at, (tile, turn) in laid.tiles.items():
        if slot_of(at).slot == outline.slot:
            corners = np.column_stack([np.array(outline.corners_mm), np.full(6, -TILE_THICKNESS_MM)])
            return {
                "slot": outline.slot, "holds": LOCATION, "face": tile.id, "turn": turn,
                "corners_px": np.round(camera.project(corners), 1)[[0, 2, 3, 5]].tolist(),
            }  # fmt: skip
    return {"slot": outline.slot, "holds": LOCATION, "face": None}
