"""Reads the gaps between the faces of one zone, and what stands there and hides of the faces beside it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from companion.core.types import Slot
from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.picture_light import PictureLight
from vision.appearance.twins.rematch import Doubt
from vision.locate.zones import in_picture
from vision.pieces.between_faces.gap_cover import hidden_beside
from vision.pieces.between_faces.gaps import GapReader, Gaps
from vision.pieces.residual import strange_shares
from vision.pieces.shapes import PieceModel
from vision.tables.changes import NEAR_MM
from vision.tables.face_at_place import UNLIKE_A_FACE
from vision.tables.light.faces_in_light import (
    BEYOND_DOUBT,
    FAR_FROM,
    STRANGE_CARD_P,
    STRANGE_IF_UNLIKE,
    FacesInLight,
    Places,
)
from vision.tables.place import GAP, TILE, PlaceReading, PlaceState, Shot
from vision.tables.zone import ZoneReading

# What lies in a place and was not recognised reaches so far beyond it.
UNKNOWN_GROWN_MM = 3.0


class ZoneGaps:
    """The gaps of a zone in order, `slots`; `ring` (H, W) bool: the window beyond all its places."""

    def __init__(self, slots: Sequence[Slot], window: Window, in_light: FacesInLight, ring: np.ndarray) -> None:
        self.slots, self.window, self.in_light, self.ring = tuple(slots), window, in_light, ring
        self.places_mm = in_light.places_mm
        gaps = [self.places_mm[slot] for slot in self.slots]
        self.reader = GapReader(window, gaps, in_light.colours, in_light.layout)

    def read(
        self,
        shot: Shot,
        seen: np.ndarray,
        places: Places,
        canvas: Canvas | None,
        light_elsewhere: Callable[[], PictureLight | None],
        before: ZoneReading | None,
        due: Collection[Slot],
    ) -> tuple[Gaps | None, Places]:
        """The gaps with their pieces, unknown where neither the zone nor the rest of the picture tells the light.

        `places`: the zone's faces; `canvas`: these. See `PlaceReader.read`.
        """
        if canvas is None:
            light = light_elsewhere()
            if light is None:
                unlit = (PlaceReading(slot, GAP, PlaceState.UNKNOWN, pieces_p=0.0) for slot in self.slots)
                return None, {one.slot: one for one in unlit}
            canvas = Canvas.without_faces(seen, self.window, light)
        not_seen = (PlaceState.UNKNOWN, PlaceState.COVERED)
        edged = {slot: one for slot, one in places.items() if _has_edges(one)}
        strange = [self.places_mm[s] for s, one in places.items() if one.state in not_seen and s not in edged]
        strange += [self.places_mm[slot] for slot in self.slots if slot in shot.covered]
        unknown = self.window.mask(strange, UNKNOWN_GROWN_MM)
        if edged:
            canvas, unlike = self._with_likely_prints(seen, canvas, edged)
            unknown |= unlike
        old = before.gaps if before is not None else None
        numbers = self._due(places, before, due) if old is not None else ()
        gaps = old
        if old is None or numbers:
            gaps = self.reader.read(canvas, self._ring(seen), unknown, shot.eye_mm, old, numbers)
        assert gaps is not None
        found = {}
        for slot, gap in zip(self.slots, gaps.readings, strict=True):
            if not in_picture(shot.image, shot.pose, self.places_mm[slot]):
                found[slot] = PlaceReading(slot, GAP, PlaceState.OUTSIDE)
            elif slot in shot.covered:
                found[slot] = PlaceReading(slot, GAP, PlaceState.COVERED)
            else:
                found[slot] = PlaceReading(
                    slot, GAP, PlaceState.EMPTY, p=1.0, pieces=gap.counts, pieces_p=gap.p, found=gap.pieces,
                    doubted=gap.doubted,
                )  # fmt: skip
        return gaps, found

    def faces_beside(
        self, shot: Shot, seen: np.ndarray, places: Places, slots: Collection[Slot], gaps: Gaps, canvas: Canvas
    ) -> Places:
        """Those of the cards in `slots` that pieces in the gaps hide or shade a part of, compared anew by the rest: the
        edge of a shadow over a sign looks like another sign.

        `places`: as they were read before the pieces were known. `canvas`: tells the light.
        """
        pieces = [piece for gap in gaps.readings for piece in gap.pieces]
        doubtful = {slot: places[slot] for slot in slots if _may_be_another(places[slot])}
        if not pieces or not doubtful:
            return {}
        size = self.in_light.layout
        piece = PieceModel(size.piece_side_mm, 0.0, shot.eye_mm, size.piece_height_mm, size.piece_shape)
        hidden = hidden_beside(self.window, pieces, piece, gaps.cast)
        doubts = {
            slot: Doubt(self.in_light.placed(one, one.likeliest), one.alternatives, hidden, bare=False)
            for slot, one in doubtful.items()
            if one.corners_mm is not None and hidden[self.window.mask([one.corners_mm], 0.0)].any()
        }
        ranked = self.in_light.cards(seen, canvas, doubts)
        return {slot: doubtful[slot].named(chances) for slot, chances in ranked.items()}

    def canvas_again(self, seen: np.ndarray, places: Places, before: ZoneReading) -> Canvas | None:
        """The canvas of an earlier reading with what is seen now; composed anew when other faces lie there."""
        if before.canvas is None:
            return None
        now = {slot: one for slot, one in places.items() if one.state is PlaceState.FACE}
        same = [
            slot
            for slot, one in now.items()
            if one.lies_as(before.places[slot])
        ]
        if len(same) == len(now) == len(before.canvas.faces):
            return replace(before.canvas, seen=seen.astype(np.float32))
        if not now:
            return None
        laid = [self.in_light.placed(one, one.likeliest) for one in now.values()]
        return compose(seen, self.window, laid, before.canvas.light)

    def _with_likely_prints(self, seen: np.ndarray, canvas: Canvas, cards: Places) -> tuple[Canvas, np.ndarray]:
        """The canvas with cards of unknown names, and (H, W) bool, those of them that no likely print explains.

        Of such a card each pixel is held against that of its likely faces which explains it best: what leans over it
        speaks for a piece where none of them does. Where nothing on the card is explained its edges are known alone.
        """
        known, likely = len(canvas.faces), [one.likely_faces for one in cards.values()]
        laid = [self.in_light.placed(one, faces[0]) for one, faces in zip(cards.values(), likely, strict=True)]
        levels = dict(enumerate(canvas.face_levels))
        best = compose(seen, self.window, [*canvas.faces, *laid], canvas.light, frozenset(range(known)), levels=levels)
        fitted, levels = frozenset(range(len(best.faces))), dict(enumerate(best.face_levels))
        off = np.abs(best.seen - best.bare).sum(-1)
        for rank in range(1, max(map(len, likely))):
            others = [
                replace(place, scan=self.in_light.faces.scans[faces[min(rank, len(faces) - 1)]])
                for place, faces in zip(best.faces[known:], likely, strict=True)
            ]
            other = compose(seen, self.window, [*canvas.faces, *others], canvas.light, fitted, levels=levels)
            apart = np.abs(other.seen - other.bare).sum(-1)
            nearer = apart < off
            off[nearer] = apart[nearer]
            best.bare[nearer], best.slack[nearer] = other.bare[nearer], other.slack[nearer]
        strange = np.flatnonzero(strange_shares(best)[known:] > STRANGE_IF_UNLIKE) + known
        return best, np.isin(best.label, strange)

    def _due(self, places: Places, before: ZoneReading | None, due: Iterable[Slot]) -> set[int]:
        """The numbers of the gaps that are read: those due, and those beside a place in which something else lies."""
        assert before is not None
        other = [slot for slot, one in places.items() if one.face != before.places[slot].face]
        boxes = [self.window.part(self.window.box(self.places_mm[slot], NEAR_MM)) for slot in other]
        wanted = set(due)
        return {
            number
            for number, slot in enumerate(self.slots)
            if slot in wanted or any(box.touches(self.places_mm[slot]) for box in boxes)
        }

    def _ring(self, seen: np.ndarray) -> np.ndarray:
        """(H, W) bool: the bare table around the zone, as far as it is in the picture; outside of it all is black."""
        return np.asarray(self.ring & ((seen[..., 0] | seen[..., 1] | seen[..., 2]) > 0))


def _may_be_another(one: PlaceReading) -> bool:
    """Whether a card may be another one than it was taken for; nothing is told of what looks like none."""
    if one.holds == TILE or len(one.alternatives) < 2 or one.p >= BEYOND_DOUBT:
        return False
    return one.state is PlaceState.FACE or (one.state is PlaceState.UNKNOWN and one.p > STRANGE_CARD_P)


def _has_edges(one: PlaceReading) -> bool:
    """Whether a card without a name was found where some face fits it, so that its edges are known."""
    if one.state is not PlaceState.UNKNOWN or one.corners_mm is None or not one.alternatives:
        return False
    return one.likeness >= FAR_FROM * UNLIKE_A_FACE
