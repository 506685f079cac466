"""Cameras as people have them: soft or oversharpened, noisy, with moire, bands of mains light and JPEG blocks."""

from __future__ import annotations

import numpy as np

from companion.lab.render.sensor import Optics

MOSAIC_CHANCE, BANDS_CHANCE = 0.7, 0.5


def rough_optics(rng: np.random.Generator) -> Optics:
    """The flaws of a cheap webcam or of a phone that streams."""
    return Optics(
        blur_px=rng.uniform(0.3, 1.25),
        vignetting=rng.uniform(0.1, 0.5),
        sharpening=rng.uniform(0.0, 1.3),
        jpeg_quality=int(rng.integers(55, 78)),
        mosaic=bool(rng.random() < MOSAIC_CHANCE),
        bands=rng.uniform(0.01, 0.05) if rng.random() < BANDS_CHANCE else 0.0,
        band_px=rng.uniform(140, 500),
        blotches=rng.uniform(0.0, 0.008),
        metered=rng.uniform(0.1, 0.3),
    )
