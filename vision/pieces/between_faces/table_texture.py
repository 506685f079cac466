"""What the bare table looks like: its colours, as evenly lit as they can be told, and what a pixel of it shows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.picture_light import SATURATED
from vision.median import median
from vision.pieces.likelihood_maps import DARKEST_SHADOW, MODEL_NOISE, SHADOW_COST, over_channels, pixels_at

# Colours of the table around the faces that a pixel between them is compared with: both squares of a chequered cloth,
# the lines and the ground of a grain.
TABLE_SAMPLES = 64

# Neighbourhood that is averaged; grey levels, and part of the level, by which the plainest table varies.
SOFT_PX = 5
LEAST_STRAY = 3.0
UNEVEN_LIGHT = 0.05

# How much noisier dark channels are than the table on the whole is told by pixels so far apart, which softening does
# not mix, of levels within so many grey levels of each other; by no fewer pairs of them than that.
APART_PX, LEVEL_GREY, LEAST_PAIRS = SOFT_PX + 1, 16, 200

# Pixels that are compared with all samples at a time: what lies between fits into a processor's cache.
CHUNK_PIXELS = 1024

# How the light over a plain table is fitted: to every so many-th pixel of every so many-th row; rounds, relative
# difference that counts a quarter, and weight a pixel of the belief in even light; and what it may differ by.
LEVEL_PX, LEVEL_ROUNDS, LEVEL_ROBUST, LEVEL_PRIOR = 4, 6, 0.08, 1e-4
MOST_UNEVEN = 1.3

# How dark a shadow is surely: part of the light that is left.
SHALLOW_SHADOW = 0.5

# Sun through a pane is up to so many times as bright as the light around it; few pixels of a table lie in it (nats a
# pixel, as for a shadow): what is of the table's hue, brighter, and as small as a piece may well be one. Light that is
# a tenth brighter than what the table's colours were taken in is nothing rare beside a pane.
SUNLIT = 3.0
SUN_COST = SHADOW_COST
BRIGHTER = 0.1

# From here on light costs all that the sun does: less may be how unevenly a table is lit.
FULL_SUN = 1.0 + BRIGHTER * (2.0 * SUN_COST) ** 0.5

# Panes are told by every so many-th pixel of every so many-th row: a piece has six of them across.
PANE_STEP = 3

# Nats that a lit pixel may leave unexplained before it is asked whether it lies in another light.
LEAST_OPEN = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Where pixels lie: their `numbers` (N,) in a picture of bare table and other things, of which `shape` (h, w); and
    `wide_px`, wider than a piece is: the sun falls through a pane on no less."""

    numbers: np.ndarray
    shape: tuple[int, int]
    wide_px: int

    def no_pane(self, bright: np.ndarray) -> np.ndarray:
        """(N,) bool: which of the pixels that are so `bright` (N,) bool lie in a patch that is too small for a pane of
        sun. A piece may stand in it, and what is no bare table, or no longer in the picture, may lie in it."""
        sun, other = np.zeros(self.shape, np.uint8), np.ones(self.shape, np.uint8)
        sun.ravel()[self.numbers], other.ravel()[self.numbers] = bright, 0
        size = (self.wide_px // PANE_STEP) | 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        sun, other = (
            cv2.copyMakeBorder(one[::PANE_STEP, ::PANE_STEP], *(size,) * 4, cv2.BORDER_CONSTANT, value=beyond)
            for one, beyond in ((sun, 0), (other, 1))
        )
        sun = cv2.morphologyEx(sun, cv2.MORPH_CLOSE, disc)
        pane = cv2.morphologyEx(sun | other, cv2.MORPH_OPEN, disc)[size:-size, size:-size]
        y, x = (axis // PANE_STEP for axis in np.divmod(self.numbers, self.shape[1]))
        return np.asarray(bright & (pane[y, x] == 0))


@dataclass(frozen=True, slots=True)
class TableTexture:
    """Colours of the bare table: (N, 3) float32 BGR as seen, and how far, in grey levels, it strays from them.

    Both are of the table softened by `soften`: what is compared is the mean of a neighbourhood, so that a table's own
    noise does not hide a piece that is nearly of its colour.
    """

    samples_bgr: np.ndarray
    stray: float
    noisier: np.ndarray | None = None
    """(N, 3) float32: how many times as noisy as the table on the whole each channel of a sample is, at least 1."""

    @classmethod
    def of(cls, pixels_bgr: np.ndarray, noisier: np.ndarray | None = None) -> TableTexture:
        """The look of a table from (M, 3) softened pixels; every other one tells how well the rest predict it.

        `noisier`: see `noise_by_level`."""
        pixels = pixels_bgr.astype(np.float32)
        pixels = pixels[np.argsort(pixels.sum(-1), kind="stable")]
        known, asked = pixels[::2], pixels[1::2]
        samples = known[:: max(1, len(known) // TABLE_SAMPLES)]
        asked = asked[:: max(1, len(asked) // 400)]
        noisy = None
        if noisier is not None:
            noisy = noisier[np.clip(samples, 0, 255).astype(np.intp) // LEVEL_GREY, np.arange(3)]
        if not len(asked):
            return cls(samples, MODEL_NOISE, noisy)
        apart = np.linalg.norm(asked[:, None] - samples[None], axis=-1).min(1)
        return cls(samples, float(np.sqrt(np.mean(apart**2) / 3)), noisy)

    @property
    def _own(self) -> np.ndarray:
        """(N, 3) or (1, 1) float32: grey levels by which the table strays from each channel of its samples."""
        own = np.float32(np.hypot(self.stray, LEAST_STRAY))
        return own * (np.ones((1, 1), np.float32) if self.noisier is None else self.noisier)

    def explain(self, seen: np.ndarray, soft: np.ndarray, noise: float, at: Spots | None = None) -> np.ndarray:
        """(N, 3) float32: the colour of the table, lit, that each pixel `seen` (N, 3) most likely shows.

        `soft` (N, 3): the same, softened. A lit pixel that differs from the table is put as much farther from it as
        `noise`, with which it will be judged as print is, exceeds the table's own. One in the sun is put so much darker
        that it costs what `brighter_cost` says; where they lie, `at`, tells what no sun falls on.
        """
        samples = self.samples_bgr
        own = np.broadcast_to(self._own, samples.shape)
        # (S, 3) over the variance of each channel of a sample
        half = 0.5 / (own**2 + ((UNEVEN_LIGHT * samples) ** 2).mean(-1, keepdims=True))
        best, light = self._best(soft, half, SUNLIT)
        if at is not None and (light > FULL_SUN).any():
            spots = np.flatnonzero(at.no_pane(light > FULL_SUN))
            best[spots], light[spots] = self._best(soft[spots], half, FULL_SUN)
        table, own = np.take(samples, best, axis=0), np.take(own, best, axis=0)
        out = (table - soft) * np.maximum(np.float32(1.0), np.float32(noise) / own)
        out += seen
        in_sun = np.flatnonzero(light > 1.0)
        if len(in_sun):
            out[in_sun] = self._sunlit(
                seen[in_sun], soft[in_sun], table[in_sun], own[in_sun], light[in_sun, None], noise
            )
        np.minimum(np.maximum(out, np.float32(0.0), out=out), np.float32(255.0), out=out)
        in_shadow = np.flatnonzero(light < 1.0)
        out[in_shadow] = table[in_shadow]
        return np.asarray(out)

    def _best(
        self, soft: np.ndarray, half: np.ndarray, brightest: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """As `_in_other_light` of all pixels, those that a lit sample explains among them."""
        by_half = self.samples_bgr * half
        square = np.maximum((self.samples_bgr * by_half).sum(-1), 1e-6)
        best, light = np.empty(len(soft), np.intp), np.ones(len(soft), np.float32)
        # nats against each sample lit, (soft - sample)^2 half over the channels, as one product
        from_square = np.vstack([-2.0 * by_half.T, half.T, square])
        powers = np.ones((len(soft), 7), np.float32)
        powers[:, :3], powers[:, 3:6] = soft, soft * soft
        for chunk in (slice(at, at + CHUNK_PIXELS) for at in range(0, len(soft), CHUNK_PIXELS)):
            lit = powers[chunk] @ from_square
            here = lit.argmin(1)
            # most pixels are explained well enough if they are lit
            open_to = np.flatnonzero(lit[np.arange(len(lit)), here] > LEAST_OPEN)
            if len(open_to):
                here[open_to], light[chunk][open_to] = self._in_other_light(
                    lit[open_to], soft[chunk][open_to], square, by_half, brightest
                )
            best[chunk] = here
        return best, light

    def _in_other_light(
        self, lit: np.ndarray, soft: np.ndarray, square: np.ndarray, by_half: np.ndarray, brightest: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The likeliest sample (N,) of softened pixels (N, 3), and (N,) float32 how many times as bright it is there: 1
        lit as on the whole, less in a shadow, more in the sun, `brightest` at most.

        `lit` (N, S): nats against each sample lit; `by_half` (S, 3), `square` (S,): the samples, and their squares
        summed, times half over their variances."""
        # `shade`: how many times as bright it is if it is what lies in a shadow or in the sun
        shade = soft @ (by_half / square[:, None]).T
        left = np.clip(shade, DARKEST_SHADOW, brightest)
        # of what is too bright for the picture nobody knows the hue; what is darker than most of the table lies in no
        # sun, though it be brighter than a shadow, or than a thing, beside the faces
        blue, green, red = (soft >= SATURATED).T
        dim = over_channels(soft) < np.median(over_channels(self.samples_bgr))
        unlit = np.flatnonzero(blue | green | red | dim)
        left[unlit] = np.minimum(left[unlit], 1.0)
        # light that is `left` changes that by `square` (1 - left) (2 shade - 1 - left)
        change = np.multiply(shade, 2.0)
        change -= 1.0
        change -= left
        change *= np.subtract(1.0, left, out=shade)
        change *= square
        brighter_cost(left, out=shade)
        np.copyto(shade, SHADOW_COST, where=left < 1.0)
        change += shade
        best = np.add(lit, np.minimum(change, 0.0, out=shade), out=lit).argmin(1)
        at = np.arange(0, best.size * len(square), len(square)) + best
        return best, np.where(change.take(at) < 0.0, left.take(at), np.float32(1.0))

    def _sunlit(
        self, seen: np.ndarray, soft: np.ndarray, table: np.ndarray, own: np.ndarray, light: np.ndarray, noise: float
    ) -> np.ndarray:
        """What `explain` says of pixels (N, 3) that show the colours `table`, which strays by `own`, both (N, 3),
        `light` (N, 1) times as bright."""
        sunlit = table * light
        bright = np.linalg.norm(sunlit, axis=-1, keepdims=True)
        own = own * light
        darker = np.sqrt(2.0 * brighter_cost(light)) * noise / np.maximum(bright, 1.0)
        return np.asarray(seen + (sunlit - soft) * np.maximum(1.0, noise / own) - darker * sunlit, np.float32)

    def nearest(self, seen: np.ndarray) -> np.ndarray:
        """(N, 3) float32: the colour of the lit table nearest to each pixel `seen` (N, 3)."""
        samples = self.samples_bgr
        apart = (samples**2).sum(-1)[None] - 2 * seen @ samples.T
        return np.asarray(samples[apart.argmin(1)], np.float32)

    def likeness(self, lit_bgr: np.ndarray) -> tuple[float, float]:
        """How far, grey levels, a colour (3,) as it would be seen is from the lit table, and from it in a shadow."""
        samples = self.samples_bgr
        shade = np.clip(samples @ lit_bgr / np.maximum((samples**2).sum(1), 1.0), SHALLOW_SHADOW, 1.0)
        lit = np.linalg.norm(samples - lit_bgr, axis=1).min()
        return float(lit), float(np.linalg.norm(shade[:, None] * samples - lit_bgr, axis=1).min())


def brighter_cost(light: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Nats that a pixel of table costs in `light` (any shape) float32, times as bright as on the whole, at least 1.

    `out`: where they are put."""
    cost = np.subtract(light, 1.0, out=out)
    cost *= cost
    cost *= 0.5 / BRIGHTER**2
    return np.asarray(np.minimum(cost, SUN_COST, out=cost))


def light_over(soft: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(H, W, 1) float32: how much brighter than on the whole the table is lit at each pixel, 1 in the mean.

    `soft` (H, W, 3), `table` (H, W) bool: pixels that show bare table, most of them. A quadratic of the place fitted
    to the logarithm of the brightness, re-weighted so that pieces and the pattern of a cloth do not pull.
    """
    height, width = table.shape
    y, x = (np.arange(side) / max(height, width) - 0.5 for side in (height, width))
    rows, columns = (LEVEL_PX * axis for axis in np.nonzero(table[::LEVEL_PX, ::LEVEL_PX]))
    if not len(rows):
        return np.ones((height, width, 1), np.float32)
    log = np.log(over_channels(soft[rows, columns]) + 1.0)
    px, py = x[columns], y[rows]
    points = np.stack([np.ones_like(px), px, py, px * px, px * py, py * py], axis=-1)
    weight = np.ones(len(log))
    middle = np.array([np.median(log), 0, 0, 0, 0, 0])
    found = middle
    prior = np.diag([1e-6, *[LEVEL_PRIOR * len(log)] * 5])
    for _ in range(LEVEL_ROUNDS):
        off = log - points @ found
        weight = 1.0 / (1.0 + (off / LEVEL_ROBUST) ** 2) ** 2
        weighted = points * weight[:, None]
        found = np.linalg.solve(weighted.T @ points + prior, weighted.T @ log + prior @ middle)
    _, in_x, in_y, in_xx, in_xy, in_yy = found.astype(np.float32)
    x, y = x.astype(np.float32), y.astype(np.float32)[:, None]
    level = np.exp(in_x * x + in_xx * x * x + (in_y * y + in_yy * y * y) + in_xy * y * x)
    level /= level[table].mean(dtype=float)
    return np.asarray(np.clip(level, 1 / MOST_UNEVEN, MOST_UNEVEN), np.float32)[..., None]


def noise_by_level(soft: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(L, 3) float32: how many times as noisy as on the whole each channel of the bare table is where it is so bright,
    1 at least, at each of L equal steps of 0..255: what is dark in one channel is noisy there once a camera has turned
    light to grey levels.

    `soft` (H, W, 3): the picture softened; `table` (H, W) bool: pixels that show bare table, most of them."""
    both = np.flatnonzero((table[:, APART_PX:] & table[:, :-APART_PX]).ravel())
    one, other = (pixels_at(np.ascontiguousarray(part), both) for part in (soft[:, APART_PX:], soft[:, :-APART_PX]))
    out = np.ones((256 // LEVEL_GREY, 3), np.float32)
    if len(both) < LEAST_PAIRS:
        return out
    apart, level = np.abs(one - other), ((one + other) / (2 * LEVEL_GREY)).astype(np.uint8)
    usual = max(median(apart), 1e-3)
    for channel in range(3):
        ordered = apart[np.argsort(level[:, channel], kind="stable"), channel]  # of bytes, in half the time
        ends = np.cumsum(np.bincount(level[:, channel], minlength=len(out))).tolist()
        for step, (start, end) in enumerate(zip((0, *ends[:-1]), ends, strict=True)):
            if end - start >= LEAST_PAIRS:
                out[step, channel] = max(1.0, median(ordered[start:end]) / usual)
    return out


def soften(seen_bgr: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the mean of each pixel's neighbourhood, a third of a piece wide."""
    return np.asarray(cv2.blur(seen_bgr.astype(np.float32), (SOFT_PX, SOFT_PX)))
