"""Finds a printed board in a picture: coarsely by its colours or its pattern, then to a pixel by its lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.printed.board import MARGIN_SQUARES, BoardShape, Corners, Grey, Image, bent, from_above, straightened

REFERENCE_SQUARE_PX = 32
"""Side of a square in the learnt picture of the board."""

COARSE_PX = 150
"""Longer side of the picture in which the board is searched: a square of a board that fills it is 9 px wide."""

SIZES = tuple(np.arange(0.5, 1.03, 0.03))
"""Sides of the board that are tried first, as parts of the picture's longer side."""

SMALL_SIZES = tuple(0.5 * 0.94**n for n in range(1, 11))
"""Tried when the others find nothing, in a picture twice as large: a wide picture shows much of the table. Down to
0.27: in a picture of 1920 px a square is then 34 px wide, and on a smaller one letters are lost."""

TURNS_DEG = (-6.0, -3.0, 0.0, 3.0, 6.0)
"""A camera over a board is set up by eye: a few degrees askew."""

FAR_TURNS_DEG = tuple(side * deg for deg in range(9, 25, 3) for side in (-1.0, 1.0))
"""Tried when the others find nothing: a board that somebody laid there, photographed by hand."""

SKEW_TURNS_DEG = tuple(side * deg for deg in range(27, 46, 3) for side in (-1.0, 1.0))
"""Tried last: a board that lies across the picture. Turned further it is nearer to another quarter turn."""

TRIED = 2
"""Coarse places that are refined: the likeliest one may be a size too small or large."""

ECC_BLUR_PX = 5
"""Filter of the alignment (px, odd): print is met over a stroke's width."""

FINE_PX = (200, 400, 800)
"""Longer sides, for the board and what is close around it, at which the place is refined, one after the other."""

AROUND = 0.2
"""Of the board's extent, that is looked at around it while its place is refined: so far off a coarse place may be."""

NEIGHBOURS_PX = 16
"""Side of a square when the print is compared with that of the neighbouring squares."""

LEAST_SIDE = 0.4
"""Shortest side of a board by its longest, seen by a camera above it."""

BOWS = (-0.08, -0.04, 0.04)
"""Distortion of the lens that is tried, beside none (see `board.bent`): wide lenses of web cameras have -0.02 to -0.1;
that of the pictures that teach counts the other way round."""

BOW_STEPS = (0.02, 0.01)
"""How much nearer it is then sought: 0.005 is 0.07 of a square at the corner of a board of 15 that fills a square
picture."""

BOW_WORTH = 0.02
"""By how much the print must agree better: a lens that hardly bows anything is taken for straight."""

AS_BEFORE = 0.1
"""A camera stands still: a board that agrees at the place before by no more than so much less than it did is still
there. A word laid on it takes 0.03."""

FOUND = 0.45
"""Least agreement (correlation, -1..1) of the refined place. A board half covered by tiles agrees to 0.69, an
overexposed one to 0.87; pictures without a board have nothing in common with it."""

DARK_LEVELS = 4.0
"""Added to grey levels before their logarithm is taken: what is darker is the camera's noise."""


_Signs = Callable[[Image], Grey]
"""What is compared coarsely: (H, W, 3) uint8 BGR -> (H, W, C) float32."""

_Way = tuple[_Signs, tuple[float, ...], tuple[float, ...], int]
"""By what a board is searched coarsely, in which turns (degrees) and sizes, in a picture of which longer side (px)."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where a board is: its (4, 2) corners in px, clockwise from top left, and how well its print agrees (-1..1).

    `bow`: of the lens, see `board.bent`.
    """

    corners_px: Corners
    agreement: float
    bow: float = 0.0

    @property
    def found(self) -> bool:
        """Whether the board is there at all."""
        return self.agreement >= FOUND


class BoardFinder:
    """Finds one board, learnt as `reference`: its view from above without pieces, REFERENCE_SQUARE_PX a square."""

    def __init__(self, reference: Image, shape: BoardShape) -> None:
        self.reference, self.shape = reference, shape
        margin = round(MARGIN_SQUARES * REFERENCE_SQUARE_PX)
        self._squares = reference[margin:-margin, margin:-margin]
        self._templates: dict[_Way, list[tuple[Grey, Corners]]] = {}
        self._ways: list[_Way] = [
            (_hues, TURNS_DEG, SIZES, COARSE_PX), (_pattern, TURNS_DEG, SIZES, COARSE_PX),
            (_hues, FAR_TURNS_DEG, SIZES, COARSE_PX), (_hues, TURNS_DEG, SMALL_SIZES, 2 * COARSE_PX),
            (_pattern, TURNS_DEG, SMALL_SIZES, 2 * COARSE_PX), (_hues, SKEW_TURNS_DEG, SIZES, COARSE_PX),
        ]  # fmt: skip
        self._last: tuple[tuple[int, ...], BoardPlace] | None = None

    def find(self, image: Image) -> BoardPlace:
        """The board in `image` (H, W, 3) uint8 BGR, seen from about above, its first row on top.

        A board without colours is known by what is darker and lighter. Where it was in the picture before is looked
        first, then by what found it last.
        """
        before = self._last[1] if self._last is not None and self._last[0] == image.shape else None
        best = BoardPlace(np.zeros((4, 2)), -1.0)
        if before is not None:
            best = self._refined(image, before, FINE_PX[1:])
            if best.found and best.agreement >= before.agreement - AS_BEFORE:
                best = self._on_its_squares(image, best)
                self._last = image.shape, best
                return best
        bow = 0.0 if before is None else before.bow
        for way in self._ways:
            starts = [BoardPlace(corners, 0.0, bow) for corners in self._coarse(image, way)]
            place = max((self._refined(image, start, FINE_PX[:1]) for start in starts), key=lambda one: one.agreement)
            if place.agreement > -1:
                place = self._refined(image, place, FINE_PX[1:])
            if before is None and place.agreement > best.agreement:
                place = self._with_bow(image, place)
            best = max(best, place, key=lambda place: place.agreement)
            if best.found:
                best = self._on_its_squares(image, best)
                self._ways = [way, *(other for other in self._ways if other != way)]
                self._last = image.shape, best
                break
        return best

    def _on_its_squares(self, image: Image, place: BoardPlace) -> BoardPlace:
        """`place`, or the one to which the print fits better with every square laid on a neighbour of it.

        The lines of a board fit themselves a square further as well, and agree there to 0.45 to 0.65.
        """
        square = NEIGHBOURS_PX
        view = from_above(image, place.corners_px, self.shape, square, place.bow)
        wanted = cv2.resize(self.reference, view.shape[1::-1], interpolation=cv2.INTER_AREA)
        seen, print_lines = edges(view, square), edges(np.asarray(wanted, np.uint8), square)
        fits = cv2.matchTemplate(seen, print_lines[square:-square, square:-square], cv2.TM_CCOEFF_NORMED)
        *_, (x, y) = cv2.minMaxLoc(fits)
        moved = np.round(np.array([x, y]) / square - MARGIN_SQUARES) * square
        if not moved.any():
            return place
        flat = self.shape.corners_px(square)
        to_image = cv2.getPerspectiveTransform(flat.astype(np.float32), place.corners_px.astype(np.float32))
        corners = cv2.perspectiveTransform((flat + moved)[None], to_image.astype(np.float64))[0]
        other = self._refined(image, replace(place, corners_px=corners), FINE_PX[1:])
        return max(place, other, key=lambda one: one.agreement)

    def _with_bow(self, image: Image, place: BoardPlace) -> BoardPlace:
        """`place` with the distortion of the lens with which the print agrees best."""
        rough = self._refined(image, place, FINE_PX[1:2])
        best = rough
        for steps in (BOWS, *((-step, step) for step in BOW_STEPS)):
            tried = [self._refined(image, replace(best, bow=best.bow + step), FINE_PX[1:2]) for step in steps]
            best = max(best, *tried, key=lambda place: place.agreement)
        return self._refined(image, best, FINE_PX[1:]) if best.agreement >= rough.agreement + BOW_WORTH else place

    def _at_all_sizes(self, way: _Way) -> list[tuple[Grey, Corners]]:
        if way not in self._templates:
            signs, turns, sizes, longer_px = way
            widths = [round(longer_px * float(size)) for size in sizes]
            self._templates[way] = [self._template(width, turn, signs) for width in widths for turn in turns]
        return self._templates[way]

    def _template(self, width: int, turn_deg: float, signs: _Signs) -> tuple[Grey, Corners]:
        """The `signs` of the board at a width and turn, and where its corners are in that small picture."""
        height = round(width * self.shape.rows / self.shape.columns)
        small = signs(np.asarray(cv2.resize(self._squares, (width, height), interpolation=cv2.INTER_AREA), np.uint8))
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1)
        turned = cv2.warpAffine(cv2.GaussianBlur(small, (0, 0), 1.0), turn, (width, height),
                                borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        return np.asarray(turned, np.float32), corners @ turn[:, :2].T + turn[:, 2]

    def _coarse(self, image: Image, way: _Way) -> list[Corners]:
        """The TRIED likeliest places, each of another size or turn."""
        small, scale = _shrunk(cv2.GaussianBlur(image, (0, 0), 3.0), way[3])
        around = way[3] // 5  # the board may reach beyond the picture a little
        hues = cv2.copyMakeBorder(way[0](small), around, around, around, around, cv2.BORDER_REPLICATE)
        found: list[tuple[float, Corners]] = []
        for template, corners in self._at_all_sizes(way):
            if template.shape[0] <= hues.shape[0] and template.shape[1] <= hues.shape[1]:
                _, value, _, at = cv2.minMaxLoc(cv2.matchTemplate(hues, template, cv2.TM_CCOEFF_NORMED))
                found.append((value, (corners + np.array(at) - around) / scale))
        found.sort(key=lambda one: -one[0])
        return [place for _, place in found[:TRIED]]

    def _refined(self, image: Image, place: BoardPlace, longer_sides_px: tuple[int, ...]) -> BoardPlace:
        """Aligned by the edges of the print (ECC, Evangelidis and Psarakis 2008), with the bow that `place` has."""
        agreement, bow = -1.0, place.bow
        corners = straightened(place.corners_px, image.shape, bow) if bow else place.corners_px
        for longer_px in longer_sides_px:
            if not _is_seen_whole(corners, image.shape):
                return replace(place, agreement=-1.0)
            small, scale, start_px = _close_to(image, corners, bow, longer_px)
            square_px = float(np.linalg.norm(corners[1] - corners[0])) * scale / self.shape.columns
            zoom = square_px / REFERENCE_SQUARE_PX
            reference = cv2.resize(self.reference, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
            source = self.shape.corners_px(REFERENCE_SQUARE_PX) * zoom
            target = ((corners - start_px) * scale).astype(np.float32)
            start = cv2.getPerspectiveTransform(source.astype(np.float32), target)
            spread = max(2.0, square_px * 0.6)
            wanted, seen = edges(reference, spread), edges(small, spread)
            rim = max(1, round(MARGIN_SQUARES * square_px / 2))
            inner = np.zeros(seen.shape, np.uint8)
            frame = cv2.perspectiveTransform(_outset(source, rim)[None], start)[0]
            cv2.fillConvexPoly(inner, np.round(frame).astype(np.int32), 255)
            steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
            try:
                agreement, warp = cv2.findTransformECC(
                    wanted, seen, start.astype(np.float32), cv2.MOTION_HOMOGRAPHY, steps, inner, ECC_BLUR_PX
                )
            except cv2.error:  # OpenCV's word for: the two have nothing in common
                return replace(place, agreement=-1.0)
            corners = cv2.perspectiveTransform(source[None], warp.astype(np.float64))[0] / scale + start_px
        return BoardPlace(bent(corners, image.shape, bow) if bow else corners, float(agreement), bow)


def _is_seen_whole(corners: Corners, image_hw: tuple[int, ...]) -> bool:
    """Whether corners (4, 2) are those of a board that is in the picture, as a camera above it shows one.

    What is aligned with a picture that has nothing in common with it goes astray: some corners go to the horizon.
    """
    beyond = AROUND * max(image_hw[:2])
    limits = np.array([image_hw[1], image_hw[0]]) + beyond
    inside = bool(((corners > -beyond) & (corners < limits)).all())
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return inside and cv2.isContourConvex(corners.astype(np.float32)) and bool(sides.min() >= LEAST_SIDE * sides.max())


def _close_to(image: Image, corners: Corners, bow: float, longer_px: int) -> tuple[Image, float, Corners]:
    """What is within AROUND of `corners` (4, 2), as a lens without `bow` shows them, at a size of `longer_px`; its
    scale, and where (x, y) it begins in the picture.
    """
    limits = np.array([image.shape[1], image.shape[0]], np.float64)
    extent = np.ptp(corners, axis=0)
    low = np.clip(np.floor(corners.min(axis=0) - AROUND * extent), 0, limits - 2)
    high = np.clip(np.ceil(corners.max(axis=0) + AROUND * extent), low + 2, limits)
    left, top, right, bottom = (int(n) for n in (*low, *high))
    if not bow:
        small, scale = _shrunk(image[top:bottom, left:right], longer_px)
        return small, scale, low
    scale = longer_px / float((high - low).max())
    size = tuple(max(2, round(n)) for n in ((high - low) * scale).tolist())
    whole = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    across, down = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    places = np.stack([across, down], axis=-1).reshape(-1, 2) / scale + low
    at = (bent(places, image.shape, bow) * min(scale, 1.0)).astype(np.float32).reshape(size[1], size[0], 2)
    view = cv2.remap(whole, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8), scale, low


def _outset(corners: Corners, by_px: float) -> Corners:
    """The corners moved outwards by so much: half of the margin round the squares is compared, too."""
    middle = corners.mean(axis=0)
    return np.asarray(corners + np.sign(corners - middle) * by_px)


def _shrunk(image: Image, longer_px: int) -> tuple[Image, float]:
    scale = longer_px / max(image.shape[:2])
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _hues(image: Image) -> Grey:
    """(H, W, 2) float32: red and blue against green, free of how bright the light is."""
    levels = np.log(image.astype(np.float32) + DARK_LEVELS)
    return np.dstack([levels[..., 2] - levels[..., 1], levels[..., 0] - levels[..., 1]])


def _pattern(image: Image) -> Grey:
    """(H, W, 1) float32: brightness against that around, free of what falls off over the whole board."""
    levels = np.log(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARK_LEVELS)
    return np.asarray((levels - cv2.GaussianBlur(levels, (0, 0), COARSE_PX / 10))[..., None], np.float32)


def edges(image: Image, spread_px: float) -> Grey:
    """(H, W) float32: where colours or brightness change, in units of what they change by around there.

    Edges have no sign: whether red print is darker than green depends on the camera and its exposure.
    """
    levels = np.log(image.astype(np.float32) + DARK_LEVELS)
    slope = np.zeros(image.shape[:2], np.float32)
    for channel in cv2.split(levels):
        across, down = cv2.Sobel(channel, cv2.CV_32F, 1, 0), cv2.Sobel(channel, cv2.CV_32F, 0, 1)
        slope = np.maximum(slope, cv2.magnitude(across, down))
    mean = cv2.GaussianBlur(slope, (0, 0), spread_px)
    return np.asarray(np.minimum(slope / (mean + 1e-2), STRONGEST), np.float32)


STRONGEST = 4.0
"""Edges that are so many times as strong as those around count no more: a tile's rim is no better known than print."""
