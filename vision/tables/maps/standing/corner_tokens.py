"""The tokens on the corners of a map, where three spaces meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Slot
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.locate.zones import all_in_picture
from vision.tables.maps.standing.discs import GROUND_WIDE_MM, token_on_ground
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.place import GAP, PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap

# Spaces whose middles are so near to a corner, in sides, meet there; the next are two sides away.
BESIDE_SIDES = 1.2

# A piece of a corner lies within this distance of it.
CORNER_REACH_MM = 7.0

# What a corner without a doubt and one in doubt are believed.
SURE_CORNER_P, DOUBTFUL_CORNER_P = 0.98, 0.5

# The ground of a space beside its corner is told by what lies so far from the corner, towards the space's middle.
GROUND_MM = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class CornersBefore:
    """Corners that have not changed since they were read, when the spaces showed what they have `shown`."""

    corners: Mapping[Slot, PlaceReading]
    shown: Mapping[Slot, SpaceOnMap]


class CornerTokens:
    """Reads the corners of a map. `colours`: of the tokens that lie on corners, `token_mm` across."""

    def __init__(self, corners: Sequence[SlotOutline], colours: PieceColours, token_mm: float) -> None:
        self.colours, self.token_mm = colours, token_mm
        self.middles = {o.slot: np.mean(o.corners_mm, axis=0) for o in corners}
        self._every = np.array(list(self.middles.values())).reshape(-1, 2)
        square = CORNER_REACH_MM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        # (4, 2) table mm around every corner: what must be seen to read it
        self.corners_mm = {slot: middle + square for slot, middle in self.middles.items()}
        # most of a map's corners have nothing on them in every picture
        self._bare = {slot: PlaceReading(slot, GAP, PlaceState.EMPTY, p=1.0) for slot in self.middles}

    def read(
        self, seen: MapInPicture, shown: Mapping[Slot, SpaceOnMap], light: PictureLight | None,
        before: CornersBefore | None = None,
    ) -> dict[Slot, PlaceReading]:
        """Every corner: where three spaces of known tiles meet a token may lie; elsewhere nothing is looked for.

        `shown`: what these spaces show. As they were `before` corners stay where those around them show the same: what
        has come to the middle of a space leaves its corners as they are.
        """
        lying, shot = list(shown), seen.shot
        kept = {} if before is None else before.corners
        still = set() if before is None else {slot for slot, one in before.shown.items() if shown.get(slot) == one}
        theirs = np.array([seen.middles[s] for s in lying]).reshape(-1, 2)
        beside = np.linalg.norm(self._every[:, None] - theirs[None], axis=-1) < BESIDE_SIDES * seen.side_mm
        inside = all_in_picture(shot.image, shot.pose, np.array(list(self.corners_mm.values())))
        covered = np.array([slot in shot.covered for slot in self.middles])
        out, slots = dict(self._bare), list(self.middles)
        for number in np.flatnonzero(~inside | covered | beside.any(axis=1)).tolist():
            slot, around = slots[number], [lying[k] for k in np.flatnonzero(beside[number]).tolist()]
            if not inside[number]:
                out[slot] = PlaceReading(slot, GAP, PlaceState.OUTSIDE)
            elif slot in shot.covered or any(s in shot.covered for s in around):
                out[slot] = PlaceReading(slot, GAP, PlaceState.COVERED)
            elif slot in kept and kept[slot].is_readable and len(around) == 3 and still.issuperset(around):
                out[slot] = kept[slot]
            elif len(around) == 3 and light is not None and self.colours.names:
                pieces, p = self._token(seen, self.middles[slot], [seen.middles[s] for s in around], light)
                out[slot] = replace(out[slot], pieces=pieces, pieces_p=p)
        return out

    def _token(
        self, seen: MapInPicture, middle: np.ndarray, spaces: Sequence[np.ndarray], light: PictureLight
    ) -> tuple[tuple[tuple[str, int], ...], float]:
        """The token on one corner, and how sure that is."""
        reach = max(GROUND_MM + GROUND_WIDE_MM, CORNER_REACH_MM + self.token_mm / 2)
        part = seen.window.part(seen.window.box(middle[None], reach))
        away = [middle + GROUND_MM * (m - middle) / np.linalg.norm(m - middle) for m in spaces]
        picture = seen.seen(part).astype(np.float32)
        colour, is_sure = token_on_ground(
            picture, part, middle, CORNER_REACH_MM, away, self.colours, light, self.token_mm
        )
        return () if colour is None else ((colour, 1),), SURE_CORNER_P if is_sure else DOUBTFUL_CORNER_P
