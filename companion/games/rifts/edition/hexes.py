"""Hexagonal spaces, points up: their names, neighbours, corners, turns and where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

Axial = tuple[int, int]
"""(q, r): q steps to the east, r steps to the south-east, from the middle of the map."""

DIRECTIONS: tuple[Axial, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""North-east, east, south-east, south-west, west, north-west: clockwise from the north-east (N32)."""

TURNS = 6
"""Ways to lay a location tile: sixths of a full turn, clockwise."""

OFF = -1  # the index of no space

HEX_SIDE_MM, TILE_THICKNESS_MM = 26.0, 2.0  # as laid out by this companion: the rulebook prints no sizes


def turned(at: Axial, turn: int) -> Axial:
    """`at` turned about the middle by `turn` sixths of a full turn, clockwise as seen from above."""
    q, r = at
    for _ in range(turn % TURNS):
        q, r = -r, q + r
    return q, r


def distance(a: Axial, b: Axial) -> int:
    """Steps between two spaces as the crow flies."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def middle_mm(at: Axial, side_mm: float) -> tuple[float, float]:
    """The middle of a space with sides of `side_mm`: table mm, x right, y towards the bottom seat (down)."""
    q, r = at
    return side_mm * sqrt(3) * (q + r / 2), side_mm * 1.5 * r


def corners_mm(at: Axial, side_mm: float) -> tuple[tuple[float, float], ...]:
    """The six corners of a space, table mm, clockwise from the upper left one."""
    x, y = middle_mm(at, side_mm)
    half, low = side_mm * sqrt(3) / 2, side_mm / 2
    return (
        (x - half, y - low), (x, y - side_mm), (x + half, y - low),
        (x + half, y + low), (x, y + side_mm), (x - half, y + low),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grid:
    """The spaces up to `radius` steps from the middle, row by row from the north, each row from the west.

    `names`: a letter for the row and the number in the row ("a1" is the north-western corner). `neighbours`: six
    indexes in the order of DIRECTIONS, OFF outside the grid; `around`: the same as a bit mask. `corners`: every three
    spaces that meet in a point, sorted, with the name "a1|a2|b2".
    """

    radius: int
    cells: tuple[Axial, ...]
    index: Mapping[Axial, int]
    names: tuple[str, ...]
    name_index: Mapping[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    around: tuple[int, ...]
    corners: tuple[tuple[int, int, int], ...]
    corner_masks: tuple[int, ...]
    corner_names: tuple[str, ...]

    @property
    def middle(self) -> int:
        """The index of the space in the middle."""
        return self.index[0, 0]


@lru_cache(maxsize=8)
def make_grid(radius: int) -> Grid:
    """The grid of all spaces up to `radius` steps from the middle."""
    rows = range(-radius, radius + 1)
    cells = tuple((q, r) for r in rows for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1))
    index = {cell: i for i, cell in enumerate(cells)}
    names = tuple(f"{chr(ord('a') + r + radius)}{q - max(-radius, -radius - r) + 1}" for q, r in cells)
    neighbours = tuple(tuple(index.get((q + dq, r + dr), OFF) for dq, dr in DIRECTIONS) for q, r in cells)
    triples = {
        tuple(sorted((cell, near[i], near[(i + 1) % len(DIRECTIONS)])))
        for cell, near in enumerate(neighbours)
        for i in range(len(DIRECTIONS))
        if OFF not in (near[i], near[(i + 1) % len(DIRECTIONS)])
    }
    corners = tuple((a, b, c) for a, b, c in sorted(triples))
    return Grid(
        radius=radius,
        cells=cells,
        index=index,
        names=names,
        name_index={name: i for i, name in enumerate(names)},
        neighbours=neighbours,
        around=tuple(mask_of(n for n in near if n != OFF) for near in neighbours),
        corners=corners,
        corner_masks=tuple(mask_of(corner) for corner in corners),
        corner_names=tuple("|".join(names[cell] for cell in corner) for corner in corners),
    )


def mask_of(cells: Iterable[int]) -> int:
    """The bit mask of an iterable of indexes."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> tuple[int, ...]:
    """The indexes in a bit mask, in order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)
