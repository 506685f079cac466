"""Finds whole pieces that have spots at their edge and a label in the middle, by where the table ends."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.alike import as_the_others
from vision.count.discs.search import APART, MOST_WAVY, Copies, FoundDiscs, search_discs
from vision.count.pixels import pixels_at
from vision.count.table.ground import GRAIN, LEVEL, Ground

WORK_PX = 700  # of a picture's longer side in which the pieces are searched anew
FAR = 8.0  # standard deviations from the table: what is farther is no more another thing
STEP_LAB = 20.0  # from the table's grain to there: as steep as the edge of a piece of another lightness
AROUND = (1.15, 1.35)  # of a rim's radius: there a piece's own neighbours lie, or the rest of a piece with a label
COVERED = 0.5  # of that which is no table around a label
# Median part of the rims that is sharp from which they are not looked for again: of spotted chips it is less, whose
# outlines are whole all the same where spots and table differ.
CLEAR = 0.85
SMALLER = 0.85  # than the usual rim, and surrounded: the label of one piece among others whose own rims were found
LABELS = 0.5  # of the rims, when what was found are labels
# Of a label's radius: how far a piece may reach around it, in steps. Of a circle there, what spots as pale as the
# table leave; of the labels, those that have few neighbours.
REACHES, REACH_STEP, BETWEEN_SPOTS, FEW_NEIGHBOURS = (1.1, 3.2), 0.05, 0.4, 25
ON_EACH_OTHER = 0.7  # of the sum of two radii: pieces by their labels lie beside each other, in perspective
ALIKE = 0.2  # natural log between the sizes of pieces of one kind, by perspective
EXPLAINED = 0.85  # of what lies there: where rims enclose less of it, broken ones are looked for
AS_MUCH = 0.9  # of the rims' length, seen in a smaller picture
GAIN = 1.2  # so much more rim must be seen of whole pieces than of what they are thought to bear
# Spots as pale as the table cut a chip into a cog: its notches are a third of its radius broad, and its core, without
# them, has 0.7 of it. What is closed over so much of the core's radius is a disc again; where pieces touch and their
# spots are narrower, half of it does not join them.
NOTCHES_OF_CORE = (0.4, 0.8)
FACE_OF_CORE = 1.15  # of the core's radius: a pale chip's face within its dark spots; what is wider is table
LEAST_CORE_PX = 4.0
SMOOTH_OF_CORE = 0.25  # of the core's radius: what is left of the notches is smaller


def search_whole_pieces(found: FoundDiscs, ground: Ground, share: float) -> FoundDiscs:
    """The round pieces of a picture in which rims were found: whole pieces where those are but labels in their middles,
    or too broken by spots to be round; else what was found. `ground`: of the picture `share` times as large, by the
    colours that were learnt, so that pale ones are not taken for table.
    """
    steep = (np.clip(ground.difference, GRAIN, FAR) - GRAIN) * STEP_LAB / (FAR - GRAIN)
    edges = Copies(np.asarray(steep, np.float32))
    return as_the_others(edges, _whole_pieces(found.scaled(share), ground, edges)).scaled(1 / share)


def _whole_pieces(found: FoundDiscs, ground: Ground, edges: Copies) -> FoundDiscs:
    """The round pieces of a picture with such a ground, of which `edges` are those of the table and what lies there."""
    inner = _surrounded(found, ground) if found.round else np.zeros(len(found), bool)
    labels = len(inner) > 0 and bool(inner.mean() >= LABELS)
    some = bool((inner & (found.radius < SMALLER * np.median(found.radius))).any()) if len(inner) else False
    if found.round and not labels and not some and np.median(found.support) >= CLEAR:
        return found
    lying = ground.difference > LEVEL
    if labels:
        inside = _inside(found, lying.shape)
        lying, bare = lying | inside, lying
        whole = _search(np.where(inside, STEP_LAB, edges.lab))
        larger = np.median(found.radius[~inner]) if not inner.all() else 0.0  # whole pieces among the labels
        own = inner & (found.radius < SMALLER * larger) if np.median(found.radius[inner]) < SMALLER * larger else inner
        around = around_labels(found.take(own), bare)
        joined = _joined(_joined(around, found.take(~own)), whole) if len(around) else around
        if joined.rim > max(GAIN * found.rim, whole.rim if whole.round else 0.0):
            return joined
    else:
        whole = search_discs(edges)
    if not whole.round or (not labels and _part_within(lying, whole) < EXPLAINED):
        core = usual_core(lying)
        filled = [without_notches(lying, core, notch).astype(np.float32) for notch in NOTCHES_OF_CORE]
        closed = max((_search(STEP_LAB * mask) for mask in filled), key=lambda one: one.rim)
        whole = closed if not whole.round or (closed.round and closed.rim > whole.rim) else whole
    if some and not labels and whole.round and len(whole) >= len(found) and whole.rim > AS_MUCH * found.rim:
        return whole
    return whole if whole.round and (not found.round or whole.rim > GAIN * found.rim) else found


def around_labels(labels: FoundDiscs, lying: NDArray[np.bool_]) -> FoundDiscs:
    """The whole pieces of which rims are the labels, all as much larger as what lies there (H, W) reaches beyond most
    of them; print that nothing surrounds is left out. None where no end of them is seen.
    """
    shares = np.arange(REACHES[0], REACHES[1], REACH_STEP)
    middles = labels.outlines.mean(axis=1, keepdims=True)
    covered = np.zeros((len(labels), len(shares)))
    for k, share in enumerate(shares):
        covered[:, k] = pixels_at(lying, middles + share * (labels.outlines - middles)).mean(axis=1)
    usual = np.percentile(covered, FEW_NEIGHBOURS, axis=0)
    ends = int(np.argmax(usual < BETWEEN_SPOTS)) if (usual < BETWEEN_SPOTS).any() else 0
    if ends == 0:
        return labels.take(np.zeros(len(labels), bool))
    factor = float(shares[ends]) - REACH_STEP / 2
    outlines = middles + factor * (labels.outlines - middles)
    whole = FoundDiscs(outlines, labels.support, labels.radius * factor, labels.xy, labels.wavy)
    surrounded = covered[:, :ends].mean(axis=1)
    kept = np.zeros(len(whole), bool)
    for k in np.argsort(-surrounded):  # what lies between labels is not surrounded as they are
        gaps = np.linalg.norm(whole.xy[kept] - whole.xy[k], axis=1)
        beside = (gaps >= ON_EACH_OTHER * (whole.radius[kept] + whole.radius[k])).all()
        kept[k] = surrounded[k] >= BETWEEN_SPOTS and beside
    return whole.take(kept)


def _joined(around: FoundDiscs, whole: FoundDiscs) -> FoundDiscs:
    """Pieces known by their labels, and those of their size beside them whose own rim was seen."""
    alike = np.abs(np.log(whole.radius / np.median(around.radius))) < ALIKE
    gaps = np.linalg.norm(whole.xy[:, None] - around.xy[None], axis=2)
    apart = (gaps >= APART * (whole.radius[:, None] + around.radius[None])).all(axis=1)
    return around.joined(whole.take(alike & apart & (whole.wavy <= MOST_WAVY)))


def _inside(found: FoundDiscs, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(H, W) what rims enclose."""
    inside = np.zeros(shape, np.uint8)
    cv2.fillPoly(inside, [np.round(outline).astype(np.int32) for outline in found.outlines], 1)
    return inside > 0


def _part_within(lying: NDArray[np.bool_], found: FoundDiscs) -> float:
    """The part of what is no table (H, W) that lies within rims."""
    return float(_inside(found, lying.shape)[lying].mean()) if lying.any() else 1.0


def _search(steep: NDArray[np.float32]) -> FoundDiscs:
    """The round pieces of a picture (H, W) of one channel."""
    return search_discs(Copies(np.asarray(steep, np.float32)))


def usual_core(lying: NDArray[np.bool_]) -> float:
    """The radius in px of the largest circle within the usual thing of a mask (H, W), by area; 0.0 without any."""
    mask = lying.astype(np.uint8)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    cores = _widest(mask, labels, number)
    areas = np.where(cores > LEAST_CORE_PX, stats[:, cv2.CC_STAT_AREA], 0)
    areas[0] = 0
    order = np.argsort(cores)
    middle = np.searchsorted(np.cumsum(areas[order]), areas.sum() / 2)
    return float(cores[order][middle]) if areas.any() else 0.0


def without_notches(lying: NDArray[np.bool_], core_px: float, notch: float = NOTCHES_OF_CORE[-1]) -> NDArray[np.bool_]:
    """What lies there (H, W), the notches of cogs with such a core closed, and holes that are no wider filled."""
    breadth = max(3, round(notch * core_px) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth))
    closed = cv2.morphologyEx(lying.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    holes = (1 - closed).astype(np.uint8)
    number, labels = cv2.connectedComponents(holes, connectivity=4)
    narrow = _widest(holes, labels, number) < FACE_OF_CORE * core_px
    filled = ((closed > 0) | narrow[labels]).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(filled, (0, 0), max(0.5, SMOOTH_OF_CORE * core_px)) > 0.5)


def _widest(mask: NDArray[np.uint8], labels: NDArray[np.int32], number: int) -> NDArray[np.float64]:
    """(number,) radius of the largest circle within each labelled thing of a mask (H, W)."""
    widest = np.zeros(number)
    inside = np.flatnonzero(mask)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 5).ravel()[inside]
    # of the very types that numpy goes through in one loop: others take thirty times as long
    np.maximum.at(widest, labels.ravel()[inside].astype(np.intp), depth.astype(np.float64))
    return widest


def _surrounded(found: FoundDiscs, ground: Ground) -> NDArray[np.bool_]:
    """(N,) which rims are surrounded by what is no table, as labels are."""
    lying = (ground.difference > LEVEL).astype(np.uint8)
    return np.array([_part_around(lying, outline) > COVERED for outline in found.outlines], bool)


def _part_around(mask: NDArray[np.uint8], outline: NDArray[np.float64]) -> float:
    """The part of a ring around an outline that a mask covers."""
    middle = outline.mean(axis=0)
    low = np.maximum(np.floor(middle + AROUND[1] * (outline - middle)).min(axis=0).astype(int), 0)
    high = np.ceil((middle + AROUND[1] * (outline - middle)).max(axis=0)).astype(int) + 1
    own = mask[low[1] : high[1], low[0] : high[0]]
    ring = np.zeros(own.shape, np.uint8)
    for reach, value in ((AROUND[1], 1), (AROUND[0], 0)):
        cv2.fillPoly(ring, [np.round(middle + reach * (outline - middle) - low).astype(np.int32)], value)
    return float(own[ring.astype(bool)].mean()) if ring.any() else 0.0
