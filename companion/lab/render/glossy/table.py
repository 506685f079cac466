"""A table that glossy pieces lie on: their shadows and light on it, playing cards, what it mirrors."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.glossy.beside import Package, Things
from companion.lab.render.glossy.eye import Eye, turning
from companion.lab.render.glossy.kinds import Kind, Piece
from companion.lab.render.lights import Light
from companion.lab.render.surfaces import SURFACE_MM, SURFACE_PX

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

WINDOW_LIGHT = 14.0  # brightness of the lamp or window that is mirrored, beside white paper in its light
SHADOW_MM = 0.4  # of the table a cell of the map of shadows
CARD_MM = (63.0, 88.0)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A surface that is laid turned, what part of light it mirrors, and cards on it: middles (2,) mm and turns; or
    `photograph`, what the camera sees of an empty table (H, W, 3) uint8 BGR, in place of it; and `packages` on it.
    """

    surface: NDArray[np.uint8]
    turn: float
    gloss: float
    cards: tuple[tuple[Floats, float], ...]
    photograph: NDArray[np.uint8] | None = None
    packages: tuple[Package, ...] = ()

    def albedo(self, xy: Singles) -> Singles:
        """(H, W, 3) linear BGR at places (H, W, 2) in mm, one for each pixel of the camera."""
        linear = self._bare(xy)
        for package in self.packages:
            package.lay(linear, xy)
        return linear

    def _bare(self, xy: Singles) -> Singles:
        if self.photograph is not None:
            whole = cv2.resize(self.photograph, xy.shape[1::-1], interpolation=cv2.INTER_CUBIC)
            return np.asarray((whole.astype(np.float32) / 255) ** 2.2)
        laid = (xy @ turning(self.turn).astype(np.float32)) * np.float32(SURFACE_PX / SURFACE_MM) % SURFACE_PX
        wrapped = cv2.copyMakeBorder(self.surface, 0, 2, 0, 2, cv2.BORDER_WRAP)
        seen = cv2.remap(wrapped, laid[..., 0], laid[..., 1], cv2.INTER_LINEAR)
        linear = np.asarray((seen.astype(np.float32) / 255) ** 2.2)
        for middle, turn in self.cards:
            own = (xy - middle.astype(np.float32)) @ turning(turn).astype(np.float32)
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


def mirrored_room(light: Light, directions: Singles, rough: float = 0.0) -> Singles:
    """(…, 3) what of the room is mirrored towards unit directions (…, 3): ceiling, walls, and the lamp or window, which
    a surface that is `rough`, in radians, spreads over as much more.
    """
    to_light = light.position_mm * [1, 1, -1]
    middle = to_light / np.linalg.norm(to_light)
    clear = np.arctan2(max(light.radius_mm, 60.0), np.linalg.norm(to_light))
    reach = np.hypot(clear, rough)
    cosine = np.clip(directions @ middle.astype(np.float32), -1, 1)
    shines = np.clip((reach * 1.15 - np.arccos(cosine)) / (0.3 * reach), 0, 1)[..., None]
    walls = (0.35 + 0.65 * np.clip(directions[..., 2:], 0, 1)) * light.ambient_bgr.astype(np.float32)
    bright = WINDOW_LIGHT * (clear / reach) ** 2
    return np.asarray(walls + bright * shines * light.key_bgr.astype(np.float32))


def _shades(
    kind: Kind, pieces: list[Piece], things: Things, light: Light, low: Floats, shape: tuple[int, int]
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
                high = piece.base_mm + part * kind.height_mm * piece.size
                reach = kind.radius_mm * piece.size * (np.sqrt(1 - (2 * part - 1) ** 2) if kind.domed else 1.0)
                middle = piece.xy - slope * high / max(sample[2] - high, 1.0)
                long = reach * kind.oval * piece.oval
                hull.append(middle + ring @ turning(piece.turn) * [long, reach] @ turning(-piece.turn))
            points = (np.concatenate(hull) - low) / SHADOW_MM
            cv2.fillConvexPoly(dark, cv2.convexHull(np.round(points).astype(np.int32)), 1)
        for x, y, z, radius in things.balls:  # thrown as discs, which a ball's shadow nearly is
            middle = np.array([x, y]) - (sample[:2] - [x, y]) * z / max(sample[2] - z, 1.0)
            spot = tuple(int(v) for v in np.round((middle - low) / SHADOW_MM))
            cv2.circle(dark, spot, round(radius / SHADOW_MM), 1, -1)
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


def lit_table(
    table: Table, eye: Eye, light: Light, kind: Kind, pieces: list[Piece], things: Things | None = None
) -> Singles:
    """(H, W, 3) linear light of the table with the shadows of the pieces, and of `things`, on it."""
    width, height = eye.size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) + 0.5, np.arange(height, dtype=np.float32) + 0.5)
    rays = eye.rays(x, y)
    far = np.float32(-eye.centre[2]) / rays[..., 2]
    xy = np.asarray(eye.centre[:2].astype(np.float32) + rays[..., :2] * far[..., None])
    low = xy.reshape(-1, 2).min(axis=0).astype(float) - 5
    cells = np.ceil((xy.reshape(-1, 2).max(axis=0) + 5 - low) / SHADOW_MM).astype(int)
    key, ambient, bounce = _shades(kind, pieces, things or Things(), light, low, (int(cells[1]), int(cells[0])))
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
        mirrored = mirrored_room(light, unit * np.array([1, 1, -1], np.float32))
        seen = seen + table.gloss * cv2.GaussianBlur(mirrored, (0, 0), 0.02 * width) * key
    return np.asarray(seen.astype(np.float32))
