"""What crosses the ring of bare table around the slots: samples unlike the table, or unlike before, that hang together
from the ring's inside to its outside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from vision.view.arms.nearest import nearest_distances
from vision.view.arms.rim import BESIDE, BLACK_LAB, SAMPLE_MM, SECTORS, Ring

# Table is what is alike all around: a sample is judged by the best likeness in each sector of the ring, and the
# sectors that an arm lying slantwise may fill (its own, its neighbours, and two more) do not count.
LIKE_SECTORS = 4
LEAST_VISIBLE = 0.45  # of less of the ring nothing can be said: what is odd and what is usual cannot be told apart
# CIELAB with lightness at half weight, since shadows and lamps change it most. Bare tables of wood, felt, cloth
# (chequered too) stay below it over the width of an arm; more than this is judged against the table's own variety.
ODD_LAB = 4.0
ODD_TIMES_VARIETY = 4.0
# An arm has colours that the table has nowhere, or sharp edges: the upper quarter of the steps across them against the
# steps that only a tenth of the table's own exceeds. On 480 rendered tables of cards lamps' edges on wood and on
# chequered cloth had up to 3.2 and 2.1; arms had more of one of the two, a dark arm painted on dark wood 3.8.
FOREIGN_LAB = 3.5
SHARP_TIMES = 2.5
# Noise and drift of the white balance change the hue of most samples a little from picture to picture, and few by
# three times as much; an arm that comes in changes many that hang together.
CHANGED_TIMES_NOISE = 3.0
# Light and shadow leave the hue of a table: streaks of wood were at most 0.6 from what it has elsewhere, in as much
# light, hands and shields 2 and more.
OWN_HUE_LAB = 1.5
# What has the table's hue nearly all over is judged as a whole: an arm may have it.
LEAST_OTHER_HUE = 0.25
DARKER = 0.3  # part of the lightness that is left in a deep shadow
MIN_WIDTH_MM = 20.0
CHANGED_WIDTH_MM = 150.0  # two arms side by side: a wider part of the table that only has another hue is in other light


def odd_samples(ring: Ring, colours: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """(N,) bool: the visible samples of the ring that look unlike the table all around."""
    if visible.mean() < LEAST_VISIBLE:
        return np.zeros(len(visible), bool)
    seen = np.flatnonzero(visible)  # no others are compared
    shown, sector = colours[seen], ring.sector[seen]
    squares = (shown**2).sum(axis=1)
    # |p - c|^2 = |p|^2 + (|c|^2 - 2 p.c): one product of matrices a sector, which stays in the processor's cache
    beyond = np.column_stack([-2.0 * shown, squares]).astype(np.float32)
    with_one = np.vstack([shown.T, np.ones(len(shown), np.float32)])
    sectors = pairwise([*np.searchsorted(sector, range(SECTORS)).tolist(), len(seen)])
    best = np.empty((len(seen), SECTORS), np.float32)
    for number, (first, end) in enumerate(sectors):
        (beyond[first:end] @ with_one).min(axis=0, initial=np.inf, out=best[:, number])
    best += squares[:, None]
    away = np.abs(sector[:, None] - np.arange(SECTORS))
    best[np.minimum(away, SECTORS - away) <= 1] = np.inf
    oddness = np.full(len(visible), np.inf, np.float32)
    oddness[seen] = np.sqrt(np.maximum(np.partition(best, LIKE_SECTORS - 1, axis=1)[:, LIKE_SECTORS - 1], 0.0))
    usable = visible & np.isfinite(oddness)
    if not usable.any():
        return np.zeros(len(visible), bool)
    variety = float(np.quantile(oddness[usable], 0.7))
    return np.asarray(usable & (oddness > max(ODD_LAB, ODD_TIMES_VARIETY * variety)))


def changed_samples(colours: np.ndarray, before: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """(N,) bool: the visible samples whose hue is another than `before`, by more than noise and drift change others."""
    if not visible.any():
        return visible
    # in a shadow a colour loses as much of its hue as of its lightness
    lit = np.clip((colours[:, :1] + BLACK_LAB) / (before[:, :1] + BLACK_LAB), DARKER, 1 / DARKER)
    hue = colours[:, 1:] - lit * before[:, 1:]
    apart = np.linalg.norm(hue - np.median(hue[visible], axis=0), axis=1)
    return np.asarray(visible & (apart > max(ODD_LAB, CHANGED_TIMES_NOISE * float(np.median(apart[visible])))))


def gone_samples(colours: np.ndarray, before: np.ndarray, changed: np.ndarray, visible: np.ndarray) -> np.ndarray:
    """(N,) bool: the changed samples that are more like the rest of the table than they were `before`: a shadow or a
    thing has gone from there, and none has come."""
    went = np.zeros(len(changed), bool)
    rest = visible & ~changed
    if changed.any() and rest.any():
        now, then = (nearest_distances(one[changed], one[rest]) for one in (colours, before))
        went[changed] = now < then
    return went


def crossings(
    ring: Ring, odd: np.ndarray, visible: np.ndarray, colours: np.ndarray | None, *, short_rows: int = 0
) -> Iterator[np.ndarray]:
    """Indices of odd samples that hang together from the innermost to the outermost visible row, wide enough; or that
    end `short_rows` before the latter.

    What has colours (N, 3) that the table has somewhere else, and no sharp edge, is more or less light on it; None: it
    is known to be a thing.
    """
    table = np.flatnonzero(visible & ~odd)
    most_mm = CHANGED_WIDTH_MM if colours is None else np.inf
    for members in _hanging_together(ring, np.flatnonzero(odd)):
        if not _crosses(ring, members, visible, most_mm, short_rows):
            continue
        if colours is None or (
            _is_thing(ring, colours, members, table) and not _goes_on_as_light(ring, colours, members, table, visible)
        ):
            yield members


def _hanging_together(ring: Ring, index: np.ndarray) -> Iterator[np.ndarray]:
    """The samples `index` in groups of those that lie beside each other."""
    across, down = (np.abs(line[:, None] - line) <= 1.5 * SAMPLE_MM for line in ring.places_mm[index].T)
    linked = across & down
    left = set(range(len(index)))
    while left:
        group = np.zeros(len(index), bool)
        group[left.pop()] = True
        while (grown := linked[group].any(axis=0)).sum() > group.sum():
            group = grown
        left -= set(np.flatnonzero(group).tolist())
        yield index[group]


def _crosses(ring: Ring, members: np.ndarray, visible: np.ndarray, most_mm: float, short_rows: int = 0) -> bool:
    """Whether samples `members` (indices) go from the innermost row to the end of the ring, as wide as an arm."""
    rows = ring.row[members]
    wide = float(np.median([(rows == row).sum() for row in np.unique(rows)])) * SAMPLE_MM
    return bool(rows.min() == 0 and _leaves(ring, members, visible, short_rows) and MIN_WIDTH_MM <= wide <= most_mm)


def _goes_on_as_light(
    ring: Ring, colours: np.ndarray, members: np.ndarray, table: np.ndarray, visible: np.ndarray
) -> bool:
    """Whether of samples `members` (indices) what the table looks like nowhere else does not cross the ring, and the
    rest has no sharp edge: light on the table, as a lit streak of wood between the shadow of a hand at rest and the
    slots. `table` (indices): what is not odd; what a hand of its hue looks like in its own shade it does not show."""
    elsewhere = np.setdiff1d(np.flatnonzero(visible), members)
    foreign = _other_hue(colours[members], colours[table]) > OWN_HUE_LAB
    if foreign.mean() < LEAST_OTHER_HUE:
        return False
    foreign |= nearest_distances(colours[members], colours[elsewhere]) > FOREIGN_LAB
    apart = np.abs(ring.places_mm[members][:, None] - ring.places_mm[members[foreign]][None]).max(axis=2)
    near = apart.min(axis=1) <= BESIDE * SAMPLE_MM  # noise leaves holes in a thing
    rest = members[~near]
    if not len(rest) or _is_sharp(ring, colours, rest, table):
        return False
    return not any(_crosses(ring, part, visible, np.inf) for part in _hanging_together(ring, members[near]))


def _leaves(ring: Ring, members: np.ndarray, visible: np.ndarray, short_rows: int) -> bool:
    """Whether samples `members` (indices) go on to the end of what is visible of the ring, or `short_rows` before it:
    to its outermost row in their sectors, or over an arm's width to where the picture ends. A picture's edge that runs
    aslant shows a row more beside the arm than where the arm lies."""
    sectors = np.isin(ring.sector, ring.sector[members])
    if ring.row[members].max() >= ring.row[visible & sectors].max() - short_rows:
        return True
    shown = np.flatnonzero(visible & sectors)
    apart = np.abs(ring.places_mm[members][:, None] - ring.places_mm[shown][None]).max(axis=2)
    beyond = (apart <= BESIDE * SAMPLE_MM) & (ring.row[shown][None] > ring.row[members][:, None])
    return bool((~beyond.any(axis=1)).sum() * SAMPLE_MM >= MIN_WIDTH_MM)


def _is_thing(ring: Ring, colours: np.ndarray, members: np.ndarray, table: np.ndarray) -> bool:
    """Whether samples `members` (indices) show a thing that lies over the `table` (indices) and not light on it."""
    if float(np.median(nearest_distances(colours[members], colours[table]))) > FOREIGN_LAB:
        return True
    return _is_sharp(ring, colours, members, table)


def _other_hue(colours: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(N,) by how much the hue of colours (N, 3) differs from any that the `table` (M, 3) has, in as much light."""
    light = colours[:, :1] + BLACK_LAB
    away = nearest_distances(colours[:, 1:] / light, table[:, 1:] / (table[:, :1] + BLACK_LAB))
    return np.asarray(away * light[:, 0])


def _is_sharp(ring: Ring, colours: np.ndarray, members: np.ndarray, table: np.ndarray) -> bool:
    """Whether samples `members` (indices) have sharper edges than the `table` (indices) has anywhere."""
    edge, own = _steps(ring, colours, members, table), _steps(ring, colours, table, table)
    if not len(edge) or not len(own):
        return False
    return float(np.quantile(edge, 0.75)) > SHARP_TIMES * float(np.quantile(own, 0.9))


def _steps(ring: Ring, colours: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(M,) differences of colour between neighbours in a row of which one is in `one` and one in `other` (indices)."""
    in_one, in_other = np.zeros((2, len(ring.row)), bool)
    in_one[one], in_other[other] = True, True
    first, second = ring.neighbours.T
    both = in_one[first] & in_other[second]
    return np.asarray(np.linalg.norm(colours[first[both]] - colours[second[both]], axis=1))
