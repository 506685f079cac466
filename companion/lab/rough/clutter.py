"""What lies about on a table beside a game: mugs, phones, playing cards, pens, notes, coins, cubes in supply."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.camera import Camera
from companion.lab.render.layout import CUBE_MM, MARKER_CENTRES_MM, MARKER_MM
from companion.lab.render.pieces import Bgr, Slab, cube, printed, rectangle, regular, turned

Floats = NDArray[np.float64]
Hull = NDArray[np.float32]
Thing = Callable[[np.random.Generator, Floats], list[Slab]]

_LAYER = 4
_CLEAR_MM = 4.0  # nothing is put nearer to the game than this
_TRIES = 60
OVER_MARKER_CHANCE = 0.45


def _colour(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Bgr:
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return int(255 * blue), int(255 * green), int(255 * red)


def mug(rng: np.random.Generator, xy: Floats) -> list[Slab]:
    """A mug with its handle, half full."""
    radius, high = rng.uniform(36, 46), rng.uniform(78, 105)
    glaze, drink = _colour(rng, (0.0, 0.8), (0.25, 0.95)), ((18, 30, 48), (30, 60, 96), (24, 70, 130))[rng.integers(3)]
    away = np.deg2rad(rng.uniform(0, 360))
    beside = xy + np.array([np.cos(away), np.sin(away)]) * (radius + 14)
    return [
        Slab(rectangle(34, 9, beside, float(np.rad2deg(away))), 22, high - 18, glaze, glaze, None, _LAYER),
        Slab(regular(28, radius, xy), 0.0, high, glaze, glaze, None, _LAYER),
        Slab(regular(28, radius - 4, xy), high, high + 0.1, drink, glaze, None, _LAYER + 1),
    ]


def phone(rng: np.random.Generator, xy: Floats) -> list[Slab]:
    """A phone, its screen on or off."""
    screen = np.full((300, 144, 3), (14, 12, 12), np.uint8)
    if rng.random() < 0.5:
        inner = cv2.resize(rng.random((6, 3, 3), np.float32), (132, 284), interpolation=cv2.INTER_CUBIC)
        screen[8:292, 6:138] = np.clip(inner * 255, 0, 255).astype(np.uint8)
        for k in range(12):
            x, y = 18 + 30 * (k % 4), 130 + 36 * (k // 4)
            colour = _colour(rng, (0.4, 1.0), (0.5, 1.0))
            cv2.rectangle(screen, (x, y), (x + 20, y + 20), colour, -1)
    corners = rectangle(72, 150, xy, float(rng.uniform(0, 360)))
    gloss = float(rng.uniform(0.2, 0.9))
    return [Slab(corners, 0.0, 8.0, screen, (40, 38, 38), corners, _LAYER, gloss, (0.0, 0.0), 0.015)]


def card(rng: np.random.Generator, xy: Floats, lying: int = 0) -> list[Slab]:
    """A playing card of some other game, face up or face down."""
    picture = np.full((176, 126, 3), 244, np.uint8)
    ink = _colour(rng, (0.5, 1.0), (0.2, 0.8))
    if rng.random() < 0.5:
        picture[8:-8, 8:-8] = ink
        for k in range(-20, 20):
            cv2.line(picture, (8 + 12 * k, 8), (8 + 12 * k + 160, 168), (230, 230, 230), 1, cv2.LINE_AA)
    else:
        cv2.putText(picture, str(rng.integers(2, 11)), (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
        for x, y in rng.uniform([30, 40], [96, 136], (int(rng.integers(2, 8)), 2)):
            cv2.circle(picture, (int(x), int(y)), 10, ink, -1, cv2.LINE_AA)
    picture[[0, -1]] = picture[:, [0, -1]] = 170
    top = 0.35 * (lying + 1)
    corners = rectangle(63, 88, xy, float(rng.uniform(0, 360)))
    return [Slab(corners, top - 0.35, top, picture, (210, 210, 210), corners, _LAYER, float(rng.uniform(0, 0.3)))]


def cards(rng: np.random.Generator, xy: Floats) -> list[Slab]:
    """Some cards that lie about over one another."""
    return [slab for k in range(int(rng.integers(2, 5))) for slab in card(rng, xy + rng.normal(0, 14, 2), k)]


def pen(rng: np.random.Generator, xy: Floats) -> list[Slab]:
    """A pen or pencil."""
    colour = _colour(rng, (0.2, 1.0), (0.2, 0.9))
    outline = rectangle(142, 8, xy, float(rng.uniform(0, 180)))
    return [Slab(outline, 0.0, 8.0, colour, colour, None, _LAYER)]


def note(rng: np.random.Generator, xy: Floats) -> list[Slab]:
    """A sheet on which somebody keeps the score."""
    paper = np.full((210, 148, 3), (226, 240, 242), np.uint8)
    for y in range(18, 200, 14):
        cv2.line(paper, (6, y), (142, y), (214, 200, 188), 1)
        x = 12
        while x < 130 and rng.random() < 0.8:
            step = int(rng.integers(4, 16))
            cv2.line(paper, (x, y - int(rng.integers(0, 9))), (x + step, y - int(rng.integers(0, 9))), (110, 50, 40), 1,
                     cv2.LINE_AA)  # fmt: skip
            x += step + 3
    return [printed(paper, (105, 148), xy, float(rng.uniform(0, 360)), 0.2, side=(220, 220, 220), layer=_LAYER)]


def coins(rng: np.random.Generator, xy: Floats) -> list[Slab]:
    """A few coins or glass beads."""
    out = []
    for _ in range(int(rng.integers(2, 6))):
        metal = ((90, 150, 190), (170, 176, 180), (60, 100, 160))[rng.integers(3)]
        outline = regular(20, rng.uniform(8, 13), xy + rng.normal(0, 24, 2))
        out.append(Slab(outline, 0.0, 2.0, metal, metal, None, _LAYER))
    return out


def supply(colours: Mapping[str, tuple[int, int, int]]) -> Thing:
    """The cubes that a player has not laid yet, `colours` in RGB."""

    def heap(rng: np.random.Generator, xy: Floats) -> list[Slab]:
        red, green, blue = list(colours.values())[rng.integers(len(colours))]
        count = int(rng.integers(3, 10))
        places = turned(np.array([[13.0 * (k % 4), 13.0 * (k // 4)] for k in range(count)]), rng.uniform(0, 90), xy)
        return [
            cube((blue, green, red), CUBE_MM, place + rng.uniform(-1, 1, 2), float(rng.uniform(0, 90)), 0.0, _LAYER)
            for place in places
        ]

    return heap


def clutter(
    rng: np.random.Generator,
    camera: Camera,
    keep_clear_mm: Sequence[Floats],
    things: Sequence[Thing],
    count: int,
    reach_mm: tuple[float, float] = (330.0, 260.0),
    over_markers: float = OVER_MARKER_CHANCE,
) -> list[Slab]:
    """Things beside the game, one of them over a marker with chance `over_markers`.

    Nothing hides, as this camera sees it, any of the convex outlines (N, 2) mm in `keep_clear_mm`.
    """
    wanted = [cv2.convexHull(_seen(camera, outline, 2.0)) for outline in keep_clear_mm]
    markers = list(MARKER_CENTRES_MM.values())
    hidden = int(rng.integers(len(markers))) if rng.random() < over_markers else None
    uncovered = [cv2.convexHull(_seen(camera, rectangle(MARKER_MM, MARKER_MM, one), 0.0))
                 for k, one in enumerate(markers) if k != hidden]  # fmt: skip
    out: list[Slab] = []
    taken: list[Hull] = []
    for number in range(count):
        thing = things[int(rng.integers(len(things)))]
        for _ in range(_TRIES):
            xy = rng.uniform(-1, 1, 2) * reach_mm
            if number == 0 and hidden is not None:
                xy = np.array(markers[hidden]) + rng.normal(0, 30, 2)
            slabs = thing(rng, xy)
            hull = _outline(slabs)
            seen = [cv2.convexHull(np.vstack([_seen(camera, s.outline_mm, h) for h in (s.bottom_mm, s.top_mm)]))
                    for s in slabs]  # fmt: skip
            if any(_overlap(one, other) for one in seen for other in (*wanted, *uncovered)):
                continue
            if any(_overlap(hull, other) for other in taken):
                continue
            out += slabs
            taken.append(hull)
            break
    return out


def _outline(slabs: Sequence[Slab]) -> Hull:
    return np.asarray(cv2.convexHull(np.vstack([s.outline_mm for s in slabs]).astype(np.float32)))


def _seen(camera: Camera, outline_mm: Floats, height_mm: float) -> Hull:
    grown = outline_mm.mean(axis=0) + (outline_mm - outline_mm.mean(axis=0)) * (
        1 + _CLEAR_MM / (np.ptp(outline_mm, axis=0).max() / 2)
    )
    return camera.project(np.column_stack([grown, np.full(len(grown), -height_mm)])).astype(np.float32)


def _overlap(first: Hull, second: Hull) -> bool:
    return bool(cv2.intersectConvexConvex(first, second)[0] > 0)
