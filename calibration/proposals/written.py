"""Fields that figures and words tell: read by drawn glyphs at first, by the box's own as soon as some are confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.face_print.figures import (
    ENOUGH,
    LIKE_A_MARK,
    GlyphPlace,
    find_figure,
    find_mark,
    likeness_at,
    print_share,
)
from calibration.face_print.patches import likeness
from calibration.proposals.counted import taken_by_icons
from calibration.proposals.faces import Proposal, Reading, box_of, share_of
from companion.core.face_form import NO, YES, FaceField

GLYPH_READ, GLYPH_AHEAD = 0.72, 0.08
"""Correlation with a drawn figure from which it is read unasked, and by how much the next must be less like."""
OWN_READ, OWN_AHEAD = 0.88, 0.06
"""The same for a figure of the box itself, which is printed in its own font."""
PLACE_SURE = 0.55
"""How well faces must agree on a mark's place before what stands there is no part of the emblem."""
MARK_SEEN, MARK_PRINT = 0.7, 0.2
"""Likeness to a mark, and share of print at its place, of a face that has it; bare ground has less than BARE_PRINT. Two
faces with the mark are alike there by 0.85 and more, one without was like one with it by 0.79 at most, and then more
like another one without it (five drawn boxes, both marks)."""
BARE_PRINT, FAINT = 0.08, 0.5
BARE_SLIP = 0.03
"""So much more print than on any face without the mark the next one may have: a cut shows a piece of a neighbour."""
CONFIRMED_MARKS = 2
"""So many faces with the mark, and one without, must be confirmed before anything is said unasked: icons and the
corners of a badge are like letters too."""
DIVIDED = 0.9
"""Share of the confirmed faces that the print at a mark's place must divide as the mark does."""
DIFFERENT, ESTABLISHED = 2, 0.75
"""So many different figures must be confirmed, and such a share of them be read right, before any is read unasked."""
FEW_CONFIRMED = 3
"""From so many confirmed figures on it is asked whether they stand where they are read."""


def propose_figure(reading: Reading, number: int, field: FaceField) -> Proposal:
    """The number that stands where the numbers of all faces do."""
    place = _figure_place(reading, field)
    if place is None:
        return Proposal(None, False)
    texts = _figures(field)
    drawn = _drawn(reading, number, place, texts)
    order = [int(k) for k in np.argsort(-drawn)]
    read, next_read = order[0], order[1]
    glyph_sure = drawn[read] >= GLYPH_READ and drawn[read] - drawn[next_read] >= GLYPH_AHEAD
    if not _established(reading, field, place):
        usual = _usual(reading, field, place)
        first = texts[read] if usual is None else usual
        left = [texts[k] for k in order if texts[k] != first]
        return Proposal(first, False, tuple(left[:3]), share_of(box_of(place)))
    own = _own(reading, number, field, place)
    ranked = sorted(own, key=lambda value: -own[value])
    box = share_of(box_of(place))
    others = tuple(texts[k] for k in order[1:4])
    if not ranked or own[ranked[0]] < OWN_READ:
        # like none of the confirmed ones: a figure that was not seen yet, if the glyphs say so; of a longer number they
        # say its first one
        single = len(texts) == len(field.values)
        return Proposal(texts[read], bool(glyph_sure) and single and texts[read] not in own, others, box)
    ahead = len(ranked) == 1 or own[ranked[0]] - own[ranked[1]] >= OWN_AHEAD
    agreed = ranked[0] == texts[read]
    far_ahead = len(ranked) > 1 and own[ranked[0]] - own[ranked[1]] >= 2 * OWN_AHEAD
    # what the glyphs say may be right as long as nobody has confirmed such a figure: an 8 is like a 5 of the box's own
    seen = texts[read] in own
    sure = ahead and (agreed or (far_ahead and seen and not glyph_sure))
    rest = tuple(v for v in dict.fromkeys([texts[read], *ranked[1:], *others]) if v != ranked[0])
    return Proposal(ranked[0], bool(sure), rest[:3], box)


def _established(reading: Reading, field: FaceField, place: GlyphPlace) -> bool:
    """Whether a person has confirmed different figures that are read so at the place: edges of a badge are like
    figures too, on every face the same one."""
    texts, told = _figures(field), reading.told(field)
    if len({value for _, value in told}) < DIFFERENT:
        return False
    single = [(k, value) for k, value in told if value in texts]
    right = [texts[int(_drawn(reading, k, place, texts).argmax())] == value for k, value in single]
    return sum(right) >= ESTABLISHED * len(right)


def _usual(reading: Reading, field: FaceField, place: GlyphPlace) -> str | None:
    """What is likelier than any reading: what was confirmed most often, where most of that is read wrongly; the first
    value where too few faces have the field to tell its place. None: neither."""
    texts, told = _figures(field), reading.told(field)
    if not told:
        return field.values[0] if len(reading.having(field)) < ENOUGH else None
    right = [texts[int(_drawn(reading, k, place, texts).argmax())] == value for k, value in told]
    values = [value for _, value in told]
    return max(values, key=values.count) if sum(right) < ESTABLISHED * len(right) else None


def _figures(field: FaceField) -> tuple[str, ...]:
    """What is looked for with drawn glyphs: single figures. Longer numbers are told by those that were confirmed."""
    return tuple(value for value in field.values if len(value) == 1)


def _figure_place(reading: Reading, field: FaceField) -> GlyphPlace | None:
    """Where the figures stand; looked for again when what was confirmed speaks against the place found before."""
    places, told = reading.places.figures, reading.told(field)
    if field.key not in places:
        places[field.key] = find_figure([reading.faces[k].view for k in reading.having(field)], _figures(field))
    place = places[field.key]
    if place is None or len(told) < FEW_CONFIRMED:
        return place
    texts = _figures(field)
    told = [(k, value) for k, value in told if value in texts]
    read = [texts[int(_drawn(reading, k, place, texts).argmax())] == value for k, value in told]
    again = f"{field.key}:{len(told)}"
    if 2 * sum(read) < len(read) and again not in places:
        faces = [reading.faces[k].view for k, _ in told]
        places[again] = places[field.key] = find_figure(faces, texts, [value for _, value in told])
    return places[field.key]


def _drawn(reading: Reading, number: int, place: GlyphPlace, texts: tuple[str, ...]) -> NDArray[np.float64]:
    view, kept = reading.faces[number].view, reading.places.likenesses
    key = ("glyphs", id(view), place, texts)
    if key not in kept:
        kept[key] = likeness_at(view, place, texts)
    return np.asarray(kept[key])


def _own(reading: Reading, number: int, field: FaceField, place: GlyphPlace) -> dict[str, float]:
    """Value -> how like the face's figure is to the likest confirmed one of it."""
    out: dict[str, float] = {}
    view, kept, box = reading.faces[number].view, reading.places.likenesses, box_of(place, 1)
    for k, value in reading.told(field):
        other = reading.faces[k].view
        if other is view:
            continue
        key = ("own", id(view), id(other), place)
        if key not in kept:
            kept[key] = likeness(view, other, box)
        out[value] = max(out.get(value, -1.0), float(kept[key]))  # type: ignore[arg-type]
    return out


def propose_mark(reading: Reading, number: int, field: FaceField) -> Proposal:
    """Whether the mark stands where other faces have it."""
    told = reading.told(field)
    key = f"{field.key}:{','.join(f'{k}{value}' for k, value in told)}"
    if key not in reading.places.marks:
        known = {k: value == YES for k, value in told}
        views = [face.view for face in reading.faces]
        # some faces have icons in a line and others none, as it is with a mark
        reading.places.marks[key] = find_mark(views, field.printed, known, () if told else taken_by_icons(reading))
    place = reading.places.marks[key]
    confirmed = [value for _, value in told].count(YES)
    if place is None:
        return Proposal(NO, False)
    view = reading.faces[number].view
    like, share = float(_drawn(reading, number, place, (field.printed,))[0]), print_share(view, place)
    box = share_of(box_of(place))
    shares = {
        word: [print_share(reading.faces[k].view, place) for k, value in told if value == word] for word in (YES, NO)
    }
    if not _divides(shares):
        return Proposal(NO, False)
    believed = place.score > 0 and confirmed >= CONFIRMED_MARKS and NO in {value for _, value in told}
    if share >= MARK_PRINT and like >= MARK_SEEN:
        return Proposal(YES, believed, (), box)
    # thin letters leave little print: bare is what has far less than any face that is known to have the mark, and no
    # more than those that are known to be without
    most = min(BARE_PRINT, FAINT * min(shares[YES], default=1.0), max(shares[NO], default=BARE_PRINT) + BARE_SLIP)
    own = _own(reading, number, field, place)
    # a faint mark on a ground of its own tone leaves less print than any confirmed one: its shape still tells it
    shaped = own.get(YES, -1.0) >= max(MARK_SEEN, own.get(NO, -1.0))
    if shares[YES] and shares[NO]:
        printed = shaped or share >= most
    else:  # before the mark is known what is unlike it is likelier part of a badge
        printed = shaped or (share >= MARK_PRINT and like >= LIKE_A_MARK)
    return Proposal(YES if printed else NO, believed and share < most and not shaped, (), box)


def _divides(shares: Mapping[str, Sequence[float]]) -> bool:
    """Whether the confirmed faces with the mark have more print at its place than those without, by their `shares`:
    else another thing stands there, and the mark was not found."""
    marked, bare = np.array(shares[YES]), np.array(shares[NO])
    if not len(marked) or not len(bare):
        return True
    between = (np.median(marked) + np.median(bare)) / 2
    right = (marked > between).sum() + (bare <= between).sum()
    return bool(np.median(marked) > np.median(bare) and right >= DIVIDED * (len(marked) + len(bare)))
