"""Divides the places where something lies into single pieces, touching ones too, by their common size."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Points = NDArray[np.float64]

ROUND_SOLIDITY = 0.93  # area over convex hull from which an outline looks like one piece
ROUND_ASPECT = 1.7
PEAK_APART = 0.62  # least distance of two pieces' middles, in diameters: perspective squeezes round pieces
PEAK_DEEP = 0.5  # least depth of a piece's middle below its outline, in radii
# Radius of a piece in the copy in which middles are searched: each moves to its place afterwards, and the search among
# all that are nearer than pieces can be takes the fourth power of the radius in time.
PEAK_RADIUS_PX = 24.0
DEBRIS = 0.3  # of a piece's area: smaller things are no pieces
LEAST_AREA_PX = 30
MOST_PIECES = 400  # in a picture
MOST_CANDIDATES = 4  # sizes of a piece that are tried
MANY = 0.5  # power of the number of pieces by which a size is the less likely, the more of them it makes
MOST_AT_ONCE = 60  # pieces that one clump is divided into
SINGLE_UP_TO = 1.3  # piece areas up to which a round thing needs no second look
SIZE_SPREAD, ROUND_SPREAD = 0.28, 0.06  # of log size and roundness among pieces of one kind in one picture
SIZE_RANGE = (0.55, 1.6)  # areas of pieces of one size in one picture, perspective and overlap included
NEIGHBOURS = 1.2  # roots of a piece's area within which the middles of two parts of a piece lie


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """One piece: the pixels it covers (N, 2: x, y), its outline, and how unlike a single piece it is (0: a disc)."""

    pixels: NDArray[np.int64]
    misfit: float
    outline: NDArray[np.int32]

    @property
    def xy(self) -> tuple[float, float]:
        """Its middle."""
        x, y = self.pixels.mean(axis=0)
        return float(x), float(y)


def piece_area(mask: Mask) -> float:
    """The area in px of one piece: the size by which the whole mask divides best; 0.0 when nothing lies there.

    Small parts fit together into any shape: of two sizes that explain as much the one with fewer pieces is taken.
    """
    candidates = _candidate_areas(mask)
    total = int(mask.sum())
    scores = []
    for area in candidates:
        blobs = split(mask, area)
        explained = sum(len(b.pixels) * np.exp(-b.misfit / 8) for b in blobs)
        scores.append(explained / total / max(1, len(blobs)) ** MANY)
    return candidates[int(np.argmax(scores))] if candidates else 0.0


def _candidate_areas(mask: Mask) -> list[float]:
    """Sizes of outlines that look single, and of the discs that fit into the clumps; each only once."""
    sizes = []
    for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        area = cv2.contourArea(outline)
        if area < LEAST_AREA_PX:
            continue
        hull = cv2.contourArea(cv2.convexHull(outline))
        (_, (a, b), _) = cv2.minAreaRect(outline)
        if area > ROUND_SOLIDITY * hull and max(a, b) < ROUND_ASPECT * min(a, b):
            sizes.append(float(area))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    if depth.max() ** 2 * np.pi > LEAST_AREA_PX:
        sizes.append(float(np.pi * depth.max() ** 2))
    sizes = [s for s in sizes if mask.sum() / s < MOST_PIECES]
    chosen: list[float] = []
    while sizes:
        groups = [[s for s in sizes if SIZE_RANGE[0] * c < s < SIZE_RANGE[1] * c] for c in sizes]
        group = max(groups, key=sum)
        chosen.append(float(np.median(group)))
        sizes = [s for s in sizes if s not in group]
    return sorted(chosen, reverse=True)[:MOST_CANDIDATES]


def split(mask: Mask, area: float) -> list[Blob]:
    """The pieces in a mask (H, W) uint8 0/1, when one piece covers about `area` px; smaller things are left out."""
    blobs: list[Blob] = []
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    for k in range(1, count):
        x, y, w, h, size = (int(v) for v in stats[k])
        if size < DEBRIS * area:
            continue
        body = np.pad((labels[y : y + h, x : x + w] == k).astype(np.uint8), 1)
        for part in _divide(body, area):
            rows, cols = np.nonzero(part)
            blobs.append(_blob(np.stack([cols + x - 1, rows + y - 1], axis=1), area))
    return blobs


def join(blobs: list[Blob], area: float) -> list[Blob]:
    """Put parts together that are more like a piece in one: a rim and its face, the lit and the dark side of a cube.

    The pair that gains most comes first. Each pair of neighbours is judged once, so that twice the pieces take twice
    the time.
    """
    reach = NEIGHBOURS * float(np.sqrt(area))
    alive = dict(enumerate(blobs))
    cells: dict[tuple[int, int], list[int]] = {}
    waiting: list[tuple[float, int, int]] = []

    def enter(number: int) -> None:
        """Judge a blob with all that lie in its cell and those around, then put it into its own."""
        x, y = (int(v // reach) for v in alive[number].xy)
        for other in [n for dx in (-1, 0, 1) for dy in (-1, 0, 1) for n in cells.get((x + dx, y + dy), ())]:
            if other in alive:
                gain = _gain(alive[number], alive[other], area)
                if gain > 0:
                    heapq.heappush(waiting, (-gain, number, other))
        cells.setdefault((x, y), []).append(number)

    for number in alive:
        enter(number)
    following = len(blobs)
    while waiting:
        _, first, second = heapq.heappop(waiting)
        if first in alive and second in alive:
            alive[following] = _union(alive.pop(first), alive.pop(second), area)
            enter(following)
            following += 1
    return list(alive.values())


def _union(first: Blob, second: Blob, area: float) -> Blob:
    return _blob(np.concatenate([first.pixels, second.pixels]), area)


def _gain(first: Blob, second: Blob, area: float) -> float:
    """By how much two blobs are more like a piece in one than each is by itself; 0 when they cannot be one."""
    size = len(first.pixels) + len(second.pixels)
    near = np.linalg.norm(np.subtract(first.xy, second.xy)) < NEIGHBOURS * np.sqrt(area)
    if not near or size >= SIZE_RANGE[1] * area or not _touch(first, second):
        return 0.0
    apart = (first.misfit * len(first.pixels) + second.misfit * len(second.pixels)) / size
    return max(apart - _union(first, second, area).misfit, 0.0)


def _touch(first: Blob, second: Blob) -> bool:
    """Whether the outlines of two blobs come within 2 px of each other."""
    gaps = first.outline[:, None, 0].astype(float) - second.outline[None, :, 0]
    return bool((np.abs(gaps).max(axis=2) <= 2).any())


def _divide(body: Mask, area: float) -> list[Mask]:
    """One connected thing as the masks of its pieces: the number whose pieces look most like single ones."""
    size = int(body.sum())
    if size < SINGLE_UP_TO * area and _roundness(body) > 0.9:
        return [body]
    peaks = _peaks(body, area)
    expected = size / area
    numbers = {len(peaks), round(expected), int(expected), int(expected) + 1}
    numbers = {n for n in numbers if 1 <= n <= MOST_AT_ONCE and n >= expected / SIZE_RANGE[1] - 0.5}
    candidates = [_parts(body, _seeds(body, peaks, n)) for n in sorted(numbers or {1})]
    return max(candidates, key=lambda parts: _likelihood(parts, area))


def _likelihood(parts: list[Mask], area: float) -> float:
    """How much the parts look like pieces: log-size near the common one, and outlines like ellipses; area-weighted."""
    sizes = np.array([p.sum() for p in parts], float)
    misfits = np.array([_misfit(p, area) for p in parts])
    return -float((misfits * sizes).sum() / sizes.sum())


def _misfit(part: Mask, area: float) -> float:
    """How unlike a single piece a part is: squared deviations of its log size and of its roundness."""
    return float((np.log(max(part.sum(), 1) / area) / SIZE_SPREAD) ** 2 + ((1 - _roundness(part)) / ROUND_SPREAD) ** 2)


def _peaks(body: Mask, area: float) -> Points:
    """(N, 2) the deepest points, x and y, no two nearer than pieces can be."""
    radius = np.sqrt(area / np.pi)
    share = min(1.0, PEAK_RADIUS_PX / radius)
    depth = cv2.distanceTransform(body, cv2.DIST_L2, 5)
    if share < 1.0:
        depth = cv2.resize(depth, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    depth = cv2.GaussianBlur(depth, (0, 0), max(0.6, 0.08 * share * np.sqrt(area)))
    reach = max(3, int(PEAK_APART * share * radius) * 2 + 1)
    top = cv2.dilate(depth, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    rows, cols = np.nonzero((depth >= top - 1e-6) & (depth > PEAK_DEEP * radius))
    order = np.argsort(-depth[rows, cols])
    chosen: list[Points] = []
    for index in order:
        point = (np.array([cols[index], rows[index]], float) + 0.5) / share - 0.5
        if all(np.linalg.norm(point - other) > PEAK_APART * 2 * radius * 0.8 for other in chosen):
            chosen.append(point)
    return np.array(chosen).reshape(-1, 2)


def _seeds(body: Mask, peaks: Points, number: int) -> Points:
    """`number` starting points: the deepest peaks, filled up with the places farthest from those chosen."""
    if len(peaks) >= number:
        return peaks[:number]
    rows, cols = np.nonzero(body)
    points = np.stack([cols, rows], axis=1).astype(float)
    seeds = list(peaks) or [points.mean(axis=0)]
    nearest = np.min([_squared(points - s) for s in seeds], axis=0)
    while len(seeds) < number:
        seeds.append(points[int(nearest.argmax())])
        nearest = np.minimum(nearest, _squared(points - seeds[-1]))
    return np.array(seeds)


def _squared(offset: Points) -> Points:
    """(N,) squared lengths of (N, 2)."""
    return np.asarray(offset[:, 0] ** 2 + offset[:, 1] ** 2)


def _parts(body: Mask, seeds: Points) -> list[Mask]:
    """The body divided among the seeds: each pixel to the nearest middle, middles moved until they rest."""
    rows, cols = np.nonzero(body)
    points = np.stack([cols, rows], axis=1).astype(float)
    middles = seeds.copy()
    owner = np.zeros(len(points), int)
    for _ in range(12):
        # the pixel's own square is the same for all middles
        owner = ((middles**2).sum(axis=1) - 2 * points @ middles.T).argmin(axis=1)
        number = np.bincount(owner, minlength=len(middles))[:, None]
        sums = np.stack([np.bincount(owner, axis, len(middles)) for axis in points.T], axis=1)
        moved = np.where(number > 0, sums / np.maximum(number, 1), middles)
        if np.abs(moved - middles).max() < 0.05:
            break
        middles = moved
    parts = []
    for k in range(len(middles)):
        part = np.zeros_like(body)
        part[rows[owner == k], cols[owner == k]] = 1
        if part.any():
            parts.append(part)
    return parts


def _roundness(part: Mask) -> float:
    """Overlap (intersection over union) of a mask with the ellipse of its moments: 1 for discs, 0.9 for squares."""
    moments = cv2.moments(part, binaryImage=True)
    if moments["m00"] < 5:
        return 0.0
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    spread = (
        np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]]) / moments["m00"]
        + np.eye(2) / 12
    )
    rows, cols = np.indices(part.shape)
    offset = np.stack([cols - x, rows - y], axis=-1)
    inside = np.einsum("...i,ij,...j->...", offset, np.linalg.inv(spread), offset) <= 4.0
    covered = part.astype(bool)
    return float((inside & covered).sum() / (inside | covered).sum())


def _blob(pixels: NDArray[np.int64], area: float) -> Blob:
    low = pixels.min(axis=0) - 1
    size = pixels.max(axis=0) - low + 2
    part = np.zeros((size[1], size[0]), np.uint8)
    part[pixels[:, 1] - low[1], pixels[:, 0] - low[0]] = 1
    outlines = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    outline = max(outlines, key=cv2.contourArea) + low.astype(np.int32)
    return Blob(pixels, _misfit(part, area), outline)
