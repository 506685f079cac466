"""Draws single candies and chips as small pictures of their own, and lays them on a larger one."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from vision.srgb import linear_to_lab

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

CANDIES: dict[str, Rgb] = {
    "red": (178, 22, 30), "orange": (236, 104, 24), "yellow": (240, 200, 30), "green": (60, 156, 50),
    "blue": (28, 108, 196), "brown": (84, 48, 32), "purple": (84, 36, 84), "pink": (232, 128, 158),
    "white": (232, 228, 216),
}  # fmt: skip
CHIPS: dict[str, Rgb] = {
    "white": (226, 224, 216), "red": (184, 28, 36), "blue": (30, 62, 150), "green": (26, 112, 62),
    "black": (34, 34, 36), "yellow": (230, 190, 46), "purple": (92, 46, 120), "orange": (230, 110, 40),
    "grey": (128, 130, 134),
}  # fmt: skip
PRINT, PRINT_ON_WHITE = (226, 224, 216), (40, 70, 150)
SIDE_PX = 160  # of a piece's own picture


@dataclass(frozen=True, slots=True)
class Look:
    """How the pieces of a set look: `oval` length to breadth, `squeeze` height to breadth of a disc by the camera's
    slant; of chips so many `spots` of a part `broad` of the circle from `inner` of the radius on, a `line` on the face
    (of the print's light, or dark), and how bright a lamp is mirrored.
    """

    oval: float
    squeeze: float
    spots: int
    broad: float
    inner: float
    line: str
    mirrored: float

    @classmethod
    def drawn(cls, chips: bool, rng: np.random.Generator) -> Look:
        return cls(
            1.0 if chips else float(rng.choice([1, 1, 1, 1.15, 1.3])),
            float(rng.choice([1, 1, 1, 0.92, 0.8])),
            int(rng.choice([0, 0, 0, 0, 4, 6, 8])),
            float(rng.uniform(0.15, 0.3)),
            float(rng.uniform(0.72, 0.85)),
            str(rng.choice(["", "", "print", "dark"])),
            float(rng.choice([0, 0, 0.02, 0.08])),
        )


def linear_of(rgb: Rgb) -> Floats:
    """(3,) linear BGR."""
    return np.asarray((np.array(rgb[::-1], float) / 255) ** 2.2)


def lab_of(linear: Floats) -> Floats:
    """(3,) Lab of linear BGR (3,)."""
    return np.asarray(linear_to_lab(linear[None])[0])


def dome(rgb: Rgb, away: Floats, rng: np.random.Generator) -> Singles:
    """(SIDE_PX, SIDE_PX, 3) linear BGR of a candy: a flattened ball, lit aslant, that mirrors one lamp."""
    y, x = _axes()
    high = np.sqrt(1 - np.clip(x * x + y * y, 0, 1))
    flat = float(rng.uniform(0.35, 0.6))
    normal = np.stack([flat * x, flat * y, high + 0.25], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    light, half = (np.array([*away, up]) / np.hypot(1, up) for up in (1.2, 2.6))
    body = linear_of(rgb) * (0.5 + 0.5 * np.clip(normal @ light, 0, 1) / light[2])[..., None]
    glint = float(rng.uniform(0.1, 0.7)) * np.clip(normal @ half, 0, 1) ** float(rng.uniform(200, 800))
    return np.asarray(body + (glint + 0.03 * (1 - high) ** 3)[..., None], np.float32)


def chip(rgb: Rgb, look: Look, away: Floats, rng: np.random.Generator) -> Singles:
    """(SIDE_PX, SIDE_PX, 3) linear BGR of a chip: flat, with a bevelled edge."""
    y, x = _axes()
    far, around = np.hypot(x, y), np.arctan2(y, x)
    body = np.tile(linear_of(rgb), (SIDE_PX, SIDE_PX, 1))
    ink = linear_of(PRINT_ON_WHITE if rgb == CHIPS["white"] else PRINT)
    if look.spots:
        body[(far > look.inner) & (np.cos(around * look.spots) > np.cos(look.broad * np.pi))] = ink
    if look.line:
        body[(far > 0.62) & (far < 0.66)] = ink if look.line == "print" else 0.4 * linear_of(rgb)
    bevel = np.where(far > 0.93, 1 + 0.35 * (np.cos(around) * away[0] + np.sin(around) * away[1]), 1)
    lit = body * ((1 + 0.06 * (x * away[0] + y * away[1])) * bevel)[..., None]
    u, v = rng.uniform(-0.6, 0.6, 2)
    return np.asarray(lit + look.mirrored * np.exp(-((x - u) ** 2 + (y - v) ** 2) / 0.18)[..., None], np.float32)


def _axes() -> tuple[Floats, Floats]:
    """(SIDE_PX, SIDE_PX) rows and columns from -1 to 1."""
    y, x = (np.mgrid[:SIDE_PX, :SIDE_PX] + 0.5 - SIDE_PX / 2) / (SIDE_PX / 2)
    return y, x


def lay(linear: Singles, sprite: Singles, xy: Floats, axes: tuple[float, float], turned: float) -> None:
    """Draw a piece's own picture (N, N, 3) into a larger one (H, W, 3), within an ellipse of half axes px around a
    place, turned by so many radians; its edge is one px soft.
    """
    middle, reach = (sprite.shape[0] - 1) / 2, int(np.ceil(max(axes))) + 2
    x, y = np.floor(xy).astype(int)
    steps = np.arange(-reach, reach + 1)
    u, v = np.meshgrid(*((steps - off) / half for off, half in zip(xy - (x, y), axes, strict=True)))
    cosine, sine = np.cos(turned), np.sin(turned)
    share = 2 * max(axes) / sprite.shape[0]
    soft = cv2.GaussianBlur(sprite, (0, 0), 0.35 / share) if share < 0.6 else sprite
    across = (middle + middle * (cosine * u + sine * v)).astype(np.float32)
    down = (middle + middle * (cosine * v - sine * u)).astype(np.float32)
    drawn = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = np.clip((1 - np.hypot(u, v)) * min(axes) + 0.5, 0, 1)[..., None].astype(np.float32)
    top, left = max(0, y - reach), max(0, x - reach)
    under = linear[top : y + reach + 1, left : x + reach + 1]
    rows = slice(top - y + reach, top - y + reach + under.shape[0])
    columns = slice(left - x + reach, left - x + reach + under.shape[1])
    under += cover[rows, columns] * (drawn[rows, columns] - under)


def lay_shape(
    linear: Singles,
    sprite: Singles,
    xy: Floats,
    radius: float,
    radii: Floats,
    turned: float,
    fixed: bool,
    cover: float = 1.0,
) -> None:
    """Draw a piece of any shape: its `radii` (N,) in equal turns as parts of a radius px, all `turned` by so many
    radians. The piece's own picture turns with it unless `fixed`, and covers a part of what lies beneath.
    """
    reach = int(np.ceil(radius * radii.max())) + 2
    x, y = np.floor(xy).astype(int)
    steps = np.arange(-reach, reach + 1)
    u, v = np.meshgrid(*(steps - off for off in xy - (x, y)))
    around = (np.arctan2(v, u) - turned) % (2 * np.pi)
    edge = radius * np.interp(around, 2 * np.pi * np.arange(len(radii) + 1) / len(radii), [*radii, radii[0]])
    far, middle = np.hypot(u, v), (sprite.shape[0] - 1) / 2
    way = np.arctan2(v, u) if fixed else around
    share = 2 * radius / sprite.shape[0]
    soft = cv2.GaussianBlur(sprite, (0, 0), 0.35 / share) if share < 0.6 else sprite
    across, down = (middle + middle * far / edge * f(way) for f in (np.cos, np.sin))
    drawn = cv2.remap(
        soft, across.astype(np.float32), down.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    part = (cover * np.clip(edge - far + 0.5, 0, 1))[..., None].astype(np.float32)
    top, left = max(0, y - reach), max(0, x - reach)
    under = linear[top : max(0, y + reach + 1), left : max(0, x + reach + 1)]
    rows = slice(top - y + reach, top - y + reach + under.shape[0])
    columns = slice(left - x + reach, left - x + reach + under.shape[1])
    under += part[rows, columns] * (drawn[rows, columns] - under)
