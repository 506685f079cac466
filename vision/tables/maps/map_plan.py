"""The plan of a map: where its spaces lie, and which of them a piece of several spaces covers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Face, Slot
from vision.tables.maps.space_pieces import SpacePiece, space_corners
from vision.tables.place import Laid
from vision.tables.zone import SpaceOnMap

# Spaces whose middles are nearer than this, in sides, are neighbours: a step is 1.73.
STEP_SIDES = 1.9

# A space of a piece belongs to the slot whose middle is this near: pieces lie some mm off.
SAME_PLACE_MM = 6.0


class MapPlan:
    """The spaces of a map in table mm, `side_mm` the side of one, and the `pieces` that can lie on them by name.

    `middles`: (2,) of each; `outlines_mm`: (6, 2) its corners; `spaces_mm`: (4, 2) those of the square that is read.
    """

    def __init__(self, outlines: Sequence[SlotOutline], pieces: Sequence[SpacePiece]) -> None:
        self.middles = {o.slot: np.mean(o.corners_mm, axis=0) for o in outlines}
        self._slots, self._every_middle = tuple(self.middles), np.array(list(self.middles.values()))
        self.outlines_mm = {o.slot: np.array(o.corners_mm) for o in outlines}
        corners = np.array(outlines[0].corners_mm)
        self.side_mm = float(np.linalg.norm(corners[1] - corners[0]))
        self.spaces_mm = {slot: space_corners(middle, self.side_mm) for slot, middle in self.middles.items()}
        self.pieces = {piece.name: piece for piece in pieces}
        self._reach_mm = max((_extent_mm(piece) for piece in pieces), default=0.0)
        self._lies_on: dict[tuple[Face, Slot, int], tuple[Slot | None, ...]] = {}

    def lies_on(self, name: Face, anchor: Slot, turn: int) -> tuple[Slot | None, ...]:
        """The space under each of a piece's own, its first at `anchor`, turned by so many sixths clockwise; None: off
        the map. Asked for again and again of the same few pieces."""
        key = name, anchor, turn
        if key not in self._lies_on:
            middle = self.middles[anchor]
            own = self.pieces[name].middles_mm
            self._lies_on[key] = tuple(self.slot_at(middle + turned(one, turn)) for one in own)
        return self._lies_on[key]

    def slot_at(self, middle: np.ndarray) -> Slot | None:
        """The space whose middle lies at (2,) mm, give or take."""
        apart = np.hypot(*(self._every_middle - middle).T)
        nearest = int(apart.argmin())
        return self._slots[nearest] if apart[nearest] < SAME_PLACE_MM else None

    def beside_laid(self, laid: Sequence[Laid]) -> list[Slot]:
        """The spaces of the pieces `laid` (slot, name, turn) and those beside them."""
        return self.beside(self._slots, self.spaces_of(laid))

    def around_laid(self, laid: Sequence[Laid]) -> tuple[Slot, ...]:
        """The spaces of the pieces `laid` (slot, name, turn) and all on which one more can lie beside them."""
        here = self.spaces_of(laid)
        if not here:
            return self._slots
        lying = np.array([self.middles[slot] for slot in here])
        apart = np.linalg.norm(self._every_middle[:, None] - lying[None], axis=-1).min(axis=1)
        near = apart <= self._reach_mm + STEP_SIDES * self.side_mm
        return tuple(slot for slot, one in zip(self._slots, near, strict=True) if one)

    def spaces_of(self, laid: Iterable[Laid]) -> list[Slot]:
        """The spaces of the map on which the pieces `laid` (slot, name, turn) lie, in their order."""
        return [p for slot, name, turn in laid for p in self.lies_on(name, slot, turn) if p is not None]

    def shown_by(self, laid: Laid) -> dict[Slot, SpaceOnMap]:
        """What the spaces of the map show on which a piece (slot, name, turn) lies, but for those off the map."""
        anchor, name, turn = laid
        here = zip(self.lies_on(name, anchor, turn), self.pieces[name].faces, strict=True)
        return {place: SpaceOnMap(face, 60.0 * turn, anchor) for place, face in here if place is not None}

    def turns_of(self, laid: Sequence[Laid]) -> dict[Slot, int]:
        """The turn in which each space of the pieces `laid` (slot, name, turn) lies."""
        here = ((self.lies_on(name, slot, turn), turn) for slot, name, turn in laid)
        return {place: turn for places, turn in here for place in places if place is not None}

    def apart(self, slots: Sequence[Slot]) -> list[Slot]:
        """Those of the `slots`, from the first on, that lie beside none taken before."""
        if not slots:
            return []
        middles = np.array([self.middles[slot] for slot in slots])
        near = np.linalg.norm(middles[:, None] - middles[None], axis=-1) < STEP_SIDES * self.side_mm
        taken = np.zeros(len(slots), bool)
        for number, beside in enumerate(near):
            taken[number] = not (beside & taken).any()
        return [slot for slot, one in zip(slots, taken.tolist(), strict=True) if one]

    def touches(self, slot: Slot, others: Collection[Slot]) -> bool:
        """Whether a space is one of the others or lies beside one."""
        return bool(self.beside([slot], list(others)))

    def beside(self, slots: Sequence[Slot], others: Sequence[Slot]) -> list[Slot]:
        """Those of the `slots` that are one of the others or lie beside one."""
        if not others or not slots:
            return []
        there = np.array([self.middles[slot] for slot in others])
        apart = np.linalg.norm(np.array([self.middles[slot] for slot in slots])[:, None] - there[None], axis=-1)
        near = (apart < STEP_SIDES * self.side_mm).any(axis=1)
        return [slot for slot, one in zip(slots, near, strict=True) if one]


def turned(middle_mm: tuple[float, float], turn: int) -> np.ndarray:
    """(2,) a place turned clockwise (as seen from above) by so many sixths."""
    angle = np.deg2rad(60.0 * turn)
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = middle_mm
    return np.array([cos * x - sin * y, sin * x + cos * y])


def _extent_mm(piece: SpacePiece) -> float:
    """The distance of its two spaces that are farthest apart."""
    middles = np.array(piece.middles_mm)
    return float(np.linalg.norm(middles[:, None] - middles[None], axis=-1).max())
