"""Finds the players' boards by their outline and red corner, and reads which cut-outs hold a piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from companion.core.layout import TableLayout
from vision.appearance.canvas import MISPLACED, Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify, square_mm
from vision.pieces.finder import FoundPiece, PieceFinder
from vision.pieces.probability import pieces_probability
from vision.pieces.shapes import PieceModel

# Cut-outs of a board (E4); only those that correspond to the grid are used (E12).
ROWS, COLS = 3, 4

# A board is laid by hand beside the grid: within 10 degrees of a quarter turn.
COARSE_PX_PER_MM = 0.5
COARSE_TURNS_DEG = tuple(range(-9, 10, 3))
FINE_TURNS_DEG = np.arange(-2.5, 2.6, 0.5)

# How far from the middle of the table a board is looked for.
REACH_MM = 480.0

# A board lies outside the grid by at least this much between its middle and the grid's edge: half its height.
NEAREST_MM = 40.0

# Likeness (normalised correlation) from which a board counts as found; tables without one stay below 0.4.
FOUND = 0.55

# Legs of the red corner's triangle.
RED_CORNER_MM = 13.0

# By how much the red corner's part of red must exceed the paper's, from where more says no more, and what it weighs
# against likeness when ways to lie are compared.
RED_MARGIN = 0.05
ENOUGH_RED = 0.15
RED_WEIGHT = 3.0

# The other corners are paper: they may differ by a quarter (shadow, glare); what they differ more counts half.
PAPER_VARIES = 0.25
UNLIKE_PAPER = 0.5

# A piece belongs to the cut-out whose middle is nearest to its foot, within this distance.
CUTOUT_REACH_MM = 9.0

# Side of what is compared between cut-outs: the cut-out with some board around it.
PATCH_MM = 18.0


@dataclass(frozen=True, slots=True)
class SeatBoard:
    """A board that is on the table: its seat (degrees clockwise from the bottom) and the colour of its pieces."""

    seat_deg: int
    colour: str


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """Sizes of a board in mm. `origin_mm`: how far the middle of the cut-outs lies right of and below the board's."""

    width_mm: float = 116.0
    height_mm: float = 92.0
    pitch_mm: float = 24.0
    cutout_mm: float = 14.0
    thickness_mm: float = 2.0
    origin_mm: tuple[float, float] = (2.0, 1.0)

    def cutout_centre_mm(self, row: int, col: int) -> tuple[float, float]:
        """Centre of a cut-out from the middle of the board, upright (red corner top left)."""
        x = self.origin_mm[0] + (col - (COLS - 1) / 2) * self.pitch_mm
        return x, self.origin_mm[1] + (row - (ROWS - 1) / 2) * self.pitch_mm


@dataclass(frozen=True, slots=True)
class Cutout:
    """A piece in a cut-out, named by the cell of the grid that it stands for."""

    row: int
    col: int
    colour: str
    p: float


@dataclass(frozen=True, slots=True)
class BoardReading:
    """A board: whether it was found, its upright corners (4, 2) table mm, its pieces, and how sure all that is."""

    seat_deg: int
    found: bool
    slots: tuple[Cutout, ...] = ()
    p: float = 0.0
    corners_mm: np.ndarray | None = None
    likeness: float = 0.0


@dataclass(frozen=True, slots=True)
class _Place:
    centre_mm: tuple[float, float]
    turn_deg: float
    likeness: float


def to_grid(row: int, col: int, size: tuple[int, int], corner: str | None) -> tuple[int, int]:
    """The cell of a grid of `size` (rows, cols) that the cut-out (row, col) of an upright board stands for.

    The red corner of the board matches the corner card (E12): seen from the card's corner, board and grid agree.
    """
    rows, cols = size
    if corner == "br":
        return rows - 1 - row, cols - 1 - col
    if corner == "tr":
        return col, cols - 1 - row
    if corner == "bl":
        return rows - 1 - col, row
    return row, col


class BoardReader:
    """Reads boards of one plan, with pieces of given colours."""

    def __init__(self, plan: BoardPlan, layout: TableLayout, colours: PieceColours) -> None:
        """`layout` gives the size and shape of the pieces."""
        self.plan, self.layout = plan, layout
        self.colours = colours

    def read(
        self,
        image: np.ndarray,
        pose: TablePose,
        seat: SeatBoard,
        grid_size: tuple[int, int],
        corner: str | None,
        light: PictureLight | None,
        clear_of_mm: tuple[float, float],
    ) -> BoardReading:
        """The board of `seat` in `image` (H, W, 3) uint8 BGR.

        `grid_size`: rows and columns of the grid; `corner`: where the corner card lies; `light`: from the faces
        in the same picture; `clear_of_mm`: half width and height of the grid, beside which boards lie.
        """
        used = _used(grid_size, corner)
        place = self._find(image, pose, seat.seat_deg, used, clear_of_mm)
        if place is None or place.likeness < FOUND:
            return BoardReading(seat.seat_deg, False, likeness=place.likeness if place else 0.0)
        corners = _turned(place, np.array([self.plan.width_mm, self.plan.height_mm]) / 2)
        if light is None:
            return BoardReading(seat.seat_deg, True, p=0.0, corners_mm=corners, likeness=place.likeness)
        pieces, p = self._pieces(image, pose, place, seat.colour, used, light)
        slots = []
        for (row, col), piece in pieces:
            chance = pieces_probability([piece], 0.0, 0.0)
            slots.append(Cutout(*to_grid(row, col, grid_size, corner), seat.colour, chance))
        slots.sort(key=lambda c: (c.row, c.col))
        return BoardReading(seat.seat_deg, True, tuple(slots), p, corners, place.likeness)

    def _find(
        self,
        image: np.ndarray,
        pose: TablePose,
        seat_deg: int,
        used: frozenset[tuple[int, int]],
        clear_of_mm: tuple[float, float],
    ) -> _Place | None:
        """Where the board lies in the seat's quarter of the table."""
        outward = np.array([-np.sin(np.deg2rad(seat_deg)), np.cos(np.deg2rad(seat_deg))])  # seat 90 is at the left
        edge = float(np.abs(outward) @ np.array(clear_of_mm)) + NEAREST_MM
        aside = np.array([abs(outward[1]), abs(outward[0])]) * 0.6 * REACH_MM
        low = np.minimum(outward * edge, outward * REACH_MM) - aside - 60
        high = np.maximum(outward * edge, outward * REACH_MM) + aside + 60
        area = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        size = np.round((high - low) * COARSE_PX_PER_MM).astype(int)
        view = rectify(image, pose, area, -self.plan.thickness_mm, (int(size[0]), int(size[1])))
        gray = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)
        found: list[tuple[float, float, _Place]] = []
        for quarter in (0, 90, 180, 270):
            likely = self._matched(gray, [quarter + lean for lean in COARSE_TURNS_DEG], used, low, COARSE_PX_PER_MM)
            if likely is None:
                continue
            red = self._red_corner(image, pose, likely)
            found.append((likely.likeness + RED_WEIGHT * min(red, ENOUGH_RED), red, likely))
        if not found:
            return None
        _, red, best = max(found, key=lambda one: one[0])
        if red < RED_MARGIN:  # whatever it is, it has no red corner
            return _Place(best.centre_mm, best.turn_deg, 0.5 * best.likeness)
        return self._refine(image, pose, best, used)

    def _refine(self, image: np.ndarray, pose: TablePose, place: _Place, used: frozenset[tuple[int, int]]) -> _Place:
        """The same board to about half a millimetre and half a degree."""
        reach = max(self.plan.width_mm, self.plan.height_mm) / 2 + 18
        low = np.array(place.centre_mm) - reach
        view = rectify(
            image, pose, square_mm(place.centre_mm, 2 * reach), -self.plan.thickness_mm, round(2 * reach * PX_PER_MM)
        )
        gray = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)
        turns = [place.turn_deg + float(lean) for lean in FINE_TURNS_DEG]
        return self._matched(gray, turns, used, low, PX_PER_MM) or place

    def _matched(
        self,
        gray: np.ndarray,
        turns_deg: Sequence[float],
        used: frozenset[tuple[int, int]],
        low_mm: np.ndarray,
        px_per_mm: float,
    ) -> _Place | None:
        """The likeliest place of a board in one of the turns, in a gray view (h, w) from `low_mm` (2,) on.

        None when no such board fits into the view.
        """
        best = None
        for turn_deg in turns_deg:
            pattern, mask = _pattern(self.plan, used, turn_deg, px_per_mm)
            if pattern.shape[0] > gray.shape[0] or pattern.shape[1] > gray.shape[1]:
                continue
            score = cv2.matchTemplate(gray, pattern, cv2.TM_CCOEFF_NORMED, mask=mask)
            score[~np.isfinite(score)] = -1.0
            _, top, _, (x, y) = cv2.minMaxLoc(score)
            if best is None or top > best.likeness:
                at = (np.array([x, y]) + np.array(pattern.shape[::-1]) / 2) / px_per_mm + low_mm
                best = _Place((float(at[0]), float(at[1])), turn_deg, float(top))
        return best

    def _red_corner(self, image: np.ndarray, pose: TablePose, place: _Place) -> float:
        """By how much the top left corner of a board at `place` is redder than its paper, less what the others differ.

        A place that is turned the wrong way shows paper or table in that corner, and table in others.
        """
        board = self._view(image, pose, place, 0.0)[1].astype(np.float32)
        h, w = board.shape[:2]
        inset, leg = round(2.0 * PX_PER_MM), round(RED_CORNER_MM * PX_PER_MM * 0.4)
        spots = [(y, x) for y in (slice(inset, inset + leg), slice(h - inset - leg, h - inset)) for x in (0, 1)]
        columns = (slice(inset, inset + leg), slice(w - inset - leg, w - inset))
        red_one, *others = [np.median(board[y, columns[x]].reshape(-1, 3), 0) for y, x in spots]
        paper = np.median(np.array(others), 0)
        strange = max(float(np.abs(o - paper).mean()) for o in others) / (float(paper.mean()) + 10.0)
        return _red_share(red_one) - _red_share(paper) - UNLIKE_PAPER * max(0.0, strange - PAPER_VARIES)

    def _view(self, image: np.ndarray, pose: TablePose, place: _Place, margin_mm: float) -> tuple[Window, np.ndarray]:
        """The board upright: a window around its middle in the board's own frame, and what it shows."""
        half = np.array([self.plan.width_mm, self.plan.height_mm]) / 2 + margin_mm
        window = Window.around(np.array([-half, half]), 0.0)
        size = (window.width_px, window.height_px)
        return window, rectify(image, pose, _turned(place, half), -self.plan.thickness_mm, size)

    def _pieces(
        self,
        image: np.ndarray,
        pose: TablePose,
        place: _Place,
        colour: str,
        used: frozenset[tuple[int, int]],
        light: PictureLight,
    ) -> tuple[list[tuple[tuple[int, int], FoundPiece]], float]:
        """The pieces in the cut-outs of a board, and the probability that they are right."""
        window, seen = self._view(image, pose, place, 0.0)
        bare = self._bare(window, seen, used)
        here = replace(light, slope=(0.0, 0.0))
        level = 1.0 + np.array(place.centre_mm) @ np.array(light.slope) / 100.0
        pixel = np.ones((3, 3), np.uint8)
        contrast = cv2.dilate(bare, pixel) - cv2.erode(bare, pixel)
        canvas = Canvas(
            window,
            seen.astype(np.float32),
            bare.astype(np.float32),
            MISPLACED * contrast.astype(np.float32),
            np.zeros(seen.shape[:2], np.int16),
            here,
            (float(level),),
        )
        eye = pose.eye_mm - np.array([*place.centre_mm, 0.0])
        a = -np.deg2rad(place.turn_deg)
        x, y = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ eye[:2]
        at, sizes = (float(x), float(y), float(eye[2])), self.layout
        piece_mm = (sizes.piece_side_mm, sizes.piece_height_mm)
        piece = PieceModel(piece_mm[0], -self.plan.thickness_mm, at, piece_mm[1], sizes.piece_shape)
        search = PieceFinder(self.colours.only((colour,)), piece).search(canvas)
        taken: dict[tuple[int, int], FoundPiece] = {}
        stray = 0.0
        for found in search.pieces:
            away = {rc: float(np.hypot(*(np.array(self.plan.cutout_centre_mm(*rc)) - found.foot_mm))) for rc in used}
            cell = min(away, key=away.__getitem__)
            if away[cell] > CUTOUT_REACH_MM or cell in taken:
                stray = max(stray, found.evidence)
            else:
                taken[cell] = found
        p = pieces_probability(list(taken.values()), max(stray, search.refused[0]), 0.0)
        return sorted(taken.items(), key=lambda item: item[0]), p

    def _bare(self, window: Window, seen: np.ndarray, used: frozenset[tuple[int, int]]) -> np.ndarray:
        """The same board without pieces: every cut-out as most cut-outs of its kind look, (H, W, 3) uint8."""
        bare = seen.copy()
        half = round(PATCH_MM * PX_PER_MM / 2)
        every = frozenset((r, c) for r in range(ROWS) for c in range(COLS))
        for kind in (used, every - used):
            spots = [
                np.round(window.to_px(np.array(self.plan.cutout_centre_mm(*rc)))).astype(int) for rc in sorted(kind)
            ]
            if not spots:
                continue
            patches = np.stack([seen[y - half : y + half + 1, x - half : x + half + 1] for x, y in spots])
            usual = np.median(patches, 0).astype(np.uint8)
            for x, y in spots:
                bare[y - half : y + half + 1, x - half : x + half + 1] = usual
        return bare


def _red_share(bgr: np.ndarray) -> float:
    return float(bgr[2] / (bgr.sum() + 15.0))


def _used(size: tuple[int, int], corner: str | None) -> frozenset[tuple[int, int]]:
    """The cut-outs of an upright board that stand for a cell of the grid."""
    rows, cols = size if corner not in ("tr", "bl") else size[::-1]
    return frozenset((r, c) for r in range(min(rows, ROWS)) for c in range(min(cols, COLS)))


def _turned(place: _Place, half_mm: np.ndarray) -> np.ndarray:
    """(4, 2) table mm: the corners of an upright rectangle of half size `half_mm` around a place, as it lies there."""
    a = np.deg2rad(place.turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half_mm @ turn.T + np.array(place.centre_mm))


@lru_cache(maxsize=256)
def _pattern(
    plan: BoardPlan, used: frozenset[tuple[int, int]], turn_deg: float, px_per_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """What a board looks like in gray, (h, w) float32, and where that is known (mask)."""
    fine = 4
    w, h = round(plan.width_mm * px_per_mm * fine), round(plan.height_mm * px_per_mm * fine)
    flat, known = np.ones((h, w), np.float32), np.ones((h, w), np.float32)
    for row in range(ROWS):
        for col in range(COLS):
            x, y = plan.cutout_centre_mm(row, col)
            middle = np.array([x + plan.width_mm / 2, y + plan.height_mm / 2])
            low, high = ((middle + s * plan.cutout_mm / 2) * px_per_mm * fine for s in (-1, 1))
            outline = np.round(low).astype(int).tolist(), np.round(high).astype(int).tolist()
            if (row, col) in used:
                cv2.rectangle(flat, *outline, 0.0, -1)
            else:  # printed pale, covered, or open like the others
                cv2.rectangle(known, *outline, 0.0, -1)
    edge = max(1, round(1.5 * px_per_mm * fine))
    cv2.rectangle(known, (0, 0), (w - 1, h - 1), 0.0, 2 * edge - 1)  # some boards have a printed rim
    leg = round(RED_CORNER_MM * px_per_mm * fine)
    for x, y in ((0, 0), (w, h)):  # red here or, lying the other way round, there
        cv2.rectangle(known, (max(0, x - leg), max(0, y - leg)), (min(w, x + leg), min(h, y + leg)), 0.0, -1)
    a = np.deg2rad(turn_deg)
    size_w = int(np.ceil(abs(w * np.cos(a)) + abs(h * np.sin(a))) / fine) + 1
    size_h = int(np.ceil(abs(w * np.sin(a)) + abs(h * np.cos(a))) / fine) + 1
    to_out = cv2.getRotationMatrix2D((w / 2, h / 2), -turn_deg, 1.0)
    to_out[:, 2] += np.array([size_w, size_h]) * fine / 2 - np.array([w, h]) / 2
    out = [
        cv2.resize(
            cv2.warpAffine(m, to_out, (size_w * fine, size_h * fine)), (size_w, size_h), interpolation=cv2.INTER_AREA
        )
        for m in (flat, known)
    ]
    return out[0].astype(np.float32), (out[1] > 0.9).astype(np.float32)
