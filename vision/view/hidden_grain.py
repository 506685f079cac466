"""Where the table's own fine detail (grain, weave, print) is no longer seen that earlier pictures of the view showed.

A bare hand over wood of the colour of skin is neither odd nor of another hue; but no grain is seen through it, and it
is seen through a shadow. Of a table without detail nothing is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.median import median

# Longer side of a view (px, one a mm) above which its grain is not compared: round a map hardly any bare table is seen,
# and to compare it took four times as long as all else that finds hands there.
MOST_PX = 500

# Grain is finer than light: what lies between these (px) is compared, in the logarithm of light, so that a shadow
# leaves it as it is; grey levels are added before it, below which a camera's noise is as large as the light.
FINE_PX, COARSE_PX, DARKEST = 0.8, 2.5, 8.0

LIGHT_OF = np.log(np.arange(256, dtype=np.float32) + np.float32(DARKEST))

# Detail is cut off at so many times its median size: the hard edge of a light must not outweigh the grain beside it.
CLIPPED = 1.0

# Side of the square in which detail is compared: narrower than an arm of 20 mm at least.
SQUARE_PX = 15

# Correlation of two pictures' detail from which it was seen in both, and below which it is hidden: unmoved wood had
# 0.9 in the median in rendered rough films, two unrelated squares of this size reach 0.2.
SEEN, HIDDEN = 0.5, 0.25

# Around each pixel, as far as detail is compared: part of what was seen there that must be hidden, and part of all that
# must have been seen. In a deep shadow noise leaves holes in both, and an arm over it fell into shreds.
MOST, LEAST = 0.5, 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Detail:
    """The fine detail (H, W) float32 of a view, its mean and its variance around each pixel: asked for again with each
    picture that it is compared with."""

    values: np.ndarray
    mean: np.ndarray
    variance: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray) -> Detail:
        """That of (H, W) float32."""
        mean = _mean(values)
        variance = _mean(values * values)
        variance -= mean * mean  # in place, as below: of a map each array between has two to three MB
        return cls(values, mean, variance)

    def likeness(self, other: Detail) -> np.ndarray:
        """(H, W) correlation of the two around each pixel."""
        both = _mean(self.values * other.values)
        both -= self.mean * other.mean
        spread = self.variance * other.variance
        np.maximum(spread, 1e-12, out=spread)
        np.sqrt(spread, out=spread)
        both /= spread
        return both


@dataclass(frozen=True, slots=True, eq=False)
class Grain:
    """The detail of a view (H, W), and where (H, W) bool two pictures without a hand on end showed the same
    one; None after the first of them. `last`: what the last of them showed, if that was something else somewhere."""

    detail: Detail
    is_seen: np.ndarray | None = None
    last: Detail | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Height and width, px."""
        return self.detail.values.shape

    def hidden(self, now: Grain) -> np.ndarray | None:
        """(H, W) bool: where most of what was seen around is not seen `now`; None when that cannot be known yet."""
        shown = self.shown(now)
        if shown is None or self.is_seen is None:
            return None
        was, gone = (_mean(each.astype(np.float32)) for each in (self.is_seen, self.is_seen & ~shown))
        return np.asarray((gone > MOST * was) & (was > LEAST))

    def shown(self, now: Grain) -> np.ndarray | None:
        """(H, W) bool: where what was seen is seen `now` as well; None when that cannot be known yet."""
        if self.is_seen is None or self.shape != now.shape:
            return None
        likeness = self.detail.likeness(now.detail)
        if self.last is not None:  # a hand that had rested has gone: then the last picture shows the table
            likeness = np.maximum(likeness, self.last.likeness(now.detail))
        return np.asarray(self.is_seen & (likeness >= HIDDEN))

    def again(self, now: Grain) -> np.ndarray | None:
        """(H, W) bool: where `now` shows surely what this view showed, also when it is the only one before."""
        shown = self.shown(now)
        if shown is None and self.shape == now.shape:
            return np.asarray(self.detail.likeness(now.detail) >= SEEN)
        return shown

    def without(self, hiding: np.ndarray) -> Grain:
        """The same of one picture, as if it showed no detail where (H, W) bool is `hiding` the table."""
        return Grain(Detail.of(np.where(hiding, np.float32(0.0), self.detail.values)))

    def after(self, earlier: Grain | None) -> Grain:
        """The same, beside an `earlier` one of the same view without a hand.

        Where both do not show the same, what was seen before them stays known: a hand that nobody noticed in one of
        them would else hide the next one that comes there.
        """
        if earlier is None or earlier.shape != self.shape:
            return Grain(self.detail)
        last = earlier.detail if earlier.last is None else earlier.last
        again = last.likeness(self.detail) >= SEEN
        if earlier.is_seen is None:
            return Grain(self.detail, again)
        kept = earlier.is_seen & ~again
        if not kept.any():
            return Grain(self.detail, again)
        known = Detail.of(np.where(kept, earlier.detail.values, self.detail.values))
        return Grain(known, again | kept, self.detail)


def grain_of(view_bgr: np.ndarray) -> Grain:
    """The detail of a view (H, W, 3) uint8."""
    return Grain(Detail.of(fine_detail(view_bgr)))


def fine_detail(view_bgr: np.ndarray) -> np.ndarray:
    """(H, W) float32: the fine detail of a view (H, W, 3) uint8, one px a mm."""
    light = cv2.LUT(cv2.cvtColor(view_bgr, cv2.COLOR_BGR2GRAY), LIGHT_OF)
    detail = cv2.subtract(cv2.GaussianBlur(light, (0, 0), FINE_PX), cv2.GaussianBlur(light, (0, 0), COARSE_PX))
    limit = CLIPPED * median(np.abs(detail[::2, ::2]))  # a quarter of the pixels tells it as well
    return np.asarray(np.clip(detail, -limit, limit))


def _mean(values: np.ndarray) -> np.ndarray:
    """(H, W) mean around each pixel."""
    return np.asarray(cv2.blur(values, (SQUARE_PX, SQUARE_PX)))
