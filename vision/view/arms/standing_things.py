"""What lies across the table's rim and is no arm: a mug, a phone or cards that end before the slots and stay there.

An arm ends over the slots, and moves. A bare hand of the table's own colour seems to end before them, too: so on a
table that might hide one a thing is known only when it has been there for a while.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.view.arms.nearest import nearest_squares
from vision.view.skin import BLACK_LIGHTNESS, may_be_skin

# What is printed beside the slots (the corner card sticks out 14 mm) and tiles laid askew end so far from them.
NEAR_MM = 15.0
# CIELAB with lightness at half weight, as in `vision.view.arms.occlusion`: twice what an arm must differ by at least.
UNLIKE_LAB = 8.0
# In more or less light a colour has its lightness, from full darkness, and its hue times the same factor.
LIGHTS = (0.5, 0.65, 0.8, 0.9, 1.0, 1.15)
MOST_COLOURS = 24
# What has less than a tenth of the table's light, as lightness from full darkness, is no table in shadow but a dark
# thing: on a table in the dusk all that is dark lies within `UNLIKE_LAB` of its shadows.
LEAST_LIGHT = 0.1 ** (1 / 3)
# So much of what crosses the rim must be unlike the table in any light, else nothing is known of where it ends: the
# rest is shadow.
KNOWN_SHARE = 0.5
# Of what has been seen to lie there this part of it is enough: of a grey mug on a brown table in a dim room 0.4 to 0.7
# of what crosses the rim were unlike the table, by the noise of the picture.
RESTED_PART = 0.5
# Anything narrower, such as a speck of noise, does not reach the slots: a finger is wider.
FINGER_MM = 12.0
# So much of what crosses the rim must have been there before.
STANDING_SHARE = 0.8

# Of what lies around a thing so much is looked at, at so many mm a pixel: a phone, a mug and a rulebook end sooner, and
# an arm goes on to whoever's it is. What is less than a hem apart hangs together.
AROUND_MM, AROUND_MM_PER_PX, HEM_MM = 300.0, 4.0, 12.0

# A table of less chroma has no hue to tell skin by.
LEAST_CHROMA = 8.0

# Brown skin, the least unlike grey, has a chroma of 14 in full light, and of 8 in the light in which a middle grey has
# this lightness: a table that is grey up to this chroma is no hand, nor is what is so near to one of its colours.
LEAST_LIGHTNESS, GREY_CHROMA, LIKE_LAB = 20.0, 5.0, 3.0


@dataclass
class StandingThings:
    """Which samples (N,) of the rim have shown a thing that ends before the slots, and since when.

    `stays`: so long it must have been there (seconds, or pictures of a film); `forgotten`: after so long unseen.
    """

    stays: float
    forgotten: float
    _first: np.ndarray | None = None
    _last: np.ndarray | None = None

    def see(self, beside: np.ndarray, now: float) -> np.ndarray:
        """(N,) bool: where something has stood for long enough, after `beside` (N,) bool was seen at `now`."""
        if self._first is None or self._last is None or len(self._first) != len(beside):
            self._first, self._last = np.full(len(beside), np.inf), np.full(len(beside), -np.inf)
        self._first[now - self._last > self.forgotten] = np.inf
        self._first[beside] = np.minimum(self._first[beside], now)
        self._last[beside] = now
        return self.known(now)

    def known(self, now: float) -> np.ndarray:
        """(N,) bool: where at `now` something has stood for long enough; (0,) before anything was seen."""
        if self._first is None or self._last is None:
            return np.zeros(0, bool)
        return np.asarray((now - self._first >= self.stays) & (now - self._last <= self.forgotten))


def ends_before(
    lab: np.ndarray, black: float, mm_per_px: float, slots_px: np.ndarray, group_px: np.ndarray, table_lab: np.ndarray
) -> np.ndarray:
    """(N,) bool: those of the places `group_px` (N, 2) on the rim that show a thing with bare table between itself
    and the slots, and no shadow; none where that cannot be known.

    `lab`: (H, W, 3) upright view, in which full darkness has lightness -`black`; `slots_px` (2, 2): lowest and highest
    corner of the slots in it; `table_lab` (M, 3): what the bare table looks like.
    """
    if not len(table_lab):
        return np.zeros(len(group_px), bool)
    foreign = _unlike(lab, table_lab, black)
    height, width = foreign.shape
    near = NEAR_MM / mm_per_px
    x0, y0 = np.floor(slots_px[0] - near).astype(int)
    x1, y1 = np.ceil(slots_px[1] + near).astype(int)
    foreign[y0:y1, x0:x1] = 0
    labels = cv2.connectedComponents(foreign, connectivity=4)[1]
    at = np.round(group_px).astype(int).clip(0, [width - 1, height - 1])
    own = labels[at[:, 1], at[:, 0]]
    if (own > 0).mean() < KNOWN_SHARE:
        return np.zeros(len(group_px), bool)
    thing = np.isin(labels, own[own > 0])
    touching = thing[y0 - 1 : y1 + 1, x0 - 1 : x1 + 1]  # of these only the outermost pixels are not cut out
    return np.asarray((own > 0) & (int(touching.sum()) * mm_per_px < FINGER_MM))


def ends_all_around(
    lab: np.ndarray, black: float, mm_per_px: float, thing_px: np.ndarray, table_lab: np.ndarray, in_sight: np.ndarray,
    least: float = KNOWN_SHARE,
) -> bool:
    """Whether table is seen all around what is seen at the places `thing_px` (N, 2): an arm goes on to somebody.

    `lab`, `black`, `table_lab`: see `ends_before`; `in_sight` (H, W) bool: what of the view the picture shows; `least`:
    part of the places that must be unlike the table.
    """
    if not len(table_lab):
        return False
    foreign = _unlike(lab, table_lab, black)
    foreign[lab[..., 0] + black < LEAST_LIGHT * (np.median(table_lab[:, 0]) + black)] = 1
    foreign[~in_sight] = 1
    hem = 2 * round(HEM_MM / mm_per_px / 2) + 1
    foreign = cv2.morphologyEx(foreign, cv2.MORPH_CLOSE, np.ones((hem, hem), np.uint8))
    labels = cv2.connectedComponents(foreign, connectivity=8)[1]
    height, width = labels.shape
    at = np.round(thing_px).astype(int).clip(0, [width - 1, height - 1])
    own = labels[at[:, 1], at[:, 0]]
    if (own > 0).mean() < least:
        return False
    thing = np.isin(labels, own[own > 0])
    thing_goes_on = thing[~in_sight].any() or thing[[0, -1]].any() or thing[:, [0, -1]].any()
    return not bool(thing_goes_on)


def unlike_skin(table_lab: np.ndarray, black: float) -> bool:
    """Whether no bare hand has the colour of this table: green, blue or crimson. `table_lab`, `black`: see
    `ends_before`."""
    if not len(table_lab):
        return False
    lightness, a, b = np.median(table_lab, axis=0).tolist()
    return float(np.hypot(a, b)) >= LEAST_CHROMA and not may_be_skin(lightness, a, b, black)


def bare_table(lab: np.ndarray, table_lab: np.ndarray, black: float) -> np.ndarray | None:
    """(H, W) bool: where the view surely shows the bare table and no hand, by its colours alone, in whatever light.

    `lab`, `table_lab` and `black`: see `ends_before`. None on a table of which a hand may have the colour: what is
    neither green, blue or crimson, nor grey and well lit.
    """
    if not len(table_lab):
        return None
    lightness, *hue = np.median(table_lab, axis=0)
    grey = float(np.hypot(*hue)) < GREY_CHROMA and lightness >= LEAST_LIGHTNESS * black / BLACK_LIGHTNESS
    if not grey and not unlike_skin(table_lab, black):
        return None
    return np.asarray(_unlike(lab, table_lab, black, LIKE_LAB) == 0)


def _unlike(lab: np.ndarray, table_lab: np.ndarray, black: float, least: float = UNLIKE_LAB) -> np.ndarray:
    """(H, W) uint8: 1 where the view has no colour of the table in any light, by `least`."""
    some = table_lab[:: len(table_lab) // MOST_COLOURS + 1]
    none = np.array([black, 0.0, 0.0])
    known = np.concatenate([(some + none) * light - none for light in LIGHTS]).astype(np.float32)
    squares = nearest_squares(lab.reshape(-1, 3), known)
    return np.asarray(squares > least**2, np.uint8).reshape(lab.shape[:2])
