"""Counts the pieces in a picture: ground, clumps, single pieces, and the colour of each with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.colours import FittedColours, PieceColour, fit_light
from vision.count.ground import LEVEL, Ground, find_ground, to_lab
from vision.count.split import DEBRIS, Blob, join, piece_area, split

Picture = NDArray[np.uint8]

USUAL_MISFIT = (4.0, 12.0)  # of a single piece (`Blob.misfit`): discs the least, cubes seen from aside the most
WORK_PX = 1200  # pictures are counted at this longer side: pieces of a table's breadth / 100 stay 12 px wide
BODY_BREADTH = 0.35  # of the root of a piece's area: what is thinner is a rim, a glint or a printed mark
BODY_PERCENTILES = (30, 90)  # of a piece's lightness: below lie shaded sides, above glints
LIGHT_SAMPLES = 2000  # pixels from which the light is first guessed
LIKE_A_PIECE = 1.8  # spreads from a learnt colour within which a dark place is no shadow
SEEN_ANYWAY = 0.4  # chance that no piece lies hidden when a colour in play looks like the table
SURE = 0.9  # probability of the whole count from which it is given as sure


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One piece: middle and outline (N, 1, 2) in px of the picture, its colour or None, the likeliest colours first."""

    xy: tuple[float, float]
    colour: str | None
    p: float
    alternatives: tuple[tuple[str, float], ...]
    outline: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """The pieces of a picture by colour; `probability` that every number is right; `why` it is not sure, if so."""

    counts: dict[str, int]
    unknown: int
    probability: float
    sure: bool
    why: str
    pieces: tuple[Piece, ...]


def count_pieces(picture_bgr: Picture, colours: Sequence[PieceColour]) -> Count:
    """Count the pieces of the learnt colours in a picture (H, W, 3) uint8 BGR. Raises ValueError without colours."""
    if not colours:
        raise ValueError("no colours were learnt: expected at least one")
    share = min(1.0, WORK_PX / max(picture_bgr.shape[:2]))
    work = cv2.resize(picture_bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture_bgr
    lab = to_lab(work)
    expected = np.array([c.lab() for c in colours], np.float32)
    ground = find_ground(work, expected)
    lying = _lying(ground, np.zeros(lab.shape[:2], bool))
    if lying.any():
        lying = _lying(ground, _coloured(work, lab, lying, ground, colours))
    area = piece_area(lying)
    if area == 0:
        return Count({c.name: 0 for c in colours}, 0, 0.5, False, "nothing that lies on the table was found", ())
    lying = _tidy(lying, area)
    fitted = fit_light(colours, _samples(work, split(lying, area)))
    blobs = _by_colour(lab, lying, area, fitted)
    pieces = [_piece(blob, lab, fitted, share) for blob in blobs]
    hidden = [name for name, lab in zip(fitted.names, fitted.centres_lab, strict=True) if ground.hides(lab)]
    return _tally(pieces, blobs, colours, ground.clear, hidden)


def _lying(ground: Ground, coloured: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Where something lies: clearly not ground, nor ground in shadow unless it has a piece's colour."""
    mask = ((ground.difference > LEVEL) & (~ground.shadow | coloured)).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3)))


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
    size = max(3, int(0.16 * np.sqrt(area)) | 1)
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))


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
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth))
    bodies = np.full(labels.shape, -1, np.int32)
    for k in range(number):
        body = cv2.morphologyEx((labels == k).astype(np.uint8), cv2.MORPH_OPEN, kernel)
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


def _piece(blob: Blob, lab: NDArray[np.float32], fitted: FittedColours, share: float) -> Piece:
    values = lab[blob.pixels[:, 1], blob.pixels[:, 0]].astype(np.float64)
    lightness = values[:, 0]
    low, high = np.percentile(lightness, BODY_PERCENTILES)
    middle = np.median(values[(lightness >= low) & (lightness <= high)], axis=0)
    p = fitted.probabilities(middle[None])[0]
    order = np.argsort(-p[:-1])
    alternatives = tuple((fitted.names[k], round(float(p[k]), 4)) for k in order[:3])
    known = p[order[0]] > p[-1]
    outline = np.round(blob.outline / share).astype(np.int32)
    xy = (blob.xy[0] / share, blob.xy[1] / share)
    return Piece(
        xy, fitted.names[order[0]] if known else None, float(p[order[0]] if known else p[-1]), alternatives, outline
    )


def _tally(
    pieces: list[Piece], blobs: list[Blob], colours: Sequence[PieceColour], clear: float, hidden: list[str]
) -> Count:
    counts = {c.name: 0 for c in colours}
    unknown = 0
    probability = 1.0
    usual = float(np.clip(1.6 * np.median([b.misfit for b in blobs] or [0.0]), *USUAL_MISFIT))
    doubts = []
    for piece, blob in zip(pieces, blobs, strict=True):
        if piece.colour is None:
            unknown += 1
        else:
            counts[piece.colour] += 1
        probability *= piece.p * float(np.exp(-0.5 * max(0.0, blob.misfit - usual) / usual))
    if any(p.p < SURE for p in pieces):
        doubts.append("a piece's colour is doubtful")
    if any(b.misfit > 2 * usual for b in blobs):
        doubts.append("a clump could not be divided into pieces of one size and shape")
    if hidden:
        doubts.append(f"{', '.join(hidden)} cannot be told from this table")
        probability *= SEEN_ANYWAY
    if clear < 0.5:
        doubts.append("most of the picture is blown out or black")
        probability *= 0.8
    if unknown:
        doubts.append(f"{unknown} of the things that lie there have none of the learnt colours")
    if probability < SURE and not doubts:
        doubts.append("many small doubts together")
    sure = not doubts and probability >= SURE
    return Count(counts, unknown, round(probability, 4), sure, "; ".join(doubts), tuple(pieces))
