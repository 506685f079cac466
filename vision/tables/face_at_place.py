"""A flat piece of known size in one place: which face it shows, in which quarter turn, and where exactly it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.core.types import Face
from vision.appearance.placed_face import FaceScan, PlacedFace, grey, shrink_reference
from vision.faces.book import FaceBook
from vision.faces.identify import identify_many
from vision.faces.readings import FaceReading
from vision.locate.plane import Plane
from vision.locate.rectify import crop_to_table
from vision.tables.place import ACCEPTED

# Side of the crop that a face is named in, without its margin: that of the references.
CROP_PX = 96

# The same of the crop of a first look, which is averaged to 16 x 16 samples.
FIRST_LOOK_PX = 64

# A tile may lie 4 mm off its place and turned by some degrees: an eighth of its side all around shows all of it.
CROP_MARGIN = 0.12

# A face whose corners are found farther than this part of its side from its place was not aligned, or is not one.
STRAY = 0.2

# Part of its side by which a corner of a piece may miss the true rectangle before it is read again without being bent:
# what lies on a known plane has the shape it was cut in. Fine stripes, or a piece across its edge, drag an alignment
# along. Of 256 tiles of rendered rough grids twelve beyond it were likeliest another face at first, three of these in
# their own shape.
SKEWED = 0.03

# Contrast of the best face in a crop over what it leaves unexplained, from which some face lies there, and below
# which none does: between the two a comparison with rivals tells, or a person.
#
# On 480 rendered tables (seeds 31, 32, 40-45, cards learnt at 96 px) all but two of 4398 faces had 28.6 and more,
# those half under tokens included; the two, in black shadows and under tokens, 23.5 and 27. 1331 empty places had at
# most 22, the highest of them on chequered cloth. A plain table explains itself by any face without contrast, and its
# reading is sure of nothing.
LIKE_A_FACE = 28.0
UNLIKE_A_FACE = 24.0

# Contrast (standard deviation, grey levels and part of the mean) that plain tables do not reach and print exceeds.
PLAIN_GREY = 6.0
PLAIN_SHARE = 0.06

# Least misfit (0..1) that is believed: the noise of a good picture.
CAMERA_NOISE = 0.003


@dataclass(frozen=True, slots=True, eq=False)
class BoxFaces:
    """The faces of one box: the book that names them, each as a scan `width_mm` wide, and how many of each there are.

    Faces that `copies` does not name may be there in any number.
    """

    book: FaceBook
    scans: Mapping[Face, FaceScan]
    copies: Mapping[Face, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        book: FaceBook,
        pictures: Mapping[Face, np.ndarray],
        width_mm: float,
        copies: Mapping[Face, int] | None = None,
    ) -> BoxFaces:
        """`pictures`: face -> (H, W, 3) uint8 BGR upright flat scan, for every face that `book` can name."""
        return cls(book, {face: shrink_reference(scan, width_mm) for face, scan in pictures.items()}, copies or {})

    def placed(self, face: Face, corners_mm: np.ndarray, size_mm: tuple[float, float]) -> PlacedFace:
        """A face of known size where its corners (4, 2) mm were found: its alignment tells its size no better."""
        centre, turn = fit_rectangle(corners_mm, size_mm)
        return PlacedFace(centre, turn, size_mm[0], self.scans[face])


@dataclass(frozen=True, slots=True, eq=False)
class FaceAtPlace:
    """The best face of a place and how it was read. `turn`: quarter turns clockwise against the place.

    `likeness`: contrast over misfit, see LIKE_A_FACE. `corners_mm` (4, 2): the upright piece's corners as it lies,
    table mm, clockwise from its own top left. `is_aligned`: whether they are near enough to the place's.
    """

    reading: FaceReading
    turn: int
    likeness: float
    corners_mm: np.ndarray
    is_aligned: bool

    @property
    def is_named(self) -> bool:
        """Whether the face is probable enough to be named, as far as the crop alone can tell."""
        return self.is_aligned and self.reading.face is not None and self.reading.p >= ACCEPTED

    @property
    def aligned_likeness(self) -> float:
        """The likeness of a face that was aligned; of one that was not, none."""
        return self.likeness if self.is_aligned else 0.0


def crop_size_px(corners_mm: np.ndarray, area_px: int = CROP_PX) -> tuple[int, int]:
    """Width and height of a crop of a piece with its margin; its area without is that of a square of `area_px`."""
    width, height = size_mm(corners_mm)
    aspect = (width / height) ** 0.5
    grown = area_px * (1 + 2 * CROP_MARGIN)
    return round(grown * aspect), round(grown / aspect)


def size_mm(corners_mm: np.ndarray) -> tuple[float, float]:
    """Width and height of a rectangle (4, 2)."""
    a, b, c, _ = corners_mm
    return float(np.linalg.norm(b - a)), float(np.linalg.norm(c - b))


def is_plain(image: np.ndarray, plane: Plane, place_mm: np.ndarray) -> bool:
    """Whether a place (4, 2) mm shows one colour without print. `image` (H, W, 3) uint8 BGR."""
    return shows_no_print(plane.crop(image, place_mm, crop_size_px(place_mm), 0.0))


def shows_no_print(crop: np.ndarray) -> bool:
    """Whether a crop (h, w, 3) uint8 BGR shows one colour."""
    mean, deviation = cv2.meanStdDev(grey(crop.astype(np.float32)))
    return float(deviation[0, 0]) < PLAIN_GREY + PLAIN_SHARE * float(mean[0, 0])


def read_faces(
    image: np.ndarray,
    plane: Plane,
    places_mm: Sequence[np.ndarray],
    book: FaceBook,
    *,
    rigid: bool,
    quarters: int = 0,
) -> list[FaceAtPlace]:
    """The faces in places (4, 2) mm of a plane, each clockwise from the upright piece's top left.

    `image` (H, W, 3) uint8 BGR. `rigid`: the pieces keep their shape, see `identify_many`; others do where they would
    be bent too much, if that looks more like a face. `quarters`: they are looked for turned clockwise by so many
    quarter turns.
    """
    found = _read_faces(image, plane, places_mm, book, rigid=rigid, quarters=quarters)
    if rigid or book.album is not None:
        return found
    skewed = [k for k, one in enumerate(found) if _is_skewed(one.corners_mm, size_mm(places_mm[k]))]
    again = _read_faces(image, plane, [places_mm[k] for k in skewed], book, rigid=True, quarters=quarters)
    for k, one in zip(skewed, again, strict=True):
        found[k] = max(found[k], one, key=lambda each: each.likeness)
    return found


def _is_skewed(corners_mm: np.ndarray, face_mm: tuple[float, float]) -> bool:
    """Whether corners (4, 2) are off those of the nearest rectangle with the sides' ratio of `face_mm`."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(face_mm) / 2 @ np.array([1.0, 1j])
    own = (corners_mm - corners_mm.mean(0)) @ np.array([1.0, 1j])
    fit = own @ np.conj(half) / (np.abs(half) ** 2).sum()  # least squares: own ~ fit * half
    return bool(np.abs(own - fit * half).max() > SKEWED * float(np.sqrt(np.prod(face_mm))))


def _read_faces(
    image: np.ndarray,
    plane: Plane,
    places_mm: Sequence[np.ndarray],
    book: FaceBook,
    *,
    rigid: bool,
    quarters: int,
) -> list[FaceAtPlace]:
    """As `read_faces`, each read once."""
    places = [turned_corners(place, quarters) if quarters else place for place in places_mm]
    sizes = [crop_size_px(place) for place in places]
    crops = [plane.crop(image, place, size, CROP_MARGIN) for place, size in zip(places, sizes, strict=True)]
    readings = identify_many(book, crops, margin=CROP_MARGIN, rigid=rigid)
    out = []
    for place, size, reading in zip(places, sizes, readings, strict=True):
        corners = _corners(book, reading, place, size)
        spread = float(np.linalg.norm(place[2] - place[0])) / 2**0.5  # of a square its side
        off = min(float(np.abs(np.roll(corners, k, axis=0) - place).max()) for k in range(4))
        turn = (quarters + reading.turn) % 4
        out.append(FaceAtPlace(reading, turn, likeness_of(reading), corners, off < STRAY * spread))
    return out


def _corners(book: FaceBook, reading: FaceReading, place: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(4, 2) mm: where the corners of the face that was aligned to a crop lie."""
    in_crop = reading.corners_px(book.size_wh)[None]
    return np.asarray(cv2.perspectiveTransform(in_crop, crop_to_table(place, size, CROP_MARGIN))[0])


def likeness_of(reading: FaceReading) -> float:
    """How much what was read looks like a face at all: contrast over misfit, see LIKE_A_FACE."""
    return float(np.mean(reading.gain)) / (reading.fit_error + CAMERA_NOISE)


def first_looks(
    image: np.ndarray, plane: Plane, places_mm: Sequence[np.ndarray], book: FaceBook, faint: float = -1.0
) -> list[tuple[float, float]]:
    """How badly the likeliest face explains each of several places (4, 2) mm of one size before it is aligned, 0
    perfectly and 1 not at all; and how far its print goes with what is seen there, -1 to 1.

    `image` (H, W, 3) uint8 BGR. `faint`: print that goes less far is looked at roughly. Takes a tenth of the time of a
    reading.
    """
    if not len(places_mm):
        return []
    crops = plane.crops(image, np.array(places_mm), crop_size_px(places_mm[0], FIRST_LOOK_PX), CROP_MARGIN)
    shares = [crop.astype(np.float32) / np.float32(255) for crop in crops]
    return book.index.first_looks(shares, book.turns, CROP_MARGIN, faint)


def turned_corners(corners_mm: np.ndarray, quarters: int) -> np.ndarray:
    """(4, 2) corners of the same piece turned clockwise about its middle by so many quarter turns."""
    middle = corners_mm.mean(0)
    angle = np.pi / 2 * quarters
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((corners_mm - middle) @ turn.T + middle)


def fit_rectangle(corners_mm: np.ndarray, size_mm: tuple[float, float]) -> tuple[np.ndarray, float]:
    """Middle (2,) and turn (degrees clockwise) of the rectangle of `size_mm` nearest to (4, 2) corners."""
    centre = corners_mm.mean(0)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    unit, found = half @ np.array([1.0, 1j]), (corners_mm - centre) @ np.array([1.0, 1j])
    return centre, float(np.rad2deg(np.angle(np.conj(unit) @ found)))
