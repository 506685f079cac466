"""Photographs of ruled grids with truth, as `companion bench grids` and `companion.lab.fitting.fit_signs` read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.core.errors import DataError


def read_truth(folder: Path) -> list[dict[str, Any]]:
    """The pictures that `truth.json` in a folder lists, each with file, camera, corners and cells. Raises DataError."""
    path = folder / "truth.json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read: {error}", where=str(path), remedy="Expected a list of pictures.") from None
    if not isinstance(document, list) or not all({"file", "corners", "cells", "camera"} <= set(e) for e in document):
        raise DataError("expected a list of pictures with camera, corners and cells", where=str(path))
    return document


def sign_at(entry: dict[str, Any], square: tuple[int, int]) -> int:
    """The sign of a picture's square (column, row), 0 for an empty one."""
    return int(entry["cells"][square[1]][square[0]])
