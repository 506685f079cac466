"""Finds the face of a place by the fine detail of its print alone: in any turn, somewhat off its place, in any light.

The first reading weighs grey levels and colours, and may miss a face half of which lies in the sun, under pieces or in
gloss; then all that follows looks for a face that is not there, or where none lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.placed_face import PX_PER_MM, USUAL, FaceScan, PlacedFace, turn_matrix
from vision.appearance.print_detail import CLIPPED, detail_between, detail_likeness

# Looked for in pictures of half the size, so that a face that lies a pixel beside where it is tried still correlates.
HALF = 2

# Print lies between these blurs there (px of the smaller picture).
FINE_PX, COARSE_PX = 0.6, 3.5

# Strip along the outline that is left out there, px.
RIM_PX = 2

# A tile may lie so far off its place and be turned by so much against it: 4 mm and some degrees are usual.
REACH_MM = 5.0
TILTS_DEG = (-8.0, -4.0, 0.0, 4.0, 8.0)

# So many of the likeliest faces are laid where they fit best.
FINALISTS = 4

# Steps (canvas px and degrees) in which a face is moved there, and how often each at most.
STEPS = ((1.0, 2.0), (0.5, 1.0), (0.25, 0.5))
MOST_MOVES = 6

# Correlation with a face's fine detail from which the face is one that may lie there. Of 23 tiles of eight rendered
# rough rooms that looked unlike what the first reading said, the right one or its twin came to 0.5 and more on 19; the
# likeliest wrong face of the other four to 0.33 at most.
FOUND = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class FoundPrint:
    """A face, where it lies, in which quarter turn clockwise, and the correlation of its detail with what is seen."""

    face: Face
    place: PlacedFace
    turn: int
    likeness: float


def search_print(
    seen_bgr: np.ndarray,
    origin_mm: tuple[float, float],
    upright: PlacedFace,
    turns: Sequence[int],
    scans: Mapping[Face, FaceScan],
    covered: np.ndarray | None = None,
) -> tuple[FoundPrint, ...]:
    """The likeliest faces of a place by their fine detail, each once, best first; none where no print of any is seen.

    `seen_bgr` (H, W, 3) uint8: the table from above, its top left corner at `origin_mm`; `upright`: any face as it
    would lie in the place; `turns`: quarter turns clockwise in which faces may lie. `covered` (H, W) uint8: 255 where
    things hide the print, so that it says nothing of where a face lies.
    """
    details = {face: _scan_detail(scan) for face, scan in scans.items()}
    tried = sorted(_tried(seen_bgr, origin_mm, upright, turns, details), key=lambda each: -each[0])
    few: dict[tuple[Face, int], PlacedFace] = {}
    for _, face, turn, place in tried:
        if len(few) < FINALISTS:
            few.setdefault((face, turn), replace(place, scan=scans[face]))
    laid = []
    for (face, turn), place in few.items():
        best, likeness = _moved_to_fit(seen_bgr, origin_mm, place, covered)
        if likeness >= FOUND:
            laid.append(FoundPrint(face, best, turn, likeness))
    once: dict[Face, FoundPrint] = {}
    for one in sorted(laid, key=lambda one: -one.likeness):
        once.setdefault(one.face, one)  # a face that fits in two turns is one and the same
    return tuple(once.values())


def _tried(
    seen_bgr: np.ndarray,
    origin_mm: tuple[float, float],
    upright: PlacedFace,
    turns: Sequence[int],
    details: Mapping[Face, np.ndarray],
) -> Iterator[tuple[float, Face, int, PlacedFace]]:
    """(correlation, face, quarter turn, where it correlates most) of every face in every turn."""
    largest = max(max(detail.shape) for detail in details.values()) + 2 * RIM_PX
    wide = HALF * (largest + 2 * round(REACH_MM * PX_PER_MM / HALF))
    middle_px = (upright.centre_mm - np.array(origin_mm)) * PX_PER_MM - 0.5
    for turn, tilt in product(turns, TILTS_DEG):
        turn_deg = upright.turn_deg + 90.0 * turn + tilt
        linear = turn_matrix(turn_deg)
        to_canvas = np.column_stack([linear, middle_px - linear @ np.full(2, (wide - 1) / 2)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        around = cv2.warpAffine(seen_bgr, to_canvas, (wide, wide), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        here = _small_detail(around)
        for face, wanted in details.items():
            score = cv2.matchTemplate(here, wanted, cv2.TM_CCORR_NORMED)
            _, most, _, (x, y) = cv2.minMaxLoc(score)
            off_px = np.array([x - (score.shape[1] - 1) / 2, y - (score.shape[0] - 1) / 2]) * HALF
            centre_mm = upright.centre_mm + linear @ off_px / PX_PER_MM
            yield float(most), face, turn, replace(upright, centre_mm=centre_mm, turn_deg=turn_deg)


def _scan_detail(scan: FaceScan) -> np.ndarray:
    """(h, w) float32: the `_small_detail` of a scan, worked out once."""
    if "small print" not in scan.details:
        scan.details["small print"] = _small_detail(scan.soft[USUAL])
    return scan.details["small print"]


def _small_detail(picture: np.ndarray) -> np.ndarray:
    """(h, w) float32: fine differences of log light in half the size, cut and without the rim."""
    small = cv2.resize(picture, None, fx=1 / HALF, fy=1 / HALF, interpolation=cv2.INTER_AREA)
    detail = detail_between(small, FINE_PX, COARSE_PX).mean(-1)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    limit = CLIPPED * float(detail.std())
    return np.asarray(np.clip(detail, -limit, limit))


def _moved_to_fit(
    seen_bgr: np.ndarray, origin_mm: tuple[float, float], place: PlacedFace, covered: np.ndarray | None
) -> tuple[PlacedFace, float]:
    """A face moved and turned to where its detail correlates most, and how much it does."""
    best, most = place, detail_likeness(seen_bgr, place, origin_mm, covered)
    for shift_px, turn_deg in STEPS:
        for _ in range(MOST_MOVES):
            beside = [_shifted(best, x, y, turn_deg * t) for x, y, t in _moves(shift_px)]
            likeness = [detail_likeness(seen_bgr, one, origin_mm, covered) for one in beside]
            if max(likeness) <= most:
                break
            best, most = beside[int(np.argmax(likeness))], max(likeness)
    return best, most


def _moves(shift_px: float) -> tuple[tuple[float, float, int], ...]:
    """Right, down (canvas px) and turn (steps) of what is tried beside a place."""
    one = shift_px
    return (one, 0.0, 0), (-one, 0.0, 0), (0.0, one, 0), (0.0, -one, 0), (0.0, 0.0, 1), (0.0, 0.0, -1)


def _shifted(place: PlacedFace, x_px: float, y_px: float, turn_deg: float) -> PlacedFace:
    centre_mm = place.centre_mm + np.array([x_px, y_px]) / PX_PER_MM
    return replace(place, centre_mm=centre_mm, turn_deg=place.turn_deg + turn_deg)
