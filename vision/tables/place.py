"""What is seen in one place of a table, in the same words for every layout."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from companion.core.inputs import PieceReading, Sight, SlotReading
from companion.core.types import Face, Slot
from vision.faces.copies import shared_out, too_many
from vision.locate.pose import TablePose
from vision.pieces.finder import FoundPiece
from vision.pieces.probability import Counted

# Probability from which a face is named: with readings as honest as they claim, one in a thousand is wrong.
ACCEPTED = 0.9

# Probability left to a face that is named more often than the box has copies.
TWICE_P = 0.3

# Probability below which a count of pieces or a board is shown to a person instead of being believed.
SURE = 0.9

# Probability of an empty place: nine tenths of it looked like the table beside it, and no face was found there.
EMPTY_P = 0.995

# A face that is aligned anew to the same print comes to lie this near to where it lay.
UNMOVED_MM = 0.5

# What a slot holds (see `SlotOutline`): a face and the pieces on it, a face only, pieces only, a space of a map.
TILE, CARD, GAP, LOCATION = "tile", "card", "gap", "location"


Laid = tuple[Slot, Face, int]
"""A tile of several spaces: the slot of its first space, its name, and its turn in sixths clockwise."""


class PlaceState(Enum):
    """What is known of a place."""

    FACE = "face"
    EMPTY = "empty"  # no face: bare table, or a gap
    UNKNOWN = "unknown"  # seen, not recognised
    COVERED = "covered"  # a hand or a shield lies over it
    OUTSIDE = "outside"  # not in the picture, or not wholly


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture (H, W, 3) uint8 BGR of a table at a known pose.

    `covered`: slots under a hand, which are left unread. `in_way`: those that may be under one that rests before them:
    of a map what surely shows its print is believed of these, and nothing else. `laid`: the tiles of several spaces
    that lay on the table before, each with its first slot and its turn in sixths. `earlier`: the last reading of a map
    in this view, whatever the light was.
    """

    image: np.ndarray
    pose: TablePose
    covered: frozenset[Slot] = frozenset()
    laid: tuple[Laid, ...] = ()
    earlier: EarlierReading | None = None
    in_way: frozenset[Slot] = frozenset()

    @property
    def eye_mm(self) -> tuple[float, float, float]:
        """Where the camera is, table mm."""
        x, y, z = self.pose.eye_mm.tolist()
        return x, y, z


@dataclass(frozen=True, slots=True, eq=False)
class EarlierReading:
    """An earlier reading of a map: what was seen, (H, W, 3) uint8 BGR from above, its places with the pieces that were
    agreed to lie there, and its tiles."""

    seen_bgr: np.ndarray
    places: Mapping[Slot, PlaceReading]
    laid: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What is seen in a place: its state, face with probability and turn, pieces with theirs.

    `slot` is empty for a face that may lie anywhere. `turn`: quarter turns clockwise (sixths for a location).
    `alternatives`: (face, probability), best first. `pieces`: (colour, count) sorted by colour; `pieces_p`:
    probability that all counts are right, if the face is, or differs little. `likeness`: how much what lies there
    looks like a face at all (see `vision.tables.face_at_place`). `corners_mm` (4, 2): where the upright piece's corners
    lie, table mm. `found`: where each piece stands; `counted`: what `pieces_p` rests on. `doubted`:
    (colour, probability that its count is right) of colours that might not show there; `pieces_p` holds them too.
    `burnt_out`: whether the face is too bright for the picture to be named. `shows_print`: whether a space of a map
    surely shows the print of its tile wherever no piece stands on it.
    """

    slot: Slot
    holds: str
    state: PlaceState
    face: Face | None = None
    p: float = 0.0
    turn: int | None = None
    alternatives: tuple[tuple[Face, float], ...] = ()
    pieces: tuple[tuple[str, int], ...] = ()
    pieces_p: float = 1.0
    likeness: float = 0.0
    corners_mm: np.ndarray | None = None
    found: tuple[FoundPiece, ...] = ()
    counted: Counted | None = None
    doubted: tuple[tuple[str, float], ...] = ()
    burnt_out: bool = False
    shows_print: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether what was read need not be shown to a person."""
        return self.state in (PlaceState.FACE, PlaceState.EMPTY) and self.pieces_p >= SURE

    @property
    def is_readable(self) -> bool:
        """Whether the place can be seen in the picture."""
        return self.state not in (PlaceState.COVERED, PlaceState.OUTSIDE)

    @property
    def likeliest(self) -> Face:
        """The face that lies there, or the likeliest one. Raises IndexError where none was tried."""
        return self.face or self.alternatives[0][0]

    @property
    def likely_faces(self) -> tuple[Face, ...]:
        """The face that lies there, or the likeliest ones, best first: so many that one would be named that is as
        likely as all of them together. None where none was tried."""
        if self.face is not None or not self.alternatives:
            return () if self.face is None else (self.face,)
        chances = np.cumsum([p for _, p in self.alternatives])
        enough = int(np.searchsorted(chances, ACCEPTED * chances[-1])) + 1
        return tuple(face for face, _ in self.alternatives[:enough])

    def named(self, ranked: tuple[tuple[Face, float], ...]) -> PlaceReading:
        """The same place with the faces weighed anew, (face, probability) best first: named only above ACCEPTED."""
        face, p = ranked[0]
        if p < ACCEPTED:
            return replace(self, state=PlaceState.UNKNOWN, face=None, p=p, alternatives=ranked)
        return replace(self, state=PlaceState.FACE, face=face, p=p, alternatives=ranked)

    def lies_as(self, before: PlaceReading) -> bool:
        """Whether the same face lies where it lay before."""
        return self.face == before.face and self.is_unmoved(before)

    def is_unmoved(self, before: PlaceReading, within_mm: float = UNMOVED_MM) -> bool:
        """Whether a face lies where one lay before, whichever it is."""
        if self.corners_mm is None or before.corners_mm is None:
            return False
        return bool(np.abs(self.corners_mm - before.corners_mm).max() < within_mm)

    def bearing(self, before: PlaceReading) -> PlaceReading:
        """The same place with the pieces that were read there before, as sure as they were."""
        return replace(
            self, pieces=before.pieces, pieces_p=before.pieces_p, found=before.found, doubted=before.doubted,
            shows_print=before.shows_print,
        )

    def in_doubt(self, at_most: float) -> PlaceReading:
        """The same place without a name, its probability `at_most` this."""
        return replace(self, state=PlaceState.UNKNOWN, face=None, p=min(self.p, at_most))

    def slot_reading(self) -> SlotReading:
        """The place in the words that every part shares: log-probabilities of its faces, counts of its pieces."""
        if self.state is PlaceState.OUTSIDE:
            return SlotReading(self.slot, Sight.OUTSIDE)
        if self.state is PlaceState.COVERED:
            return SlotReading(self.slot, Sight.COVERED)
        pieces = tuple(PieceReading(colour, count, self.pieces_p) for colour, count in self.pieces)
        if self.state is PlaceState.EMPTY:
            empty = ((None, math.log(self.p)),)
            return SlotReading(self.slot, Sight.SEEN, empty, None, pieces, self.pieces_p, self.doubted)
        # a face that was not accepted keeps its share of what the reader believes at all
        scale = 1.0 if self.state is PlaceState.FACE else min(1.0, self.p)
        faces = tuple((face, math.log(max(p * scale, 1e-12))) for face, p in self.alternatives)
        return SlotReading(
            self.slot, Sight.SEEN, faces, self.turn, pieces, self.pieces_p, self.doubted, self.burnt_out
        )


def within_box(places: Mapping[Slot, PlaceReading], copies: Mapping[Face, int]) -> dict[Slot, PlaceReading]:
    """The places with doubtful faces told by what the box leaves for all of them together, and what is named more often
    than the box has `copies` of it in doubt."""
    twice = too_many((one.face for one in places.values() if one.state is PlaceState.FACE and one.face), copies)
    out = {slot: one.in_doubt(TWICE_P) if one.face in twice else one for slot, one in places.items()}
    told = [slot for slot, one in places.items() if one.face or (one.state is PlaceState.UNKNOWN and one.p > TWICE_P)]
    if not copies or all(places[slot].face for slot in told):
        return out
    together = shared_out([_chances(places[slot]) for slot in told], copies)
    for slot, chances in zip(told, together, strict=True):
        if places[slot].state is PlaceState.UNKNOWN and chances and chances[0][1] >= ACCEPTED:
            out[slot] = places[slot].named(chances)
    return out


def _chances(one: PlaceReading) -> tuple[tuple[Face, float], ...]:
    """What may lie in a place: a face that is named has the probability that it was given, and of one that was put in
    doubt none is likelier than that: what the box holds tells nothing of why."""
    if one.face is None and one.alternatives and one.p < one.alternatives[0][1]:
        return tuple((face, p * one.p / one.alternatives[0][1]) for face, p in one.alternatives)
    if one.face is None or (one.alternatives and one.alternatives[0] == (one.face, one.p)):
        return one.alternatives
    return ((one.face, one.p), *((face, p) for face, p in one.alternatives if face != one.face))
