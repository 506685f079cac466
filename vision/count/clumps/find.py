"""Counts pieces that are not round: what differs from the table, divided by colour and by the pieces' common size."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.clumps.split import DEBRIS, Blob, join, piece_area, split
from vision.count.table.ground import LEVEL, Ground
from vision.count.teaching.colours import FittedColours, Picture, PieceColour, fit_light

BODY_BREADTH = 0.35  # of the root of a piece's area: what is thinner is a rim, a glint or a printed mark
LIGHT_SAMPLES = 2000  # pixels from which the light is first guessed
LIKE_A_PIECE = 1.8  # spreads from a learnt colour within which a dark place is no shadow


def find_clumps(
    work: Picture, lab: NDArray[np.float32], ground: Ground, colours: Sequence[PieceColour]
) -> tuple[list[Blob], float]:
    """The pieces in a picture (H, W, 3) uint8 BGR, the same in Lab, and the area of one in px; 0.0 without any."""
    lying = _lying(ground, np.zeros(lab.shape[:2], bool))
    if lying.any():
        lying = _lying(ground, _coloured(work, lab, lying, ground, colours))
    area = piece_area(lying)
    if area == 0:
        return [], 0.0
    lying = _tidy(lying, area)
    return _by_colour(lab, lying, area, fit_light(colours, _samples(work, split(lying, area)))), area


def _lying(ground: Ground, coloured: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Where something lies: clearly not ground, nor ground in shadow unless it has a piece's colour."""
    mask = ((ground.difference > LEVEL) & (~ground.shadow | coloured)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))))


def _coloured(
    work: Picture, lab: NDArray[np.float32], lying: NDArray[np.uint8], ground: Ground, colours: Sequence[PieceColour]
) -> NDArray[np.bool_]:
    """Where a dark place has a learnt colour, in the light that what certainly lies there shows."""
    rows, cols = np.nonzero(lying)
    chosen = np.random.default_rng(0).permutation(len(rows))[:LIGHT_SAMPLES]
    fitted = fit_light(colours, work[rows[chosen], cols[chosen]])
    smooth = cv2.GaussianBlur(lab, (0, 0), 1.5)
    dark = ground.shadow & (ground.difference > LEVEL)
    coloured = np.zeros(lying.shape, bool)
    coloured[dark] = fitted.distances(smooth[dark].astype(np.float64)).min(axis=1) < LIKE_A_PIECE
    return coloured


def _tidy(mask: NDArray[np.uint8], area: float) -> NDArray[np.uint8]:
    """Fill glints and printed marks, smooth outlines; both on the scale of a piece."""
    holes = 1 - mask
    count, labels, stats, _ = cv2.connectedComponentsWithStats(holes, connectivity=4)
    small = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] < 0.12 * area]
    mask = mask | np.isin(labels, small).astype(np.uint8)
    return opened(mask, max(3, int(0.16 * np.sqrt(area)) | 1))


def opened(mask: NDArray[np.uint8], breadth_px: int) -> NDArray[np.uint8]:
    """What of a mask (H, W) uint8 0/1 discs of such a breadth cover that lie within it: by distances, which take the
    same time for any breadth.
    """
    core = np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5) > breadth_px / 2, np.uint8)
    if not core.any():
        return core
    return np.asarray(cv2.distanceTransform(1 - core, cv2.DIST_L2, 5) < breadth_px / 2, np.uint8)


def _samples(work: Picture, blobs: list[Blob]) -> Picture:
    """(N, 3) one colour a piece: the median of its pixels."""
    return np.array([np.median(work[b.pixels[:, 1], b.pixels[:, 0]], axis=0) for b in blobs], np.uint8).reshape(-1, 3)


def _by_colour(lab: NDArray[np.float32], lying: NDArray[np.uint8], area: float, fitted: FittedColours) -> list[Blob]:
    """The pieces, divided where the colour changes and then by shape."""
    smooth = cv2.GaussianBlur(lab, (0, 0), max(0.8, 0.1 * np.sqrt(area)))
    rows, cols = np.nonzero(lying)
    nearest = fitted.distances(smooth[rows, cols].astype(np.float64)).argmin(axis=1)
    labels = np.full(lying.shape, -1, np.int32)
    labels[rows, cols] = nearest
    labels = _without_fragments(labels, len(fitted.names), area)
    blobs: list[Blob] = []
    for k in range(len(fitted.names)):
        blobs += split((labels == k).astype(np.uint8), area)
    return join(blobs, area)


def _without_fragments(labels: NDArray[np.int32], number: int, area: float) -> NDArray[np.int32]:
    """Give glints, rims and marks, too thin or small to be pieces, to the nearest body of a piece's breadth."""
    breadth = max(3, int(BODY_BREADTH * np.sqrt(area)) | 1)
    bodies = np.full(labels.shape, -1, np.int32)
    for k in range(number):
        body = opened((labels == k).astype(np.uint8), breadth)
        count, parts, stats, _ = cv2.connectedComponentsWithStats(body, connectivity=4)
        large = [part for part in range(1, count) if stats[part, cv2.CC_STAT_AREA] >= DEBRIS * area]
        bodies[np.isin(parts, large)] = k
    if (bodies < 0).all():
        return labels
    outside = (bodies < 0).astype(np.uint8)
    _, nearest = cv2.distanceTransformWithLabels(outside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    owner = np.zeros(nearest.max() + 1, np.int32)
    owner[nearest[outside == 0]] = bodies[outside == 0]
    return np.where(labels >= 0, owner[nearest], -1)
