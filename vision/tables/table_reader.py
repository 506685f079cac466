"""Reads one picture of a table by its layout: where it is, its zones, the corner card and the players' boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.inputs import BoardObservation, CutoutReading, PurseReading, ViewState
from companion.core.layout import SlotOutline, SlotView, TableLayout
from companion.core.messages import NO_MESSAGE, Message
from companion.core.types import Face, Slot
from vision.appearance.marker_light import light_of_markers
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import shrink_reference
from vision.faces.book import FaceBook
from vision.locate.camera_model import Camera
from vision.locate.lattice import GridShape, locate_grid
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, TablePose, locate_table
from vision.locate.zones import all_in_picture, zones_of
from vision.tables.again.incremental import (
    GONE_AFTER,
    REACHED,
    TableMemory,
    ZoneLook,
    ZoneMemory,
    places_due,
    read_zone,
    slots_as_before,
)
from vision.tables.again.reached import is_gone_under_arm
from vision.tables.boards import BoardPlan, BoardReader, BoardReading, SeatBoard
from vision.tables.corner_card import CornerReading
from vision.tables.face_at_place import BoxFaces, size_mm
from vision.tables.grid import GridPlan, slot_name
from vision.tables.maps.map_reader import MapReader
from vision.tables.maps.map_views import is_reached_over, kept_looks
from vision.tables.maps.space_pieces import SQUARE_SIDES, SpacePiece
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import CARD, GAP, LOCATION, EarlierReading, Laid, PlaceReading, PlaceState, Shot
from vision.tables.place_reader import PlaceReader
from vision.tables.purses.purse import CountedPurse, read_purse
from vision.tables.zone import ZoneReader, ZoneReading
from vision.view.arms.arm_search import occluded_slots
from vision.view.arms.occlusion import Occlusion
from vision.view.as_before import KeptView
from vision.view.view_state import BY_ITSELF, View


@dataclass(frozen=True, slots=True, eq=False)
class TableReading:
    """All that was read in one picture. `places`, in the order of the layout, is empty when the table was not located.

    `memory`: what the next picture of the same view need not be read again for. `purses`: those of which
    something can be told. `over`: what covers the slots, as far as it was searched.
    """

    pose: TablePose | NotLocated
    places: tuple[PlaceReading, ...] = ()
    zones: tuple[ZoneReading, ...] = ()
    boards: tuple[BoardReading, ...] = ()
    hand: bool = False
    memory: TableMemory | None = None
    purses: tuple[PurseReading, ...] = ()
    over: Occlusion | None = None

    @property
    def corner(self) -> CornerReading | None:
        """The corner card; None for a table that has none."""
        return next((zone.corner for zone in self.zones if zone.corner is not None), None)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Colours of pieces that cannot be told from this table, so that gaps are not sure."""
        return tuple(colour for zone in self.zones if zone.gaps is not None for colour in zone.gaps.hidden)

    @property
    def is_sure(self) -> bool:
        """Whether all that is in the picture was recognised, with all pieces, and no person need be asked."""
        left_out = (PlaceState.COVERED, PlaceState.OUTSIDE)
        return bool(self.places) and all(one.is_sure or one.state in left_out for one in self.places)

    def at(self, slot: Slot) -> PlaceReading:
        """What is seen in a slot. Raises KeyError for a slot that the layout does not have."""
        for one in self.places:
            if one.slot == slot:
                return one
        raise KeyError(slot)

    def observation(self, frame: int, time_ms: int, view: ViewState | None = None) -> BoardObservation:
        """The reading in the words that every part shares. `view`: what is known of the view from earlier frames."""
        if isinstance(self.pose, NotLocated):
            return BoardObservation(frame, time_ms, ViewState.LOST, note=self.pose.reason)
        return BoardObservation(
            frame,
            time_ms,
            view or (ViewState.HAND if self.hand else ViewState.SETTLED),
            tuple(one.slot_reading() for one in self.places),
            tuple(
                CutoutReading(board.seat_deg, slot_name(c.row, c.col), c.colour, c.p)
                for board in self.boards
                for c in board.slots
            ),
            tuple(board.seat_deg for board in self.boards if board.found),
            None if self.corner is None else self.corner.corner,
            note=self.note(),
            purses=self.purses,
            alike=tuple(dict.fromkeys(self.hidden)),
        )

    def note(self) -> Message:
        """What makes the view worse than it need be, for people; empty when nothing does."""
        if not self.hidden:
            return NO_MESSAGE
        message = "pieces of {colours} look like this table: lay a cloth of another colour under the market"
        return Message(message, colours=self.hidden)


class TableReader:
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
        boards: BoardPlan | None = None,
        copies: Mapping[Face, int] | None = None,
        compound: Sequence[SpacePiece] = (),
    ) -> None:
        """`scans`: face -> (H, W, 3) uint8 BGR upright, for every face that `book` can name.

        `boards`: the players' boards beside a grid. `copies`: how many tiles of the box have each face, where that is
        known. `compound`: pieces of several spaces; the book then knows the faces of their spaces, and only the slots
        that hold locations are read.
        """
        self.layout, self.colours = layout, colours
        self.markers = markers or MarkerLayout()
        self.camera = camera
        self.grid = GridPlan.of(layout)
        self.boards = BoardReader(boards or BoardPlan(), layout, colours) if self.grid is not None else None
        self._map = bool(compound)
        zones = [tuple(layout.slots)] if self.grid is not None else zones_of(layout.slots)
        # hands are looked for round the slots that lie with those for pieces, which every camera has in view
        self.outlines = next((zone for zone in zones if any(o.holds == GAP for o in zone)), tuple(layout.slots))
        self.zones: tuple[ZoneReader, ...]
        if compound:
            spaces = [o for o in layout.slots if o.holds == LOCATION]
            self.outlines = tuple(spaces)
            standing = _standing(layout, scans, colours)
            self.zones = (MapReader(spaces, compound, book, layout.face_thickness_mm, standing),)
            return
        width_mm = next(size_mm(np.array(o.corners_mm))[0] for o in layout.slots if o.holds != GAP)
        faces = BoxFaces.of(book, scans, width_mm, copies)
        columns = 0 if self.grid is None else self.grid.cols
        # zones of faces alone tell the light first
        zones.sort(key=lambda zone: any(o.holds == GAP for o in zone))
        self.zones = tuple(PlaceReader(zone, layout, faces, colours, columns, self._beside(zone)) for zone in zones)

    def read(
        self,
        image: np.ndarray,
        *,
        seats: Sequence[SeatBoard] = (),
        pose: TablePose | None = None,
        remembered: TablePose | None = None,
        memory: TableMemory | None = None,
        view: View = BY_ITSELF,
        agreed: Mapping[Slot, SlotView] | None = None,
        recorded: Mapping[Slot, SlotView] | None = None,
    ) -> TableReading:
        """What lies on the table in `image` (H, W, 3) uint8 BGR.

        `seats`: whose boards are looked for. `pose`: where the table is, when that is followed elsewhere;
        `remembered`: an earlier pose of the same camera, which makes two markers enough. `memory`: of the reading
        before, if the camera has not moved since: then only what has changed is read. `view`: what is known of this
        picture by those before it: what covers the slots, what stands or rests beside them. `agreed`: what was agreed
        to lie there in the picture before. `recorded`: what lies there by the record; a map is searched for its tiles.
        Raises ValueError when boards are asked for beside a table that is no grid.
        """
        if seats and self.boards is None:
            raise ValueError("a table that is no grid of tiles has no player boards")
        located = pose or locate_table(image, self.markers, self.camera, remembered)
        if isinstance(located, NotLocated) and not located.markers:
            located = self._by_grid(image, located)
        if isinstance(located, NotLocated):
            return TableReading(located)
        befores = (None,) * len(self.zones) if memory is None else memory.zones
        looks = [
            ZoneLook.of(reader, Shot(image, located), before)
            for reader, before in zip(self.zones, befores, strict=True)
        ]
        laid = self.laid(memory, recorded)
        over = self._covering(image, located, view, memory, looks, () if memory is None else laid)
        # what only points at own buildings leaves these unread, and the market is told; what points at the market may
        # be a mug, and hides no more of it than is seen to be covered; what has rested may be a hand, and tells no
        # more, but for the print of a map that no hand can look like
        hand = over is not None and over.hand_over(self.outlines)
        in_way = over.unread - over.covered() if self._map and over is not None else frozenset()
        covered = frozenset() if over is None else (over.covered() | over.unread) - in_way
        if over is not None and not hand:
            covered |= over.pointed | self._reached_beside(over, view.resting)
        shot = Shot(image, located, covered, laid, self._earlier(memory, agreed or {}), in_way - covered)
        due: list[dict[Slot, bool] | None] = [None] * len(self.zones)
        now_seen = KeptView(looks[0].seen)
        if memory is not None:
            clear = self._map and (over is None or not over.hand)
            near = self.near_tiles(laid)
            asked = [o for o in self.outlines if near is None or o.slot in near]
            if clear and is_reached_over(shot, memory, looks[0], now_seen, asked):
                known = tuple(one.reading for one in memory.zones)
                memory = replace(memory, reached=(*memory.reached, now_seen)[-REACHED:])
                return TableReading(located, self._in_order(known), known, hand=True, memory=memory)
            due = places_due(self.zones, shot, looks, memory.zones)
        light: PictureLight | None = None

        def light_elsewhere() -> PictureLight | None:
            return light or light_of_markers(image, located, self.markers)

        hidden = _covered_before(befores).intersection(o.slot for o in self.outlines)
        lay = {slot: at for slot, at in (recorded or {}).items() if slot in hidden} | dict(agreed or {})
        faces = {slot: at.face for slot, at in lay.items() if at.face is not None}
        now: list[ZoneMemory] = []
        for number, reader in enumerate(self.zones):
            now.append(read_zone(reader, shot, light_elsewhere, befores[number], looks[number], due[number], faces))
            light = now[-1].reading.light or light
        zones = tuple(one.reading for one in now)
        if memory is not None and not hand and memory.hiding < GONE_AFTER:
            hand = self._hides_cards(shot, looks, memory, zones)
            memory = replace(memory, hiding=memory.hiding + 1) if hand else memory
        boards = tuple(self._board(shot, zones[0], seat) for seat in seats)
        # a picture with a hand in it is compared with what was seen before, but is nothing to compare with
        purses = self._purses(shot, memory)
        kept = kept_looks(memory, now_seen, view.moved_s) if self._map else ()
        return TableReading(
            located, self._in_order(zones), zones, boards, hand,
            memory if hand else TableMemory(tuple(now), looks=kept, purses=purses, moved_s=view.moved_s),
            tuple(told for slot, one in purses.items() if (told := one.reading(slot)) is not None),
            over,
        )

    def _hides_cards(
        self, shot: Shot, looks: Sequence[ZoneLook], memory: TableMemory, zones: Sequence[ZoneReading]
    ) -> bool:
        """Whether an arm hides what seems to be gone of cards and what stands between them since `memory`."""
        return any(
            isinstance(reader, PlaceReader) and CARD in reader.holds.values()
            and is_gone_under_arm(
                shot, look, before.reading.places, zone.places, reader.places_mm, reader.in_light.likely_laid
            )
            for reader, look, before, zone in zip(self.zones, looks, memory.zones, zones, strict=True)
        )

    def _reached_beside(self, over: Occlusion, resting: Mapping[Slot, float]) -> frozenset[Slot]:
        """The slots of the zones beside the market over which a hand is seen: it is at work there, and may hide more
        than is seen of it. What lies in the market it neither hides nor moves."""
        reached = over.hand_beside(self.outlines, resting)
        zones = (frozenset(o.slot for o in zone) for zone in zones_of(self.layout.slots)) if reached else ()
        return frozenset(slot for zone in zones if zone & reached for slot in zone)

    def looked_over(self, laid: Sequence[Laid] = ()) -> tuple[SlotOutline, ...]:
        """The slots round which a hand is to be looked for: of a map on which tiles are known to be `laid`, only where
        those lie or more can come to lie. Round all its spaces there is hardly any bare table in the picture."""
        reader = self.zones[0]
        if not laid or not isinstance(reader, MapReader):
            return self.outlines
        near = frozenset(reader.plan.around_laid(laid))
        return tuple(o for o in self.outlines if o.slot in near)

    def near_tiles(self, laid: Sequence[Laid]) -> frozenset[Slot] | None:
        """The spaces of the tiles `laid` on a map and those beside them: who holds a hand farther off is at none of its
        pieces, and any tile that is laid comes beside another. None of other tables, and without a tile."""
        reader = self.zones[0]
        return frozenset(reader.plan.beside_laid(laid)) if laid and isinstance(reader, MapReader) else None

    def is_far_tile(self, image: np.ndarray, pose: TablePose, over: Occlusion) -> bool:
        """Whether what seems to reach for a map in a picture (H, W, 3) BGR uint8 is a tile that was laid beside it."""
        reader = self.zones[0]
        return isinstance(reader, MapReader) and reader.is_tile(Shot(image, pose), over)

    def laid(
        self, memory: TableMemory | None, recorded: Mapping[Slot, SlotView] | None = None
    ) -> tuple[Laid, ...]:
        """The tiles that lie on a map by an earlier reading, whatever the light was, and by what is `recorded`: that of
        the set-up lies there before any picture shows it surely."""
        reader = self.zones[0]
        if not isinstance(reader, MapReader):
            return ()
        seen = () if memory is None else memory.zones[0].reading.laid
        known = [
            (slot, at.face, at.turn) for slot, at in (recorded or {}).items()
            if slot in reader.plan.middles and at.face in reader.plan.pieces and at.turn is not None
        ]
        return tuple(dict.fromkeys((*seen, *known)))

    def _earlier(self, memory: TableMemory | None, agreed: Mapping[Slot, SlotView]) -> EarlierReading | None:
        """The last reading of a map, as far as it bears out what was agreed."""
        if memory is None or not self._map:
            return None
        last = memory.zones[0].reading
        borne_out = {s: one for s, one in last.places.items() if s in agreed and agreed[s].pieces == one.pieces}
        return EarlierReading(last.seen_bgr, borne_out, last.laid)

    def _by_grid(self, image: np.ndarray, reason: NotLocated) -> TablePose | NotLocated:
        """The table by its tiles, where no marker is seen at all; else why the markers did not do."""
        plan = self.grid
        if plan is None or plan.centre_mm != (0.0, 0.0):  # the tiles tell the grid's own frame only
            return reason
        shape = GridShape(plan.rows, plan.cols, plan.pitch_mm, plan.side_mm, plan.thickness_mm)
        return locate_grid(image, shape, self.camera)

    def _covering(
        self, image: np.ndarray, pose: TablePose, view: View, memory: TableMemory | None,
        looks: Sequence[ZoneLook], laid: Sequence[Laid],
    ) -> Occlusion | None:
        """What covers the slots that are read; None when none of them is in the picture, or nothing has changed."""
        over = view.over
        outlines: Sequence[SlotOutline] = self.layout.slots
        if self._map:
            looked_over = self.looked_over(laid)
            inside = all_in_picture(image, pose, np.array([o.corners_mm for o in looked_over], float)).tolist()
            outlines = [o for o, is_inside in zip(looked_over, inside, strict=True) if is_inside]
        left = {o.slot for o in outlines}.difference(() if over is None else over.share)
        if memory is not None and left:
            for reader, look, before in zip(self.zones, looks, memory.zones, strict=True):
                left -= slots_as_before(reader, look, before)
        # what is known to stand beside slots stands beside these, round which hands were looked for before
        followed, near = {o.slot for o in self.outlines}, self.near_tiles(laid)
        # but a map with a tile more has another rim than the one of which that is known
        same_rim = not self._map or view.looked_over == {o.slot for o in outlines}
        for asked, known in ((left & followed, view if same_rim else BY_ITSELF), (left - followed, BY_ITSELF)):
            if asked:
                # nobody compares later pictures with this one's grain: who does knows what covers the slots
                one = occluded_slots(
                    image, pose, outlines, self.markers, standing=known.standing, grains=None, only=asked, near=near,
                    resting=known.still,
                )
                over = one if over is None else over.joined(one)
        return over

    def _beside(self, zone: Sequence[SlotOutline]) -> list[np.ndarray]:
        """Corners (4, 2), table mm, of what lies on the table beside a zone: markers, other slots, purses."""
        others = [o for o in (*self.layout.slots, *self.layout.purses) if o not in zone]
        papers = [np.array(self.markers.corners_mm(marker)) for marker in self.markers.centres_mm]
        return [*papers, *(np.array(o.corners_mm) for o in others)]

    def _purses(self, shot: Shot, memory: TableMemory | None) -> dict[Slot, CountedPurse]:
        before: Mapping[Slot, CountedPurse] = {} if memory is None else memory.purses
        seen = {
            o.slot: read_purse(shot.image, shot.pose, o, self.layout.coins, before.get(o.slot))
            for o in self.layout.purses
        }
        return {slot: one for slot, one in seen.items() if one is not None}

    def _board(self, shot: Shot, grid: ZoneReading, seat: SeatBoard) -> BoardReading:
        assert self.boards is not None
        assert self.grid is not None
        size = (self.grid.rows, self.grid.cols)
        corner = None if grid.corner is None else grid.corner.corner
        return self.boards.read(shot.image, shot.pose, seat, size, corner, grid.light, self.grid.half_mm)

    def _in_order(self, zones: Sequence[ZoneReading]) -> tuple[PlaceReading, ...]:
        read = {slot: one for zone in zones for slot, one in zone.places.items()}
        # the cards beside a map are nobody's to see: what comes there is told
        unread = PlaceState.OUTSIDE if self._map else PlaceState.UNKNOWN
        return tuple(
            read.get(o.slot) or PlaceReading(o.slot, o.holds, unread, pieces_p=0.0)
            for o in self.layout.slots
        )


def _covered_before(memories: Sequence[ZoneMemory | None]) -> frozenset[Slot]:
    """The slots that something covered when their zones were last read."""
    known = (at for one in memories if one is not None for at in one.reading.places.values())
    return frozenset(at.slot for at in known if at.state is PlaceState.COVERED)


def _standing(
    layout: TableLayout, scans: Mapping[Face, np.ndarray], colours: PieceColours
) -> StandingPieces | None:
    """What reads the pieces on a map with corners; None for a map of tiles alone."""
    corners = [o for o in layout.slots if o.holds == GAP]
    if not corners:
        return None
    space = np.array(next(o for o in layout.slots if o.holds == LOCATION).corners_mm)
    square_mm = SQUARE_SIDES * float(np.linalg.norm(space[1] - space[0]))
    faces = {face: shrink_reference(scan, square_mm) for face, scan in scans.items()}
    return StandingPieces.of(layout, faces, square_mm, colours, corners, layout.corner_tokens)
