"""Printed chips by what taught them: a ring within one, a label's edge first of all, is grown to the whole chip whose
rings of colour continue around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import RINGS, PieceLook
from vision.count.discs.rims import NEAREST
from vision.count.discs.search import ROUND_SUPPORT, FoundDiscs
from vision.count.pixels import pixels_at
from vision.srgb import LINEAR

Floats = NDArray[np.float64]

# Times that a whole chip is as large as a ring within it: labels cover a third of their chip and more.
SCALES = 1.035 ** np.arange(32)
# Of a chip's size: there it has ended. Natural logs of light between what lies there and its own edge: of a table whose
# colour a white chip has, with nothing on it, less.
BEYOND, ENDS = 1.15, 0.1
RADII = np.arange(0.05, BEYOND * SCALES[-1] + 0.05, 0.05)  # of an outline's size at which its colours are looked at
PLACES = (np.arange(RINGS) + 0.5) / 10  # of a piece's size: the middles of the rings by which it was taught
DARK = 0.05  # linear light: a lamp that black chips mirror is as much
# Its weight beside differences of single rings: pictures differ in light by as much as those, pieces of one by a third.
LIGHT, KNOWN_LIGHT = 0.14, 0.4
LEAST_FITTING = 3  # pieces tell the picture's light and their usual size
# Natural logs of light, root of the mean square: how far a piece's rings are from those of the one that taught. Of 110
# rims of chips on photographed tables, 60 of them labels, 0.06 to 0.42 at their true size; of rings in carpet and stone
# 0.45 to 0.66.
FITS, LIKE = 0.3, 0.45
SMALLER = 0.3  # natural log between the radius of a label or a ring and that of a chip; chips of a picture differ less
LABELS = 0.5  # of the pieces that are like one that taught, from which the usual rim that was found is a label's
BETTER = 0.8  # of its misfit as it was found that a grown one has: a plain label is as like a white chip
GROWS = 1.12  # less is the same rim, seen a little within


def as_taught(
    found: FoundDiscs, rims: FoundDiscs, picture: NDArray[np.uint8], looks: Sequence[PieceLook]
) -> tuple[FoundDiscs, FoundDiscs]:
    """The pieces of a picture (H, W, 3) uint8 BGR as those that taught: of what was `found`, labels as whole chips, and
    others of the `rims` that are labels; and what was found by a broken rim and is like none of those that taught.
    """
    every = found.joined(rims.take(_apart(rims, found)))
    new = np.arange(len(every)) >= len(found)
    scale, least = whole_sizes(every.radius, _misfits(picture, every, looks, ~new), new)
    wanted = ~new | (scale > 1)
    middles = every.outlines.mean(axis=1, keepdims=True)
    outlines = middles + scale[:, None, None] * (every.outlines - middles)
    whole = replace(every, outlines=outlines, radius=every.radius * scale)
    kept = np.zeros(len(whole), bool)
    for k in np.argsort(np.where(scale > 1, 0, 1) + least):
        gaps = np.linalg.norm(whole.xy[kept] - whole.xy[k], axis=1)
        kept[k] = wanted[k] and (gaps >= NEAREST * (whole.radius[kept] + whole.radius[k])).all()
    strange = kept & (least > LIKE) & (whole.support < ROUND_SUPPORT)
    return whole.take(kept & ~strange), whole.take(strange)


def _misfits(
    picture: NDArray[np.uint8], every: FoundDiscs, looks: Sequence[PieceLook], known: NDArray[np.bool_]
) -> Floats:
    """(N, len(SCALES)) by `ring_misfits`, in the light that those of the `known` (N,) show that must be chips."""
    colours = ring_colours(picture, every.outlines)
    misfits, lights = ring_misfits(colours, looks)
    grown = np.flatnonzero((_grown(misfits)[0] > 1) & known)
    if len(grown) < LEAST_FITTING:
        return misfits
    own = lights[grown, misfits[grown].argmin(axis=1)]
    return ring_misfits(colours, looks, np.median(own, axis=0))[0]


def whole_sizes(radius: Floats, misfits: Floats, new: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How many times as large as a rim (N,) the piece is of which it is one, and how far that piece is from one that
    taught, by misfits (N, len(SCALES)): of the usual size alone, by those that are not `new` (N,). Where few are like
    one that taught, all rims are whole and like them.
    """
    scale, least = _grown(misfits)
    told = (least <= FITS) & ~new
    labels = bool(told.any()) and float((scale[told] > 1).mean()) >= LABELS
    of_usual = told & ((scale > 1) == labels)
    if of_usual.sum() < LEAST_FITTING:
        return np.ones(len(radius)), np.zeros(len(radius))
    usual = float(np.median((radius * scale)[of_usual]))
    scale = np.where(np.abs(np.log(radius * scale / usual)) < SMALLER, scale, 1.0)
    least = np.where(scale > 1, least, misfits[:, 0])
    if not labels:
        return scale, least
    # those that a neighbour covers in part are less like one that taught, and as large as the others
    at = np.clip(np.round(np.log(usual / radius) / np.log(SCALES[1])).astype(int), 0, len(SCALES) - 1)
    there = misfits[np.arange(len(radius)), at]
    hidden = (scale == 1) & (np.log(radius / usual) < -SMALLER) & (there <= LIKE) & ~new
    return np.where(hidden, SCALES[at], scale), np.where(hidden, there, least)


def _grown(misfits: Floats) -> tuple[Floats, Floats]:
    """How many times as large as they were found pieces are (N,), by their misfits (N, len(SCALES)), and their misfits
    then.
    """
    best, least = misfits.argmin(axis=1), misfits.min(axis=1)
    grows = (SCALES[best] >= GROWS) & (least <= FITS) & (least <= BETTER * misfits[:, 0])
    return np.where(grows, SCALES[best], 1.0), np.where(grows, least, misfits[:, 0])


def ring_colours(picture: NDArray[np.uint8], outlines: Floats, radii: Floats = RADII) -> Floats:
    """(N, R, 3) median linear BGR along outlines (N, M, 2) px of a picture, drawn at radii (R,) of their size."""
    middles = outlines.mean(axis=1, keepdims=True)
    rings = (pixels_at(picture, middles + share * (outlines - middles)) for share in radii)
    return np.stack([np.median(LINEAR[ring], axis=1) for ring in rings], axis=1)


def ring_misfits(colours: Floats, looks: Sequence[PieceLook], light: Floats | None = None) -> tuple[Floats, Floats]:
    """(N, len(SCALES)) how far the rings of pieces, by `ring_colours` (N, …, 3), are at each scale from those of the
    nearest of the looks that taught, and (…, 3) natural log of the light in which they are so near. `light` (3,): that
    of the picture, once it is known.
    """
    logs = np.log(colours + DARK) - (0 if light is None else light)
    misfits, lights = np.zeros((len(colours), len(SCALES))), np.zeros((len(colours), len(SCALES), 3))
    for k, scale in enumerate(SCALES):
        every, own = _off_looks(logs[:, _at(PLACES * scale)], looks, LIGHT if light is None else KNOWN_LIGHT)
        if scale > 1:
            edge, around = (logs[:, _at(np.array([share * scale]))[0]] for share in (PLACES[-1], BEYOND))
            every[np.sqrt(((edge - around) ** 2).mean(axis=1)) < ENDS] = np.inf
        nearest = every.argmin(axis=1)
        misfits[:, k] = every.min(axis=1)
        lights[:, k] = own[np.arange(len(own)), nearest]
    return misfits, lights


def own_misfits(colours: Floats, looks: Sequence[PieceLook]) -> Floats:
    """(N, K) how far rings of pieces, by their linear BGR at `PLACES` (N, RINGS, 3), are from those of each look."""
    return _off_looks(np.log(colours + DARK), looks, LIGHT)[0]


def _off_looks(logs: Floats, looks: Sequence[PieceLook], trust: float) -> tuple[Floats, Floats]:
    """(N, K) how far rings at `PLACES` (N, RINGS, 3), natural logs, are from those of looks, and (N, K, 3) the light in
    which they are so near, whose own difference weighs by `trust`.
    """
    known = np.log(np.array([look.rings for look in looks]) + DARK)  # (K, RINGS, 3)
    weight = (np.arange(RINGS) + 0.5) * (1 - np.array([look.mixed for look in looks])) ** 2
    weight = (weight / weight.sum(axis=1, keepdims=True))[..., None]
    off = logs[:, None] - known[None]
    own = (weight * off).sum(axis=2)
    rest = (weight * (off - own[:, :, None]) ** 2).sum(axis=2).mean(axis=2)
    return np.sqrt(rest + trust**2 * (own**2).mean(axis=2)), own


def _at(shares: Floats) -> NDArray[np.int64]:
    """Which of `RADII` are nearest."""
    return np.asarray(np.clip(np.round(shares / RADII[0]).astype(int) - 1, 0, len(RADII) - 1))


def _apart(rims: FoundDiscs, found: FoundDiscs) -> NDArray[np.bool_]:
    """(N,) which rims lie within none that was found, nor around its middle."""
    gaps = np.linalg.norm(rims.xy[:, None] - found.xy[None], axis=2)
    return np.asarray((gaps >= np.maximum(rims.radius[:, None], found.radius[None])).all(axis=1))
