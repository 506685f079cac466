"""Fields that icons in a line tell: how many, and in whose colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from calibration.face_print.face_view import F32, LEVELS
from calibration.face_print.icons import CountedIcons, IconLine, count_on, find_lines, runs_of
from calibration.face_print.patches import Box
from calibration.proposals.faces import Proposal, Reading, share_of
from calibration.proposals.grounds import hue_apart_deg, hue_deg
from companion.core.face_form import FaceField, Shown

FITS = 0.6
"""How well icons must fit their line before they are counted unasked."""
PLAIN = 22.0
"""Chroma below which an icon has no colour of its own; paper and wood stay below."""
VARIED = 10.0
"""Lab a, b: how far icons of several colours are from their middle, on the average, pale ones in dull light too; those
of one colour are 3 at most."""
SAME_HUE_DEG = 28.0
HUE_AHEAD_DEG = 20.0
"""An icon's hue is so near the ground's that it stands for, and nearer by so much than any other's."""
LEAST_AGREEING = 2
TOLD_COUNTS = 4.0
"""A line that says what was confirmed counts more than one whose icons have the likelier colours: bare ground at
another place says "none" of every second face."""


def lines_of(reading: Reading) -> tuple[IconLine, ...]:
    """The lines of icons that the faces have."""
    if reading.places.lines is None:
        views = [face.view for face in reading.faces]
        plain = find_lines([runs_of(view) for view in views])
        # no one level shows all icons: on some grounds pale ones fall apart, on others bold patterns join them
        pale = find_lines([[run for level in LEVELS for run in runs_of(view, level)] for view in views])
        reading.places.lines = (*plain, *(line for line in pale if line not in plain))
    return reading.places.lines


def counted(reading: Reading, number: int, line: IconLine) -> CountedIcons:
    """What stands on a line of a face; counted once."""
    kept = reading.places.counts
    view = reading.faces[number].view
    key = (id(view), line)
    if key not in kept:
        kept[key] = count_on(view, line)
    found = kept[key]
    assert isinstance(found, CountedIcons)
    return found


def strips_of(reading: Reading) -> tuple[Box, ...]:
    """The parts of the faces in which icons stand in lines."""
    return tuple(line.strip_px() for line in _lines(reading))


def taken_by_icons(reading: Reading) -> tuple[Box, ...]:
    """The parts of the faces that icons take on any of them: a line may end where something else begins."""
    boxes = []
    for line in _lines(reading):
        icons = [counted(reading, k, line) for k in range(len(reading.faces))]
        ends = np.array([one.box_px for one in icons if one.count and one.fit > 0])
        if len(ends):
            (left, top), (right, bottom) = ends[:, :2].min(axis=0), ends[:, 2:].max(axis=0)
            boxes.append((int(left), int(top), int(right), int(bottom)))
    return tuple(boxes)


def _lines(reading: Reading) -> Iterator[IconLine]:
    """The lines of all fields that icons tell, where they are known."""
    for field in reading.form.fields:
        if field.shown in (Shown.ICON_COUNT, Shown.ICON_COLOURS) and (line := line_for(reading, field)) is not None:
            yield line


def line_for(reading: Reading, field: FaceField) -> IconLine | None:
    """The line of a field: that which agrees with what was confirmed, and has colours or none as the field wants."""
    told = reading.told(field)
    ranked: list[tuple[float, int, IconLine]] = []
    for rank, line in enumerate(lines_of(reading)):
        icons = [counted(reading, k, line) for k in range(len(reading.faces))]
        fitting = [one for one in icons if one.colours and one.fit >= FITS]
        if len(fitting) < LEAST_AGREEING:  # the strokes of one letter in a row are no line
            continue
        share = _coloured([c for one in fitting for c in one.colours])
        # icons on every face are of one colour; those that stand for something have the colours of what they stand for
        wanted = share if field.shown is Shown.ICON_COLOURS else 1.0 - share
        everywhere = float(np.mean([one.count > 0 for one in icons]))
        if field.shown is Shown.ICON_COUNT:
            wanted *= everywhere
        right, known = _agreed(reading, field, line, told)
        if len(right) >= LEAST_AGREEING:  # one alone may have as many icons of another sort
            if np.mean(right) < 0.5:
                continue
            if known:
                wanted += TOLD_COUNTS * float(np.mean(right))
        ranked.append((wanted, -rank, line))
    best = max(ranked, key=lambda one: one[:2], default=None)
    return None if best is None or best[0] < 0.5 else best[2]


def _agreed(
    reading: Reading, field: FaceField, line: IconLine, told: Sequence[tuple[int, str]]
) -> tuple[list[bool], bool]:
    """For each confirmed face that shows the line well whether as many icons stand there as were told; and whether
    these faces tell that the line is the field's."""
    icons = [(counted(reading, k, line), _parts(field, value)) for k, value in told]
    seen = [(one, parts) for one, parts in icons if one.fit >= FITS]
    agreeing = [(one, parts) for one, parts in seen if one.count == len(parts)]
    # a few with one number may have as many of another sort
    known = len({one.count for one, _ in agreeing}) > 1
    if known and field.shown is Shown.ICON_COLOURS:
        known = _colours_differ([(one, parts) for one, parts in agreeing if parts])
    return [one.count == len(parts) for one, parts in seen], known


def _colours_differ(agreeing: Sequence[tuple[CountedIcons, Sequence[str]]]) -> bool:
    """Whether icons of different values have different colours, on one face or on two: cubes have one colour, and may
    be as many as there are requirements."""
    mixed = [np.asarray(one.colours)[:, 1:] for one, parts in agreeing if len(set(parts)) > 1]
    if any(np.linalg.norm(ab - ab.mean(axis=0), axis=1).max() > VARIED for ab in mixed):
        return True
    alike = [(np.mean(one.colours, axis=0)[1:], parts[0]) for one, parts in agreeing if len(set(parts)) == 1]
    return any(
        value != other and np.linalg.norm(ab - ab_other) > VARIED
        for k, (ab, value) in enumerate(alike) for ab_other, other in alike[:k]
    )


def _is_known(reading: Reading, field: FaceField, line: IconLine) -> bool:
    """Whether confirmed faces with different numbers of icons tell that the line is the field's: parts of emblems stand
    in lines, too, and surely seem to be icons where the true line is not found."""
    return _agreed(reading, field, line, reading.told(field))[1]


def _coloured(colours: Sequence[F32]) -> float:
    """Share of icons that have a hue; all, when they are of several colours."""
    ab = np.asarray(colours)[:, 1:]
    several = np.linalg.norm(ab - ab.mean(axis=0), axis=1).mean() > VARIED
    return 1.0 if several else float(np.mean(np.hypot(*ab.T) > PLAIN))


def _parts(field: FaceField, value: str) -> list[str]:
    """What was told of each icon."""
    return [""] * int(value) if field.shown is Shown.ICON_COUNT else [part for part in value.split(",") if part]


def propose_count(reading: Reading, number: int, field: FaceField) -> Proposal:
    """How many icons stand there."""
    line = line_for(reading, field)
    if line is None:
        return Proposal(_usual(reading, field), False)
    icons = counted(reading, number, line)
    value = str(icons.count)
    near = tuple(str(n) for n in (icons.count + 1, icons.count - 1) if str(n) in field.values)
    if value not in field.values:
        return Proposal(_usual(reading, field), False, near)
    return Proposal(value, icons.fit >= FITS and _is_known(reading, field, line), near, share_of(icons.box_px))


def propose_colours(reading: Reading, number: int, field: FaceField) -> Proposal:
    """What the icons stand for, by the colours of the grounds they have and of icons that were confirmed."""
    line = line_for(reading, field)
    if line is None:
        return Proposal("", False)
    icons = counted(reading, number, line)
    box = share_of(icons.box_px)
    hues = _hues(reading, field, line)
    parts, sure = [], icons.fit >= FITS and _is_known(reading, field, line)
    for colour in icons.colours:
        hue = hue_deg(colour)
        ranked = sorted((min(hue_apart_deg(hue, one) for one in hues[value]), value) for value in hues)
        if not ranked:
            return Proposal("", False, (), box)
        ahead = len(ranked) == 1 or ranked[1][0] - ranked[0][0] > HUE_AHEAD_DEG
        # every value's hue must be known before one can be told from the others
        sure = sure and ranked[0][0] < SAME_HUE_DEG and ahead and len(hues) == len(field.values)
        sure = sure and float(np.hypot(colour[1], colour[2])) > PLAIN / 2
        parts.append(ranked[0][1])
    return Proposal(",".join(sorted(parts, key=field.values.index)), sure, (), box)


def _hues(reading: Reading, field: FaceField, line: IconLine) -> dict[str, list[float]]:
    """Hues in which each value was seen: on the grounds of the field it is named by, and on confirmed icons."""
    hues: dict[str, list[float]] = {}
    for k in range(len(reading.faces)):
        value = reading.value(k, field.of)
        if value in field.values and reading.holds(k, field.of):
            hues.setdefault(str(value), []).append(hue_deg(reading.faces[k].view.tone))
    usual = dict(reading.form.field(field.of).hues_deg)
    for value in field.values:  # before a ground of it was laid
        if value not in hues and value in usual:
            hues[value] = [usual[value]]
    for k, told in reading.told(field):
        parts, icons = [part for part in told.split(",") if part], counted(reading, k, line)
        if len(set(parts)) == 1 and len(icons.colours) == len(parts):
            hues.setdefault(parts[0], []).extend(hue_deg(c) for c in icons.colours)
    return hues


def _usual(reading: Reading, field: FaceField) -> str | None:
    """What is confirmed most often; the first value before anything was."""
    values = [value for _, value in reading.told(field)]
    return max(values, key=values.count) if values else field.values[0]
