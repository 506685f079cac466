"""Fields that the colour of a spot tells: its place is where the faces are of a few clearly different looks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import STANDS_OUT
from calibration.face_print.small_view import small_view, window_share, windows
from calibration.proposals.faces import Proposal, Reading
from calibration.proposals.grounds import likeliest_values
from companion.core.face_form import FaceField

F32 = NDArray[np.float32]

SPOT_PX = 5
"""Side of the window that is compared, px of a small view: within a spot of an eighth of the face."""
ALIKE = 12.0
"""Lab units a pixel: two spots of one colour differ by noise and the cut."""
OTHER = 1.5 * STANDS_OUT
"""Spots of two colours differ more than print from its ground, and far more than a landscape's patterns."""
LEAST_FACES = 3
CONFIRMED, DIFFERENT = 3, 2
"""So many faces, and so many different values, must be confirmed before any is read unasked."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the spot stands (left, top, px of a small view), and the group of each face: one look, one group."""

    left: int
    top: int
    groups: dict[int, int]


def propose_spot(reading: Reading, number: int, field: FaceField) -> Proposal:
    """The value of the confirmed faces with the same spot; before any was, of the colour that it usually has."""
    told = reading.told(field)
    kept, key = reading.places.likenesses, ("spot", field.key, tuple(told), tuple(reading.having(field)))
    if key not in kept:
        kept[key] = _spot(reading, field)
    spot = kept[key]
    if not isinstance(spot, _Spot) or number not in spot.groups:
        return Proposal(None, False)
    named = {spot.groups[k]: value for k, value in told if k in spot.groups}
    box = window_share(spot.left, spot.top, SPOT_PX)
    group = spot.groups[number]
    if group in named:
        sure = len(told) >= CONFIRMED and len(set(named.values())) >= DIFFERENT
        return Proposal(named[group], sure, (), box)
    return Proposal(_guess(reading, field, spot, named).get(group), False, (), box)


def _spot(reading: Reading, field: FaceField) -> _Spot | None:
    """The place at which the faces that have the field are of at most as many looks as it has values, and these are
    most unlike; none where what was confirmed speaks against every place."""
    faces = reading.having(field)
    if len(faces) < LEAST_FACES:
        return None
    smalls = [small_view(reading.faces[k].view) for k in faces]
    apart = np.array([[windows(((a - b) ** 2).sum(axis=2), SPOT_PX) for b in smalls] for a in smalls])
    apart = np.sqrt(apart)
    alike = apart < ALIKE
    score = np.where(alike, np.inf, apart).min(axis=(0, 1))
    score[~np.isfinite(score)] = 0.0
    value = dict(reading.told(field))
    for a, k in enumerate(faces):
        for b, j in enumerate(faces[:a]):
            if k in value and j in value:
                score[alike[a, b] != (value[k] == value[j])] = 0.0
    while score.max() >= OTHER:
        y, x = (int(at) for at in np.unravel_index(int(score.argmax()), score.shape))
        leaders = alike[:, :, y, x].argmax(axis=1)  # the first face that each is like
        if len(set(leaders.tolist())) <= len(field.values):
            return _Spot(x + 1, y + 1, dict(zip(faces, leaders.tolist(), strict=True)))
        score[y, x] = 0.0
    return None


def _guess(reading: Reading, field: FaceField, spot: _Spot, named: dict[int, str]) -> dict[int, str | None]:
    """A guess for each group that has no name yet: the values whose usual colours fit best."""
    values = [value for value in field.values if value not in named.values()]
    groups = sorted(set(spot.groups.values()) - set(named))[: len(values)]
    looks = [_colour(reading, next(k for k, one in spot.groups.items() if one == group), spot) for group in groups]
    return dict(zip(groups, likeliest_values(field, values, looks), strict=True))


def _colour(reading: Reading, face: int, spot: _Spot) -> F32:
    """(3,) Lab of what a face has at the spot."""
    inner = small_view(reading.faces[face].view)[spot.top : spot.top + SPOT_PX, spot.left : spot.left + SPOT_PX]
    return np.asarray(np.median(inner.reshape(-1, 3), axis=0), np.float32)
