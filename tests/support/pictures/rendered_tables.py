"""Small rendered tables, each as two pictures of one room: before and after an act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.lab.render.edition import sample_edition
from companion.lab.render.layout import TILE_THICKNESS_MM, cell_centre_mm, marker_slabs, markers_extent_mm, tile_slab
from companion.lab.render.pieces import Slab, regular
from companion.lab.scenes.profile import make_room, take
from companion.lab.scenes.rifts import pictures as rifts_pictures
from companion.lab.scenes.spyrium import pictures as spyrium_pictures
from companion.lab.scenes.spyrium import table_set as spyrium_set
from vision.appearance.picture_light import PieceColours
from vision.faces.learning import learn_faces
from vision.tables.table_reader import TableReader, TableReading

SIZE = (1280, 720)
PEG_WIDE_MM, PEG_HIGH_MM = 20.0, 6.0
PEG_RGB = {"red": (178, 34, 40), "blue": (36, 74, 160)}
Peg = tuple[str, int, int, float, float]


@dataclass(frozen=True, eq=False)
class Pair:
    """A table before and after an act; (H, W, 3) uint8 BGR each."""

    before: np.ndarray
    after: np.ndarray


def _pictures(seed: int, before: Sequence[Slab], after: Sequence[Slab]) -> Pair:
    rng = np.random.default_rng(seed)
    room = make_room(rng, SIZE, "felt", "window", markers_extent_mm(), slack=(1.02, 1.1))
    markers = marker_slabs(rng)
    shots = []
    for slabs in (before, after):
        jpeg, _ = take(room, [*slabs, *markers], rng)
        shots.append(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
        shots[-1].flags.writeable = False  # who draws on it copies it: others read the same
    return Pair(*shots)


def pegs_on_tiles(pegs: Sequence[Peg], seed: int = 4) -> np.ndarray:
    """A grid of 2 x 3 tiles with round pegs (colour, row, column, x and y mm from the tile's middle) on them."""
    edition = sample_edition()
    slabs = [
        tile_slab(edition, edition.tiles[k].id, cell_centre_mm(*divmod(k, 3), (2, 3)), 0.0) for k in range(6)
    ]
    for colour, row, col, x, y in pegs:
        red, green, blue = PEG_RGB[colour]
        foot = regular(32, PEG_WIDE_MM / 2, cell_centre_mm(row, col, (2, 3)) + np.array([x, y]))
        top = TILE_THICKNESS_MM + PEG_HIGH_MM
        slabs.append(Slab(foot, TILE_THICKNESS_MM, top, (blue, green, red), (blue, green, red), layer=2))
    return _pictures(seed, slabs, slabs).before


@cache
def market() -> Pair:
    """A market for two: then a card is taken, another is exchanged, and a worker has gone to another gap."""
    rng = np.random.default_rng(11)
    layout = spyrium_pictures.table_layout(2)
    laid = spyrium_pictures.Laid()
    spyrium_pictures.lay_market(laid, layout, 0.0, False, rng)
    gaps = [o.slot for o in layout.slots if o.holds == "gap"]
    middles = {o.slot: spyrium_pictures.middle_mm(o) for o in layout.slots}
    laid.workers = {gap: [(colour, middles[gap])] for gap, colour in zip(gaps[:4], ("red", "blue") * 2, strict=True)}
    before = spyrium_pictures.slabs_of(laid)
    cards = list(laid.cards)
    del laid.cards[cards[0]]
    face, other = laid.cards[cards[4]], laid.cards[cards[8]]
    laid.cards[cards[4]] = (other[0], *face[1:])
    laid.tokens.clear()
    laid.workers[gaps[7]] = laid.workers.pop(gaps[0])
    return _pictures(12, before, spyrium_pictures.slabs_of(laid))


@cache
def market_reader() -> TableReader:
    """A reader of that market with every card of the box and workers of red and blue: no reading changes it."""
    faces = spyrium_set.scans()
    book = learn_faces({face: [scan] for face, scan in faces.items()}, size_px=96)
    colours = PieceColours.from_rgb(spyrium_pictures.WORKER_RGB).only(("red", "blue"))
    return TableReader(spyrium_pictures.table_layout(2), book, faces, colours)


@cache
def market_before() -> TableReading:
    """What `market_reader` reads in the market before the act."""
    return market_reader().read(market().before)


def market_with(workers: Mapping[str, Sequence[tuple[str, float, float]]]) -> np.ndarray:
    """A market for two as in `market`, with these workers alone: gap -> (colour, x and y mm from the gap's middle)."""
    layout = spyrium_pictures.table_layout(2)
    laid = spyrium_pictures.Laid()
    spyrium_pictures.lay_market(laid, layout, 0.0, False, np.random.default_rng(11))
    laid.tokens.clear()
    middles = {o.slot: spyrium_pictures.middle_mm(o) for o in layout.slots}
    laid.workers = {
        gap: [(colour, middles[gap] + np.array([x, y])) for colour, x, y in here] for gap, here in workers.items()
    }
    slabs = spyrium_pictures.slabs_of(laid)
    return _pictures(12, slabs, slabs).before


@cache
def land() -> tuple[tuple[str, ...], Pair]:
    """A map of three tiles beside the starting one: the last of them comes, and another one goes. Names all tiles."""
    laid = rifts_pictures.lay_map(np.random.default_rng(3), 3)
    names = tuple(tile.id for tile, _ in laid.tiles.values())
    _, one, _, last = laid.tiles
    before, after = (
        rifts_pictures.slabs_of(
            rifts_pictures.LaidMap({at: tile for at, tile in laid.tiles.items() if at != gone}, {}, laid.offsets),
            np.random.default_rng(1),
        )
        for gone in (last, one)
    )
    return names, _pictures(6, before, after)
