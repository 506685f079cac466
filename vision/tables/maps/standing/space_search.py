"""Searches one space of a map for the pieces on it, in the light of the map, in its own, or in lights on its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from companion.core.layout import TableLayout
from companion.core.types import Face, Slot
from vision.appearance.canvas import Canvas, compose, laid_faces
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import FaceScan, PlacedFace, turn_matrix
from vision.pieces.finder import FoundPiece, PieceFinder
from vision.pieces.light.uneven_light import lit_anew
from vision.pieces.piece_edges import COVERED, goes_on
from vision.pieces.shapes import PieceModel
from vision.tables.maps.standing.burnt_out import not_shown
from vision.tables.maps.standing.map_in_picture import MapInPicture
from vision.tables.place import Shot
from vision.tables.zone import SpaceOnMap

# What is composed around one space: a piece at its edge with its lean and shadow, and the edges of its neighbours.
AROUND_MM = 30.0

# From so many pieces on a space on, sets of them are searched: they may touch.
CROWD = 2

# What a plain search leaves unexplained (mm2, nats) from which sets of pieces are searched: they may hide each other.
LEFT_OVER_MM2, LEFT_OVER_NATS = 12.0, 6.0

# By so much less must a space's own light miss the print than that of the map to be believed as that is: a hard edge of
# sun over a map left 18 and 29 grey levels in the map's, 1.4 to 2.1 in that of spaces on either side.
MUCH_BETTER = 3.0

# A piece that is found in two lights is found within this part of its side: what light makes of print comes to lie
# anywhere.
SAME_PIECE_SIDES = 0.25

# Part of a space's square that neither its face nor pieces explain, up to which the face is believed to lie there, and
# the pieces that were found to be all.
STRANGE_SHARE = 0.06


@dataclass(frozen=True, slots=True)
class OnSpace:
    """What was found on one space: its pieces; by colour the evidence for the best one refused (nats); the area that
    nothing explains; how much what the pieces leave of the face looks like it (-1 to 1); the colours of those of which
    the look goes on beyond their edge, or that may be print: in a brighter light, or seen through them; by how much
    the light misses the plain print that told it (grey levels); whether that is not the map's, but the light that
    its own face tells, or lights on parts of it; and the colours of which a piece would not show there."""

    pieces: list[FoundPiece]
    refused: Mapping[str, float]
    strange_mm2: float
    likeness: float
    endless: tuple[str, ...]
    noise: float
    in_own_light: bool = False
    not_shown: tuple[str, ...] = ()


Shows = tuple[tuple[Slot, SpaceOnMap], ...]
Asked = tuple[Shows, Shows, bool]
"""The space that is searched and those near to it, and the others of its tile, with what they show; and whether it is
lit in parts."""


class SpaceSearch:
    """Searches spaces for pieces of the `colours`. `scans`: per face the square of a space, `square_mm` wide."""

    def __init__(
        self, layout: TableLayout, scans: Mapping[Face, FaceScan], square_mm: float, colours: PieceColours
    ) -> None:
        self.layout, self.scans, self.square_mm, self.colours = layout, scans, square_mm, colours
        self.most_strange_mm2 = STRANGE_SHARE * square_mm**2
        # what was found on the spaces of the picture that was read last: by what is known around a space and how it
        # is lit, in each light
        self._searched: tuple[Shot | None, dict[Asked, list[tuple[PictureLight | None, OnSpace]]]] = (None, {})

    def placed(self, middle: np.ndarray, one: SpaceOnMap) -> PlacedFace:
        """The face that a space shows whose middle (2,) lies there, table mm."""
        return PlacedFace(np.asarray(middle, float), one.turn_deg, self.square_mm, self.scans[one.face])

    def in_best_light(
        self, seen: MapInPicture, spaces: Mapping[Slot, SpaceOnMap], slot: Slot, light: PictureLight,
        stood: Sequence[FoundPiece] = (),
    ) -> OnSpace:
        """What is on one space, in the light of the map; where that leaves it in doubt, in another light that explains
        all. Where all that differs are pieces of which the look goes on beyond their edge, as light does, and lights on
        parts of the space explain it without them, they are none, unless they `stood` there before, or one light, which
        the space's own face tells, explains all with them. What that tells is believed where it fits the print much
        better; else what differs in the two lights is asked about."""
        found = self.in_light(seen, spaces, slot, light)
        if not found.endless and found.strange_mm2 <= self.most_strange_mm2:
            return found
        if found.endless:
            lit = self.in_light(seen, spaces, slot, light, in_parts=True)
            come, gone = self._differing(found, lit)
            still = {one.colour for one in found.pieces if self._is_among(one, stood)}
            if self._explains_all(lit) and not come and gone <= set(found.endless) - still:
                own = self.in_light(seen, spaces, slot, None)
                if not self._explains_all(own) or self._differing(found, own)[1] & gone:
                    return lit
        own = self.in_light(seen, spaces, slot, None)
        if not self._explains_all(own):
            return found
        if own.noise * MUCH_BETTER <= found.noise:
            return own
        if found.strange_mm2 <= self.most_strange_mm2:
            return found
        come, gone = self._differing(found, own)
        return replace(own, endless=tuple(sorted(come | gone)))

    def in_light(
        self, seen: MapInPicture, spaces: Mapping[Slot, SpaceOnMap], slot: Slot, light: PictureLight | None, *,
        in_parts: bool = False,
    ) -> OnSpace:
        """What is on one space in a light; None: in that of its own face; `in_parts`: its print lit anew, part by
        part, where no one light explains it. A picture is asked once: whether a tile explains a space, and what stands
        there, is the same search."""
        part = seen.around([slot], AROUND_MM)
        near = [slot, *(s for s in spaces if s != slot and part.touches(seen.middles[s][None]))]
        mates = _mates(spaces, slot)
        if self._searched[0] is not seen.shot:
            self._searched = seen.shot, {}
        around, of_tile = (tuple((s, spaces[s]) for s in slots) for slots in (near, mates))
        known = self._searched[1].setdefault((around, of_tile, in_parts), [])
        for told, one in known:
            if told is light:
                return one
        found = self._search(seen, spaces, near, light, in_parts=in_parts)
        known.append((light, found))
        return found

    def doubled(self, pieces: Sequence[FoundPiece]) -> set[str]:
        """The figures that are found twice: a seat has one on a map, and only tokens come in numbers."""
        own = Counter(p.colour for p in pieces if p.colour not in self.layout.tokens)
        return {colour for colour, n in own.items() if n > 1}

    def told_by_tile(
        self, seen: MapInPicture, spaces: Mapping[Slot, SpaceOnMap], slot: Slot, light: PictureLight
    ) -> tuple[PlacedFace, float] | None:
        """Where a space lies, and how bright it is, by the other spaces of its tile that could be fitted; None when
        none could."""
        mine, mates = spaces[slot], _mates(spaces, slot)
        if not mates:
            return None
        part = seen.around(mates, AROUND_MM)
        faces = [self.placed(seen.middles[s], spaces[s]) for s in mates]
        together = zip(faces, *laid_faces(seen.seen(part), part, faces, light), strict=True)
        moved = [(was, now, level) for was, now, level in together if now is not was]
        if not moved:
            return None
        askew = float(np.mean([now.turn_deg - was.turn_deg for was, now, _ in moved]))
        turn = turn_matrix(askew)
        middle = seen.middles[slot]
        there = np.mean([now.centre_mm + turn @ (middle - was.centre_mm) for was, now, _ in moved], axis=0)
        face = replace(self.placed(there, mine), turn_deg=mine.turn_deg + askew)
        return face, float(np.median([level for _, _, level in moved]))

    def _search(
        self, seen: MapInPicture, spaces: Mapping[Slot, SpaceOnMap], near: Sequence[Slot],
        light: PictureLight | None, *, in_parts: bool,
    ) -> OnSpace:
        """See `in_light`, of the first of the slots that lie `near` to each other."""
        slot = near[0]
        piece = PieceModel.on_face(self.layout, seen.shot.eye_mm)
        part = seen.around([slot], AROUND_MM)
        picture, faces = seen.seen(part), [self.placed(seen.middles[s], spaces[s]) for s in near]
        canvas = compose(picture, part, faces, light)
        is_own, light = light is None, light or canvas.light
        if in_parts:  # by all of it: what was taken for pieces may be print in the sun
            doubtful = np.where(np.arange(len(faces)) == 0, np.inf, 0.0)
            canvas, _ = lit_anew(canvas, np.zeros(canvas.label.shape, np.float32), doubtful)
        finder = PieceFinder(self.colours, piece)
        examined = finder.examine(canvas, crowded=False)
        search = finder.search_examined(examined, finder.colours.names)
        if search.unexplained_mm2[0] > LEFT_OVER_MM2:  # pieces may hide so much that the face was not fitted well
            told = self.told_by_tile(seen, spaces, slot, light)
            if told is not None:
                known, fitted = [told[0], *canvas.faces[1:]], frozenset(range(len(faces)))
                other = compose(picture, part, known, light, fitted, levels={0: told[1]})
                examined_anew = finder.examine(other, crowded=False)
                anew = finder.search_examined(examined_anew, finder.colours.names)
                if anew.unexplained_mm2[0] < search.unexplained_mm2[0]:
                    canvas, search, examined = other, anew, examined_anew

        def on_it(pieces: Sequence[FoundPiece]) -> list[FoundPiece]:
            return [p for p in pieces if _nearest(p.foot_mm, seen.middles, near) == slot]

        mine = on_it(search.pieces)
        left_over = search.unexplained_mm2[0] > LEFT_OVER_MM2 or search.refused[0] > LEFT_OVER_NATS
        if len(mine) >= CROWD and left_over:  # pieces of one colour that touch look like fewer
            examined_crowd = finder.examine(canvas)
            crowd = finder.search_examined(examined_crowd, finder.colours.names, crowded=True)
            more = on_it(crowd.pieces)
            if not self.doubled(more):
                search, mine, examined = crowd, more, examined_crowd
        endless = {p.colour for p in mine if _goes_on(canvas, search.covered, p.foot_mm, piece)}
        if mine:  # what print in a brighter light explains as well is asked about
            found = Counter(p.colour for p in mine)
            unlike_print = finder.told_from_print(examined, search, found.keys())
            endless |= (found - Counter(p.colour for p in on_it(unlike_print))).keys()
        strange, likeness = float(search.unexplained_mm2[0]), _likeness(canvas, search.covered)
        own = in_parts or is_own
        return OnSpace(
            mine, search.refused_of[0], strange, likeness, tuple(sorted(endless)), light.noise, own,
            not_shown(canvas, self.colours),
        )

    def _explains_all(self, one: OnSpace) -> bool:
        return not one.endless and not one.refused and one.strange_mm2 <= self.most_strange_mm2

    def _differing(self, one: OnSpace, other: OnSpace) -> tuple[set[str], set[str]]:
        """The colours of pieces that only the other way to see a space has, and of those that only the one has: the
        same piece stands in the same place."""

        def only(these: Sequence[FoundPiece], those: Sequence[FoundPiece]) -> set[str]:
            return {a.colour for a in these if not self._is_among(a, those)}

        return only(other.pieces, one.pieces), only(one.pieces, other.pieces)

    def _is_among(self, one: FoundPiece, those: Sequence[FoundPiece]) -> bool:
        apart_mm = SAME_PIECE_SIDES * self.layout.piece_side_mm
        return any(one.colour == other.colour and dist(one.foot_mm, other.foot_mm) < apart_mm for other in those)


def _mates(spaces: Mapping[Slot, SpaceOnMap], slot: Slot) -> list[Slot]:
    """The other spaces of the tile that lies on a space, as far as they are known."""
    tile = spaces[slot].tile
    return [s for s, one in spaces.items() if s != slot and tile and one.tile == tile]


def _nearest(foot_mm: tuple[float, float], middles: Mapping[Slot, np.ndarray], slots: Sequence[Slot]) -> Slot:
    return min(slots, key=lambda slot: float(np.linalg.norm(middles[slot] - foot_mm)))


def _likeness(canvas: Canvas, covered: np.ndarray) -> float:
    """Normalised correlation of what pieces leave of the first face with how it should look; 0 where nothing is left.

    `covered`: (H, W) how much of each pixel pieces cover.
    """
    clear = (canvas.label == 0) & (covered < COVERED)
    look, bare = (picture.mean(-1)[clear] for picture in (canvas.seen, canvas.bare))
    spread = float(look.std() * bare.std()) if clear.any() else 0.0
    return float(((look - look.mean()) * (bare - bare.mean())).mean()) / spread if spread > 0 else 0.0


def _goes_on(canvas: Canvas, covered: np.ndarray, foot_mm: tuple[float, float], piece: PieceModel) -> bool:
    """Whether the look of a piece goes on beyond its edge."""
    lean = (piece.lean() - 1.0) * (np.array(foot_mm) - piece.camera_mm[:2])
    return goes_on(canvas, covered, foot_mm, lean, piece.side_mm)
