"""Fields that a face's ground tells: by the colours of confirmed ones, else by the hue that a value usually has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from calibration.proposals.faces import Proposal, Reading
from companion.core.face_form import FaceField

F32 = NDArray[np.float32]

SAME_GROUND = 14.0
SURELY_SAME_GROUND = 6.0
OTHER_GROUND = 1.6
"""Lab distance of grounds of one print in one light, surely so, and how many times as far the next one must
be."""
SAME_PAINTING = 2.0
"""The same of painted faces: two of one painting had 0.8 at most, of two values 2.8 and more (two rendered boxes)."""
COLOURED = 18.0
"""Chroma from which a ground has a hue."""
NAMED_HUE_DEG = 32.0
HUE_APART_DEG = 25.0
"""A ground so near a value's usual hue, and nearer by so much than any other's, is guessed to be meant by it."""
TINTED, PALER, FAR_HUE_DEG = 10.0, 0.65, 60.0
"""A ground of such a chroma is guessed, never surely, to be meant by a hue even so far off, where another ground has so
much less: teal for water beside gray."""
NOT_SO_DEG, ANY_HUE_DEG = 120.0, 60.0
"""What a gray ground counts for a value that has a hue and the other way round; what any ground counts for a value of
which nothing is known: a hue that is farther off than that speaks for the latter."""
MOST_VALUES = 7
"""Of so many at most all ways to name the grounds are tried."""
DULL, DARK, DIM = 0.5, 35.0, 0.7
"""A ground is gray only with so much less chroma, and dark only with so much less lightness, than half of all have:
paintings are dull and dark throughout."""
LIGHT_COUNTS = 0.5
"""What lightness counts beside colour: two pieces of one print lie in different light, but keep their hue."""


def _apart(one: F32, other: F32) -> float:
    return float(np.hypot(LIGHT_COUNTS * (one[0] - other[0]), np.linalg.norm(one[1:] - other[1:])))


def hue_deg(lab: F32) -> float:
    """The hue angle of a Lab colour, degrees."""
    return float(np.degrees(np.arctan2(lab[2], lab[1]))) % 360


def hue_apart_deg(one: float, other: float) -> float:
    """The angle between two hues, 0 to 180."""
    return abs((one - other + 180) % 360 - 180)


def propose_ground(reading: Reading, number: int, field: FaceField) -> Proposal:
    """The value whose confirmed grounds are nearest; before any was, the value of that usual hue."""
    ground = reading.faces[number].view.tone
    known: dict[str, float] = {}
    for k, value in reading.told(field):
        known[value] = min(known.get(value, np.inf), _apart(ground, reading.faces[k].view.tone))
    ranked = sorted(known, key=lambda value: known[value])
    hues = _hues_by_nearness(field, ground)
    named = _named(field, ground)
    if ranked and known[ranked[0]] < SAME_GROUND:
        clear = len(ranked) == 1 or known[ranked[1]] > OTHER_GROUND * known[ranked[0]] + 2.0
        agreed = named is None or named == ranked[0]
        if reading.faces[number].view.is_painted:
            clear = clear and known[ranked[0]] < SAME_PAINTING
        elif set(field.values) - set(known):  # another ground was not seen yet: it may be near this one
            clear = clear and known[ranked[0]] < SURELY_SAME_GROUND
        return Proposal(ranked[0], clear and agreed, tuple(ranked[1:3]))
    if named is not None and field.hues_tell:
        # a hue alone is never sure: also what usually has none may be printed on such a ground. Of two grounds of one
        # hue the paler one is guessed to be of a value that usually has none
        rivals = [
            _chroma(face.view.tone) for face in reading.faces
            if _apart(ground, face.view.tone) >= SAME_GROUND and _named(field, face.view.tone) == named
        ]
        plain = [value for value in field.values if value not in dict(field.hues_deg)]
        if plain and _chroma(ground) < PALER * max(rivals, default=0.0):
            return Proposal(plain[0], False, (named, *(v for v in ranked if v not in (named, plain[0])))[:2])
        return Proposal(named, False, tuple(ranked[:2]))
    guess = _together(reading, field).get(ground_groups(reading)[number]) if not field.hues_tell else _unnamed(
        field, ground, hues, [face.view.tone for face in reading.faces]
    )
    return Proposal(guess, False, tuple(v for v in ranked if v != guess)[:2])


def _hues_by_nearness(field: FaceField, ground: F32) -> list[tuple[float, str]]:
    """(degrees off, value) of every usual hue of the field, the nearest to a ground's first."""
    return sorted((hue_apart_deg(hue_deg(ground), hue), value) for value, hue in field.hues_deg)


def _named(field: FaceField, ground: F32) -> str | None:
    """The value whose usual hue a ground clearly has; None for no such."""
    hues = _hues_by_nearness(field, ground)
    if not hues or _chroma(ground) <= COLOURED or hues[0][0] >= NAMED_HUE_DEG:
        return None
    return hues[0][1] if len(hues) == 1 or hues[1][0] - hues[0][0] > HUE_APART_DEG else None


def ground_groups(reading: Reading) -> list[int]:
    """A number for each face: those of one ground have the same."""
    kept = reading.places.likenesses
    if ("grounds",) not in kept:
        leaders: list[F32] = []
        groups = []
        for face in reading.faces:
            apart = [_apart(face.view.tone, one) for one in leaders]
            if not apart or min(apart) > SAME_GROUND:
                leaders.append(face.view.tone)
                apart.append(0.0)
            groups.append(int(np.argmin(apart)))
        kept["grounds",] = groups
    found = kept["grounds",]
    assert isinstance(found, list)
    return found


def _together(reading: Reading, field: FaceField) -> dict[int, str | None]:
    """A guess for each ground that nobody named yet: of all ways to give the grounds different values the one that fits
    their hues best. The most frequent grounds come first, where there are more grounds than values left."""
    groups = ground_groups(reading)
    named = {groups[k]: value for k, value in reading.told(field)}
    values = [value for value in field.values if value not in named.values()]
    count = [groups.count(n) for n in range(max(groups) + 1)]
    asked = sorted((n for n in range(len(count)) if n not in named), key=lambda n: -count[n])[: len(values)]
    grounds = [reading.faces[groups.index(n)].view.tone for n in asked]
    return dict(zip(asked, likeliest_values(field, values, grounds), strict=True))


def likeliest_values(field: FaceField, values: Sequence[str], colours: Sequence[F32]) -> list[str | None]:
    """A different value for each of the Lab `colours`, no more than there are values, all together as near the usual
    hues as can be; None for each where there are too many to be tried."""
    if len(values) > MOST_VALUES:
        return [None] * len(colours)
    costs = [[_unlikely(field, value, colour) for value in values] for colour in colours]
    ways = permutations(range(len(values)), len(colours))
    return [values[k] for k in min(ways, key=lambda way: sum(costs[n][k] for n, k in enumerate(way)))]


def _unlikely(field: FaceField, value: str, colour: F32) -> float:
    """How unlikely a colour is for a value, degrees of hue."""
    coloured = _chroma(colour) > COLOURED
    hue = dict(field.hues_deg).get(value)
    if hue is not None:
        return hue_apart_deg(hue_deg(colour), hue) if coloured else NOT_SO_DEG
    if value in field.hueless:
        return NOT_SO_DEG if coloured else 0.0
    return ANY_HUE_DEG


def _unnamed(field: FaceField, ground: F32, hues: list[tuple[float, str]], grounds: Sequence[F32]) -> str | None:
    """A guess at a ground that is like none: of the values without a hue the first, the last for one that is dark
    beside the `grounds`; the nearest hue for one that has more colour than another of them."""
    without = [value for value in field.values if value not in dict(field.hues_deg)]
    chroma = _chroma(ground)
    gray = chroma <= min(COLOURED, max(TINTED, DULL * float(np.median([_chroma(one) for one in grounds]))))
    dark = ground[0] < min(DARK, DIM * float(np.median([one[0] for one in grounds])))
    if chroma > TINTED and any(_chroma(one) < PALER * chroma for one in grounds if one[0] >= DARK):
        gray, near = False, FAR_HUE_DEG
    else:
        near = NAMED_HUE_DEG
    if without and (gray or not hues or hues[0][0] > near):
        return without[-1] if dark else without[0]
    return hues[0][1] if hues else None


def _chroma(lab: F32) -> float:
    return float(np.hypot(lab[1], lab[2]))
