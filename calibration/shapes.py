"""Vector shapes of the tile art: each is a few closed polygons in the square from -1 to 1, y downwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(N, 2) float64, corners of a closed polygon in shape units: x right, y down, the shape within -1..1."""

CURVE_POINTS = 72


@dataclass(frozen=True, slots=True)
class Layer:
    """One closed polygon of a shape: drawn in ink, or cut out of the ink below it."""

    points: Points
    ink: bool = True


Shape = tuple[Layer, ...]


def disc(x: float, y: float, radius: float) -> Points:
    """A circle as a polygon."""
    angle = np.linspace(0.0, 2 * np.pi, CURVE_POINTS, endpoint=False)
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=1)


def star(points: int, inner: float, outer: float = 1.0, turn: float = 0.0) -> Points:
    """A star with its first point upwards; `turn` in radians."""
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2 + turn
    radius = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def rosette(lobes: int, depth: float, turn: float = 0.0) -> Points:
    """A round shape whose radius swings `lobes` times by `depth` (0..1)."""
    angle = np.linspace(0.0, 2 * np.pi, 4 * CURVE_POINTS, endpoint=False)
    radius = (1.0 - depth) + depth * np.cos(lobes * angle)
    return np.stack([radius * np.cos(angle + turn), radius * np.sin(angle + turn)], axis=1)


def lens(x0: float, y0: float, x1: float, y1: float, width: float) -> Points:
    """A pointed oval from one tip to the other; `width` is its half width in the middle."""
    tip, tail = np.array([x0, y0]), np.array([x1, y1])
    along = tail - tip
    across = np.array([-along[1], along[0]]) / np.hypot(*along)
    t = np.linspace(0.0, 1.0, CURVE_POINTS // 2)[:, None]
    bulge = width * np.sin(np.pi * t)
    there, back = tip + along * t + across * bulge, tip + along * t - across * bulge
    return np.concatenate([there, back[::-1]])


def band(centre: Points, half_width: float) -> Points:
    """A line through `centre` (N, 2), thickened by `half_width` on both sides."""
    along = np.gradient(centre, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(along[:, 0], along[:, 1])[:, None]
    return np.concatenate([centre + across * half_width, (centre - across * half_width)[::-1]])


def _polygon(*corners: tuple[float, float]) -> Points:
    return np.array(corners, np.float64)


def leaf() -> Shape:
    """A broad leaf with its middle vein and two side veins."""
    vein = band(np.array([[-0.62, 0.66], [0.0, 0.0], [0.5, -0.5]]), 0.05)
    side = [band(np.array([[x, -x], [x + 0.05, -x - 0.42]]), 0.035) for x in (-0.25, 0.12)]
    stalk = band(np.array([[-0.95, 0.98], [-0.6, 0.62]]), 0.06)
    return (
        Layer(stalk),
        Layer(lens(-0.75, 0.8, 0.9, -0.85, 0.52)),
        Layer(vein, False),
        *(Layer(s, False) for s in side),
    )


def flower() -> Shape:
    """Five round petals around an open middle."""
    angle = np.arange(5) * 2 * np.pi / 5 - np.pi / 2
    petals = [Layer(disc(0.58 * np.cos(a), 0.58 * np.sin(a), 0.38)) for a in angle]
    return (*petals, Layer(disc(0, 0, 0.34), False), Layer(disc(0, 0, 0.2)))


def conifer() -> Shape:
    """Three tiers of a tree on a trunk."""
    tiers = [
        _polygon((0, -1 + 0.5 * k), (0.42 + 0.2 * k, -0.25 + 0.5 * k), (-0.42 - 0.2 * k, -0.25 + 0.5 * k))
        for k in range(3)
    ]
    return (*(Layer(t) for t in tiers), Layer(_polygon((-0.14, 0.7), (0.14, 0.7), (0.14, 1), (-0.14, 1))))


def mushroom() -> Shape:
    """A cap with three spots on a stout stem."""
    angle = np.linspace(np.pi, 2 * np.pi, CURVE_POINTS)
    cap = np.stack([0.95 * np.cos(angle), 0.1 + 0.95 * np.sin(angle)], axis=1)
    stem = _polygon((-0.24, 0.2), (0.24, 0.2), (0.36, 0.9), (0.2, 1), (-0.2, 1), (-0.36, 0.9))
    spots = [disc(-0.45, -0.22, 0.14), disc(0.08, -0.5, 0.17), disc(0.5, -0.16, 0.12)]
    return (Layer(cap), Layer(stem), *(Layer(s, False) for s in spots))


def drop() -> Shape:
    """A falling drop with a glint."""
    angle = np.linspace(0.0, 2 * np.pi, CURVE_POINTS, endpoint=False)
    outline = np.stack([0.72 * np.sin(angle) * np.sin(angle / 2) ** 1.4, -np.cos(angle)], axis=1)
    outline[:, 1] = np.where(outline[:, 1] < 0, outline[:, 1], outline[:, 1] * 0.92)
    return (Layer(outline), Layer(lens(-0.38, 0.25, -0.05, 0.72, 0.09), False))


def waves() -> Shape:
    """Three rolling lines."""
    x = np.linspace(-0.95, 0.95, CURVE_POINTS)
    return tuple(Layer(band(np.stack([x, y + 0.16 * np.sin(5.2 * x)], axis=1), 0.1)) for y in (-0.58, 0.0, 0.58))


def shell() -> Shape:
    """A fan of ribs on a hinge."""
    angle = np.linspace(-0.42 * np.pi, 0.42 * np.pi, CURVE_POINTS)
    edge = 1.55 * (0.95 + 0.05 * np.cos(15 * angle))
    fan = np.stack([edge * np.sin(angle) * 0.68, 0.72 - edge * np.cos(angle)], axis=1)
    ribs = [
        band(np.array([[0.0, 0.5], [1.3 * np.sin(a) * 0.62, 0.72 - 1.28 * np.cos(a)]]), 0.035)
        for a in (-0.8, -0.4, 0.0, 0.4, 0.8)
    ]
    hinge = _polygon((-0.34, 0.6), (0.34, 0.6), (0.24, 0.92), (-0.24, 0.92))
    return (Layer(np.concatenate([fan, [[0.12, 0.8], [-0.12, 0.8]]])), *(Layer(r, False) for r in ribs), Layer(hinge))


def crystal() -> Shape:
    """Six arms of ice with barbs."""
    layers: list[Layer] = []
    for turn in np.arange(6) * np.pi / 3:
        rotate = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        parts = (
            np.array([[0.0, 0.0], [0.0, -0.98]]),
            np.array([[-0.28, -0.85], [0.0, -0.52]]),
            np.array([[0.28, -0.85], [0.0, -0.52]]),
        )
        layers += [Layer(band(p @ rotate, 0.075)) for p in parts]
    return tuple(layers)


def flame() -> Shape:
    """A flame with a second tongue inside."""
    outer = _polygon(
        (0.05, -1), (0.3, -0.55), (0.22, -0.25), (0.5, -0.45), (0.72, 0.1), (0.66, 0.55), (0.38, 0.9), (0, 1),
        (-0.4, 0.9), (-0.68, 0.55), (-0.7, 0.1), (-0.45, -0.3), (-0.36, 0.0), (-0.15, -0.4),
    )  # fmt: skip
    inner = _polygon((0.02, 0.0), (0.26, 0.35), (0.24, 0.66), (0, 0.84), (-0.26, 0.66), (-0.26, 0.35))
    return (Layer(outer), Layer(inner, False))


def sun() -> Shape:
    """A disc with twelve rays."""
    return (Layer(star(12, 0.62)), Layer(disc(0, 0, 0.56), False), Layer(disc(0, 0, 0.44)))


def lantern() -> Shape:
    """A hanging lantern: ring, roof, glass with its light, foot."""
    ring = (Layer(disc(0, -0.82, 0.2)), Layer(disc(0, -0.82, 0.11), False))
    roof = _polygon((-0.2, -0.7), (0.2, -0.7), (0.55, -0.36), (-0.55, -0.36))
    glass = _polygon((-0.44, -0.3), (0.44, -0.3), (0.58, 0.62), (-0.58, 0.62))
    pane = _polygon((-0.3, -0.16), (0.3, -0.16), (0.4, 0.48), (-0.4, 0.48))
    foot = _polygon((-0.66, 0.7), (0.66, 0.7), (0.66, 0.95), (-0.66, 0.95))
    light = lens(0.0, -0.12, 0.0, 0.46, 0.17)
    return (*ring, Layer(roof), Layer(glass), Layer(pane, False), Layer(light), Layer(foot))


def volcano() -> Shape:
    """A mountain with a notch, a stream and three sparks."""
    mountain = _polygon((-0.3, -0.2), (-0.12, -0.05), (0.08, -0.2), (0.3, -0.12), (1, 0.95), (-1, 0.95))
    stream = band(np.array([[0.1, -0.08], [0.02, 0.25], [0.16, 0.5], [0.08, 0.8]]), 0.07)
    sparks = [disc(-0.35, -0.6, 0.14), disc(0.08, -0.82, 0.17), disc(0.46, -0.52, 0.12)]
    return (Layer(mountain), Layer(stream, False), *(Layer(s) for s in sparks))


def crown() -> Shape:
    """A crown of five points on a band."""
    points = _polygon(
        (-0.9, -0.6),
        (-0.48, 0.0),
        (-0.3, -0.8),
        (0, -0.1),
        (0.3, -0.8),
        (0.48, 0.0),
        (0.9, -0.6),
        (0.72, 0.45),
        (-0.72, 0.45),
    )
    return (Layer(points), Layer(_polygon((-0.72, 0.58), (0.72, 0.58), (0.72, 0.85), (-0.72, 0.85))))


SYMBOLS: dict[str, tuple[Callable[[], Shape], ...]] = {
    "flora": (leaf, flower, conifer, mushroom),
    "water": (waves, drop, shell, crystal),
    "fire": (flame, sun, volcano, lantern),
    "bonus": (crown,),
}
"""The sample edition's symbols: theme -> shapes in the order of the catalogue's symbol numbers."""


INVENTED_KINDS = 4


def invented(rng: np.random.Generator, kind: int) -> Shape:
    """A shape of no meaning, for made-up editions: rosette, star, mirrored blob (0-2; some with a hole) or bars (3)."""
    turn = rng.uniform(0, np.pi)
    if kind == 0:
        body = rosette(int(rng.integers(3, 9)), rng.uniform(0.15, 0.42), turn)
    elif kind == 1:
        body = star(int(rng.integers(3, 10)), rng.uniform(0.3, 0.7), 1.0, turn)
    elif kind == 2:
        body = _mirrored_blob(rng)
    else:
        stripes = int(rng.integers(2, 5))
        heights = np.linspace(-0.75, 0.75, stripes)
        slant = rng.uniform(-0.3, 0.3)
        return tuple(
            Layer(
                band(np.array([[-0.8, y - slant], [0.0, y + rng.uniform(-0.2, 0.2)], [0.8, y + slant]]), 0.5 / stripes)
            )
            for y in heights
        )
    hole = rng.integers(3)
    if hole == 1:
        return (Layer(body), Layer(disc(0, 0, rng.uniform(0.16, 0.34)), False))
    if hole == 2:
        return (Layer(body), Layer(body * rng.uniform(0.55, 0.7), False), Layer(body * rng.uniform(0.25, 0.42)))
    return (Layer(body),)


def _mirrored_blob(rng: np.random.Generator) -> Points:
    """A closed outline with left-right symmetry through random radii, smoothed."""
    knots = rng.uniform(0.35, 1.0, 8)
    half = np.interp(np.linspace(0, 7, CURVE_POINTS), np.arange(8), knots)
    half = np.convolve(np.pad(half, 4, mode="edge"), np.ones(9) / 9, mode="valid")
    angle = np.linspace(-np.pi / 2, np.pi / 2, CURVE_POINTS)
    right = np.stack([half * np.cos(angle), half * np.sin(angle)], axis=1)
    return np.concatenate([right, (right * [-1, 1])[::-1]])
