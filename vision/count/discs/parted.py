"""Two pieces that were taken for one oval, as where the table ends no edge is seen between them: the clear rim of the
upper one lies aside in it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.count.discs.rims import NEAREST
from vision.count.discs.search import HALF_HIDDEN, MOST_WAVY, ROUND_SUPPORT, FoundDiscs

# Of an oval's radius, the root of its half axes' product: how large a piece in one of its ends is, and how far its
# middle lies beside the oval's. Two discs whose middles are 0.7 to 1.4 radii apart fill one of 1.2 to 1.3 radii, and
# lie 0.3 to 0.54 of it aside; a label lies in the middle of its chip, a piece in the outline of it and its shadow 0.2.
PIECE, ASIDE = (0.65, 0.9), (0.28, 0.65)


def parted(whole: FoundDiscs, seen: FoundDiscs) -> FoundDiscs:
    """Whole pieces by where the table ends, with each oval in which one clear rim lies aside, of those `seen` in the
    picture's colours, as that piece and another as large in the oval's other end.
    """
    clear = seen.take((seen.support >= ROUND_SUPPORT) & (seen.wavy <= MOST_WAVY))
    if not len(whole) or not len(clear):
        return whole
    gaps = np.linalg.norm(clear.xy[:, None] - whole.xy[None], axis=2)
    known = (gaps < NEAREST * (clear.radius[:, None] + whole.radius[None])) & (
        clear.radius[:, None] > PIECE[1] * whole.radius[None]
    )
    size, aside = clear.radius[:, None] / whole.radius[None], gaps / whole.radius[None]
    within = (size >= PIECE[0]) & (size <= PIECE[1]) & (aside >= ASIDE[0]) & (aside <= ASIDE[1])
    within &= ~known.any(axis=1)[:, None]
    two = within.any(axis=0)
    if not two.any():
        return whole
    parts = whole.take(~two)
    for k in np.flatnonzero(two):
        upper = clear.take(within[:, k])
        upper = upper.take(np.arange(len(upper)) == upper.support.argmax())
        beyond = 2 * (whole.xy[k] - upper.xy)
        lower = replace(
            upper,
            outlines=upper.outlines + beyond[:, None],
            xy=upper.xy + beyond,
            support=np.minimum(upper.support, whole.support[k]) * (1 - HALF_HIDDEN / 2),
        )
        parts = parts.joined(upper).joined(lower)
    return parts
