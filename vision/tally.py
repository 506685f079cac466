"""Finds and names captured tiles spread on the table in any way and turn, for the final tally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.types import Face
from vision.box_contents import too_many
from vision.canvas import Canvas, Window, compose
from vision.faces.book import FaceBook
from vision.laid import PX_PER_MM, LaidFace, shrink_reference
from vision.leftovers import Leftovers
from vision.markers import MarkerLayout, find_markers
from vision.piece_maps import WORST_BARE, bare_likelihoods
from vision.plane import Plane, PosePlane, fit_square, planes_of_squares, square_at
from vision.pose import TablePose
from vision.quads import Quad, find_quads
from vision.second_look import look_again

CROP_PX = 96
CROP_MARGIN = 0.12

SIDES = (0.86, 1.1)
"""Side of a candidate against a tile's: the printed area inside its border, or the tile with its own shadow."""

SQUARENESS = 0.12
"""Corners of a candidate may miss a true square by this part of its side: contours are cut by shadows and glare."""

MIN_VOTES = 2
SAME_PLACE = 0.25
"""Candidates whose middles are nearer than this part of a side are one tile."""

TRIED = 4
"""Candidates tried for a place before it counts as not recognised."""

ACCEPTED = 0.9
SURE_OF_ALL = 0.97
"""Probability of a tile from which it is named, and of all tiles together from which a total is not asked about."""

BEYOND_DOUBT = 0.9999
"""Probability of the first look below which a tile gets a second one, recognised or not."""

STRANGE_SHARE = 0.08
"""Part of a tile that may look unlike its face before it is not believed: nothing stands on captured tiles."""

AROUND_MM = 16.0
LEFT_OVER = 0.2
"""Area of anything unlike the table beside the tiles, against a tile's, from which the tally is asked about."""

NEIGHBOUR_STEPS = (1.02, 1.1)
"""Where a tile that touches, or nearly, may lie: distance of the middles in sides."""

PRINTED_SHARE = 0.91
"""Side of the printed area within a white border, against the tile's."""

STRANGE_PLACE = 0.3
"""Part of a place that looks unlike the table from which something lies there, recognised or not."""


@dataclass(frozen=True, slots=True)
class TallyTile:
    """A tile, or what looks like one: face (None: ask), probability, alternatives, (4, 2) corners in the picture."""

    face: Face | None
    p: float
    alternatives: tuple[tuple[Face, float], ...]
    corners_px: np.ndarray
    corners_mm: np.ndarray

    def is_a_tile(self) -> bool:
        """Whether one of the box's faces lies there, though perhaps nobody knows yet which."""
        return self.face is not None or (self.p > 0.0 and sum(p for _, p in self.alternatives) >= ACCEPTED)

    @property
    def centre_px(self) -> tuple[float, float]:
        """Middle of the tile in the picture."""
        x, y = self.corners_px.mean(0).tolist()
        return x, y


@dataclass(frozen=True, slots=True)
class TallyReading:
    """All tiles found, whether they can be believed without asking, and why not (English, for people)."""

    tiles: tuple[TallyTile, ...]
    sure: bool
    doubts: tuple[str, ...]
    located_by: str

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces of the recognised tiles."""
        return tuple(t.face for t in self.tiles if t.face is not None)


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
        self.book = book
        self.small = {face: shrink_reference(scan, side_mm) for face, scan in scans.items()}
        self.side_mm = side_mm
        self.thickness_mm = thickness_mm
        self.markers = markers or MarkerLayout()
        self.copies = copies or {}

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
        plane, tiles = max(tried, key=lambda one: sum(t.p for t in one[1] if t.face is not None))
        over = Leftovers(image, [t.corners_px for t in tiles if t.face is not None] + printed)
        tiles = self._grown(image, plane, tiles, over)
        tiles = self._checked(image, plane, tiles)
        named = [t.corners_px for t in tiles if t.face is not None]
        # a place that was not recognised and shows only table was not a tile
        tiles = [t for t in tiles if t.face is not None or over.share(t.corners_px) >= STRANGE_PLACE]
        doubts = self._doubts(tiles, Leftovers(image, named + printed))
        return TallyReading(tuple(sorted(tiles, key=lambda t: t.centre_px[::-1])), not doubts, tuple(doubts), by)

    def _tiles(self, image: np.ndarray, plane: Plane, quads: list[Quad]) -> list[TallyTile]:
        named = [self._name(image, plane, place) for place in self._places(plane, quads)]
        return _without_overlaps([t for t in named if t is not None], self.side_mm)

    def _grown(self, image: np.ndarray, plane: Plane, tiles: list[TallyTile], over: Leftovers) -> list[TallyTile]:
        """The tiles with neighbours that touch them and whose outlines were not seen by themselves."""
        out = list(tiles)
        queue = [t for t in tiles if t.face is not None]
        while queue:
            one = queue.pop()
            centre, turn, _, _ = fit_square(one.corners_mm)
            for quarter in range(4):
                a = np.deg2rad(turn + 90 * quarter)
                beside = [
                    _Candidate(centre + np.array([np.cos(a), np.sin(a)]) * step * self.side_mm, turn, 0)
                    for step in NEIGHBOUR_STEPS
                ]
                middle = beside[0].centre_mm
                taken = any(
                    np.hypot(*(t.corners_mm.mean(0) - middle)) < 0.7 * self.side_mm for t in out if t.is_a_tile()
                )
                if taken or over.share(plane.to_px(square_at(middle, 0.8 * self.side_mm, turn))) < STRANGE_PLACE:
                    continue
                found = self._name(image, plane, beside)
                if found is None or found.face is None:
                    continue
                at = found.corners_mm.mean(0)
                near = [t for t in out if np.hypot(*(t.corners_mm.mean(0) - at)) < 0.7 * self.side_mm]
                if any(t.is_a_tile() for t in near):  # it slid back onto a tile that is known
                    continue
                out = [t for t in out if not any(t is n for n in near)] + [found]
                queue.append(found)
        return _without_overlaps(out, self.side_mm)

    def _places(self, plane: Plane, quads: list[Quad]) -> list[list[_Candidate]]:
        """The places where a tile may lie, each with its candidates, most votes first."""
        places: list[list[_Candidate]] = []
        for quad in sorted(quads, key=lambda q: -q.votes):
            centre, turn, side, misfit = fit_square(plane.to_mm(quad.corners_px))
            if not (SIDES[0] <= side / self.side_mm <= SIDES[1] and misfit <= SQUARENESS):
                continue
            one = _Candidate(centre, turn, quad.votes)
            near = [p for p in places if np.hypot(*(p[0].centre_mm - centre)) < SAME_PLACE * self.side_mm]
            if near:
                near[0].append(one)
            else:
                places.append([one])
        return places

    def _name(self, image: np.ndarray, plane: Plane, place: list[_Candidate]) -> TallyTile | None:
        """The tile at a place; None when nothing there resembles one."""
        best: TallyTile | None = None
        size = round(CROP_PX * (1 + 2 * CROP_MARGIN))
        for candidate in place[:TRIED]:
            square = square_at(candidate.centre_mm, self.side_mm, candidate.turn_deg)
            reading = self.book.identify(plane.crop(image, square, size, CROP_MARGIN), margin=CROP_MARGIN)
            corners = self._corners(reading.to_reference, square, size)
            _, _, side, misfit = fit_square(corners)
            aligned = abs(side / self.side_mm - 1) < SQUARENESS and misfit < SQUARENESS
            p = reading.p if aligned else 0.0
            if best is None or p > best.p:
                face = reading.face if p >= ACCEPTED else None
                best = TallyTile(face, p, reading.alternatives, plane.to_px(corners), corners)
            if best.p >= SURE_OF_ALL:
                break
        return best

    def _corners(self, to_reference: np.ndarray, square_mm: np.ndarray, size: int) -> np.ndarray:
        """(4, 2) plane mm: the upright corners of the face that was aligned to a crop of `square_mm`."""
        w, h = self.book.size_wh
        outline = np.array([[[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]]])
        in_crop = cv2.perspectiveTransform(outline, np.linalg.inv(to_reference))[0]
        unit = (in_crop + 0.5) / size * (1 + 2 * CROP_MARGIN) - CROP_MARGIN
        a, b, _, d = square_mm
        return a + unit[:, :1] * (b - a) + unit[:, 1:] * (d - a)

    def _checked(
        self, image: np.ndarray, plane: Plane, tiles: list[TallyTile], looked_again: bool = False
    ) -> list[TallyTile]:
        """The tiles, doubtful ones decided and those taken back that are unlike their face, in the light of all."""
        named = [t for t in tiles if t.face is not None]
        if not named:
            return tiles
        window, seen = self._window(image, plane, named)
        faces = []
        for tile in named:
            centre, turn, _, _ = fit_square(tile.corners_mm)
            faces.append(LaidFace(centre, turn, self.side_mm, self.small[tile.face or ""]))
        canvas = compose(seen, window, faces)
        if not looked_again:
            again = [self._again(canvas, seen, t) if 0 < t.p < BEYOND_DOUBT else t for t in tiles]
            if any(a is not t for a, t in zip(again, tiles, strict=True)):
                return self._checked(image, plane, again, looked_again=True)
        bare, _ = bare_likelihoods(canvas)
        bad = np.bincount(canvas.label[(bare < -0.6 * WORST_BARE) & (canvas.label >= 0)], minlength=len(named))
        area = np.maximum(np.bincount(canvas.label[canvas.label >= 0], minlength=len(named)), 1)
        strange = {id(t) for t, share in zip(named, bad / area, strict=True) if share > STRANGE_SHARE}
        return [
            TallyTile(None, min(t.p, 0.5), t.alternatives, t.corners_px, t.corners_mm) if id(t) in strange else t
            for t in tiles
        ]

    def _again(self, canvas: Canvas, seen: np.ndarray, tile: TallyTile) -> TallyTile:
        """A tile that was not accepted, decided in the light of all if that is possible; else marked as decided."""
        centre, turn, _, _ = fit_square(tile.corners_mm)
        window = canvas.window
        at = window.to_px(centre)
        unsure = TallyTile(None, 0.0, tile.alternatives, tile.corners_px, tile.corners_mm)
        if not (0 <= at[0] < window.width_px and 0 <= at[1] < window.height_px):
            return unsure
        place = LaidFace(centre, turn, self.side_mm, self.small[tile.alternatives[0][0]])
        found = look_again(seen, canvas.light, (window.left_mm, window.top_mm), place, tile.alternatives, self.small)
        if found[0][1] < ACCEPTED:
            return unsure
        return TallyTile(found[0][0], found[0][1], found, tile.corners_px, tile.corners_mm)

    def _window(self, image: np.ndarray, plane: Plane, tiles: list[TallyTile]) -> tuple[Window, np.ndarray]:
        window = Window.around(np.vstack([t.corners_mm for t in tiles]), AROUND_MM)
        size = max(window.width_px, window.height_px)
        square = window.corners_mm[0] + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size / PX_PER_MM
        seen = plane.crop(image, square, size, 0.0)[: window.height_px, : window.width_px]
        return window, seen

    def _doubts(self, tiles: list[TallyTile], over: Leftovers) -> list[str]:
        """Why the tally must be confirmed by a person; empty when it need not."""
        named = [t for t in tiles if t.face is not None]
        if not named:
            return ["No tiles were found."]
        doubts = []
        if len(named) < len(tiles):
            doubts.append(f"{len(tiles) - len(named)} of {len(tiles)} tiles were not recognised.")
        if twice := too_many([t.face or "" for t in named], self.copies):
            doubts.append(f"More tiles than the box holds were read as {', '.join(sorted(twice))}.")
        together = float(np.prod([t.p for t in named]))
        if together < SURE_OF_ALL:
            doubts.append(f"All tiles together are right with probability {together:.2f} only.")
        if over.largest_near(np.vstack([t.corners_px for t in named])) > LEFT_OVER:
            doubts.append("Something that is not a recognised tile lies beside the tiles.")
        return doubts


def _on_any(point_px: np.ndarray, quads_px: list[np.ndarray]) -> bool:
    x, y = point_px.tolist()
    return any(cv2.pointPolygonTest(q.astype(np.float32), (x, y), False) >= 0 for q in quads_px)


def _without_overlaps(tiles: list[TallyTile], side_mm: float) -> list[TallyTile]:
    """Tiles lie beside each other: of two that overlap the likelier one stays."""
    kept: list[TallyTile] = []
    for tile in sorted(tiles, key=lambda t: -t.p):
        middle = tile.corners_mm.mean(0)
        if all(np.hypot(*(middle - other.corners_mm.mean(0))) > 0.7 * side_mm for other in kept):
            kept.append(tile)
    return kept
