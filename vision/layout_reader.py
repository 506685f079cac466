"""Reads one picture of any game's table by its layout: faces in slots, their turns, pieces by colour in the gaps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.inputs import BoardObservation, PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import SlotOutline, TableLayout
from companion.core.said import NOTHING, Said
from companion.core.types import Face, Slot
from vision.boards import SeatBoard
from vision.camera_model import Camera
from vision.colours import PieceColours
from vision.faces.book import FaceBook
from vision.laid import shrink_reference
from vision.map_reader import MapReader, SpacePiece
from vision.marker_light import light_of_markers
from vision.markers import MarkerLayout
from vision.occlusion import occluded_slots
from vision.pose import NotLocated, TablePose, locate_table
from vision.reader import SURE
from vision.table_zones import in_picture, zones_of
from vision.zone import SlotSeen, SlotState, ZoneReader


@dataclass(frozen=True, slots=True)
class LayoutReading:
    """All that was read in one picture of a table. `slots` is empty when the table was not located.

    `hidden`: colours of pieces that cannot be told from this table, so that gaps are not sure.
    """

    pose: TablePose | NotLocated
    slots: tuple[SlotSeen, ...] = ()
    hand: bool = False
    hidden: tuple[str, ...] = ()

    def observation(self, frame: int, time_ms: int, view: ViewState | None = None) -> BoardObservation:
        """The reading in the words that every part shares. `view`: what is known of the view from earlier frames."""
        if isinstance(self.pose, NotLocated):
            return BoardObservation(frame, time_ms, ViewState.LOST, note=self.pose.reason)
        state = view or (ViewState.HAND if self.hand else ViewState.SETTLED)
        slots = tuple(slot_reading(seen) for seen in self.slots)
        return BoardObservation(frame, time_ms, state, slots, note=self.note())

    def note(self) -> Said:
        """What makes the view worse than it need be, for people; empty when nothing does."""
        if not self.hidden:
            return NOTHING
        message = "pieces of {colours} look like this table: lay a cloth of another colour under the market"
        return Said(message, colours=self.hidden)

    def at(self, slot: Slot) -> SlotSeen:
        """What is seen in a slot. Raises KeyError for a slot that the layout does not have."""
        for seen in self.slots:
            if seen.slot == slot:
                return seen
        raise KeyError(slot)


def slot_reading(seen: SlotSeen) -> SlotReading:
    """What is seen in a slot as log-probabilities of its faces and counts of its pieces."""
    if seen.state is SlotState.OUTSIDE:
        return SlotReading(seen.slot, Sight.OUTSIDE)
    if seen.state is SlotState.COVERED:
        return SlotReading(seen.slot, Sight.COVERED)
    pieces = tuple(PieceReading(colour, count, seen.pieces_p) for colour, count in seen.pieces)
    if seen.state is SlotState.EMPTY:
        return SlotReading(seen.slot, Sight.SEEN, ((None, math.log(seen.p)),), None, pieces, seen.pieces_p)
    scale = 1.0 if seen.state is SlotState.FACE else min(1.0, seen.p)
    faces = tuple((face, math.log(max(p * scale, 1e-12))) for face, p in seen.alternatives)
    # a gap in which nothing could be told has no faces to choose from
    return SlotReading(seen.slot, Sight.SEEN, faces, seen.turn, pieces, seen.pieces_p)


def is_sure(seen: SlotSeen) -> bool:
    """Whether what is told of a slot need not be shown to a person."""
    return seen.state in (SlotState.FACE, SlotState.EMPTY) and seen.pieces_p >= SURE


class LayoutReader:
    """Reads pictures of one table: the layout of its game, the faces of the box, the colours of the pieces in play."""

    def __init__(
        self,
        layout: TableLayout,
        book: FaceBook,
        scans: Mapping[Face, np.ndarray],
        colours: PieceColours,
        *,
        markers: MarkerLayout | None = None,
        camera: Camera | None = None,
        compound: Sequence[SpacePiece] = (),
    ) -> None:
        """`scans`: face -> (H, W, 3) uint8 BGR upright, for every face that `book` can name.

        `compound`: pieces of several spaces; the book then knows the faces of their spaces, and only the slots that
        hold locations are read.
        """
        self.layout = layout
        self.outlines = layout.slots
        self.markers = markers or MarkerLayout()
        self.camera = camera
        self.zones: tuple[ZoneReader, ...] = ()
        self.map: MapReader | None = None
        if compound:
            spaces = [o for o in layout.slots if o.holds == "location"]
            self.map = MapReader(spaces, compound, book, layout.face_thickness_mm)
        else:
            width = _face_width_mm(layout)
            small = {face: shrink_reference(scan, width) for face, scan in scans.items()}
            self.zones = tuple(ZoneReader(zone, layout, book, small, colours) for zone in zones_of(layout.slots))

    def read(
        self,
        image: np.ndarray,
        *,
        seats: Sequence[SeatBoard] = (),
        pose: TablePose | None = None,
        remembered: TablePose | None = None,
    ) -> LayoutReading:
        """What lies on the table in `image` (H, W, 3) uint8 BGR.

        `pose`: where the table is, when that is followed elsewhere; `remembered`: an earlier pose of the same camera,
        which makes two markers enough. `seats`: boards that are laid for a reveal; games by layout have none.
        Raises ValueError when boards are asked for.
        """
        if seats:
            raise ValueError("a table read by its layout has no player boards")
        located = pose or locate_table(image, self.markers, self.camera, remembered)
        if isinstance(located, NotLocated):
            return LayoutReading(located)
        if self.map is not None:
            return self._map(self.map, image, located)
        slots: dict[Slot, SlotSeen] = {}
        hidden: tuple[str, ...] = ()
        over = occluded_slots(image, located, self.outlines, self.markers)
        covered = over.covered()
        light = None
        for zone in sorted(self.zones, key=lambda z: bool(z.gap_slots)):  # zones of faces alone tell the light first
            cells, seen = zone.faces(image, located, covered)
            cells, canvas = zone.settled(cells, seen)
            light = canvas.light if canvas is not None else light
            if zone.gap_slots and canvas is None and light is None:
                light = light_of_markers(image, located, self.markers)
            slots |= cells
            gaps, alike = zone.gaps(image, located, cells, seen, canvas, light, covered)
            slots |= gaps
            hidden += alike
        return LayoutReading(located, tuple(slots[o.slot] for o in self.outlines), over.hand, hidden)

    def _map(self, reader: MapReader, image: np.ndarray, pose: TablePose) -> LayoutReading:
        """A map of spaces; the slots beside it are not read."""
        seen_slots = [o for o in self.outlines if o.holds == "location" and in_picture(image, pose, corners_of(o))]
        over = occluded_slots(image, pose, seen_slots, self.markers) if seen_slots else None
        covered = over.covered() if over is not None else frozenset()
        slots = reader.read(image, pose, covered)
        unread = {o.slot: SlotSeen(o.slot, o.holds, SlotState.UNKNOWN, pieces_p=0.0) for o in self.outlines}
        slots = unread | slots
        return LayoutReading(pose, tuple(slots[o.slot] for o in self.outlines), over is not None and over.hand)


def corners_of(outline: SlotOutline) -> np.ndarray:
    """(N, 2) float64 corners of a slot, table mm."""
    return np.array(outline.corners_mm, float)


def _face_width_mm(layout: TableLayout) -> float:
    """Width of the faces of a layout, mm: of its first slot that holds one."""
    corners = next(np.array(o.corners_mm) for o in layout.slots if o.holds != "gap")
    return float(np.linalg.norm(corners[1] - corners[0]))
