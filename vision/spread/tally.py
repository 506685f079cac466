"""Finds and names captured tiles spread on the table in any way and turn, for the final tally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.canvas import Window
from vision.appearance.leftovers import LeftoverJudge
from vision.appearance.placed_face import PX_PER_MM
from vision.appearance.print_detail import detail_likeness
from vision.faces.book import FaceBook
from vision.locate.markers import MarkerLayout
from vision.locate.plane import HomographyPlane, Plane, PosePlane, fit_square, planes_of_squares, square_at
from vision.locate.pose import TablePose, printed_markers
from vision.locate.quads import Quad, find_quads
from vision.locate.squares import find_squares
from vision.pieces.residual import LitPicture
from vision.spread.tally_box import told_by_the_others, within_box
from vision.spread.tally_by_print import APART, TilesByPrint, is_free
from vision.spread.tally_light import EVEN, LightOf, TilesInLight, corners_of, from_above, named_of
from vision.spread.tally_reading import NO_TILES, TallyReading, TallyTile, read_as
from vision.tables.face_at_place import LIKE_A_FACE, BoxFaces, FaceAtPlace, first_looks, read_faces
from vision.tables.place import ACCEPTED, TILE, PlaceReading, PlaceState

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

# Correlation with its likeliest face's print from which a place that looks little like a face, as in the dark, is
# judged with the others: in 20 rendered tallies it was 0.43 and more of tiles that nothing else told, 0.21 at most of
# what was none, 0.33 in earlier ones.
SOME_PRINT = 0.4

# Table around a tile that its print is looked for in.
AROUND_MM = 4.0

# Where a tile that touches, or nearly, may lie: distance of the middles in sides.
NEIGHBOUR_STEPS = (1.02, 1.1)

# Side of the printed area within a white border, against the tile's.
PRINTED_SHARE = 0.91

# Tiles whose outlines were not seen are searched around the others, and then around these.
MOST_ROUNDS = 4

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
        self.light = TilesInLight(self.faces, side_mm)
        self.by_print = TilesByPrint(self.light)
        self.thickness_mm = thickness_mm
        self.markers = markers or MarkerLayout()

    def read(self, image: np.ndarray, pose: TablePose | None) -> TallyReading:
        """The tiles in `image` (H, W, 3) uint8 BGR; without a pose the plane is found from the tiles themselves."""
        quads = [q for q in find_quads(image) if q.votes >= MIN_VOTES]
        printed = printed_markers(image, self.markers, pose)
        free = [q for q in quads if not _on_any(q.centre_px, printed)]
        planes: list[Plane]
        if pose is not None:
            planes, by = [PosePlane(pose, -self.thickness_mm)], "markers"
        else:
            corners, by = [q.corners_px for q in free], "tiles"
            # the squares seen may be whole tiles or the printed area within their borders
            planes = [p for share in (1.0, PRINTED_SHARE) for p in planes_of_squares(corners, share * self.side_mm)]
        if not planes:
            return TallyReading((), False, (NO_TILES,), "nothing", (NO_TILES,))
        tried = [(plane, self._tiles(image, plane, free)) for plane in planes]
        plane, tiles = max(tried, key=lambda one: sum(self._fits(t) for t in one[1] if t.face is not None))
        if pose is not None and not any(t.p >= EVEN for t in tiles):
            tiles = _without_overlaps([*tiles, *self._between_markers(image, plane, printed)], self.side_mm)
        if isinstance(plane, HomographyPlane):
            plane, tiles = self._in_their_plane(image, plane, tiles, free)
        light_of = self.light.light_of(image, plane)
        tiles = self.light.checked(light_of, tiles)
        tiles = self._completed(image, plane, tiles, printed, light_of)
        tiles = told_by_the_others(self._by_print(image, plane, tiles, printed, light_of), self.faces.copies)
        shown = [TallyTile(t.face, t.p, t.alternatives, plane.to_px(corners_of(t))) for t in tiles]
        over = LeftoverJudge(image, [t.corners_px for t in shown if t.face is not None] + printed)
        # a place that looks like no tile and shows only table was none
        shown = [t for t in shown if t.p > 0.0 or over.share(t.corners_px) >= STRANGE_PLACE]
        return read_as(shown, over, plane, self.side_mm, self.faces.copies, by)

    def _fits(self, tile: PlaceReading) -> float:
        """Probability of a tile, less by how far its size is from what it must be in a right plane."""
        _, _, side, _ = fit_square(corners_of(tile))
        return tile.p * (1.0 - abs(side / self.side_mm - 1.0) / SQUARENESS)

    def _tiles(self, image: np.ndarray, plane: Plane, quads: list[Quad]) -> list[PlaceReading]:
        named = self._read_all(image, plane, self._places(plane, quads))
        return _without_overlaps([t for t in named if t is not None], self.side_mm)

    def _in_their_plane(
        self, image: np.ndarray, plane: HomographyPlane, tiles: list[PlaceReading], quads: list[Quad]
    ) -> tuple[HomographyPlane, list[PlaceReading]]:
        """The plane in which the likely tiles have a tile's size, and the tiles read in it: squares of a cloth that are
        nearly as large may have told the first one. What more is named there tells the plane beyond the first ones."""
        copies = self.faces.copies
        for _ in range(MOST_ROUNDS):
            likely = [corners_of(t) for t in within_box([t for t in tiles if t.p >= EVEN], copies)]
            if not likely:
                break
            found = planes_of_squares([plane.to_px(corners) for corners in likely], self.side_mm, most=1)
            # one tile alone tells the size
            own = found[0] if found else plane.enlarged(self.side_mm / fit_square(likely[0])[2])
            again = self._tiles(image, own, quads)
            before = len(within_box(named_of(tiles), copies))
            if len(within_box(named_of(again), copies)) < before:
                break
            plane, tiles = own, again
            if len(within_box(named_of(tiles), copies)) == before:
                break
        return plane, tiles

    def _completed(
        self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], printed: list[np.ndarray], light_of: LightOf
    ) -> list[PlaceReading]:
        """The tiles with all that lie around them and were not seen at first."""
        likeliest = max(tiles, key=lambda t: t.p, default=None)
        known = named_of(tiles)
        if not known and likeliest is not None and likeliest.p >= EVEN:  # the others must tell whether it is one
            known = [replace(likeliest, face=likeliest.likeliest)]
            tiles = [t for t in tiles if t is not likeliest] + known
        for number in range(MOST_ROUNDS if known else 0):
            lit = light_of(known)
            found = self._searched(image, plane, known, printed, lit)
            if number == 0:
                found += self._unlike_any(image, plane, tiles, lit)
            more = self._grown(image, plane, [*known, *found], lit)
            grew = sum(t.face is not None for t in more) > len(known)
            tiles = _without_overlaps([*more, *(t for t in tiles if t.face is None)], self.side_mm)
            known = named_of(tiles)
            if not grew:
                break
        return self.light.checked(light_of, tiles)

    def _by_print(
        self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], printed: list[np.ndarray], light_of: LightOf
    ) -> list[PlaceReading]:
        """The tiles with those of which nothing but their print was seen."""
        for _ in range(MOST_ROUNDS):
            known = named_of(tiles)
            if not known:
                break
            over = LeftoverJudge(image, [plane.to_px(corners_of(t)) for t in known] + printed)
            found = self.by_print.found(plane, tiles, light_of(known), over)
            tiles = _without_overlaps([*known, *found, *(t for t in tiles if t.face is None)], self.side_mm)
            if not named_of(found):
                break
            tiles = self.light.checked(light_of, tiles)
        return tiles

    def _searched(
        self, image: np.ndarray, plane: Plane, known: list[PlaceReading], printed: list[np.ndarray], lit: LitPicture
    ) -> list[PlaceReading]:
        """The tiles around the known ones whose outlines are broken: by their sides and what is printed on them."""
        window = lit.window
        size_mm = max(window.width_px, window.height_px) / PX_PER_MM
        taken = [corners_of(t).mean(0) for t in known]
        places = self._squares(image, plane, window.corners_mm[0], size_mm, taken, printed)
        found = self._confirmed(image, plane, places, lit)
        return _without_overlaps([t for t in found if t is not None], self.side_mm)

    def _unlike_any(
        self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], lit: LitPicture
    ) -> list[PlaceReading]:
        """Of the squares that were not read, since in their light they look like no face, those that show print."""
        squares = [fit_square(corners_of(t)) for t in tiles if t.face is None and not t.alternatives]
        places = [[_Candidate(centre, turn, 0)] for centre, turn, _, _ in squares]
        return [t for t in self._confirmed(image, plane, places, lit, by_print=True) if t is not None]

    def _between_markers(self, image: np.ndarray, plane: Plane, printed: list[np.ndarray]) -> list[PlaceReading]:
        """The tiles between the markers by their sides alone: of dark ones that touch no outline is seen."""
        middles = np.array(list(self.markers.centres_mm.values()))
        low = middles.min(0)
        places = self._squares(image, plane, low, float((middles.max(0) - low).max()), [], printed)
        found = [one for one in self._read_all(image, plane, places) if one is not None and one.p > 0.0]
        return _without_overlaps([t for t in found if fit_square(corners_of(t))[3] <= TRUE_SQUARENESS], self.side_mm)

    def _squares(
        self, image: np.ndarray, plane: Plane, low_mm: np.ndarray, size_mm: float, taken_mm: list[np.ndarray],
        printed: list[np.ndarray],
    ) -> list[list[_Candidate]]:
        """The places in a square of the plane, from its top left, where the sides of a tile are seen, away from the
        middles that are `taken_mm` and from what is `printed`, (4, 2) px each."""
        square = low_mm + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size_mm
        seen = plane.crop(image, square, round(size_mm * SEARCH_PX_PER_MM), 0.0)
        where = np.ones(seen.shape[:2], np.uint8)
        side_px = self.side_mm * SEARCH_PX_PER_MM
        for middle in taken_mm + [plane.to_mm(corners).mean(0) for corners in printed]:
            at = np.round((middle - low_mm) * SEARCH_PX_PER_MM - 0.5).astype(int).tolist()
            cv2.circle(where, at, round(APART * side_px), 0, -1)
        places: list[list[_Candidate]] = []
        for one in find_squares(seen, side_px, where > 0, MOST_SQUARES):
            middle = low_mm + (one.centre_px + 0.5) / SEARCH_PX_PER_MM
            _add_candidate(places, _Candidate(middle, one.turn_deg, 0), SAME_PLACE * self.side_mm)
        return places

    def _grown(self, image: np.ndarray, plane: Plane, tiles: list[PlaceReading], lit: LitPicture) -> list[PlaceReading]:
        """The tiles with neighbours that touch them and whose outlines were not seen at all."""
        out = list(tiles)
        queue = list(tiles)
        while queue:
            one = queue.pop()
            centre, turn, _, _ = fit_square(corners_of(one))
            beside = []
            for quarter in range(4):
                a = np.deg2rad(turn + 90 * quarter)
                along = np.array([np.cos(a), np.sin(a)]) * self.side_mm
                beside.append([_Candidate(centre + along * step, turn, 0) for step in NEIGHBOUR_STEPS])
            free = [place for place in beside if is_free(place[0].centre_mm, out, self.side_mm)]
            for found in self._confirmed(image, plane, free, lit):
                if found is not None and is_free(corners_of(found).mean(0), out, self.side_mm):
                    out.append(found)
                    queue.append(found)
        return out

    def _confirmed(
        self,
        image: np.ndarray,
        plane: Plane,
        places: list[list[_Candidate]],
        lit: LitPicture,
        *,
        by_print: bool = False,
    ) -> list[PlaceReading | None]:
        """The tile at each place, if it looks like its face in the known ones' light; its name may be in doubt.
        `by_print`: see `_read_squares`."""
        out: list[PlaceReading | None] = [None] * len(places)
        found = {
            k: one
            for k, one in enumerate(self._read_all(image, plane, places, by_print=by_print))
            if one is not None and one.p > 0.0 and fit_square(corners_of(one))[3] <= TRUE_SQUARENESS
        }
        for k, again in zip(found, self.light.rematched(lit, list(found.values())), strict=True):
            believed = self.light.believed(lit, again, self.light.strange_share(lit, again))
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

    def _read_all(
        self, image: np.ndarray, plane: Plane, places: list[list[_Candidate]], *, by_print: bool = False
    ) -> list[PlaceReading | None]:
        """The tile at each place; None when nothing there resembles one. `by_print`: see `_read_squares`.

        The first candidates of all places are read together, which takes much less time, then the second ones.
        """
        best: list[PlaceReading | None] = [None] * len(places)
        left = list(range(len(places)))
        for number in range(TRIED):
            left = [k for k in left if len(places[k]) > number]
            candidates = [places[k][number] for k in left]
            squares = [square_at(one.centre_mm, self.side_mm, one.turn_deg) for one in candidates]
            for k, one in zip(list(left), self._read_squares(image, plane, squares, by_print), strict=True):
                before = best[k]
                if before is None or one.p > before.p:
                    best[k] = before = one
                if before.p >= SURE_OF_IT:
                    left.remove(k)
        return best

    def _read_squares(
        self, image: np.ndarray, plane: Plane, squares: list[np.ndarray], by_print: bool
    ) -> list[PlaceReading]:
        """What lies in each of the squares (4, 2) mm, as a tile there. `by_print`: whatever it looks like at first, and
        only what shows its print: a shade and the dark leave a tile unlike its face, bare cloth may look like one. Of
        20 squares that were not read at first the five tiles showed 0.61 and more of it, the others at most 0.18."""
        book = self.faces.book
        # photographed faces are found in their crops first: the coarse ranking of the crop says little
        like = list(range(len(squares)))
        if book.album is None and not by_print:
            like = [k for k, look in enumerate(first_looks(image, plane, squares, book)) if _resembles_any(*look)]
        out = [PlaceReading(ANYWHERE, TILE, PlaceState.UNKNOWN, corners_mm=square) for square in squares]
        found = read_faces(image, plane, [squares[k] for k in like], book, rigid=False)
        for k, one in zip(like, found, strict=True):
            if not by_print or self._shows_print(image, plane, one):
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
            or self._shows_print(image, plane, found)  # however many twins share its probability
        )
        p = reading.p if is_face else 0.0
        face = reading.face if p >= ACCEPTED else None
        state = PlaceState.UNKNOWN if face is None else PlaceState.FACE
        return PlaceReading(
            ANYWHERE, TILE, state, face, p, reading.turn, reading.alternatives, corners_mm=found.corners_mm
        )

    def _shows_print(self, image: np.ndarray, plane: Plane, found: FaceAtPlace) -> bool:
        """Whether some print of the likeliest face is seen where its corners were found."""
        window = Window.around(found.corners_mm, AROUND_MM)
        likeliest = found.reading.alternatives[0][0]
        placed = self.faces.placed(likeliest, found.corners_mm, (self.side_mm, self.side_mm))
        return detail_likeness(from_above(image, plane, window), placed, (window.left_mm, window.top_mm)) >= SOME_PRINT


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


def _without_overlaps(tiles: list[PlaceReading], side_mm: float) -> list[PlaceReading]:
    """Tiles lie beside each other: of two that overlap the likelier one stays."""
    kept: list[PlaceReading] = []
    for tile in sorted(tiles, key=lambda t: -t.p):
        if is_free(corners_of(tile).mean(0), kept, side_mm):
            kept.append(tile)
    return kept
