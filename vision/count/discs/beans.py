"""Two rims that are the ends of one long piece, too far apart to overlap: straight sides run from one to the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.count.discs.ovals import ENDS_APART, UNSEEN, is_parted
from vision.count.discs.rims import LEAST_ALONG, Discs, circle
from vision.count.pixels import pixels_at

Floats = NDArray[np.float64]

LONGEST = 1.7  # of the sum of two radii, between the middles of the ends: pieces 2.7 times as long as broad
ALIKE = 0.85  # of the larger end's radius, that the other has at least
FACING = 0.7  # cosine to the other end: a piece by itself shows its rim there, the end of a bean goes on
# Between the ends, in the middle half of the way, sides lie so far from its line, of half the breadth: two discs that
# touch have a notch there, 0.13 to 1 of a radius deep, and no side. So much of each must be a sharp edge along it: of
# 20 uneven rendered beans the worse side has 0.88 at least, of 200 pairs of candies at such distances 0.38 at most.
MIDDLE, ACROSS, SIDE = (0.25, 0.75), (0.88, 1.12), 0.65
STEPS = 16


@dataclass(frozen=True, slots=True, eq=False)
class Bean:
    """A long piece: which two rims are its `ends`, its `outline` (ANGLES, 2) px, its half `breadth` and `length` px,
    and `support`, the part of it that is a sharp edge.
    """

    ends: tuple[int, int]
    outline: Floats
    breadth: float
    length: float
    support: float


def find_beans(discs: Discs, normal: NDArray[np.float32], share: float) -> list[Bean]:
    """The long pieces of which two of the discs are the ends, by `rims.normals` (H, W, 2) of a copy of the picture
    `share` times as large: neither shows a rim towards the other, no edge parts them, and both sides are seen.
    """
    gaps = np.linalg.norm(discs.xy[:, None] - discs.xy[None], axis=2) / (discs.radius[:, None] + discs.radius[None])
    near = np.tril((gaps >= ENDS_APART) & (gaps <= LONGEST), -1)
    beans: list[Bean] = []
    taken: set[int] = set()
    for _, i, j in sorted((gaps[i, j], i, j) for i, j in np.argwhere(near).tolist()):
        one, other, radii = discs.xy[i], discs.xy[j], discs.radius[[i, j]]
        if taken & {i, j} or radii.min() < ALIKE * radii.max():
            continue
        if max(_seen_towards(discs, i, other), _seen_towards(discs, j, one)) > UNSEEN:
            continue
        breadth, length = _size(discs, i, j)
        sides = _sides(normal, one * share, other * share, breadth * share)
        if min(sides) < SIDE or is_parted(normal, one * share, other * share, breadth * share):
            continue
        taken |= {i, j}
        half = length - breadth
        rims = np.pi * (_seen_away(discs, i, other) + _seen_away(discs, j, one)) * breadth
        support = (rims + 2 * half * sum(sides)) / (2 * np.pi * breadth + 4 * half)
        beans.append(Bean((i, j), _outline(one, other, breadth, length), breadth, length, float(support)))
    return beans


def _size(discs: Discs, one: int, other: int) -> tuple[float, float]:
    """Half the breadth and half the length px of what lies between two ends and within them: each is somewhat oval."""
    ends = [one, other]
    away = discs.xy[other] - discs.xy[one]
    turn = 2 * np.arctan2(away[1], away[0])
    longer = discs.oval[ends] @ np.array([np.cos(turn), np.sin(turn)])
    breadth, reach = (float((discs.radius[ends] + s * longer).mean()) for s in (-1, 1))
    return breadth, float(np.linalg.norm(away)) / 2 + reach


def _cosines(discs: Discs, one: int, other: Floats) -> Floats:
    """(ANGLES,) cosine between each place of a rim and the way to a place (2,)."""
    way = (other - discs.xy[one]) / np.linalg.norm(other - discs.xy[one])
    return np.asarray(np.stack(circle(), axis=1) @ way)


def _seen_towards(discs: Discs, one: int, other: Floats) -> float:
    return float(discs.hit[one][_cosines(discs, one, other) > FACING].mean())


def _seen_away(discs: Discs, one: int, other: Floats) -> float:
    return float(discs.hit[one][_cosines(discs, one, other) < 0].mean())


def _sides(normal: NDArray[np.float32], one: Floats, other: Floats, radius: float) -> tuple[float, float]:
    """The part of each side between two ends that is a sharp edge along it."""
    way = other - one
    length = float(np.linalg.norm(way))
    aside = np.array([-way[1], way[0]]) / length
    places = one + np.linspace(*MIDDLE, STEPS)[:, None, None] * way
    low, high = ACROSS[0] * radius, ACROSS[1] * radius
    across = np.linspace(low, high, max(2, round(2 * (high - low)) + 1))[:, None]
    seen = (np.abs(pixels_at(normal, places + s * across * aside) @ aside.astype(np.float32)) for s in (1, -1))
    first, second = (float((own > LEAST_ALONG).any(axis=1).mean()) for own in seen)
    return first, second


def _outline(one: Floats, other: Floats, breadth: float, length: float) -> Floats:
    """(ANGLES, 2) places evenly around the middle between two ends, at the distance of straight sides and round ends of
    half such a breadth and length px.
    """
    half, unit = length - breadth, np.stack(circle(), axis=1)
    along = np.abs(unit @ ((other - one) / np.linalg.norm(other - one)))
    aside = np.sqrt(np.maximum(1 - along**2, 0))
    round_end = half * along + np.sqrt(np.maximum(breadth**2 - (half * aside) ** 2, 0))
    reach = np.where(aside * half >= along * breadth, breadth / np.maximum(aside, 1e-9), round_end)
    return np.asarray((one + other) / 2 + reach[:, None] * unit)
