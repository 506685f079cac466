"""How much a small picture is enlarged before its pieces are counted: rims of very few px are not followed."""

from __future__ import annotations

import numpy as np

from vision.count.discs.search import (
    LEAST_CLEAR,
    MOST_WAVY,
    ROUND_SUPPORT,
    Copies,
    FoundDiscs,
    search_discs,
    usual_discs,
)
from vision.count.reducing import Picture, reduced
from vision.count.table.ground import to_lab
from vision.count.table.sheets import find_sheets

# Radius in px that the usual piece gets: of pieces of 5 to 10 px every fourth picture was wrong. What is enlarged more
# than it needs has edges as soft as those of shadows.
RADIUS_PX = 14.0
MOST, LEAST = 2.0, 1.15  # times that a picture is enlarged; less changes little
AS_MANY = 0.9  # of the pieces seen in the enlarged picture: where so many show clear rims as it is, it stays so


def enlargement(picture: Picture, copies: Copies, longest_px: int) -> float:
    """How many times as large a picture (H, W, 3) uint8 BGR is counted, up to a longer side; 1.0 where its pieces are
    large enough, or none of them is round. `copies`: its own, in which rims are sought."""
    most = min(MOST, longest_px / max(picture.shape[:2]))
    if most < LEAST:
        return 1.0
    own = search_discs(copies)
    if _shows_large(own):
        return 1.0
    large = reduced(picture, most)
    found = usual_discs(Copies(to_lab(large), find_sheets(large)))
    if not len(found) or np.median(found.support) < ROUND_SUPPORT or np.median(found.wavy) > MOST_WAVY:
        return 1.0
    if (own.support >= ROUND_SUPPORT).sum() >= AS_MANY * len(found):
        return 1.0
    wanted = min(most, RADIUS_PX * most / float(np.median(found.radius)))
    return wanted if wanted >= LEAST else 1.0


def _shows_large(found: FoundDiscs) -> bool:
    """Whether so many clear pieces were found that others of few px would not be of their sizes, and these are large.
    """
    clear = found.radius[found.support >= ROUND_SUPPORT]
    return len(clear) >= LEAST_CLEAR and bool(np.median(clear) * LEAST >= RADIUS_PX)
