"""What a rendered set of Rifts maps consists of: plan of the table, the faces of all spaces, and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.rifts.edition.hexes import HEX_SIDE_MM, middle_mm
from companion.games.rifts.edition.world import AFFINITIES
from companion.lab.render.edition import CUBE_PALETTE
from companion.lab.scenes.rifts.pictures import all_tiles, map_layout, space_art, table_picture
from vision.locate.markers import MarkerLayout
from vision.scenes.layout_file import plan_json
from vision.tables.maps.space_pieces import SpacePiece, space_square

__all__ = ["plan", "scans", "table_picture", "tiles"]

ART_PX_PER_MM = 8.0


def pieces() -> tuple[SpacePiece, ...]:
    """The tiles as pieces of several spaces."""
    return tuple(
        SpacePiece(
            tile.id,
            tuple(f"{tile.id}.{number}" for number in range(len(tile.spaces))),
            tuple(middle_mm(space.at, HEX_SIDE_MM) for space in tile.spaces),
        )
        for tile in all_tiles()
    )


def plan() -> dict[str, Any]:
    """The set's layout.json."""
    rgb = {colour: CUBE_PALETTE[colour] for colour in AFFINITIES}
    layouts = dict.fromkeys((1, 2, 3, 4), map_layout())
    return plan_json("rifts", layouts, rgb, MarkerLayout(), pieces())


def tiles() -> list[dict[str, Any]]:
    """The faces in catalogue.json: every space of every tile."""
    return [{"id": f"{tile.id}.{k}", "look": f"{tile.id}.{k}"} for tile in all_tiles() for k in range(len(tile.spaces))]


def scans() -> dict[str, NDArray[np.uint8]]:
    """Face -> flat scan, BGR."""
    side = HEX_SIDE_MM * ART_PX_PER_MM
    return {
        f"{tile.id}.{k}": space_square(space_art(tile.id, k), side)
        for tile in all_tiles()
        for k in range(len(tile.spaces))
    }
