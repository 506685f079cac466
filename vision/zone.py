"""Reads one zone of a table: slots that lie close together, with the faces in them and the pieces in their gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import Face, Slot
from vision.canvas import Canvas, Window, compose
from vision.colours import PictureLight, PieceColours
from vision.faces.book import FaceBook
from vision.gaps import GapReader, canvas_without_faces, polygon_mask
from vision.grid import ACCEPTED, AROUND_MM, BEYOND_DOUBT, EMPTY_P
from vision.laid import FaceScan, LaidFace
from vision.lit_picture import strange_shares
from vision.place import LIKE_A_FACE, UNLIKE_A_FACE, fit_rectangle, is_plain, read_place
from vision.pose import TablePose
from vision.rectify import rectify
from vision.second_look import look_again
from vision.surroundings import Surroundings
from vision.table_zones import in_picture

UNKNOWN_GROWN_MM = 3.0
"""What lies in a place and was not recognised reaches so far beyond it."""

FAR_FROM = 0.5
"""Part of the likeness of no face below which what lies there is not print, though shadows may draw lines on it."""

EVEN = 0.5
"""Probability left to a face that does not look like itself in the light of the zone."""

STRANGE_SHARE, STRANGE_IF_UNLIKE = 0.35, 0.15
"""Part of a face that may look neither like its print nor like its print in a shadow: two tokens and a worker leaning
over hide a quarter of a card. Less where the first look found nothing like a face: an empty place is strange all over,
a card whose first alignment failed is not."""


class SlotState(Enum):
    """What is known of a slot."""

    FACE = "face"
    EMPTY = "empty"  # no face: bare table, or a gap
    UNKNOWN = "unknown"  # seen, not recognised
    COVERED = "covered"  # a hand lies over it
    OUTSIDE = "outside"  # not in the picture, or not wholly


@dataclass(frozen=True, slots=True)
class SlotSeen:
    """What is seen in a slot: its state, face with probability and quarter turns, pieces with theirs.

    `likeness`: how much what lies there looks like a face at all (see `vision.place`). `corners_mm` (4, 2): where the
    upright piece's corners lie, table mm. `feet_mm`: colour and foot of every piece.
    """

    slot: Slot
    holds: str
    state: SlotState
    face: Face | None = None
    p: float = 0.0
    turn: int | None = None
    alternatives: tuple[tuple[Face, float], ...] = ()
    pieces: tuple[tuple[str, int], ...] = ()
    pieces_p: float = 1.0
    likeness: float = 0.0
    corners_mm: np.ndarray | None = None
    feet_mm: tuple[tuple[str, tuple[float, float]], ...] = ()


class ZoneReader:
    """Reads one zone with the faces of one box. Faces are rectangles of one size, as wide as the slots' outlines."""

    def __init__(
        self,
        outlines: Sequence[SlotOutline],
        layout: TableLayout,
        book: FaceBook,
        small: Mapping[Face, FaceScan],
        colours: PieceColours,
    ) -> None:
        """`small`: the faces at the canvas' resolution."""
        self.outlines = tuple(outlines)
        self.layout, self.book, self.small = layout, book, small
        self.places = {o.slot: np.array(o.corners_mm, float) for o in outlines}
        self.window = Window.around(np.vstack(list(self.places.values())), AROUND_MM)
        self.face_slots = [o for o in outlines if o.holds != "gap"]
        self.gap_slots = [o for o in outlines if o.holds == "gap"]
        self.inclined = not self.gap_slots  # between gaps there is no room for a piece lying across
        gaps = [self.places[o.slot] for o in self.gap_slots]
        self.gap_reader = GapReader(self.window, gaps, colours, layout) if gaps else None

    def faces(
        self, image: np.ndarray, pose: TablePose, covered: frozenset[Slot]
    ) -> tuple[dict[Slot, SlotSeen], np.ndarray]:
        """The slots for faces as far as each can be read alone, and the zone from above (H, W, 3) uint8."""
        z_mm = -self.layout.face_thickness_mm
        window = self.window
        seen = rectify(image, pose, window.corners_mm, z_mm, (window.width_px, window.height_px))
        around = Surroundings(seen, window, list(self.places.values()))
        cells = {o.slot: self._face(image, pose, o, covered, around) for o in self.face_slots}
        return cells, seen

    def _face(
        self,
        image: np.ndarray,
        pose: TablePose,
        outline: SlotOutline,
        covered: frozenset[Slot],
        around: Surroundings,
    ) -> SlotSeen:
        place, slot = self.places[outline.slot], outline.slot
        if not in_picture(image, pose, place):
            return SlotSeen(slot, outline.holds, SlotState.OUTSIDE)
        if slot in covered:
            return SlotSeen(slot, outline.holds, SlotState.COVERED)
        z_mm = -self.layout.face_thickness_mm
        if around.is_empty(place) and is_plain(image, pose, place, z_mm):
            return SlotSeen(slot, outline.holds, SlotState.EMPTY, p=EMPTY_P)
        found = read_place(image, pose, place, z_mm, self.book, inclined=self.inclined)
        state = SlotState.UNKNOWN if found.face is None else SlotState.FACE
        return SlotSeen(
            slot, outline.holds, state, found.face, found.p, found.turn, found.alternatives,
            likeness=found.likeness, corners_mm=found.corners_mm,
        )  # fmt: skip

    def settled(self, cells: dict[Slot, SlotSeen], seen: np.ndarray) -> tuple[dict[Slot, SlotSeen], Canvas | None]:
        """The slots in the light of the whole zone: doubtful faces decided, empty places told; and the canvas."""
        around = Surroundings(seen, self.window, list(self.places.values()))
        cells = {slot: self._empty(around, cell) for slot, cell in cells.items()}
        canvas = self._canvas(cells, seen)
        if canvas is not None:
            again = {slot: self._again(canvas, seen, cell) for slot, cell in cells.items()}
            if [c.face for c in again.values()] != [c.face for c in cells.values()]:
                canvas = self._canvas(again, seen)
            cells = again
        if canvas is not None:
            kept = self._explained(cells, canvas)
            if kept != cells:
                cells, canvas = kept, self._canvas(kept, seen)
        for slot, cell in cells.items():
            cell = self._empty(around, cell)
            if cell.state is SlotState.UNKNOWN and around.is_reached_over(self.places[slot]):
                cell = replace(cell, state=SlotState.COVERED)
            cells[slot] = cell
        return cells, canvas

    def gaps(
        self,
        image: np.ndarray,
        pose: TablePose,
        cells: Mapping[Slot, SlotSeen],
        seen: np.ndarray,
        canvas: Canvas | None,
        light: PictureLight | None,
        covered: frozenset[Slot],
    ) -> tuple[dict[Slot, SlotSeen], tuple[str, ...]]:
        """The gaps with their pieces, and the colours that cannot be told from this table.

        `light`: of the picture, used when the zone has no known face of its own.
        """
        if self.gap_reader is None:
            return {}, ()
        if canvas is None:
            if light is None:
                return {o.slot: SlotSeen(o.slot, o.holds, SlotState.UNKNOWN, pieces_p=0.0) for o in self.gap_slots}, ()
            canvas = canvas_without_faces(seen, self.window, light)
        strange = [self.places[s] for s, c in cells.items() if c.state in (SlotState.UNKNOWN, SlotState.COVERED)]
        strange += [self.places[o.slot] for o in self.gap_slots if o.slot in covered]
        unknown = polygon_mask(self.window, strange, UNKNOWN_GROWN_MM)
        eye = (float(pose.eye_mm[0]), float(pose.eye_mm[1]), float(pose.eye_mm[2]))
        gaps = self.gap_reader.read(canvas, self._ring(seen), unknown, eye)
        out = {}
        for outline, gap in zip(self.gap_slots, gaps.readings, strict=True):
            slot = outline.slot
            if not in_picture(image, pose, self.places[slot]):
                out[slot] = SlotSeen(slot, outline.holds, SlotState.OUTSIDE)
            elif slot in covered:
                out[slot] = SlotSeen(slot, outline.holds, SlotState.COVERED)
            else:
                out[slot] = SlotSeen(
                    slot, outline.holds, SlotState.EMPTY, p=1.0,
                    pieces=gap.counts, pieces_p=gap.p, feet_mm=gap.feet_mm,
                )  # fmt: skip
        return out, gaps.hidden

    def _ring(self, seen: np.ndarray) -> np.ndarray:
        """(H, W) bool: the bare table around the zone, as far as it is in the picture; outside of it all is black."""
        return np.asarray(~polygon_mask(self.window, [self._hull()], AROUND_MM / 2) & seen.any(-1))

    def _hull(self) -> np.ndarray:
        corners = np.vstack(list(self.places.values()))
        (left, top), (right, bottom) = corners.min(0), corners.max(0)
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])

    def _canvas(self, cells: Mapping[Slot, SlotSeen], seen: np.ndarray) -> Canvas | None:
        laid = [self._laid(cell) for cell in cells.values() if cell.state is SlotState.FACE]
        return compose(seen, self.window, laid) if laid else None

    def _laid(self, cell: SlotSeen, face: Face | None = None) -> LaidFace:
        assert cell.corners_mm is not None
        name = face or cell.face
        assert name is not None
        width, height = self._size_mm()
        centre, turn = fit_rectangle(cell.corners_mm, (width, height))
        return LaidFace(centre, turn, width, self.small[name])

    def _size_mm(self) -> tuple[float, float]:
        corners = self.places[self.face_slots[0].slot]
        return float(np.linalg.norm(corners[1] - corners[0])), float(np.linalg.norm(corners[2] - corners[1]))

    def _explained(self, cells: dict[Slot, SlotSeen], canvas: Canvas) -> dict[Slot, SlotSeen]:
        """The slots, without the faces that do not look like theirs in the light of the zone."""
        laid = [slot for slot, cell in cells.items() if cell.state is SlotState.FACE]
        out = dict(cells)
        for slot, part in zip(laid, strange_shares(canvas), strict=True):
            if part > (STRANGE_SHARE if cells[slot].likeness >= LIKE_A_FACE else STRANGE_IF_UNLIKE):
                out[slot] = replace(out[slot], state=SlotState.UNKNOWN, face=None, p=min(out[slot].p, EVEN))
        return out

    def _again(self, canvas: Canvas, seen: np.ndarray, cell: SlotSeen) -> SlotSeen:
        """A face that was not beyond doubt, decided in the light of the zone."""
        doubtful = cell.state is SlotState.UNKNOWN or (cell.state is SlotState.FACE and cell.p < BEYOND_DOUBT)
        if not doubtful or cell.likeness < FAR_FROM * UNLIKE_A_FACE:
            return cell
        place = self._laid(cell, cell.alternatives[0][0])
        origin = (canvas.window.left_mm, canvas.window.top_mm)
        found = look_again(seen, canvas.light, origin, place, cell.alternatives, self.small)
        face, p = found[0]
        if p < ACCEPTED:
            return replace(cell, state=SlotState.UNKNOWN, face=None, alternatives=found, p=p)
        return replace(cell, state=SlotState.FACE, face=face, p=p, alternatives=found)

    def _empty(self, around: Surroundings, cell: SlotSeen) -> SlotSeen:
        place, likeness = self.places[cell.slot], cell.likeness / UNLIKE_A_FACE
        looks = (around.is_empty(place), around.is_shaded_table(place))
        # a card of the table's colours whose alignment failed looks much like table, but its print and border do not
        bare = any(looks) if likeness < FAR_FROM else likeness < 1.0 and all(looks)
        if cell.state is SlotState.UNKNOWN and bare:
            return SlotSeen(cell.slot, cell.holds, SlotState.EMPTY, p=EMPTY_P)
        return cell
