"""Degraded pictures of printed pieces: drawn, not photographed, to calibrate and measure the recogniser on."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

GAMMA = 2.2
NOMINAL_MM = 55.0  # side of the piece that the sizes of cubes refer to
CUBE_MM = 10.0
OCCUPIED = 0.4  # share of the pieces of a grid on which cubes stand, as in the middle of a game


@dataclass(frozen=True, slots=True)
class Hardship:
    """How badly crops are degraded: the greatest of each; every crop draws its own share.

    `shift`: localisation error as a share of the side; `width_px`: range of the piece's width in the camera picture;
    `blur_px`: lens blur there; `noise`: standard deviation, 0..1; `cast`, `exposure`: log2 of the gains of channels
    and of all; `shade`: log2 of the light's fall across the piece; `cubes`: most that stand on it.
    """

    shift: float = 0.06
    width_px: tuple[float, float] = (50.0, 130.0)
    blur_px: float = 1.2
    noise: float = 0.03
    cast: float = 0.3
    exposure: float = 1.0
    shade: float = 0.5
    cubes: int = 4
    glare: float = 0.0


PHOTOGRAPH = Hardship(
    shift=0.02, width_px=(80.0, 220.0), blur_px=0.9, cast=0.35, exposure=0.4, shade=0.4, cubes=0, glare=0.3
)
"""Somebody's photograph of a piece by itself, cut out by its outline; as a reference or to be named."""


def degraded(
    picture: U8, rng: np.random.Generator, hardship: Hardship, side_px: int = 112, margin: float = 0.08
) -> tuple[U8, int, float]:
    """A crop (h, w, 3) uint8 of `picture` as a camera might give it, its quarter turn, and its width in camera px.

    The crop is `side_px` wide with `margin` around the nominal piece; pieces that are not square turn by halves.
    """
    h, w = picture.shape[:2]
    square = abs(w / h - 1) < 0.03
    width = float(rng.uniform(*hardship.width_px))
    turn = int(rng.integers(4)) if square else 2 * int(rng.integers(2))
    scale = width / w
    lit = _on_table(picture, rng, margin)
    light = _linear(lit)
    count = int(rng.integers(hardship.cubes + 1)) if rng.random() < OCCUPIED else 0
    light = _cubes(light, rng, count, margin)
    camera_wh = (round(lit.shape[1] * scale), round(lit.shape[0] * scale))
    light = cv2.resize(light, camera_wh, interpolation=cv2.INTER_AREA)
    light = cv2.GaussianBlur(light, (0, 0), 0.3 + hardship.blur_px * rng.random())
    light *= _light(camera_wh, rng, hardship)
    light += _glare(camera_wh, rng, hardship.glare)
    encoded = np.clip(light, 0, 1) ** (1 / GAMMA)
    encoded += rng.normal(0, hardship.noise * rng.random(), encoded.shape)
    shot = np.clip(encoded * 255, 0, 255).astype(np.uint8)
    return _cut(shot, rng, hardship.shift, (side_px, round(side_px * h / w)), turn, margin), turn, width


def _linear(picture: U8) -> F32:
    return np.asarray((picture.astype(np.float32) / 255) ** GAMMA, dtype=np.float32)


def _on_table(picture: U8, rng: np.random.Generator, margin: float) -> U8:
    """The picture on a plain table that is visible around it by three margins."""
    ring = round(3 * margin * picture.shape[1])
    colour = rng.integers(20, 220, 3).tolist()
    return np.asarray(cv2.copyMakeBorder(picture, ring, ring, ring, ring, cv2.BORDER_CONSTANT, value=colour))


def _cubes(light: F32, rng: np.random.Generator, count: int, margin: float) -> F32:
    """`count` cubes with their shadows standing anywhere on the piece."""
    h, w = light.shape[:2]
    piece = w / (1 + 6 * margin)
    half = piece * CUBE_MM / NOMINAL_MM / 2
    for _ in range(count):
        middle = np.array([w, h]) / 2 + rng.uniform(-0.42, 0.42, 2) * piece
        box = cv2.boxPoints(((float(middle[0]), float(middle[1])), (2 * half, 2 * half), float(rng.uniform(0, 90))))
        lean = (rng.uniform(-0.7, 0.7, 2) * half).astype(np.float32)
        shadow = np.zeros((h, w), np.float32)
        cv2.fillConvexPoly(shadow, _hull(box, box + 1.5 * lean), 1.0)
        light = light * (1 - 0.5 * cv2.GaussianBlur(shadow, (0, 0), half / 3))[..., None]
        colour = rng.uniform(0.02, 0.9, 3).astype(np.float32)
        cv2.fillConvexPoly(light, _hull(box, box - lean), (colour * 0.5).tolist())
        cv2.fillConvexPoly(light, np.round(box - lean).astype(np.int32), colour.tolist())
    return light


def _hull(one: F32, other: F32) -> NDArray[np.int32]:
    """Outline of both quadrilaterals together."""
    return np.asarray(cv2.convexHull(np.vstack([one, other]).astype(np.float32)).round().astype(np.int32))


def _light(wh: tuple[int, int], rng: np.random.Generator, hardship: Hardship) -> F32:
    """(h, w, 3) gains: exposure, colour cast, and a fall of light across the piece."""
    gains = hardship.exposure * rng.uniform(-1, 1) + hardship.cast * rng.uniform(-1, 1, 3)
    angle, fall = rng.uniform(0, 2 * np.pi), hardship.shade * rng.random()
    x = np.linspace(-0.5, 0.5, wh[0], dtype=np.float32)
    y = np.linspace(-0.5, 0.5, wh[1], dtype=np.float32)
    slope = fall * (np.cos(angle) * x[None, :] + np.sin(angle) * y[:, None])
    return np.asarray(2 ** (slope[..., None] + gains), dtype=np.float32)


def _glare(wh: tuple[int, int], rng: np.random.Generator, most: float) -> F32:
    """(h, w, 1) light that a glossy surface adds: a soft spot, on every third piece."""
    x = np.linspace(0, 1, wh[0], dtype=np.float32)[None, :]
    y = np.linspace(0, 1, wh[1], dtype=np.float32)[:, None]
    (u, v), reach = rng.uniform(-0.2, 1.2, 2), rng.uniform(0.15, 0.6)
    spot = np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * reach**2))
    strength = most * rng.random() if most > 0 and rng.random() < 1 / 3 else 0.0
    return np.asarray(spot[..., None] * strength, dtype=np.float32)


def _cut(shot: U8, rng: np.random.Generator, shift: float, wh: tuple[int, int], turn: int, margin: float) -> U8:
    """The rectified crop, off by up to `shift` of the side, two thirds of it in common to the corners."""
    h, w = shot.shape[:2]
    piece_w = w / (1 + 6 * margin)
    piece_h = h - (w - piece_w)
    left, top = (w - piece_w) / 2 - 0.5, (h - piece_h) / 2 - 0.5
    quad = np.array([[left, top], [left + piece_w, top], [left + piece_w, top + piece_h], [left, top + piece_h]])
    off = shift * piece_w * rng.random()
    quad += off * (0.7 * rng.uniform(-1, 1, 2) + 0.3 * rng.uniform(-1, 1, (4, 2)))
    inner_w, inner_h = wh[0] / (1 + 2 * margin), wh[1] / (1 + 2 * margin)
    x0, y0 = (wh[0] - inner_w) / 2 - 0.5, (wh[1] - inner_h) / 2 - 0.5
    out = np.array([[x0, y0], [x0 + inner_w, y0], [x0 + inner_w, y0 + inner_h], [x0, y0 + inner_h]])
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), np.roll(out, -turn, axis=0).astype(np.float32))
    return np.asarray(cv2.warpPerspective(shot, matrix, wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
