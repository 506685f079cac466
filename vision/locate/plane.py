"""The plane that flat pieces lie in: from picture to mm and back, by a table pose or by the squares' own shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.locate.pose import TablePose
from vision.locate.rectify import rectify, rectify_all

# Part of its side by which the corners of a square found in the picture may miss a true square.
SQUARE_TOLERANCE = 0.12

FIT_ROUNDS = 12


class Plane(Protocol):
    """Where flat pieces lie: mm in the plane, x right and y down as seen."""

    def to_mm(self, px: np.ndarray) -> np.ndarray:
        """(N, 2) picture px -> (N, 2) plane mm."""

    def to_px(self, mm: np.ndarray) -> np.ndarray:
        """(N, 2) plane mm -> (N, 2) picture px."""

    def crop(
        self, image: np.ndarray, corners_mm: np.ndarray, size_px: int | tuple[int, int], margin: float
    ) -> np.ndarray:
        """(h, w, 3) uint8 upright crop of the rectangle (4, 2) mm, with `margin` of its sides around it.

        `size_px`: width and height, or the side of a square.
        """

    def crops(
        self, image: np.ndarray, corners_mm: np.ndarray, size_px: tuple[int, int], margin: float
    ) -> np.ndarray:
        """(N, h, w, 3) uint8: as `crop` of each of the rectangles (N, 4, 2) mm, in less time."""


@dataclass(frozen=True, slots=True)
class PosePlane:
    """The plane at height `z_mm` of a table whose pose is known."""

    pose: TablePose
    z_mm: float

    def to_mm(self, px: np.ndarray) -> np.ndarray:
        """See Plane."""
        return self.pose.to_table(px, self.z_mm)

    def to_px(self, mm: np.ndarray) -> np.ndarray:
        """See Plane."""
        return self.pose.project(np.c_[mm, np.full(len(mm), self.z_mm)])

    def crop(
        self, image: np.ndarray, corners_mm: np.ndarray, size_px: int | tuple[int, int], margin: float
    ) -> np.ndarray:
        """See Plane."""
        return rectify(image, self.pose, corners_mm, self.z_mm, size_px, margin)

    def crops(
        self, image: np.ndarray, corners_mm: np.ndarray, size_px: tuple[int, int], margin: float
    ) -> np.ndarray:
        """See Plane."""
        return rectify_all(image, self.pose, corners_mm, self.z_mm, size_px, margin)


@dataclass(frozen=True, slots=True)
class HomographyPlane:
    """A plane known by its homography (3, 3) picture px -> mm alone; lens distortion is not put right."""

    from_px: np.ndarray

    def enlarged(self, times: float) -> HomographyPlane:
        """The same plane, measured so that everything in it is so many times as large."""
        return HomographyPlane(np.diag([times, times, 1.0]) @ self.from_px)

    def to_mm(self, px: np.ndarray) -> np.ndarray:
        """See Plane."""
        return _apply(self.from_px, px)

    def to_px(self, mm: np.ndarray) -> np.ndarray:
        """See Plane."""
        return _apply(np.linalg.inv(self.from_px), mm)

    def crop(
        self, image: np.ndarray, corners_mm: np.ndarray, size_px: int | tuple[int, int], margin: float
    ) -> np.ndarray:
        """See Plane."""
        near, far = -margin, 1 + margin
        unit = np.array([[near, near], [far, near], [far, far], [near, far]])
        a, b, _, d = np.asarray(corners_mm, float)
        outer = a + unit[:, :1] * (b - a) + unit[:, 1:] * (d - a)
        width, height = (size_px, size_px) if isinstance(size_px, int) else size_px
        target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        to_crop = cv2.getPerspectiveTransform(self.to_px(outer).astype(np.float32), target)
        return np.asarray(cv2.warpPerspective(image, to_crop, (width, height), flags=cv2.INTER_LINEAR))

    def crops(
        self, image: np.ndarray, corners_mm: np.ndarray, size_px: tuple[int, int], margin: float
    ) -> np.ndarray:
        """See Plane."""
        return np.stack([self.crop(image, corners, size_px, margin) for corners in corners_mm])


def _apply(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, float).reshape(-1, 1, 2), homography).reshape(-1, 2))


# A square's corners clockwise from its top left, as complex numbers.
UNIT_SQUARE = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) / 2


def fit_square(corners: np.ndarray) -> tuple[np.ndarray, float, float, float]:
    """The square nearest to (4, 2) corners, clockwise: its centre (2,), turn in degrees, side, and misfit over side."""
    fit, misfit = _fit_squares(np.asarray(corners)[None])
    return corners.mean(0), float(np.rad2deg(np.angle(fit[0]))), float(abs(fit[0])), float(misfit[0])


def _fit_squares(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The squares nearest to corners (..., 4, 2): (...) complex side and turn, and misfit over side."""
    z = (corners - corners.mean(-2, keepdims=True)) @ np.array([1.0, 1j])
    fit = z @ np.conj(UNIT_SQUARE) / (np.abs(UNIT_SQUARE) ** 2).sum()  # least squares: z ~ fit * unit
    misfit = np.abs(z - fit[..., None] * UNIT_SQUARE).max(-1) / np.maximum(np.abs(fit), 1e-9)
    return fit, misfit


def planes_of_squares(quads_px: Sequence[np.ndarray], side_mm: float, most: int = 3) -> list[HomographyPlane]:
    """Planes in which several of the quadrilaterals (4, 2) px, clockwise, are squares of `side_mm`; most squares first.

    Every quadrilateral proposes a plane; the one that most others agree with is fitted to all of these by least
    squares over the plane and each square's place and turn; then the rest are asked again. Several, since a
    chequered cloth shows squares too. Empty with fewer than two that agree.
    """
    left = np.array(quads_px, float).reshape(-1, 4, 2)
    out: list[HomographyPlane] = []
    while len(left) >= 2 and len(out) < most:
        seeds = [_plane_of(quad, side_mm) for quad in left]
        counts = [int(_agreeing(plane, left, side_mm).sum()) for plane in seeds]
        if max(counts) < 2:
            break
        plane = _fitted(seeds[int(np.argmax(counts))], left, side_mm)
        out.append(plane)
        left = left[~_agreeing(plane, left, side_mm)]
    return out


def _fitted(plane: HomographyPlane, quads_px: np.ndarray, side_mm: float) -> HomographyPlane:
    for _ in range(FIT_ROUNDS):
        squares = quads_px[_agreeing(plane, quads_px, side_mm)]
        if len(squares) < 2:
            break
        wanted = np.vstack([_nearest_square(plane.to_mm(quad), side_mm) for quad in squares])
        found, _ = cv2.findHomography(np.vstack(squares), wanted, 0)
        if found is None:
            break
        plane = HomographyPlane(found)
    return plane


def _plane_of(quad_px: np.ndarray, side_mm: float) -> HomographyPlane:
    half = side_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]], np.float32)
    return HomographyPlane(cv2.getPerspectiveTransform(quad_px.astype(np.float32), square))


def _agreeing(plane: HomographyPlane, quads_px: np.ndarray, side_mm: float) -> np.ndarray:
    """(N,) bool: which of quadrilaterals (N, 4, 2) px are squares of `side_mm` in a plane."""
    fit, misfit = _fit_squares(plane.to_mm(quads_px).reshape(-1, 4, 2))
    return np.asarray((misfit < SQUARE_TOLERANCE) & (np.abs(np.abs(fit) / side_mm - 1) < SQUARE_TOLERANCE))


def _nearest_square(corners_mm: np.ndarray, side_mm: float) -> np.ndarray:
    centre, turn, _, _ = fit_square(corners_mm)
    return square_at(centre, side_mm, turn)


def square_at(centre: np.ndarray, side: float, turn_deg: float) -> np.ndarray:
    """(4, 2) corners of a square, clockwise from its own top left, turned clockwise as seen."""
    a = np.deg2rad(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 @ turn.T + centre)
