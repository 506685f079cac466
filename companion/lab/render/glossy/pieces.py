"""Draws glossy pieces: domes and discs that are lit, mirror the room and bear their print."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.lab.render.glossy.chip_print import FIGURE_PX, VALUES, figures, print_on
from companion.lab.render.glossy.eye import Eye, turning
from companion.lab.render.glossy.kinds import CHIP_COLOURS, Kind, Piece, to_linear
from companion.lab.render.glossy.table import mirrored_room
from companion.lab.render.lights import Light

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

GLOSS = 0.04  # light that a plastic or sugar shell reflects straight on (Schlick's approximation grows it aslant)


def draw_piece(canvas: Singles, kind: Kind, piece: Piece, eye: Eye, light: Light, table_bgr: Floats) -> None:
    """Draw one piece over what lies behind it on a canvas (H, W, 3) linear; `table_bgr` (3,) is the table's light."""
    reach = kind.radius_mm * piece.size * max(1.0, kind.oval * piece.oval) * 1.05
    box = np.array(
        [
            [piece.xy[0] + sx * reach, piece.xy[1] + sy * reach, piece.base_mm + z]
            for sx in (-1, 1)
            for sy in (-1, 1)
            for z in (0, 2 * middle_mm(kind, piece))
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
    point, normal, own, on = _on_dome(kind, piece, start, rays) if kind.domed else _on_disc(kind, start, rays)
    if not on.any():
        return
    own = own[on]
    point, normal, ray = point[on], normal[on], rays[on]
    ray = ray / np.linalg.norm(ray, axis=1, keepdims=True)
    albedo = _print(kind, piece, own, normal)
    to_light = light.position_mm * [1, 1, -1] - [*piece.xy, 0]
    unit = (to_light / np.linalg.norm(to_light)).astype(np.float32)
    facing = np.clip((normal @ unit + 0.12) / 1.12, 0, None)[:, None] / max(unit[2], 0.2)
    up = 0.5 + 0.5 * normal[:, 2:]
    lit = facing * light.key_bgr + light.ambient_bgr * up + (1 - up) * 0.7 * table_bgr
    glance = np.clip(-(ray * normal).sum(axis=1), 0, 1)[:, None]
    gloss = GLOSS + (1 - GLOSS) * (1 - glance) ** 5
    mirrored = ray + 2 * glance * normal
    room = np.where(mirrored[:, 2:] > 0, mirrored_room(light, mirrored, kind.rough), 0.6 * table_bgr.astype(np.float32))
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    patch[on] = (albedo * lit * (1 - gloss) + gloss * room).astype(np.float32)


def dome_axes(kind: Kind, piece: Piece) -> tuple[Floats, Floats]:
    """A candy's half axes (3,) mm, and its turn (3, 3), by which rows of places beside its middle become its own."""
    half = np.array([kind.radius_mm * kind.oval * piece.oval, kind.radius_mm, kind.height_mm / 2]) * piece.size
    turned = np.eye(3)
    turned[:2, :2] = turning(piece.turn)
    cosine, sine = np.cos(piece.lean), np.sin(piece.lean)
    return half, np.array([[1, 0, 0], [0, cosine, sine], [0, -sine, cosine]]) @ turned


def middle_mm(kind: Kind, piece: Piece) -> float:
    """How high above its underside a piece's middle lies: a candy that leans is higher."""
    if not kind.domed:
        return kind.height_mm / 2
    half, turned = dome_axes(kind, piece)
    return float(np.linalg.norm(half * turned[:, 2]))


def _on_dome(
    kind: Kind, piece: Piece, start: Singles, rays: Singles
) -> tuple[Singles, Singles, Singles, NDArray[np.bool_]]:
    """Points and unit normals (H, W, 3) of an ellipsoid on the table, its lowest point at the origin; the points by its
    own unit axes; where it is.
    """
    half, turn = dome_axes(kind, piece)
    axes, turned = half.astype(np.float32), turn.astype(np.float32)
    middle = np.array([0, 0, middle_mm(kind, piece)], np.float32)
    o, d = (start - middle) @ turned.T / axes, rays @ turned.T / axes
    a, b, c = (d * d).sum(-1), (d * o).sum(-1), float(o @ o) - 1
    inside = b * b - a * c
    far = (-b - np.sqrt(np.maximum(inside, 0))) / a
    local = o + far[..., None] * d
    normal = (local / axes) @ turned
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return (local * axes) @ turned + middle, normal, local, inside > 0


def _on_disc(kind: Kind, start: Singles, rays: Singles) -> tuple[Singles, Singles, Singles, NDArray[np.bool_]]:
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
    return point, normal / np.linalg.norm(normal, axis=-1, keepdims=True), point, on_top | on_side


def _letter(kind: Kind, own: Singles) -> NDArray[np.bool_]:
    """(N,) where a letter is printed, by places (N, 3) in a candy's own unit axes: on its upper face."""
    cell = np.clip(((own[:, :2] / (2 * kind.reach) + 0.5) * FIGURE_PX).astype(int), 0, FIGURE_PX - 1)
    within = (np.abs(own[:, :2]) < kind.reach).all(axis=1) & (own[:, 2] > 0)
    return np.asarray(figures(kind.letter)[cell[:, 1], cell[:, 0]] & within)


def _print(kind: Kind, piece: Piece, point: Singles, normal: Singles) -> Singles:
    """(N, 3) linear BGR of a piece's surface: moulded rings, spots and label of a chip; a candy's is one colour."""
    albedo = np.tile(piece.albedo.astype(np.float32), (len(point), 1))
    if kind.domed:
        if kind.lettered and piece.face_up:
            albedo[_letter(kind, point)] = kind.ink
        return albedo
    around = (np.arctan2(point[:, 1], point[:, 0]) + piece.turn) % (2 * np.pi)
    white = to_linear(CHIP_COLOURS["blue" if piece.colour == "white" else "white"])
    second = to_linear(CHIP_COLOURS["yellow" if piece.colour in ("red", "purple", "black") else "red"])
    value = VALUES[piece.colour]
    print_on(albedo, kind.style, (white, second), value, point[:, :2] / kind.radius_mm, normal[:, 2], around)
    return albedo
