"""Reads a map of spaces on which pieces of several spaces lie: which piece, from which space on, turned by how much."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from companion.core.layout import SlotOutline
from companion.core.types import Slot
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight
from vision.faces.book import FaceBook
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.locate.zones import all_in_picture
from vision.tables.changes import Changes
from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.maps.bare_table import BareTable
from vision.tables.maps.laid_tiles import gone_in_part, laid_now
from vision.tables.maps.map_plan import SAME_PLACE_MM, MapPlan
from vision.tables.maps.naming.hidden_tiles import Explained, HiddenTiles
from vision.tables.maps.naming.space_faces import SpaceFaces
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.maps.naming.tile_naming import NamedTiles, TileNaming
from vision.tables.maps.pieces_on_map import OnBare, PiecesOnMap, TilesNamed
from vision.tables.maps.since import SinceThen
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import EMPTY_P, LOCATION, PlaceReading, PlaceState, Shot
from vision.tables.zone import MapLooks, SpaceReading, ZoneReading
from vision.view.arms.occlusion import Occlusion

# A light that misses the plain print by more grey levels was not told well: print is predicted to 1 to 4, in rough
# rooms where two lights fall on one tile to some 6. It is told anew, and another taken that misses so much less.
POORLY_TOLD, MUCH_BETTER_TOLD = 8.0, 2.0


class MapReader:
    """Reads the spaces of a map. `book` knows the face of every space of every piece, cut as `space_square` cuts."""

    def __init__(
        self, outlines: Sequence[SlotOutline], pieces: Sequence[SpacePiece], book: FaceBook, thickness_mm: float,
        standing: StandingPieces | None = None,
    ) -> None:
        """`standing`: reads the pieces on spaces and corners; None: there are none."""
        self._seen_from: tuple[TablePose, tuple[int, ...], Window, np.ndarray] | None = None
        self.plan = MapPlan(outlines, pieces)
        self.book, self.thickness_mm = book, thickness_mm
        corners_mm = {} if standing is None else standing.on_corners.corners_mm
        self.places_mm = {**self.plan.spaces_mm, **corners_mm}
        same = dict(zip(book.faces, (book.faces[k] for k in book.group_numbers), strict=True))
        self._votes = SpaceVotes(self.plan, same)
        self._standing = standing
        self._hidden = None if standing is None else HiddenTiles(self.plan, self._votes, standing)
        self._pieces = None if standing is None else PiecesOnMap(self.plan, standing)

    def rectified(self, shot: Shot) -> tuple[Window, np.ndarray]:
        """The spaces in the picture (all, when none is) from above, (H, W, 3) uint8, and the window that they fill."""
        window, _ = self._window(shot)
        return window, rectify(shot.image, shot.pose, window.corners_mm, 0.0, (window.width_px, window.height_px))

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
        window, _ = self._window(shot)
        since = SinceThen.of(before, due, changes, window, self.places_mm)
        in_picture = MapInPicture(shot, window, self.plan.middles, self.plan.side_mm, self.thickness_mm)
        table = BareTable(self.plan, seen, window, None if before is None else before.looks.table, changes)
        faces = SpaceFaces(shot, self.book, self.plan.middles, self.plan.side_mm, self.thickness_mm)
        named = self._named(shot, since, faces, table)
        named, explained, light = self._lit(in_picture, named, since, faces, table, light_elsewhere)
        if before is not None and before.looks.shown and light is not before.map_light:
            since = since.told_anew(self.places_mm)
        tiled = [slot for slot in named.spaces if slot in named.used]
        slots = {**named.slots, **self._free(named, since, table, tiled)}
        places = {slot: slots[slot] for slot in self.plan.spaces_mm}
        on_bare: OnBare = {}
        if self._pieces is not None:
            tiles = TilesNamed(places, named.shown, light, tiled, table)
            found, on_bare = self._pieces.read(in_picture, tiles, since, seen)
            places |= found
        places |= gone_in_part(self.plan, places, shot.laid)
        laid = laid_now(self.plan, places, shot.laid)
        looks = MapLooks(named.shown, explained, on_bare, table.looks())
        return ZoneReading(places, window, seen, spaces=named.spaces, map_light=light, laid=laid, looks=looks)

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
        is_clear_tile = shown.keys() == spaces.keys() and all(one.is_clear for one in spaces.values())
        return is_clear_tile and over.is_within([self.plan.outlines_mm[slot] for slot in shown], SAME_PLACE_MM)

    def _window(self, shot: Shot) -> tuple[Window, np.ndarray]:
        """The window of `rectified`, and (N,) bool which of all spaces are in the picture; of a pose told once."""
        size = shot.image.shape[:2]
        if self._seen_from is None or self._seen_from[0] is not shot.pose or self._seen_from[1] != size:
            every = np.array(list(self.plan.spaces_mm.values()))
            inside = all_in_picture(shot.image, shot.pose, every)
            shown = every[inside] if inside.any() else every
            self._seen_from = shot.pose, size, Window.around(shown.reshape(-1, 2), self.plan.side_mm), inside
        return self._seen_from[2:]

    def _are_in_picture(self, shot: Shot, slots: Sequence[Slot]) -> bool:
        """Whether these spaces, some at least, are wholly in the picture."""
        squares = np.array([self.plan.spaces_mm[slot] for slot in slots])
        return bool(slots) and bool(all_in_picture(shot.image, shot.pose, squares).all())

    def _named(self, shot: Shot, since: SinceThen, faces: SpaceFaces, table: BareTable) -> NamedTiles:
        """The tiles that their spaces tell; of the places that cannot be read, why not."""
        _, inside = self._window(shot)
        kept = since.kept(self.plan)
        unreadable: dict[Slot, PlaceReading] = {}
        spaces: dict[Slot, SpaceReading] = {}
        unread: list[Slot] = []
        for slot, is_inside in zip(self.plan.spaces_mm, inside.tolist(), strict=True):
            if not is_inside:
                unreadable[slot] = PlaceReading(slot, LOCATION, PlaceState.OUTSIDE)
            elif slot in shot.covered:
                unreadable[slot] = PlaceReading(slot, LOCATION, PlaceState.COVERED)
            elif slot in kept:
                spaces[slot] = kept[slot]
            else:
                unread.append(slot)
        earlier = since.before or shot.earlier
        named = TileNaming(self.plan, self._votes, faces, table).named(
            spaces, unread, unreadable, shot.laid, None if since.before is None else since.before.spaces,
            None if earlier is None else earlier.places,
        )
        return replace(named, slots={**unreadable, **named.slots})

    def _lit(
        self, seen: MapInPicture, named: NamedTiles, since: SinceThen, faces: SpaceFaces, table: BareTable,
        light_elsewhere: Callable[[], PictureLight | None],
    ) -> tuple[NamedTiles, Explained, PictureLight | None]:
        """With the tiles that only the whole of what is seen tells in the light of the map, which of them explain that,
        and that light."""
        # a lamp or the sun may light the markers otherwise than the map: their light does until a tile is known
        light = since.before.map_light if since.before is not None and since.before.looks.shown else None
        light = self._better_told(seen, named, light)
        if self._standing is None or self._hidden is None:
            return named, {}, light
        told = light or self._standing.on_spaces.light(seen, named.shown)
        lit = told or light_elsewhere()
        if lit is None:
            return named, {}, None
        by_all, explained = self._hidden.under_pieces(seen, named, since, lit)
        by_all = self._hidden.come_whole(seen, by_all, lit, faces, table)
        if light is None and len(by_all.shown) > len(named.shown):  # the sun may fall on those under pieces alone
            told = self._standing.on_spaces.light(seen, by_all.shown)
        return by_all, explained, told or lit

    def _better_told(self, seen: MapInPicture, named: NamedTiles, light: PictureLight | None) -> PictureLight | None:
        """The light that the map was read in before, or the one that it tells now where that one misses much of its
        print and this one does not: a hand that was not noticed lay over it, or the sun has moved on."""
        if light is None or light.noise <= POORLY_TOLD or self._standing is None or not named.shown:
            return light
        now = self._standing.on_spaces.light(seen, named.shown)
        return now if now is not None and now.noise * MUCH_BETTER_TOLD <= light.noise else light

    def _free(
        self, named: NamedTiles, since: SinceThen, table: BareTable, tiled: Sequence[Slot]
    ) -> dict[Slot, PlaceReading]:
        """Spaces without a piece: as they were where they have not been read since, empty where they look like the
        table around the pieces, else unknown. `tiled`: the spaces on which pieces lie."""
        out: dict[Slot, PlaceReading] = {}
        spaces: dict[Slot, SpaceReading] = {}
        for slot, space in named.spaces.items():
            if slot not in named.slots:
                known = since.free(slot, space, named.shown.keys())
                if known is None:
                    spaces[slot] = space
                else:
                    out[slot] = known
        printed = {slot for slot, one in spaces.items() if one.face is not None and one.likeness >= LIKE_A_FACE}
        strange = set(table.not_empty([slot for slot in spaces if slot not in printed], tiled))
        for slot, space in spaces.items():
            one = PlaceReading(slot, LOCATION, PlaceState.UNKNOWN, likeness=space.likeness)
            if slot in printed and space.face is not None:
                one = replace(one, turn=space.turn, alternatives=((space.face, min(space.p, 0.5)),))
            elif slot not in strange:
                one = replace(one, state=PlaceState.EMPTY, p=EMPTY_P)
            out[slot] = one
        return out
