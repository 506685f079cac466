"""Spotted chips whose rim is not seen: of the usual size, where rings and spots are those of one that taught."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import OTHER_COLOUR_LAB, PRINTED, RINGS, SPOTS, PieceLook
from vision.count.discs.alike import sharp_part
from vision.count.discs.labelled import FITS, PLACES, own_misfits, ring_colours
from vision.count.discs.rims import ANGLES, normals
from vision.count.discs.search import APART, BEST_RADIUS_PX, SPOTTED_SUPPORT, Copies, FoundDiscs
from vision.count.discs.shapes import Shapes, usual_shapes
from vision.count.pixels import pixels_at
from vision.count.table.ground import to_lab

Floats = NDArray[np.float64]

FEW = 4  # clear rims: one more than a size that changes evenly over a picture needs; spots judge each place as well
STEP = 0.25  # of the usual radius, between places that are tried
# Of a piece's size: its outermost ring, in which spots lie, and one beyond. So much more of the first is no table: of a
# chip as pale as the table its spots alone are seen, a quarter of that ring and more. Beyond it a neighbour that was
# not found covers a ninth, two beside each other a quarter; what lies in print goes on around.
EDGE, BEYOND, ENDS, TOUCHING = (0.8, 0.9), (1.15, 1.25), 0.12, 0.3
# Of a square as broad as a piece that is no table, beside known pieces: the spots of a chip cover a tenth of it.
LEAST_LYING, AROUND = 0.03, 1.05
MOST_PLACES = 150  # that are compared ring by ring, those first that end most clearly
# Of what spots a chip and one that taught show, ring by ring, two thirds both show; and so much of its rim is a sharp
# edge at least, that of its spots: of 28 chips on photographed tables 17 had more, of 25 places among cards and grain
# with half of the same spots none had more than 0.14.
SAME_SPOTS, LEAST_SHARP = 0.67, 0.2
_STEPS = np.linspace(-0.16, 0.16, 5)
_MOVES = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2)  # of its radius, around each place


def spotted_pieces(
    picture: NDArray[np.uint8],
    copies: Copies,
    found: FoundDiscs,
    lying: NDArray[np.bool_],
    looks: Sequence[PieceLook],
) -> list[Floats]:
    """Outlines (N, 2) px of chips in a picture (…, …, 3) uint8 BGR, of which the copies are, beside those that were
    found in it. `lying` (H, W), of the picture or a smaller copy of it: what is no table. None where few of the found
    ones show their usual size. A chip among others that were not found ends only when these are.
    """
    spotted = [look for look in looks if max(look.mixed[SPOTS:], default=0.0) > PRINTED]  # letters tell no piece
    every: list[Floats] = []
    while spotted and len(found):
        more = _ending_here(picture, copies, found, lying, spotted)
        if not more:
            break
        every += more
        found = found.joined(unseen_rims(more))
    return every


def _ending_here(
    picture: NDArray[np.uint8],
    copies: Copies,
    found: FoundDiscs,
    lying: NDArray[np.bool_],
    spotted: Sequence[PieceLook],
) -> list[Floats]:
    """Those of `spotted_pieces` beside which, but for the found ones, most is table."""
    share = lying.shape[1] / picture.shape[1]
    free = _beside(lying, found.scaled(share))
    shapes = _usual_at(_places(free, share * float(np.median(found.radius))) / share, found)
    if shapes is None:
        return []
    gaps = np.linalg.norm(shapes.xy[:, None] - found.xy[None], axis=2)
    apart = (gaps >= APART * (found.radius + np.exp(shapes.shape[:, :1]))).all(axis=1)
    outlines = shapes.outlines()[apart]
    beyond = _lying_at(free, outlines, BEYOND, share)
    ends = np.where(beyond <= TOUCHING, _lying_at(free, outlines, EDGE, share) - beyond, 0.0)
    order = np.argsort(-ends, kind="stable")[:MOST_PLACES]
    outlines = outlines[order[ends[order] >= ENDS]]
    small = min(1.0, BEST_RADIUS_PX / float(np.median(found.radius)))
    edges = normals(copies.edges(small)) if len(outlines) else np.zeros((1, 1, 2), np.float32)
    kept: list[Floats] = []
    for k in np.argsort(-_likeness(picture, outlines, spotted), kind="stable"):
        radius = float(np.linalg.norm(outlines[k] - outlines[k].mean(axis=0), axis=1).mean())
        if all(np.linalg.norm((outlines[k] - other).mean(axis=0)) >= 2 * APART * radius for other in kept):
            moved = outlines[k] + radius * _MOVES[:, None]
            like = _likeness(picture, moved, spotted)
            best = moved[like.argmax()]
            if like.max() >= SAME_SPOTS and sharp_part(edges, Shapes.of(best[None]).scaled(small)) >= LEAST_SHARP:
                kept.append(best)
    return kept


def _beside(lying: NDArray[np.bool_], found: FoundDiscs) -> NDArray[np.bool_]:
    """What of a mask (H, W) lies outside the found pieces."""
    free = lying.astype(np.uint8)
    middles = found.outlines.mean(axis=1, keepdims=True)
    for outline in middles + AROUND * (found.outlines - middles):
        cv2.fillPoly(free, [np.round(outline).astype(np.int32)], 0)
    return free > 0


def _places(free: NDArray[np.bool_], radius: float) -> Floats:
    """(N, 2) px of a mask (H, W) around which, as far as a radius, enough of it lies."""
    breadth = 2 * round(radius) + 1
    dense = cv2.blur(free.astype(np.float32), (breadth, breadth), borderType=cv2.BORDER_CONSTANT)
    step = max(1, round(STEP * radius))
    rows, cols = np.nonzero(dense[::step, ::step] >= LEAST_LYING)
    return np.asarray(np.stack([cols, rows], axis=1) * float(step))


def unseen_rims(outlines: Sequence[Floats]) -> FoundDiscs:
    """Pieces by their outlines (ANGLES, 2) px alone, of whose rims nothing was seen."""
    every = np.array(outlines).reshape(len(outlines), ANGLES, 2)
    xy = every.mean(axis=1)
    radius = np.linalg.norm(every - xy[:, None], axis=2).mean(axis=1)
    return FoundDiscs(every, np.zeros(len(every)), radius, xy, np.zeros(len(every)))


def _usual_at(xy: Floats, found: FoundDiscs) -> Shapes | None:
    """The shapes that pieces like most of those that were found have at places (N, 2) px."""
    seen = Shapes.of(found.outlines)
    every = Shapes(np.concatenate([seen.xy, xy]), np.concatenate([seen.shape, np.zeros((len(xy), 3))]))
    support = np.concatenate([found.support, np.zeros(len(xy))])
    usual = usual_shapes(every, support, support >= SPOTTED_SUPPORT, fewest=FEW)
    return None if usual is None else Shapes(xy, usual.shape[len(seen.xy) :])


def _lying_at(lying: NDArray[np.bool_], outlines: Floats, shares: Sequence[float], scale: float) -> Floats:
    """(N,) the part of rings, at shares of the size of outlines (N, M, 2), that a mask covers, `scale` times as large
    as the picture of the outlines.
    """
    middles = outlines.mean(axis=1, keepdims=True)
    rings = [pixels_at(lying, scale * (middles + share * (outlines - middles))) for share in shares]
    return np.asarray(np.mean(rings, axis=(0, 2)))


def _likeness(picture: NDArray[np.uint8], outlines: Floats, looks: Sequence[PieceLook]) -> Floats:
    """(N,) how much of all spots that outlines (N, M, 2) px enclose, or the look most like them shows, both have; 0.0
    where the colours of the rings are not those of that look.
    """
    if not len(outlines):
        return np.zeros(0)
    middles = outlines.mean(axis=1, keepdims=True)
    mixed = np.zeros((len(outlines), 1, RINGS))
    for k, share in enumerate(PLACES):
        ring = to_lab(pixels_at(picture, middles + share * (outlines - middles)))
        off = ((ring - np.median(ring, axis=1, keepdims=True)) ** 2).sum(axis=2)
        mixed[:, 0, k] = (off > OTHER_COLOUR_LAB**2).mean(axis=1)
    known = np.array([look.mixed for look in looks])
    common = np.minimum(mixed, known).sum(axis=2) / np.maximum(mixed, known).sum(axis=2)
    fits = own_misfits(ring_colours(picture, outlines, PLACES), looks) <= FITS
    return np.asarray(np.where(fits, common, 0.0).max(axis=1))
