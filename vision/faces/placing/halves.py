"""Pieces that are printed alike whichever way up, as playing cards are: half of one tells all of it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

LEAST_KNOWN = 0.93  # share of a piece that must be in its picture, one way up or the other
CONTRAST = 40.0  # grey levels of a channel by which print differs from a bare place, in whatever light
SLACK = 0.04  # share of the side by which print may lie off when the piece is turned
FEW = 0.01  # share of a piece that may be printed one way up only
OFF_CENTRE = 0.06  # share of the piece's height by which its middle may lie off
STEP = 0.006  # of the same, in which the middle is searched
LEAST_OVERLAP = 0.03  # share of the piece that must be seen both ways up for its middle to be told
SEAM = 0.04  # width of the strip, as a share of the side, over which one half goes over into the other
AROUND = 0.08  # of the same, the sigma over which brightness and contrast of two halves are compared
LIGHT_REACH = 0.2  # and that by which they are carried on beyond what both show
LIGHT_LIMIT, CONTRAST_LIMIT = 0.5, 1.0  # natural logarithms: what more of it would be is another thing, no light
PLAIN_VARIANCE = 100.0  # squared grey levels of a channel or so, below which contrast is noise
RIM = 0.08  # outer strip, into which loose cuts take other things


def completed(piece: U8, inside: NDArray[np.bool_]) -> U8 | None:
    """`piece` (h, w, 3) uint8 of which only `inside` (h, w) was seen, completed by itself turned upside down; None when
    both together do not know all of it.

    Where both know a place, the one is taken that is further from what it does not show: what covers the piece reaches
    in there. The turned one is brought into the light that the other has where both are seen.
    """
    turned = inside[::-1, ::-1]
    if (inside | turned).mean() < LEAST_KNOWN or inside.all():
        return None
    own_depth = np.asarray(cv2.distanceTransform(inside.astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    depth = np.ascontiguousarray(own_depth[::-1, ::-1])
    own = piece.astype(np.float32)
    other = _in_light_of(own, np.ascontiguousarray(own[::-1, ::-1]), own_depth, depth)
    share = np.clip((own_depth - depth) / (SEAM * float(inside.size) ** 0.5) + 0.5, 0, 1)
    share = np.where(turned, np.where(inside, share, 0), 1)[..., None]
    known = np.asarray(np.round(share * own + (1 - share) * np.clip(other, 0, 255)), np.uint8)
    # What neither shows is a gap of a few px between them.
    gap = (~(inside | turned)).astype(np.uint8)
    return np.asarray(cv2.inpaint(known, gap, 3, cv2.INPAINT_TELEA), np.uint8)


def _in_light_of(own: F32, other: F32, own_depth: F32, depth: F32) -> F32:
    """`other` (h, w, 3) with the brightness and the contrast that `own` has around places which both show: a reflection
    takes contrast away and adds light. Each is seen where its depth (h, w) is not 0."""
    side = float(depth.size) ** 0.5
    both = np.minimum(own_depth, depth)
    seen_by_both = np.asarray(both > 0, np.float32)
    (mean, variance), (other_mean, other_variance) = (_local(one, seen_by_both, side) for one in (own, other))
    light = np.asarray(np.log((mean.mean(axis=2) + 1) / (other_mean.mean(axis=2) + 1)), np.float32)
    contrast = np.asarray(np.log((variance + PLAIN_VARIANCE) / (other_variance + PLAIN_VARIANCE)) / 2, np.float32)

    def spread(field: F32, limit: float) -> F32:
        sigma = LIGHT_REACH * side
        told = cv2.GaussianBlur(np.clip(field, -limit, limit) * both, (0, 0), sigma)
        return np.asarray(np.exp(told / (cv2.GaussianBlur(both, (0, 0), sigma) + 1e-6))[..., None], np.float32)

    level, _ = _local(other, np.asarray(depth > 0, np.float32), side)
    return np.asarray(level * spread(light, LIGHT_LIMIT) + (other - level) * spread(contrast, CONTRAST_LIMIT))


def _local(picture: F32, seen: F32, side: float) -> tuple[F32, F32]:
    """Mean (h, w, 3) and summed variance (h, w) of `picture` around each place, where it is `seen` (h, w)."""
    sigma, there = AROUND * side, seen[..., None]
    whole = cv2.GaussianBlur(seen, (0, 0), sigma)[..., None] + np.float32(1e-3)
    mean, square = (cv2.GaussianBlur(one * there, (0, 0), sigma) / whole for one in (picture, picture**2))
    return mean, np.maximum((square - mean**2).sum(axis=2), 0)


def centred(picture: U8, corners: F64) -> F64:
    """`corners` (4, 2) px of a piece in `picture` (h, w, 3) uint8 moved so that what is seen on both sides of its
    middle is alike when it is turned about it; as they were where too little is."""
    height = float(np.linalg.norm(corners[3] - corners[0]))
    width = float(np.linalg.norm(corners[1] - corners[0]))
    px = max(1.0, STEP * height)
    small = cv2.resize(picture, None, fx=1 / px, fy=1 / px, interpolation=cv2.INTER_AREA).astype(np.float32)
    middle = np.round(2 * ((corners.mean(axis=0) + 0.5) / px - 0.5)).astype(int)
    reach = round(2 * OFF_CENTRE * height / px)
    best, moved = -1.0, np.zeros(2, int)
    for y in range(-reach, reach + 1):
        for x in range(-reach, reach + 1):
            score = _alike_about(small, middle + np.array([x, y]), LEAST_OVERLAP * width * height / px**2)
            if score > best:
                best, moved = score, np.array([x, y])
    return np.asarray(corners + moved * px / 2)


def _alike_about(picture: F32, twice: NDArray[np.int_], least: float) -> float:
    """Correlation of `picture` (h, w, 3) with itself turned by half a turn about `twice` (2,) / 2 px, where both are;
    -1 where that is less than `least` pixels."""
    h, w = picture.shape[:2]
    x0, x1 = max(0, int(twice[0]) - w + 1), min(w - 1, int(twice[0]))
    y0, y1 = max(0, int(twice[1]) - h + 1), min(h - 1, int(twice[1]))
    if x1 < x0 or y1 < y0 or (x1 - x0 + 1) * (y1 - y0 + 1) < least:
        return -1.0
    part = picture[y0 : y1 + 1, x0 : x1 + 1]
    part = part - part.mean(axis=(0, 1))
    return float((part * part[::-1, ::-1]).sum() / max(float((part * part).sum()), 1e-6))


def evenly_printed(piece: U8) -> bool:
    """Whether `piece` (h, w, 3) uint8 turned upside down shows everywhere, or nearly there, what it shows upright."""
    h, w = piece.shape[:2]
    side = float(h * w) ** 0.5
    reach = np.ones((2 * max(1, round(SLACK * side)) + 1,) * 2, np.uint8)
    turned = np.ascontiguousarray(piece[::-1, ::-1])
    below, above = (f(turned, reach).astype(np.float32) for f in (cv2.erode, cv2.dilate))
    seen = piece.astype(np.float32)
    off = np.maximum(below - seen, seen - above).max(axis=2)
    rim = max(1, round(RIM * side))
    return bool((off[rim:-rim, rim:-rim] > CONTRAST).mean() < FEW)
