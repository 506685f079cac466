"""The light over a table: one broad source and the rest of the room, with colour, distance and exposure."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SHADOW_SAMPLES = 14


@dataclass(frozen=True, slots=True, eq=False)
class Sun:
    """Sunlight through a window: hard-edged panes on the table. `lean` (2,): how far, in mm for each mm of height, the
    way up to the sun leads along the table; `panes_mm`: convex outlines (N, 2) at the table's height; `bgr`: linear.
    """

    lean: Floats
    panes_mm: tuple[Floats, ...]
    bgr: Floats

    def panes_at(self, height_mm: float) -> list[Floats]:
        """The outlines (N, 2) at a height above the table."""
        return [pane + self.lean * height_mm for pane in self.panes_mm]

    def reaches(self, xy_mm: Floats, height_mm: float) -> bool:
        """Whether the sun shines on a place."""
        x, y = (float(v) for v in xy_mm)
        return any(
            cv2.pointPolygonTest(pane.astype(np.float32), (x, y), False) >= 0 for pane in self.panes_at(height_mm)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Bounce:
    """Light thrown back by something coloured beside the table: the ambient light near `xy_mm` takes its tint.

    `tint` (3,): linear BGR factor in its middle, fading to 1 with a Gaussian of `reach_mm`.
    """

    xy_mm: Floats
    reach_mm: float
    tint: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """The shadow of a person: `outline_mm` (N, 2) convex, its edge soft over `soft_mm`; shares of light kept off."""

    outline_mm: Floats
    soft_mm: float
    ambient: float
    direct: float


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """`key` is the broad source (position table mm, z negative above the table), `ambient` all other light.

    Colours are linear BGR; `exposure` and `balance` belong to the camera that looks. A plain room has no sun, nothing
    coloured beside the table and nobody in the light.
    """

    name: str
    position_mm: Floats  # (3,)
    radius_mm: float
    key_bgr: Floats
    ambient_bgr: Floats
    exposure: float
    balance_bgr: Floats
    noise: float  # photon noise at white, as a share of white
    samples_mm: Floats  # (SHADOW_SAMPLES, 3): points of the source, for soft shadows
    sun: Sun | None = None
    bounces: tuple[Bounce, ...] = ()
    shades: tuple[Shade, ...] = ()

    def at(self, points_mm: Floats, normals: Floats) -> Floats:
        """(N,) light of the key on faces at points (N, 3) with unit normals (N, 3), 1.0 flat on the table's middle."""
        to_light = self.position_mm - points_mm
        distance = np.linalg.norm(to_light, axis=1)
        cosine = np.maximum(0.0, (to_light * normals).sum(axis=1) / distance)
        home = np.linalg.norm(self.position_mm)
        return np.asarray(cosine / distance**2 * home**2 / (-self.position_mm[2] / home))


LIGHTS = ("window", "lamp", "led", "dim")
_WARMTH = {"window": 0.12, "lamp": -0.3, "led": 0.05, "dim": -0.36}
_AMBIENT = {"window": 0.45, "lamp": 0.28, "led": 0.5, "dim": 0.35}
_HEIGHT_MM = {"window": 900, "lamp": 700, "led": 1700, "dim": 1100}
_ASIDE_MM = {"window": 1300, "lamp": 420, "led": 250, "dim": 600}
_RADIUS_MM = {"window": 260, "lamp": 45, "led": 140, "dim": 90}
_NOISE = {"window": 0.012, "lamp": 0.014, "led": 0.012, "dim": 0.032}


def make_light(name: str, rng: np.random.Generator) -> Light:
    """A light of a named kind with its own place, warmth, exposure and the camera's imperfect white balance."""
    around = rng.uniform(0, 2 * np.pi)
    height = _HEIGHT_MM[name] * rng.uniform(0.8, 1.25)
    aside = _ASIDE_MM[name] * rng.uniform(0.6, 1.3)
    position = np.array([aside * np.cos(around), aside * np.sin(around), -height])
    radius = _RADIUS_MM[name] * rng.uniform(0.7, 1.4)
    offsets = rng.normal(0, 0.55, (SHADOW_SAMPLES, 3)) * radius
    warmth = _WARMTH[name] + rng.normal(0, 0.05)
    ambient = _AMBIENT[name] * rng.uniform(0.8, 1.2)
    corrected = rng.uniform(0.35, 1.05)  # the share of the cast that the automatic balance takes away
    return Light(
        name=name,
        position_mm=position,
        radius_mm=radius,
        key_bgr=_tint(warmth) * (1 - ambient),
        ambient_bgr=_tint(warmth * 0.4 + 0.06) * ambient,
        exposure=rng.uniform(0.6, 0.95) if name == "dim" else rng.uniform(0.75, 1.3),
        balance_bgr=_tint(-warmth * corrected + rng.normal(0, 0.02)) * np.array([1.0, 1 + rng.normal(0, 0.025), 1.0]),
        noise=_NOISE[name] * rng.uniform(0.7, 1.3),
        samples_mm=position + offsets,
    )


def _tint(blueness: float) -> Floats:
    """Linear BGR of a light that is bluer (> 0) or warmer (< 0) than white, green unchanged."""
    return np.array([np.exp(blueness), 1.0, np.exp(-blueness)])
