"""Icons before any is confirmed: print that looks the same at one place of faces whose grounds differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import STANDS_OUT
from calibration.face_print.small_view import windows

F32 = NDArray[np.float32]

ICON_PX = (5, 7, 9)
"""Sides of the windows that are tried, px of the small views."""
ALIKE = 12.0
"""Lab units a pixel: two prints of one icon differ by noise, the cut and what shows around it; another face by more."""
TOLD_APART = 2.0
"""So many times as far as the members are from each other must every other face be."""
MOST_SHARE = 0.5
"""What more faces than this have is what all have: a badge, a border."""
PRINTED_SHARE = 0.3
"""So much of a window at least must be print."""
GROUNDS = 2
"""On so many grounds an icon stands, and other faces of the same ground lack it: what a ground always has is its own
emblem."""


@dataclass(frozen=True, slots=True)
class Recurring:
    """An icon that was found: the faces that have it (by number), where it stands (left, top, side, px of the small
    views), and how many times farther the nearest other face is than its members are."""

    members: frozenset[int]
    box: tuple[int, int, int]
    apart: float


def find_recurring(smalls: Sequence[F32], grounds: Sequence[F32], kinds: Sequence[int]) -> tuple[Recurring, ...]:
    """The icons that some faces share, the most frequent first.

    `smalls`: (S, S, 3) Lab of each face; `grounds`: (3,) Lab of its ground; `kinds`: faces of one ground have one
    number. No face is in two of the icons that are found at overlapping places.
    """
    found: list[Recurring] = []
    for side in ICON_PX:
        found += _of_side(np.array(smalls), np.array(grounds), np.array(kinds), side)
    kept: list[Recurring] = []
    for one in sorted(found, key=lambda icon: -icon.apart):
        if not any(_same_place(one.box, other.box) or one.members == other.members for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda icon: -len(icon.members)))


def _same_place(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return all(one[k] < other[k] + other[2] and other[k] < one[k] + one[2] for k in (0, 1))


def _of_side(smalls: F32, grounds: F32, kinds: NDArray[np.int_], side: int) -> list[Recurring]:
    """The best place of every set of faces that are alike somewhere and unlike all others."""
    count = len(smalls)
    shares = np.array([
        windows((np.linalg.norm(one - ground, axis=2) > STANDS_OUT).astype(np.float32), side)
        for one, ground in zip(smalls, grounds, strict=True)
    ])
    best: dict[frozenset[int], Recurring] = {}
    for k in range(count):
        apart = np.array([np.sqrt(windows(((one - smalls[k]) ** 2).sum(axis=2), side)) for one in smalls])
        alike = (apart < ALIKE) & (shares > PRINTED_SHARE)
        farthest = np.where(alike, apart, 0.0).max(axis=0)
        nearest = np.where(alike, np.inf, apart).min(axis=0)
        on = np.zeros(apart.shape[1:], int)
        for kind in set(kinds.tolist()):
            of_kind = alike[kinds == kind]
            on += of_kind.any(axis=0) & ~of_kind.all(axis=0)
        ratio = nearest / np.maximum(farthest, 1.0)
        ratio[(on < GROUNDS) | (alike.sum(axis=0) > MOST_SHARE * count) | ~np.isfinite(ratio)] = 0.0
        y, x = (int(at) for at in np.unravel_index(int(ratio.argmax()), ratio.shape))
        if ratio[y, x] >= TOLD_APART:
            members = frozenset(int(number) for number in np.flatnonzero(alike[:, y, x]))
            icon = Recurring(members, (x + 1, y + 1, side), float(ratio[y, x]))
            best[members] = max(best.get(members, icon), icon, key=lambda one: one.apart)
    return list(best.values())
