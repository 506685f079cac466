"""A course on disk: killed at any moment it goes on with the last change that was made, whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.course.course import Course, CoursePiece
from companion.core.errors import DataError
from companion.core.files import parse_json, read_text
from vision.sources.pictures import read_picture

U8 = NDArray[np.uint8]

SCHEMA = 1
INDEX = "course.json"


@dataclass(frozen=True, slots=True)
class CourseFolder:
    """The folder of one game's course. `write` writes a file as a whole or not at all (path, chunks).

    A picture is on the disk before the course names it, and is removed after the course has forgotten it.
    """

    folder: Path
    game: str
    write: Callable[[Path, Iterable[bytes]], None]

    def read(self) -> Course:
        """The course as it was last written; an empty one before. Raises DataError for a damaged one."""
        path = self.folder / INDEX
        if not path.exists():
            return Course(self.game)
        try:
            data = parse_json(read_text(path))
            if data["schema"] != SCHEMA or data["game"] != self.game:
                raise ValueError(f"schema {data['schema']} of {data['game']}")
            pieces = tuple(
                CoursePiece(int(one["number"]), tuple(map(str, one["pictures"])),
                      {str(k): str(v) for k, v in one["values"].items()}, bool(one["kept"]))
                for one in data["pieces"]
            )
            numbers = {str(key): int(value) for key, value in data.get("numbers", {}).items()}
            return Course(self.game, pieces, int(data["next"]), numbers)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"the tiles learnt so far cannot be read: {error!r}", where=str(path),
                            remedy="Restore the file from a backup, or delete its folder to begin anew.") from error

    def save(self, course: Course) -> None:
        """Write the course, then remove pictures that it does not name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        data = {
            "schema": SCHEMA, "game": course.game, "next": course.next_number,
            "numbers": dict(course.numbers),
            "pieces": [
                {"number": one.number, "pictures": list(one.pictures), "values": dict(one.values), "kept": one.kept}
                for one in course.pieces
            ],
        }
        self.write(self.folder / INDEX, [json.dumps(data, ensure_ascii=False, indent=1).encode()])
        named = {name for one in course.pieces for name in one.pictures}
        for path in self.folder.glob("*.png"):
            if path.name not in named:
                path.unlink(missing_ok=True)

    def add(self, name: str, picture: U8) -> None:
        """Put a picture (h, w, 3) uint8 BGR on the disk; the course names it later."""
        self.folder.mkdir(parents=True, exist_ok=True)
        done, data = cv2.imencode(".png", picture)
        if not done:
            raise DataError(f"expected (h, w, 3) uint8, got {picture.shape}", where=name)
        self.write(self.folder / name, [data.tobytes()])

    def picture(self, name: str) -> U8:
        """A picture of the course. Raises DataError when it is not there."""
        try:
            return read_picture(self.folder / name)
        except (OSError, ValueError) as error:
            raise DataError(f"the picture cannot be read: {error}", where=str(self.folder / name),
                            remedy="Remove this piece and lay it once more.") from error
