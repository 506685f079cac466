"""How a picture's light turns the colours of flat scans into those of the picture, and the colours of the pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.median import median
from vision.srgb import LINEAR

# A channel at or above this value may have been cut off by the camera: it says "at least", not "equal".
SATURATED = 248.0

# Foot of the sRGB curve, 0.055 * 255: more light multiplies (value + 14), not the value (IEC 61966-2-1).
BLACK = 14.025

# White paper as a flat scan shows it, grey levels: laser print's is 236.
PAPER = 236.0

# The belief, worth ten samples, that the channels' gains are alike to some 30 %, that little light veils black, and
# that the veil is grey. It decides where one channel of most faces is cut off.
PRIOR_SAMPLES = 10.0
CAST_SD, VEIL_SD, VEIL_CAST_SD = 0.3, 0.1, 0.03

# In the first rounds the channels are held together: with one of them cut off, the fit could end far away.
FIRST_CAST_SD = 0.1
ALIKE_ROUNDS = 2

# Cameras that deepen shadows darken black by less than a hundredth of white; and the foot of the curve.
LEAST_VEIL, LEAST_LIGHT = -0.01, 0.003

# Gain from which the search for a light begins at least: of what is black all over nothing tells it.
LEAST_GAIN = 0.01

# Residual in grey levels at which a sample counts half, round by round; at last twice the noise of a dim picture.
ROBUST_SCALES = (40.0, 25.0, 15.0, 10.0, 8.0, 8.0)

# A fit in which more than half of what the camera cut off in a channel stays so far below, grey levels, has taken
# bright print for pieces and hands: four blue tiles, whose red the scans show a little too bright, came to less than
# half the red light. Then what was cut off is never left out. Fewer samples than that say nothing.
FAR_BELOW, UNEXPLAINED, LEAST_CUT = 40.0, 0.5, 32

# With it, all samples fit at most so many times as badly: worn edges, glints and white pieces are cut off, too.
MOST_NOISE_MORE = 1.5
ROBUST = np.zeros((1, 3), bool)

# sRGB byte -> linear light 0-1.
TO_LIGHT = LINEAR.astype(np.float32)


def from_light(light: np.ndarray) -> np.ndarray:
    """Linear light, 1 for white and more for what a camera cuts off -> sRGB, 255 for white, not cut off."""
    light = np.asarray(light)
    return np.where(
        light <= 0.0031308, 255 * 12.92 * light, 255 * 1.055 * np.maximum(light, 0.003) ** (1 / 2.4) - BLACK
    )


def to_light(bgr: np.ndarray) -> np.ndarray:
    """sRGB 0-255, not only whole numbers -> linear light, float32."""
    value = np.asarray(bgr, np.float32) / 255
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0.04) + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True, slots=True)
class PictureLight:
    """picture + 14 = (1 + slope . xy) (sRGB(gain reference + veil) + 14) within 0-255, per channel B, G, R.

    `gain`, `veil`: in linear light, 1 for white: what lights the faces, and what glosses over them all or strays in
    the lens. `slope`: relative change of picture + 14 per 100 mm in x and y over the table. `noise`: median absolute
    residual of the fit, grey levels. `blur_px`: standard deviation, canvas px, by which the picture is softer than
    the reference. `shade`: the light where the sun does not fall, if this is that of panes of sun; None: one light
    falls on all. `at_least`: what told it was too bright for the picture, so that there may be much more of it.
    """

    gain: tuple[float, float, float]
    veil: tuple[float, float, float]
    slope: tuple[float, float]
    noise: float
    blur_px: float = 0.9
    shade: PictureLight | None = None
    at_least: bool = False

    def over_table(
        self, reference: np.ndarray, brightness: np.ndarray, axes_mm: tuple[np.ndarray, np.ndarray]
    ) -> np.ndarray:
        """What a picture (H, W, 3) uint8 BGR of flat scans laid on the table looks like in this light, float32 0-255.

        `brightness` (H, W): see `expect`; `axes_mm`: (W,) and (H,) table mm of its columns and rows.
        """
        seen = cv2.LUT(reference, _lit_levels(self.gain, self.veil))
        x, y = axes_mm
        level = (1.0 + x * (self.slope[0] / 100.0))[None] + (y * (self.slope[1] / 100.0))[:, None]
        lit = (level * brightness).astype(np.float32)
        seen = cv2.multiply(seen, cv2.merge([lit, lit, lit]), dst=seen)
        seen -= BLACK
        return np.asarray(np.clip(seen, 0.0, 255.0, out=seen))

    def expect(
        self, reference: np.ndarray, xy_mm: np.ndarray, brightness: np.ndarray | float = 1.0, *, clip: bool = True
    ) -> np.ndarray:
        """What a surface of `reference` colour (..., 3) BGR at `xy_mm` (..., 2) looks like in the picture, float32.

        `brightness` (..., 1): how much brighter than the light of the whole picture the place is, as `slope` is.
        """
        place = np.asarray(xy_mm, np.float32)
        level = place[..., 0] * (self.slope[0] / 100.0) + place[..., 1] * (self.slope[1] / 100.0) + np.float32(1.0)
        if reference.dtype == np.uint8:
            lit = _lit_levels(self.gain, self.veil)
            if level.size == 1 and isinstance(brightness, float):  # one place: what each grey level looks like
                lit = _as_seen(lit, level.reshape(1, 1, 1) * np.float32(brightness), clip=clip)
                return np.asarray(cv2.LUT(reference.reshape(1, -1, 3), lit).reshape(reference.shape))
            flat = cv2.LUT(reference.reshape(1, -1, 3), lit).reshape(reference.shape)
        else:
            flat = _lit(to_light(reference), self.gain, self.veil)
        return _as_seen(flat, level[..., None] * brightness, clip=clip)

    def as_scan(self, seen: np.ndarray, xy_mm: np.ndarray) -> np.ndarray:
        """What a flat scan shows of surfaces that look like `seen` (..., 3) uint8 BGR in the picture at `xy_mm`
        (..., 2): the way back from `expect`, uint8. What is cut off in every channel is taken for white paper."""
        level = 1.0 + np.asarray(xy_mm, np.float32) @ (np.array(self.slope, np.float32) / 100.0)
        flat = (seen.astype(np.float32) + BLACK) / level[..., None] - BLACK
        through = to_light(np.clip(flat, 0.0, 255.0))
        own = (through - np.array(self.veil, np.float32)) / np.array(self.gain, np.float32)
        scan = from_light(np.maximum(own, 0.0))
        cut = np.clip((seen.min(axis=-1, keepdims=True).astype(np.float32) - SATURATED) / (255.0 - SATURATED), 0.0, 1.0)
        scan = np.maximum(scan, scan + cut * (PAPER - scan))
        return np.asarray(np.clip(scan + 0.5, 0.0, 255.0), np.uint8)


def _as_seen(lit: np.ndarray, level: np.ndarray, *, clip: bool) -> np.ndarray:
    """The picture of what is `_lit` (..., 3) so in the middle of the table, at places with that level of light."""
    seen = lit * level - np.float32(BLACK)
    return np.asarray(np.minimum(np.maximum(seen, np.float32(0.0)), np.float32(255.0)) if clip else seen)


def _lit(light: np.ndarray, gain: tuple[float, float, float], veil: tuple[float, float, float]) -> np.ndarray:
    """The picture + 14 in the middle of the table for surfaces of linear colour (..., 3) BGR, float32."""
    through = light * np.array(gain, np.float32) + np.array(veil, np.float32)
    return (from_light(through) + BLACK).astype(np.float32)


@lru_cache(maxsize=16)
def _lit_levels(gain: tuple[float, float, float], veil: tuple[float, float, float]) -> np.ndarray:
    """(1, 256, 3) float32: `_lit` of every grey level of every channel."""
    lit = np.ascontiguousarray(_lit(np.repeat(TO_LIGHT[:, None], 3, 1), gain, veil)[None])
    lit.setflags(write=False)
    return lit


def fit_light(
    reference: np.ndarray, seen: np.ndarray, xy_mm: np.ndarray, start: PictureLight | None = None
) -> PictureLight:
    """The light that best turns `reference` (N, 3) into `seen` (N, 3), BGR 0-255, at table places (N, 2) mm.

    Iteratively reweighted Gauss-Newton (Cauchy weights): pieces and hands on the faces count little. Channels cut
    off by the camera are left out. `start`: a light that is nearly right. Raises ValueError with fewer than 16 samples.
    """
    if len(reference) < 16:
        raise ValueError(f"the light of a picture needs at least 16 samples of known faces, got {len(reference)}")
    x, y = to_light(reference).astype(np.float64), seen.astype(np.float64) + BLACK
    place = xy_mm.astype(np.float64) / 100.0
    cut = y >= SATURATED + BLACK
    found = _fitted(x, y, place, cut, start, ROBUST)
    level = (1.0 + place @ found[2])[:, None]
    short = cut & (level * (from_light(np.maximum(x * found[0] + found[1], LEAST_LIGHT)) + BLACK) < y - FAR_BELOW)
    noise = _median_off(x, y, place, found)
    if (short.sum(0) > UNEXPLAINED * np.maximum(cut.sum(0), LEAST_CUT)).any():
        with_cut = _fitted(x, y, place, cut, start, cut)
        # worn edges and glints are cut off, too, and no light explains them
        if (off := _median_off(x, y, place, with_cut)) < MOST_NOISE_MORE * noise:
            found, noise = with_cut, off
    gain, veil, slope = found
    return PictureLight(_triple(gain), _triple(veil), (float(slope[0]), float(slope[1])), noise)


def _median_off(
    x: np.ndarray, y: np.ndarray, place: np.ndarray, found: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> float:
    """Median absolute residual, grey levels, of a fit: see `_fitted`."""
    gain, veil, slope = found
    flat = from_light(np.maximum(x * gain + veil, LEAST_LIGHT)) + BLACK
    residual = y - np.clip((1.0 + place @ slope)[:, None] * flat, BLACK, 255 + BLACK)
    return median(np.abs(residual))


def _fitted(
    x: np.ndarray, y: np.ndarray, place: np.ndarray, cut: np.ndarray, start: PictureLight | None, firm: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gain (3,), veil (3,) and slope (2,) of samples of linear light `x`, picture + 14 `y` (N, 3) at `place` (N, 2), in
    100 mm. `cut` (N, 3): cut off by the camera; `firm` (N, 3): never outliers."""
    gain, veil, slope = _first_guess(x, y, ~cut), np.zeros(3), np.zeros(2)
    scales: tuple[float, ...] = ROBUST_SCALES
    alike = ALIKE_ROUNDS
    if start is not None:
        gain, veil, slope = (np.array(part) for part in (start.gain, start.veil, start.slope))
        scales, alike = ROBUST_SCALES[-3:], 0
    for number, scale in enumerate(scales):
        level = (1.0 + place @ slope)[:, None]
        through = np.maximum(x * gain + veil, LEAST_LIGHT)
        flat = from_light(through) + BLACK
        # a channel that was cut off asks for nothing once the prediction is as bright
        weight = (~cut | (level * flat < y)) / (1.0 + np.where(firm, 0.0, (y - level * flat) / scale) ** 2)
        steep = level * flat / (2.4 * through)  # d picture / d linear light
        cast_sd = FIRST_CAST_SD if number < alike else CAST_SD
        gain, veil = _gains(x, steep, y - level * flat, weight, gain, veil, scale, cast_sd)
        flat = from_light(np.maximum(x * gain + veil, LEAST_LIGHT)) + BLACK
        normal = (place * (weight * flat * flat).sum(1)[:, None]).T @ place
        normal += np.eye(2) * 1e-3 * (weight * flat * flat).sum()
        slope = np.linalg.solve(normal, place.T @ (weight * flat * (y - flat)).sum(1))
    return gain, veil, slope


def _gains(
    x: np.ndarray,
    steep: np.ndarray,
    off: np.ndarray,
    weight: np.ndarray,
    gain: np.ndarray,
    veil: np.ndarray,
    scale: float,
    cast_sd: float,
) -> tuple[np.ndarray, np.ndarray]:
    """One step of all channels' gain (its logarithm) and veil (3,) towards what explains `off` (N, 3)."""
    by_gain, by_veil = steep * x * gain, steep
    gg, gv, vv = ((weight * a * b).sum(0) for a, b in ((by_gain, by_gain), (by_gain, by_veil), (by_veil, by_veil)))
    og, ov = ((weight * off * a).sum(0) for a in (by_gain, by_veil))
    prior = PRIOR_SAMPLES * scale**2
    log_gain = np.log(gain)
    gg, vv = gg + prior / cast_sd**2, vv + prior / VEIL_SD**2 + prior / VEIL_CAST_SD**2
    og = og + prior / cast_sd**2 * (log_gain.mean() - log_gain)
    ov = ov - prior / VEIL_SD**2 * veil + prior / VEIL_CAST_SD**2 * (veil.mean() - veil)
    whole = gg * vv - gv * gv
    step_gain, step_veil = (vv * og - gv * ov) / whole, (gg * ov - gv * og) / whole
    gain = np.exp(log_gain + np.clip(step_gain, -0.5, 0.5))
    return gain, np.maximum(veil + np.clip(step_veil, -0.1, 0.1), LEAST_VEIL)


def _first_guess(x: np.ndarray, y: np.ndarray, usable: np.ndarray) -> np.ndarray:
    """(3,) one gain for all channels: ratio in linear light, over samples that are neither dark nor cut off."""
    gain = np.ones(3)
    for c in range(3):
        ok = usable[:, c] & (x[:, c] > 0.02)
        if ok.any():
            gain[c] = median(to_light(y[ok, c] - BLACK) / x[ok, c])
    return np.full(3, max(median(gain), LEAST_GAIN))


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
