"""The usual size and shape of the round pieces of a picture, which perspective changes evenly from place to place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.count.discs.rims import ANGLES, circle

Floats = NDArray[np.float64]

# Residual spread of what pieces of one kind have in common: natural log of the radius, and both parts of the oval, of
# the radius. Coins of several kinds differ by 0.15, oval candies that lie anyhow by 0.1.
ONE_SIZE, ONE_OVAL = 0.04, 0.03
FEWEST = 5  # clear rims to which the usual shape is fitted: each part of it has three unknowns
LEANT = 3.0  # spreads from which a piece counts a quarter when the usual shape is fitted
SURER = 4  # power of its sharp part by which a piece counts: of spotted chips half a rim is often another ring
FITS = 5  # times that it is fitted


@dataclass(frozen=True, slots=True)
class Shapes:
    """Round outlines by `xy` (N, 2) px and `shape` (N, 3): natural log of the radius, and the cosine and sine part of
    the second harmonic, of the radius.
    """

    xy: Floats
    shape: Floats

    @classmethod
    def of(cls, outlines: Floats) -> Shapes:
        """Of outlines (N, ANGLES, 2) px."""
        xy = outlines.mean(axis=1)
        away = outlines - xy[:, None]
        angles = np.arctan2(away[..., 1], away[..., 0])
        even = np.arange(ANGLES) * (2 * np.pi / ANGLES)
        far = np.linalg.norm(away, axis=2)
        reach = np.array([np.interp(even, *own, period=2 * np.pi) for own in zip(angles, far, strict=True)])
        reach = reach.reshape(len(outlines), ANGLES)  # of none, too
        usual = reach.mean(axis=1)
        parts = [2 * (reach * wave).mean(axis=1) / usual for wave in circle(2)]
        return cls(xy, np.stack([np.log(usual), *parts], axis=1))

    def at(self, k: int) -> Shapes:
        """One of them."""
        return Shapes(self.xy[k : k + 1], self.shape[k : k + 1])

    def scaled(self, factor: float) -> Shapes:
        """The same outlines in a picture `factor` times as large."""
        return Shapes(self.xy * factor, self.shape + np.array([np.log(factor), 0.0, 0.0]))

    def reaches(self) -> Floats:
        """(N, ANGLES) px from the middle to the outline."""
        return np.asarray(np.exp(self.shape[:, :1]) * (1 + self.shape[:, 1:] @ np.stack(circle(2))))

    def outlines(self) -> Floats:
        """(N, ANGLES, 2) px."""
        return np.asarray(self.xy[:, None] + self.reaches()[..., None] * np.stack(circle(), axis=1))

def usual_shapes(
    seen: Shapes,
    support: Floats,
    clear: NDArray[np.bool_],
    alike: tuple[float, float, float] = (1.0, 1.0, 1.0),
    fewest: int = FEWEST,
) -> Shapes | None:
    """The shapes that pieces at these places have when they are as most whose rims are `clear` (N,), each part changing
    evenly over the picture; None where those are fewer than `fewest`, or not of one size and shape. `support` (N,): of
    their rims; `alike`: spreads up to which their parts are.
    """
    if clear.sum() < fewest:
        return None
    places = np.column_stack([np.ones(len(seen.xy)), seen.xy - seen.xy[clear].mean(axis=0)])
    scale = max(float(np.abs(places[:, 1:]).max()), 1.0)
    places[:, 1:] /= scale
    spreads = np.array([ONE_SIZE, ONE_OVAL, ONE_OVAL])
    some, wanted = places[clear], seen.shape[clear]
    fitted = np.zeros((3, 3))
    weight = np.repeat(support[clear, None] ** SURER, 3, axis=1)
    for _ in range(FITS):
        for axis in range(3):
            weighted = some * weight[:, axis : axis + 1]
            fitted[:, axis] = np.linalg.solve(
                weighted.T @ some + 1e-2 * np.diag([0, 1, 1]), weighted.T @ wanted[:, axis]
            )
        rest = np.abs(wanted - some @ fitted) / spreads
        weight = (support[clear, None] ** SURER) / (1 + (rest / LEANT) ** 2) ** 2
    surest = support[clear] >= np.median(support[clear])
    if (1.4826 * np.median(rest[surest], axis=0) > alike).any():
        return None
    return Shapes(seen.xy, places @ fitted)
