"""What lens, sensor and the camera's own processing make of the light that reaches them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.render.lights import Light
from vision.srgb import from_linear

_FINE = np.linspace(0, 1, 4096)
_METERED_SHARE = 0.75  # automatic exposure leaves a dark table a little dark
_WELL = 16383.0  # levels of the raw picture that a colour filter array is developed from


@dataclass(frozen=True, slots=True)
class Optics:
    """What lens and sensor add: blur (sigma, px), vignetting (light lost in the corners), sharpening, JPEG quality.

    Of rough cameras also: `mosaic`, one colour a pixel, so that fine print shows moire; `bands`, the share by which
    mains light brightens and dims rows that a rolling shutter reads one after another, `band_px` rows for each swing;
    `blotches`, coarse colour noise that the camera's own denoising leaves, as a share of white; `moved_px` (x, y), the
    way of the camera while the shutter was open; `metered`, the mean light, 1 for white, that its automatic exposure
    aims at and comes near to (0: it has none, and the light's own exposure holds).
    """

    blur_px: float
    vignetting: float
    sharpening: float
    jpeg_quality: int
    mosaic: bool = False
    bands: float = 0.0
    band_px: float = 300.0
    blotches: float = 0.0
    moved_px: tuple[float, float] = (0.0, 0.0)
    metered: float = 0.0


def make_optics(rng: np.random.Generator) -> Optics:
    """The flaws of an ordinary webcam."""
    return Optics(rng.uniform(0.35, 0.9), rng.uniform(0.05, 0.35), rng.uniform(0.0, 0.5), int(rng.integers(82, 95)))


def develop(
    linear: NDArray[np.float32], light: Light, optics: Optics, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Linear light (H, W, 3) behind the lens as the camera's picture (H, W, 3) uint8 BGR, before JPEG."""
    if optics.blur_px > 0.1:
        linear = cv2.GaussianBlur(linear, (0, 0), optics.blur_px)
    if any(optics.moved_px):
        linear = cv2.filter2D(linear, -1, _streak(optics.moved_px))
    high, wide = linear.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    radius2 = ((x - wide / 2) ** 2 + (y - high / 2) ** 2) / ((wide / 2) ** 2 + (high / 2) ** 2)
    linear *= (1 - optics.vignetting * radius2)[..., None]
    if optics.metered:
        linear *= np.float32((optics.metered / (float(linear.mean()) + 1e-6)) ** _METERED_SHARE)
    linear *= np.asarray(light.exposure * light.balance_bgr, np.float32)
    if optics.bands:
        swing = np.sin(2 * np.pi * (np.arange(high) / optics.band_px + rng.random()))
        linear *= (1 + optics.bands * swing)[:, None, None].astype(np.float32)
    spread = np.sqrt(np.maximum(linear, 0) + 0.004) * light.noise
    linear += spread * rng.standard_normal(linear.shape, np.float32)
    if optics.mosaic:
        linear = _one_colour_a_pixel(linear)
    if optics.blotches:
        coarse = rng.standard_normal((-(-high // 6), -(-wide // 6), 3), np.float32) * optics.blotches
        linear += cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    return _display(linear, optics.sharpening)


def _one_colour_a_pixel(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """What is left of a picture of which every pixel sees blue, green or red only, the others interpolated."""
    raw = linear[..., 1].copy()
    raw[0::2, 0::2] = linear[0::2, 0::2, 2]
    raw[1::2, 1::2] = linear[1::2, 1::2, 0]
    levels = np.clip(raw * _WELL + 0.5, 0, 65535).astype(np.uint16)
    return np.asarray(cv2.cvtColor(levels, cv2.COLOR_BayerRGGB2BGR).astype(np.float32) / _WELL)


def _streak(moved_px: tuple[float, float]) -> NDArray[np.float32]:
    """The kernel of a straight movement."""
    reach = int(np.ceil(max(map(abs, moved_px)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for t in np.linspace(-0.5, 0.5, 16):
        x, y = reach + moved_px[0] * t, reach + moved_px[1] * t
        kernel[round(y), round(x)] += 1 / 16
    return kernel


def _display(linear: NDArray[np.float32], sharpening: float) -> NDArray[np.uint8]:
    clipped = np.clip(linear, 0, 1)
    table = (255 * from_linear(_FINE)).astype(np.float32)
    display = table[(clipped * (len(_FINE) - 1)).astype(np.int32)]
    if sharpening:
        display = display + sharpening * (display - cv2.GaussianBlur(display, (0, 0), 1.0))
    return np.asarray(np.clip(display + 0.5, 0, 255).astype(np.uint8))
