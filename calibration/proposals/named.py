"""What a face is by its name: read by drawn letters, and leant on once a person has confirmed names that were read."""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from calibration.face_print.names import NameLine, figure_likeness, find_names, read_names, words_of
from calibration.proposals.faces import Proposal, Reading, box_of
from companion.core.face_form import FaceField

ENOUGH = 4
"""Of fewer faces no line of names is looked for; with so many different names confirmed as they were read, names are
leant on."""
MORE = 2.5
"""Where no line was found it is looked for again on so many times as many faces."""
READ, AHEAD = 0.85, 0.1
"""Likeness from which a name is read clearly, and by how much the next must be less like. Names are 0.85 to 0.97 alike,
the smallest 0.54; words that are no name of the game are 0.80 like one of them at most, and by 0.14 ahead (drawn cards
in rendered pictures, four editions)."""
FIGURE_SEEN = 0.87
"""Likeness from which a figure stands somewhere on a face rather than not: others came to 0.78 to 0.88, those that were
there to 0.85 to 0.97. It only orders what is asked."""


def propose_named(reading: Reading, number: int, field: FaceField, taken: Set[str]) -> Proposal | None:
    """The value whose name stands on the face, but for those `taken` by faces of another look; None where no names are
    found. Surely one whose name no other value has."""
    line = _line(reading)
    free = [k for k, value in enumerate(field.values) if value not in taken]
    if line is None or not free:
        return None
    like = _likes(reading, number, field, line)
    top = [k for k in range(len(like)) if like[k] == like.max()]
    # a lamp on it may make a copy look like another card: a name far ahead is likelier than those that are left
    far_ahead = like.max() - max((one for one in like if one < like.max()), default=0.0) >= AHEAD
    likely = [k for k in free if k in top] or (top if far_ahead else [max(free, key=lambda k: like[k])])
    best = likely[0]
    if field.figures and len(likely) > 1:
        best = max(likely, key=lambda k: _figures_tell(reading, number, field, k))
    rest = [field.values[k] for k in np.argsort(-like, kind="stable") if k != best]
    sure = _clearly(field, like) == {field.values[best]} and best in free and _established(reading, line)
    return Proposal(field.values[best], sure, tuple(rest[:3]))


def _figures_tell(reading: Reading, number: int, field: FaceField, k: int) -> float:
    """How well the figures that are printed beside the name of the value `k` are seen on a face."""
    view, kept = reading.faces[number].view, reading.places.likenesses
    without = tuple(box_of(place) for place in reading.places.figures.values() if place is not None)
    out = 0.0
    for figure in field.figures[k]:
        key = ("figure", id(view), figure, without)
        if key not in kept:
            kept[key] = figure_likeness(view, figure, without)
        out += float(kept[key]) - FIGURE_SEEN  # type: ignore[arg-type]
    return out


def _line(reading: Reading) -> NameLine | None:
    """Where the names of the box stand, of all fields together: they stand in one place."""
    places, count = reading.places, len(reading.faces)
    if places.names is None and count >= ENOUGH and (not places.names_sought or count >= MORE * places.names_sought):
        named = [field for field in reading.form.fields if field.names]
        words = [
            [word for field in named for name in words_of(field.names[n]) for word in name]
            for n in range(len(named[0].names))
        ]
        places.names = find_names([face.view for face in reading.faces], words)
        places.names_sought = count
    return places.names


def _likes(reading: Reading, number: int, field: FaceField, line: NameLine) -> NDArray[np.float64]:
    """(V,) how like each value's name what stands on a face is; read once."""
    view, kept = reading.faces[number].view, reading.places.likenesses
    key = ("name", id(view), field.key, line)
    if key not in kept:
        kept[key] = read_names(view, line, field.names[line.language])
    return np.asarray(kept[key])


def _clearly(field: FaceField, like: NDArray[np.float64]) -> set[str]:
    """The values of the name that is read clearly; none where none is."""
    best = float(like.max())
    others = like[like < best]
    clear = best >= READ and (not len(others) or best - float(others.max()) >= AHEAD)
    return {field.values[k] for k in np.flatnonzero(like == best)} if clear else set()


def _established(reading: Reading, line: NameLine) -> bool:
    """Whether a person has confirmed enough of what is clearly read there, and nothing else."""
    confirmed = set()
    for field in reading.form.fields:
        for k, value in reading.told(field) if field.names else ():
            clear = _clearly(field, _likes(reading, k, field, line))
            if clear and value not in clear:
                return False
            confirmed |= {frozenset(clear)} if clear else set()
    return len(confirmed) >= ENOUGH
