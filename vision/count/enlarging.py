"""How much a small picture is enlarged before its pieces are counted: rims of very few px are not followed."""

from __future__ import annotations

import numpy as np

from vision.count.discs.search import LEAST_CLEAR, Copies, FoundDiscs, search_discs
from vision.count.reducing import Picture, reduced
from vision.count.table.ground import to_lab
from vision.count.table.sheets import find_sheets

# Radius in px that the usual piece gets: of pieces of 5 to 10 px every fourth picture was wrong. What is enlarged more
# than it needs has edges as soft as those of shadows.
RADIUS_PX = 14.0
MOST, LEAST = 2.0, 1.15  # times that a picture is enlarged; less changes little


def enlargement(picture: Picture, longest_px: int) -> float:
    """How many times as large a picture (H, W, 3) uint8 BGR is counted, up to a longer side; 1.0 where its pieces are
    large enough, or none of them is round."""
    most = min(MOST, longest_px / max(picture.shape[:2]))
    if most < LEAST:
        return 1.0
    found = _round_pieces(picture)
    if len(found) < LEAST_CLEAR or not found.round:
        larger = _round_pieces(reduced(picture, most)).scaled(1 / most)
        if larger.round and (not found.round or larger.rim > found.rim):
            found = larger
    wanted = min(most, RADIUS_PX / float(np.median(found.radius))) if found.round else 1.0
    return wanted if wanted >= LEAST else 1.0


def _round_pieces(picture: Picture) -> FoundDiscs:
    return search_discs(Copies(to_lab(picture), find_sheets(picture)))
