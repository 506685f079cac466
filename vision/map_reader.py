"""Reads a map of spaces on which pieces of several spaces lie: which piece, from which space on, turned by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Face, Slot
from vision.canvas import Window
from vision.faces.book import FaceBook
from vision.grid import ACCEPTED, CROP_MARGIN, CROP_PX, EMPTY_P
from vision.place import LIKE_A_FACE, NOTHING_LIKE_IT, likeness_of
from vision.pose import TablePose
from vision.rectify import rectify, square_mm
from vision.surroundings import Surroundings
from vision.table_zones import in_picture
from vision.zone import SlotSeen, SlotState

SIXTHS = 6
"""A piece of hexagonal spaces may lie in six turns."""

SQUARE_SIDES = 1.24
"""Side of the square that is looked at within a hexagon, in sides of the hexagon: the largest has 1.27."""

LIKELY_TURNS = 2
"""Turns of a space that are looked at closely: the best of the coarse ranking."""

STEP_SIDES = 1.9
"""Spaces whose middles are nearer than this, in sides, are neighbours: a step is 1.73. Beside a printed space every
space is looked at closely, whatever the coarse ranking says: a token may hide much of it."""

SAME_PLACE_MM = 6.0
"""A space of a piece belongs to the slot whose middle is this near: pieces lie some mm off."""

SPACES_AGREE = 2
"""So many spaces of a piece must be recognised for it to be named without a doubt."""


@dataclass(frozen=True, slots=True)
class SpacePiece:
    """A piece of several spaces: the face of each, and (N, 2) mm of their middles from the first, the piece upright."""

    name: Face
    faces: tuple[Face, ...]
    middles_mm: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Space:
    """What is seen in one space: its face, how far it is turned, how sure, and how much it looks like a face at all."""

    face: Face | None
    turn: int
    p: float
    likeness: float


class MapReader:
    """Reads the spaces of a map. `book` knows the face of every space of every piece, cut as `space_square` cuts."""

    def __init__(
        self, outlines: Sequence[SlotOutline], pieces: Sequence[SpacePiece], book: FaceBook, thickness_mm: float
    ) -> None:
        self.book, self.thickness_mm = book, thickness_mm
        self.middles = {o.slot: np.mean(o.corners_mm, axis=0) for o in outlines}
        self.holds = {o.slot: o.holds for o in outlines}
        corners = np.array(outlines[0].corners_mm)
        self.side_mm = float(np.linalg.norm(corners[1] - corners[0]))
        self.pieces = {piece.name: piece for piece in pieces}
        same = dict(zip(book.faces, (book.faces[k] for k in book.group_numbers), strict=True))
        self._owners: dict[Face, list[tuple[Face, int]]] = {}
        for piece in pieces:
            for number, face in enumerate(piece.faces):
                self._owners.setdefault(same[face], []).append((piece.name, number))

    def read(self, image: np.ndarray, pose: TablePose, covered: frozenset[Slot]) -> dict[Slot, SlotSeen]:
        """Every slot: a piece is told in the slot of its first space, its other spaces hold no face of their own.

        `image` (H, W, 3) uint8 BGR. The turn of a piece is counted in sixths clockwise.
        """
        slots: dict[Slot, SlotSeen] = {}
        spaces: dict[Slot, _Space] = {}
        for slot, middle in self.middles.items():
            if not in_picture(image, pose, self._square(middle, 0.0)):
                slots[slot] = SlotSeen(slot, self.holds[slot], SlotState.OUTSIDE)
            elif slot in covered:
                slots[slot] = SlotSeen(slot, self.holds[slot], SlotState.COVERED)
            else:
                spaces[slot] = self._space(image, pose, middle, NOTHING_LIKE_IT)
        for slot in self._beside_known(spaces):
            spaces[slot] = self._space(image, pose, self.middles[slot], None)
        used = self._pieces(spaces, slots)
        self._rest(image, pose, spaces, used, slots)
        return slots

    def _square(self, middle: np.ndarray, turn_deg: float) -> np.ndarray:
        return square_mm((float(middle[0]), float(middle[1])), self.side_mm * SQUARE_SIDES, turn_deg)

    def _beside_known(self, spaces: Mapping[Slot, _Space]) -> list[Slot]:
        """The spaces passed over that lie beside one that shows a face: pieces have several, and lie together."""
        known = [self.middles[slot] for slot, space in spaces.items() if space.likeness >= LIKE_A_FACE]
        return [
            slot
            for slot, space in spaces.items()
            if space.face is None
            and any(np.linalg.norm(self.middles[slot] - middle) < STEP_SIDES * self.side_mm for middle in known)
        ]

    def _space(self, image: np.ndarray, pose: TablePose, middle: np.ndarray, most: float | None) -> _Space:
        """The face in one space, the best of its six turns; `most`: misfit beyond which it is not looked at closely."""
        size = round(CROP_PX * (1 + 2 * CROP_MARGIN))
        crops = [
            rectify(image, pose, self._square(middle, 60.0 * turn), -self.thickness_mm, size, CROP_MARGIN)
            for turn in range(SIXTHS)
        ]
        misfit = [
            float(self.book.index.rank(crop.astype(np.float32) / np.float32(255), (0,), CROP_MARGIN)[0].min())
            for crop in crops
        ]
        best = _Space(None, 0, 0.0, 0.0)
        for turn in np.argsort(misfit)[:LIKELY_TURNS]:
            if most is not None and misfit[turn] > most:
                break
            reading = self.book.identify(crops[turn], margin=CROP_MARGIN, turns=(0,))
            likeness = likeness_of(reading)
            if likeness > best.likeness:
                best = _Space(reading.alternatives[0][0], int(turn), reading.p, likeness)
        return best

    def _pieces(self, spaces: Mapping[Slot, _Space], slots: dict[Slot, SlotSeen]) -> set[Slot]:
        """Put the pieces that the spaces add up to into `slots`; which slots they lie on."""
        votes: dict[tuple[Face, Slot, int], list[Slot]] = {}
        for slot, space in spaces.items():
            if space.face is None or space.likeness < LIKE_A_FACE:
                continue
            for name, number in self._owners[space.face]:
                off = _turned(self.pieces[name].middles_mm[number], space.turn)
                anchor = self._slot_at(self.middles[slot] - off)
                if anchor is not None:
                    votes.setdefault((name, anchor, space.turn), []).append(slot)
        used: set[Slot] = set()
        by_weight = sorted(votes, key=lambda k: (-len(votes[k]), -sum(spaces[s].p for s in votes[k]), k))
        for key in by_weight:
            name, anchor, turn = key
            here = self._lies_on(self.pieces[name], anchor, turn)
            if used & {anchor, *(place for place in here if place is not None)}:
                continue
            p = self._probability([spaces[s] for s in votes[key]], here, spaces)
            known = p >= ACCEPTED
            slots[anchor] = SlotSeen(
                anchor, self.holds[anchor], SlotState.FACE if known else SlotState.UNKNOWN,
                name if known else None, p, turn, ((name, p),),
            )  # fmt: skip
            for place in (place for place in here if place is not None):
                used.add(place)
                if place not in slots:
                    slots[place] = SlotSeen(place, self.holds[place], SlotState.EMPTY, p=p)
        return used

    def _probability(
        self, agreeing: Sequence[_Space], here: Sequence[Slot | None], spaces: Mapping[Slot, _Space]
    ) -> float:
        """That the piece lies there: all its spaces would have to be misread alike; one alone is believed to a half."""
        wrong = float(np.prod([1.0 - min(s.p, 0.999) for s in agreeing]))
        if len(agreeing) < min(SPACES_AGREE, len(here)):
            return min(0.5, 1.0 - wrong)
        for place in here:  # a space that clearly shows something else speaks against it
            other = spaces.get(place) if place is not None else None
            if other is not None and other not in agreeing and other.likeness >= LIKE_A_FACE and other.p >= ACCEPTED:
                wrong = max(wrong, 0.5)
        return 1.0 - wrong

    def _lies_on(self, piece: SpacePiece, anchor: Slot, turn: int) -> list[Slot | None]:
        return [self._slot_at(self.middles[anchor] + _turned(middle, turn)) for middle in piece.middles_mm]

    def _slot_at(self, middle: np.ndarray) -> Slot | None:
        slot = min(self.middles, key=lambda name: float(np.linalg.norm(self.middles[name] - middle)))
        return slot if np.linalg.norm(self.middles[slot] - middle) < SAME_PLACE_MM else None

    def _rest(
        self,
        image: np.ndarray,
        pose: TablePose,
        spaces: Mapping[Slot, _Space],
        used: set[Slot],
        slots: dict[Slot, SlotSeen],
    ) -> None:
        """The spaces without a piece: empty where they look like the table around the pieces, else unknown."""
        free = [slot for slot in spaces if slot not in used and slot not in slots]
        if not free:
            return
        around = self._around(image, pose, [slot for slot in spaces if slot in used])
        for slot in free:
            space, square = spaces[slot], self._square(self.middles[slot], 0.0)
            seen = SlotSeen(slot, self.holds[slot], SlotState.UNKNOWN, likeness=space.likeness)
            if space.face is not None and space.likeness >= LIKE_A_FACE:
                seen = replace(seen, alternatives=((space.face, min(space.p, 0.5)),), turn=space.turn)
            elif around.is_empty(square):
                seen = replace(seen, state=SlotState.EMPTY, p=EMPTY_P)
            slots[slot] = seen

    def _around(self, image: np.ndarray, pose: TablePose, laid: Sequence[Slot]) -> Surroundings:
        """The look of the table beside the pieces (or of all that is seen, when there is none)."""
        visible = [self._square(m, 0.0) for m in self.middles.values() if in_picture(image, pose, self._square(m, 0.0))]
        window = Window.around(np.vstack(visible), self.side_mm)
        seen = rectify(image, pose, window.corners_mm, 0.0, (window.width_px, window.height_px))
        places = [self._square(self.middles[slot], 0.0) for slot in laid]
        corner = window.corners_mm[0]
        return Surroundings(seen, window, places or [square_mm((float(corner[0]), float(corner[1])), 1.0)])


def space_square(picture: np.ndarray, side_px: float) -> np.ndarray:
    """The square in the middle of a picture (H, W, 3) of a hexagonal space with sides of `side_px`, as a face."""
    height, width = picture.shape[:2]
    half = side_px * SQUARE_SIDES / 2
    rows = slice(round(height / 2 - half), round(height / 2 + half))
    return np.ascontiguousarray(picture[rows, round(width / 2 - half) : round(width / 2 + half)])


def _turned(middle_mm: tuple[float, float], turn: int) -> np.ndarray:
    """(2,) a place turned clockwise (as seen from above) by so many sixths."""
    angle = np.deg2rad(60.0 * turn)
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = middle_mm
    return np.array([cos * x - sin * y, sin * x + cos * y])
