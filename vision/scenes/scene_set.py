"""Reads a set of table photographs: layout, catalogue, references or enrolment pictures, jobs, and truth when asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from companion.core.errors import DataError
from companion.core.files import parse_json, read_text
from companion.core.types import Face
from vision.scenes.layout_file import TablePlan, read_table_plan
from vision.sources.pictures import read_picture

# Two tiles are the same face when all of these agree. `look`: for pieces of other games, any text.
PARTS = ("grid", "boards", "tally", "table")
FACE_KEYS = ("theme", "symbol", "vp", "cubes", "requires", "start", "min34", "look")


@dataclass(frozen=True, slots=True)
class PictureJob:
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


@dataclass(frozen=True)
class SceneSet:
    """One directory in the format of the scenes. Truth is read only by `truth`."""

    root: Path
    tiles: tuple[dict[str, Any], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(_json(self.root / "catalogue.json")["tiles"]))

    @cached_property
    def plan(self) -> TablePlan:
        """The set's tables. Raises DataError naming what is missing in layout.json."""
        return read_table_plan(self.root / "layout.json")

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

    def jobs(self, part: str) -> tuple[PictureJob, ...]:
        """What was told about the pictures of `part` (one of PARTS); empty when the set has no such part."""
        path = self.root / part / "jobs.json"
        if not path.exists():
            return ()
        out = []
        for entry in _json(path):
            seats = tuple((int(s["seat"]), str(s["colour"])) for s in entry.get("seats", ()))
            colours = tuple(str(c) for c in entry.get("colours", ()))
            out.append(PictureJob(part, path.parent / entry["image"], entry.get("players"), seats, colours))
        return tuple(out)

    def truth(self, job: PictureJob) -> dict[str, Any] | None:
        """The truth of a picture for evaluation, None when the set comes without it. Readers never call this."""
        path = job.image.with_suffix(".json")
        return _json(path) if path.exists() else None


def picture(path: Path) -> np.ndarray:
    """The picture at `path`, (H, W, 3) uint8 BGR. Raises DataError when it cannot be read."""
    try:
        return read_picture(path)
    except ValueError as error:
        raise DataError(str(error), where=str(path), remedy="Check the file") from error


def _json(path: Path) -> Any:
    try:
        return parse_json(read_text(path))
    except (OSError, ValueError) as error:
        raise DataError(f"expected a JSON file, got {error}", where=str(path)) from error
