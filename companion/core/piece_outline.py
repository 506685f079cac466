"""The outline of a flat piece, by which it is found however it lies: a rectangle, a disc, hexagons side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, pi, sin, sqrt

Point = tuple[float, float]

DISC_CORNERS = 48
"""Corners of the polygon that stands for a disc: it misses the circle by a five-hundredth of its radius."""
_SAME_MM = 0.05  # places nearer than this are one
_MOST_TURNS = DISC_CORNERS


@dataclass(frozen=True)
class PieceOutline:
    """The outline of a piece that lies upright.

    `name`: the value of the form's field that tells outlines apart. `corners_mm` (N, 2): clockwise as seen, x right, y
    down, from the middle of the rectangle around it. `parts_mm`: middles of the spaces of a compound piece, in their
    order; none for a simple one. `part_mm`: width and height of the rectangle around such a space.
    """

    name: str
    corners_mm: tuple[Point, ...]
    parts_mm: tuple[Point, ...] = ()
    part_mm: Point = (0.0, 0.0)

    @cached_property
    def size_mm(self) -> Point:
        """Width and height of the rectangle around it."""
        xs, ys = zip(*self.corners_mm, strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)

    @cached_property
    def area_mm2(self) -> float:
        """Its area."""
        return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in self._sides)) / 2

    @cached_property
    def middle_mm(self) -> Point:
        """The middle of its area: about this it turns."""
        twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in self._sides)
        x, y = (sum((a[k] + b[k]) * (a[0] * b[1] - b[0] * a[1]) for a, b in self._sides) for k in (0, 1))
        return x / (3 * twice), y / (3 * twice)

    @cached_property
    def turns(self) -> int:
        """In how many equal turns it comes to lie on itself: 1 for none, 2 for a rectangle, 6 for a hexagon."""
        return next(n for n in range(_MOST_TURNS, 0, -1) if self._fits_turned(2 * pi / n))

    @property
    def is_round(self) -> bool:
        """Whether it tells no turn at all."""
        return self.turns == DISC_CORNERS

    @cached_property
    def _sides(self) -> tuple[tuple[Point, Point], ...]:
        return tuple(zip(self.corners_mm, (*self.corners_mm[1:], self.corners_mm[0]), strict=True))

    def _fits_turned(self, angle: float) -> bool:
        x0, y0 = self.middle_mm
        turned = [
            (x0 + cos(angle) * (x - x0) - sin(angle) * (y - y0), y0 + sin(angle) * (x - x0) + cos(angle) * (y - y0))
            for x, y in self.corners_mm
        ]
        return all(min(hypot(x - u, y - v) for u, v in self.corners_mm) < _SAME_MM for x, y in turned)


def rectangle_outline(size_mm: Point, name: str = "") -> PieceOutline:
    """A rectangle of this width and height."""
    x, y = size_mm[0] / 2, size_mm[1] / 2
    return PieceOutline(name, ((-x, -y), (x, -y), (x, y), (-x, y)))


def disc_outline(across_mm: float, name: str = "") -> PieceOutline:
    """A disc of this diameter."""
    angles = [2 * pi * k / DISC_CORNERS for k in range(DISC_CORNERS)]
    return PieceOutline(name, tuple((across_mm / 2 * cos(a), across_mm / 2 * sin(a)) for a in angles))


def hexagons_outline(middles_mm: Sequence[Point], side_mm: float, name: str = "") -> PieceOutline:
    """Hexagons with a point up, side by side, as one piece; its parts in the order of `middles_mm`.

    Raises ValueError for hexagons that do not hang together in one outline without a hole.
    """
    half, low = side_mm * sqrt(3) / 2, side_mm / 2
    around = ((-half, -low), (0.0, -side_mm), (half, -low), (half, low), (0.0, side_mm), (-half, low))
    sides: list[tuple[Point, Point]] = []
    for x, y in middles_mm:
        corners = [(x + dx, y + dy) for dx, dy in around]
        for side in zip(corners, (*corners[1:], corners[0]), strict=True):
            shared = next((s for s in sides if _same(s[0], side[1]) and _same(s[1], side[0])), None)
            if shared is None:
                sides.append(side)
            else:
                sides.remove(shared)
    chain, rest = [sides[0][0]], sides[1:]
    end = sides[0][1]
    while rest and not _same(end, chain[0]):
        following = next((s for s in rest if _same(s[0], end)), None)
        if following is None:
            break
        rest.remove(following)
        chain.append(following[0])
        end = following[1]
    if rest:
        raise ValueError(f"{len(middles_mm)} hexagons do not make one piece without a hole")
    xs, ys = zip(*chain, strict=True)
    x0, y0 = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return PieceOutline(
        name, tuple((x - x0, y - y0) for x, y in chain), tuple((x - x0, y - y0) for x, y in middles_mm),
        (2 * half, 2 * side_mm),
    )


def _same(one: Point, other: Point) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) < _SAME_MM
