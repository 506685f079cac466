"""One place for a flat piece of known size: which face lies there, in which quarter turn, and where exactly."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.types import Face
from vision.faces.book import FaceBook
from vision.faces.read import FaceReading
from vision.grid import ACCEPTED, CROP_MARGIN, CROP_PX, STRAY
from vision.pose import TablePose
from vision.rectify import crop_to_table, rectify

LIKE_A_FACE = 28.0
UNLIKE_A_FACE = 24.0
"""Contrast of the best face in a crop over what it leaves unexplained, from which some face lies there, and below which
none does: between the two a second look tells, or a person.

On 480 rendered tables (seeds 31, 32, 40-45, cards learnt at 96 px) all but two of 4398 faces had 28.6 and more, those
half under tokens included; the two, in black shadows and under tokens, 23.5 and 27. 1331 empty places had at most 22,
the highest of them on chequered cloth. A plain table explains itself by any face without contrast, and its reading is
sure of nothing.
"""

NOTHING_LIKE_IT = 0.045
"""Misfit of the coarse ranking from which a space of a map is looked at closely only beside a printed one. On rendered
maps (seed 601) printed spaces have up to 0.013, plain tables 0.06; a token that hides much of a print can make it 0.12.
"""

PLAIN_GREY = 6.0
PLAIN_SHARE = 0.06
"""Contrast (standard deviation, grey levels and part of the mean) that plain tables do not reach and print exceeds."""

CAMERA_NOISE = 0.003
"""Least misfit (0..1) that is believed: the noise of a good picture."""


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """The best face of a place (None: none was accepted), its probability, quarter turns clockwise, and the others.

    `likeness`: contrast over misfit, see LIKE_A_FACE. `corners_mm` (4, 2): the upright piece's corners as it lies,
    table mm, clockwise from its own top left.
    """

    face: Face | None
    p: float
    turn: int
    alternatives: tuple[tuple[Face, float], ...]
    likeness: float
    corners_mm: np.ndarray


def likeness_of(reading: FaceReading) -> float:
    """How much what was read looks like a face at all: contrast over misfit, see LIKE_A_FACE."""
    return float(np.mean(reading.gain)) / (reading.fit_error + CAMERA_NOISE)


def turned_corners(corners_mm: np.ndarray, quarters: int) -> np.ndarray:
    """(4, 2) corners of the same piece turned clockwise about its middle by so many quarter turns."""
    middle = corners_mm.mean(0)
    angle = np.pi / 2 * quarters
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((corners_mm - middle) @ turn.T + middle)


def crop_size_px(corners_mm: np.ndarray) -> tuple[int, int]:
    """Width and height of a crop of a piece with its margin; its area without is that of a square of CROP_PX."""
    width, height = (float(np.linalg.norm(corners_mm[k + 1] - corners_mm[k])) for k in (0, 1))
    aspect = (width / height) ** 0.5
    grown = CROP_PX * (1 + 2 * CROP_MARGIN)
    return round(grown * aspect), round(grown / aspect)


def is_plain(image: np.ndarray, pose: TablePose, place_mm: np.ndarray, z_mm: float) -> bool:
    """Whether a place (4, 2) mm shows one colour without print. `image` (H, W, 3) uint8 BGR."""
    crop = rectify(image, pose, place_mm, z_mm, crop_size_px(place_mm)).mean(-1)
    return bool(crop.std() < PLAIN_GREY + PLAIN_SHARE * crop.mean())


def read_place(
    image: np.ndarray, pose: TablePose, place_mm: np.ndarray, z_mm: float, book: FaceBook, *, inclined: bool
) -> PlaceReading:
    """The face in a place (4, 2) mm, clockwise from the upright piece's top left, at height `z_mm`.

    `image` (H, W, 3) uint8 BGR. `inclined`: the piece may also lie a quarter turn off; then the better of both is told.
    """
    upright = _read(image, pose, place_mm, z_mm, book, 0)
    if not inclined or upright.likeness >= LIKE_A_FACE:
        return upright
    return max(upright, _read(image, pose, place_mm, z_mm, book, 1), key=lambda r: r.likeness)


def _read(
    image: np.ndarray, pose: TablePose, place_mm: np.ndarray, z_mm: float, book: FaceBook, quarters: int
) -> PlaceReading:
    place = turned_corners(place_mm, quarters)
    size = crop_size_px(place)
    reading = book.identify(rectify(image, pose, place, z_mm, size, CROP_MARGIN), margin=CROP_MARGIN, rigid=True)
    corners = _corners(book, reading, place, size)
    spread = float(np.linalg.norm(place[2] - place[0])) / 2**0.5  # of a square its side
    aligned = min(np.abs(np.roll(corners, k, axis=0) - place).max() for k in range(4)) < STRAY * spread
    likeness = likeness_of(reading) if aligned else 0.0
    known = reading.face is not None and reading.p >= ACCEPTED and likeness >= LIKE_A_FACE
    return PlaceReading(
        reading.face if known else None,
        reading.p if aligned else 0.0,
        (quarters + reading.turn) % 4,
        reading.alternatives,
        likeness,
        corners,
    )


def _corners(book: FaceBook, reading: FaceReading, place: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(4, 2) mm: where the face's own corners lie."""
    w, h = book.size_wh
    outline = np.array([[[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]]])
    in_crop = cv2.perspectiveTransform(outline, np.linalg.inv(reading.to_reference))
    return np.asarray(cv2.perspectiveTransform(in_crop, crop_to_table(place, size, CROP_MARGIN))[0])


def fit_rectangle(corners_mm: np.ndarray, size_mm: tuple[float, float]) -> tuple[np.ndarray, float]:
    """Middle (2,) and turn (degrees clockwise) of the rectangle of `size_mm` nearest to (4, 2) corners."""
    centre = corners_mm.mean(0)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    unit, found = half @ np.array([1.0, 1j]), (corners_mm - centre) @ np.array([1.0, 1j])
    return centre, float(np.rad2deg(np.angle(np.conj(unit) @ found)))
