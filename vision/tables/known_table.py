"""What was agreed to lie in the places of a followed table, and how they looked then: later readings are told by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.core.layout import SlotView, TableLayout
from companion.core.types import Face, Slot
from vision.appearance.picture_light import PieceColours
from vision.locate.pose import NotLocated, TablePose
from vision.pieces.finder import FoundPiece
from vision.tables.again.difference import SAME_PRINT, DifferenceReader, KnownPlace, PlaceDifference
from vision.tables.place import SURE, TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading
from vision.tables.zone import ZoneReading

# What is compared around one place: the lean and the shadow of a piece at its edge.
AROUND_PLACE_MM = 22.0

# Probability of a comparison below which it says nothing beside the reading of the picture alone.
LEAST_TOLD = 0.5

# No comparison is believed more: what was agreed before may have been wrong; sooner so where it was agreed because
# nothing spoke against it, and not because it was surely read. The first is also how surely nothing has come to a place
# that was not read again, for it looks as it did then: of 281 changes in five rendered rough films none was overlooked.
SUREST, UNSEEN = 0.99, 0.9

# A reading of one picture alone that is less sure says nothing beside a comparison.
TELLS_NOTHING = 0.25

# So many tiles that show other print than before at once are a hand that nobody noticed: people exchange two at most.
# The next picture that shows the same counts, so that no table stays unread.
REACHED_OVER = 3

# Probability that the face of a place that looks as before is the agreed one, where the picture alone names another one
# for sure, and where it does not.
FACE_DISPUTED_P, FACE_P = 0.9, SUREST

# So many more pictures than bear out the agreed name of a tile, the one in which it was agreed among them, must surely
# name it otherwise before that is told: one or two may be in error, but the agreed name may be as well.
NAMED_OTHERWISE = 2


@dataclass
class KnownTable:
    """Remembers tiles as they were last agreed upon, for readings of the same view. One thread calls it."""

    layout: TableLayout
    colours: PieceColours
    _known: dict[Slot, KnownPlace] = field(default_factory=dict, init=False)
    _last: TableReading | None = field(default=None, init=False)
    _compared: dict[Slot, PlaceDifference] = field(default_factory=dict, init=False)
    _named: dict[Slot, Counter[Face]] = field(default_factory=dict, init=False)
    """How many pictures alone surely named each known tile so, since it lies there."""
    _counted: dict[Slot, PlaceReading] = field(default_factory=dict, init=False)
    """The last of them: of what has not changed, a later picture only repeats it."""
    _agreed_as: dict[Slot, PlaceReading] = field(default_factory=dict, init=False)
    """The readings that surely showed what was agreed. A place that has not changed keeps its reading."""
    _void: bool = field(default=False, init=False)
    """Whether the last picture was taken for one with a hand in it."""

    def __post_init__(self) -> None:
        self._differences = DifferenceReader(self.layout, self.colours)
        self._tiles = {o.slot: np.array(o.corners_mm, float) for o in self.layout.slots if o.holds == TILE}

    def beside(self, reading: TableReading, agreed: Mapping[Slot, SlotView]) -> TableReading:
        """`reading`, with the places that can be compared with how they looked when it was agreed what lay there.

        `agreed`: what the last picture that was given here was agreed to show, by slot; slots in dispute are left out.
        """
        self._agree(agreed)
        if not self._tiles or reading.hand or isinstance(reading.pose, NotLocated):
            return reading
        self._compared = {}
        told = {}
        for zone in reading.zones:
            for one in zone.places.values():
                difference = self._difference(reading.pose, zone, one)
                self._count(one, difference)
                if difference is not None:
                    self._compared[one.slot] = difference
                    told[one.slot] = told_by(one, self._known[one.slot], difference, self._otherwise(one.slot))
                elif one is self._agreed_as.get(one.slot):
                    told[one.slot] = replace(one, pieces_p=max(one.pieces_p, SUREST))
        strange = sum(one.same_print < SAME_PRINT for one in self._compared.values())
        self._void = strange >= REACHED_OVER and not self._void
        if self._void:
            return replace(reading, hand=True)
        self._last = replace(reading, places=tuple(told.get(one.slot, one) for one in reading.places))
        return self._last

    def _difference(self, pose: TablePose, zone: ZoneReading, one: PlaceReading) -> PlaceDifference | None:
        """How a place differs from how it looked before; None where nothing tells."""
        known = self._known.get(one.slot)
        if known is None or zone.canvas is None or not one.is_readable or _is_as_known(one, known):
            return None
        x, y = zone.window.to_px(known.corners_mm.mean(0)).astype(int).tolist()
        number = int(zone.canvas.label[y, x])
        level = 1.0 if number < 0 else zone.canvas.face_levels[number]
        box = zone.window.box(known.place_mm, AROUND_PLACE_MM)
        eye = pose.eye_mm.tolist()
        another = one.state is PlaceState.FACE and one.face != known.face
        lies = None if another else one.corners_mm
        return self._differences.read(
            known, zone.seen_bgr[box], zone.canvas.light, level, (eye[0], eye[1], eye[2]), lies, one.found
        )

    def _count(self, one: PlaceReading, difference: PlaceDifference | None) -> None:
        """Count the name that a picture alone surely gives to the tile that was known to lie there."""
        known = self._known.get(one.slot)
        if known is None or one.face is None or not one.is_sure or one is self._counted.get(one.slot):
            return
        if one.face == known.face or (difference is not None and _is_same_tile(difference)):
            self._counted[one.slot] = one
            self._named[one.slot][one.face] += 1

    def _otherwise(self, slot: Slot) -> Face | None:
        """What most pictures name a known tile, where that is another face than was agreed."""
        names = self._named[slot]
        face, pictures = names.most_common(1)[0]
        return face if pictures >= names[self._known[slot].face] + NAMED_OTHERWISE else None

    def _agree(self, agreed: Mapping[Slot, SlotView]) -> None:
        """Take down how the last picture showed what it is agreed to show.

        Where it was not sure by itself, what was taken down before stays, so that no piece comes in unnoticed; where a
        face was moved it is of no use.
        """
        last, self._last = self._last, None
        if last is None:
            return
        self._agreed_as.clear()
        for zone in last.zones:
            for one in zone.places.values():
                if one.slot not in agreed or one.slot not in self._tiles or not one.is_readable:
                    continue
                view, known = agreed[one.slot], self._known.get(one.slot)
                if view.face is None:
                    self._known.pop(one.slot, None)
                    continue
                same = known is not None and (known.face, known.pieces) == (view.face, view.pieces)
                told = last.at(one.slot)
                if told.is_sure and (told.face, told.pieces) == (view.face, view.pieces) == (one.face, one.pieces):
                    self._agreed_as[one.slot] = one
                if known is None or known.face != view.face:
                    self._named[one.slot] = Counter([view.face])
                elif told.is_sure and told.face not in (None, view.face):
                    # people hold to it: it takes more pictures than before to ask them again
                    self._named[one.slot] = Counter({view.face: self._named[one.slot].total()})
                sure = told.pieces == view.pieces and told.pieces_p >= SURE
                compared = self._compared.get(one.slot)
                moved = compared is not None and compared.same_print < SAME_PRINT
                if same and not sure and not moved:
                    continue
                place = self._tiles[one.slot]
                box = zone.window.box(place, AROUND_PLACE_MM)
                ways = (told.found, one.found, known.found if same and known is not None else ())
                corners = place if one.corners_mm is None else one.corners_mm
                self._known[one.slot] = KnownPlace(
                    view.face, view.pieces, standing_of(view.pieces, ways), zone.window.part(box),
                    zone.seen_bgr[box].copy(), corners, place, SUREST if sure else UNSEEN,
                )  # fmt: skip


def _is_as_known(one: PlaceReading, known: KnownPlace) -> bool:
    """Whether the picture alone surely shows what was known: then nothing is left to be told."""
    return one.is_sure and one.face == known.face and one.pieces == known.pieces


def standing_of(
    pieces: tuple[tuple[str, int], ...], ways: Sequence[tuple[FoundPiece, ...]]
) -> tuple[FoundPiece, ...]:
    """Where most of the agreed pieces stand, by one of the `ways` they were found: none that found one too many."""
    fits = (way for way in ways if not Counter(one.colour for one in way) - Counter(dict(pieces)))
    return max(fits, key=len, default=())


def _is_same_tile(difference: PlaceDifference) -> bool:
    """Whether a place shows the print that was known to lie there."""
    return difference.p >= LEAST_TOLD and difference.same_print >= SAME_PRINT


def told_by(
    one: PlaceReading, known: KnownPlace, difference: PlaceDifference, otherwise: Face | None = None
) -> PlaceReading:
    """The reading of a place in one picture alone, weighed with its difference from how it looked before.

    `otherwise`: what so many pictures name the tile that the agreed name must have been wrong. A comparison that tells
    nothing as a whole may tell of one piece that it has not come: print in its colour, in another light.
    """
    p_told, p_alone = min(difference.p, SUREST), min(one.pieces_p, SUREST)
    if p_told < LEAST_TOLD:
        return replace(one, pieces_p=min(one.pieces_p, LEAST_TOLD)) if difference.unborne else one
    face, face_p = known.face, FACE_P
    other = one.face if one.state is PlaceState.FACE and one.face != known.face else None
    if otherwise is not None:
        face, other = otherwise, known.face
    elif other is not None:
        face_p = FACE_DISPUTED_P
    named = ((face, face_p),) if other is None else ((face, face_p), (other, 1.0 - face_p))
    out = replace(
        one, state=PlaceState.FACE, face=face, p=face_p, alternatives=named, pieces=difference.pieces,
        found=difference.found, corners_mm=known.corners_mm if one.corners_mm is None else one.corners_mm,
    )  # fmt: skip
    if one.state is PlaceState.EMPTY or one.pieces == difference.pieces:
        return replace(out, pieces_p=1.0 - (1.0 - p_told) * (1.0 - p_alone))
    if p_alone <= TELLS_NOTHING:
        return replace(out, pieces_p=p_told)
    p_told = min(p_told, known.p)
    told, alone, neither = p_told * (1.0 - p_alone), p_alone * (1.0 - p_told), (1.0 - p_told) * (1.0 - p_alone)
    if told >= alone:
        return replace(out, pieces_p=told / (told + alone + neither))
    return replace(out, pieces=one.pieces, found=one.found, pieces_p=alone / (told + alone + neither))
