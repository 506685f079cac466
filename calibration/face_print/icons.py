"""Icons in a line: how many equal marks follow each other on a face, at the place on which the faces agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import LEVELS, SIDE, STANDS_OUT, PrintView
from calibration.face_print.patches import Box

F32 = NDArray[np.float32]

ICON_SIZE = (0.05, 0.17)
"""Share of the side that an icon is wide: below, the camera cannot count it; above it is an emblem."""
LEAST_FILL = 0.42
"""Share of its box that a mark fills: a diamond half of it."""
SHRUNK = 0.75
"""Of its width an icon has so much at a level that shows its middle alone."""
SAME_WIDTH = 0.3
SAME_LINE = 0.35
JOINED = 0.75
"""Marks of widths and middles that differ by less (shares of the width), nearer than JOINED widths, are one run."""
PITCHES = np.arange(0.86, 1.75, 0.02)
"""Distance from icon to icon, in widths of an icon as it is seen: blur makes it wider than it is printed."""
LATTICE = 0.2
"""How far, in pitches, the length of a run may be from a whole number of icons."""
MOST_ICONS = 10
HELD = 0.06
"""Spread, as a share of the side, of the end or middle of the runs that tells how a line is anchored."""
ELSEWHERE, MOST_OF = 0.2, 0.6
"""A run whose end or middle is so much of the side off the others' is a word in the same row, "3/4" beside
requirements; so many of the runs at least must be no such words."""
PLACED = 0.35
"""Pitches that a run may be off its anchor: one icon too few or too many moves its middle by half a pitch."""
AGREED = 0.8
"""Share of the levels' votes from which their count is believed."""


@dataclass(frozen=True, slots=True)
class Run:
    """Equal marks one after the other: `across` and `width` across the line, from `low` to `high` along it, px."""

    column: bool
    across: float
    width: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """Px along the line."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class IconLine:
    """Where the icons of a kind stand on every face: in a column or a row, `width` and `pitch` in px.

    `anchor`: which of low end, middle and high end of the runs stays in its place (0, 0.5, 1), and where (px).
    """

    column: bool
    across: float
    width: float
    pitch: float
    anchor: float
    at: float

    def is_like(self, other: IconLine) -> bool:
        """Whether both are where the same icons stand."""
        return self.column == other.column and abs(self.across - other.across) < max(self.width, other.width)

    def strip_px(self) -> Box:
        """All that its icons may take."""
        low, high = round(self.across - 0.6 * self.width), round(self.across + 0.6 * self.width)
        reach = 5 * self.pitch
        begin, end = round(max(0, self.at - reach)), round(min(SIDE, self.at + reach))
        across = max(0, low), min(SIDE, high)
        return (across[0], begin, across[1], end) if self.column else (begin, across[0], end, across[1])


@dataclass(frozen=True, slots=True, eq=False)
class CountedIcons:
    """What stands on one line of a face: so many icons, their middles' Lab colours, and how well they fit (0 to 1)."""

    count: int
    colours: tuple[F32, ...]
    fit: float
    box_px: tuple[int, int, int, int]
    """Left, top, right, bottom."""


def runs_of(view: PrintView, level: float = STANDS_OUT) -> tuple[Run, ...]:
    """Every run of equal marks on a face, as columns and as rows; `level`: how far they stand out, Lab."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(view.printed(level).astype(np.uint8), connectivity=4)
    marks = [tuple(int(v) for v in stats[k]) for k in range(1, count)]
    low, high = ICON_SIZE[0] * SIDE, ICON_SIZE[1] * SIDE
    out: list[Run] = []
    for column in (True, False):
        runs = []
        for left, top, wide, tall, area in marks:
            x, y, w, h = (left, top, wide, tall) if column else (top, left, tall, wide)
            if low <= w <= high and h >= 0.7 * w and area >= LEAST_FILL * w * h:
                runs.append(Run(column, x + w / 2, float(w), float(y), float(y + h)))
        out += _joined(runs)
    return tuple(out)


def _joined(marks: list[Run], width: float = 0.0) -> list[Run]:
    """The runs with those joined that follow each other in one line, of icons of a `width` or as wide as they are."""
    out: list[Run] = []
    for one in sorted(marks, key=lambda r: r.low):
        before = next((r for r in out if _follows(r, one, width)), None)
        if before is None:
            out.append(one)
        else:
            out[out.index(before)] = Run(
                one.column, (before.across + one.across) / 2, (before.width + one.width) / 2, before.low, one.high
            )
    return out


def _follows(before: Run, one: Run, printed: float) -> bool:
    width = (before.width + one.width) / 2
    return (
        abs(before.width - one.width) < SAME_WIDTH * width
        and abs(before.across - one.across) < SAME_LINE * width
        and -0.2 * width < one.low - before.high < JOINED * max(width, printed)
    )


def find_lines(found: Sequence[Sequence[Run]], most: int = 4) -> tuple[IconLine, ...]:
    """The lines on which faces agree, from the runs of each face; the one that tells most faces apart first."""
    lines: list[tuple[float, IconLine]] = []
    for runs in found:
        for seed in runs:
            same = [_near(seed, others) for others in found]
            fitting = [r for r in same if r is not None]
            if len(fitting) < 2:
                continue
            line = _fitted(fitting)
            if line is None:
                continue
            counts = [_count(r, line) for r in fitting]
            fits = [n for n, fit in counts if fit > 0]
            # a badge or a letter is one mark on every face: only a line of different lengths says a number
            if len(set(fits)) >= 2:
                lines.append((len(fits) + 0.5 * len(set(fits)), line))
    out: list[IconLine] = []
    for _, line in sorted(lines, key=lambda one: -one[0]):
        if not any(line.is_like(other) for other in out):
            out.append(line)
        if len(out) == most:
            break
    return tuple(out)


def _near(seed: Run, runs: Sequence[Run]) -> Run | None:
    """Of the runs those in the seed's line and of its width; the longest."""
    same = [
        r for r in runs
        if r.column == seed.column and abs(r.across - seed.across) < SAME_LINE * seed.width
        and abs(r.width - seed.width) < SAME_WIDTH * seed.width
    ]
    return max(same, key=lambda r: r.length, default=None)


def _fitted(found: Sequence[Run]) -> IconLine | None:
    """The line through most of the runs, with the pitch at which their lengths are best whole numbers of icons."""
    anchored = []
    for anchor in (0.0, 0.5, 1.0):
        at = np.array([r.low + anchor * r.length for r in found])
        near = np.abs(at - np.median(at)) < ELSEWHERE * SIDE
        if near.sum() >= max(2, MOST_OF * len(found)) and np.std(at[near]) <= HELD * SIDE:
            anchored.append((len(found) - int(near.sum()), float(np.std(at[near])), anchor, near))
    if not anchored:
        return None
    _, _, anchor, near = min(anchored, key=lambda one: one[:3])
    runs = [r for r, is_near in zip(found, near, strict=True) if is_near]
    width = float(np.median([r.width for r in runs]))
    lengths = np.array([r.length - r.width for r in runs])
    if lengths.max() < 0.6 * width:
        return None
    shares = np.array(PITCHES)
    steps = lengths / (shares[:, None] * width)
    off = np.abs(steps - np.round(steps))
    best = shares[int(np.argmin(np.median(np.minimum(off, 0.5), axis=1) + off.mean(axis=1)))]
    across = float(np.median([r.across for r in runs]))
    at_px = float(np.median([r.low + anchor * r.length for r in runs]))
    return IconLine(runs[0].column, across, width, float(best) * width, anchor, at_px)


def _count(run: Run, line: IconLine) -> tuple[int, float]:
    """How many icons a run has, and how well it fits its line (0: not at all)."""
    steps = (run.length - run.width) / line.pitch
    number = round(steps)
    off = abs(steps - number)
    placed = abs(run.low + line.anchor * run.length - line.at) < PLACED * line.pitch
    if not 0 <= number < MOST_ICONS or off > 2 * LATTICE or not placed:
        return 0, 0.0
    return number + 1, float(np.clip(1.0 - off / (2 * LATTICE), 0.0, 1.0))


def count_on(view: PrintView, line: IconLine) -> CountedIcons:
    """The icons of `line` on a face, as most LEVELS show them; where they disagree it fits less."""
    readings = [_counted(view, runs_of(view, level), line, level) for level in LEVELS]
    votes = {one.count: sum(r.fit for r in readings if r.count == one.count) for one in readings}
    count = max(votes, key=lambda n: (votes[n], n))
    best = max((r for r in readings if r.count == count), key=lambda r: r.fit)
    share = votes[count] / max(sum(votes.values()), 1e-6)
    fit = best.fit if share >= AGREED else 0.5 * best.fit * share
    if count == 0:  # nothing stands there only if nothing does at any level
        fit *= min(_bareness(view, line, level) for level in LEVELS)
    return replace(best, fit=fit)


def _counted(view: PrintView, runs: Sequence[Run], line: IconLine, level: float) -> CountedIcons:
    seed = Run(line.column, line.across, line.width, 0, 0)
    # at a high level icons shrink, and stand farther apart for their width than they are printed
    shrunk = replace(seed, width=SHRUNK * line.width)
    whole = _joined([r for r in runs if _near(seed, [r]) or _near(shrunk, [r])], line.width)
    counted = [(r, *_count(r, line)) for r in whole]
    run, number, fit = max(counted, key=lambda one: (one[2] > 0, one[2] * one[1]), default=(seed, 0, 0.0))
    if fit == 0:
        bare = _bareness(view, line, level)
        return CountedIcons(0, (), bare, _box(line, line.at - line.width, line.at + line.width))
    colours = []
    reach = max(1, round(line.width / 6))
    for k in range(number):
        along = run.low + line.width / 2 + (run.length - line.width) * (k / max(1, number - 1))
        x, y = (line.across, along) if line.column else (along, line.across)
        column, row = round(x - 0.5), round(y - 0.5)
        patch = view.lab[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
        colours.append(np.asarray(np.median(patch.reshape(-1, 3), axis=0), dtype=np.float32))
    return CountedIcons(number, tuple(colours), fit, _box(line, run.low, run.high))


def _bareness(view: PrintView, line: IconLine, level: float) -> float:
    """1 when nothing stands out where one or two icons would be, 0 when a third of it does."""
    low = line.at - line.anchor * 2 * line.width
    left, top, right, bottom = _box(line, low, low + 2 * line.width)
    patch = view.printed(level)[top:bottom, left:right]
    return 1.0 - float(np.clip(3.0 * patch.mean(), 0.0, 1.0)) if patch.size else 0.0


def _box(line: IconLine, low: float, high: float) -> tuple[int, int, int, int]:
    a, b = line.across - line.width / 2 - 2, line.across + line.width / 2 + 2
    left, top, right, bottom = (a, low - 2, b, high + 2) if line.column else (low - 2, a, high + 2, b)
    return max(0, round(left)), max(0, round(top)), min(SIDE, round(right)), min(SIDE, round(bottom))
