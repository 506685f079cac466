"""What is in a picture beside pieces that lie apart: a hand that reaches in, printed packaging, stacked chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.glossy.eye import Eye, turning
from companion.lab.render.glossy.kinds import Kind, Piece, to_linear
from companion.lab.render.lights import Light
from companion.lab.render.pieces import SKIN_TONES, SLEEVES, Limb, hand

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

STACKED, TALLEST = 0.3, 5  # part of the chips that others lie on, and chips in a stack at most
ASIDE = 0.05  # radii by which a chip lies off the one below
REACHES_IN = (0.1, 0.35)  # of the area, from its rim on: where the finger tips are
HIDES = 1 / 3  # of a piece that a hand may hide; what it hides more of is not there
PRINT_PX = 5  # of a package's print, a mm
PACKAGE_MM = (70.0, 150.0)  # sides
SHOWN = (0.8, 1.8)  # how large pieces are printed on it, beside real ones
BALLS = 0.3  # radii between the middles of balls that a limb is made of


class Beside(Enum):
    """`NOTHING`; chips on each other (`STACKS`); a `HAND` at the rim; a `PACKAGE` with pictures of the pieces."""

    NOTHING = "nothing"
    STACKS = "stacks"
    HAND = "hand"
    PACKAGE = "package"


@dataclass(frozen=True, slots=True, eq=False)
class Package:
    """A flat printed thing around its `middle` (2,) mm, turned; `printed` (H, W, 3) uint8 BGR."""

    middle: Floats
    turn: float
    printed: NDArray[np.uint8]

    def lay(self, linear: Singles, xy: Singles) -> None:
        """Put its print into the table's light (H, W, 3) linear at places (H, W, 2) mm."""
        high, wide = self.printed.shape[:2]
        own = (xy - self.middle.astype(np.float32)) @ turning(self.turn).astype(np.float32)
        at = own * np.float32(PRINT_PX) + np.array([wide / 2, high / 2], np.float32)
        on = (at >= 0).all(axis=-1) & (at[..., 0] < wide) & (at[..., 1] < high)
        seen = cv2.remap(self.printed, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        linear[on] = (seen[on].astype(np.float32) / 255) ** 2.2

    def covers(self, xy: Floats, clear_mm: float) -> bool:
        """Whether a place (2,) mm is on it or nearer than `clear_mm`."""
        own = np.abs((xy - self.middle) @ turning(self.turn))
        return bool((own < np.array(self.printed.shape[1::-1]) / 2 / PRINT_PX + clear_mm).all())


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """All of one picture: packages on the table, and balls of skin and sleeve: `balls` (N, 4) middles, z up, and radii
    in mm, with their linear `colours` (N, 3)."""

    packages: tuple[Package, ...] = ()
    balls: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    colours: Floats = field(default_factory=lambda: np.zeros((0, 3)))

    def left(self, kind: Kind, pieces: Sequence[Piece], eye: Eye) -> list[Piece]:
        """The pieces that lie clear of the packages and are not hidden."""
        reach = kind.radius_mm * kind.oval
        free = [p for p in pieces if not any(one.covers(p.xy, 1.1 * reach) for one in self.packages)]
        return [p for p in free if self.hidden(kind, p, eye) <= HIDES]

    def hidden(self, kind: Kind, piece: Piece, eye: Eye) -> float:
        """The part of a piece that balls hide."""
        if not len(self.balls):
            return 0.0
        grid = np.stack(np.meshgrid(np.linspace(-1, 1, 11), np.linspace(-1, 1, 11)), axis=-1).reshape(-1, 2)
        disc = grid[np.linalg.norm(grid, axis=1) <= 1] * kind.radius_mm * kind.oval + piece.xy
        points = np.column_stack([disc, np.full(len(disc), kind.height_mm)])
        ray = points - eye.centre
        ray /= np.linalg.norm(ray, axis=1, keepdims=True)
        to = self.balls[:, :3] - eye.centre
        along = to @ ray.T
        off = np.linalg.norm(to[:, None] - along[..., None] * ray, axis=2)
        return float((off < self.balls[:, 3:]).any(axis=0).mean())


def things_beside(beside: Beside, kind: Kind, area_mm: tuple[float, float], rng: np.random.Generator) -> Things:
    """What lies or reaches into the rim of an area of the table."""
    if beside is Beside.HAND:
        return _hand(area_mm, rng)
    if beside is Beside.PACKAGE:
        away = rng.uniform(0, 2 * np.pi)
        middle = np.array([np.cos(away), np.sin(away)]) * 0.4 * np.array(area_mm)
        return Things((Package(middle, float(rng.uniform(0, np.pi)), _printed(kind, rng)),))
    return Things()


def stacked(kind: Kind, pieces: Sequence[Piece], rng: np.random.Generator) -> list[Piece]:
    """The same chips, and more on some of them."""
    out = list(pieces)
    for piece in pieces:
        if rng.random() >= STACKED:
            continue
        for level in range(1, int(rng.integers(2, TALLEST + 1))):
            colour = str(rng.choice(kind.colours))
            xy = piece.xy + rng.normal(0, ASIDE * kind.radius_mm, 2)
            base, turn = piece.base_mm + level * kind.height_mm, float(rng.uniform(0, 2 * np.pi))
            out.append(replace(piece, xy=xy, base_mm=base, turn=turn, albedo=kind.albedo(colour), colour=colour))
    return out


def _hand(area_mm: tuple[float, float], rng: np.random.Generator) -> Things:
    from_deg = float(rng.uniform(0, 360))
    towards = np.array([-np.sin(np.deg2rad(from_deg)), np.cos(np.deg2rad(from_deg))])
    rim = float((np.array(area_mm) / 2 / np.maximum(np.abs(towards), 1e-6)).min())
    target = towards * (rim - float(rng.uniform(*REACHES_IN)) * min(area_mm))
    skin = SKIN_TONES[rng.integers(len(SKIN_TONES))]
    sleeve = SLEEVES[rng.integers(len(SLEEVES))] if rng.random() < 0.6 else None
    limbs = hand(rng, (float(target[0]), float(target[1])), from_deg, skin, sleeve)
    balls, colours = zip(*(_balls(limb) for limb in limbs), strict=True)
    return Things((), np.concatenate(balls), np.concatenate(colours))


def _balls(limb: Limb) -> tuple[Floats, Floats]:
    length = float(np.linalg.norm(limb.end_mm - limb.start_mm))
    count = 2 + int(length / (BALLS * min(limb.start_radius_mm, limb.end_radius_mm)))
    along = np.linspace(0, 1, count)[:, None]
    middles = limb.start_mm + along * (limb.end_mm - limb.start_mm)
    radii = limb.start_radius_mm + along * (limb.end_radius_mm - limb.start_radius_mm)
    colour = to_linear((limb.colour[2], limb.colour[1], limb.colour[0]))
    return np.hstack([middles * [1, 1, -1], radii]), np.tile(colour, (count, 1))


def draw_balls(canvas: Singles, things: Things, eye: Eye, light: Light, table_bgr: Floats) -> None:
    """Draw skin and sleeve over a canvas (H, W, 3) linear; `table_bgr` (3,) is the table's light."""
    depth = np.full(canvas.shape[:2], np.inf, np.float32)
    to_light = (light.position_mm * [1, 1, -1]).astype(np.float32)
    unit = to_light / np.linalg.norm(to_light)
    for ball, colour in zip(things.balls, things.colours, strict=True):
        seen = eye.project(ball[None, :3])[0]
        reach = 1.15 * ball[3] * eye.focal / max(float((eye.rotation @ (ball[:3] - eye.centre))[2]) - ball[3], 1.0)
        low = np.maximum(np.floor(seen - reach).astype(int), 0)
        high = np.minimum(np.ceil(seen + reach).astype(int), eye.size)
        if (high <= low).any():
            continue
        x, y = np.meshgrid(
            np.arange(low[0], high[0]).astype(np.float32) + 0.5, np.arange(low[1], high[1]).astype(np.float32) + 0.5
        )
        rays = eye.rays(x, y)
        rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
        start = (eye.centre - ball[:3]).astype(np.float32)
        b = rays @ start
        inside = b * b - np.float32(start @ start - ball[3] ** 2)
        far = -b - np.sqrt(np.maximum(inside, 0))
        patch, near = canvas[low[1] : high[1], low[0] : high[0]], depth[low[1] : high[1], low[0] : high[0]]
        on = (inside > 0) & (far > 0) & (far < near)
        normal = (start + far[on][:, None] * rays[on]) / np.float32(ball[3])
        facing = np.clip((normal @ unit + 0.12) / 1.12, 0, None)[:, None] / max(float(unit[2]), 0.2)
        up = 0.5 + 0.5 * normal[:, 2:]
        patch[on] = (colour * (facing * light.key_bgr + light.ambient_bgr * up + (1 - up) * 0.7 * table_bgr)).astype(
            np.float32
        )
        near[on] = far[on]


def _printed(kind: Kind, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A package's print: a ground, a band with a name, bars, and pictures of the pieces with a light in each."""
    wide, high = (round(float(v) * PRINT_PX) for v in rng.uniform(*PACKAGE_MM, 2))
    ground, band, ink = (tuple(int(v) for v in rng.integers(20, 240, 3)) for _ in range(3))
    out = np.full((high, wide, 3), ground, np.uint8)
    top = int(high * rng.uniform(0.05, 0.5))
    cv2.rectangle(out, (0, top), (wide, top + high // 4), band, -1)
    cv2.putText(out, "M&Co 250 g", (10, top + high // 6), cv2.FONT_HERSHEY_DUPLEX, wide / 260, ink, 6, cv2.LINE_AA)
    for k in range(12):
        x = wide - 130 + 10 * k
        cv2.rectangle(out, (x, high - 60), (x + int(rng.integers(2, 8)), high - 10), (20, 20, 20), -1)
    for _ in range(int(rng.integers(3, 10))):
        radius = round(kind.radius_mm * PRINT_PX * float(rng.uniform(*SHOWN)))
        x, y = int(rng.integers(0, wide)), int(rng.integers(0, high))
        colour = 255 * np.clip(kind.albedo(str(rng.choice(kind.colours))), 0, 1) ** (1 / 2.2)
        cv2.circle(out, (x, y), radius, tuple(float(v) for v in colour), -1, cv2.LINE_AA)
        lamp = (x - radius // 3, y - radius // 3)
        cv2.circle(out, lamp, max(1, radius // 8), (250, 250, 250), -1, cv2.LINE_AA)
    return out
