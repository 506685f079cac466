"""Finds and names captured tiles spread on the table in any way and turn, for the final tally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.canvas import Window, compose
from vision.appearance.face_fit import fit_faces
from vision.appearance.leftovers import Leftovers
from vision.appearance.placed_face import PX_PER_MM, PlacedFace
from vision.appearance.print_detail import detail_likeness, least_likeness
from vision.appearance.rematch import Doubt, rank_rivals
from vision.faces.book import FaceBook
from vision.locate.markers import MarkerLayout, find_markers
from vision.locate.plane import Plane, PosePlane, fit_square, planes_of_squares, square_at
from vision.locate.pose import TablePose
from vision.locate.quads import Quad, find_quads
from vision.locate.squares import find_squares
from vision.pieces.residual import LitPicture
from vision.tables.face_at_place import LIKE_A_FACE, BoxFaces, FaceAtPlace, first_look, read_faces
from vision.tables.in_light import BEYOND_DOUBT, table_seen
from vision.tables.place import ACCEPTED, TILE, PlaceReading, PlaceState
from vision.tables.tally_reading import TallyReading, TallyTile, doubts_about

# The slot of a tile that may lie anywhere.
ANYWHERE = ""

# Side of a candidate against a tile's: the printed area inside its border, or the tile with its own shadow.
SIDES = (0.86, 1.1)

# Corners of a candidate may miss a true square by this part of its side: contours are cut by shadows and glare.
SQUARENESS = 0.12

# The same of a face that print alone has placed: a square in a known plane.
TRUE_SQUARENESS = 0.06

# Candidates whose middles are nearer than this part of a side are one tile.
MIN_VOTES = 2
SAME_PLACE = 0.25

# Misfit of the coarse ranking beyond which a candidate is no tile, and not read. Of 216 tiles that were read rightly in
# rendered tallies those in rough rooms came to 0.117, all others to 0.045; of what was none half lies beyond.
NOTHING_LIKE_IT = 0.15

# Correlation with its likeliest face's print below which a candidate is no tile, and not read: bare table is explained
# by any face without contrast. In 14 rendered tallies 130 tiles came to 0.65 and more, the darkest rough rooms
# included; of 792 candidates that were none 95 of 100 stay below 0.45.
LEAST_PRINT = 0.45

# Candidates tried for a place before it counts as not recognised.
TRIED = 4

# Probability of a tile from which no other candidate for its place is tried.
SURE_OF_IT = 0.97

# Probability of a first reading from which some face lies there, however little contrast a soft picture leaves of it.
SURELY_ONE = 0.999

# Correlation with a face's fine detail from which its print is seen, however soft or dim the picture: 147 tiles of
# three rendered rough rooms had 0.62 and more, what was no tile at most 0.33.
PRINT_SEEN = 0.5

# Probability of a first reading from which its print is looked for: three twins may share it.
LEAST_P = 0.1

# Part of a tile that may look unlike its face before it is not believed: nothing stands on captured tiles.
STRANGE_SHARE = 0.08

# The same in light that falls unevenly, as through panes or on a sleeve: every part of the print must be seen so well.
# Of the same 147 tiles 95 in a hundred had 0.58 and more; a disc of 20 mm laid on each left 0.34 (the median).
EVERY_PART_SEEN = 0.58

# A tile's likeliest rivals whose print is compared too, and how much better theirs may fit, a correlation. Of 261 tiles
# of three rendered rough rooms that were named rightly one was beyond that (by 0.068, the others by 0.003 at most), and
# two of three named wrongly.
MOST_RIVALS, TWINS_APART = 2, 0.02

# Table around a tile that its print is looked for in.
AROUND_MM = 4.0

# Where a tile that touches, or nearly, may lie: distance of the middles in sides.
NEIGHBOUR_STEPS = (1.02, 1.1)

# Side of the printed area within a white border, against the tile's.
PRINTED_SHARE = 0.91

# Middles of two tiles are at least so many sides apart: they lie beside each other.
APART = 0.7

# Probability of a first reading from which a tile that has no outline gets a second one.
EVEN = 0.5

# Tiles whose outlines were not seen are searched within so many sides around the others, and then around these.
MOST_ROUNDS = 4
NEAR_SIDES = 1.6

# Resolution of the picture in which squares are searched: a tile is 39 px wide; and how many are tried.
SEARCH_PX_PER_MM = 0.7
MOST_SQUARES = 100

# Part of a place that looks unlike the table from which something lies there, recognised or not.
STRANGE_PLACE = 0.3


@dataclass(frozen=True, slots=True)
class _Candidate:
    centre_mm: np.ndarray
    turn_deg: float
    votes: int


class TallyReader:
    """Reads tallies with the faces of one box."""

    def __init__(
        self,
        book: FaceBook,
        scans: Mapping[Face, np.ndarray],
        side_mm: float = 55.0,
        thickness_mm: float = 2.0,
        markers: MarkerLayout | None = None,
        copies: Mapping[Face, int] | None = None,
    ) -> None:
        """`scans`: face -> (H, W, 3) uint8 BGR upright flat scan, for every face that `book` can name.

        `copies`: how many tiles of the box have each face; faces that are not named may be there in any number.
        """
        self.faces = BoxFaces.of(book, scans, side_mm, copies)
        self.side_mm = side_mm
        self.thickness_mm = thickness_mm
        self.markers = markers or MarkerLayout()

    def read(self, image: np.ndarray, pose: TablePose | None) -> TallyReading:
        """The tiles in `image` (H, W, 3) uint8 BGR; without a pose the plane is found from the tiles themselves."""
        quads = [q for q in find_quads(image) if q.votes >= MIN_VOTES]
        printed = [m.corners_px for m in find_markers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), self.markers)]
        free = [q for q in quads if not _on_any(q.centre_px, printed)]
        planes: list[Plane]
        if pose is not None:
            planes, by = [PosePlane(pose, -self.thickness_mm)], "markers"
        else:
            corners, by = [q.corners_px for q in free], "tiles"
            # the squares seen may be whole tiles or the printed area within their borders
            planes = [p for share in (1.0, PRINTED_SHARE) for p in planes_of_squares(corners, share * self.side_mm)]
        if not planes:
            return TallyReading((), False, ("No tiles were found.",), "nothing")
        tried = [(plane, self._tiles(image, plane, free)) for plane in planes]
        plane, tiles = max(tried, key=lambda one: sum(self._fits(t) for t in one[1] if t.face is not None))
        if pose is None:
            plane, tiles = self._in_their_plane(image, plane, tiles, free)
        tiles = self._checked(image, plane, tiles)
        tiles = self._completed(image, plane, tiles, printed)
        shown = [TallyTile(t.face, t.p, t.alternatives, plane.to_px(_corners(t))) for t in tiles]
        over = Leftovers(image, [t.corners_px for t in shown if t.face is not None] + printed)
        # a place that looks like no tile and shows only table was none
        shown = [t for t in shown if t.p > 0.0 or over.share(t.corners_px) >= STRANGE_PLACE]
        doubts = doubts_about(shown, over, plane, self.side_mm, self.faces.copies)
        return TallyReading(tuple(sorted(shown, key=lambda t: t.centre_px[::-1])), not doubts, tuple(doubts), by)

    def _fits(self, tile: PlaceReading) -> float:
        """Probability of a tile, less by how far its size is from what it must be in a right plane."""
        _, _, side, _ = fit_square(_corners(tile))
        return tile.p * (1.0 - abs(side / self.side_mm - 1.0) / SQUARENESS)

    def _tiles(self, image: np.ndarray, plane: Plane, quads: list[Quad]) -> list[PlaceReading]:
        named = self._read_all(image, plane, self._places(plane, quads))
        return _without_overlaps([t for t in named if t is not None], self.side_mm)

    def _in_their_plane(
        self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], quads: list[Quad]
    ) -> tuple[Plane, list[PlaceReading]]:
        """The plane in which the recognised tiles have a tile's size, and the tiles read in it."""
        named = [plane.to_px(_corners(t)) for t in tiles if t.face is not None]
        planes = planes_of_squares(named, self.side_mm, most=1)
        again = self._tiles(image, planes[0], quads) if planes else []
        better = sum(t.face is not None for t in again) >= len(named)
        return (planes[0], again) if planes and better else (plane, tiles)

    def _completed(
        self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], printed: list[np.ndarray]
    ) -> list[PlaceReading]:
        """The tiles with all that lie around them and were not seen at first."""
        likeliest = max(tiles, key=lambda t: t.p, default=None)
        known = [t for t in tiles if t.face is not None]
        if not known and likeliest is not None and likeliest.p >= EVEN:  # the others must tell whether it is one
            known = [replace(likeliest, face=likeliest.likeliest)]
            tiles = [t for t in tiles if t is not likeliest] + known
        for _ in range(MOST_ROUNDS if known else 0):
            lit = self._lit(image, plane, known)
            found = self._searched(image, plane, known, printed, lit)
            more = self._grown(image, plane, [*known, *found], lit)
            grew = sum(t.face is not None for t in more) > len(known)
            tiles = _without_overlaps([*more, *(t for t in tiles if t.face is None)], self.side_mm)
            known = [t for t in tiles if t.face is not None]
            if not grew:
                break
        return self._checked(image, plane, tiles)

    def _searched(
        self, image: np.ndarray, plane: Plane, known: list[PlaceReading], printed: list[np.ndarray], lit: LitPicture
    ) -> list[PlaceReading]:
        """The tiles around the known ones whose outlines are broken: by their sides and what is printed on them."""
        window = lit.window
        size_mm = max(window.width_px, window.height_px) / PX_PER_MM
        low = window.corners_mm[0]
        square = low + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size_mm
        seen = plane.crop(image, square, round(size_mm * SEARCH_PX_PER_MM), 0.0)
        where = np.ones(seen.shape[:2], np.uint8)
        side_px = self.side_mm * SEARCH_PX_PER_MM
        for middle in [_corners(t).mean(0) for t in known] + [plane.to_mm(corners).mean(0) for corners in printed]:
            at = np.round((middle - low) * SEARCH_PX_PER_MM - 0.5).astype(int).tolist()
            cv2.circle(where, at, round(APART * side_px), 0, -1)
        places: list[list[_Candidate]] = []
        for one in find_squares(seen, side_px, where > 0, MOST_SQUARES):
            middle = low + (one.centre_px + 0.5) / SEARCH_PX_PER_MM
            _add_candidate(places, _Candidate(middle, one.turn_deg, 0), SAME_PLACE * self.side_mm)
        found = self._confirmed(image, plane, places, lit)
        return _without_overlaps([t for t in found if t is not None], self.side_mm)

    def _grown(self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], lit: LitPicture) -> list[PlaceReading]:
        """The tiles with neighbours that touch them and whose outlines were not seen at all."""
        out = list(tiles)
        queue = list(tiles)
        while queue:
            one = queue.pop()
            centre, turn, _, _ = fit_square(_corners(one))
            beside = []
            for quarter in range(4):
                a = np.deg2rad(turn + 90 * quarter)
                along = np.array([np.cos(a), np.sin(a)]) * self.side_mm
                beside.append([_Candidate(centre + along * step, turn, 0) for step in NEIGHBOUR_STEPS])
            free = [place for place in beside if _is_free(place[0].centre_mm, out, self.side_mm)]
            for found in self._confirmed(image, plane, free, lit):
                if found is not None and _is_free(_corners(found).mean(0), out, self.side_mm):
                    out.append(found)
                    queue.append(found)
        return out

    def _confirmed(
        self, image: np.ndarray, plane: Plane, places: list[list[_Candidate]], lit: LitPicture
    ) -> list[PlaceReading | None]:
        """The tile at each place, if it looks like its face in the known ones' light; its name may be in doubt."""
        out: list[PlaceReading | None] = [None] * len(places)
        found = {
            k: one
            for k, one in enumerate(self._read_all(image, plane, places))
            if one is not None and one.p > 0.0 and fit_square(_corners(one))[3] <= TRUE_SQUARENESS
        }
        for k, again in zip(found, self._rematched(lit, list(found.values())), strict=True):
            believed = self._believed(lit, again, self._strange_share(lit, again))
            if believed.p > 0.0:
                out[k] = believed
        return out

    def _places(self, plane: Plane, quads: list[Quad]) -> list[list[_Candidate]]:
        """The places where a tile may lie, each with its candidates, most votes first."""
        places: list[list[_Candidate]] = []
        for quad in sorted(quads, key=lambda q: -q.votes):
            centre, turn, side, misfit = fit_square(plane.to_mm(quad.corners_px))
            if not (SIDES[0] <= side / self.side_mm <= SIDES[1] and misfit <= SQUARENESS):
                continue
            _add_candidate(places, _Candidate(centre, turn, quad.votes), SAME_PLACE * self.side_mm)
        return places

    def _read_all(self, image: np.ndarray, plane: Plane, places: list[list[_Candidate]]) -> list[PlaceReading | None]:
        """The tile at each place; None when nothing there resembles one.

        The first candidates of all places are read together, which takes much less time, then the second ones.
        """
        best: list[PlaceReading | None] = [None] * len(places)
        left = list(range(len(places)))
        for number in range(TRIED):
            left = [k for k in left if len(places[k]) > number]
            candidates = [places[k][number] for k in left]
            squares = [square_at(one.centre_mm, self.side_mm, one.turn_deg) for one in candidates]
            for k, one in zip(list(left), self._read_squares(image, plane, squares), strict=True):
                before = best[k]
                if before is None or one.p > before.p:
                    best[k] = before = one
                if before.p >= SURE_OF_IT:
                    left.remove(k)
        return best

    def _read_squares(self, image: np.ndarray, plane: Plane, squares: list[np.ndarray]) -> list[PlaceReading]:
        """What lies in each of the squares (4, 2) mm, as a tile there."""
        book = self.faces.book
        # photographed faces are found in their crops first: the coarse ranking of the crop says little
        like = [
            k
            for k, square in enumerate(squares)
            if book.album is not None or _resembles_any(*first_look(image, plane, square, book))
        ]
        out = [PlaceReading(ANYWHERE, TILE, PlaceState.UNKNOWN, corners_mm=square) for square in squares]
        found = read_faces(image, plane, [squares[k] for k in like], book, rigid=False)
        for k, one in zip(like, found, strict=True):
            out[k] = self._tile(image, plane, one)
        return out

    def _tile(self, image: np.ndarray, plane: Plane, found: FaceAtPlace) -> PlaceReading:
        """What was read in a place as a tile there; its probability is 0 where nothing resembles one."""
        reading = found.reading
        _, _, side, misfit = fit_square(found.corners_mm)
        aligned = abs(side / self.side_mm - 1) < SQUARENESS and misfit < SQUARENESS
        is_face = aligned and (
            found.likeness >= LIKE_A_FACE
            or reading.p >= SURELY_ONE
            or (reading.p >= LEAST_P and self._shows_print(image, plane, found))
        )
        p = reading.p if is_face else 0.0
        face = reading.face if p >= ACCEPTED else None
        state = PlaceState.UNKNOWN if face is None else PlaceState.FACE
        return PlaceReading(
            ANYWHERE, TILE, state, face, p, reading.turn, reading.alternatives, corners_mm=found.corners_mm
        )

    def _shows_print(self, image: np.ndarray, plane: Plane, found: FaceAtPlace) -> bool:
        """Whether the print of the likeliest face is seen where its corners were found."""
        window = Window.around(found.corners_mm, AROUND_MM)
        likeliest = found.reading.alternatives[0][0]
        placed = self.faces.placed(likeliest, found.corners_mm, (self.side_mm, self.side_mm))
        return detail_likeness(_from_above(image, plane, window), placed, (window.left_mm, window.top_mm)) >= PRINT_SEEN

    def _checked(self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading]) -> list[PlaceReading]:
        """The tiles, doubtful ones decided and those taken back that are unlike their face, in the light of all."""
        named = [t for t in tiles if t.face is not None]
        if not named:
            return tiles
        lit = self._lit(image, plane, named)
        again = self._rematched(lit, tiles)
        named = [t for t in again if t.face is not None]
        if not named:
            return again
        if any(a is not t for a, t in zip(again, tiles, strict=True)):
            lit = self._lit(image, plane, named)
        share = {id(t): share for t, share in zip(named, lit.strange_shares(), strict=True)}
        share |= {id(t): self._strange_share(lit, t) for t in again if t.face is None and t.p > 0.0}
        twins = {
            id(t) for t, placed in zip(named, lit.canvas.faces, strict=True) if self._is_like_another(lit, t, placed)
        }
        doubtful = [t.in_doubt(EVEN) if id(t) in twins else t for t in again]
        return [self._believed(lit, t, share.get(id(old), 0.0)) for old, t in zip(again, doubtful, strict=True)]

    def _is_like_another(self, lit: LitPicture, tile: PlaceReading, placed: PlacedFace) -> bool:
        """Whether the print of a named tile is rather that of a rival, which uneven light may hide."""
        rivals = [face for face, _ in tile.alternatives if face != tile.face][:MOST_RIVALS]
        origin = (lit.window.left_mm, lit.window.top_mm)
        own, *others = (
            detail_likeness(lit.seen, replace(placed, scan=self.faces.scans[face]), origin)
            for face in (tile.likeliest, *rivals)
        )
        return any(other > own + TWINS_APART for other in others)

    def _strange_share(self, lit: LitPicture, tile: PlaceReading) -> float:
        share = lit.strange_share(self._placed(tile))
        return 1.0 if share is None else share

    def _believed(self, lit: LitPicture, tile: PlaceReading, share: float) -> PlaceReading:
        """A tile of which such a share looks unlike its face: in doubt where parts of its print are not seen, with
        probability 0 where hardly any is."""
        if share <= STRANGE_SHARE:
            return tile
        table = table_seen(lit.seen, lit.canvas)
        placed = fit_faces(table, [self._placed(tile)], lit.canvas.light)[0]
        if least_likeness(lit.seen, placed, table.origin_mm) >= EVERY_PART_SEEN:
            return tile
        return tile.in_doubt(EVEN if detail_likeness(lit.seen, placed, table.origin_mm) >= PRINT_SEEN else 0.0)

    def _lit(self, image: np.ndarray, plane: Plane, named: list[PlaceReading]) -> LitPicture:
        """The picture around these tiles in the light inferred from them."""
        window = Window.around(np.vstack([_corners(t) for t in named]), (NEAR_SIDES + 1) * self.side_mm)
        seen = _from_above(image, plane, window)
        return LitPicture(seen, compose(seen, window, [self._placed(t) for t in named]))

    def _placed(self, tile: PlaceReading) -> PlacedFace:
        """A tile where it lies, with its face or the likeliest one."""
        return self.faces.placed(tile.likeliest, _corners(tile), (self.side_mm, self.side_mm))

    def _rematched(self, lit: LitPicture, tiles: list[PlaceReading]) -> list[PlaceReading]:
        """The tiles, those that are not beyond doubt compared anew in the light of all; what lies outside of the
        picture is none."""
        places = {k: self._placed(tile) for k, tile in enumerate(tiles) if 0.0 < tile.p < BEYOND_DOUBT}
        out = list(tiles)
        for k in [k for k, place in places.items() if not _is_shown(lit, place)]:
            out[k] = tiles[k].in_doubt(0.0)
            del places[k]
        bare = np.zeros(lit.seen.shape[:2], np.float32)  # nothing stands on captured tiles
        doubts = [Doubt(place, tiles[k].alternatives, bare) for k, place in places.items()]
        ranked = rank_rivals(table_seen(lit.seen, lit.canvas), lit.canvas.light, doubts, self.faces.scans)
        for k, chances in zip(places, ranked, strict=True):
            out[k] = tiles[k].named(chances)
        return out


def _from_above(image: np.ndarray, plane: Plane, window: Window) -> np.ndarray:
    """(H, W, 3) uint8 BGR: what lies in a window of the plane."""
    size = max(window.width_px, window.height_px)
    square = window.corners_mm[0] + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size / PX_PER_MM
    return plane.crop(image, square, size, 0.0)[: window.height_px, : window.width_px]


def _corners(tile: PlaceReading) -> np.ndarray:
    """(4, 2) plane mm: the upright corners of a tile. Every tile that was read here has them."""
    assert tile.corners_mm is not None
    return tile.corners_mm


def _on_any(point_px: np.ndarray, quads_px: list[np.ndarray]) -> bool:
    x, y = point_px.tolist()
    return any(cv2.pointPolygonTest(q.astype(np.float32), (x, y), False) >= 0 for q in quads_px)


def _add_candidate(places: list[list[_Candidate]], one: _Candidate, near_mm: float) -> None:
    """Put a candidate to the others of its place, or to a new one."""
    near = [p for p in places if np.hypot(*(p[0].centre_mm - one.centre_mm)) < near_mm]
    if near:
        near[0].append(one)
    else:
        places.append([one])


def _resembles_any(misfit: float, together: float) -> bool:
    """Whether a place may show a tile, by its first look."""
    return misfit <= NOTHING_LIKE_IT and together >= LEAST_PRINT


def _is_shown(lit: LitPicture, place: PlacedFace) -> bool:
    """Whether the middle of a face lies in the picture."""
    x, y = lit.window.to_px(place.centre_mm)
    return bool(0 <= x < lit.window.width_px and 0 <= y < lit.window.height_px)


def _is_free(middle_mm: np.ndarray, tiles: list[PlaceReading], side_mm: float) -> bool:
    """Whether a tile may lie there beside the others."""
    return all(np.hypot(*(_corners(t).mean(0) - middle_mm)) >= APART * side_mm for t in tiles)


def _without_overlaps(tiles: list[PlaceReading], side_mm: float) -> list[PlaceReading]:
    """Tiles lie beside each other: of two that overlap the likelier one stays."""
    kept: list[PlaceReading] = []
    for tile in sorted(tiles, key=lambda t: -t.p):
        if _is_free(_corners(tile).mean(0), kept, side_mm):
            kept.append(tile)
    return kept
