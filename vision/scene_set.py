"""Reads a set of table photographs: layout, catalogue, references or enrolment pictures, jobs, and truth when asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.errors import DataError
from companion.core.types import Face

PARTS = ("grid", "boards", "tally", "table")
FACE_KEYS = ("theme", "symbol", "vp", "cubes", "requires", "start", "min34", "look")
"""Two tiles are the same face when all of these agree. `look`: for pieces of other games, any text."""


@dataclass(frozen=True, slots=True)
class SceneLayout:
    """Sizes and places of a set in mm (table frame: x right, y towards the bottom seat, z into the table).

    `cube_rgb`: nominal colour of each piece colour, sRGB 0-255. `rows_cols`: players -> grid size.
    """

    dictionary: str
    marker_side_mm: float
    marker_centres_mm: dict[int, tuple[float, float]]
    tile_side_mm: float
    tile_thickness_mm: float
    pitch_mm: float
    rows_cols: dict[int, tuple[int, int]]
    grid_centre_mm: tuple[float, float]
    cube_side_mm: float
    cube_rgb: dict[str, tuple[int, int, int]]
    seat_colours: tuple[str, ...]
    board_wh_mm: tuple[float, float]
    cutout_pitch_mm: float
    cutout_origin_mm: tuple[float, float]
    corner_card_out_mm: float

    def cell_centre_mm(self, players: int, row: int, col: int) -> tuple[float, float]:
        """Centre of a cell of the grid of `players`. Raises KeyError for a number of players without a grid."""
        rows, cols = self.rows_cols[players]
        x, y = self.grid_centre_mm
        return x + (col - (cols - 1) / 2) * self.pitch_mm, y + (row - (rows - 1) / 2) * self.pitch_mm


@dataclass(frozen=True, slots=True)
class Job:
    """What a person told the companion about a picture: its kind, the number of players, seats with colours.

    `colours`: those of the pieces in play, where no seats are told.
    """

    part: str
    image: Path
    players: int | None
    seats: tuple[tuple[int, str], ...] = ()
    colours: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """Name of the picture without its suffix: also the name of its reading."""
        return self.image.stem


@dataclass(frozen=True, slots=True)
class EnrolledTile:
    """A tile in an enrolment picture: which one, where it lies (table mm) and its turn (degrees clockwise)."""

    tile: Face
    image: Path
    xy_mm: tuple[float, float]
    turn_deg: float


@dataclass(frozen=True, slots=True)
class EnrolledCube:
    """A piece in the enrolment picture of colours: its colour and where it stands (table mm)."""

    colour: str
    xy_mm: tuple[float, float]


@dataclass(frozen=True)
class SceneSet:
    """One directory in the format of the scenes. Truth is read only by `truth`."""

    root: Path
    tiles: tuple[dict[str, Any], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(_json(self.root / "catalogue.json")["tiles"]))

    @cached_property
    def layout(self) -> SceneLayout:
        """Sizes and places of a set of Envyra tables. Raises DataError naming what is missing in layout.json."""
        return read_layout(self.root / "layout.json")

    @cached_property
    def representative(self) -> dict[Face, Face]:
        """Tile id -> the first id of its face, by the catalogue."""
        first: dict[str, Face] = {}
        out: dict[Face, Face] = {}
        for tile in self.tiles:
            key = json.dumps([tile.get(name) for name in FACE_KEYS], sort_keys=True)
            out[tile["id"]] = first.setdefault(key, tile["id"])
        return out

    def references(self) -> dict[Face, list[np.ndarray]]:
        """Flat scans by tile id, (H, W, 3) uint8 BGR upright; empty when the set has none."""
        folder = self.root / "reference"
        return {
            t["id"]: [picture(folder / f"{t['id']}.png")] for t in self.tiles if (folder / f"{t['id']}.png").exists()
        }

    def enrolled_tiles(self) -> tuple[EnrolledTile, ...]:
        """Where each tile lies in the enrolment pictures, as the person who enrolled it said."""
        out = []
        for path in sorted((self.root / "enrol").glob("tiles-*.json")):
            data = _json(path)
            for cell in data["cells"]:
                if cell.get("tile"):
                    xy = (float(cell["xy"][0]), float(cell["xy"][1]))
                    image = path.with_name(data.get("image", path.stem + ".jpg"))
                    if not image.exists():
                        image = path.with_suffix(".jpg")
                    out.append(EnrolledTile(cell["tile"], image, xy, float(cell.get("deg", 0.0))))
        return tuple(out)

    def enrolled_cubes(self) -> tuple[Path, tuple[EnrolledCube, ...]] | None:
        """The enrolment picture of the piece colours and what stands where in it; None when there is none."""
        path = self.root / "enrol" / "cubes.json"
        if not path.exists() or not path.with_suffix(".jpg").exists():
            return None
        cubes = tuple(EnrolledCube(c["colour"], (float(c["xy"][0]), float(c["xy"][1]))) for c in _json(path)["cubes"])
        return path.with_suffix(".jpg"), cubes

    def lens_views(self) -> tuple[Path, ...]:
        """The lens-calibration pictures, sorted; empty when the set has none."""
        return tuple(sorted((self.root / "calibration").glob("*.jpg")))

    def jobs(self, part: str) -> tuple[Job, ...]:
        """What was told about the pictures of `part` (one of PARTS); empty when the set has no such part."""
        path = self.root / part / "jobs.json"
        if not path.exists():
            return ()
        out = []
        for entry in _json(path):
            seats = tuple((int(s["seat"]), str(s["colour"])) for s in entry.get("seats", ()))
            colours = tuple(str(c) for c in entry.get("colours", ()))
            out.append(Job(part, path.parent / entry["image"], entry.get("players"), seats, colours))
        return tuple(out)

    def truth(self, job: Job) -> dict[str, Any] | None:
        """The truth of a picture for evaluation, None when the set comes without it. Readers never call this."""
        path = job.image.with_suffix(".json")
        return _json(path) if path.exists() else None


def picture(path: Path) -> np.ndarray:
    """The picture at `path`, (H, W, 3) uint8 BGR. Raises DataError when it cannot be read."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise DataError("expected a picture, got nothing that can be decoded", where=str(path), remedy="Check the file")
    return image


def read_layout(path: Path) -> SceneLayout:
    """The sizes and places in a layout.json. Raises DataError naming what is missing."""
    data = _json(path)
    try:
        markers, tile, grid, cube, board = (data[k] for k in ("markers", "tile", "grid", "cube", "board"))
        return SceneLayout(
            dictionary=markers["dictionary"],
            marker_side_mm=float(markers["side"]),
            marker_centres_mm={int(k): (float(v[0]), float(v[1])) for k, v in markers["centres"].items()},
            tile_side_mm=float(tile["side"]),
            tile_thickness_mm=float(tile["thickness"]),
            pitch_mm=float(grid["pitch"]),
            rows_cols={int(k): (int(v[0]), int(v[1])) for k, v in grid["rows_cols"].items()},
            grid_centre_mm=(float(grid["centre"][0]), float(grid["centre"][1])),
            cube_side_mm=float(cube["side"]),
            cube_rgb={k: (int(v[0]), int(v[1]), int(v[2])) for k, v in cube["colours"].items()},
            seat_colours=tuple(cube.get("seat_colours", cube["colours"])),
            board_wh_mm=(float(board["width"]), float(board["height"])),
            cutout_pitch_mm=float(board["slot_pitch"]),
            cutout_origin_mm=(float(board["slot_origin"][0]), float(board["slot_origin"][1])),
            corner_card_out_mm=float(data["corner_card"]["sticks_out"]),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DataError(f"expected the sizes of a scene set, got {error!r}", where=str(path)) from error


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"expected a JSON file, got {error}", where=str(path)) from error
