"""Names cards that lie in sun and shade, by what they look like with the sun on all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.canvas import Canvas, compose, sun_and_shade_of
from vision.appearance.colour_blur import colour_blur_px
from vision.appearance.placed_face import FaceScan, SeenTable
from vision.appearance.twins.rematch import Doubt, rank_rivals

# Pixels so near to an edge between sun and shade are lit by a part of the sun, and put right by all of it or none.
EDGE = np.ones((5, 5), np.uint8)

Chances = tuple[tuple[Face, float], ...]


def ranked_in_sun(
    seen: np.ndarray, canvas: Canvas, doubts: Sequence[Doubt], scans: Mapping[Face, FaceScan]
) -> list[Chances] | None:
    """For each doubt the chances of the faces as `rank_rivals` tells them with the sun on all cards; None where the
    faces of the `canvas` do not lie in two lights.

    `seen` (H, W, 3) uint8: what the canvas shows. One light for both misses all print, which hides what tells twins
    apart. The edge of a pane looks like print: a name is as sure as without what lies along such edges, too, and open
    between two faces where that shows another one.
    """
    both = sun_and_shade_of(canvas, is_sunny=False)
    if both is None or not doubts:
        return None
    likely = [replace(doubt.place, scan=scans[doubt.first[0][0]]) for doubt in doubts]
    laid = [*canvas.faces, *likely]
    lit = compose(seen, canvas.window, laid, both, frozenset(range(len(laid))))
    relit = np.rint(lit.seen).astype(np.uint8)
    shaded = (cv2.absdiff(relit, seen).max(-1) > 1).astype(np.uint8)
    edge = (cv2.dilate(shaded, EDGE) != cv2.erode(shaded, EDGE)).astype(np.float32)
    beside = [
        replace(doubt, covered=edge if doubt.covered is None else np.maximum(edge, doubt.covered), bare=False)
        for doubt in doubts
    ]
    table = SeenTable(relit, (canvas.window.left_mm, canvas.window.top_mm), partial(colour_blur_px, lit))
    ways = (rank_rivals(table, lit.light, each, scans) for each in (doubts, beside))
    return [_less_sure(one, other) for one, other in zip(*ways, strict=True)]


def _less_sure(one: Chances, other: Chances) -> Chances:
    """The chances of the less sure of two looks that find the same face likeliest, else the mean of both."""
    if one[0][0] == other[0][0]:
        return min(one, other, key=lambda chances: chances[0][1])
    first, second = dict(one), dict(other)
    mean = {face: (first.get(face, 0.0) + second.get(face, 0.0)) / 2 for face in (*first, *second)}
    return tuple(sorted(mean.items(), key=lambda each: -each[1]))
