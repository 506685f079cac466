"""Whether a gap in which other pieces are counted than before shows a change where one has come or gone.

In the dark noise hangs together as wide as a piece and is counted for one, in a person's shadow a piece is not found,
and checks of a piece's colour are pieces in one picture and none in the next. Where the same was to be seen before, but
for light, nobody has laid or taken anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import prod

import cv2
import numpy as np

from vision.appearance.canvas import Window
from vision.appearance.picture_light import BLACK
from vision.appearance.placed_face import PX_PER_MM
from vision.median import NORMAL, medians
from vision.pieces.finder import FoundPiece
from vision.pieces.shapes import PieceModel
from vision.tables.place import GAP, SURE, PlaceReading, PlaceState
from vision.tables.zone import ZoneReading

# Probability that is left to a count that no change bears out.
UNBORNE_P = 0.5

# Side of the part of a top that is compared, in sides of the piece: no blurred edge reaches it.
INNER = 0.6

# From so near to so far from a piece, in sides, what is seen without one tells how the light has changed; it must be so
# large a part of the square around.
AROUND, LEAST_AROUND = (1.0, 2.2), 0.1

# A piece that comes or goes changes its spot by at least this part of what tells it from what lies around it, as mean
# squares. Of 45 that did in five rendered rough films 43 changed it by 0.45 and more, two, on checks of their own
# colour, by 0.14 and 0.15; of 20 that were counted on checks 0.07 at most, one that was not found in a shadow 0.09.
CHANGED_PART = 0.12

# And a piece that comes by more than so many times what noise changes such a spot by, in all channels together; that is
# at least so many grey levels. Of 21 that came one had 6.2 in a light that had changed unevenly, the others 8 and more,
# what noise in a shadow was counted for 1.6 and 2.6.
CHANGED_NOISES, LEAST_NOISE = 4.0, 1.0

# Places that are averaged where the light is told, px.
SOFT_PX = 5


@dataclass(frozen=True, slots=True, eq=False)
class TwoLooks:
    """A zone `before` and `now`, (H, W, 3) uint8 BGR, through one window, and the pieces that stand in either."""

    window: Window
    before_bgr: np.ndarray
    now_bgr: np.ndarray
    standing: tuple[FoundPiece, ...]
    piece: PieceModel

    def shows_change(self, spot: FoundPiece, *, came: bool) -> bool:
        """Whether what is seen where a piece stands now, or stood, has changed by more than light; so it is taken to
        have where too little tells of the light."""
        top, far = self._top(spot), AROUND[1] * self.piece.side_mm
        box = self.window.box(top[None], far)
        then, here = (one[box].astype(np.float32) + np.float32(BLACK) for one in (self.before_bgr, self.now_bgr))
        window = self.window.part(box)
        inner, around = _within(window, top, INNER * self.piece.side_mm / 2), self._around(window, then, here, top)
        if not inner.any() or around.mean() < LEAST_AROUND:
            return True
        soft_then, soft_here = (cv2.blur(one, (SOFT_PX, SOFT_PX)) for one in (then, here))
        gain = medians(soft_here[around] / soft_then[around], 0)[0]
        then = then * gain
        changed = (here[inner] - then[inner]).mean(0)
        seen = here if came else then
        told = seen[inner].mean(0) - medians(seen[around], 0)[0]
        if float(changed @ changed) <= CHANGED_PART * float(told @ told):
            return False
        return not came or float(np.linalg.norm(changed / self._noise(here - then, around))) > CHANGED_NOISES

    def _around(self, window: Window, then: np.ndarray, here: np.ndarray, top: np.ndarray) -> np.ndarray:
        """(h, w) bool: what no piece stands on in either picture, beside a spot, as far as both show it."""
        side = self.piece.side_mm
        around = _within(window, top, AROUND[1] * side) & (then.min(-1) > BLACK) & (here.min(-1) > BLACK)
        for one in self.standing:
            for middle in (self._top(one), np.array(one.foot_mm)):
                if np.linalg.norm(middle - top) < (AROUND[0] + AROUND[1]) * side:
                    around &= ~_within(window, middle, AROUND[0] * side)
        return np.asarray(around)

    def _noise(self, off: np.ndarray, around: np.ndarray) -> np.ndarray:
        """(3,) grey levels by which the mean of such a spot differs by chance: what is `off` (h, w, 3) is so `around`.
        """
        size = round(INNER * self.piece.side_mm * PX_PER_MM) | 1
        clear = cv2.erode(around.astype(np.uint8), np.ones((size // 2,) * 2, np.uint8)) > 0
        mean = cv2.blur(off, (size, size))[clear if clear.any() else around]
        return np.asarray(np.maximum(NORMAL * medians(np.abs(mean), 0)[0], LEAST_NOISE))

    def _top(self, one: FoundPiece) -> np.ndarray:
        """(2,) the middle of a piece's top as it is seen on the table, mm."""
        camera = np.array(self.piece.camera_mm[:2])
        return np.asarray(camera + (np.array(one.foot_mm) - camera) * self.piece.lean())


def with_changes_seen(now: ZoneReading, before: ZoneReading, before_bgr: np.ndarray) -> ZoneReading:
    """A reading with the counts of gaps in doubt that differ from sure ones before though nothing but light has changed
    there. `before_bgr` (H, W, 3) uint8: the same view when that was read."""
    piece = None if now.gaps is None else now.gaps.piece
    other = [slot for slot, one in now.places.items() if _is_in_question(one, before.places[slot])]
    if piece is None or not other:
        return now
    standing = tuple(one for zone in (now, before) for place in zone.places.values() for one in place.found)
    looks = TwoLooks(now.window, before_bgr, now.seen_bgr, standing, piece)
    unborne = {}
    for slot in other:
        one = now.places[slot]
        spots = _other_pieces(one, before.places[slot], piece.side_mm)
        spots = ((spot, came) for spot, came in spots if _was_sure(before.places[slot], spot.colour))
        colours = {spot.colour for spot, came in spots if not looks.shows_change(spot, came=came)}
        if colours:
            unborne[slot] = _in_doubt(one, colours)
    return replace(now, places={**now.places, **unborne}) if unborne else now


def _in_doubt(one: PlaceReading, colours: Collection[str]) -> PlaceReading:
    """A gap of which the counts of some colours are in doubt: each for itself where it is doubted already."""
    told, p = dict(one.doubted), one.pieces_p / prod(p for _, p in one.doubted)
    told |= {colour: min(told[colour], UNBORNE_P) for colour in told.keys() & colours}
    p = p if told.keys() >= set(colours) else min(p, UNBORNE_P)
    return replace(one, pieces_p=p * prod(told.values()), doubted=tuple(told.items()))


def _is_in_question(now: PlaceReading, before: PlaceReading) -> bool:
    """Whether other pieces of a colour are counted in a gap than were surely counted before."""
    both_seen = now.state is PlaceState.EMPTY and before.state is PlaceState.EMPTY
    return now.holds == GAP and both_seen and any(_was_sure(before, colour) for colour in _recounted(now, before))


def _recounted(now: PlaceReading, before: PlaceReading) -> frozenset[str]:
    """The colours of which there are more or fewer in a gap than before."""
    return frozenset(colour for colour, _ in set(now.pieces) ^ set(before.pieces))


def _was_sure(before: PlaceReading, colour: str) -> bool:
    """Whether the count of a colour was sure, whatever is doubted of others."""
    doubted = dict(before.doubted)
    return doubted.get(colour, before.pieces_p / prod(doubted.values())) >= SURE


def _other_pieces(now: PlaceReading, before: PlaceReading, side_mm: float) -> Iterator[tuple[FoundPiece, bool]]:
    """The pieces that have come to a gap or gone by two readings, and whether they came."""
    has, had = Counter(dict(now.pieces)), Counter(dict(before.pieces))
    come, gone = (has - had, now.found, before.found), (had - has, before.found, now.found)
    for more, these, those in (come, gone):
        for one in these:
            known = (other for other in those if other.colour == one.colour and one.is_at(other, side_mm))
            if more[one.colour] and not any(known):
                yield one, these is now.found


def _within(window: Window, middle_mm: np.ndarray, reach_mm: float) -> np.ndarray:
    """(H, W) bool: what of a window lies so near to a place (2,) mm."""
    x, y = window.axes_mm()
    return np.asarray(np.hypot(x[None] - middle_mm[0], y[:, None] - middle_mm[1]) < reach_mm)
