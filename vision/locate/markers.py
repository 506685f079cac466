"""The printed corner markers: where they lie on the table, and where exactly their corners are in a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np

from vision.median import median, medians

DEFAULT_CENTRES_MM = MappingProxyType({0: (-220.0, -170.0), 1: (220.0, -170.0), 2: (220.0, 170.0), 3: (-220.0, 170.0)})
CELLS = 6  # a marker of the 4x4 dictionaries: 4 cells of code within a black rim of one cell

# Edge search: profiles across each side of a marker, this far to both sides (in cells: the rim inside, the
# quiet zone outside are one cell wide each) and never further than MAX_REACH_PX.
REACH_CELLS = 0.7
MIN_REACH_PX, MAX_REACH_PX = 1.5, 6.0
PROFILES = 24
STEP_PX = 0.25
ENDS = 0.12  # this share of a side at both ends is left out: corners are rounded by blur

# White that has grown over black is cut back by so many px: in burnt-out and soft pictures of 1280 x 720 a cell of code
# is five px wide or less, and grows by one to two at each side; of one three px high, seen aslant, two leave nothing.
CUT_BACK_PX = (1, 2)

# A marker's black square lies so far within the picture, px: nearer to the edge it may be cut off.
INSIDE_PX = 3

# Grey level from which white paper is too bright for the picture.
BURNT_OUT_GREY = 250

# How far out from a marker's black square its white paper is looked at, as part of its half side.
PAPER_AT = 1.25


@dataclass(frozen=True, slots=True)
class MarkerLayout:
    """Which markers lie where: printed side and centres in table mm, sides parallel to the table's axes."""

    dictionary: str = "DICT_4X4_50"
    side_mm: float = 40.0
    centres_mm: Mapping[int, tuple[float, float]] = field(default_factory=lambda: DEFAULT_CENTRES_MM)

    def corners_mm(self, marker: int) -> np.ndarray:
        """(4, 2) float64 corners of a marker, table mm, clockwise from its top left. Raises KeyError."""
        half = self.side_mm / 2
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        return np.asarray(square + np.array(self.centres_mm[marker]))


@dataclass(frozen=True, slots=True, eq=False)
class SeenMarker:
    """A marker in a picture: (4, 2) float64 corners, px, clockwise from the marker's own top left.

    `spread_px`: how far bright areas have grown over dark ones at this marker; the corners are already put right
    by it. nan where that could not be measured.
    """

    marker: int
    corners_px: np.ndarray
    spread_px: float = float("nan")


@lru_cache(maxsize=8)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    params = cv2.aruco.DetectorParameters()
    params.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE  # `refine_quads` does it
    # more samples a cell than OpenCV's four: on overexposed paper the white cells grow into the black ones
    params.perspectiveRemovePixelPerCell = 8
    params.minDistanceToBorder = 0  # it would count for the white paper, whose outline then hides the black square's
    return cv2.aruco.ArucoDetector(known, params)


def find_markers(gray: np.ndarray, layout: MarkerLayout) -> tuple[SeenMarker, ...]:
    """The markers of `layout` in a gray picture (H, W) uint8, refined; an id seen twice is there twice."""
    found = _named(gray, layout)
    if not found:
        return ()
    refined, good = refine_quads(gray, np.array([q for _, q in found], np.float64))
    seen = [
        SeenMarker(marker, better if ok else rough.astype(np.float64))
        for (marker, rough), better, ok in zip(found, refined, good, strict=True)
    ]
    return _put_right(gray, seen, layout.dictionary)


def with_overgrown(gray: np.ndarray, layout: MarkerLayout, seen: tuple[SeenMarker, ...]) -> tuple[SeenMarker, ...]:
    """The markers `seen` in a gray picture (H, W) uint8 with those that are read only once white is cut back: where a
    picture is too bright or too soft, it has grown over the black cells."""
    known = {one.marker for one in seen}
    more: dict[int, np.ndarray] = {}
    for cut_px in CUT_BACK_PX:
        size = 2 * cut_px + 1
        cut_back = cv2.erode(gray, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        named = _named(cut_back, layout)
        often = Counter(marker for marker, _ in named)
        more |= {marker: quad for marker, quad in named if marker not in known and often[marker] == 1}
    if not more:
        return seen
    refined, good = refine_quads(gray, np.array(list(more.values()), np.float64))
    found = [SeenMarker(marker, better) for marker, better, ok in zip(more, refined, good, strict=True) if ok]
    return (*seen, *_put_right(gray, found, layout.dictionary))


def is_burnt_out(gray: np.ndarray, seen: SeenMarker) -> bool:
    """Whether the white paper of a marker is too bright for a gray picture (H, W) uint8."""
    middle = seen.corners_px.mean(axis=0)
    ring = np.zeros(gray.shape, np.uint8)
    corners = np.round(middle + PAPER_AT * (seen.corners_px - middle)).astype(np.int32)
    cv2.polylines(ring, [corners], isClosed=True, color=255)
    return bool(ring.any()) and float(np.median(gray[ring > 0])) >= BURNT_OUT_GREY


def _named(gray: np.ndarray, layout: MarkerLayout) -> list[tuple[int, np.ndarray]]:
    """The markers of `layout` that are read whole in a gray picture, each with its rough corners (4, 2), px."""
    quads, ids, _ = _detector(layout.dictionary).detectMarkers(gray)
    if ids is None:
        return []
    named = [(int(i), q.reshape(4, 2)) for i, q in zip(np.ravel(ids), quads, strict=True)]
    last = np.array(gray.shape[::-1]) - 1 - INSIDE_PX
    return [
        (marker, quad) for marker, quad in named
        if marker in layout.centres_mm and (quad >= INSIDE_PX).all() and (quad <= last).all()
    ]


def _put_right(gray: np.ndarray, seen: list[SeenMarker], dictionary: str) -> tuple[SeenMarker, ...]:
    """The markers with their corners moved outwards by the measured spread."""
    spreads = [measure_spread(gray, marker, dictionary) for marker in seen]
    known = [s for s in spreads if np.isfinite(s)]
    usual = float(np.median(known)) if known else 0.0
    return tuple(
        replace(
            marker,
            corners_px=marker.corners_px - inward(marker.corners_px) * (s if np.isfinite(s) else usual),
            spread_px=s,
        )
        for marker, s in zip(seen, spreads, strict=True)
    )


def inward(quad_px: np.ndarray) -> np.ndarray:
    """(4, 2): how the corners of a quadrilateral move when all its edges move inwards by one px."""
    forward = np.roll(quad_px, -1, axis=0) - quad_px
    forward = forward / np.linalg.norm(forward, axis=1)[:, None]
    backward = -np.roll(forward, 1, axis=0)
    sine = np.abs(forward[:, 0] * backward[:, 1] - forward[:, 1] * backward[:, 0])
    return np.asarray((forward + backward) / np.maximum(sine, 0.2)[:, None])


def refine_quads(
    gray: np.ndarray, quads_px: np.ndarray, reach_cells: float = REACH_CELLS
) -> tuple[np.ndarray, np.ndarray]:
    """Corners of dark squares on white from lines fitted to their four edges.

    `gray` (H, W) uint8; `quads_px` (N, 4, 2) float64, clockwise, right to about half a cell. Returns the corners
    (N, 4, 2) float64 px and (N,) bool: whether all four edges were found. Edges are taken where the brightness
    passes the middle between both sides, so a lens's blur does not move them; overexposure does
    (`TablePose` accounts for it, since it shrinks every marker by the same amount).
    """
    count = len(quads_px)
    starts, ends = quads_px, np.roll(quads_px, -1, axis=1)
    along = ends - starts
    length = np.linalg.norm(along, axis=2)
    direction = along / np.maximum(length, 1e-9)[..., None]
    outward = np.stack([direction[..., 1], -direction[..., 0]], axis=2)  # clockwise with y down: left of the way
    reach = float(np.clip(reach_cells * median(length) / CELLS, MIN_REACH_PX, MAX_REACH_PX))
    offsets = np.arange(-reach, reach + STEP_PX / 2, STEP_PX)
    shares = np.linspace(ENDS, 1 - ENDS, PROFILES)
    base = starts[:, :, None] + along[:, :, None] * shares[:, None]  # (N, 4, P, 2)
    at = base[:, :, :, None] + outward[:, :, None, None] * offsets[:, None]  # (N, 4, P, K, 2)
    flat = at.reshape(count * 4, -1, 2).astype(np.float32)
    levels = cv2.remap(gray, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = cv2.blur(levels.astype(np.float32).reshape(count * 4 * PROFILES, -1), (3, 1))
    crossing = _crossings(levels, offsets).reshape(count, 4, PROFILES)
    points = base + outward[:, :, None] * np.nan_to_num(crossing)[..., None]
    lines = np.full((count, 4, 3), np.nan)
    for i in range(count):
        for k in range(4):
            lines[i, k] = _line(points[i, k][np.isfinite(crossing[i, k])])
    corners = np.cross(np.roll(lines, 1, axis=1), lines)
    with np.errstate(invalid="ignore", divide="ignore"):
        corners = corners[..., :2] / corners[..., 2:]
    moved = np.linalg.norm(corners - quads_px, axis=2)
    good = np.isfinite(corners).all(axis=(1, 2)) & (np.nan_to_num(moved, nan=np.inf) < 2 * reach).all(axis=1)
    return corners, good


def _crossings(levels: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Where profiles (M, K), dark at the left and bright at the right, pass the middle; nan without an edge."""
    end = max(2, len(offsets) // 6)
    dark, bright = medians(levels[:, :end], axis=1)[:, 0], medians(levels[:, -end:], axis=1)[:, 0]
    middle = ((dark + bright) / 2)[:, None]
    above = levels >= middle
    rising = ~above[:, :-1] & above[:, 1:]
    first = rising.argmax(axis=1)
    rows = np.arange(len(levels))
    low, high = levels[rows, first], levels[rows, first + 1]
    share = (middle[:, 0] - low) / np.maximum(high - low, 1e-6)
    position = offsets[first] + share * (offsets[1] - offsets[0])
    # an edge: clearly brighter outside (8 grey levels are three times a dim webcam's noise), passed only once
    usable = (bright - dark > 8.0) & (rising.sum(axis=1) == 1)
    return np.where(usable, position, np.nan)


def _line(points: np.ndarray) -> np.ndarray:
    """The line a x + b y + c = 0 (unit normal) through points (M, 2), outliers left out; nan when too few agree."""
    if len(points) < PROFILES // 2:
        return np.full(3, np.nan)
    for _ in range(3):
        centre = points.mean(axis=0)
        normal = np.linalg.svd(points - centre, full_matrices=False)[2][1]
        off = np.abs((points - centre) @ normal)
        keep = off <= max(3 * 1.4826 * median(off), 0.1)
        if keep.all():
            break
        points = points[keep]
    if len(points) < PROFILES // 3:
        return np.full(3, np.nan)
    return np.array([normal[0], normal[1], -normal @ centre])


def find_hidden_marker(gray: np.ndarray, layout: MarkerLayout, marker: int, quad_px: np.ndarray) -> SeenMarker | None:
    """The marker expected at `quad_px` (4, 2), right to about half a cell, that the detector overlooked; or None.

    It is there when its black and white cells read as the code says, all of them.
    """
    height, width = gray.shape
    if (quad_px < 2).any() or (quad_px > np.array([width, height]) - 3).any():
        return None
    refined, good = refine_quads(gray, quad_px[None].astype(np.float64))
    if not good[0]:
        return None
    per_cell = 8
    side = CELLS * per_cell
    target = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    flat = cv2.warpPerspective(gray, cv2.getPerspectiveTransform(refined[0].astype(np.float32), target), (side, side))
    inner = flat.reshape(CELLS, per_cell, CELLS, per_cell)[:, 2:-2, :, 2:-2].mean(axis=(1, 3))
    code = _code(layout.dictionary, marker)
    dark, bright = inner[~code], inner[code]
    if bright.min() - dark.max() < 0.25 * (bright.mean() - dark.mean()) or bright.min() - dark.max() < 8.0:
        return None
    return _put_right(gray, [SeenMarker(marker, refined[0])], layout.dictionary)[0]


@lru_cache(maxsize=64)
def _code(dictionary: str, marker: int) -> np.ndarray:
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return np.asarray(cv2.aruco.generateImageMarker(known, marker, CELLS, borderBits=1) > 127)


def measure_spread(gray: np.ndarray, seen: SeenMarker, dictionary: str) -> float:
    """How far, in px, bright areas have grown over dark ones at this marker (overexposure, sharpening); nan unknown.

    The white cells within a marker look larger by it on both sides while its black square looks smaller, which a
    wrong printed size cannot do: both sizes together tell the one from the other.
    """
    code = _code(dictionary, seen.marker)
    per_cell = 16
    side = CELLS * per_cell
    target = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    way = cv2.getPerspectiveTransform(seen.corners_px.astype(np.float32), target)
    flat = cv2.warpPerspective(gray, way, (side, side), flags=cv2.INTER_LINEAR).astype(np.float32)
    grown = []
    for cells, levels in ((code, flat), (code.T, flat.T)):
        for row in range(1, CELLS - 1):
            middle = row * per_cell + per_cell // 2
            profile = levels[middle - 2 : middle + 2].mean(axis=0)
            grown += _grown(cells[row], profile, per_cell)
    if not grown:
        return float("nan")
    side_px = float(np.linalg.norm(np.roll(seen.corners_px, -1, axis=0) - seen.corners_px, axis=1).mean())
    return float(np.median(grown)) * side_px


def _grown(cells: np.ndarray, profile: np.ndarray, per_cell: int) -> list[float]:
    """Growth of each white run of a row of cells, as a share of the marker's side."""
    edges = np.flatnonzero(np.diff(cells.astype(np.int8))) + 1
    out = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        left = _passing(profile, int(first), per_cell)
        right = _passing(profile, int(last), per_cell)
        if np.isfinite(left) and np.isfinite(right):
            wide, printed = (right - left) / per_cell, last - first
            # The frame was cut along the black square's visible edges, so it is itself too small by twice the growth
            # g: wide = (printed + 2 g) * CELLS / (CELLS - 2 g), solved for g, all in cells.
            out.append((wide - printed) / (2 * CELLS + 2 * wide))
    return out


def _passing(profile: np.ndarray, boundary: int, per_cell: int) -> float:
    """Where the profile passes the middle between the cells on both sides of a boundary, px of the profile; or nan."""
    from_, to = (boundary * 2 - 1) * per_cell // 2, (boundary * 2 + 1) * per_cell // 2
    part = profile[from_ : to + 1]
    middle = (part[0] + part[-1]) / 2
    above = part > middle
    changes = np.flatnonzero(above[1:] != above[:-1])
    if len(changes) != 1 or abs(part[0] - part[-1]) < 8.0:
        return float("nan")
    k = int(changes[0])
    return from_ + k + float((middle - part[k]) / (part[k + 1] - part[k])) + 0.5
