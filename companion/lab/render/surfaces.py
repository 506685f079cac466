"""Table tops as pictures that can be laid edge to edge: wood, felt, paint, cloth, dark stone, and plainer ones."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

TABLES = ("wood", "felt", "white", "cloth", "dark")
PLAIN_TABLES = ("pale wood", "painted", "brown wood", "plain cloth")
"""As most people have them: little grain, one colour."""
SURFACE_PX = 1536
SURFACE_MM = 768.0
"""One tile of the surface: 2 px/mm, repeated in both directions."""


def _noise(rng: np.random.Generator, slope: float, stretch: float = 1.0) -> NDArray[np.float32]:
    """Periodic noise in -1..1 with a falling spectrum; `stretch` > 1 draws it out along x."""
    across = np.fft.rfftfreq(SURFACE_PX)[None, :] * SURFACE_PX * stretch
    down = np.fft.fftfreq(SURFACE_PX)[:, None] * SURFACE_PX
    radius = np.hypot(across, down)
    radius[0, 0] = 1.0
    spectrum = np.fft.rfft2(rng.standard_normal((SURFACE_PX, SURFACE_PX))) / radius**slope
    spectrum[0, 0] = 0.0
    field = np.fft.irfft2(spectrum, (SURFACE_PX, SURFACE_PX))
    return np.asarray((field / (np.abs(field).max() + 1e-9)).astype(np.float32))


def make_surface(name: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """(SURFACE_PX, SURFACE_PX, 3) uint8 BGR of a table of a named kind, its colours drawn from `rng`."""
    fine = _noise(rng, 0.25)
    if name == "wood":
        grain = 0.65 * _noise(rng, 1.1, 14) + 0.35 * _noise(rng, 0.7, 30)
        base = _bgr(rng.uniform(0.05, 0.1), rng.uniform(0.4, 0.7), rng.uniform(0.35, 0.75))
        return _shade(base, grain * rng.uniform(0.5, 0.9) + 0.04 * fine)
    if name in ("pale wood", "brown wood"):
        grain = 0.7 * _noise(rng, 1.3, 20) + 0.3 * _noise(rng, 0.8, 40)
        saturation, value = ((0.2, 0.4), (0.75, 0.9)) if name == "pale wood" else ((0.45, 0.65), (0.35, 0.6))
        base = _bgr(rng.uniform(0.06, 0.1), rng.uniform(*saturation), rng.uniform(*value))
        return _shade(base, grain * rng.uniform(0.1, 0.3) + 0.02 * fine)
    if name == "painted":
        base = _bgr(rng.uniform(0, 1), rng.uniform(0, 0.35), rng.uniform(0.45, 0.9))
        return _shade(base, 0.05 * _noise(rng, 1.3) + 0.01 * fine)
    if name == "plain cloth":
        base = _bgr(rng.uniform(0, 1), rng.uniform(0.1, 0.7), rng.uniform(0.3, 0.85))
        return _shade(base, 0.2 * fine + 0.04 * _noise(rng, 1.0))
    if name == "felt":
        base = _bgr(rng.uniform(0, 1), rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.6))
        return _shade(base, 0.35 * fine + 0.06 * _noise(rng, 1.0))
    if name == "white":
        return _shade(
            _bgr(rng.uniform(0, 1), rng.uniform(0, 0.07), rng.uniform(0.75, 0.92)),
            0.12 * _noise(rng, 1.2) + 0.03 * fine,
        )
    if name == "cloth":
        return _cloth(rng, fine)
    speckle = (fine > 0.55).astype(np.float32)
    return _shade(
        _bgr(rng.uniform(0, 1), rng.uniform(0, 0.2), rng.uniform(0.12, 0.25)), 0.2 * _noise(rng, 0.9) + 0.5 * speckle
    )


def _cloth(rng: np.random.Generator, fine: NDArray[np.float32]) -> NDArray[np.uint8]:
    squares = int(rng.choice([8, 12, 16]))
    stripe = (np.arange(SURFACE_PX) * squares // SURFACE_PX % 2).astype(np.float32)
    share = (stripe[None, :] + stripe[:, None]) / 2
    light = np.array(_bgr(rng.uniform(0, 1), 0.08, 0.86), np.float32)
    dark = np.array(_bgr(rng.uniform(0, 1), rng.uniform(0.5, 0.85), rng.uniform(0.35, 0.65)), np.float32)
    weave = 1 + 0.25 * fine[:, :, None]
    return np.clip((light + (dark - light) * share[:, :, None]) * weave, 0, 255).astype(np.uint8)


def _shade(base: tuple[float, float, float], change: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(np.array(base, np.float32) * (1 + change[:, :, None]), 0, 255).astype(np.uint8))


def _bgr(hue: float, saturation: float, value: float) -> tuple[float, float, float]:
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return 255 * blue, 255 * green, 255 * red


def lay_surface(
    surface: NDArray[np.uint8], to_canvas: NDArray[np.float64], canvas_size: tuple[int, int], turn: float
) -> NDArray[np.uint8]:
    """The surface, turned by `turn` radians, seen through the table plane's homography (3, 3): (h, w, 3) uint8."""
    scale = SURFACE_MM / SURFACE_PX
    cosine, sine = np.cos(turn), np.sin(turn)
    lay = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]]) @ np.diag([scale, scale, 1.0])
    back = np.linalg.inv(to_canvas @ lay)
    return np.asarray(
        cv2.warpPerspective(
            surface, back, canvas_size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_WRAP
        )
    )
