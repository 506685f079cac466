"""The faces in the spaces of a map in one picture: each space in the turns that may be, no turn looked at twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from companion.core.types import Face, Slot
from vision.faces.book import FaceBook
from vision.faces.identify import identify_many
from vision.locate.plane import PosePlane
from vision.tables.face_at_place import (
    CROP_MARGIN,
    CROP_PX,
    FIRST_LOOK_PX,
    likeness_of,
    shows_no_print,
)
from vision.tables.maps.space_pieces import space_corners
from vision.tables.place import Shot
from vision.tables.zone import SpaceReading

# A piece of hexagonal spaces may lie in six turns.
SIXTHS = 6

# Turns of a space that are read closely: the best of the coarse ranking.
LIKELY_TURNS = 2

# So many spaces are cut out at a time: the crops of all would be as large as three pictures.
TOGETHER = 64

# The same of those that are read closely: what is worked out of each was most of what one reading of a map held, and
# more at a time save none.
CLOSELY_TOGETHER = 12

# What is seen around a space, in sides of its square, so that the square is seen in all of its turns: its corners lie
# 0.71 from the middle, in the coarse ranking's widest placement 0.78, and print is blurred in from beyond that.
ALL_AROUND = 0.38

# A face is told by a first look where every other one, in any turn, is so many times as far off: of 1,620 spaces of 27
# rendered maps, 13 of them in rough rooms, half were told so, all rightly; of those that were likest another face, or
# lay in another turn, none came to more than 1.38.
PLAINLY_NEAREST, LEAST_MISFIT = 2.0, 1e-6

SIXTHS_DEG = tuple(60.0 * turn for turn in range(SIXTHS))

NO_PRINT = SpaceReading(None, 0, 0.0, 0.0)


class SpaceFaces:
    """Reads spaces of one picture. `book` knows the face of every space of every piece; `middles`: (2,) mm each."""

    def __init__(
        self, shot: Shot, book: FaceBook, middles: Mapping[Slot, np.ndarray], side_mm: float, thickness_mm: float
    ) -> None:
        self._image, self._book, self._middles, self._side_mm = shot.image, book, middles, side_mm
        self._plane = PosePlane(shot.pose, -thickness_mm)
        # the face of each learnt picture, of those that look the same the one that stands for them
        self._faces = np.array([book.group_numbers[owner] for owner in book.owners])
        self._misfits: dict[Slot, np.ndarray] = {}
        self._read: dict[tuple[Slot, int], SpaceReading] = {}

    def in_turn(self, wanted: Sequence[tuple[Slot, int]]) -> dict[tuple[Slot, int], SpaceReading]:
        """What is seen of each space in the one turn that is asked for, clear or not."""
        self._closely(list(dict.fromkeys(wanted)))
        return {one: self._read[one] for one in wanted}

    def in_turns(self, turns: Mapping[Slot, int]) -> dict[Slot, SpaceReading]:
        """The spaces that show a face without a doubt in the turn in which one lay there: print is like itself in one
        turn only, so that the others need not be looked at."""
        self._closely(list(turns.items()))
        read = {slot: self._read[slot, turn] for slot, turn in turns.items()}
        return {slot: one for slot, one in read.items() if one.is_clear}

    def read(self, slots: Sequence[Slot], most: float | None) -> dict[Slot, SpaceReading]:
        """The face in each space, the best of its six turns; `most`: misfit beyond which it is not read closely.

        All spaces are read in their likeliest turn first, together, since that takes much less time than one by one.
        """
        best = dict.fromkeys(slots, NO_PRINT)
        left: dict[Slot, list[int]] = {}
        printed = slots if most is None else self._printed(slots)
        self._rank(printed)
        for slot in printed:
            misfits = self._misfits[slot].min(axis=1)
            likely = np.argsort(misfits)[:LIKELY_TURNS].tolist()
            left[slot] = [turn for turn in likely if most is None or misfits[turn] <= most]
        for number in range(LIKELY_TURNS):
            left = {slot: turns for slot, turns in left.items() if len(turns) > number}
            self._closely([(slot, turns[number]) for slot, turns in left.items()])
            for slot, turns in list(left.items()):
                one = self._read[slot, turns[number]]
                if one.likeness > best[slot].likeness:
                    best[slot] = one
                if one.is_clear:
                    del left[slot]
        return best

    def at_a_glance(self, slots: Sequence[Slot], most: float) -> dict[Slot, tuple[Face, int]]:
        """The face and the turn of each space that a first look tells before it is aligned: its misfit is `most` at
        most, and that of no other face or turn is near. Only to bear out what another space has foretold."""
        self._rank(slots)
        out: dict[Slot, tuple[Face, int]] = {}
        for slot in slots:
            misfits = self._misfits[slot]
            turn, picture = divmod(int(misfits.argmin()), misfits.shape[1])
            same = np.zeros(misfits.shape, bool)
            same[turn] = self._faces == self._faces[picture]
            nearest = float(misfits[~same].min(initial=np.inf))
            least = float(misfits[turn, picture])
            if least <= most and nearest >= PLAINLY_NEAREST * max(least, LEAST_MISFIT):
                out[slot] = self._book.faces[self._faces[picture]], turn
        return out

    def misfit(self, slot: Slot, face: Face, turn: int) -> float:
        """How badly a face in one turn explains a space before it is aligned, 0 to 1; `face`: of those that look the
        same the one that stands for them."""
        self._rank([slot])
        return float(self._misfits[slot][turn, self._faces == self._book.faces.index(face)].min())

    def in_all_turns(self, slots: Collection[Slot]) -> dict[Slot, SpaceReading]:
        """The face in each space that is likest in any of its turns: what light of another colour does to print may put
        the right turn last in the coarse ranking, and a wrong one looks clear enough to be believed."""
        self._closely([(slot, turn) for slot in slots for turn in range(SIXTHS)])
        every = {slot: [self._read[slot, turn] for turn in range(SIXTHS)] for slot in slots}
        return {slot: max(turns, key=lambda one: one.likeness) for slot, turns in every.items()}

    def _printed(self, slots: Sequence[Slot]) -> list[Slot]:
        """The spaces that do not show one colour."""
        out: list[Slot] = []
        for first in range(0, len(slots), TOGETHER):
            some = slots[first : first + TOGETHER]
            squares = np.array([space_corners(self._middles[slot], self._side_mm) for slot in some])
            crops = self._plane.crops(self._image, squares, (FIRST_LOOK_PX, FIRST_LOOK_PX), 0.0)
            out += [slot for slot, crop in zip(some, crops, strict=True) if not shows_no_print(crop)]
        return out

    def _closely(self, wanted: Sequence[tuple[Slot, int]]) -> None:
        """Read spaces in one turn each, as far as they have not been."""
        new = [one for one in wanted if one not in self._read]
        for first in range(0, len(new), CLOSELY_TOGETHER):
            some = new[first : first + CLOSELY_TOGETHER]
            readings = identify_many(self._book, list(self._cut(some, CROP_PX)), margin=CROP_MARGIN, turns=(0,))
            for (slot, turn), reading in zip(some, readings, strict=True):
                self._read[slot, turn] = SpaceReading(
                    reading.alternatives[0][0], turn, reading.p, likeness_of(reading)
                )

    def _rank(self, slots: Sequence[Slot]) -> None:
        """Find out how badly every learnt picture explains spaces in each of the six turns before it is aligned, 0 to
        1, as far as that is not known: all turns are seen in one crop."""
        new = [slot for slot in slots if slot not in self._misfits]
        for first in range(0, len(new), TOGETHER):
            some = new[first : first + TOGETHER]
            crops = self._cut([(slot, 0) for slot in some], FIRST_LOOK_PX, ALL_AROUND)
            shares = [crop.astype(np.float32) / np.float32(255) for crop in crops]
            misfits = self._book.index.misfits_turned(shares, SIXTHS_DEG, ALL_AROUND)
            self._misfits.update(zip(some, misfits, strict=True))

    def _cut(self, spaces: Sequence[tuple[Slot, int]], area_px: int, margin: float = CROP_MARGIN) -> np.ndarray:
        """(N, h, w, 3) uint8: spaces, each in one turn."""
        squares = np.array([space_corners(self._middles[slot], self._side_mm, turn) for slot, turn in spaces])
        side_px = round(area_px * (1 + 2 * margin))
        return self._plane.crops(self._image, squares, (side_px, side_px), margin)
