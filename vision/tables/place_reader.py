"""Reads the places of one zone: slots that lie close together, for faces, for faces with pieces on them, or for pieces.

Every place goes the same way: rectified, named and aligned by itself; then, in the light that the known faces of the
zone tell, pieces are counted on faces, doubtful faces are compared anew, and what looks unlike its face is taken back;
what shows only table is empty, what something reaches over is covered. Pieces between the faces are counted last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import cv2
import numpy as np

from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import Slot
from vision.appearance.background import Background
from vision.appearance.canvas import Canvas, Window
from vision.appearance.common_print import CommonPrint
from vision.appearance.picture_light import SATURATED, PictureLight, PieceColours
from vision.appearance.placed_face import PX_PER_MM, in_face_frame
from vision.appearance.print_detail import detail_likeness, print_strength
from vision.appearance.print_search import FOUND
from vision.locate.plane import HomographyPlane, PosePlane
from vision.locate.rectify import rectify
from vision.locate.zones import all_in_picture
from vision.tables.changes import CHANGED_MM2, NEAR_MM, Changes
from vision.tables.corner_card import CornerReading, card_of, is_card_kept, read_corner
from vision.tables.face_at_place import (
    LIKE_A_FACE,
    UNLIKE_A_FACE,
    BoxFaces,
    FaceAtPlace,
    first_looks,
    is_plain,
    read_faces,
    size_mm,
    turned_corners,
)
from vision.tables.light.faces_in_light import FAR_FROM, STRANGE_TILE_P, FacesInLight, Places
from vision.tables.light.lone_look import in_a_likely_light
from vision.tables.place import EMPTY_P, GAP, TILE, PlaceReading, PlaceState, Shot, within_box
from vision.tables.zone import ZoneReading
from vision.tables.zone_gaps import ZoneGaps

# What is shown around the places: pieces lean outwards, the corner card sticks out, and bare table beyond it.
AROUND_MM = 32.0

# The table farther away (mm), where a place has none of the looks beside the zone: a cloth's checks are up to 70 mm
# wide, and along a zone its rim may not show all of them. A look of less than this part of that ring is a thing's.
FARTHER_MM, COMMON_LOOK = 120.0, 0.03

# What is composed around one place: a piece at its edge with its lean and shadow, and the edge of its neighbours.
AROUND_PLACE_MM = 22.0

# Correlation with the likeliest card's print below which a place of the table's looks holds none: in twelve markets and
# a film of a market (rendered) 186 empty places on cloth and wood had at most 0.27, 146 cards 0.55 and more.
NO_PRINT = 0.4

# The same of cards in their very size from which a place is looked at closely: of 1,300 places of twelve rendered
# markets it was 0.06 less or more, and 0.64 and more of cards.
FAINT = 0.25

# Correlation with a face's fine detail from which its print is seen, though the place has the table's colours: 23 empty
# places of rendered tables had at most 0.15, tiles half hidden by pieces 0.27 and more.
PRINT_SEEN = 0.25

# Probability of a first reading, and its likeness, from which some face lies there, if another than was thought: empty
# places of rendered tables came to 0.89 with a likeness of at most 3, a tile under a cube and the sun's edge to 5.4.
SOME_FACE_P, SOME_FACE_LIKENESS = 0.7, 4.0

# Strength of a face's print (`print_strength`) below which it does not lie in a place that looks like bare table, and
# from which it may: an even table explains itself by any face that is mostly of one colour. Of 159 bare places of
# rendered tables with made-up boxes of two to twelve faces 38 were named; these had 0.06 at most, in rough rooms one
# 0.22; 642 faces of three renderers' tables 0.25 and more, those that looked like table 0.57.
NO_PRINT_OF_IT, FAINT_PRINT = 0.1, 0.45

# Part of a card that a piece beside it hides at most, with its shadow: it is a third as wide as the card.
LEANT_OVER = 0.25

# Part of a card's coloured print over which some channel is too bright for the picture, from which it is not told by
# what is left, and the probability that is left to its name then. Of 602 names in rendered films that were given 0.9
# and more 589 had less and were right, of the other 13 two were wrong, each a twin. In a film in which the camera had
# taken a black table for grey 38 of 50 were right.
BURNT_OUT, BURNT_OUT_P = 0.25, 0.7

# Grey level of a flat scan, the most blurred, below which each channel shows a colour, and no paper or pale print.
COLOURED = 200

# Probability that is left to a name where nothing like a face was found, nor what all cards print, nor its own print
# (`PRINT_SEEN`: of 22 names in rendered films that had less 20 were wrong, eight of these given 0.9 and more; the two
# right ones had been given 0.63 and 0.76): on bare checks of a
# cloth that were no table's look names were given 0.999, and people accused. Of 48 cards that were seen as dimly
# 46 showed it, the other two burnt out.
NO_CARD_P = 0.5


@dataclass(frozen=True, slots=True)
class _Table:
    """What tells bare table in one picture, each worked out when it is first asked for and once: its look `around` the
    places and `farther` away, and whether a place shows what all cards print alike."""

    around: Callable[[], Background]
    farther: Callable[[], Background]
    shows_card: Callable[[Slot], bool]


class PlaceReader:
    """Reads one zone with the faces of one box. Faces are rectangles of one size, as wide as the slots' outlines."""

    def __init__(
        self,
        outlines: Sequence[SlotOutline],
        layout: TableLayout,
        faces: BoxFaces,
        colours: PieceColours,
        card_columns: int = 0,
        beside_mm: Sequence[np.ndarray] = (),
    ) -> None:
        """`layout` gives the sizes of its pieces. `card_columns`: columns of a grid under which a corner card lies.
        `beside_mm`: (4, 2) corners of what else lies on the table: markers, other zones' places."""
        self.layout, self.faces, self.card_columns = layout, faces, card_columns
        self.beside_mm = tuple(beside_mm)
        self.holds = {o.slot: o.holds for o in outlines}
        self.places_mm = {o.slot: np.array(o.corners_mm, float) for o in outlines}
        every = np.vstack(list(self.places_mm.values()))
        self.window = Window.around(every, AROUND_MM)
        self.face_slots = tuple(o.slot for o in outlines if o.holds != GAP)
        self._faces_mm = [self.places_mm[slot] for slot in self.face_slots]
        self.gap_slots = tuple(o.slot for o in outlines if o.holds == GAP)
        self.common = CommonPrint.of(faces.scans.values()) if faces.scans else None
        face_mm = size_mm(self.places_mm[self.face_slots[0]]) if self.face_slots else (0.0, 0.0)
        self.in_light = FacesInLight(layout, faces, colours, face_mm, self.places_mm)
        # first looks are taken from above: that is coarser than the picture, but finer than they are
        corner_mm = self.window.to_mm(np.zeros(2))
        self._seen_plane = HomographyPlane(
            np.array([[1 / PX_PER_MM, 0.0, corner_mm[0]], [0.0, 1 / PX_PER_MM, corner_mm[1]], [0.0, 0.0, 1.0]])
        )
        (left, top), (right, bottom) = every.min(0), every.max(0)
        hull = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        around_all = ~self.window.mask([hull], AROUND_MM / 2)
        self.gaps = ZoneGaps(self.gap_slots, self.window, self.in_light, around_all) if self.gap_slots else None

    def rectified(self, shot: Shot) -> tuple[Window, np.ndarray]:
        """The zone from above at the height of its faces, (H, W, 3) uint8, and the window that it shows."""
        size = (self.window.width_px, self.window.height_px)
        return self.window, rectify(shot.image, shot.pose, self.window.corners_mm, self._face_z_mm, size)

    def read(
        self,
        shot: Shot,
        seen: np.ndarray,
        light_elsewhere: Callable[[], PictureLight | None],
        before: ZoneReading | None = None,
        due: Collection[Slot] = (),
        changes: Changes | None = None,
    ) -> ZoneReading | None:
        """The zone in a picture; `seen` (H, W, 3) uint8: `rectified`.

        `light_elsewhere`: the picture's light as it is known outside of the zone, asked for when the zone has no known
        face of its own. `before`: an earlier reading of the same view; then only the slots that are `due` are read
        anew, with the light that was learnt then; None when it was not learnt and is needed. `changes`: since an
        earlier picture of the same view, of `before` or another.
        """
        slots = [slot for slot in self.face_slots if before is None or slot in due]
        if before is not None and changes is not None:
            slots = [slot for slot in slots if not self._is_leant_over(before.places[slot], changes)]
        corner = self._corner(seen, before, changes)
        # most pictures need not be compared with bare table: it is judged only where no face was recognised
        # the rim is remembered of the last whole reading: what stays there is table in the next one
        earlier = None if changes is None else changes.before_bgr
        around = cache(lambda: self._around(seen, corner, earlier))
        table = _Table(around, cache(lambda: self._farther(shot)), cache(partial(self._shows_card, seen)))
        places = {} if before is None else {slot: self._kept(shot, before.places[slot]) for slot in self.face_slots}
        places |= self._first(shot, seen, slots, table)
        strength = {slot: self._strength(seen, places[slot]) for slot in slots if self.holds[slot] == TILE}
        places |= {slot: self._empty(seen, table, places[slot], strength.get(slot, 1.0)) for slot in slots}
        if before is None:
            places, canvas = self._decided(shot, seen, places, light_elsewhere)
        elif (canvas := before.canvas) is not None:
            for slot in slots:
                places[slot] = self._alone(shot, seen, slot, places, canvas.light)
        elif any(places[slot].corners_mm is not None for slot in slots):
            # a face where none was known: nobody knows the light yet, and what else lies there may tell it
            others = {one.state for slot, one in places.items() if slot not in slots}
            if self.gaps is not None or not others.isdisjoint((PlaceState.FACE, PlaceState.UNKNOWN)):
                return None
            places, canvas = self._decided(shot, seen, places, light_elsewhere)
        places = within_box(places, self.faces.copies)
        for slot in slots:
            if places[slot].holds != TILE:  # a tile in whose place table was not seen at first is none now
                places[slot] = self._empty(seen, table, places[slot])
            elif strength[slot] < FAINT_PRINT and places[slot].face is not None and self._is_bare_tile(table, slot):
                # haze and the dark leave print of a tile of the table's colours faint, and as like its face as ever
                seen_there = self._shows_print(seen, places[slot], FOUND)
                places[slot] = places[slot] if seen_there else places[slot].in_doubt(STRANGE_TILE_P)
            if places[slot].state is PlaceState.UNKNOWN and around().is_reached_over(self.places_mm[slot]):
                places[slot] = replace(places[slot], state=PlaceState.COVERED)
        places |= {slot: self._as_card(seen, places[slot]) for slot in slots}
        burnt = self._burnt_out(seen, [places[slot] for slot in slots])
        if self.gaps is None:
            return ZoneReading(places | burnt, self.window, seen, canvas, corner)
        if before is not None:
            canvas = self.gaps.canvas_again(seen, places, before)
        gaps, found = self.gaps.read(shot, seen, places, canvas, light_elsewhere, before, due)
        if gaps is not None and canvas is not None:
            places |= self.gaps.faces_beside(shot, seen, places, slots, gaps, canvas)
        return ZoneReading(places | burnt | found, self.window, seen, canvas, corner, gaps)

    @property
    def _face_z_mm(self) -> float:
        return -self.layout.face_thickness_mm

    def _around(self, seen: np.ndarray, corner: CornerReading | None, earlier: np.ndarray | None) -> Background:
        every = list(self.places_mm.values())
        card = card_of(corner, every, self.card_columns)
        return Background(seen, self.window, every, card, beside_mm=self.beside_mm, earlier_bgr=earlier)

    def _farther(self, shot: Shot) -> Background:
        """The look of the table in a wider ring, but for what is known to lie there."""
        every = list(self.places_mm.values())
        window = Window.around(np.vstack(every), FARTHER_MM)
        size = (window.width_px, window.height_px)
        seen = rectify(shot.image, shot.pose, window.corners_mm, self._face_z_mm, size)
        # an arm that no one has noticed lies there, too, on one side
        return Background(seen, window, every, least_share=COMMON_LOOK, beside_mm=self.beside_mm, across=True)

    def _decided(
        self, shot: Shot, seen: np.ndarray, places: Places, light_elsewhere: Callable[[], PictureLight | None]
    ) -> tuple[Places, Canvas | None]:
        """The places decided in the light that they tell, and the canvas of it, if that light is a likely one."""
        told = self.in_light.decide(shot, seen, self.window, places)
        return in_a_likely_light(self.in_light, *told, seen, light_elsewhere)

    def _corner(self, seen: np.ndarray, before: ZoneReading | None, changes: Changes | None) -> CornerReading | None:
        """Where the corner card lies, in a grid that has one; read again only when something has changed beside it."""
        if not self.card_columns:
            return None
        every = list(self.places_mm.values())
        if before is not None and changes is not None and is_card_kept(changes, self.window, every, self.card_columns):
            return before.corner
        return read_corner(seen, self.window, every, self.card_columns)

    def _is_leant_over(self, one: PlaceReading, changes: Changes) -> bool:
        """Whether all that has changed at a known card lies beside it, or reaches in from there and hides little: a
        piece in a gap. Of another card some print would differ that nothing joins to what lies beside it."""
        if one.holds == TILE or one.state is not PlaceState.FACE or one.corners_mm is None:
            return False
        box = self.window.box(self.places_mm[one.slot], NEAR_MM)
        if not changes.within(box):  # it is read in its turn
            return False
        window, changed = self.window.part(box), changes.changed[box]
        inside = window.mask([one.corners_mm], 0.0)
        _, parts = cv2.connectedComponents(changed, connectivity=8)
        joined = np.isin(parts, np.unique(parts[~inside]))
        own = np.count_nonzero(inside & (parts > 0) & ~joined)
        hidden = np.count_nonzero(inside & (parts > 0))
        most = LEANT_OVER * np.count_nonzero(inside)
        return bool(hidden <= most and own <= CHANGED_MM2 * PX_PER_MM**2)

    def _covered(self, slot: Slot) -> PlaceReading:
        return PlaceReading(slot, self.holds[slot], PlaceState.COVERED)

    def _burnt_out(self, seen: np.ndarray, places: Sequence[PlaceReading]) -> Places:
        """Those of the places with a card too bright for the picture, their names in doubt; pieces are told beside them
        all the same."""
        out: Places = {}
        origin = (self.window.left_mm, self.window.top_mm)
        for one in places:
            if one.holds == TILE or one.state not in (PlaceState.FACE, PlaceState.UNKNOWN):
                continue
            if one.corners_mm is None or not one.alternatives:
                continue
            if seen[self.window.box(one.corners_mm, 0.0)].max(initial=0) < SATURATED:
                continue
            face = self.in_light.placed(one, one.likeliest)
            printed = np.asarray((face.scan.soft[-1] < COLOURED).all(-1))
            clipped = np.asarray((in_face_frame(seen, face, origin) >= SATURATED).any(-1))
            if printed.any() and clipped[printed].mean() > BURNT_OUT:
                out[one.slot] = replace(one.in_doubt(BURNT_OUT_P), burnt_out=True)
        return out

    def _kept(self, shot: Shot, one: PlaceReading) -> PlaceReading:
        """A place as it was read before, as far as nothing covers it now."""
        covered = one.slot in shot.covered and one.state is not PlaceState.OUTSIDE
        return self._covered(one.slot) if covered else one

    def _first(self, shot: Shot, seen: np.ndarray, slots: Sequence[Slot], table: _Table) -> Places:
        """What lies in places, as far as each can be read alone."""
        plane, around = PosePlane(shot.pose, self._face_z_mm), table.around
        out = self._not_seen(shot, slots)
        bare = [slot for slot in slots if slot not in out and self.holds[slot] != TILE]
        bare = [slot for slot in bare if around().is_empty(self.places_mm[slot])]
        bare = [slot for slot in bare if not around().stands_out(self.places_mm[slot], self._faces_mm)]
        bare = [slot for slot in self._blank(shot, seen, plane, bare) if not table.shows_card(slot)]
        out |= {slot: PlaceReading(slot, self.holds[slot], PlaceState.EMPTY, p=EMPTY_P) for slot in bare}
        tiles = [slot for slot in slots if slot not in out and self.holds[slot] == TILE]
        cards = [slot for slot in slots if slot not in out and self.holds[slot] != TILE]
        found = self._faces(shot, plane, tiles, rigid=False) | self._faces(shot, plane, cards, rigid=True)
        # between gaps there is no room for a card lying across
        unlike = [] if self.gap_slots else [slot for slot in cards if found[slot].aligned_likeness < LIKE_A_FACE]
        for slot, across in self._faces(shot, plane, unlike, rigid=True, quarters=1).items():
            found[slot] = max(found[slot], across, key=lambda one: one.aligned_likeness)
        return out | {slot: self._with_face(slot, found[slot]) for slot in (*tiles, *cards)}

    def _faces(
        self, shot: Shot, plane: PosePlane, slots: Sequence[Slot], *, rigid: bool, quarters: int = 0
    ) -> dict[Slot, FaceAtPlace]:
        places = [self.places_mm[slot] for slot in slots]
        found = read_faces(shot.image, plane, places, self.faces.book, rigid=rigid, quarters=quarters)
        return dict(zip(slots, found, strict=True))

    def _not_seen(self, shot: Shot, slots: Sequence[Slot]) -> Places:
        """Those of the places that are outside of the picture or covered."""
        if not slots:
            return {}
        inside = all_in_picture(shot.image, shot.pose, np.array([self.places_mm[slot] for slot in slots])).tolist()
        return {
            slot: self._covered(slot) if is_inside else PlaceReading(slot, self.holds[slot], PlaceState.OUTSIDE)
            for slot, is_inside in zip(slots, inside, strict=True)
            if not is_inside or slot in shot.covered
        }

    def _blank(self, shot: Shot, seen: np.ndarray, plane: PosePlane, slots: Sequence[Slot]) -> list[Slot]:
        """Those of the places for cards that show no print: one colour, or a pattern, unlike that of any card, lying
        or not. In the dark a pale card is one colour but for its print."""
        if self.faces.book.album is not None:  # faces that were not cut alike go with no crop so well
            return [slot for slot in slots if is_plain(shot.image, plane, self.places_mm[slot])]
        out = list(slots)
        for quarters in (0, 1):
            places = [turned_corners(self.places_mm[slot], quarters) for slot in out]
            looks = first_looks(seen, self._seen_plane, places, self.faces.book, FAINT)
            out = [slot for slot, (_, likeness) in zip(out, looks, strict=True) if likeness < NO_PRINT]
        return out

    def _with_face(self, slot: Slot, found: FaceAtPlace) -> PlaceReading:
        """A place as the best face found in it says."""
        holds = self.holds[slot]
        known = found.is_named and found.likeness >= (SOME_FACE_LIKENESS if holds == TILE else LIKE_A_FACE)
        return PlaceReading(
            slot, holds, PlaceState.FACE if known else PlaceState.UNKNOWN,
            found.reading.face if known else None, found.reading.p if found.is_aligned else 0.0, found.turn,
            found.reading.alternatives, pieces_p=0.0 if holds == TILE else 1.0, likeness=found.aligned_likeness,
            corners_mm=found.corners_mm,
        )  # fmt: skip

    def _empty(self, seen: np.ndarray, table: _Table, one: PlaceReading, strength: float = 1.0) -> PlaceReading:
        """A place whose face was not recognised, empty if it shows nothing but table, as it is seen around or, of a
        place for a card that shows none, farther away; so is one in which a tile was named of which nothing is seen.
        `strength`: see `_strength`."""
        named = one.holds == TILE and one.state is PlaceState.FACE
        if (named and strength >= NO_PRINT_OF_IT) or (not named and one.state is not PlaceState.UNKNOWN):
            return one
        place, likeness = self.places_mm[one.slot], one.likeness / UNLIKE_A_FACE
        if one.holds == TILE:
            # a dark tile on a dark cloth has the table's colours, and a twin of it beside it leaves its name open
            if one.p > 0.0 and one.corners_mm is not None and not named:
                some_face = one.p >= SOME_FACE_P and one.likeness >= SOME_FACE_LIKENESS
                if (some_face and strength >= NO_PRINT_OF_IT) or self._shows_print(seen, one, PRINT_SEEN):
                    return one
            bare = self._is_bare_tile(table, one.slot)
        else:
            # a card of the table's colours whose alignment failed looks much like table, but its print and border do
            # not; shadows on bare table have its colours and look rough
            bare = likeness < 1.0 and not table.shows_card(one.slot)
            bare = bare and any(_is_bare(ring(), place, likeness) for ring in (table.around, table.farther))
            bare = bare and not self._shows_print(seen, one, NO_PRINT)
            bare = bare and not table.around().stands_out(place, self._faces_mm)
        return PlaceReading(one.slot, one.holds, PlaceState.EMPTY, p=EMPTY_P) if bare else one

    def _is_bare_tile(self, table: _Table, slot: Slot) -> bool:
        """Whether a place for a tile shows nothing but table: pieces lie on tiles, and one that could not be read is
        not empty table."""
        place = self.places_mm[slot]
        return table.around().is_empty(place) and not table.around().bears_thing(place)

    def _strength(self, seen: np.ndarray, one: PlaceReading) -> float:
        """How strong the print of the strongest of its likely faces is in a place, 1 where none was aligned."""
        if one.p <= 0.0 or one.corners_mm is None:
            return 1.0
        origin = (self.window.left_mm, self.window.top_mm)
        return max((print_strength(seen, face, origin) for face in self.in_light.likely_laid(one)), default=1.0)

    def _shows_card(self, seen: np.ndarray, slot: Slot) -> bool:
        """Whether what all cards print alike is seen in a place that has the table's colours."""
        return self.common is not None and self.common.is_shown(seen, self.window, self.places_mm[slot])

    def _as_card(self, seen: np.ndarray, one: PlaceReading) -> PlaceReading:
        """A place whose card was not recognised, the name in doubt where no card at all is seen, or not its own print:
        in a light that has changed its colours a card that was aligned badly looks like another one."""
        if one.holds == TILE or one.state is not PlaceState.UNKNOWN or one.p <= NO_CARD_P or self.common is None:
            return one
        if one.corners_mm is None or one.likeness >= UNLIKE_A_FACE:
            return one
        shown = self.common.is_shown(seen, self.window, one.corners_mm, one.turn or 0)
        return one if shown and self._shows_print(seen, one, PRINT_SEEN) else one.in_doubt(NO_CARD_P)

    def _shows_print(self, seen: np.ndarray, one: PlaceReading, least: float) -> bool:
        """Whether the fine detail of a place is at least so much that of its likeliest face."""
        if one.corners_mm is None or not one.alternatives:
            return False
        origin = (self.window.left_mm, self.window.top_mm)
        return detail_likeness(seen, self.in_light.placed(one, one.likeliest), origin) >= least

    def _alone(self, shot: Shot, seen: np.ndarray, slot: Slot, places: Places, light: PictureLight) -> PlaceReading:
        """One place in the light that was learnt from the whole zone, its known neighbours lying where they did."""
        box = self.window.box(self.places_mm[slot], AROUND_PLACE_MM)
        window = self.window.part(box)
        near = {
            other: one
            for other, one in places.items()
            if other != slot and one.state is PlaceState.FACE and window.touches(self.places_mm[other])
        }
        known = frozenset(near)
        both = {slot: places[slot], **near}
        decided, _ = self.in_light.decide(shot, seen[box], window, both, light, known)
        return decided[slot]


def _is_bare(table: Background, place_mm: np.ndarray, likeness: float) -> bool:
    """Whether a place for a card (4, 2) mm has the table's look, where less of one is found than of no face."""
    looks = (table.is_empty(place_mm), table.is_shaded_table(place_mm))
    return any(looks) if likeness < FAR_FROM else all(looks)
