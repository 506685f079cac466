"""Names the tiles of a map that their spaces do not tell: pieces hide them, or light makes all of their print pale."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from companion.core.types import Face, Slot
from vision.appearance.picture_light import PictureLight
from vision.tables.maps.bare_table import BareTable
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.space_faces import SpaceFaces
from vision.tables.maps.naming.space_votes import SPACES_AGREE, SpaceVotes
from vision.tables.maps.naming.tile_naming import NamedTiles
from vision.tables.maps.naming.whole_tiles import faintly_on, likely_tiles
from vision.tables.maps.since import SinceThen
from vision.tables.maps.standing.corner_tokens import BESIDE_SIDES
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.maps.standing.standing_pieces import StandingPieces
from vision.tables.place import LOCATION, Laid, PlaceReading, PlaceState
from vision.tables.zone import SpaceOnMap

# A tile that is known by what its pieces leave of it.
UNDER_P = 0.97

Explained = dict[tuple[Slot, Face, int], tuple[frozenset[tuple[Slot, SpaceOnMap]], bool]]
"""See `MapLooks.explained`."""


class HiddenTiles:
    """Names tiles on a map by all of what is seen on their spaces. `standing`: reads the pieces there."""

    def __init__(self, plan: MapPlan, votes: SpaceVotes, standing: StandingPieces) -> None:
        self._plan, self._votes, self._on_spaces = plan, votes, standing.on_spaces
        self._read_mm = {**plan.spaces_mm, **standing.on_corners.corners_mm}

    def under_pieces(
        self, seen: MapInPicture, named: NamedTiles, since: SinceThen, light: PictureLight
    ) -> tuple[NamedTiles, Explained]:
        """With the tiles of which pieces hide so much that their spaces do not tell: those of an earlier reading, and
        those for which too little speaks, where the tile and pieces on it explain all that is seen; of one that lay
        there before what pieces leave of it tells enough.

        What was found of each is as it was before where neither its spaces and corners are due nor another tile has
        come beside it; and it still lies there if one of its spaces has not changed.
        """
        plan, explained = self._plan, Explained()
        lay = [(face, slot, turn) for slot, face, turn in seen.shot.laid]
        maybe = lay + [(one.likeliest, slot, one.turn) for slot, one in named.slots.items() if one.turn is not None
                  and one.state is PlaceState.UNKNOWN and one.alternatives and one.likeliest in plan.pieces]
        for name, anchor, turn in dict.fromkeys(maybe):
            if anchor in named.shown:
                continue
            here, tile = plan.lies_on(name, anchor, turn), plan.shown_by((anchor, name, turn))
            readable = all(place not in named.slots or named.slots[place].is_readable for place in tile)
            if len(tile) < len(here) or not readable or named.shown.keys() & tile.keys():
                continue
            if self._are_all_laid(name, named):
                continue
            beside = frozenset((slot, one) for slot, one in named.shown.items() if plan.touches(slot, tile))
            known = None if since.before is None else since.before.looks.explained.get((anchor, name, turn))
            lies = known is not None and known[1] and any(place not in since.changed for place in tile)
            asked = [slot for slot in since.due if slot not in since.changed] if lies else since.due
            if known is None or known[0] != beside or self._is_due(tile, asked):
                clear = self._clear_spaces(tile, turn, named)
                was_there = (name, anchor, turn) in lay
                known = beside, self._on_spaces.explains(seen, tile, named.shown, light, lay=was_there, clear=clear)
            explained[anchor, name, turn] = known
            if known[1]:
                named = self._with(named, (anchor, name, turn))
        return named, explained

    def come_whole(
        self, seen: MapInPicture, named: NamedTiles, light: PictureLight, faces: SpaceFaces, table: BareTable
    ) -> NamedTiles:
        """With the tile beside those that are known of which no space tells its face by itself: the only one that lies
        on spaces without a name, explains all that is seen there, and is surely like it on as many as must agree. For
        what else may lie there too little speaks."""
        free = [
            slot for slot in named.spaces
            if slot not in named.shown and (slot not in named.slots or slot in named.used)
        ]
        strange: list[Slot] = []
        edge, tiled = list(named.shown), [slot for slot in named.spaces if slot in named.used]
        while edge:
            beside = self._plan.beside([slot for slot in free if slot not in strange], edge)
            edge = table.not_empty(beside, tiled)
            strange += edge
        fit = [
            laid for laid in likely_tiles(self._plan, self._votes, faces, strange, named.spaces)
            if not self._are_all_laid(laid[1], named)
            and self._on_spaces.explains(seen, self._plan.shown_by(laid), named.shown, light, least=SPACES_AGREE)
        ]
        if len(fit) != 1:
            return named
        doubted = faintly_on(self._plan, named.slots, self._plan.shown_by(fit[0]))
        slots = {place: one for place, one in named.slots.items() if place not in doubted}
        return self._with(replace(named, slots=slots, used=named.used - doubted), fit[0])

    def _are_all_laid(self, name: Face, named: NamedTiles) -> bool:
        """Whether as many tiles that look like this one are known to lie there as the box has."""
        look = self._look(name)
        laid = [named.slots[anchor].face for anchor in {one.tile for one in named.shown.values()}]
        alike = sum(face is not None and self._look(face) == look for face in laid)
        return alike >= sum(self._look(each) == look for each in self._plan.pieces)

    def _look(self, name: Face) -> tuple[Face, ...]:
        return tuple(self._votes.read_as(face) for face in self._plan.pieces[name].faces)

    def _clear_spaces(self, tile: Mapping[Slot, SpaceOnMap], turn: int, named: NamedTiles) -> list[Slot]:
        """The spaces of a tile, turned by so many sixths, that clearly show its print."""
        return [
            slot for slot, one in tile.items()
            if slot in named.spaces and named.spaces[slot].is_clear
            and (named.spaces[slot].face, named.spaces[slot].turn) == (self._votes.read_as(one.face), turn)
        ]

    def _with(self, named: NamedTiles, laid: Laid) -> NamedTiles:
        """With the tile that all of what is seen on its spaces tells."""
        anchor, name, turn = laid
        tile = self._plan.shown_by(laid)
        slots = {place: PlaceReading(place, LOCATION, PlaceState.EMPTY, p=UNDER_P) for place in tile}
        slots[anchor] = PlaceReading(anchor, LOCATION, PlaceState.UNKNOWN, turn=turn).named(((name, UNDER_P),))
        return replace(named, slots=named.slots | slots, used=named.used | tile.keys(), shown=named.shown | tile)

    def _is_due(self, spaces: Collection[Slot], due: Iterable[Slot]) -> bool:
        """Whether one of the spaces or of their corners is read now."""
        theirs = np.array([self._plan.middles[slot] for slot in spaces])
        apart = (np.linalg.norm(theirs - self._read_mm[slot].mean(0), axis=1).min() for slot in due)
        return any(one < BESIDE_SIDES * self._plan.side_mm for one in apart)
