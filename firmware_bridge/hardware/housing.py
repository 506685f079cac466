"""The housing as plates: outlines with fingers, openings and labels, from housing.toml; and where each plate stands."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("housing.toml")
Point = tuple[float, float]
Place = tuple[float, float, float]
LANGUAGES = ("en", "sk", "cs")

# Each plate: its axes (across, up) and its thickness' axis, as indices of x, y, z; and on which side of the box it is.
_FACES: dict[str, tuple[int, int, int, int]] = {
    "bottom": (0, 1, 2, -1), "top": (0, 1, 2, 1), "front": (0, 2, 1, -1), "back": (0, 2, 1, 1),
    "left": (1, 2, 0, -1), "right": (1, 2, 0, 1),
}  # fmt: skip
# Which plate has the fingers at the corners of an edge: the plate that comes later in this order begins with a gap.
_ORDER = ("bottom", "top", "front", "back", "left", "right")


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a plate, from the plate's middle; `size` is (diameter, diameter) for a round one. `through`: cut."""

    kind: str
    at: Point
    size: Point
    is_round: bool
    through: bool
    label: str = ""
    label_at: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Plate:
    """A plate of a box: outline (N points, mm, from its lower left corner, counter-clockwise) and what is in it."""

    name: str
    size: Point
    outline: tuple[Point, ...]
    openings: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A box of six plates; `inside` is its room in mm (width, depth, height)."""

    name: str
    inside: Place
    plates: tuple[Plate, ...]


@cache
def data() -> dict[str, Any]:
    """The file. Raises OSError or a TOML error."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def _fingers(length: float) -> int:
    """An odd number of fingers of about the wanted width along an edge, at least three."""
    count: int = round(length / data()["finger"])
    return max(3, count if count % 2 else count + 1)


def segments(inside_length: float, thickness: float) -> list[tuple[float, float]]:
    """The fingers and gaps along an edge: (begin, end) from the outer corner; the corners belong to the first and last.

    The fingers divide the inside length; the first and last are longer by the thickness of the plate at the corner.
    """
    count = _fingers(inside_length)
    width = inside_length / count
    cuts = [0.0, *(thickness + n * width for n in range(1, count)), inside_length + 2 * thickness]
    return list(pairwise(cuts))


def has_material(name: str, other: str, index: int, count: int) -> bool:
    """Whether plate `name` has the finger `index` of its edge with plate `other`; the other one has it otherwise.

    The corners themselves go to the plate that comes first in the order.
    """
    first = _ORDER.index(name) < _ORDER.index(other)
    return (index % 2 == 0) is first and 0 <= index < count


def _neighbour(axis: int, side: int) -> str:
    return next(name for name, (_, _, across, at) in _FACES.items() if (across, at) == (axis, side))


def covers(box: Box, name: str, place: Place) -> bool:
    """Whether a plate's material (without its openings) is at a place, in mm from the box's outer corner."""
    thickness = data()["thickness"]
    outer = tuple(each + 2 * thickness for each in box.inside)
    _, _, through, side = _FACES[name]
    low, high = (0.0, thickness) if side < 0 else (outer[through] - thickness, outer[through])
    if not low <= place[through] <= high:
        return False
    edges = [axis for axis in range(3) if axis != through and not thickness <= place[axis] <= outer[axis] - thickness]
    if not edges:
        return True
    others = [_neighbour(axis, -1 if place[axis] < thickness else 1) for axis in edges]
    if len(edges) == 2:  # a corner of the box, where three plates meet: it belongs to the first of them
        return _ORDER.index(name) < min(map(_ORDER.index, others))
    (axis,), (other,) = edges, others
    along = 3 - through - axis
    parts = segments(box.inside[along], thickness)
    index = next(n for n, (begin, end) in enumerate(parts) if begin <= place[along] <= end)
    return has_material(name, other, index, len(parts))


def _edge(name: str, other: str, length: float, through_corner: tuple[bool, bool]) -> list[tuple[float, float, bool]]:
    """(begin, end, material) along an edge, without the corners that another plate has."""
    thickness = data()["thickness"]
    parts = segments(length, thickness)
    found = []
    for index, (begin, end) in enumerate(parts):
        material = has_material(name, other, index, len(parts))
        pieces = [(begin, end)]
        if index == 0:
            pieces = [(0.0, thickness), (thickness, end)]
        if index == len(parts) - 1:
            pieces = [*pieces[:-1], (pieces[-1][0], end - thickness), (end - thickness, end)]
        for a, b in pieces:
            corner = 0 if b <= thickness else 1 if a >= length + thickness else None
            if corner is None:
                found.append((a, b, material))
            elif through_corner[corner]:
                found.append((a, b, True))
    return found


def _outline(name: str, inside: Place) -> tuple[Point, ...]:
    """Once round: along each edge in on the gaps and out on the fingers."""
    thickness = data()["thickness"]
    across, up, _, _ = _FACES[name]
    width, height = inside[across] + 2 * thickness, inside[up] + 2 * thickness

    def owns(*others: str) -> bool:
        return _ORDER.index(name) < min(map(_ORDER.index, others))

    low, right, high, left = (_neighbour(a, s) for a, s in ((up, -1), (across, 1), (up, 1), (across, -1)))
    corners = [owns(low, left), owns(low, right), owns(high, right), owns(high, left)]
    points: list[Point] = []

    def run(edge: list[tuple[float, float, bool]], at: Callable[[float, float], Point]) -> None:
        if edge[0][0] > 0:  # the corner before this edge is another plate's
            points.append(at(thickness, thickness))
        for begin, end, material in edge:
            depth = 0.0 if material else thickness
            points.extend((at(begin, depth), at(end, depth)))

    run(_edge(name, low, inside[across], (corners[0], corners[1])), lambda s, d: (s, d))
    run(_edge(name, right, inside[up], (corners[1], corners[2])), lambda s, d: (width - d, s))
    run(_edge(name, high, inside[across], (corners[2], corners[3])), lambda s, d: (width - s, height - d))
    run(_edge(name, left, inside[up], (corners[3], corners[0])), lambda s, d: (d, height - s))
    return tuple(_simple(points))


def _simple(points: list[Point]) -> list[Point]:
    """Without points that repeat or lie on a straight line."""
    found = [p for n, p in enumerate(points) if p != points[n - 1]]
    return [
        p for n, p in enumerate(found)
        if (p[0] - found[n - 1][0]) * (found[(n + 1) % len(found)][1] - p[1])
        != (p[1] - found[n - 1][1]) * (found[(n + 1) % len(found)][0] - p[0])
    ]  # fmt: skip


def _opening(row: dict[str, Any]) -> Opening:
    parts, kind = data()["parts"], row["kind"]
    is_round = "hole" in parts[kind]
    size = (parts[kind]["hole"],) * 2 if is_round else tuple(parts[kind].get("opening", parts[kind].get("size"))[:2])
    at, label_at = tuple(row["at"]), tuple(row.get("label_at", (0.0, 0.0)))
    return Opening(kind, at, size, is_round, kind != "sensor", row.get("label", ""), label_at)


@cache
def boxes() -> tuple[Box, ...]:
    """Both boxes with their plates."""
    found = []
    for name, row in data()["boxes"].items():
        inside: Place = tuple(row["inside"])
        plates = []
        for face, (across, up, _, _) in _FACES.items():
            size = (inside[across] + 2 * data()["thickness"], inside[up] + 2 * data()["thickness"])
            openings = tuple(_opening(each) for each in row["openings"] if each["plate"] == face)
            plates.append(Plate(face, size, _outline(face, inside), openings))
        found.append(Box(name, inside, tuple(plates)))
    return tuple(found)


def words(label: str, language: str) -> str:
    """What is engraved for a label; a number of a station is the same in all languages."""
    return str(data()["labels"][language].get(label, label))
