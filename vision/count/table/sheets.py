"""Sheets of pale paper on a table, playing cards first of all: whose print has rings and spots that are no pieces."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.table.ground import to_lab

Mask = NDArray[np.bool_]

WORK_PX = 480  # of a picture's longer side: a card's sides remain straight, print and grain average out
# Of the picture: a card is one two-hundredth of it at least, or its pips are too small to be taken for pieces; of what
# covers more than two fifths nobody can say that it is not the table.
AREA = (0.005, 0.4)
# Of 255, of the darkest channel: less is no white paper in any light in which a table is photographed. Paper is parted
# from paler and darker tables by many lights, the highest first.
LEAST_PALE, LEVEL_STEP = 70, 8
GAP_PX = 2  # of a line of print that reaches a sheet's edge, or of its rounded corner
# Of the root of the area: how far an outline may lie beside a straight side, and how long that is. Of a round piece
# such chords are 0.45 of it at most, of two round ones that touch less; a card's sides are 0.85 and 1.2 of it.
BESIDE, SIDE = 0.02, 0.5
STRAIGHT = 0.6  # of the outline that straight sides make up: cards that lie partly on each other leave so much
LONGEST = 4.0  # times as long as broad: three cards in a row are; stripes of a cloth, planks and joints are longer
AT_EDGE = 0.35  # of the outline that the picture's edge may be: of a card cut off there three sides and more are seen
LARGER = 2.0  # times the usual piece: the smallest cards are 2.3 chips; a pale square as large as a piece may be one
MARGIN_PX = 3  # of a sheet's own colour inside its edge; print begins behind
HIDES_LAB = 25.0  # from a piece's colour to paper on which its rim may not be seen: shade and light differ there
TABLE_LAB, RIM_PX, RIM_PART = 12.0, 12, 0.1  # what has a sheet's colour in a tenth of the picture's rim is table


def find_sheets(picture_bgr: NDArray[np.uint8]) -> Mask:
    """Where sheets cover a picture (H, W, 3) uint8 BGR, as a mask (H, W): pale things with straight sides, unlike what
    the picture's rim shows, with their print.
    """
    height, width = picture_bgr.shape[:2]
    share = min(1.0, WORK_PX / max(height, width))
    small = cv2.resize(picture_bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    darkest = cv2.blur(small.min(axis=2), (3, 3))
    lab = to_lab(small)
    sheets = np.zeros(darkest.shape, bool)
    for level in range(int(darkest.max()) - LEVEL_STEP, LEAST_PALE, -LEVEL_STEP):
        for sheet in _straight((darkest > level).astype(np.uint8)):
            if not _is_table(lab, sheet, sheets):
                sheets |= sheet
    return np.asarray(cv2.resize(sheets.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0)


def much_larger(sheets: Mask, pieces: Sequence[NDArray[np.int32]]) -> Mask:
    """Those of the sheets (H, W) that are much larger than the usual one of the pieces, outlines (N, 2) px; none where
    there are no pieces: the sheet on which all of them lie is their table.
    """
    if not len(pieces):
        return np.zeros_like(sheets)
    usual = float(np.median([cv2.contourArea(outline) for outline in pieces]))
    labels, stats = cv2.connectedComponentsWithStats(sheets.astype(np.uint8))[1:3]
    large = stats[:, cv2.CC_STAT_AREA] >= LARGER * usual
    large[0] = False
    return np.asarray(large[labels])


def alike_sheets(picture_bgr: NDArray[np.uint8], sheets: Mask, colours_lab: NDArray[np.float32]) -> int:
    """Of how many of the sheets (H, W) of a picture the paper may hide a piece of one of some Lab colours (K, 3)."""
    papers = sheet_papers(picture_bgr, sheets)
    return sum(bool(np.linalg.norm(paper - colours_lab, axis=1).min() < HIDES_LAB) for paper in papers)


def sheet_papers(picture_bgr: NDArray[np.uint8], sheets: Mask) -> NDArray[np.float32]:
    """(S, 3) Lab of the paper of each of the sheets (H, W) of a picture (H, W, 3) uint8 BGR."""
    number, labels = cv2.connectedComponents(sheets.astype(np.uint8))
    papers = [_paper(to_lab(picture_bgr), labels == k) for k in range(1, number)]
    return np.array(papers, np.float32).reshape(-1, 3)


def _paper(lab: NDArray[np.float32], sheet: Mask) -> NDArray[np.float32]:
    """(3,) Lab of a sheet's margin."""
    inner = cv2.erode(sheet.astype(np.uint8), np.ones((2 * MARGIN_PX + 1,) * 2, np.uint8)) > 0
    return np.asarray(np.median(lab[sheet & ~inner], axis=0))


def _straight(pale: NDArray[np.uint8]) -> list[Mask]:
    """The parts of a mask (H, W) that straight sides enclose, filled."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * GAP_PX + 1,) * 2)
    whole = cv2.morphologyEx(pale, cv2.MORPH_CLOSE, kernel)
    sheets: list[Mask] = []
    size = np.array(pale.shape[::-1])
    for outline in cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        area = cv2.contourArea(outline)
        if not AREA[0] <= area / pale.size <= AREA[1]:
            continue
        points = outline[:, 0]
        across = cv2.minAreaRect(outline)[1]
        if max(across) > LONGEST * min(across) or _runs_across(points, size):
            continue
        if ((points <= GAP_PX) | (points >= size - 1 - GAP_PX)).any(axis=1).mean() > AT_EDGE:
            continue
        sides = straight_sides(points, area)
        length = np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1).sum()
        if length < STRAIGHT * cv2.arcLength(outline, True):
            continue
        filled, hull = np.zeros(pale.shape, np.uint8), np.zeros(pale.shape, np.uint8)
        cv2.drawContours(filled, [outline], -1, 1, -1)
        cv2.fillPoly(hull, [cv2.convexHull(sides.reshape(-1, 2))], 1)
        sheets.append((filled & hull) > 0)
    return sheets


def _runs_across(points: NDArray[np.int32], size: NDArray[np.int64]) -> bool:
    """Whether an outline (M, 2) reaches two edges of a picture that face each other."""
    return bool(((points <= GAP_PX).any(axis=0) & (points >= size - 1 - GAP_PX).any(axis=0)).any())


def _is_table(lab: NDArray[np.float32], sheet: Mask, known: Mask) -> bool:
    """Whether what the margin of a sheet (H, W) shows is seen at the rim of the picture as well."""
    rim = np.ones(sheet.shape, bool)
    rim[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = False
    own = lab[rim & ~sheet & ~known]
    return len(own) == 0 or bool((np.linalg.norm(own - _paper(lab, sheet), axis=1) < TABLE_LAB).mean() > RIM_PART)


def straight_sides(outline: NDArray[np.int32], area: float) -> NDArray[np.int32]:
    """(N, 2, 2) from where to where the straight sides of an outline (M, 2) px run."""
    corners = cv2.approxPolyDP(outline, BESIDE * np.sqrt(area), True)[:, 0]
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    return np.asarray(sides[np.linalg.norm(sides[:, 1] - sides[:, 0], axis=1) >= SIDE * np.sqrt(area)], np.int32)
