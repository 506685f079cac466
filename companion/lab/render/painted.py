"""Painted boxes: dark pictures of low contrast, in which the copies of a tile differ by a digit and an icon."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing import Rgb
from calibration.sample_edition.art import WORK_PX, TileFacts, draw_tile
from calibration.sample_edition.style import Motif, Style, made_up_style

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

_OTHERS = {"flora": ("water", "fire"), "water": ("fire", "flora"), "fire": ("flora", "water")}
_MOST_VP = 5  # the largest value that made-up boxes print


def painted_style(seed: int) -> Style:
    """The print on the paintings: muted colours on dark grounds."""
    rng = np.random.default_rng([seed, 7])
    plain = made_up_style(seed)
    ground = {
        theme: _muted(rgb, rng.uniform(0.35, 0.6), rng.uniform(0.24, 0.38)) for theme, rgb in plain.ground.items()
    }
    paper = _muted((200, 180, 140), 0.25, rng.uniform(0.6, 0.75))
    dark = _muted((60, 50, 40), 0.3, rng.uniform(0.13, 0.2))
    return replace(
        plain,
        ground=ground,
        ink=_muted(ground["bonus"], 0.25, rng.uniform(0.5, 0.6)),
        border=float(rng.choice([0.0, 0.03])),
        border_colour=_muted((90, 80, 70), 0.2, rng.uniform(0.15, 0.5)),
        motif=Motif.PLAIN,
        badge_fill=dark,
        badge_text=paper,
        cube_icon=paper,
    )


def painted_tiles(tiles: tuple[TileFacts, ...]) -> tuple[TileFacts, ...]:
    """The tiles of a box whose copies of one symbol differ by their value and one requirement more each."""
    first: dict[tuple[str, int], TileFacts] = {}
    copies: dict[tuple[str, int], int] = {}
    out = []
    for tile in tiles:
        if tile.theme not in _OTHERS:
            out.append(tile)
            continue
        key = (tile.theme, tile.symbol)
        base = first.setdefault(key, tile)
        copy = copies[key] = copies.get(key, -1) + 1
        wanted = () if tile.start else tuple(sorted([_OTHERS[tile.theme][0]] * min(copy, 1) + list(base.requires[:1])))
        out.append(replace(tile, cubes=base.cubes, vp=min(min(base.vp, 3) + copy, _MOST_VP), requires=wanted))
    return tuple(out)


def painter(seed: int) -> Callable[[TileFacts, Style, int], Picture]:
    """What draws the faces of the painted box of a seed: (tile, style, side in px) -> (side, side, 3) uint8 BGR."""

    def paint(tile: TileFacts, style: Style, side_px: int) -> Picture:
        ground = np.array(style.ground[tile.theme][::-1], np.float32)
        sheet = draw_tile(tile, style, WORK_PX).astype(np.float32)
        inked = np.clip(np.maximum.reduce(cv2.split(np.abs(sheet - ground))) / 14, 0, 1)[..., None]
        painting = _painting(np.random.default_rng([seed, 8, tile.symbol, ord(tile.theme[0]), len(tile.theme)]), ground)
        face = painting * (1 - inked) + (0.82 * sheet + 0.18 * painting) * inked
        face = cv2.resize(face, (side_px, side_px), interpolation=cv2.INTER_AREA)
        return np.asarray(np.clip(face + 0.5, 0, 255).astype(np.uint8))

    return paint


def _painting(rng: np.random.Generator, ground: Floats) -> Floats:
    """(WORK_PX, WORK_PX, 3) float32: a landscape of strokes around one dark colour, the same for all copies."""
    size = WORK_PX // 4
    strokes = _field(rng, size, rng.uniform(0.9, 1.4), rng.uniform(2, 6), rng.uniform(0, np.pi))
    clouds = _field(rng, size, 1.7, 1.0, 0.0)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    light = 0.35 * strokes + 0.45 * clouds + rng.normal(0, 0.25) * (x - 0.5) + rng.normal(0, 0.25) * (y - 0.5)
    horizon = rng.uniform(0.35, 0.75) + 0.08 * np.sin(x * rng.uniform(3, 9) + rng.uniform(0, 6))
    light = light + 0.18 * np.tanh((horizon - y) * 18)
    hue = np.stack([_field(rng, size, 1.6, 1.0, 0.0) for _ in range(3)], axis=-1)
    picture = ground * (1 + light[..., None]) + 22 * hue
    return np.asarray(cv2.resize(np.clip(picture, 4, 190).astype(np.float32), (WORK_PX, WORK_PX)), np.float32)


def _field(rng: np.random.Generator, size: int, slope: float, stretch: float, turn: float) -> Floats:
    """Noise of about -1..1 with a falling spectrum, drawn out along a direction."""
    across, down = np.meshgrid(np.fft.fftfreq(size) * size, np.fft.fftfreq(size) * size)
    along, aside = np.cos(turn) * across + np.sin(turn) * down, np.cos(turn) * down - np.sin(turn) * across
    radius = np.hypot(along * stretch, aside)
    radius[0, 0] = 1.0
    spectrum = np.fft.fft2(rng.standard_normal((size, size))) / radius**slope
    spectrum[0, 0] = 0.0
    field = np.real(np.fft.ifft2(spectrum))
    return np.asarray(np.clip(field / (2.2 * field.std()), -1.2, 1.2), np.float32)


def _muted(rgb: Rgb, saturation: float, value: float) -> Rgb:
    """The hue of a colour at another saturation and value."""
    hue = colorsys.rgb_to_hsv(*(c / 255 for c in rgb))[0]
    red, green, blue = (round(255 * c) for c in colorsys.hsv_to_rgb(hue, saturation, value))
    return red, green, blue
