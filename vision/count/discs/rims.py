"""Finds round pieces by their rims: sharp edges vote for the middles they bend around, then each rim is followed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.edges import Edges

Floats = NDArray[np.float64]

CELL_PX = 2  # of the grid in which middles are voted for
RADIUS_STEP = 1.07  # neighbouring radii that are voted for: a rim's thickness apart
LEAST_VOTE = 0.28  # of a rim's length that votes for one cell; rims half hidden or slightly oval give 0.3 and more
MOST_CANDIDATES = 700
ANGLES = 72  # places along a rim that are looked at
REACHES = (0.14, 0.10, 0.07)  # of the radius: how far from the expected rim an edge is looked for, round after round
LEAST_ALONG = 0.86  # cosine between an edge's normal and the ray from the middle: 30 degrees
MOST_OVAL = 0.14  # of the radius: second harmonic of an outline; a disc at 40 degrees has 0.13
STIFFNESS = 6.0  # edge points' worth of belief in a circle: short arcs must not invent ovals
OWN_RIM = 0.36  # a piece half under another shows so much rim of its own
NEAREST = 0.4  # of the sum of two radii: nearer middles are one piece and its inner print
# A label in the middle of a piece has the same middle, and a clearer rim than an edge with spots on it.
SAME_MIDDLE, LARGER = 0.15, (1.2, 3.2)  # of the larger radius; of the smaller one
TRUE_RIM, TRUE_WAVY = 0.5, 0.03  # of the larger rim that is a sharp edge at least, and how wavy it is at most


@dataclass(frozen=True, slots=True, eq=False)
class Discs:
    """Round outlines: `xy` (N, 2), `radius` (N,) in px, `oval` (N, 2) cosine and sine part of its second harmonic in
    px, `hit` (N, ANGLES) bool: where along it an edge was found, from angle 0 on, clockwise in the picture; `wavy`
    (N,): how far those edges lie from the outline, root of the mean square, of the radius.
    """

    xy: Floats
    radius: Floats
    oval: Floats
    hit: NDArray[np.bool_]
    wavy: Floats

    def __len__(self) -> int:
        return len(self.radius)

    @property
    def support(self) -> Floats:
        """(N,) the part of each rim that is a sharp edge."""
        return np.asarray(self.hit.mean(axis=1))

    def take(self, index: NDArray[np.int64] | NDArray[np.bool_]) -> Discs:
        """Some of them."""
        return Discs(self.xy[index], self.radius[index], self.oval[index], self.hit[index], self.wavy[index])

    def scaled(self, factor: float) -> Discs:
        """The same outlines in a picture `factor` times as large."""
        return Discs(self.xy * factor, self.radius * factor, self.oval * factor, self.hit, self.wavy)

    def outline(self, index: int, share: float = 1.0) -> Floats:
        """(ANGLES, 2) points of one outline, drawn in to `share` of its size."""
        c, s = circle()
        c2, s2 = circle(2)
        reach = share * (self.radius[index] + self.oval[index, 0] * c2 + self.oval[index, 1] * s2)
        return np.asarray(self.xy[index] + np.stack([reach * c, reach * s], axis=1))


def circle(turns: int = 1) -> tuple[Floats, Floats]:
    """Cosine and sine (ANGLES,) of as many angles evenly around, from 0 on, times `turns`."""
    angles = np.arange(ANGLES) * (2 * np.pi * turns / ANGLES)
    return np.cos(angles), np.sin(angles)


def join_discs(parts: list[Discs]) -> Discs:
    """All discs of several searches."""
    if not parts:
        return Discs(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 2)), np.zeros((0, ANGLES), bool), np.zeros(0))
    names = ("xy", "radius", "oval", "hit", "wavy")
    return Discs(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def find_discs(edges: Edges, radii_px: tuple[float, float], least_support: float) -> Discs:
    """Round outlines with radii in a range, at least `least_support` of each a sharp edge; may lie on each other."""
    low, high = radii_px
    radii = np.asarray(low * RADIUS_STEP ** np.arange(int(np.log(high / low) / np.log(RADIUS_STEP)) + 1), np.float64)
    middles, chosen = _candidates(edges, radii)
    if not len(chosen):
        return join_discs([])
    discs = _followed(edges, middles, chosen)
    return discs.take((discs.support >= least_support) & (discs.radius > 0.9 * low) & (discs.radius < 1.1 * high))


def _candidates(edges: Edges, radii: Floats) -> tuple[Floats, Floats]:
    """(N, 2) middles and (N,) radii for which many edge points vote: the local maxima over place and radius."""
    on = np.flatnonzero(edges.on)
    rows, cols = np.divmod(on, edges.on.shape[1])
    height, width = (n // CELL_PX + 1 for n in edges.on.shape)
    # with a margin as broad as the largest radius no vote falls outside
    margin = int(radii.max() / CELL_PX) + 2
    broad, number = width + 2 * margin, (width + 2 * margin) * (height + 2 * margin)
    across, down = edges.normal.reshape(-1, 2)[on].T / np.float32(CELL_PX)
    x0, y0 = ((at / CELL_PX + margin).astype(np.float32) for at in (cols, rows))
    votes = np.zeros((len(radii), height, width), np.float32)
    for layer, radius in zip(votes, radii.astype(np.float32), strict=True):
        x, y = radius * across, radius * down
        both = [(y0 + s * y).astype(np.int32) * broad + (x0 + s * x).astype(np.int32) for s in (np.float32(1), -1)]
        all_votes = np.bincount(np.concatenate(both), minlength=number).reshape(-1, broad)
        layer[:] = all_votes[margin : margin + height, margin : margin + width]
        spread = max(0.7, 0.06 * float(radius) / CELL_PX)
        # votes of one rim fall within about the spread: the sum around its middle, not the height of the blurred peak
        layer[:] = cv2.GaussianBlur(layer, (0, 0), spread) * ((2 * np.pi * spread**2 + 2) / (2 * np.pi * float(radius)))
    top = np.stack(
        [
            cv2.dilate(layer, np.ones((max(3, int(0.35 * r / CELL_PX) | 1),) * 2, np.uint8))
            for layer, r in zip(votes, radii, strict=True)
        ]
    )
    strong = np.flatnonzero(votes > LEAST_VOTE)
    layers, y, x = np.unravel_index(strong, votes.shape)
    around = [top[np.clip(layers + step, 0, len(radii) - 1), y, x] for step in (-1, 0, 1)]
    highest = votes.ravel()[strong] >= np.max(around, axis=0)
    layers, y, x = layers[highest], y[highest], x[highest]
    order = np.argsort(-votes[layers, y, x])[:MOST_CANDIDATES]
    middles = np.asarray(np.stack([x[order], y[order]], axis=1) * float(CELL_PX) + CELL_PX / 2, np.float64)
    return middles, radii[layers[order]]


def _followed(edges: Edges, middles: Floats, radii: Floats) -> Discs:
    """Each candidate moved, sized and made oval until it lies on the edges along its rim."""
    c, s = circle()
    c2, s2 = circle(2)
    basis = np.stack([np.ones(ANGLES), c, s, c2, s2], axis=1)
    pairs = (basis[:, :, None] * basis[:, None]).reshape(ANGLES, 25)
    shape = np.zeros((len(radii), 5))
    shape[:, 0] = radii
    stiff = np.diag([0.0, 0.0, 0.0, STIFFNESS, STIFFNESS]) + 1e-6 * np.eye(5)
    hit = np.zeros((len(radii), ANGLES), bool)
    wavy = np.zeros(len(radii))
    xy = middles.copy()
    normal = normals(edges)
    for reach in REACHES:
        expected = shape @ basis.T
        offset, hit = edge_offsets(normal, xy, expected, np.maximum(1.5, reach * shape[:, 0]))
        weight = hit.astype(float)
        squares = (weight @ pairs).reshape(-1, 5, 5) + stiff
        wanted = (weight * (expected + offset)) @ basis
        shape = np.linalg.solve(squares, wanted[..., None])[..., 0]
        beside = np.where(hit, expected + offset - shape @ basis.T, 0.0)
        wavy = np.sqrt((beside**2).sum(axis=1) / np.maximum(hit.sum(axis=1), 1)) / np.maximum(shape[:, 0], 1.0)
        xy = xy + shape[:, 1:3]
        shape[:, 1:3] = 0
        largest = MOST_OVAL * shape[:, :1]
        shape[:, 3:] = np.clip(shape[:, 3:], -largest, largest)
    return Discs(xy, shape[:, 0], shape[:, 3:], hit, wavy)


def normals(edges: Edges) -> NDArray[np.float32]:
    """(H, W, 2) the directions across edges; (0, 0), along no ray, where none is."""
    return np.asarray(cv2.copyTo(edges.normal, edges.on.astype(np.uint8)))


def edge_offsets(
    normal: NDArray[np.float32], xy: Floats, expected: Floats, reach: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """(N, ANGLES) how far from each expected rim the nearest edge across the ray lies, px; and whether there is one.

    `normal` (H, W, 2): the directions across the edges, 0 where none is.
    """
    c, s = (part.astype(np.float32) for part in circle())
    x0, y0 = ((xy[:, k : k + 1] + expected * way).astype(np.float32) for k, way in enumerate((c, s)))
    offsets = np.zeros(expected.shape, np.float32)
    hit = np.zeros(expected.shape, bool)
    steps = int(np.ceil(reach.max(initial=1.0)))
    for step in sorted(range(-steps, steps + 1), key=abs):
        near = abs(step) <= reach
        there = cv2.remap(normal, x0 + step * c, y0 + step * s, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        along = np.abs(there[..., 0] * c + there[..., 1] * s) > LEAST_ALONG
        along &= near[:, None] & ~hit
        offsets[along] = step
        hit |= along
    return offsets.astype(np.float64), hit


def without_overlaps(discs: Discs, least_support: float, picture_wh: tuple[int, int]) -> Discs:
    """The best of them, that lie beside each other or half under one another; inner rings give way to the outer one.

    `least_support`: the part that must be a sharp edge of a rim, or of what shows of it under a better one and inside
    the picture.
    """
    discs = discs.take(~_inner_prints(discs))
    order = np.argsort(-discs.support * np.sqrt(discs.radius))
    c, s = circle()
    kept: list[int] = []
    for k in order:
        gap = np.linalg.norm(discs.xy[kept] - discs.xy[k], axis=1)
        reach = discs.radius[kept]
        if (gap < NEAREST * (reach + discs.radius[k])).any():
            continue
        near = gap < reach + discs.radius[k]
        rim = discs.xy[k] + discs.radius[k] * np.stack([c, s], axis=1)
        covered = ((rim < 1) | (rim > np.array(picture_wh) - 2)).any(axis=1)
        for other, radius in zip(discs.xy[kept][near], reach[near], strict=True):
            covered |= np.linalg.norm(rim - other, axis=1) < 0.94 * radius
        own = discs.hit[k] & ~covered
        if own.mean() >= OWN_RIM and own.sum() >= least_support * (~covered).sum():
            kept.append(int(k))
    return discs.take(np.array(kept, np.int64))


def _inner_prints(discs: Discs) -> NDArray[np.bool_]:
    """(N,) which of them are rings within a piece: a larger rim that is clear enough has the same middle."""
    larger = np.flatnonzero((discs.support >= TRUE_RIM) & (discs.wavy <= TRUE_WAVY))
    ratio = discs.radius[larger] / discs.radius[:, None]
    gap = np.linalg.norm(discs.xy[:, None] - discs.xy[larger], axis=2)
    around = (gap < SAME_MIDDLE * discs.radius[larger]) & (ratio > LARGER[0]) & (ratio < LARGER[1])
    return np.asarray(around.any(axis=1))
