"""What can lie on a table: slabs (tiles, cards, boards, cubes, discs, hexagons, shields) and the limbs of a hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bgr = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Slab:
    """A convex outline, (N, 2) table mm clockwise as seen from above, extruded from `bottom_mm` to `top_mm` of height.

    `top` is a colour, or a picture (H, W, 3) BGR laid on `corners_mm` (4, 2: its tl, tr, br, bl).
    Slabs of a higher `layer` are drawn later; within a layer the farther come first.
    `gloss`: light of the lamp, as a share of white, that a printed top mirrors where the camera meets its reflection;
    `warp_mm` (2,): how far that place is off because nothing lies quite flat; `haze`: the same, all over the top.
    """

    outline_mm: Floats
    bottom_mm: float
    top_mm: float
    top: NDArray[np.uint8] | Bgr
    side: Bgr
    corners_mm: Floats | None = None
    layer: int = 0
    gloss: float = 0.0
    warp_mm: tuple[float, float] = (0.0, 0.0)
    haze: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A rounded stick between two points (3,) table mm, z negative above the table: finger, palm, arm, sleeve."""

    start_mm: Floats
    end_mm: Floats
    start_radius_mm: float
    end_radius_mm: float
    colour: Bgr


def turned(points_mm: Floats, deg: float, xy_mm: tuple[float, float] | Floats) -> Floats:
    """Points (N, 2) turned clockwise (as seen from above) around the origin, then moved to `xy_mm`."""
    angle = np.deg2rad(deg)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(points_mm @ rotation.T + np.asarray(xy_mm, np.float64))


def rectangle(width_mm: float, height_mm: float, xy_mm: tuple[float, float] | Floats, deg: float = 0.0) -> Floats:
    """(4, 2) corners tl, tr, br, bl of a rectangle around `xy_mm`, turned clockwise by `deg`."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width_mm / 2, height_mm / 2]
    return turned(half, deg, xy_mm)


def regular(sides: int, radius_mm: float, xy_mm: tuple[float, float] | Floats, deg: float = 0.0) -> Floats:
    """(sides, 2) corners of a regular polygon, the first above the centre before turning: hexagons, discs."""
    angle = np.arange(sides) * 2 * np.pi / sides
    return turned(np.stack([np.sin(angle), -np.cos(angle)], axis=1) * radius_mm, deg, xy_mm)


def printed(
    picture: NDArray[np.uint8],
    size_mm: tuple[float, float],
    xy_mm: tuple[float, float] | Floats,
    deg: float,
    thickness_mm: float,
    *,
    side: Bgr = (120, 140, 150),
    layer: int = 0,
) -> Slab:
    """A flat rectangular piece with a picture on its upper face."""
    corners = rectangle(*size_mm, xy_mm, deg)
    return Slab(corners, 0.0, thickness_mm, picture, side, corners, layer)


def cube(
    colour_bgr: Bgr, side_mm: float, xy_mm: tuple[float, float] | Floats, deg: float, bottom_mm: float, layer: int = 2
) -> Slab:
    """A cube standing at height `bottom_mm`."""
    return Slab(
        rectangle(side_mm, side_mm, xy_mm, deg), bottom_mm, bottom_mm + side_mm, colour_bgr, colour_bgr, None, layer
    )


SKIN_TONES: tuple[Bgr, ...] = ((140, 172, 224), (112, 146, 204), (78, 110, 168), (54, 78, 122), (40, 56, 88))
SLEEVES: tuple[Bgr, ...] = ((60, 60, 66), (120, 70, 40), (50, 50, 150), (190, 190, 186), (70, 110, 70))


def hand(
    rng: np.random.Generator, target_mm: tuple[float, float], from_deg: float, skin: Bgr, sleeve: Bgr | None
) -> tuple[Limb, ...]:
    """A hand that reaches from the side `from_deg` (clockwise from the bottom seat) to a place on the table."""
    away = np.deg2rad(from_deg + rng.uniform(-22, 22))
    reach = np.array([-np.sin(away), np.cos(away)])  # towards the person
    across = np.array([-reach[1], reach[0]])
    target = np.array(target_mm)

    def place(along: float, aside: float, height: float) -> Floats:
        return np.array([*(target + reach * along + across * aside), -height])

    limbs = []
    spread = rng.uniform(0.8, 1.25)
    for aside, length in ((-22, 8), (-8, -4), (7, -2), (21, 7)):
        tip, knuckle = place(length, aside * spread * 0.7, 14), place(62, aside * spread, 42)
        middle = (tip + knuckle) / 2 + np.array([0, 0, -14.0])
        limbs += [Limb(tip, middle, 7.5, 9, skin), Limb(middle, knuckle, 9, 11, skin)]
    thumb = place(34, -34 * spread, 18)
    limbs += [Limb(thumb, place(82, -34, 34), 9, 12, skin)]
    wrist, elbow = place(140, 0, 50), place(760, rng.uniform(-70, 70), 110)
    limbs += [
        Limb(place(66, -20, 40), wrist, 20, 25, skin),
        Limb(place(66, 18, 40), wrist, 20, 25, skin),
        Limb(wrist, elbow, 26, 46, skin),
    ]
    if sleeve is not None:
        limbs.append(Limb(place(200, 0, 60), elbow, 38, 60, sleeve))
    return tuple(limbs)
