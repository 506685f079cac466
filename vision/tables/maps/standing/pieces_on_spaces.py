"""Pieces on a map of spaces: which stand on each space, and which lie on the corners where three spaces meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist, prod

import numpy as np

from companion.core.layout import SlotOutline, TableLayout
from companion.core.types import Face, Slot
from vision.appearance.background import TableLook
from vision.appearance.canvas import Canvas, Window, compose, laid_faces, told_light
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import FaceScan, PlacedFace, turn_matrix
from vision.locate.rectify import rectify
from vision.locate.zones import all_in_picture
from vision.pieces.finder import FoundPiece, PieceFinder
from vision.pieces.piece_edges import COVERED, goes_on
from vision.pieces.probability import Counted, count_probability
from vision.pieces.shapes import PieceModel
from vision.pieces.uneven_light import lit_anew
from vision.tables.maps.standing.bare_spaces import BareSpace, piece_on_bare
from vision.tables.maps.standing.discs import GROUND_WIDE_MM, token_on_ground
from vision.tables.place import GAP, PlaceReading, PlaceState, Shot
from vision.tables.zone import SpaceOnMap

# What is composed around one space: a piece at its edge with its lean and shadow, and the edges of its neighbours.
AROUND_MM = 30.0

# Spaces whose middles are so near to a corner, in sides, meet there; the next are two sides away.
BESIDE_SIDES = 1.2

# A piece of a corner lies within this distance of it.
CORNER_REACH_MM = 7.0

# What a corner without a doubt and one in doubt are believed.
SURE_CORNER_P, DOUBTFUL_P = 0.98, 0.5

# The ground of a space beside its corner is told by what lies so far from the corner, towards the space's middle.
GROUND_MM = 14.0

# From so many pieces on a space on, sets of them are searched: they may touch.
CROWD = 2

# What a plain search leaves unexplained (mm2, nats) from which sets of pieces are searched: they may hide each other.
LEFT_OVER_MM2, LEFT_OVER_NATS = 12.0, 6.0

# Of one space at least what pieces leave of the face must look like it (normalised correlation; bare table has none),
# and no more of them have room on a space.
LOOKS_LIKE_IT, ROOM = 0.5, 3

# Of a face that lay there before so much likeness is enough, whatever light falls on it: bare table has none, and
# another tile would be named itself.
SURELY_LIKE_IT = 0.8

# By so much less must a space's own light miss the print than that of the map to be believed as that is: a hard edge of
# sun over a map left 18 and 29 grey levels in the map's, 1.4 to 2.1 in that of spaces on either side.
MUCH_BETTER = 3.0

# A piece for which less speaks (nats) is asked about. Of 439 pieces found on thirteen rendered films none had less than
# 54, nine in ten more than 200; of 17 that were none nine had less, and one that was believed, in a poorly told light.
# So is one of which the colour is hardly ahead of another: of 383 believed rightly in ten films none was by less than
# 70 nats; a red token in a shadow with noise of colour as large as a piece was surely a violet one, by 7.
FAINT_NATS = 50.0

# A piece that is found in two lights is found within this part of its side: what light makes of print comes to lie
# anywhere.
SAME_PIECE_SIDES = 0.25

# Part of a space's square that neither its face nor pieces explain, up to which the face is believed to lie there, and
# the pieces that were found to be all.
STRANGE_SHARE = 0.06


@dataclass(frozen=True, slots=True)
class CountOnSpace:
    """The pieces on a space by colour, how sure those are that nothing refused speaks against, where they stand, and
    `doubted`: of each colour of which a piece was refused, the probability that its count is right. A green piece that
    may stand on a green print says nothing of the black one beside it."""

    pieces: tuple[tuple[str, int], ...]
    others_p: float
    found: tuple[FoundPiece, ...]
    doubted: tuple[tuple[str, float], ...] = ()

    @property
    def p(self) -> float:
        """Probability that all counts are right."""
        return self.others_p * prod(p for _, p in self.doubted)


@dataclass(frozen=True, slots=True)
class OnSpace:
    """What was found on one space: its pieces; by colour the evidence for the best one refused (nats); the area that
    nothing explains; how much what the pieces leave of the face looks like it (-1 to 1); the colours of those of which
    the look goes on beyond their edge, or that may be print: in a brighter light, or seen through them; by how much
    the light misses the plain print that told it (grey levels); and whether that is not the map's, but the light that
    its own face tells, or lights on parts of it."""

    pieces: list[FoundPiece]
    refused: Mapping[str, float]
    strange_mm2: float
    likeness: float
    endless: tuple[str, ...]
    noise: float
    in_own_light: bool = False


Shows = tuple[tuple[Slot, SpaceOnMap], ...]
Asked = tuple[Shows, Shows, bool]
"""The space that is searched and those near to it, and the others of its tile, with what they show; and whether it is
lit in parts."""


class MapPieces:
    """Reads the pieces on the spaces and corners of a map.

    `scans`: per face the square of a space, `square_mm` wide. `colours`: of all pieces; the `tokens` that only ever
    lie on corners are those in `corner_tokens`.
    """

    def __init__(
        self, layout: TableLayout, scans: Mapping[Face, FaceScan], square_mm: float, colours: PieceColours,
        corners: Sequence[SlotOutline], corner_tokens: Collection[str],
    ) -> None:
        self.layout, self.scans, self.square_mm = layout, scans, square_mm
        on_corners = tuple(name for name in colours.names if name in corner_tokens)
        self.on_spaces = colours.only(tuple(name for name in colours.names if name not in on_corners))
        self.on_corners = colours.only(on_corners)
        self.corners = {o.slot: np.mean(o.corners_mm, axis=0) for o in corners}
        self._every_corner = np.array(list(self.corners.values())).reshape(-1, 2)
        square = CORNER_REACH_MM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        # (4, 2) table mm around every corner: what must be seen to read it
        self.corners_mm = {slot: middle + square for slot, middle in self.corners.items()}
        # what was found on the spaces of the picture that was read last: by what is known around a space and how it
        # is lit, in each light
        self._searched: tuple[Shot | None, dict[Asked, list[tuple[PictureLight | None, OnSpace]]]] = (None, {})
        # most of a map's corners have nothing on them in every picture
        self._bare = {slot: PlaceReading(slot, GAP, PlaceState.EMPTY, p=1.0) for slot in self.corners}

    def light(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], spaces: Mapping[Slot, SpaceOnMap]
    ) -> PictureLight | None:
        """The light that the faces of all known spaces tell; None without any."""
        if not spaces:
            return None
        # nothing is asked of what lies far from the tiles: most of a map
        part = window.part(window.box(np.array([middles[s] for s in spaces]), AROUND_MM))
        seen = self._seen(shot, part)
        return told_light(seen, part, [self._placed(middles[s], one) for s, one in spaces.items()])

    def read_spaces(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], spaces: Mapping[Slot, SpaceOnMap],
        light: PictureLight, due: Collection[Slot], stood: Mapping[Slot, Sequence[FoundPiece]] | None = None,
    ) -> dict[Slot, CountOnSpace]:
        """What stands on each space that is `due` and shows a known face. `stood`: the pieces that were agreed to stand
        on it before, where they were found."""
        out = {}
        for slot in due:
            if slot in spaces:
                one = self._search(shot, window, middles, spaces, slot, light, (stood or {}).get(slot, ()))
                mine, refused, strange = one.pieces, one.refused, one.strange_mm2
                faint = {p.colour for p in mine if p.evidence < FAINT_NATS}
                doubled = self._doubled(mine)
                print_too = doubled & {*faint, *one.endless}  # one at most is no print; other colours are as sure
                found = Counter(p.colour for p in mine)
                counts = tuple(sorted((name, 1 if name in print_too else n) for name, n in found.items()))
                p = count_probability(Counted.of([each for each in mine if each.colour not in refused], 0.0, strange))
                colour_in_doubt = any(p.colour_margin < FAINT_NATS for p in mine)
                doubtful = doubled > print_too or strange > self._most_strange_mm2 or colour_in_doubt
                others = ((name, DOUBTFUL_P) for name in sorted({*one.endless, *faint}) if name not in refused)
                doubted = (*_doubted(mine, refused), *others)
                out[slot] = CountOnSpace(counts, min(p, DOUBTFUL_P) if doubtful else p, tuple(mine), doubted)
        return out

    def _search(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], spaces: Mapping[Slot, SpaceOnMap],
        slot: Slot, light: PictureLight, stood: Sequence[FoundPiece] = (),
    ) -> OnSpace:
        """What is on one space, in the light of the map; where that leaves it in doubt, in another light that explains
        all. Where all that differs are pieces of which the look goes on beyond their edge, as light does, and lights on
        parts of the space explain it without them, they are none, unless they `stood` there before. What its own face
        tells is believed where it fits the print much better; else what differs in the two lights is asked about."""
        found = self._search_in(shot, window, middles, spaces, slot, light)
        if not found.endless and found.strange_mm2 <= self._most_strange_mm2:
            return found
        if found.endless:
            lit = self._search_in(shot, window, middles, spaces, slot, light, in_parts=True)
            come, gone = self._differing(found, lit)
            still = {one.colour for one in found.pieces if self._is_among(one, stood)}
            if self._explains_all(lit) and not come and gone <= set(found.endless) - still:
                return lit
        own = self._search_in(shot, window, middles, spaces, slot, None)
        if not self._explains_all(own):
            return found
        if own.noise * MUCH_BETTER <= found.noise:
            return own
        if found.strange_mm2 <= self._most_strange_mm2:
            return found
        come, gone = self._differing(found, own)
        return replace(own, endless=tuple(sorted(come | gone)))

    @property
    def _most_strange_mm2(self) -> float:
        return STRANGE_SHARE * self.square_mm**2

    def _explains_all(self, one: OnSpace) -> bool:
        return not one.endless and not one.refused and one.strange_mm2 <= self._most_strange_mm2

    def _search_in(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], spaces: Mapping[Slot, SpaceOnMap],
        slot: Slot, light: PictureLight | None, *, in_parts: bool = False,
    ) -> OnSpace:
        """What is on one space in a light; None: in that of its own face; `in_parts`: its print lit anew, part by
        part, where no one light explains it. A picture is asked once: whether a tile explains a space, and what stands
        there, is the same search."""
        part = window.part(window.box(middles[slot][None], AROUND_MM))
        near = [slot, *(s for s in spaces if s != slot and part.touches(middles[s][None]))]
        mates = self._mates(spaces, slot)
        if self._searched[0] is not shot:
            self._searched = shot, {}
        around, of_tile = (tuple((s, spaces[s]) for s in slots) for slots in (near, mates))
        known = self._searched[1].setdefault((around, of_tile, in_parts), [])
        for told, one in known:
            if told is light:
                return one
        found = self._search_anew(shot, window, middles, spaces, near, light, in_parts=in_parts)
        known.append((light, found))
        return found

    def _search_anew(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], spaces: Mapping[Slot, SpaceOnMap],
        near: Sequence[Slot], light: PictureLight | None, *, in_parts: bool,
    ) -> OnSpace:
        """See `_search_in`, of the first of the slots that lie `near` to each other."""
        slot = near[0]
        piece = PieceModel.on_face(self.layout, shot.eye_mm)
        part = window.part(window.box(middles[slot][None], AROUND_MM))
        seen, faces = self._seen(shot, part), [self._placed(middles[s], spaces[s]) for s in near]
        canvas = compose(seen, part, faces, light)
        is_own, light = light is None, light or canvas.light
        if in_parts:  # by all of it: what was taken for pieces may be print in the sun
            doubtful = np.where(np.arange(len(faces)) == 0, np.inf, 0.0)
            canvas, _ = lit_anew(canvas, np.zeros(canvas.label.shape, np.float32), doubtful)
        finder = PieceFinder(self.on_spaces, piece)
        examined = finder.examine(canvas, crowded=False)
        search = finder.search_examined(examined, finder.colours.names)
        if search.unexplained_mm2[0] > LEFT_OVER_MM2:  # pieces may hide so much that the face was not fitted well
            told = self._told_by_tile(shot, window, middles, spaces, slot, light)
            if told is not None:
                known, fitted = [told[0], *canvas.faces[1:]], frozenset(range(len(faces)))
                other = compose(seen, part, known, light, fitted, levels={0: told[1]})
                examined_anew = finder.examine(other, crowded=False)
                anew = finder.search_examined(examined_anew, finder.colours.names)
                if anew.unexplained_mm2[0] < search.unexplained_mm2[0]:
                    canvas, search, examined = other, anew, examined_anew

        def on_it(pieces: Sequence[FoundPiece]) -> list[FoundPiece]:
            return [p for p in pieces if self._nearest(p.foot_mm, middles, near) == slot]

        mine = on_it(search.pieces)
        left_over = search.unexplained_mm2[0] > LEFT_OVER_MM2 or search.refused[0] > LEFT_OVER_NATS
        if len(mine) >= CROWD and left_over:  # pieces of one colour that touch look like fewer
            examined_crowd = finder.examine(canvas)
            crowd = finder.search_examined(examined_crowd, finder.colours.names, crowded=True)
            more = on_it(crowd.pieces)
            if not self._doubled(more):
                search, mine, examined = crowd, more, examined_crowd
        clear = (canvas.label == 0) & (search.covered < COVERED)
        look, bare = (picture.mean(-1)[clear] for picture in (canvas.seen, canvas.bare))
        spread = float(look.std() * bare.std()) if clear.any() else 0.0
        likeness = float(((look - look.mean()) * (bare - bare.mean())).mean()) / spread if spread > 0 else 0.0
        endless = {p.colour for p in mine if self._goes_on(canvas, search.covered, p.foot_mm, piece)}
        if mine:  # what print in a brighter light explains as well is asked about
            found = Counter(p.colour for p in mine)
            unlike_print = finder.told_from_print(examined, search, found.keys())
            endless |= (found - Counter(p.colour for p in on_it(unlike_print))).keys()
        strange = float(search.unexplained_mm2[0])
        own = in_parts or is_own
        return OnSpace(mine, search.refused_of[0], strange, likeness, tuple(sorted(endless)), light.noise, own)

    def _goes_on(
        self, canvas: Canvas, covered: np.ndarray, foot_mm: tuple[float, float], piece: PieceModel
    ) -> bool:
        lean = (piece.lean() - 1.0) * (np.array(foot_mm) - piece.camera_mm[:2])
        return goes_on(canvas, covered, foot_mm, lean, piece.side_mm)

    def _told_by_tile(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], spaces: Mapping[Slot, SpaceOnMap],
        slot: Slot, light: PictureLight,
    ) -> tuple[PlacedFace, float] | None:
        """Where a space lies, and how bright it is, by the other spaces of its tile that could be fitted; None when
        none could."""
        mine, mates = spaces[slot], self._mates(spaces, slot)
        if not mates:
            return None
        part = window.part(window.box(np.array([middles[s] for s in mates]), AROUND_MM))
        faces = [self._placed(middles[s], spaces[s]) for s in mates]
        together = zip(faces, *laid_faces(self._seen(shot, part), part, faces, light), strict=True)
        moved = [(was, now, level) for was, now, level in together if now is not was]
        if not moved:
            return None
        askew = float(np.mean([now.turn_deg - was.turn_deg for was, now, _ in moved]))
        turn = turn_matrix(askew)
        there = np.mean([now.centre_mm + turn @ (middles[slot] - was.centre_mm) for was, now, _ in moved], axis=0)
        face = replace(self._placed(there, mine), turn_deg=mine.turn_deg + askew)
        return face, float(np.median([level for _, _, level in moved]))

    def _mates(self, spaces: Mapping[Slot, SpaceOnMap], slot: Slot) -> list[Slot]:
        """The other spaces of the tile that lies on a space, as far as they are known."""
        tile = spaces[slot].tile
        return [s for s, one in spaces.items() if s != slot and tile and one.tile == tile]

    def explains(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], tile: Mapping[Slot, SpaceOnMap],
        known: Mapping[Slot, SpaceOnMap], light: PictureLight, *, lay: bool = False, clear: Collection[Slot] = (),
        least: int = 0,
    ) -> bool:
        """Whether the faces of a tile with pieces on them explain all of its spaces: pieces may hide much of them.

        A tile that `lay` there before still does where one space is surely like it: light falls on it as on no other.
        So does one of which another space is `clear`: its print alone tells the name; or where all others are surely
        like it, each in a light of its own. `least`: so many of its spaces must surely be like it.
        """
        both = {**known, **tile}
        likest, explained, alike = float(len(clear)), True, 0
        for slot in tile:
            if slot in clear and lay:
                return True
            if slot in clear:
                continue
            # only what lay there is looked for in light of its own, which may make a face of anything
            one = (self._search if lay else self._search_in)(shot, window, middles, both, slot, light)
            surely = one.likeness >= SURELY_LIKE_IT
            alike += surely
            if surely and (lay or (clear and self._has_room(one))):
                return True
            if clear and not self._has_room(one):
                one = self._search_in(shot, window, middles, both, slot, None)
                explained &= one.likeness >= SURELY_LIKE_IT
            explained &= self._has_room(one)
            if not explained and not lay and not clear:
                return False
            if not one.in_own_light:  # without contrast bare table is print of any face, and a little like it by chance
                likest = max(likest, one.likeness)
        return explained and likest >= LOOKS_LIKE_IT and alike >= least

    def _has_room(self, one: OnSpace) -> bool:
        """Whether a space is explained by its face and as many pieces as have room."""
        return one.strange_mm2 <= self._most_strange_mm2 and len(one.pieces) <= ROOM

    def read_corners(
        self, shot: Shot, window: Window, middles: Mapping[Slot, np.ndarray], side_mm: float,
        shown: Mapping[Slot, SpaceOnMap], light: PictureLight | None,
        kept: Mapping[Slot, PlaceReading] | None = None, shown_before: Mapping[Slot, SpaceOnMap] | None = None,
    ) -> dict[Slot, PlaceReading]:
        """Every corner: where three spaces of known tiles meet a token may lie; elsewhere nothing is looked for.

        `shown`: what these spaces show. `kept`: corners that have not changed since they were read, when the spaces
        showed what they have `shown_before`. As they were they stay where those around them show the same: what has
        come to the middle of a space leaves its corners as they are.
        """
        lying = list(shown)
        still = {slot for slot, one in (shown_before or {}).items() if shown.get(slot) == one}
        theirs = np.array([middles[s] for s in lying]).reshape(-1, 2)
        beside = np.linalg.norm(self._every_corner[:, None] - theirs[None], axis=-1) < BESIDE_SIDES * side_mm
        inside = all_in_picture(shot.image, shot.pose, np.array(list(self.corners_mm.values())))
        covered = np.array([slot in shot.covered for slot in self.corners])
        out, slots = dict(self._bare), list(self.corners)
        for number in np.flatnonzero(~inside | covered | beside.any(axis=1)).tolist():
            slot, around = slots[number], [lying[k] for k in np.flatnonzero(beside[number]).tolist()]
            if not inside[number]:
                out[slot] = PlaceReading(slot, GAP, PlaceState.OUTSIDE)
            elif slot in shot.covered or any(s in shot.covered for s in around):
                out[slot] = PlaceReading(slot, GAP, PlaceState.COVERED)
            elif kept and slot in kept and kept[slot].is_readable and len(around) == 3 and still.issuperset(around):
                out[slot] = kept[slot]
            elif len(around) == 3 and light is not None and self.on_corners.names:
                pieces, p = self._corner(shot, window, self.corners[slot], [middles[s] for s in around], light)
                out[slot] = replace(out[slot], pieces=pieces, pieces_p=p)
        return out

    def _corner(
        self, shot: Shot, window: Window, middle: np.ndarray, spaces: Sequence[np.ndarray], light: PictureLight
    ) -> tuple[tuple[tuple[str, int], ...], float]:
        """The token on one corner, and how sure that is."""
        reach = max(GROUND_MM + GROUND_WIDE_MM, CORNER_REACH_MM + self.layout.piece_side_mm / 2)
        part = window.part(window.box(middle[None], reach))
        away = [middle + GROUND_MM * (m - middle) / np.linalg.norm(m - middle) for m in spaces]
        seen, side_mm = self._seen(shot, part).astype(np.float32), self.layout.piece_side_mm
        colour, is_sure = token_on_ground(seen, part, middle, CORNER_REACH_MM, away, self.on_corners, light, side_mm)
        return () if colour is None else ((colour, 1),), SURE_CORNER_P if is_sure else DOUBTFUL_P

    def on_bare(
        self, shot: Shot, window: Window, space: BareSpace, table: TableLook, light: PictureLight, tiles_mm: np.ndarray
    ) -> str | None:
        """See `piece_on_bare`."""
        seen = self._seen(shot, space.part(window)).astype(np.float32)
        piece = PieceModel.on_face(self.layout, shot.eye_mm)
        return piece_on_bare(seen, window, space, table, light, tiles_mm, piece, self.on_spaces)

    def _differing(self, one: OnSpace, other: OnSpace) -> tuple[set[str], set[str]]:
        """The colours of pieces that only the other way to see a space has, and of those that only the one has: the
        same piece stands in the same place."""

        def only(these: Sequence[FoundPiece], those: Sequence[FoundPiece]) -> set[str]:
            return {a.colour for a in these if not self._is_among(a, those)}

        return only(other.pieces, one.pieces), only(one.pieces, other.pieces)

    def _is_among(self, one: FoundPiece, those: Sequence[FoundPiece]) -> bool:
        apart_mm = SAME_PIECE_SIDES * self.layout.piece_side_mm
        return any(one.colour == other.colour and dist(one.foot_mm, other.foot_mm) < apart_mm for other in those)

    def _doubled(self, pieces: Sequence[FoundPiece]) -> set[str]:
        """The figures that are found twice: a seat has one on a map, and only tokens come in numbers."""
        own = Counter(p.colour for p in pieces if p.colour not in self.layout.tokens)
        return {colour for colour, n in own.items() if n > 1}

    def _seen(self, shot: Shot, window: Window) -> np.ndarray:
        size = (window.width_px, window.height_px)
        return rectify(shot.image, shot.pose, window.corners_mm, -self.layout.face_thickness_mm, size)

    def _placed(self, middle: np.ndarray, one: SpaceOnMap) -> PlacedFace:
        return PlacedFace(np.asarray(middle, float), one.turn_deg, self.square_mm, self.scans[one.face])

    def _nearest(
        self, foot_mm: tuple[float, float], middles: Mapping[Slot, np.ndarray], slots: Sequence[Slot]
    ) -> Slot:
        return min(slots, key=lambda slot: float(np.linalg.norm(middles[slot] - foot_mm)))


def _doubted(found: Sequence[FoundPiece], refused: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """By colour how probable its count is, of which a piece with so much evidence (nats) was refused."""
    return tuple(
        (name, count_probability(Counted.of([one for one in found if one.colour == name], nats, 0.0)))
        for name, nats in sorted(refused.items())
    )
