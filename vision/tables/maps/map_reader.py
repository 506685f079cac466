"""Reads a map of spaces on which pieces of several spaces lie: which piece, from which space on, turned by how much."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Face, Slot
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight
from vision.faces.book import FaceBook
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.locate.zones import all_in_picture
from vision.tables.changes import NEAR_MM, Changes
from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.maps.bare_table import BareTable
from vision.tables.maps.beside_tiles import still_asked
from vision.tables.maps.map_plan import SAME_PLACE_MM, MapPlan
from vision.tables.maps.space_faces import SpaceFaces, is_clear
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.maps.space_votes import SPACES_AGREE, SpaceVotes
from vision.tables.maps.standing.bare_spaces import BareSpace
from vision.tables.maps.standing.pieces_on_spaces import BESIDE_SIDES, SURE_CORNER_P, MapPieces
from vision.tables.maps.standing.same_detail import only_light_differs
from vision.tables.maps.tile_naming import TileNaming
from vision.tables.maps.whole_tiles import faintly_on, likely_tiles
from vision.tables.place import EMPTY_P, LOCATION, SURE, EarlierReading, Laid, PlaceReading, PlaceState, Shot
from vision.tables.zone import MapLooks, SpaceOnMap, SpaceReading, ZoneReading
from vision.view.arms.occlusion import Occlusion

# A tile that is known by what its pieces leave of it.
UNDER_P = 0.97

Explained = dict[tuple[Slot, Face, int], tuple[frozenset[tuple[Slot, SpaceOnMap]], bool]]
"""See `MapLooks.explained`."""


class MapReader:
    """Reads the spaces of a map. `book` knows the face of every space of every piece, cut as `space_square` cuts."""

    def __init__(
        self, outlines: Sequence[SlotOutline], pieces: Sequence[SpacePiece], book: FaceBook, thickness_mm: float,
        standing: MapPieces | None = None,
    ) -> None:
        """`standing`: reads the pieces on spaces and corners; None: there are none."""
        self.standing = standing
        self._seen_from: tuple[TablePose, tuple[int, ...], Window, np.ndarray] | None = None
        self.plan = MapPlan(outlines, pieces)
        self.book, self.thickness_mm = book, thickness_mm
        self.places_mm: Mapping[Slot, np.ndarray] = self.plan.spaces_mm | (
            {} if standing is None else standing.corners_mm
        )
        same = dict(zip(book.faces, (book.faces[k] for k in book.group_numbers), strict=True))
        self._votes = SpaceVotes(self.plan, same)

    def rectified(self, shot: Shot) -> tuple[Window, np.ndarray]:
        """The spaces in the picture (all, when none is) from above, (H, W, 3) uint8, and the window that they fill."""
        window, _ = self._window(shot)
        return window, rectify(shot.image, shot.pose, window.corners_mm, 0.0, (window.width_px, window.height_px))

    def _window(self, shot: Shot) -> tuple[Window, np.ndarray]:
        """The window of `rectified`, and (N,) bool which of all spaces are in the picture; of a pose told once."""
        size = shot.image.shape[:2]
        if self._seen_from is None or self._seen_from[0] is not shot.pose or self._seen_from[1] != size:
            every = np.array(list(self.plan.spaces_mm.values()))
            inside = all_in_picture(shot.image, shot.pose, every)
            shown = every[inside] if inside.any() else every
            self._seen_from = shot.pose, size, Window.around(shown.reshape(-1, 2), self.plan.side_mm), inside
        return self._seen_from[2:]

    def read(
        self,
        shot: Shot,
        seen: np.ndarray,
        light_elsewhere: Callable[[], PictureLight | None],
        before: ZoneReading | None = None,
        due: Collection[Slot] = (),
        changes: Changes | None = None,
    ) -> ZoneReading:
        """Every slot: a piece is named in the slot of its first space, its other spaces hold no face of their own.

        See `PlaceReader.read`. The turn of a piece is counted in sixths clockwise. A tile of which one space still
        looks as it did lies there as it did: only what stands on its other spaces is read.
        """
        window, inside = self._window(shot)
        slots: dict[Slot, PlaceReading] = {}
        spaces: dict[Slot, SpaceReading] = {}
        unread: list[Slot] = []
        changed = {slot for slot in due if changes is None or changes.within(window.box(self.places_mm[slot], NEAR_MM))}
        lying = set() if before is None else self._lying_still(before, due, changed)
        for slot, is_inside in zip(self.plan.spaces_mm, inside.tolist(), strict=True):
            if not is_inside:
                slots[slot] = PlaceReading(slot, LOCATION, PlaceState.OUTSIDE)
            elif slot in shot.covered:
                slots[slot] = PlaceReading(slot, LOCATION, PlaceState.COVERED)
            elif before is not None and (slot not in due or slot in lying) and slot in before.spaces:
                spaces[slot] = before.spaces[slot]
            else:
                unread.append(slot)
        faces = SpaceFaces(shot, self.book, self.plan.middles, self.plan.side_mm, self.thickness_mm)
        table = BareTable(self.plan, seen, window, None if before is None else before.looks.table, changes)
        earlier = before or shot.earlier
        naming = TileNaming(self.plan, self._votes, faces, table)
        named = naming.named(
            spaces, unread, slots, shot.laid, None if before is None else before.spaces,
            None if earlier is None else earlier.places,
        )
        spaces, used, shown = named.spaces, named.used, named.shown
        slots |= named.slots
        # a lamp or the sun may light the markers otherwise than the map: their light does until a tile is known
        light = before.map_light if before is not None and before.looks.shown else None
        explained: Explained = {}
        if self.standing is not None:
            told = light or self.standing.light(shot, window, self.plan.middles, shown)
            lit = told or light_elsewhere()
            named_plainly = len(shown)
            if lit is not None:
                explained = self._under_pieces(shot, window, spaces, slots, used, shown, before, due, changed, lit)
                self._come_whole(shot, window, spaces, slots, used, shown, lit, faces, table)
            if light is None and len(shown) > named_plainly:  # the sun may fall on those under pieces alone
                told = self.standing.light(shot, window, self.plan.middles, shown)
            light = told or lit
        tiled = [slot for slot in spaces if slot in used]
        free = []
        for slot, space in spaces.items():
            if slot not in slots:
                known = None if before is None or slot in due else _free_before(before, slot, space, shown.keys())
                if known is None:
                    free.append(slot)
                else:
                    slots[slot] = known
        slots |= self._free({slot: spaces[slot] for slot in free}, table, tiled)
        places = {slot: slots[slot] for slot in self.plan.spaces_mm}
        on_bare: dict[Slot, str | None] = {}
        if self.standing is not None:
            asked = due
            if before is not None and changes is not None:
                asked = still_asked(self.plan, window, before.looks.shown, shown, due, changes)
            found, on_bare = self._with_pieces(shot, window, places, shown, light, before, asked, table, tiled)
            if before is None and shot.earlier is not None:
                found |= self._in_other_light(found, shown, window, seen, shot.earlier)
            places |= found
        places |= self._gone_in_part(places, shot.laid)
        laid = self._laid(places, shot.laid)
        looks = MapLooks(shown, explained, on_bare, table.looks())
        return ZoneReading(places, window, seen, spaces=spaces, map_light=light, laid=laid, looks=looks)

    def is_tile(self, shot: Shot, over: Occlusion) -> bool:
        """Whether all that is seen to reach in over the table is a tile, every space of which shows its own face."""
        reached = over.reaches(np.array(list(self.plan.middles.values())))
        under = [slot for slot, is_reached in zip(self.plan.middles, reached.tolist(), strict=True) if is_reached]
        most = max(len(piece.faces) for piece in self.plan.pieces.values())
        if len(under) > most or not self._are_in_picture(shot, under):
            return False
        faces = SpaceFaces(shot, self.book, self.plan.middles, self.plan.side_mm, self.thickness_mm)
        spaces = faces.read(under, None)
        rest = [slot for slot in self._votes.named(spaces, {})[2] if slot not in spaces]  # of other colours
        if rest and not self._are_in_picture(shot, rest):
            return False
        spaces |= faces.read(rest, None)
        _, _, shown = self._votes.named(spaces, {})
        is_clear_tile = shown.keys() == spaces.keys() and all(map(is_clear, spaces.values()))
        return is_clear_tile and over.is_within([self.plan.outlines_mm[slot] for slot in shown], SAME_PLACE_MM)

    def _are_in_picture(self, shot: Shot, slots: Sequence[Slot]) -> bool:
        """Whether these spaces, some at least, are wholly in the picture."""
        squares = np.array([self.plan.spaces_mm[slot] for slot in slots])
        return bool(slots) and bool(all_in_picture(shot.image, shot.pose, squares).all())

    def _spaces_of(self, places: Mapping[Slot, PlaceReading]) -> set[Slot]:
        """The spaces of the tiles that are named in `places`, as far as they were seen themselves."""
        here = self.plan.spaces_of(self._named(places).values())
        return {place for place in here if places[place].is_readable}

    def _laid(
        self, places: Mapping[Slot, PlaceReading], before: Sequence[Laid]
    ) -> tuple[Laid, ...]:
        """The tiles that are named, and those named before of which nothing says that they lie there no more."""
        named = self._named(places)
        taken = self._taken(named.values())
        for slot, face, turn in before:
            here = self.plan.lies_on(face, slot, turn)
            bare = all(places[p].state is PlaceState.EMPTY and places[p].p >= EMPTY_P for p in here if p is not None)
            if slot not in named and not bare and not taken & set(here):
                named[slot] = (slot, face, turn)
        return tuple(named.values())

    def _named(self, places: Mapping[Slot, PlaceReading]) -> dict[Slot, Laid]:
        """The tiles that are named, by the slot of their first space."""
        return {slot: (slot, one.face, one.turn) for slot, one in places.items()
                if one.state is PlaceState.FACE and one.face in self.plan.pieces and one.turn is not None}

    def _taken(self, tiles: Iterable[Laid]) -> set[Slot | None]:
        """The spaces on which these tiles lie."""
        return {place for slot, face, turn in tiles for place in self.plan.lies_on(face, slot, turn)}

    def _gone_in_part(self, slots: Mapping[Slot, PlaceReading], before: Sequence[Laid]) -> dict[Slot, PlaceReading]:
        """The spaces that look bare of tiles that lay there `before`, do not look so on all of theirs, and have no tile
        on any that is named: one goes from all of its spaces or from none, and looks like table in a deep shadow, or
        like a sheet of paper there where it is blown out."""
        taken = self._taken(self._named(slots).values())
        out: dict[Slot, PlaceReading] = {}
        for tile in before:
            here = self.plan.spaces_of([tile])
            bare = [place for place in here if slots[place].state is PlaceState.EMPTY]
            if len(bare) < len(here) and taken.isdisjoint(here):
                unknown = PlaceState.UNKNOWN
                out |= {place: replace(slots[place], state=unknown, p=0.0, pieces=(), pieces_p=0.0) for place in bare}
        return out

    def _under_pieces(
        self, shot: Shot, window: Window, spaces: Mapping[Slot, SpaceReading], slots: dict[Slot, PlaceReading],
        used: set[Slot], shown: dict[Slot, SpaceOnMap], before: ZoneReading | None, due: Collection[Slot],
        changed: Collection[Slot], light: PictureLight,
    ) -> Explained:
        """Name the tiles of which pieces hide so much that their spaces do not tell: those of an earlier reading, and
        those for which too little speaks, where the tile and pieces on it explain all that is seen; of one that lay
        there before what pieces leave of it tells enough.

        What was found of each is as it was before where neither its spaces and corners are `due` nor another tile has
        come beside it; and it still lies there if one of its spaces has not `changed`.
        """
        standing = self.standing
        assert standing is not None
        explained: Explained = {}
        lay = [(face, slot, turn) for slot, face, turn in shot.laid]
        maybe = lay + [(one.likeliest, slot, one.turn) for slot, one in slots.items() if one.turn is not None
                  and one.state is PlaceState.UNKNOWN and one.alternatives and one.likeliest in self.plan.pieces]
        for name, anchor, turn in dict.fromkeys(maybe):
            if anchor in shown:
                continue
            here, tile = self.plan.lies_on(name, anchor, turn), self._tile(name, anchor, turn)
            readable = all(place not in slots or slots[place].is_readable for place in tile)
            if len(tile) < len(here) or not readable or shown.keys() & tile.keys():
                continue
            beside = frozenset((slot, one) for slot, one in shown.items() if self.plan.touches(slot, tile))
            known = None if before is None else before.looks.explained.get((anchor, name, turn))
            lies = known is not None and known[1] and any(place not in changed for place in tile)
            asked = [slot for slot in due if slot not in changed] if lies else due
            if known is None or known[0] != beside or self._is_due(tile, asked):
                clear = [slot for slot, one in tile.items() if slot in spaces and is_clear(spaces[slot])
                         and (spaces[slot].face, spaces[slot].turn) == (self._votes.read_as(one.face), turn)]
                known = beside, standing.explains(
                    shot, window, self.plan.middles, tile, shown, light, lay=(name, anchor, turn) in lay, clear=clear
                )
            explained[anchor, name, turn] = known
            if known[1]:
                self._name_by_all(anchor, name, turn, slots, used, shown)
        return explained

    def _come_whole(
        self, shot: Shot, window: Window, spaces: Mapping[Slot, SpaceReading], slots: dict[Slot, PlaceReading],
        used: set[Slot], shown: dict[Slot, SpaceOnMap], light: PictureLight, faces: SpaceFaces, table: BareTable,
    ) -> None:
        """Name the tile beside those that are known of which no space tells its face by itself: the only one that lies
        on spaces without a name, explains all that is seen there, and is surely like it on as many as must agree. For
        what else may lie there too little speaks."""
        standing = self.standing
        assert standing is not None
        free = [slot for slot in spaces if slot not in shown and (slot not in slots or slot in used)]
        strange: list[Slot] = []
        edge, tiled = list(shown), [slot for slot in spaces if slot in used]
        while edge:
            beside = self.plan.beside([slot for slot in free if slot not in strange], edge)
            edge = table.not_empty(beside, tiled)
            strange += edge
        fit = []
        for anchor, name, turn in likely_tiles(self.plan, self._votes, faces, strange, spaces):
            tile = self._tile(name, anchor, turn)
            if standing.explains(shot, window, self.plan.middles, tile, shown, light, least=SPACES_AGREE):
                fit.append((anchor, name, turn))
        if len(fit) == 1:
            anchor, name, turn = fit[0]
            for place in faintly_on(self.plan, slots, self._tile(name, anchor, turn)):
                slots.pop(place, None)
                used.discard(place)
            self._name_by_all(anchor, name, turn, slots, used, shown)

    def _tile(self, name: Face, anchor: Slot, turn: int) -> dict[Slot, SpaceOnMap]:
        """What the spaces of the map show on which a tile would lie, but for those off the map."""
        here = self.plan.lies_on(name, anchor, turn)
        return {place: SpaceOnMap(face, 60.0 * turn, anchor)
                for place, face in zip(here, self.plan.pieces[name].faces, strict=True) if place is not None}

    def _name_by_all(
        self, anchor: Slot, name: Face, turn: int, slots: dict[Slot, PlaceReading], used: set[Slot],
        shown: dict[Slot, SpaceOnMap],
    ) -> None:
        """Name the tile that all of what is seen on its spaces tells."""
        slots[anchor] = PlaceReading(anchor, LOCATION, PlaceState.UNKNOWN, turn=turn).named(((name, UNDER_P),))
        for place, one in self._tile(name, anchor, turn).items():
            used.add(place)
            shown[place] = one
            if place != anchor:
                slots[place] = PlaceReading(place, LOCATION, PlaceState.EMPTY, p=UNDER_P)

    def _lying_still(self, before: ZoneReading, due: Collection[Slot], changed: Collection[Slot]) -> set[Slot]:
        """The spaces that have changed of tiles of which another clearly shows what it showed before."""
        out: set[Slot] = set()
        for anchor, name, turn in before.laid:
            here = self.plan.spaces_of([(anchor, name, turn)])
            named = before.places[anchor].face == name and before.places[anchor].turn == turn
            alike = (before.spaces.get(place) for place in here if place not in due)
            if named and any(one is not None and one.turn == turn and is_clear(one) for one in alike):
                out |= {place for place in here if place in changed}
        return out

    def _is_due(self, spaces: Collection[Slot], due: Iterable[Slot]) -> bool:
        """Whether one of the spaces or of their corners is read now."""
        theirs = np.array([self.plan.middles[slot] for slot in spaces])
        apart = (np.linalg.norm(theirs - self.places_mm[slot].mean(0), axis=1).min() for slot in due)
        return any(one < BESIDE_SIDES * self.plan.side_mm for one in apart)

    def _with_pieces(
        self, shot: Shot, window: Window, places: Mapping[Slot, PlaceReading], shown: Mapping[Slot, SpaceOnMap],
        light: PictureLight | None, before: ZoneReading | None, due: Collection[Slot], table: BareTable,
        tiled: Sequence[Slot],
    ) -> tuple[dict[Slot, PlaceReading], dict[Slot, str | None]]:
        """The places with the pieces on them, and the corners; and the piece on each space beside the tiles on which
        one was looked for."""
        standing = self.standing
        assert standing is not None
        readable = [slot for slot in places if places[slot].is_readable]
        known = set() if before is None else self._spaces_of(before.places)
        anew = [s for s in readable if before is None or s in due or s not in known]
        out: dict[Slot, PlaceReading] = {}
        on_bare: dict[Slot, str | None] = {}
        for slot in readable:
            if slot not in shown and (places[slot].state is not PlaceState.EMPTY or places[slot].p < EMPTY_P):
                out[slot] = replace(places[slot], pieces_p=0.0)  # without its face nobody knows what stands there
                bare = places[slot].face is None and not places[slot].alternatives
                if light is not None and bare and self.plan.touches(slot, shown):
                    if before is not None and slot in before.looks.on_bare and slot not in due:
                        piece = before.looks.on_bare[slot]
                    else:
                        space = BareSpace(self.plan.middles[slot], self.plan.side_mm)
                        tiles_mm = np.mean([self.plan.middles[one] for one in shown], axis=0)
                        piece = standing.on_bare(shot, window, space, table.beside(tiled), light, tiles_mm)
                    on_bare[slot] = piece
                    if piece is not None:
                        out[slot] = replace(
                            places[slot], state=PlaceState.EMPTY, p=EMPTY_P, pieces=((piece, 1),),
                            pieces_p=SURE_CORNER_P,
                        )
            elif before is not None and slot in shown and slot not in anew:
                old = before.places[slot]
                out[slot] = places[slot].bearing(old)
        if light is not None:
            stood = {} if shot.earlier is None else {slot: one.found for slot, one in shot.earlier.places.items()}
            found = standing.read_spaces(shot, window, self.plan.middles, shown, light, anew, stood)
            for slot, one in found.items():
                out[slot] = replace(
                    places[slot], pieces=one.pieces, pieces_p=one.p, found=one.found, doubted=one.doubted
                )
        kept = {} if before is None else {
            slot: one for slot, one in before.places.items() if slot not in self.plan.middles and slot not in due
        }
        shown_before = None if before is None else before.looks.shown
        corners = standing.read_corners(
            shot, window, self.plan.middles, self.plan.side_mm, shown, light, kept, shown_before
        )
        return out | corners, on_bare

    def _in_other_light(
        self, found: Mapping[Slot, PlaceReading], shown: Mapping[Slot, SpaceOnMap], window: Window, seen: np.ndarray,
        earlier: EarlierReading,
    ) -> dict[Slot, PlaceReading]:
        """The spaces of tiles that lay there as surely `earlier`, on which a hard shadow alone makes other pieces."""
        assert self.standing is not None
        piece_mm = self.standing.layout.piece_side_mm
        lay = {(anchor, 60.0 * turn) for anchor, _, turn in earlier.laid}
        out = {}
        for slot, one in found.items():
            old, tile = earlier.places.get(slot), shown.get(slot)
            if old is None or old.pieces_p < SURE or tile is None or (tile.tile, tile.turn_deg) not in lay:
                continue
            if only_light_differs(earlier.seen_bgr, seen, window, old.found, one.found, piece_mm):
                out[slot] = one.bearing(old)
        return out

    def _free(
        self, spaces: Mapping[Slot, SpaceReading], table: BareTable, tiled: Sequence[Slot]
    ) -> dict[Slot, PlaceReading]:
        """Spaces without a piece: empty where they look like the table around the pieces, else unknown. `tiled`: the
        spaces on which pieces lie."""
        printed = {slot for slot, one in spaces.items() if one.face is not None and one.likeness >= LIKE_A_FACE}
        strange = set(table.not_empty([slot for slot in spaces if slot not in printed], tiled))
        out = {}
        for slot, space in spaces.items():
            one = PlaceReading(slot, LOCATION, PlaceState.UNKNOWN, likeness=space.likeness)
            if slot in printed and space.face is not None:
                one = replace(one, turn=space.turn, alternatives=((space.face, min(space.p, 0.5)),))
            elif slot not in strange:
                one = replace(one, state=PlaceState.EMPTY, p=EMPTY_P)
            out[slot] = one
        return out

def _free_before(
    before: ZoneReading, slot: Slot, space: SpaceReading, shown: Collection[Slot]
) -> PlaceReading | None:
    """The earlier reading of a space that has not been read since, if it lay beside all tiles. What was not known is
    compared anew where other spaces are `shown`, beside which the table may look otherwise."""
    known = before.places[slot]
    bare = known.state is PlaceState.EMPTY and known.p == EMPTY_P and not known.pieces
    strange = known.state is PlaceState.UNKNOWN and known.turn is None and before.looks.shown.keys() == shown
    return known if (bare or strange) and space is before.spaces.get(slot) else None
