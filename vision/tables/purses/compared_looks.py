"""Compares two looks at a purse in noise and in light that has changed: what differs, in deviations of the noise.

Both are seen half as large, where noise is weaker and coins are still wide enough. The light may have changed by place:
people bend over the table, a camera's exposure and white balance wander. What is brighter or darker by the same factor
far around is light; what is left after that is noise, or something that lies there in one of the looks only.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK, SATURATED
from vision.median import NORMAL, median
from vision.tables.purses.half_size import SCALE

# Grey levels from which on a channel tells something of the light.
DARK_GREY = 6.0

# Light changes by the same factor about so far around (mm, deviation), or where that is all covered, so far. Twice as
# far is half a purse, half as far a coin of which a part is taken for light.
NEAR_MM, FAR_MM = 12.0, 48.0
CELL_PX = 4  # light is compared in cells of so many px a side
# A cell that differs by so many deviations shows more than light; the light is compared so often without those.
STRANGE_TIMES, ROUNDS = 4.5, 3
# Of what is seen near a place so much is enough to tell its light.
LEAST_SEEN = 0.05

# A picture lies so exactly on an earlier one, px here: times the slope around, that is no change.
MISPLACED_PX = 0.35
LEAST_GREY = 0.5  # deviation of a channel at least: bytes are rounded
LEVELS, LEAST_PX = 4, 200  # of brightness in which noise is measured, each on so many px at least
TOGETHER_PX = 9  # noise of a window so wide tells how many px of it go together


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two looks at a purse, half as large: `before`, in the light of the other one, and `now`, both (H, W, 3) float32
    BGR; `off` (H, W, 3): what they differ by in deviations of the noise, of three colours that are independent of each
    other; `whiten` (3, 3): BGR -> those; `together`: so many px are as one that is independent."""

    before: np.ndarray
    now: np.ndarray
    off: np.ndarray
    whiten: np.ndarray
    together: float


def compare_looks(before: np.ndarray, now: np.ndarray) -> Compared:
    """Two looks (H, W, 3) float32 BGR at the same place, half as large."""
    expected, still = _in_light_of(before, now)
    off, whiten = _in_deviations(expected, now, still)
    return Compared(expected, now, off, whiten, max(1.0, _together(off, still)))


def joined_looks(before: np.ndarray, now: np.ndarray, looks: int) -> np.ndarray:
    """(H, W, 3) float32 BGR: the mean of the looks at a place that has not changed, in the light of the last one `now`,
    as of `looks` with it; `before`: the mean of the others. A camera's noise is so many times weaker, squared."""
    return np.asarray(_in_light_of(before, now)[0] * (1.0 - 1.0 / looks) + now / looks, np.float32)


def _in_light_of(before: np.ndarray, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the earlier look (H, W, 3) would be in the light of the later one, and (H, W) bool: where nothing else than
    light has changed, as far as the cells tell."""
    height, width = now.shape[:2]
    size = (max(1, width // CELL_PX), max(1, height // CELL_PX))
    darker, brighter = np.minimum(before, now), np.maximum(before, now)
    # what noise and rounding add tells more of a dark channel's light than the light does
    tells = np.where((darker > DARK_GREY) & (brighter < SATURATED), (darker / 255.0) ** 2, 0.0).astype(np.float32)
    ratio = np.log((now + BLACK) / (before + BLACK)) * tells
    weight = cv2.resize(tells, size, interpolation=cv2.INTER_AREA)
    cells = cv2.resize(ratio, size, interpolation=cv2.INTER_AREA) / np.maximum(weight, 1e-6)
    weight /= np.maximum(weight.mean(axis=(0, 1)), 1e-6)
    usual = np.array([_median(cells[..., channel][weight[..., channel] > 0]) for channel in range(3)], np.float32)
    cells = cells - usual
    still = np.ones(cells.shape[:2], bool)
    for _ in range(ROUNDS):
        left = np.abs(cells - _smooth(cells, weight * still[..., None])) * np.minimum(weight, 1.0)
        noise = [NORMAL * _median(left[..., channel][weight[..., channel] > 0]) for channel in range(3)]
        strange = (left > STRANGE_TIMES * np.array(noise) + 1e-3).any(axis=2)
        still = cv2.dilate(strange.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
    light = cv2.resize(_smooth(cells, weight * still[..., None]), (width, height), interpolation=cv2.INTER_LINEAR)
    expected = (before + BLACK) * np.exp(light + usual) - BLACK
    clipped = ((before >= SATURATED) & (now > expected)) | ((now >= SATURATED) & (expected > now))
    expected = np.clip(np.where(clipped, now, expected), 0.0, 255.0).astype(np.float32)
    where = cv2.resize(still.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST).astype(bool)
    return expected, where if where.any() else np.ones_like(where)


def _median(values: np.ndarray) -> float:
    return median(values) if values.size else 0.0


def _smooth(cells: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(h, w, 3): values of cells as those around them that have weight (h, w, 3) say, the near ones where there are
    any."""
    out = np.zeros_like(cells)
    for reach_mm in (FAR_MM, NEAR_MM):
        sigma = reach_mm * SCALE / CELL_PX
        total = cv2.GaussianBlur(weight, (0, 0), sigma)
        mean = cv2.GaussianBlur(cells * weight, (0, 0), sigma) / (total + 1e-6)
        share = total / (total + LEAST_SEEN)
        out = share * mean + (1.0 - share) * out
    return np.asarray(out)


def _together(off: np.ndarray, where: np.ndarray) -> float:
    """How many px of noise (H, W, 3) go together `where` (H, W) bool says."""
    window = cv2.blur(off, (TOGETHER_PX, TOGETHER_PX))[where]
    return TOGETHER_PX**2 * (NORMAL * _median(np.abs(window))) ** 2


def _in_deviations(expected: np.ndarray, now: np.ndarray, still: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What two looks (H, W, 3) differ by in deviations of the noise, which is measured where all is `still` (H, W)
    bool, of each brightness by itself: a dark square of a cloth is noisier than a pale one, in other colours and in
    larger blotches; and (3, 3): BGR -> three independent colours."""
    bgr = now - expected
    whiten = _whitening(bgr[still])
    level = expected.mean(axis=2)
    bounds = np.quantile(level[still], np.linspace(0.0, 1.0, LEVELS + 1)[1:-1])
    of_level, off, together = np.digitize(level, bounds), np.empty_like(bgr), []
    for number in range(LEVELS):
        here, quiet = of_level == number, still & (of_level == number)
        enough = np.count_nonzero(quiet) >= LEAST_PX
        as_noise = bgr @ (_whitening(bgr[quiet]) if enough else whiten).T
        off[here] = as_noise[here]
        together.append((here, max(1.0, _together(as_noise, quiet)) if enough else None))
    usual = float(np.median([times for _, times in together if times] or [1.0]))
    for here, times in together:
        off[here] *= np.sqrt(usual / (times or usual))
    slopes = [
        cv2.magnitude(*(cv2.Scharr(channel, cv2.CV_32F, dx, 1 - dx, scale=1 / 32) for dx in (1, 0)))
        for channel in cv2.split(expected)
    ]
    misplaced = (MISPLACED_PX * np.stack(slopes, axis=2) @ np.abs(whiten).T).mean(axis=2)
    return np.asarray(off / np.hypot(1.0, misplaced)[..., None], np.float32), whiten


def _whitening(quiet: np.ndarray) -> np.ndarray:
    """(3, 3): BGR -> three independent colours of deviation 1, of noise (N, 3)."""
    spread = NORMAL * np.median(np.abs(quiet), axis=0) + LEAST_GREY
    usual = quiet[(np.abs(quiet) < 3.0 * spread).all(axis=1)]
    noise = np.cov(usual.T) if len(usual) > 3 else np.diag(spread**2)
    return np.asarray(np.linalg.inv(np.linalg.cholesky(noise + np.eye(3) * LEAST_GREY**2)), np.float32)
