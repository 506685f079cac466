"""Pieces of one size: a broken rim that is not as large and as oval as theirs is looked for anew as one of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.count.discs.rims import ANGLES, OWN_RIM, TRUE_RIM, circle, edge_offsets, normals
from vision.count.discs.search import BEST_RADIUS_PX, ROUND_SUPPORT, SPOTTED_SUPPORT, Copies, FoundDiscs
from vision.count.discs.shapes import FEWEST, Shapes, usual_shapes

OTHER_SIZE, OTHER_OVAL = 0.08, 0.05  # from which a broken rim is none of them: more than twice that spread
# Natural log of the usual radius: so much smaller a rim, though clear, is that of a label when the rim of a whole piece
# is seen around it as well. One cent beside many two euros comes to -0.46, but nothing is around it.
INNER = -0.3
# Of the radius: how far aside the middle of a broken rim may lie, and steps in which it is tried.
AWAY, STEP = 0.6, 0.08
REACH = 0.07  # of the radius: where an edge along the rim is looked for
SETTLES = 3  # times that a rim is moved to its edges
SIZE_LEFT = 0.05  # natural log by which it may still be larger or smaller than expected
AS_SHARP = 0.75  # of the part of its old outline that was sharp: the size speaks for the new one
NEAREST = 0.4  # of the sum of two radii: nearer middles are one piece
LEAST_REACH_PX = 1.5
CLEAR = 0.85  # of a rim that is sharp: such a piece is as large as it seems


def as_the_others(copies: Copies, found: FoundDiscs) -> FoundDiscs:
    """The round pieces of a picture; where most of them are of one size, by perspective, those of another size or shape
    whose rims are broken, and labels, are looked for once more as pieces of that size, around where they were seen.
    """
    if len(found) < FEWEST:
        return found
    seen = Shapes.of(found.outlines)
    usual = usual_shapes(seen, found.support, found.support >= SPOTTED_SUPPORT)
    if usual is None:
        return found
    off = np.abs(seen.shape - usual.shape)
    label = seen.shape[:, 0] - usual.shape[:, 0] < INNER
    odd = label | (found.support < CLEAR) & ((off[:, 0] > OTHER_SIZE) | (off[:, 1:].max(axis=1) > OTHER_OVAL))
    if not odd.any():
        return found
    share = min(1.0, BEST_RADIUS_PX / float(np.median(found.radius)))
    normal = normals(copies.edges(share))
    outlines, support, radius, xy = (part.copy() for part in (found.outlines, found.support, found.radius, found.xy))
    for k in map(int, np.flatnonzero(odd)):
        before, expected = (one.at(k).scaled(share) for one in (seen, usual))
        after, sharp = best_place(normal, expected)
        gaps = np.linalg.norm(xy - after.xy / share, axis=1) / (radius + np.exp(usual.shape[k, 0]))
        gaps[k] = np.inf
        least = TRUE_RIM if label[k] and found.support[k] >= CLEAR else AS_SHARP * sharp_part(normal, before)
        if sharp < max(OWN_RIM, least) or gaps.min() < NEAREST:
            continue
        after = after.scaled(1 / share)
        outlines[k], support[k], xy[k] = after.outlines()[0], sharp, after.xy[0]
        radius[k] = np.exp(after.shape[0, 0])
    return replace(found, outlines=outlines, support=support, radius=radius, xy=xy)


def of_usual_shape(found: FoundDiscs) -> NDArray[np.bool_]:
    """(N,) which rims are clear and as large and as oval as most clear ones at their places: such a one is a piece."""
    seen, clear = Shapes.of(found.outlines), found.support >= ROUND_SUPPORT
    usual = usual_shapes(seen, found.support, clear)
    if usual is None:
        return np.zeros(len(found), bool)
    off = np.abs(seen.shape - usual.shape)
    return np.asarray(clear & (off[:, 0] < OTHER_SIZE) & (off[:, 1:].max(axis=1) < OTHER_OVAL))


def sharp_part(normal: NDArray[np.float32], one: Shapes) -> float:
    """The part of an outline that is a sharp edge by `rims.normals` (H, W, 2)."""
    reach = np.maximum(LEAST_REACH_PX, REACH * np.exp(one.shape[:, 0]))
    return float(edge_offsets(normal, one.xy, one.reaches(), reach)[1].mean())


def best_place(normal: NDArray[np.float32], one: Shapes) -> tuple[Shapes, float]:
    """A single outline, moved to where most of it is a sharp edge by `rims.normals` (H, W, 2), and that part of it."""
    radius = float(np.exp(one.shape[0, 0]))
    steps = np.arange(-AWAY, AWAY + STEP / 2, STEP) * radius
    moves = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    moves = moves[np.linalg.norm(moves, axis=1) <= AWAY * radius]
    reach = one.reaches()
    _, hit = edge_offsets(
        normal, one.xy + moves, np.repeat(reach, len(moves), axis=0), np.full(len(moves), REACH * radius)
    )
    best = int(hit.mean(axis=1).argmax())
    now, expected = one.xy + moves[best], one.shape[0, 0]
    rim = replace(one, xy=now)
    basis = np.stack([np.ones(ANGLES), *circle()], axis=1)
    near = np.array([max(LEAST_REACH_PX, REACH * radius)])
    for _ in range(SETTLES):
        offset, hit = edge_offsets(normal, rim.xy, rim.reaches(), near)
        if hit.sum() < basis.shape[1]:
            break
        change = np.linalg.lstsq(basis[hit[0]], offset[0][hit[0]], rcond=None)[0]
        size = np.clip(rim.shape[0, 0] + change[0] / radius, expected - SIZE_LEFT, expected + SIZE_LEFT)
        rim = Shapes(rim.xy + change[1:], np.array([[size, *rim.shape[0, 1:]]]))
    return rim, sharp_part(normal, rim)
