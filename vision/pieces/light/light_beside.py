"""Whether what is taken for a piece is print in the light that falls beside it, or in a brighter light of its own.

Gloss, and light that changes over a face, make print look like pieces of its colour: what explains the print all around
a place explains the place too where nothing stands in it, for a piece has a rim and light goes on. Panes of sun and
gloss may end at the place, too: then a light that brightens its own print explains it better than a piece does.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.picture_light import SATURATED, from_light, to_light
from vision.pieces.light.seen_through import details_within, hidden_by
from vision.pieces.likelihood_maps import (
    COLOUR_SPREAD,
    CORRELATED_PX,
    MODEL_NOISE,
    TOGETHER_PX,
    WORST_BARE,
    over_channels,
)
from vision.pieces.shapes import Hypothesis

# The print that tells the light: beyond what the rim of a piece blurs into, and nearer than light changes much.
RIM_PX, AROUND_PX = 2, 8

# Pixels that tell a light of two numbers; a ring around a piece has some 600.
LEAST_PIXELS = 150

# Part of a pixel that a piece covers from which it shows no print.
COVERED = 0.05

# Light that is told within so much; more is another thing, or the shadow that a piece casts.
DARKEST, BRIGHTEST, LEAST_GLOSS, MOST_GLOSS = 0.5, 2.0, -0.02, 0.3

# The light of a place's own print is never told darker than that of its face, as a shadow is known otherwise; full sun
# in a pane is up to three times as bright as what comes from the room.
AS_BRIGHT, SUNLIT = 1.0, 3.0

# Part of a pixel that a piece must cover before it helps to tell the light of the print in its place, and the least
# number of such pixels: a fifth of a top.
MOSTLY, LEAST_OF_A_PIECE = 0.5, 40

# Print in a light shows its fine detail: where clearly less than this part of it is seen, by so many standard errors,
# something else is as bright.
HALF_SHOWN, CLEARLY = 0.5, 2.0

# Nats that most pixels so near to each other speak against the light of the print around a place where that is another.
OTHERWISE_LIT = 2.0

# Rounds of the robust fit, and error (spreads of a pixel) at which one counts half: shadows lie on a part of the ring.
ROUNDS, ROBUST = 6, 1.5

# Gain and gloss are believed to be those of the face, as strongly as so many pixels tell them.
PRIOR_PIXELS = 10.0


class LightBeside:
    """What the pixels of a canvas say for bare print in the light of what lies around each place."""

    def __init__(self, canvas: Canvas, bare: np.ndarray, known: np.ndarray) -> None:
        """`bare` (H, W): see `bare_likelihoods`; `known` (H, W) bool: the canvas' `inner_pixels`."""
        self.canvas, self.bare, self.known = canvas, bare, known

    def speaks_for_print(
        self,
        one: Hypothesis,
        box: tuple[slice, slice],
        covered: np.ndarray,
        *,
        in_either: bool = False,
        if_brighter: bool = False,
    ) -> float:
        """Nats by which the print where `one` stands in the region `box` is explained better in the light of the print
        around it; 0 where too little of that is seen. `covered` (h, w): part of each pixel of the region that other
        pieces cover. `in_either`: where some of that print lies in another light, as beside the edge of a shadow, each
        pixel in the one that those around it lie in; `if_brighter`: where that is the brighter one. Beside a piece its
        own shadow lies, a dark piece looks like print in that, and no piece casts light."""
        rows, columns = (
            slice(max(0, side.start - AROUND_PX), min(most, side.stop + AROUND_PX))
            for side, most in zip(one.where, covered.shape, strict=True)
        )
        own = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
        top, left = one.where[0].start - rows.start, one.where[1].start - columns.start
        high, wide = one.top.shape
        own[top : top + high, left : left + wide] = one.top + one.side
        y, x = box[0].start, box[1].start
        there = (slice(y + rows.start, y + rows.stop), slice(x + columns.start, x + columns.stop))
        part, known = self.canvas.part(there), self.known[there]
        inside = own * known
        if not inside.any():
            return 0.0
        face = int(np.bincount(part.label[inside > 0.0]).argmax())
        near, far, beside = (
            _grown(cover > COVERED, reach)
            for cover, reach in ((own, RIM_PX), (own, AROUND_PX), (covered[rows, columns], RIM_PX))
        )
        ring = far & ~near & ~beside & known & (part.label == face) & (part.seen < SATURATED).all(-1)
        if np.count_nonzero(ring) < LEAST_PIXELS:
            return 0.0
        most = self._light(part, ring, (DARKEST, BRIGHTEST))
        lit = self._lit(part, most)
        if in_either:
            around = (TOGETHER_PX,) * 2
            others = ring & (cv2.blur((lit < -OTHERWISE_LIT).astype(np.float32), around) > MOSTLY)
            if np.count_nonzero(others) >= LEAST_OF_A_PIECE:
                light = self._light(part, others, (DARKEST, BRIGHTEST))
                brightens = _print_in(part, light)[others].sum() > _print_in(part, most)[others].sum()
                if brightens or not if_brighter:
                    other = self._lit(part, light)
                    lit = np.where(cv2.blur(other - lit, around) > 0.0, other, lit)
        return float(((lit - self.bare[there]) * inside).sum()) / CORRELATED_PX

    def speaks_for_brighter_print(self, one: Hypothesis, box: tuple[slice, slice], covered: np.ndarray) -> float:
        """Nats by which the print where `one` stands in the region `box` is explained better in one light of its own,
        as bright as that of its face or brighter; 0 where too little of it is seen. `covered`: see `speaks_for_print`.

        Of 458 pieces of rendered rough rooms two were explained so within 10 nats as well as by themselves, both on a
        tile that was not recognised; of 15 that were none on tiles that were, the seven in sun and gloss."""
        rows, columns = (
            slice(region.start + side.start, region.start + side.stop)
            for region, side in zip(box, one.where, strict=True)
        )
        inside = (one.top + one.side) * (1.0 - covered[one.where]) * self.known[rows, columns]
        telling = inside > MOSTLY
        if np.count_nonzero(telling) < LEAST_OF_A_PIECE:
            return 0.0
        part = self.canvas.part((rows, columns))
        if part.seen[telling].sum() <= part.bare[telling].sum():  # nothing brightens it
            return 0.0
        light = self._light(part, telling, (AS_BRIGHT, SUNLIT))
        hidden = hidden_by(one)
        if hidden.any() and _misses_detail(part.seen, _print_in(part, light), hidden):
            return 0.0
        better = self._lit(part, light) - self.bare[rows, columns]
        return float((better * inside).sum()) / CORRELATED_PX

    def _lit(self, part: Canvas, light: tuple[float, float]) -> np.ndarray:
        """(h, w) log-likelihoods of the pixels of a part as bare print in a light."""
        gap = part.seen - _print_in(part, light)
        return np.asarray(np.maximum(-0.5 * (gap * gap / self._variance(part)).sum(-1), -WORST_BARE))

    def _variance(self, part: Canvas) -> np.ndarray:
        noise = MODEL_NOISE + self.canvas.noise
        return np.asarray(noise * noise + (COLOUR_SPREAD * part.bare) ** 2 + part.slack * part.slack)

    def _light(self, part: Canvas, where: np.ndarray, gains: tuple[float, float]) -> tuple[float, float]:
        """Gain, within `gains`, and gloss (linear light, white 1) in which the print of some pixels (h, w) bool looks
        most as it is seen."""
        seen, bare, variance = part.seen[where], part.bare[where], self._variance(part)[where]
        print_light, seen_light = to_light(bare), to_light(seen)
        # a grey level is so much light
        level = (to_light(np.minimum(bare + 4.0, 255.0)) - to_light(np.maximum(bare - 4.0, 0.0))) / 8.0
        weight = 1.0 / np.maximum(level * level * variance, 1e-9)
        believed = np.array([1.0, 0.0])
        found, robust = believed, np.ones(len(seen))
        columns = np.stack([print_light.ravel(), np.ones(print_light.size, print_light.dtype)])  # (2, 3 N)
        for _ in range(ROUNDS):
            each = columns * (weight * robust[:, None]).ravel()
            normal = each @ columns.T
            prior = np.diag(np.diag(normal)) * (PRIOR_PIXELS / len(seen))
            found = np.linalg.solve(normal + prior, each @ seen_light.ravel() + prior @ believed)
            off = print_light * found[0] + found[1] - seen_light
            robust = 1.0 / (1.0 + over_channels(off * off * weight) / (3.0 * ROBUST**2))
        return float(np.clip(found[0], *gains)), float(np.clip(found[1], LEAST_GLOSS, MOST_GLOSS))


def _print_in(part: Canvas, light: tuple[float, float]) -> np.ndarray:
    """(h, w, 3) 0-255: the bare print of a part of a canvas in a light."""
    gain, gloss = light
    return np.asarray(np.clip(from_light(np.maximum(to_light(part.bare) * gain + gloss, 0.0)), 0.0, 255.0))


def _misses_detail(seen: np.ndarray, lit: np.ndarray, hidden: np.ndarray) -> bool:
    """Whether in some pixels, `hidden` (h, w) bool, clearly less than half of the fine detail is seen that print in a
    light (h, w, 3) would show: what is as bright as it, but plain, hides it."""
    here, wanted = details_within((seen, lit), hidden)
    own = float((wanted * wanted).sum())
    if own <= 0.0:
        return False
    shown = float((here * wanted).sum()) / own
    error = np.sqrt(CORRELATED_PX * float(np.square(here - shown * wanted).mean()) / own)
    return bool(shown + CLEARLY * error < HALF_SHOWN)


def _grown(where: np.ndarray, reach: int) -> np.ndarray:
    """(h, w) bool: all within so many px of what is True."""
    return np.asarray(cv2.dilate(where.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)) > 0)
