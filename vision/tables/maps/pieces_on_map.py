"""What stands on a map once its tiles are named: on their spaces and corners, and on bare spaces beside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.types import Slot
from vision.appearance.canvas import Window
from vision.appearance.picture_light import PictureLight
from vision.tables.maps.bare_table import BareTable
from vision.tables.maps.beside_tiles import still_asked
from vision.tables.maps.laid_tiles import readable_spaces
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.since import SinceThen
from vision.tables.maps.standing.corner_tokens import SURE_CORNER_P, CornersBefore
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.maps.standing.same_detail import only_light_differs
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import EMPTY_P, SURE, EarlierReading, PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap

OnBare = dict[Slot, str | None]
"""See `MapLooks.on_bare`."""


@dataclass(frozen=True, slots=True, eq=False)
class TilesNamed:
    """What is known of a map before its pieces are read: its `places`; what the spaces of known tiles have `shown`, and
    the `light` that they tell; the spaces on which tiles lie (`tiled`), known or not, and the bare `table`."""

    places: Mapping[Slot, PlaceReading]
    shown: Mapping[Slot, SpaceOnMap]
    light: PictureLight | None
    tiled: Sequence[Slot]
    table: BareTable


class PiecesOnMap:
    """Reads the pieces on the map of a `plan`."""

    def __init__(self, plan: MapPlan, standing: StandingPieces) -> None:
        self._plan, self._standing = plan, standing

    def read(
        self, seen: MapInPicture, tiles: TilesNamed, since: SinceThen, above_bgr: np.ndarray
    ) -> tuple[dict[Slot, PlaceReading], OnBare]:
        """The places with the pieces on them, and the corners; and the piece on each space beside the tiles on which
        one was looked for. `above_bgr`: (H, W, 3) uint8, the map from above."""
        before, due = since.before, since.due
        if before is not None and since.changes is not None and not since.in_new_light:
            due = still_asked(self._plan, seen.window, before.looks.shown, tiles.shown, due, since.changes)
        out, on_bare = self._beside(seen, tiles, since, due)
        out |= self._on_tiles(seen, tiles, since, due)
        unseen = _perhaps_covered(seen.shot.in_way, tiles.places, out)
        out |= unseen
        seen = replace(seen, shot=replace(seen.shot, covered=seen.shot.covered.union(unseen)))  # and so their corners
        kept = None
        if before is not None:
            still = {s: one for s, one in before.places.items() if s not in self._plan.middles and s not in due}
            kept = CornersBefore(still, before.looks.shown)
        out |= self._standing.on_corners.read(seen, tiles.shown, tiles.light, kept)
        if before is None and seen.shot.earlier is not None:
            out |= self._in_other_light(out, tiles.shown, seen.window, above_bgr, seen.shot.earlier)
        return out, on_bare

    def _beside(
        self, seen: MapInPicture, tiles: TilesNamed, since: SinceThen, due: Collection[Slot]
    ) -> tuple[dict[Slot, PlaceReading], OnBare]:
        """The spaces of which no face is known, and the piece on each of them beside the tiles."""
        out: dict[Slot, PlaceReading] = {}
        on_bare: OnBare = {}
        for slot, place in tiles.places.items():
            is_bare = place.state is PlaceState.EMPTY and place.p >= EMPTY_P
            if not place.is_readable or slot in tiles.shown or is_bare:
                continue
            out[slot] = replace(place, pieces_p=0.0)  # without its face nobody knows what stands there
            unnamed = place.face is None and not place.alternatives
            if tiles.light is None or not unnamed or not self._plan.touches(slot, tiles.shown):
                continue
            before = since.before
            if before is not None and slot in before.looks.on_bare and slot not in due:
                piece = before.looks.on_bare[slot]
            else:
                middle_mm = np.mean([self._plan.middles[one] for one in tiles.shown], axis=0)
                look = tiles.table.beside(tiles.tiled)
                piece = self._standing.on_spaces.on_bare(seen, slot, look, tiles.light, middle_mm)
            on_bare[slot] = piece
            if piece is not None:
                out[slot] = replace(
                    place, state=PlaceState.EMPTY, p=EMPTY_P, pieces=((piece, 1),), pieces_p=SURE_CORNER_P
                )
        return out, on_bare

    def _on_tiles(
        self, seen: MapInPicture, tiles: TilesNamed, since: SinceThen, due: Collection[Slot]
    ) -> dict[Slot, PlaceReading]:
        """The spaces of known tiles: as they were where nothing asks for them, else read."""
        before, places = since.before, tiles.places
        known = set() if before is None else readable_spaces(self._plan, before.places)
        anew = [s for s, one in places.items() if one.is_readable and (before is None or s in due or s not in known)]
        out: dict[Slot, PlaceReading] = {}
        if before is not None:
            kept = [s for s in tiles.shown if s in places and places[s].is_readable and s not in anew]
            out = {slot: places[slot].bearing(before.places[slot]) for slot in kept}
        if tiles.light is not None:
            earlier = seen.shot.earlier
            stood = {} if earlier is None else {slot: one.found for slot, one in earlier.places.items()}
            found = self._standing.on_spaces.read(seen, tiles.shown, tiles.light, anew, stood)
            for slot, one in found.items():
                out[slot] = replace(
                    places[slot], pieces=one.pieces, pieces_p=one.p, found=one.found, doubted=one.doubted,
                    shows_print=one.shows_print,
                )
        return out

    def _in_other_light(
        self, found: Mapping[Slot, PlaceReading], shown: Mapping[Slot, SpaceOnMap], window: Window,
        above_bgr: np.ndarray, earlier: EarlierReading,
    ) -> dict[Slot, PlaceReading]:
        """The spaces of tiles that lay there as surely `earlier`, on which a hard shadow alone makes other pieces."""
        piece_mm = self._standing.on_spaces.layout.piece_side_mm
        lay = {(anchor, 60.0 * turn) for anchor, _, turn in earlier.laid}
        out = {}
        for slot, one in found.items():
            old, tile = earlier.places.get(slot), shown.get(slot)
            if old is None or old.pieces_p < SURE or tile is None or (tile.tile, tile.turn_deg) not in lay:
                continue
            if only_light_differs(earlier.seen_bgr, above_bgr, window, old.found, one.found, piece_mm):
                out[slot] = one.bearing(old)
        return out


def _perhaps_covered(
    in_way: Collection[Slot], places: Mapping[Slot, PlaceReading], found: Mapping[Slot, PlaceReading]
) -> dict[Slot, PlaceReading]:
    """The spaces that may be under a hand which rests before them, covered, but for those that surely show their print:
    a hand of the table's own colour looks like bare table, and like no print."""
    here = (slot for slot in in_way if slot in places and places[slot].is_readable)
    return {
        slot: PlaceReading(slot, places[slot].holds, PlaceState.COVERED)
        for slot in here if not found.get(slot, places[slot]).shows_print
    }  # fmt: skip
