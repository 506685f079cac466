"""Any other field: told by the part of a face that best divides the confirmed values."""

from __future__ import annotations

import numpy as np

from calibration.proposals.face_view import SIDE
from calibration.proposals.faces import Proposal, Reading, share_of
from calibration.proposals.patches import Box, contrast, likeness
from companion.core.face_form import FaceField

WINDOWS = (36, 60, 100, 150)
"""Sides, px, of the parts of a face that are tried: an icon, a corner, the middle, nearly all."""
STEP = 12
FLAT = 5.0
"""Grey levels: with less contrast nothing is printed there."""
SAME, AHEAD = 0.9, 0.1
FEW = 3
"""From so many confirmed faces on a part can be chosen."""
MOST_COMPARED = 14


def propose_picture(reading: Reading, number: int, field: FaceField) -> Proposal:
    """The value of the confirmed face that looks most alike where it matters."""
    told = [(k, value) for k, value in reading.told(field) if k != number]
    if not told:
        return Proposal(None, False)
    box = _telling(reading, field, told)
    view = reading.faces[number].view
    likest: dict[str, float] = {}
    for k, value in told:
        likest[value] = max(likest.get(value, -1.0), likeness(view, reading.faces[k].view, box))
    ranked = sorted(likest, key=lambda value: -likest[value])
    ahead = len(ranked) > 1 and likest[ranked[0]] - likest[ranked[1]] > AHEAD
    return Proposal(ranked[0], likest[ranked[0]] >= SAME and ahead, tuple(ranked[1:4]), share_of(box))


def _telling(reading: Reading, field: FaceField, told: list[tuple[int, str]]) -> Box:
    """The part of the face in which equal values look alike and different ones do not."""
    whole = (6, 6, SIDE - 6, SIDE - 6)
    used = told[-MOST_COMPARED:]
    values = [value for _, value in used]
    if len(used) < FEW or len(set(values)) < 2 or len(set(values)) == len(values):
        return whole
    key = ("telling", field.key, tuple(used), len(reading.faces))
    kept = reading.places.likenesses
    if key not in kept:
        views = [reading.faces[k].view for k, _ in used]
        pairs = [(a, b) for a in range(len(used)) for b in range(a)]
        same = np.array([values[a] == values[b] for a, b in pairs])
        best: tuple[float, Box] = (-np.inf, whole)
        for side in WINDOWS:
            for top in range(4, SIDE - side - 3, STEP if side < 100 else 2 * STEP):
                for left in range(4, SIDE - side - 3, STEP if side < 100 else 2 * STEP):
                    box = (left, top, left + side, top + side)
                    if min(contrast(view, box) for view in views) < FLAT:
                        continue
                    alike = np.array([likeness(views[a], views[b], box, 2) for a, b in pairs])
                    divides = float(np.quantile(alike[same], 0.2) - np.quantile(alike[~same], 0.9))
                    best = max(best, (divides, box))
        kept[key] = best[1]
    found = kept[key]
    assert isinstance(found, tuple)
    return found
