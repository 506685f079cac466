"""Finds a printed board in a picture: coarsely by its colours or its pattern, then to a pixel by its lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.printed.board import MARGIN_SQUARES, BoardShape, Corners, Grey, Image

REFERENCE_SQUARE_PX = 32
"""Side of a square in the learnt picture of the board."""

COARSE_PX = 150
"""Longer side of the picture in which the board is searched: a square of a board that fills it is 9 px wide."""

SIZES = tuple(np.arange(0.5, 1.03, 0.03))
"""Sides of the board that are tried, as parts of the picture's longer side: on a smaller one letters are lost."""

TURNS_DEG = (-6.0, -3.0, 0.0, 3.0, 6.0)
"""A camera over a board is set up by eye: a few degrees askew."""

FAR_TURNS_DEG = tuple(side * deg for deg in range(9, 25, 3) for side in (-1.0, 1.0))
"""Tried when the others find nothing: a board that somebody laid there, photographed by hand."""

TRIED = 2
"""Coarse places that are refined: the likeliest one may be a size too small or large."""

ECC_BLUR_PX = 5
"""Filter of the alignment (px, odd): print is met over a stroke's width."""

FINE_PX = (200, 400, 800)
"""Longer sides of the pictures in which the place is refined, one after the other."""

FOUND = 0.45
"""Least agreement (correlation, -1..1) of the refined place. A board half covered by tiles agrees to 0.69, an
overexposed one to 0.87; pictures without a board have nothing in common with it."""

DARK_LEVELS = 4.0
"""Added to grey levels before their logarithm is taken: what is darker is the camera's noise."""


_Signs = Callable[[Image], Grey]
"""What is compared coarsely: (H, W, 3) uint8 BGR -> (H, W, C) float32."""

_Way = tuple[_Signs, tuple[float, ...]]
"""By what a board is searched coarsely, in which turns (degrees)."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where a board is: its (4, 2) corners in px, clockwise from top left, and how well its print agrees (-1..1)."""

    corners_px: Corners
    agreement: float

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
        self._ways: list[_Way] = [(_hues, TURNS_DEG), (_pattern, TURNS_DEG), (_hues, FAR_TURNS_DEG)]

    def find(self, image: Image) -> BoardPlace:
        """The board in `image` (H, W, 3) uint8 BGR, seen from about above, its first row on top.

        A board without colours is known by what is darker and lighter. What found it last is tried first.
        """
        best = BoardPlace(np.zeros((4, 2)), -1.0)
        for way in self._ways:
            places = [self._refined(image, start, FINE_PX[:1]) for start in self._coarse(image, way)]
            place = max(places, key=lambda place: place.agreement)
            place = self._refined(image, place.corners_px, FINE_PX[1:]) if place.agreement > -1 else place
            if place.found:
                self._ways = [way, *(other for other in self._ways if other != way)]
                return place
            best = max(best, place, key=lambda place: place.agreement)
        return best

    def _at_all_sizes(self, way: _Way) -> list[tuple[Grey, Corners]]:
        if way not in self._templates:
            signs, turns = way
            self._templates[way] = [self._template(float(size), turn, signs) for size in SIZES for turn in turns]
        return self._templates[way]

    def _template(self, size: float, turn_deg: float, signs: _Signs) -> tuple[Grey, Corners]:
        """The `signs` of the board at a size and turn, and where its corners are in that small picture."""
        width = round(COARSE_PX * size)
        height = round(width * self.shape.rows / self.shape.columns)
        small = signs(np.asarray(cv2.resize(self._squares, (width, height), interpolation=cv2.INTER_AREA), np.uint8))
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1)
        turned = cv2.warpAffine(cv2.GaussianBlur(small, (0, 0), 1.0), turn, (width, height),
                                borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        return np.asarray(turned, np.float32), corners @ turn[:, :2].T + turn[:, 2]

    def _coarse(self, image: Image, way: _Way) -> list[Corners]:
        """The TRIED likeliest places, each of another size or turn."""
        small, scale = _shrunk(cv2.GaussianBlur(image, (0, 0), 3.0), COARSE_PX)
        around = COARSE_PX // 5  # the board may reach beyond the picture a little
        hues = cv2.copyMakeBorder(way[0](small), around, around, around, around, cv2.BORDER_REPLICATE)
        found: list[tuple[float, Corners]] = []
        for template, corners in self._at_all_sizes(way):
            if template.shape[0] <= hues.shape[0] and template.shape[1] <= hues.shape[1]:
                _, value, _, at = cv2.minMaxLoc(cv2.matchTemplate(hues, template, cv2.TM_CCOEFF_NORMED))
                found.append((value, (corners + np.array(at) - around) / scale))
        found.sort(key=lambda one: -one[0])
        return [place for _, place in found[:TRIED]]

    def _refined(self, image: Image, corners: Corners, longer_sides_px: tuple[int, ...]) -> BoardPlace:
        """Aligned by the edges of the print (ECC, Evangelidis and Psarakis 2008)."""
        agreement = -1.0
        for longer_px in longer_sides_px:
            small, scale = _shrunk(image, longer_px)
            square_px = float(np.linalg.norm(corners[1] - corners[0])) * scale / self.shape.columns
            zoom = square_px / REFERENCE_SQUARE_PX
            reference = cv2.resize(self.reference, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
            source = self.shape.corners_px(REFERENCE_SQUARE_PX) * zoom
            start = cv2.getPerspectiveTransform(source.astype(np.float32), (corners * scale).astype(np.float32))
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
                return BoardPlace(corners, -1.0)
            corners = cv2.perspectiveTransform(source[None], warp.astype(np.float64))[0] / scale
        return BoardPlace(corners, float(agreement))


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
