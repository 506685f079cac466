"""Puts two rims together that are the ends of one oval piece: between two pieces that overlap an edge would be seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.count.discs.rims import ANGLES, LEAST_ALONG, Discs, circle, join_discs
from vision.count.discs.shapes import Shapes, usual_shapes
from vision.count.pixels import pixels_at

# Of the sum of two radii: circles in the ends of one oval lie no farther apart. From there on two discs leave notches
# between them that are deeper than a quarter of a radius.
ENDS_APART = 0.7
WITHIN = 0.9  # of the other's radius: nearer to its rim the two rims cross, and one may be taken for the other
# Of the rim within the other that is a sharp edge, of both, up to which none is there. Of pieces that overlap the upper
# one shows 0.9 of it; the ends of an oval nothing, or a glint.
UNSEEN = 0.25
# Pieces that touch, seen aslant, lie as near to each other as the ends of an oval, and circles around them miss their
# rims; but their edge runs between them: through so much of a strip as broad as a radius, and a third of the way either
# side of its middle. A glint or a letter crosses less of it.
STRIP, BESIDE_MIDDLE, CROSSED, COLUMNS = 1.0, 0.33, 0.5, 15
# Of a rim that is sharp for it to tell how large the pieces of a picture are: circles in the ends of ovals show less.
WHOLE_RIM = 0.75
ONE_KIND = (2.0, np.inf, np.inf)  # spreads: soft shadows belong to some of the rims, and ovals lie anyhow


def join_ends(discs: Discs, normal: NDArray[np.float32], share: float) -> Discs:
    """The same with each two that are the ends of one oval as one, so that no edge is seen between them by
    `rims.normals` (H, W, 2) of a copy of the picture `share` times as large. Between two of one colour, the upper one
    lying on the lower, none is seen either: where both ends are more nearly as large as the clear rims of the picture
    than the oval is, they are two.
    """
    gaps = np.linalg.norm(discs.xy[:, None] - discs.xy[None], axis=2) / (discs.radius[:, None] + discs.radius[None])
    pairs = [(gaps[i, j], i, j) for i, j in np.argwhere(np.tril(gaps < ENDS_APART, -1)).tolist()]
    if not pairs:
        return discs
    ends: set[int] = set()
    ovals = []
    shapes = _shapes(discs)
    usual = usual_shapes(shapes, discs.support, discs.support >= WHOLE_RIM, ONE_KIND)
    for _, i, j in sorted(pairs):
        if (
            not ends & {i, j}
            and max(_seen_within(discs, i, j), _seen_within(discs, j, i)) <= UNSEEN
            and not is_parted(
                normal, discs.xy[i] * share, discs.xy[j] * share, float(discs.radius[[i, j]].mean()) * share
            )
        ):
            oval = _oval(discs, i, j)
            if usual is not None:
                off = np.abs([_shapes(oval).shape[0, 0], *shapes.shape[[i, j], 0]] - usual.shape[i, 0])
                if max(off[1:]) < off[0]:
                    continue
            ends |= {i, j}
            ovals.append(oval)
    if not ovals:
        return discs
    return join_discs([discs.take(np.array([k not in ends for k in range(len(discs))], bool)), *ovals])


def _shapes(discs: Discs) -> Shapes:
    """The shapes of their outlines."""
    return Shapes.of(np.array([discs.outline(k) for k in range(len(discs))]).reshape(len(discs), ANGLES, 2))


def _seen_within(discs: Discs, one: int, other: int) -> float:
    """The part of one rim within another that is a sharp edge; 0.0 where none of it lies there."""
    within = np.linalg.norm(discs.outline(one) - discs.xy[other], axis=1) < WITHIN * discs.radius[other]
    return float(discs.hit[one][within].mean()) if within.any() else 0.0


def is_parted(normal: NDArray[np.float32], one: NDArray[np.float64], other: NDArray[np.float64], radius: float) -> bool:
    """Whether an edge runs between two middles (2,), across the way from one to the other."""
    way = other - one
    length = float(np.linalg.norm(way))
    along, aside = way / length, np.array([-way[1], way[0]]) / length
    steps = np.arange(-BESIDE_MIDDLE * length, BESIDE_MIDDLE * length + 1)
    columns = np.linspace(-STRIP / 2, STRIP / 2, COLUMNS) * radius
    at = (one + other) / 2 + columns[:, None, None] * aside + steps[None, :, None] * along
    across = np.abs(pixels_at(normal, at) @ along.astype(np.float32)) > LEAST_ALONG
    return bool(across.any(axis=1).mean() >= CROSSED)


def _oval(discs: Discs, one: int, other: int) -> Discs:
    """The oval (1,) that two circles in its ends fill: as long as both together, as broad as they are."""
    away = discs.xy[other] - discs.xy[one]
    breadth = float(discs.radius[[one, other]].mean())
    long = breadth + float(np.linalg.norm(away)) / 2
    turn = 2 * np.arctan2(away[1], away[0])
    longer = (long - breadth) / 2
    xy = (discs.xy[one] + discs.xy[other]) / 2 + away * (discs.radius[other] - discs.radius[one]) / (4 * breadth)
    return Discs(
        xy[None],
        np.array([(long + breadth) / 2]),
        longer * np.array([[np.cos(turn), np.sin(turn)]]),
        _outer(discs, one, other, away)[None],
        np.array([discs.wavy[[one, other]].max()]),
    )


def _outer(discs: Discs, one: int, other: int, away: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(ANGLES,) where an edge was found along the two rims, each on its side of the oval."""
    cosine, sine = circle()
    ahead = cosine * away[0] + sine * away[1] > 0
    return np.asarray(np.where(ahead, discs.hit[other], discs.hit[one]), bool)
