"""Pieces that lie on a card or another sheet, among its print: whole rims of the size of those beside it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.rims import find_discs
from vision.count.discs.search import APART, BEST_RADIUS_PX, MOST_WAVY, ROUND_SUPPORT, Copies, FoundDiscs
from vision.count.discs.whole import without_notches
from vision.count.leftovers import AROUND, CORE, DEEP, SIMILAR_LAB, fill, grown, is_printed, off_colours, usual_shape
from vision.count.pixels import pixels_at
from vision.count.reducing import Picture
from vision.count.table.ground import to_lab
from vision.count.table.sheets import HIDES_LAB, sheet_papers

ON_SHEET = 0.5  # of a rim that lies within sheets: less of it than that was hidden when pieces were searched
AS_LARGE = 1.05  # times the largest of the others, and as much smaller than the smallest


def with_those_on_sheets(found: FoundDiscs, copies: Copies, picture: Picture) -> FoundDiscs:
    """The round pieces that were found beside the sheets of a picture (H, W, 3) uint8 BGR, and those on them: pips and
    letters are smaller or less round, and what a printed ring encloses is paper.
    """
    if not len(found) or not copies.sheets.any():
        return found
    share = min(1.0, BEST_RADIUS_PX / float(np.median(found.radius)))
    span = (float(found.radius.min()) * share / AS_LARGE, float(found.radius.max()) * share * AS_LARGE)
    discs = find_discs(Copies(copies.lab).edges(share), span, ROUND_SUPPORT).scaled(1 / share)
    kept: list[int] = []
    for k in np.argsort(-discs.support):
        others, radii = (np.concatenate([a, b[kept]]) for a, b in ((found.xy, discs.xy), (found.radius, discs.radius)))
        on = pixels_at(copies.sheets, discs.outline(int(k))).mean() >= ON_SHEET
        apart = (np.linalg.norm(others - discs.xy[k], axis=1) >= APART * (radii + discs.radius[k])).all()
        if on and apart and discs.wavy[k] <= MOST_WAVY and not is_printed(picture, discs.outline(int(k))):
            kept.append(int(k))
    if not kept:
        return found
    outlines = np.array([discs.outline(k) for k in kept])
    more = discs.take(np.array(kept, np.int64))
    return found.joined(FoundDiscs(outlines, more.support, more.radius, more.xy, more.wavy))


def unseen_on_sheets(
    picture: Picture,
    sheets: NDArray[np.bool_],
    outlines: list[NDArray[np.float64]],
    colours_lab: NDArray[np.float32],
) -> int:
    """How many things on the sheets (H, W) of a picture (H, W, 3) uint8 BGR have a piece's Lab colour (K, 3) and its
    breadth, and are none of the pieces, outlines (N, 2) px: pieces whose rim was not seen whole, or print as broad.
    """
    papers = sheet_papers(picture, sheets) if sheets.any() else np.zeros((0, 3), np.float32)
    # in any shade: light on a card is not that on the pieces, and all of it would be a white one
    apart = [len(papers) > 0 and off_colours(papers, own[None]).min() >= HIDES_LAB for own in colours_lab]
    seen = colours_lab[np.array(apart, bool)]
    if not len(seen):
        return 0
    rows, cols = (np.flatnonzero(sheets.any(axis=axis)) for axis in (1, 0))
    part = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    lab = cv2.GaussianBlur(to_lab(picture[part]), (0, 0), 1.0)
    coloured = np.zeros(lab.shape[:2], bool)
    coloured[sheets[part]] = off_colours(lab[sheets[part]], seen) < SIMILAR_LAB
    shape, radius = usual_shape(outlines)
    left = np.pad(without_notches(coloured, CORE * radius), 1).astype(np.uint8)
    for outline in outlines:
        fill(left, grown(outline, AROUND) - (cols[0], rows[0]) + 1, 0)
    deep = cv2.distanceTransform(left, cv2.DIST_L2, 5) >= DEEP * np.linalg.norm(shape, axis=1).min()
    return int(cv2.connectedComponents(deep.astype(np.uint8))[0]) - 1
