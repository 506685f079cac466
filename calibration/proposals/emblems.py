"""Fields that an emblem tells: the faces of one group with the same emblem have one value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.face_print.patches import Box, emblem_likeness, emblem_parts_alike, print_map
from calibration.proposals.faces import Proposal, Reading
from companion.core.face_form import FaceField

F32 = NDArray[np.float32]

SAME_EMBLEM, OTHER_EMBLEM = 0.8, 0.4
EMBLEM_AHEAD = 0.06
"""Likeness from which two emblems are one, below which they are two; and by how much the next must be less like. With
the icons' places known equal ones had 0.86 and more, different ones 0.53 at most (docs/measured/own-box.md)."""
SAME_PARTS = 0.75
"""Correlation which all parts of two emblems must reach before they are surely one: a flower of seven petals and a star
of seven points are 0.84 alike as a whole. In the part that is least alike equal ones had 0.77 and more once the places
of marks were known, but for one pair (0.65), different ones 0.65 at most (five drawn boxes)."""
ENOUGH_FACES = 6
"""Of fewer it cannot be told what every face has in common, a border or a star, and different emblems are like too."""


def propose_emblem(reading: Reading, number: int, field: FaceField, without: tuple[Box, ...]) -> Proposal:
    """The value of the faces of the same group whose emblem it is; a new one gets the group's first free value."""
    group = reading.value(number, field.of) if field.of else ""
    likest: dict[str, float] = {}
    faces: dict[str, list[int]] = {}
    settled = len(reading.faces) >= ENOUGH_FACES
    for k in range(len(reading.faces)):
        value = reading.value(k, field.key)
        if k == number or value is None or (field.of and reading.value(k, field.of) != group):
            continue
        settled = settled and reading.holds(k, field.key)
        likest[value] = max(likest.get(value, -1.0), _likeness(reading, number, k, without))
        faces.setdefault(value, []).append(k)
    ranked = sorted(likest, key=lambda value: -likest[value])
    others = tuple(ranked[1:4])
    # which value is free, and whose emblem it is, leans on all that were read before
    leaned = settled and (not field.of or reading.holds(number, field.of))
    if ranked and likest[ranked[0]] >= (SAME_EMBLEM + OTHER_EMBLEM) / 2:
        ahead = len(ranked) == 1 or likest[ranked[0]] - likest[ranked[1]] > EMBLEM_AHEAD
        sure = leaned and ahead and likest[ranked[0]] >= SAME_EMBLEM
        sure = sure and any(_all_parts_alike(reading, number, k, without) for k in faces[ranked[0]])
        return Proposal(ranked[0], sure, others)
    free = [value for value in field.values if value not in likest]
    new = not ranked or likest[ranked[0]] < OTHER_EMBLEM
    return Proposal(free[0] if free else ranked[0], new and bool(free) and leaned, tuple(ranked[:3]))


def _likeness(reading: Reading, one: int, other: int, without: tuple[Box, ...]) -> float:
    kept = reading.places.likenesses
    key = ("emblem", id(reading.faces[one].view), id(reading.faces[other].view), without)
    if key not in kept:
        like = emblem_likeness(_emblem(reading, one, without), _emblem(reading, other, without))
        kept[key] = kept["emblem", key[2], key[1], without] = like
    return float(kept[key])  # type: ignore[arg-type]


def _all_parts_alike(reading: Reading, one: int, other: int, without: tuple[Box, ...]) -> bool:
    kept = reading.places.likenesses
    key = ("emblem parts", id(reading.faces[one].view), id(reading.faces[other].view), without)
    if key not in kept:
        like = emblem_parts_alike(_emblem(reading, one, without), _emblem(reading, other, without))
        kept[key] = like >= SAME_PARTS
    return bool(kept[key])


def _emblem(reading: Reading, number: int, without: tuple[Box, ...]) -> F32:
    """The print of a face, less what is usual at its place on all faces."""
    kept, key = reading.places.likenesses, ("emblems", without)
    if key not in kept:
        maps = np.array([print_map(face.view, without) for face in reading.faces])
        kept[key] = maps - maps.mean(axis=0) if len(maps) >= ENOUGH_FACES else maps
    return np.asarray(np.asarray(kept[key])[number], np.float32)
