"""Any other field: told by the part of a face that best divides the confirmed values, or by nobody but a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibration.face_print.face_view import RIM, SIDE, PrintView
from calibration.face_print.patches import Box, contrast, likeness
from calibration.proposals.faces import Proposal, Reading, box_of, share_of
from calibration.proposals.named import propose_named
from companion.core.face_form import FaceField

WINDOWS = (36, 60, 100, 150)
"""Sides, px, of the parts of a face that are tried: an icon, a corner, the middle, nearly all."""
STEP = 12
FLAT = 5.0
"""Grey levels: with less contrast nothing is printed there."""
SAME, AHEAD = 0.9, 0.1
"""Correlation in the part that tells, from which a face has the value of another one, and by how much the next must be
less like: only where every value has been confirmed, as one that was never seen may look like a known one there."""
PARTS = 6
"""A face is compared in so many parts across and down: pieces that share a frame differ in some of them."""
PART_SLIP_PX = 4
PRINTED = 6.0
"""Grey levels of contrast from which something is printed on a part."""
SAME_PRINT = 0.8
"""Correlation of every printed part but those with figures, from which two faces have the same picture. In rendered
cards the part least alike came to 0.94 and more for one picture, to 0.32 at most for two (two editions)."""
_EDGE_PX = round(RIM * SIDE)
"""A cut may miss so much: of a piece without a border the table would be compared."""
PART_ENDS = tuple(
    (max(_EDGE_PX, round(n * SIDE / PARTS) - PART_SLIP_PX),
     min(SIDE - _EDGE_PX, round((n + 1) * SIDE / PARTS) + PART_SLIP_PX))
    for n in range(PARTS)
)
PART_BOXES = tuple((left, top, right, bottom) for top, bottom in PART_ENDS for left, right in PART_ENDS)
FEW = 3
"""From so many confirmed faces on a part can be chosen."""
MOST_COMPARED = 14


def propose_picture(reading: Reading, number: int, field: FaceField) -> Proposal:
    """What the confirmed face that looks most alike is; of one that looks like none, what its name says."""
    told = [(k, value) for k, value in reading.told(field) if k != number]
    whole = _likest_prints(reading, number, told)
    by_print = sorted(whole, key=lambda value: -whole[value])
    if by_print and whole[by_print[0]] >= SAME_PRINT and whole[by_print[0]] > max(
        [whole[v] for v in by_print[1:]], default=-1.0
    ):
        return Proposal(by_print[0], True, tuple(by_print[1:4]))
    if field.names and (named := _by_name(reading, number, field, whole)) is not None:
        return named
    if not told:
        return Proposal(None, False)
    box = _telling(reading, field, told)
    view = reading.faces[number].view
    likest: dict[str, float] = {}
    for k, value in told:
        likest[value] = max(likest.get(value, -1.0), likeness(view, reading.faces[k].view, box))
    ranked = sorted(likest, key=lambda value: -likest[value])
    ahead = len(ranked) > 1 and likest[ranked[0]] - likest[ranked[1]] > AHEAD
    sure = likest[ranked[0]] >= SAME and ahead and set(ranked) == set(field.values)
    return Proposal(ranked[0], sure, tuple(ranked[1:4]), share_of(box))


def _likest_prints(reading: Reading, number: int, faces: Sequence[tuple[int, str]]) -> dict[str, float]:
    """Value -> how like the print of a face is to the likest of the `faces` (face, value) that have it."""
    out: dict[str, float] = {}
    for k, value in faces:
        out[value] = max(
            out.get(value, -1.0), _same_print(reading, reading.faces[number].view, reading.faces[k].view)
        )
    return out


def _by_name(reading: Reading, number: int, field: FaceField, told: Mapping[str, float]) -> Proposal | None:
    """What the name says: one thing with the faces before that look alike, another than those that do not. `told`: how
    like the likest confirmed face of each value is."""
    before = [(k, said.value) for k, faces in enumerate(reading.said[:number])
              if (said := faces.get(field.key)) is not None and said.value is not None]
    seen = _likest_prints(reading, number, [(k, value) for k, value in before if value is not None])
    alike = next((value for value in seen if seen[value] >= SAME_PRINT), None)
    named = propose_named(reading, number, field, {*told, *seen} - {alike})
    if named is None or alike is None or named.sure:
        return named
    return replace(named, value=alike)


def _same_print(reading: Reading, one: PrintView, other: PrintView) -> float:
    """Correlation (-1 to 1) which every printed part of two faces reaches; those in which figures stand may differ."""
    figures = tuple(box_of(place, 0) for place in reading.places.figures.values() if place is not None)
    kept, key = reading.places.likenesses, ("print", id(one), id(other), figures)
    if key not in kept:
        parts = [box for box in PART_BOXES if not any(_overlap(box, figure) for figure in figures)]
        kept[key] = min(
            (likeness(one, other, box) for box in parts if max(contrast(one, box), contrast(other, box)) >= PRINTED),
            default=0.0,
        )
    found = kept[key]
    assert isinstance(found, float)
    return found


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def propose_back(reading: Reading, number: int, field: FaceField) -> Proposal:  # noqa: ARG001 - no face tells it
    """What was told last: who lays out a pile goes on with it. It is asked of each batch."""
    told = reading.told(field)
    return Proposal(told[-1][1] if told else None, False)


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
