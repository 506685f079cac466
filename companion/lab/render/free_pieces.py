"""Pictures of loose pieces on a table, many of them touching: candies, chips and cubes, with their true counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from companion.lab.render.camera import View, over_table
from companion.lab.render.lights import LIGHTS, Light, make_light
from companion.lab.render.picture import RenderedScene, render
from companion.lab.render.pieces import Slab, cube, rectangle, regular
from companion.lab.render.sensor import make_optics
from companion.lab.render.surfaces import TABLES, make_surface

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of loose piece: its colours (RGB), radius or half side, and height in mm."""

    name: str
    colours: dict[str, Rgb]
    radius_mm: float
    height_mm: float


CANDIES = Kind(
    "candies",
    {"red": (176, 24, 30), "yellow": (226, 186, 20), "green": (70, 150, 40), "purple": (70, 28, 58)},
    6.5,
    8.0,
)
CHIPS = Kind(
    "chips",
    {
        "white": (228, 226, 218),
        "red": (180, 30, 38),
        "blue": (28, 60, 150),
        "black": (30, 30, 32),
        "green": (24, 110, 60),
    },
    14.0,
    3.2,
)
CUBES = Kind(
    "cubes",
    {"orange": (226, 112, 26), "yellow": (232, 196, 40), "teal": (40, 148, 150), "brown": (104, 68, 42)},
    5.0,
    10.0,
)
KINDS = (CANDIES, CHIPS, CUBES)
_DOME_STEPS = 9


def piece(kind: Kind, colour: str, xy: Floats, rng: np.random.Generator, light: Light) -> list[Slab]:
    """The slabs of one loose piece standing on the table at `xy` mm."""
    rgb = np.clip(np.array(kind.colours[colour], float) * rng.uniform(0.93, 1.07), 0, 255)
    bgr = _bgr(rgb)
    if kind.name == "cubes":
        return [cube(bgr, 2 * kind.radius_mm, xy, float(rng.uniform(0, 90)), 0.0, layer=1)]
    if kind.name == "chips":
        rim = Slab(regular(36, kind.radius_mm, xy), 0.0, kind.height_mm, bgr, _bgr(rgb * 0.8), None, layer=1)
        face = Slab(
            regular(36, kind.radius_mm * 0.72, xy), kind.height_mm, kind.height_mm, _bgr(rgb * 0.93), bgr, None, layer=2
        )
        return [rim, face]
    return _dome(kind, rgb, xy, light)


def _dome(kind: Kind, rgb: Floats, xy: Floats, light: Light) -> list[Slab]:
    """A candy: a flattened ball from stacked discs, darker to the rim, with a glint towards the light."""
    slabs = []
    for step in range(_DOME_STEPS):
        low, high = (step / _DOME_STEPS, (step + 1) / _DOME_STEPS)
        radius = kind.radius_mm * np.sqrt(1 - (2 * (low + high) / 2 - 1) ** 2 * 0.96)
        facing = 0.72 + 0.34 * high if high > 0.5 else 0.6
        colour = _bgr(np.clip(rgb * facing, 0, 255))
        outline = regular(28, radius, xy)
        slabs.append(Slab(outline, kind.height_mm * low, kind.height_mm * high, colour, colour, None, layer=1 + step))
    to_light = light.position_mm[:2] / (np.linalg.norm(light.position_mm) + 1e-9)
    glint = _bgr(np.clip(rgb + 120, 0, 255))
    spot = regular(16, kind.radius_mm * 0.16, xy + to_light * kind.radius_mm * 0.45)
    slabs.append(Slab(spot, kind.height_mm, kind.height_mm, glint, glint, None, layer=1 + _DOME_STEPS))
    return slabs


def _bgr(rgb: Floats) -> tuple[int, int, int]:
    red, green, blue = (int(c) for c in rgb)
    return blue, green, red


def scatter(kind: Kind, count: int, area_mm: tuple[float, float], touching: float, rng: np.random.Generator) -> Floats:
    """(count, 2) places; with chance `touching` a piece lies against one that is there already."""
    reach = kind.radius_mm * (2.83 if kind.name == "cubes" else 2.0)
    places: list[Floats] = []
    tries = 0
    while len(places) < count and tries < 20_000:
        tries += 1
        if places and rng.random() < touching:
            away = rng.uniform(0, 2 * np.pi)
            other = places[rng.integers(len(places))]
            spot = other + np.array([np.cos(away), np.sin(away)]) * (reach + rng.uniform(0.0, 0.04) * kind.radius_mm)
        else:
            spot = rng.uniform(-0.5, 0.5, 2) * area_mm
        inside = (np.abs(spot) <= np.array(area_mm) / 2).all()
        if inside and all(np.linalg.norm(spot - other) >= reach for other in places):
            places.append(spot)
    return np.array(places)


def loose_picture(
    kind: Kind, seed: int, number: int, *, only: str | None = None, size: tuple[int, int] | None = None
) -> tuple[bytes, dict[str, Any]]:
    """A JPEG and its truth: mixed colours, or four pieces of one colour lying apart (`only`), to learn it from."""
    rng = np.random.default_rng([seed, 70, number])
    size = size or ((1280, 960), (1280, 720))[number % 2]
    across = kind.radius_mm * 2 * rng.uniform(9, 24)
    area = (across, across * 0.6)
    count = 4 if only else int(rng.integers(3, 36))
    places = scatter(kind, count, area, 0.0 if only else rng.uniform(0, 0.7), rng)
    light = make_light(LIGHTS[number % 4], rng)
    colours = [only or str(rng.choice(list(kind.colours))) for _ in places]
    slabs = [
        slab for colour, place in zip(colours, places, strict=True) for slab in piece(kind, colour, place, rng, light)
    ]
    frame = rectangle(across + 5 * kind.radius_mm, across * 0.6 + 5 * kind.radius_mm, (0, 0))
    camera = over_table(rng, size, must_see_mm=frame, tilt_deg=22, slack=(1.02, 1.3))
    scene = RenderedScene(make_surface(TABLES[(number // 2) % 5], rng), float(rng.uniform(0, 6)), tuple(slabs))
    optics = make_optics(rng)
    picture, _ = render(scene, View(camera), light, optics, rng)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, optics.jpeg_quality])[1].tobytes()
    tops = np.column_stack([places, np.full(len(places), -kind.height_mm / 2)])
    pieces = [{"colour": c, "px": np.round(p, 1).tolist()} for c, p in zip(colours, camera.project(tops), strict=True)]
    return jpeg, {
        "kind": kind.name,
        "counts": {colour: Counter(colours)[colour] for colour in kind.colours},
        "pieces": pieces,
        "conditions": {"table": TABLES[(number // 2) % 5], "light": light.name},
    }
