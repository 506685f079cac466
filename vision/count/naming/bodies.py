"""Where the bodies of printed pieces show: the rings between label and spots in which their colours differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import (
    OTHER_COLOUR_LAB,
    PRINTED,
    RINGS,
    SAME_COLOUR_LAB,
    SPOTS,
    PieceLook,
    edges_of,
    light_of,
)
from vision.count.naming.names import closest
from vision.srgb import linear_to_lab

Floats = NDArray[np.float64]
Zone = tuple[int, int]

SHADED = 0.6  # of a ring's lightness that its neighbours' may be by shade and gloss; what differs more bears a label
PURE = 0.25  # of a ring of a body at most: where it is more, spots begin
MOST = 0.75  # of the pieces that taught
# So much farther apart are the commonest colours at the edges where the rings without print are but those of labels.
TOLD_BY_EDGES = 2.0
# Rings in which a letter, a figure and a mirrored lamp end: what encloses a middle, a label or a circle of spots,
# reaches a third of a chip and more.
LETTERS = 2
ROOM = 0.8  # of the best distance of two colours that a broader zone may give away: it is measured the surer


def body_zone(looks: list[PieceLook], colour_of: NDArray[np.int64]) -> Zone | None:
    """The rings, from the first up to the last but one, in which pieces (M,) of several colours show their bodies;
    None where they bear no print, or no ring is free of it.
    """
    if not all(look.rings for look in looks):
        return None
    if np.mean([max(look.mixed) > PRINTED or is_labelled(look) for look in looks]) < MOST:
        return None
    every = [(a, b) for a in range(RINGS) for b in range(a + 1, RINGS + 1)]
    pure = [zone for zone in every if np.mean([_is_pure(look, zone) for look in looks]) >= MOST]
    apart = [closest(bodies_of(looks, zone), colour_of) for zone in pure]
    if TOLD_BY_EDGES * max(apart, default=0.0) < closest(edges_of(looks), colour_of):
        return None
    good = [zone for zone, gap in zip(pure, apart, strict=True) if gap >= ROOM * max(apart)]
    return max(good, key=lambda zone: zone[1] ** 2 - zone[0] ** 2) if good else None


def bodies_of(looks: list[PieceLook], zone: Zone) -> Floats:
    """(N, 2, 3) linear BGR of looks in a zone of rings, twice: there is no other ring to be compared."""
    if not looks:
        return light_of(looks)
    areas = np.arange(*zone) + 0.5
    lights = np.array([look.rings[slice(*zone)] for look in looks])
    body = np.einsum("nrc,r->nc", lights, areas / areas.sum())
    return np.stack([body, body], axis=1)


def has_inner_rims(looks: Sequence[PieceLook]) -> bool:
    """Whether some piece that taught shows print that may be taken for a rim: a label, whose colour ends all around, or
    spots at its edge. A letter in the middle ends nowhere, and nothing smaller than such a piece is part of one.
    """
    return any(_ends_within(look) or max(look.mixed[SPOTS:], default=0.0) > PRINTED for look in looks)


def is_labelled(look: PieceLook) -> bool:
    """Whether some rings of a piece have another colour than others, not the same one in shade."""
    lab = linear_to_lab(np.array(look.rings))
    along = (lab[:, None] * lab[None]).sum(axis=2) / np.maximum((lab * lab).sum(axis=1), 1.0)
    shade = np.clip(along, SHADED, 1 / SHADED)[..., None]
    return bool(np.linalg.norm(lab[:, None] - shade * lab[None], axis=2).max() > OTHER_COLOUR_LAB)


def _ends_within(look: PieceLook) -> bool:
    """Whether the rings of a piece are of one colour up to somewhere beyond its letters, and then of another."""
    if not look.rings:
        return False
    lab = linear_to_lab(np.array(look.rings))
    return bool((np.linalg.norm(lab[LETTERS + 2 :] - lab[LETTERS:-2], axis=1) > SAME_COLOUR_LAB).any())


def _is_pure(look: PieceLook, zone: Zone) -> bool:
    """Whether a piece has one colour in a zone."""
    if max(look.mixed[slice(*zone)]) > PURE:
        return False
    lab = linear_to_lab(np.array(look.rings[slice(*zone)]))
    return bool(np.linalg.norm(lab - lab.mean(axis=0), axis=1).max() < SAME_COLOUR_LAB / 2)
