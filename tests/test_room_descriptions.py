"""A room that describes itself file by file names files and rooms that are there, and leaves few out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("companion", "vision", "firmware_bridge", "web", "calibration")
WORD = re.compile(r"`([a-z_]+)`")
SOME = 3  # a room that names fewer of its files does not describe itself by them


def named_in(room: Path) -> set[str]:
    """What the description of a room names."""
    return set(WORD.findall(ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""))


def inside(room: Path) -> set[str]:
    """The files and rooms of a room, by the names by which they are imported."""
    files = {path.stem for path in room.glob("*.py")} - {"__init__"}
    return files | {path.name for path in room.iterdir() if (path / "__init__.py").exists()}


ROOMS = [
    file.parent
    for part in PARTS
    for file in sorted((ROOT / part).rglob("__init__.py"))
    if len(named_in(file.parent)) >= SOME
]


def test_the_large_rooms_of_seeing_and_following_describe_themselves() -> None:
    described = {str(room.relative_to(ROOT)) for room in ROOMS}
    assert described >= {"vision/pieces", "vision/faces", "vision/tables", "vision/view", "companion/table/tracking"}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_names_what_is_there(room: Path) -> None:
    named, there = named_in(room), inside(room)
    assert named - there == set()
    assert len(there - named) * 3 <= len(there), f"nothing is said of {sorted(there - named)}"
