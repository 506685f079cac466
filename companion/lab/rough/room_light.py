"""The light of a lived-in room: lamps, sun with hard edges, coloured bounce, people in the light, drift over a game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.lab.render.lights import Bounce, Light, Shade, Sun, make_light
from companion.lab.render.pieces import rectangle

Floats = NDArray[np.float64]

SUN_CHANCE, BOUNCE_CHANCE, PERSON_CHANCE = 0.35, 0.5, 0.6
_BAR_MM = 34.0  # shadow of a window's bar
_DRIFT = 0.035  # how far a channel of the white balance wanders, standard deviation at rest
_EXPOSURE_DRIFT = 0.05
_HELD = 0.93  # share of the drift that one picture hands to the next: it turns around within some fifteen pictures


def rough_light(name: str, rng: np.random.Generator) -> Light:
    """A light of a named kind in a room with windows, coloured things and a camera that balances white badly."""
    light = make_light(name, rng)
    sun = _sun(rng) if rng.random() < SUN_CHANCE and name != "dim" else None
    bounces = tuple(_bounce(rng) for _ in range(int(rng.integers(1, 3)))) if rng.random() < BOUNCE_CHANCE else ()
    cast = np.exp(rng.normal(0, 0.07, 3))
    return replace(
        light,
        sun=sun,
        bounces=bounces,
        exposure=light.exposure * rng.uniform(0.6, 1.05) * (0.72 if sun else 1.0),
        balance_bgr=light.balance_bgr * cast / cast[1],
        noise=light.noise * rng.uniform(1.4, 2.6),
    )


def _sun(rng: np.random.Generator) -> Sun:
    """Sun through a window of two to four panes that falls across the table."""
    around, up = rng.uniform(0, 2 * np.pi), np.deg2rad(rng.uniform(22, 55))
    toward = np.array([np.cos(around), np.sin(around)])
    middle, turn = rng.uniform(-150, 150, 2), float(np.rad2deg(around) + rng.normal(0, 8))
    wide, long = rng.uniform(90, 190), rng.uniform(120, 320) / np.tan(up)
    count = int(rng.integers(2, 5))
    across = np.array([-toward[1], toward[0]])
    places = [middle + across * (k - (count - 1) / 2) * (wide + _BAR_MM) for k in range(count)]
    panes = tuple(rectangle(long, wide, place, turn) for place in places)
    strength = rng.uniform(0.6, 1.6)
    return Sun(toward / np.tan(up), panes, strength * np.array([0.8, 0.95, 1.08]))


def _bounce(rng: np.random.Generator) -> Bounce:
    """A coloured wall, sleeve or tablecloth beside the table."""
    around = rng.uniform(0, 2 * np.pi)
    xy = rng.uniform(180, 420) * np.array([np.cos(around), np.sin(around)])
    return Bounce(xy, rng.uniform(120, 320), np.clip(1 + rng.normal(0, 0.28, 3), 0.5, 1.9))


def shades_of_people(rng: np.random.Generator, chance: float = PERSON_CHANCE) -> tuple[Shade, ...]:
    """People who bend over the table between it and the lamp: none, one or two."""
    shades: list[Shade] = []
    while rng.random() < chance and len(shades) < 2:
        around = rng.uniform(0, 2 * np.pi)
        middle = rng.uniform(60, 330) * np.array([np.cos(around), np.sin(around)])
        size = rng.uniform(160, 420, 2)
        outline = rectangle(float(size[0]), float(size[1]), middle, float(rng.uniform(0, 180)))
        shades.append(Shade(outline, rng.uniform(4, 60), rng.uniform(0.05, 0.4), rng.uniform(0.25, 0.9)))
    return tuple(shades)


class Drift:
    """How exposure and white balance of a camera on automatic wander from picture to picture."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.now = rng.normal(0, 1, 3)  # logarithms: exposure, blue, red, in standard deviations

    def next(self, light: Light) -> Light:
        """The light as the camera takes it in the next picture."""
        self.now = _HELD * self.now + np.sqrt(1 - _HELD**2) * self.rng.normal(0, 1, 3)
        exposure, blue, red = np.exp(self.now * [_EXPOSURE_DRIFT, _DRIFT, _DRIFT])
        balance = light.balance_bgr * np.array([blue, 1.0, red])
        return replace(light, exposure=light.exposure * exposure, balance_bgr=balance)
