"""How a picture's light turns the colours of flat scans into those of the picture, and the colours of the pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

SATURATED = 248.0
"""A channel at or above this value may have been cut off by the camera: it says "at least", not "equal"."""

BLACK = 14.0
"""Foot of the sRGB curve, 0.055 * 255: more light multiplies (value + 14), not the value (IEC 61966-2-1)."""

VEIL_PRIOR = 0.1
"""Weight, against one pixel, of the belief that black stays black apart from that foot."""

CAST_PRIOR = 600.0
"""Weight (grey levels squared a sample) of the belief that the channels are alike: lamps differ by some 20 %."""

ROBUST_SCALES = (40.0, 25.0, 15.0, 10.0, 8.0, 8.0, 8.0, 8.0)
"""Residual in grey levels at which a sample counts half, round by round; at last twice the noise of a dim picture."""


@dataclass(frozen=True, slots=True)
class PictureLight:
    """picture + 14 = (1 + slope . xy) (gain reference + offset + 14) within 0-255, per channel B, G, R.

    `slope`: relative change of brightness per 100 mm in x and y over the table.
    `noise`: median absolute residual of the fit, grey levels.
    """

    gain: tuple[float, float, float]
    offset: tuple[float, float, float]
    slope: tuple[float, float]
    noise: float

    def expect(
        self, reference: np.ndarray, xy_mm: np.ndarray, brightness: np.ndarray | float = 1.0, *, clip: bool = True
    ) -> np.ndarray:
        """What a surface of `reference` colour (..., 3) BGR at `xy_mm` (..., 2) looks like in the picture, float32.

        `brightness` (..., 1): how much brighter than the light of the whole picture the place is.
        """
        level = 1.0 + np.asarray(xy_mm, np.float32) @ (np.array(self.slope, np.float32) / 100.0)
        flat = np.asarray(reference, np.float32) * np.array(self.gain, np.float32)
        # slope and brightness multiply the value above the foot of the curve, as in the fit
        seen = (flat + (np.array(self.offset, np.float32) + BLACK)) * (level[..., None] * brightness) - BLACK
        return np.clip(seen, 0.0, 255.0) if clip else seen


def fit_light(reference: np.ndarray, seen: np.ndarray, xy_mm: np.ndarray) -> PictureLight:
    """The light that best turns `reference` (N, 3) into `seen` (N, 3), BGR 0-255, at table places (N, 2) mm.

    Iteratively reweighted least squares (Cauchy weights): pieces and hands on the faces count little.
    Channels cut off by the camera are left out. Raises ValueError with fewer than 16 samples.
    """
    if len(reference) < 16:
        raise ValueError(f"the light of a picture needs at least 16 samples of known faces, got {len(reference)}")
    x, y = reference.astype(np.float64) + BLACK, seen.astype(np.float64) + BLACK
    place = xy_mm.astype(np.float64) / 100.0
    cut = y >= SATURATED + BLACK
    gain, veil, slope = _first_guess(x, y, ~cut), np.zeros(3), np.zeros(2)
    for scale in ROBUST_SCALES:
        level = 1.0 + place @ slope
        predicted = level[:, None] * (x * gain + veil)
        # a channel that was cut off asks for nothing once the prediction is as bright
        weight = (~cut | (predicted < y)) / (1.0 + ((y - predicted) / scale) ** 2)
        common = float(np.exp(np.log(gain).mean()))
        for c in range(3):
            a = np.stack([x[:, c], np.ones(len(x))], 1) * level[:, None]
            aw = a * weight[:, c : c + 1]
            prior = np.diag([CAST_PRIOR, VEIL_PRIOR]) * len(x)
            gain[c], veil[c] = np.linalg.solve(aw.T @ a + prior, aw.T @ y[:, c] + [CAST_PRIOR * len(x) * common, 0.0])
        flat = x * gain + veil
        normal = (place * (weight * flat * flat).sum(1)[:, None]).T @ place
        normal += np.eye(2) * 1e-3 * (weight * flat * flat).sum()
        slope = np.linalg.solve(normal, place.T @ (weight * flat * (y - flat)).sum(1))
    residual = y - np.clip((1.0 + place @ slope)[:, None] * (x * gain + veil), BLACK, 255 + BLACK)
    offset = BLACK * (gain - 1.0) + veil
    return PictureLight(
        _triple(gain), _triple(offset), (float(slope[0]), float(slope[1])), float(np.median(np.abs(residual)))
    )


def _first_guess(x: np.ndarray, y: np.ndarray, usable: np.ndarray) -> np.ndarray:
    gain = np.ones(3)
    for c in range(3):
        ok = usable[:, c] & (x[:, c] > 30 + BLACK)
        if ok.any():
            gain[c] = np.median(y[ok, c] / x[ok, c])
    return gain


def _triple(values: np.ndarray) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


@dataclass(frozen=True, slots=True)
class PieceColours:
    """The colours of a box's pieces as a flat scan would show them: names and (K, 3) BGR 0-255 tuples."""

    names: tuple[str, ...]
    bgr: tuple[tuple[float, float, float], ...]

    @classmethod
    def from_rgb(cls, colours: Mapping[str, tuple[int, int, int]]) -> PieceColours:
        """From nominal sRGB values by name."""
        return cls(tuple(colours), tuple((float(c[2]), float(c[1]), float(c[0])) for c in colours.values()))

    def array(self) -> np.ndarray:
        """(K, 3) float32 BGR."""
        return np.array(self.bgr, np.float32).reshape(-1, 3)

    def only(self, names: tuple[str, ...]) -> PieceColours:
        """The named colours alone, in the order of this set. Raises ValueError for a name it does not have."""
        unknown = [n for n in names if n not in self.names]
        if unknown:
            raise ValueError(f"piece colours are {', '.join(self.names)}; got {', '.join(unknown)}")
        keep = [i for i, n in enumerate(self.names) if n in names]
        return PieceColours(tuple(self.names[i] for i in keep), tuple(self.bgr[i] for i in keep))
