"""Reads and writes the colours of pieces: a JSON or TOML file, or a folder of reference pictures."""

from __future__ import annotations

import base64
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.core.errors import DataError
from companion.core.files import parse_json, read_text
from vision.count.appearance.looks import PieceLook
from vision.count.appearance.prints import UNROLLED
from vision.count.teaching.colours import Picture, PieceColour, as_document
from vision.count.teaching.references import Box, learn_colour
from vision.sources import pictures
from vision.srgb import to_linear

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
WRAPPERS = ("colours", "colors")
PICTURE_KEYS = ("picture", "pictures", "image", "images", "file", "files", "reference", "references")
FORM = (
    'Form: {"red": "red.jpg", "white": {"picture": "all.jpg", "boxes": [[x, y, width, height]]}}; '
    "see docs/guide/count.md."
)
SHARED_FORM = "Learn the colours again, and save the box anew."
MOST_SHARED = 32  # no game has pieces of more colours
_NUMBERED = re.compile(r"[-_ ]*\(?\d+\)?$")  # red-1.jpg and red_02.jpg show the same colour

Reference = tuple[Picture, tuple[Box, ...]]


def read_colours(path: Path) -> tuple[PieceColour, ...]:
    """The colours named in a file, or by the pictures and sub-folders of a folder; in their order.

    Raises DataError that lists every problem: unreadable pictures, boxes outside, values of the wrong form.
    """
    problems: list[str] = []
    document: Mapping[str, Any] = _folder(path) if path.is_dir() else _load(path)
    colours = []
    for name, value in document.items():
        try:
            colours.append(_colour(str(name), value, path if path.is_dir() else path.parent))
        except (ValueError, TypeError) as error:
            problems.append(f"{name}: {error}")
    if not document:
        problems.append("no colours: expected at least one")
    if problems:
        raise DataError("; ".join(problems), where=str(path), remedy=FORM)
    return tuple(colours)


def shared_colours(text: str, where: str) -> tuple[PieceColour, ...]:
    """The colours of a file that comes from other people, JSON with numbers alone: a picture that it names would be one
    of this machine. Raises DataError that lists every problem."""
    try:
        document = parse_json(text)
        entries = document["colours"]
        if not isinstance(entries, dict) or not 0 < len(entries) <= MOST_SHARED:
            raise ValueError(f"expected 1 to {MOST_SHARED} colours")
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"its colours cannot be read: {error!r}", where=where, remedy=SHARED_FORM) from None
    problems, colours = [], []
    for name, value in entries.items():
        try:
            if not isinstance(value, dict) or "linear_bgr" not in value:
                raise ValueError("expected linear_bgr with three numbers")
            colours.append(_colour(name, value, Path()))
        except (ValueError, TypeError, OverflowError) as error:
            problems.append(f"{name[:40]}: {error}")
    if problems:
        raise DataError("; ".join(problems), where=where, remedy=SHARED_FORM)
    return tuple(colours)


def write_colours(path: Path, colours: Sequence[PieceColour]) -> None:
    """Write learnt colours to a JSON file that needs the pictures no more."""
    path.write_text(
        json.dumps({"colours": as_document(colours)}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def read_picture(path: Path) -> Picture:
    """(H, W, 3) uint8 BGR. Raises ValueError saying what is wrong with the file."""
    try:
        return pictures.read_picture(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _load(path: Path) -> Mapping[str, Any]:
    try:
        text = read_text(path)
        document = tomllib.loads(text) if path.suffix.lower() == ".toml" else parse_json(text)
    except OSError as error:
        raise DataError(f"cannot read: {error.strerror}", where=str(path), remedy=FORM) from None
    except ValueError as error:  # also a UnicodeDecodeError and a TOMLDecodeError
        raise DataError(f"neither JSON nor TOML: {error}", where=str(path), remedy=FORM) from None
    for wrapper in WRAPPERS:
        if isinstance(document, dict) and isinstance(document.get(wrapper), dict):
            document = document[wrapper]
    if not isinstance(document, dict):
        raise DataError("expected an object with one entry a colour", where=str(path), remedy=FORM)
    return document


def _folder(path: Path) -> dict[str, list[str]]:
    """Colour -> pictures of a folder: a picture's name without its number is its colour, or its sub-folder's."""
    found: dict[str, list[str]] = {}
    for entry in sorted(path.iterdir()):
        if entry.is_dir():
            pictures = [str(p) for p in sorted(entry.iterdir()) if p.suffix.lower() in PICTURES]
            if pictures:
                found.setdefault(entry.name, []).extend(pictures)
        elif entry.suffix.lower() in PICTURES:
            found.setdefault(_NUMBERED.sub("", entry.stem) or entry.stem, []).append(str(entry))
    return found


def _colour(name: str, value: Any, base: Path) -> PieceColour:
    if isinstance(value, dict) and "linear_bgr" in value:
        looks = tuple(_look(entry) for entry in value.get("looks", ()))
        spread = _triple(value.get("spread_lab", (0, 0, 0)), 100.0)
        return PieceColour(name, _triple(value["linear_bgr"], 1.0), spread, looks)
    if isinstance(value, dict) and "rgb" in value:
        return _plain(name, value["rgb"])
    if isinstance(value, list) and len(value) == 3 and all(isinstance(v, int | float) for v in value):
        return _plain(name, value)
    if isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        return _plain(name, [int(value[k : k + 2], 16) for k in (1, 3, 5)])
    return learn_colour(name, _references(value, base))


def _look(value: Any) -> PieceLook:
    if not isinstance(value, dict) or not {"inner_bgr", "ring_bgr"} <= set(value):
        raise ValueError(f"expected a look with inner_bgr and ring_bgr, got {value!r}")
    return PieceLook(
        _triple(value["inner_bgr"], 1.0),
        _triple(value["ring_bgr"], 1.0),
        float(value.get("support", 0.0)),
        float(value.get("clipped", 0.0)),
        int(value.get("photograph", 0)),
        float(value.get("radius", 0.0)),
        None if value.get("edge_bgr") is None else _triple(value["edge_bgr"], 1.0),
        tuple(_triple(ring, 1.0) for ring in value.get("rings", ())),
        tuple(float(part) for part in value.get("mixed", ())),
        _unrolled(value.get("unrolled", "")),
    )


def _unrolled(value: Any) -> bytes:
    print_bytes = base64.b64decode(str(value), validate=True)
    if len(print_bytes) not in (0, UNROLLED):
        raise ValueError(f"expected an unrolled print of {UNROLLED} bytes, got {len(print_bytes)}")
    return print_bytes


def _plain(name: str, rgb: Any) -> PieceColour:
    """A colour given by its numbers, red green blue 0 to 255."""
    red, green, blue = _triple(rgb, 255.0)
    linear = to_linear(np.round([blue, green, red]).astype(np.uint8))
    return PieceColour(name, (float(linear[0]), float(linear[1]), float(linear[2])), (0.0, 0.0, 0.0))


def _triple(value: Any, most: float) -> tuple[float, float, float]:
    numbers = [float(v) for v in value]
    if len(numbers) != 3 or not all(0 <= v <= most for v in numbers):
        raise ValueError(f"expected three numbers from 0 to {most:g}, got {value}")
    return numbers[0], numbers[1], numbers[2]


def _references(value: Any, base: Path) -> list[Reference]:
    if isinstance(value, str):
        path = Path(value)
        return [(read_picture(path if path.is_absolute() or not (base / path).exists() else base / path), ())]
    if isinstance(value, list) and value:
        return [reference for entry in value for reference in _references(entry, base)]
    if isinstance(value, dict):
        key = next((k for k in PICTURE_KEYS if k in value), None)
        if key is None:
            raise ValueError(f"expected a key picture, rgb or linear_bgr, got {', '.join(map(str, value)) or 'none'}")
        boxes = value.get("boxes", [value["box"]] if "box" in value else [])
        return [(picture, _boxes(boxes, picture)) for picture, _ in _references(value[key], base)]
    raise ValueError(f"expected a picture's name, a list of them, or boxes in a picture, got {value!r}")


def _boxes(value: Any, picture: Picture) -> tuple[Box, ...]:
    height, width = picture.shape[:2]
    boxes = []
    for entry in value:
        x, y, w, h = (round(float(v)) for v in entry)
        if w < 2 or h < 2 or x < 0 or y < 0 or x + w > width or y + h > height:
            raise ValueError(f"box {entry}: expected x, y, width, height inside {width} x {height}")
        boxes.append((x, y, w, h))
    return tuple(boxes)
