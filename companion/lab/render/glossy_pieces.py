"""Photographs of glossy candies and chips on tables: solids in soft light, with shadows, bounce and reflections."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sample_edition.style import Rgb
from companion.lab.render.chip_print import PRINTS, VALUES, print_on
from companion.lab.render.lights import LIGHTS, Light, make_light
from companion.lab.render.sensor import Optics, develop
from companion.lab.render.surfaces import SURFACE_MM, SURFACE_PX, TABLES, make_surface

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

CANDY_COLOURS: dict[str, Rgb] = {
    "red": (172, 18, 26),
    "orange": (232, 96, 18),
    "yellow": (236, 190, 22),
    "green": (58, 150, 44),
    "blue": (24, 104, 190),
    "brown": (74, 40, 26),
    "purple": (66, 20, 52),
    "pink": (226, 120, 150),
    "white": (230, 226, 214),
}
CHIP_COLOURS: dict[str, Rgb] = {
    "white": (226, 224, 216), "red": (180, 24, 32), "blue": (26, 56, 148), "green": (22, 108, 58),
    "black": (30, 30, 32), "yellow": (228, 186, 40), "purple": (84, 40, 110),
}  # fmt: skip
STYLES = tuple(PRINTS)[:3]  # of "chips": one colour; white spots at the edge; and a label in the middle
POKER_STYLES = tuple(PRINTS)[3:]  # of "poker" chips: stripes, dice, a second colour, printed values
GLOSS = 0.04  # light that a plastic or sugar shell reflects straight on (Schlick's approximation grows it aslant)
WINDOW_LIGHT = 14.0  # brightness of the lamp or window that is mirrored, beside white paper in its light
FINER_UP_TO = 4.0  # megapixels up to which every pixel is sampled twice across and down
SHADOW_MM = 0.4  # of the table a cell of the map of shadows
CALM_LIGHTS = ("window", "led")
CARD_MM = (63.0, 88.0)


@dataclass(frozen=True, slots=True)
class Kind:
    """Pieces of one kind: `oval` length over breadth, `style` of a chip's print or "" for candies; sizes in mm."""

    name: str
    colours: tuple[str, ...]
    radius_mm: float
    height_mm: float
    oval: float = 1.0
    style: str = ""

    @property
    def domed(self) -> bool:
        """Whether it is a flattened ball, not a disc."""
        return not self.style

    def albedo(self, colour: str) -> Floats:
        """(3,) linear BGR."""
        return _linear((CANDY_COLOURS if self.domed else CHIP_COLOURS)[colour])


def glossy_kind(name: str, rng: np.random.Generator) -> Kind:
    """ "candies", "chips" or "poker" chips in four to six colours, of sizes and styles drawn from `rng`."""
    every = list(CANDY_COLOURS if name == "candies" else CHIP_COLOURS)
    colours = tuple(str(c) for c in rng.permutation(every)[: int(rng.integers(4, 7))])
    if name == "candies":
        radius = float(rng.uniform(5.5, 8))
        return Kind(name, colours, radius, radius * float(rng.uniform(0.85, 1.4)), float(rng.choice([1.0, 1.0, 1.3])))
    styles = STYLES if name == "chips" else POKER_STYLES
    return Kind(name, colours, float(rng.uniform(17, 20)), float(rng.uniform(2.2, 3.4)), 1.0, str(rng.choice(styles)))


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    xy: Floats
    turn: float
    base_mm: float
    albedo: Floats
    colour: str


def _linear(rgb: Rgb) -> Floats:
    level = np.array(rgb[::-1], float) / 255
    return np.asarray(np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4))


@dataclass(frozen=True, slots=True, eq=False)
class _Eye:
    """A pinhole camera; table frame in mm, z up. `rotation` (3, 3) rows are the camera's axes."""

    size: tuple[int, int]
    focal: float
    rotation: Floats
    centre: Floats

    def project(self, points: Floats) -> Floats:
        seen = (points - self.centre) @ self.rotation.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + np.array(self.size) / 2)

    def rays(self, x: Singles, y: Singles) -> Singles:
        """(…, 3) directions, not of unit length, of pixels."""
        across, down = (x - self.size[0] / 2) / self.focal, (y - self.size[1] / 2) / self.focal
        return np.asarray(np.stack([across, down, np.ones_like(across)], axis=-1) @ self.rotation.astype(np.float32))


def _eye(size: tuple[int, int], area_mm: tuple[float, float], rng: np.random.Generator) -> _Eye:
    tilt, roll = np.deg2rad(rng.uniform(0, 32)), np.deg2rad(rng.uniform(-20, 20))
    focal = rng.uniform(0.75, 1.0) * max(size)
    forward = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, right)
    turn = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ np.stack([right, down, forward])
    half = np.array(area_mm) / 2
    corners = np.array([[sx * half[0], sy * half[1], 0] for sx in (-1, 1) for sy in (-1, 1)])
    distance = max(area_mm)
    while True:
        eye = _Eye(size, focal, rotation, -forward * distance)
        seen = eye.project(corners)
        if (seen > 4).all() and (seen < np.array(size) - 4).all():
            return eye
        distance *= 1.03


def _scatter(kind: Kind, count: int, area_mm: tuple[float, float], touching: float, rng: np.random.Generator) -> Floats:
    """(N, 2) middles: with chance `touching` beside one that is there, never on each other."""
    apart = 2 * kind.radius_mm * (kind.oval if kind.domed else 1.0)
    places: list[Floats] = []
    for _ in range(20_000):
        if len(places) == count:
            break
        if places and rng.random() < touching:
            away = rng.uniform(0, 2 * np.pi)
            other = places[rng.integers(len(places))]
            spot = other + np.array([np.cos(away), np.sin(away)]) * apart * rng.uniform(1.0, 1.03)
        else:
            spot = rng.uniform(-0.5, 0.5, 2) * area_mm
        if (np.abs(spot) <= np.array(area_mm) / 2).all() and all(
            np.linalg.norm(spot - other) >= apart for other in places
        ):
            places.append(spot)
    return np.array(places).reshape(-1, 2)


def _room(light: Light, directions: Singles) -> Singles:
    """(…, 3) what of the room is mirrored towards unit directions (…, 3): ceiling, walls, and the lamp or window."""
    to_light = light.position_mm * [1, 1, -1]
    middle = to_light / np.linalg.norm(to_light)
    reach = np.arctan2(max(light.radius_mm, 60.0), np.linalg.norm(to_light))
    cosine = np.clip(directions @ middle.astype(np.float32), -1, 1)
    shines = np.clip((reach * 1.15 - np.arccos(cosine)) / (0.3 * reach), 0, 1)[..., None]
    walls = (0.35 + 0.65 * np.clip(directions[..., 2:], 0, 1)) * light.ambient_bgr.astype(np.float32)
    return np.asarray(walls + WINDOW_LIGHT * shines * light.key_bgr.astype(np.float32))


def _shades(
    kind: Kind, pieces: list[_Piece], light: Light, low: Floats, shape: tuple[int, int]
) -> tuple[Singles, Singles, Singles]:
    """Maps of the table, in cells of SHADOW_MM from `low`: (H, W, 1) key light and ambient light left, and (H, W, 3)
    what the pieces throw on it."""
    circle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([np.cos(circle), np.sin(circle)], axis=1)
    left = np.zeros(shape, np.float32)
    for sample in light.samples_mm * [1, 1, -1]:
        dark = np.zeros(shape, np.uint8)
        for piece in pieces:
            slope = sample[:2] - piece.xy
            hull = []
            for part in (0.15, 0.5, 0.85) if kind.domed else (0.0, 1.0):
                high = piece.base_mm + part * kind.height_mm
                reach = kind.radius_mm * (np.sqrt(1 - (2 * part - 1) ** 2) if kind.domed else 1.0)
                middle = piece.xy - slope * high / max(sample[2] - high, 1.0)
                hull.append(middle + ring @ _turned(piece.turn) * [reach * kind.oval, reach] @ _turned(-piece.turn))
            points = (np.concatenate(hull) - low) / SHADOW_MM
            cv2.fillConvexPoly(dark, cv2.convexHull(np.round(points).astype(np.int32)), 1)
        left += 1 - dark
    left /= len(light.samples_mm)
    under = np.zeros(shape, np.float32)
    thrown = np.zeros((*shape, 3), np.float32)
    for piece in pieces:
        spot = tuple(int(v) for v in np.round((piece.xy - low) / SHADOW_MM))
        cv2.circle(under, spot, round(kind.radius_mm / SHADOW_MM), 1.0, -1)
        cv2.circle(thrown, spot, round(kind.radius_mm / SHADOW_MM), tuple(float(v) for v in piece.albedo), -1)
    near = 0.45 * kind.height_mm / SHADOW_MM
    open_sky = 1 - 0.55 * cv2.GaussianBlur(under, (0, 0), near)
    bounce = 0.16 * cv2.GaussianBlur(thrown, (0, 0), 1.4 * near)
    return cv2.GaussianBlur(left, (0, 0), 1.0)[..., None], open_sky[..., None], bounce


def _turned(angle: float) -> Floats:
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    surface: NDArray[np.uint8]
    turn: float
    gloss: float
    cards: tuple[tuple[Floats, float], ...]

    def albedo(self, xy: Singles) -> Singles:
        """(H, W, 3) linear BGR at places (H, W, 2) in mm."""
        laid = (xy @ _turned(self.turn).astype(np.float32)) * np.float32(SURFACE_PX / SURFACE_MM) % SURFACE_PX
        wrapped = cv2.copyMakeBorder(self.surface, 0, 2, 0, 2, cv2.BORDER_WRAP)
        seen = cv2.remap(wrapped, laid[..., 0], laid[..., 1], cv2.INTER_LINEAR)
        linear = np.asarray((seen.astype(np.float32) / 255) ** 2.2)
        for middle, turn in self.cards:
            own = (xy - middle.astype(np.float32)) @ _turned(turn).astype(np.float32)
            on = (np.abs(own) < np.array(CARD_MM, np.float32) / 2).all(axis=-1)
            linear[on] = _card(own[on])
        return linear


def _card(own: Singles) -> Singles:
    """(N, 3) linear BGR of a playing card's face: red pips, round enough to be taken for pieces."""
    colour = np.full((len(own), 3), 0.82, np.float32)
    for x in (-15.0, 15.0):
        for y in (-28.0, -9.5, 9.5, 28.0):
            off = own - np.array([x, y], np.float32)
            pip = (np.abs(off).sum(axis=1) < 7.5) | (np.linalg.norm(off, axis=1) < 5.0)
            colour[pip] = (0.02, 0.02, 0.5)
    return colour


def _lit_table(table: _Table, eye: _Eye, light: Light, kind: Kind, pieces: list[_Piece]) -> Singles:
    """(H, W, 3) linear light of the table with the pieces' shadows on it."""
    width, height = eye.size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) + 0.5, np.arange(height, dtype=np.float32) + 0.5)
    rays = eye.rays(x, y)
    far = np.float32(-eye.centre[2]) / rays[..., 2]
    xy = np.asarray(eye.centre[:2].astype(np.float32) + rays[..., :2] * far[..., None])
    low = xy.reshape(-1, 2).min(axis=0).astype(float) - 5
    cells = np.ceil((xy.reshape(-1, 2).max(axis=0) + 5 - low) / SHADOW_MM).astype(int)
    key, ambient, bounce = _shades(kind, pieces, light, low, (int(cells[1]), int(cells[0])))
    at = ((xy - low.astype(np.float32)) / np.float32(SHADOW_MM)).astype(np.float32)
    key, ambient, bounce = (
        cv2.remap(part, at[..., 0], at[..., 1], cv2.INTER_LINEAR).reshape(height, width, -1)
        for part in (key, ambient, bounce)
    )
    to_light = light.position_mm * [1, 1, -1]
    gap = to_light.astype(np.float32) - np.concatenate([xy, np.zeros_like(xy[..., :1])], axis=-1)
    falls = gap[..., 2] / np.linalg.norm(gap, axis=-1) ** 3
    falls /= to_light[2] / np.linalg.norm(to_light) ** 3
    lit = key * falls[..., None] * light.key_bgr.astype(np.float32) + ambient * light.ambient_bgr.astype(np.float32)
    seen = table.albedo(xy) * (lit + bounce)
    if table.gloss:
        unit = rays / np.linalg.norm(rays, axis=-1, keepdims=True)
        mirrored = _room(light, unit * np.array([1, 1, -1], np.float32))
        seen = seen + table.gloss * cv2.GaussianBlur(mirrored, (0, 0), 0.02 * width) * key
    return np.asarray(seen.astype(np.float32))


def _draw_piece(canvas: Singles, kind: Kind, piece: _Piece, eye: _Eye, light: Light, table_bgr: Floats) -> None:
    """One piece over what lies behind it."""
    reach = kind.radius_mm * kind.oval * 1.05
    box = np.array(
        [
            [piece.xy[0] + sx * reach, piece.xy[1] + sy * reach, piece.base_mm + z]
            for sx in (-1, 1)
            for sy in (-1, 1)
            for z in (0, kind.height_mm)
        ]
    )
    seen = eye.project(box)
    low, high = np.floor(seen.min(axis=0)).astype(int), np.ceil(seen.max(axis=0)).astype(int)
    low, high = np.maximum(low, 0), np.minimum(high, eye.size)
    if (high <= low).any():
        return
    x, y = np.meshgrid(
        np.arange(low[0], high[0]).astype(np.float32) + 0.5, np.arange(low[1], high[1]).astype(np.float32) + 0.5
    )
    rays = eye.rays(x, y)
    start = (eye.centre - [*piece.xy, piece.base_mm]).astype(np.float32)
    point, normal, on = _on_dome(kind, piece.turn, start, rays) if kind.domed else _on_disc(kind, start, rays)
    if not on.any():
        return
    point, normal, ray = point[on], normal[on], rays[on]
    ray = ray / np.linalg.norm(ray, axis=1, keepdims=True)
    albedo = _print(kind, piece, point, normal)
    to_light = light.position_mm * [1, 1, -1] - [*piece.xy, 0]
    unit = (to_light / np.linalg.norm(to_light)).astype(np.float32)
    facing = np.clip((normal @ unit + 0.12) / 1.12, 0, None)[:, None] / max(unit[2], 0.2)
    up = 0.5 + 0.5 * normal[:, 2:]
    lit = facing * light.key_bgr + light.ambient_bgr * up + (1 - up) * 0.7 * table_bgr
    glance = np.clip(-(ray * normal).sum(axis=1), 0, 1)[:, None]
    gloss = GLOSS + (1 - GLOSS) * (1 - glance) ** 5
    mirrored = ray + 2 * glance * normal
    room = np.where(mirrored[:, 2:] > 0, _room(light, mirrored), 0.6 * table_bgr.astype(np.float32))
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    patch[on] = (albedo * lit * (1 - gloss) + gloss * room).astype(np.float32)


def _on_dome(kind: Kind, turn: float, start: Singles, rays: Singles) -> tuple[Singles, Singles, NDArray[np.bool_]]:
    """Points and unit normals (H, W, 3) of an ellipsoid on the table, the piece's middle at the origin; where it is."""
    turned = np.eye(3, dtype=np.float32)
    turned[:2, :2] = _turned(turn)
    axes = np.array([kind.radius_mm * kind.oval, kind.radius_mm, kind.height_mm / 2], np.float32)
    middle = np.array([0, 0, kind.height_mm / 2], np.float32)
    o, d = (start - middle) @ turned.T / axes, rays @ turned.T / axes
    a, b, c = (d * d).sum(-1), (d * o).sum(-1), float(o @ o) - 1
    inside = b * b - a * c
    far = (-b - np.sqrt(np.maximum(inside, 0))) / a
    local = o + far[..., None] * d
    normal = (local / axes) @ turned
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return (local * axes) @ turned + middle, normal, inside > 0


def _on_disc(kind: Kind, start: Singles, rays: Singles) -> tuple[Singles, Singles, NDArray[np.bool_]]:
    """The same of a short cylinder with a rounded edge."""
    top = start + ((kind.height_mm - start[2]) / rays[..., 2])[..., None] * rays
    radius = kind.radius_mm
    off = np.linalg.norm(top[..., :2], axis=-1)
    on_top = off <= radius
    a = (rays[..., :2] ** 2).sum(-1) + 1e-12
    b, c = rays[..., :2] @ start[:2], float(start[:2] @ start[:2]) - radius**2
    inside = b * b - a * c
    far = (-b - np.sqrt(np.maximum(inside, 0))) / a
    side = start + far[..., None] * rays
    on_side = (inside > 0) & (side[..., 2] >= 0) & (side[..., 2] <= kind.height_mm) & ~on_top
    point = np.where(on_top[..., None], top, side)
    outward = np.concatenate([point[..., :2], np.zeros_like(point[..., :1])], axis=-1)
    outward /= np.linalg.norm(outward, axis=-1, keepdims=True) + 1e-6
    lean = np.clip((off - 0.95 * radius) / (0.05 * radius), 0, 1)[..., None]  # a rounded edge mirrors another place
    rounded = np.array([0, 0, 1], np.float32) * (1 - 0.6 * lean) + 0.6 * lean * outward
    normal = np.where(on_top[..., None], rounded, outward)
    return point, normal / np.linalg.norm(normal, axis=-1, keepdims=True), on_top | on_side


def _print(kind: Kind, piece: _Piece, point: Singles, normal: Singles) -> Singles:
    """(N, 3) linear BGR of a piece's surface: moulded rings, spots and label of a chip; a candy's is one colour."""
    albedo = np.tile(piece.albedo.astype(np.float32), (len(point), 1))
    if kind.domed:
        return albedo
    around = (np.arctan2(point[:, 1], point[:, 0]) + piece.turn) % (2 * np.pi)
    white = _linear(CHIP_COLOURS["blue" if piece.colour == "white" else "white"])
    second = _linear(CHIP_COLOURS["yellow" if piece.colour in ("red", "purple", "black") else "red"])
    value = VALUES[piece.colour]
    print_on(albedo, kind.style, (white, second), value, point[:, :2] / kind.radius_mm, normal[:, 2], around)
    return albedo


def glossy_picture(
    kind: Kind,
    seed: int,
    number: int,
    *,
    one_room: bool,
    taught: bool = False,
    megapixels: float = 1.2,
    calm: bool = False,
) -> tuple[bytes, dict[str, Any]]:
    """A JPEG and its truth: mixed colours, or (`taught`) three pieces of every colour lying apart.

    `one_room`: table and light are the same for all pictures of a seed; else each has its own, and what is taught lies
    on a white table. `calm`: by daylight or many lamps, well exposed, on a table that mirrors nothing. The truth has
    `counts`, and `pieces` with `colour`, `px` and `box` (x, y, width, height).
    """
    rng = np.random.default_rng([seed, 71, number])
    size = _size(megapixels, number)
    across = 2 * kind.radius_mm * kind.oval * (8.0 if taught else float(rng.uniform(6, 14)))
    area = (across, across * size[1] / size[0])
    most = 0.45 * across * area[1] / (2 * kind.radius_mm * kind.oval) ** 2  # of squares of a piece's breadth
    count = 3 * len(kind.colours) if taught else int(rng.integers(5, max(8, min(45, int(most)))))
    places = _scatter(kind, count, area, 0.0 if taught else float(rng.uniform(0, 0.8)), rng)
    colours = [kind.colours[k % len(kind.colours)] for k in range(count)] if taught else []
    colours = colours or [str(rng.choice(kind.colours)) for _ in places]
    pieces = []
    for place, colour in zip(places, colours, strict=False):
        shade = np.exp(rng.normal(0, 0.05) + rng.normal(0, 0.02, 3))
        pieces.append(_Piece(place, float(rng.uniform(0, np.pi)), 0.0, kind.albedo(colour) * shade, colour))
    room = np.random.default_rng([seed, 73]) if one_room else rng
    lights, tables = (seed, seed) if one_room else (number, number // 2)
    names = CALM_LIGHTS if calm else LIGHTS
    light = make_light(names[lights % len(names)], room)
    exposure = (1.0 if calm else light.exposure) * float(rng.uniform(0.85, 1.25))
    light = replace(light, exposure=exposure)
    name = "white" if taught and not one_room else TABLES[tables % len(TABLES)]
    margin = 4 * kind.radius_mm
    cards = () if taught or kind.domed or number % 3 else _cards(area, rng)
    gloss = float(rng.choice([0.0, 0.02, 0.05])) if name in ("wood", "dark") and not calm else 0.0
    table = _Table(make_surface(name, room), float(rng.uniform(0, 6)), gloss, cards)
    finer = 2 if megapixels <= FINER_UP_TO else 1
    eye = _eye((size[0] * finer, size[1] * finer), (area[0] + margin, area[1] + margin), rng)
    canvas = _lit_table(table, eye, light, kind, pieces)
    table_bgr = np.median(canvas.reshape(-1, 3)[::97], axis=0).astype(float)
    for piece in sorted(pieces, key=lambda p: -float(np.linalg.norm(eye.centre[:2] - p.xy))):
        _draw_piece(canvas, kind, piece, eye, light, table_bgr)
    linear = canvas if finer == 1 else cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
    picture = develop(linear, light, phone_optics(rng), rng)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 94))])[1].tobytes()
    return jpeg, {
        "counts": {colour: Counter(p.colour for p in pieces)[colour] for colour in kind.colours},
        "pieces": [_entry(kind, piece, eye, finer) for piece in pieces],
        "conditions": {"table": name, "light": light.name, "cards": len(cards), "size": list(size)},
    }


def phone_optics(rng: np.random.Generator) -> Optics:
    """The flaws of a phone: a good lens, much sharpening, colour noise that its denoising leaves in blotches."""
    return Optics(
        float(rng.uniform(0.4, 1.0)), float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.2, 0.9)), 90, mosaic=True,
        blotches=float(rng.uniform(0.0, 0.003)), metered=float(rng.uniform(0.18, 0.3)),
    )  # fmt: skip


def _size(megapixels: float, number: int) -> tuple[int, int]:
    long, short = round(1000 * np.sqrt(megapixels * 4 / 3)), round(1000 * np.sqrt(megapixels * 3 / 4))
    return (long, short) if number % 3 else (short, long)


def _cards(area: tuple[float, float], rng: np.random.Generator) -> tuple[tuple[Floats, float], ...]:
    """One or two playing cards somewhere at the rim of where the pieces lie."""
    spots = [rng.uniform(-0.5, 0.5, 2) * area for _ in range(int(rng.integers(1, 3)))]
    return tuple((spot, float(rng.uniform(0, np.pi))) for spot in spots)


def _entry(kind: Kind, piece: _Piece, eye: _Eye, finer: int) -> dict[str, Any]:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    reach = np.stack([np.cos(angles) * kind.radius_mm * kind.oval, np.sin(angles) * kind.radius_mm], axis=1)
    flat = piece.xy + reach @ _turned(piece.turn)
    levels = (0.5,) if kind.domed else (0.0, 1.0)
    points = np.concatenate([np.column_stack([flat, np.full(len(flat), kind.height_mm * v)]) for v in levels])
    seen = eye.project(points) / finer
    low, high = seen.min(axis=0), seen.max(axis=0)
    box = [round(float(v)) for v in (*low, *(high - low))]
    return {"colour": piece.colour, "px": [round(float(v), 1) for v in (low + high) / 2], "box": box}
