"""Searches a picture for round pieces of any size, seen from above or aslant: first how large they are, then each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.beans import Bean, find_beans
from vision.count.discs.edges import Edges, find_edges
from vision.count.discs.ovals import join_ends
from vision.count.discs.rims import ANGLES, Discs, find_discs, join_discs, normals, without_overlaps

Floats = NDArray[np.float64]
Lab = NDArray[np.float32]

LONG_SIDES_PX = tuple(round(1350 / 1.5**k) for k in range(8))  # pieces from a 150th to a quarter of the picture
COARSE_RADII_PX = (8.5, 14.5)  # searched in each of them: a step of 1.5 and some overlap
BEST_RADIUS_PX = 28.0  # of the usual piece in the last search: a rim is then 140 px long, and print inside is small
LEAST_SUPPORT_COARSE = 0.62
HALF_HIDDEN = 0.4  # of a rim that may lie under other pieces
LEAST_SUPPORT = 0.5  # of a rim must be a sharp edge: a square piece gives 0.4 to 0.6
ROUND_SUPPORT = 0.75  # median support of a reference's rims from which its pieces are round
# The same of a picture to count in: spots at the edge of a chip hide a third of its rim. The sides of a square, where
# they come near a circle, lie 4 to 7 % of its radius beside it; the edges of a disc 1 to 3 %.
SPOTTED_SUPPORT, MOST_WAVY = 0.55, 0.04
SIZE_SPAN = 1.9  # largest to smallest radius in one picture: euro coins 1.6, and perspective
LEAST_CLEAR = 5  # pieces are found before the smallest ones are not searched, which is half of the whole search
MARGIN = 1.25  # by which the last search looks beyond the sizes that were found
FAINT, FAINT_SPAN = 0.3, 1.12  # of a rim, where its size is known; pieces of one kind, by perspective
APART = 0.85  # of the sum of two radii: touching ovals
SQUEEZE = 0.72  # height to breadth of discs that a camera sees from 44 degrees aslant
FROM_ABOVE = 0.85  # median support from which a picture is taken from above: rims of ovals are left by round ones
# So much more rim seen in small copies is believed where fine rims are broken: beans are rounder there, and the end of
# one is no disc.
ROUGH_GAIN = 1.1
# Second harmonic of the usual clear outline, of its radius, up to which discs are seen upright: a camera 25 degrees
# aslant squeezes them so, and a copy pulled by `SQUEEZE` shows those farther from round than the picture does.
UPRIGHT_OVAL = 0.05
SHEET_EDGE_PX = 2  # of a sheet's own border: its outline was found in a smaller copy
SQUEEZE_GAIN = 1.25  # so much more rim must be found before a picture is thought to be taken aslant


@dataclass(frozen=True, slots=True, eq=False)
class FoundDiscs:
    """Round pieces in a picture, in its px: `outlines` (N, ANGLES, 2), `support` (N,), `radius` (N,) the root of the
    half axes' product, `xy` (N, 2), `wavy` (N,) how far their edges lie beside them, of the radius.
    """

    outlines: Floats
    support: Floats
    radius: Floats
    xy: Floats
    wavy: Floats

    @property
    def round(self) -> bool:
        """Whether the pieces of the picture are discs, by most of their rims."""
        return len(self) > 0 and bool(np.median(self.support) >= SPOTTED_SUPPORT and np.median(self.wavy) <= MOST_WAVY)

    def __len__(self) -> int:
        return len(self.radius)

    @property
    def rim(self) -> float:
        """How much rim of them is seen together, px."""
        return float((self.support * self.radius).sum())

    def scaled(self, factor: float) -> FoundDiscs:
        """The same pieces in a picture `factor` times as large."""
        return FoundDiscs(self.outlines * factor, self.support, self.radius * factor, self.xy * factor, self.wavy)

    def joined(self, other: FoundDiscs) -> FoundDiscs:
        """These and others."""
        names = ("outlines", "support", "radius", "xy", "wavy")
        return FoundDiscs(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))

    def take(self, index: NDArray[np.bool_]) -> FoundDiscs:
        """Some of them."""
        taken = (array[index] for array in (self.outlines, self.support, self.radius, self.xy, self.wavy))
        return FoundDiscs(*taken)


class Copies:
    """A picture (H, W, 3) float32 Lab, or of one channel (H, W), with the edges of its smaller copies and its `discs`,
    each found once: the dearest steps. `sheets` (H, W): where print lies, of which no edge is found.
    """

    def __init__(self, lab: Lab, sheets: NDArray[np.bool_] | None = None) -> None:
        self.lab = lab
        self.sheets = np.zeros(lab.shape[:2], bool) if sheets is None else sheets
        self._edges: dict[tuple[int, int], Edges] = {}

    @cached_property
    def discs(self) -> FoundDiscs:
        """The round pieces of the picture."""
        return _search_discs(self)

    def edges(self, share: float) -> Edges:
        """The edges of a copy `share` times as large; of the picture itself from 1 on."""
        height, width = self.lab.shape[:2]
        size = (max(24, round(width * share)), max(24, round(height * share))) if share < 1 else (width, height)
        if size not in self._edges:
            copy = cv2.resize(self.lab, size, interpolation=cv2.INTER_AREA) if share < 1 else self.lab
            self._edges[size] = self._without_print(find_edges(copy))
        return self._edges[size]

    def _without_print(self, edges: Edges) -> Edges:
        """The same, but for those within sheets: at their border an edge may be the rim of a piece that lies on it."""
        if not self.sheets.any():
            return edges
        height, width = edges.on.shape
        sheets = cv2.resize(self.sheets.astype(np.uint8), (width, height), interpolation=cv2.INTER_AREA)
        within = cv2.erode(sheets, np.ones((2 * SHEET_EDGE_PX + 1,) * 2, np.uint8), borderValue=1)
        return Edges(edges.on & (within == 0), edges.normal)


def search_discs(picture: Copies) -> FoundDiscs:
    """The round pieces of a picture: searched the first time."""
    return picture.discs


def _search_discs(picture: Copies) -> FoundDiscs:
    upright = picture
    seen = usual_discs(picture)
    squeeze = 1.0
    if not _from_above(seen):
        sheets = _pulled_upright(picture.sheets.astype(np.float32)) > 0.5 if picture.sheets.any() else None
        pulled = Copies(_pulled_upright(picture.lab), sheets)
        aslant = usual_discs(pulled)
        if _rim(aslant) > SQUEEZE_GAIN * _rim(seen):
            seen, squeeze, upright = aslant, SQUEEZE, pulled
    best = seen.radius
    if not len(best):
        return FoundDiscs(np.zeros((0, ANGLES, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 2)), np.zeros(0))
    share = min(1.0, BEST_RADIUS_PX / float(np.median(best)))
    edges = upright.edges(share)
    span = (best.min() * share / MARGIN, best.max() * share * MARGIN)
    discs = find_discs(edges, (max(6.0, span[0]), span[1]), HALF_HIDDEN)
    height, width = edges.on.shape
    discs = _of_one_size(without_overlaps(discs, LEAST_SUPPORT, (width, height)).scaled(1 / share))
    discs = join_discs([discs, lost_rims(seen, discs)])
    broken = len(discs) > 0 and np.median(discs.support) < ROUND_SUPPORT
    if broken and _rim(seen) > ROUGH_GAIN * _rim(discs):
        discs = seen
    normal = normals(edges)
    discs = join_ends(discs, normal, share)
    beans = find_beans(discs, normal, share)
    back = np.array([1.0, squeeze])
    outlines = np.array([discs.outline(k) for k in range(len(discs))]).reshape(len(discs), ANGLES, 2) * back
    found = FoundDiscs(outlines, discs.support, discs.radius * np.sqrt(squeeze), discs.xy * back, discs.wavy)
    return _with_beans(found, beans, back) if beans else found


def _with_beans(found: FoundDiscs, beans: list[Bean], back: Floats) -> FoundDiscs:
    """The same with the long pieces in place of their ends; `back` (2,) brings them back into the picture."""
    ends = np.array([bean.ends for bean in beans])
    outlines = np.array([bean.outline for bean in beans]) * back
    radius = np.sqrt([bean.breadth * bean.length * back.prod() for bean in beans])
    support, wavy = np.array([bean.support for bean in beans]), (found.wavy * found.radius)[ends].max(axis=1) / radius
    whole = FoundDiscs(outlines, support, radius, outlines.mean(axis=1), wavy)
    return found.take(~np.isin(np.arange(len(found)), ends)).joined(whole)


def lost_rims(seen: Discs, discs: Discs) -> Discs:
    """Clear rims of the first search where the last one has none: it may see a ring within, too small for a piece."""
    gaps = np.linalg.norm(seen.xy[:, None] - discs.xy[None], axis=2)
    free = (gaps >= APART * (seen.radius[:, None] + discs.radius[None])).all(axis=1)
    return seen.take(free & (seen.support >= ROUND_SUPPORT) & (seen.wavy <= MOST_WAVY))


def _from_above(seen: Discs) -> bool:
    """Whether rims that were found in a picture are whole enough, or many, clear and round enough, that no copy of it
    pulled upright can show more of them.
    """
    support = float(np.median(seen.support)) if len(seen) else 0.0
    if len(seen) < LEAST_CLEAR or support < ROUND_SUPPORT:
        return support >= FROM_ABOVE
    return support >= FROM_ABOVE or float(np.median(seen.oval[:, 0] / seen.radius)) < UPRIGHT_OVAL


def search_faint(picture: Copies, found: FoundDiscs) -> FoundDiscs:
    """Round outlines of the usual size of the pieces that were found, beside them, of which a part is a sharp edge."""
    usual = float(np.median(found.radius))
    share = min(1.0, BEST_RADIUS_PX / usual)
    span = (usual * share / FAINT_SPAN, usual * share * FAINT_SPAN)
    discs = find_discs(picture.edges(share), span, FAINT).scaled(1 / share)
    discs = discs.take((discs.wavy <= MOST_WAVY) & (np.abs(np.log(discs.radius / usual)) < np.log(SIZE_SPAN) / 2))
    xy, radius = list(found.xy), list(found.radius)
    kept = []
    for k in np.argsort(-discs.support):
        gaps = np.linalg.norm(np.array(xy) - discs.xy[k], axis=1)
        if (gaps >= APART * (np.array(radius) + discs.radius[k])).all():
            kept.append(int(k))
            xy.append(discs.xy[k])
            radius.append(discs.radius[k])
    outlines = np.array([discs.outline(k) for k in kept]).reshape(len(kept), ANGLES, 2)
    some = discs.take(np.array(kept, np.int64))
    return FoundDiscs(outlines, some.support, some.radius, some.xy, some.wavy)


def _pulled_upright(lab: Lab) -> Lab:
    """The picture stretched so that discs that look `SQUEEZE` as high as broad are round."""
    height, width = lab.shape[:2]
    return np.asarray(cv2.resize(lab, (width, round(height / SQUEEZE)), interpolation=cv2.INTER_LINEAR))


def _rim(discs: Discs) -> float:
    """How much rim of discs is seen together, in px of the picture."""
    return float((discs.support * discs.radius).sum())


def usual_discs(copies: Copies) -> Discs:
    """The pieces of the sizes that show most rim together, roughly, in px of the picture."""
    height, width = copies.lab.shape[:2]
    parts: list[Discs] = []
    usual = join_discs(parts)
    for side in reversed(LONG_SIDES_PX):
        share = side / max(height, width)
        if share > 1.0 or (side == LONG_SIDES_PX[0] and _outgrown(usual, COARSE_RADII_PX[1] / share)):
            break
        found = find_discs(copies.edges(share), COARSE_RADII_PX, LEAST_SUPPORT_COARSE)
        parts.insert(0, found.scaled(1 / share))
        if side == LONG_SIDES_PX[1]:
            usual = _of_one_size(without_overlaps(join_discs(parts), LEAST_SUPPORT_COARSE, (width, height)))
    if len(parts) == len(LONG_SIDES_PX) - 1:
        return usual
    return _of_one_size(without_overlaps(join_discs(parts), LEAST_SUPPORT_COARSE, (width, height)))


def _outgrown(discs: Discs, radius: float) -> bool:
    """Whether clear pieces were found that are too large for ones of such a radius px to be of their kinds."""
    if len(discs) < LEAST_CLEAR or np.median(discs.support) < ROUND_SUPPORT:
        return False
    return float(discs.radius.max()) > SIZE_SPAN * radius


def _of_one_size(discs: Discs) -> Discs:
    """Those within the range of sizes that shows most rim together."""
    if not len(discs.radius):
        return discs
    rim = discs.support * discs.radius
    fits = [(discs.radius >= low * 0.999) & (discs.radius <= low * SIZE_SPAN) for low in discs.radius]
    return discs.take(max(fits, key=lambda fit: float(rim[fit].sum())))
