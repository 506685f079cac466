"""The eyes of learning a box: loose pieces in the newest picture, those that can be taken cut out and put upright."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.course.faults import LEAST_SIDE_PX, PieceFault, fault_of, seen_in_part
from calibration.course.upright import only_outline
from calibration.health import DARK_LEVEL
from companion.core.errors import DataError, DeviceError
from companion.core.face_form import FaceForm
from companion.core.piece_outline import PieceOutline
from vision.appearance.marker_light import light_of_markers
from vision.appearance.print_light import light_of_print
from vision.locate.camera_model import Camera
from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, TablePose, locate_table
from vision.spread.loose import LoosePiece, LoosePieces, find_loose
from vision.spread.shapes import find_loose_shapes
from web.ports.enrolment import EnrolLook, SeenPiece

U8 = NDArray[np.uint8]

CUT_PX = 256
"""Longer side of a picture that is kept: above what any camera here shows of a tile."""
BRIGHTEST = 99.0
"""Percentile of a picture's levels that white paper reaches in light enough: markers, borders and icons are white."""
MOST_AT_ONCE = 12
"""More at once are too small before most cameras, and too many to look over."""
NO_PICTURE = "No picture comes from the camera."
NO_PICTURE_REMEDY = "Choose a camera in the set-up, or start the phone as camera."
NOTHING = "No tile or card is found."
NOTHING_REMEDY = (
    "Lay them flat and apart from each other, between the markers, on a plain table or cloth of another colour."
)
DARK = "The picture is too dark."
DARK_REMEDY = "Turn on more light, or take away what covers the camera."
NO_MARKERS_REMEDY = "Pieces that are no rectangles are found between the printed markers only: lay these out."
TOO_MANY = "More than twelve lie there."
TOO_MANY_REMEDY = "Lay out up to twelve at a time."


@dataclass(frozen=True, slots=True, eq=False)
class FoundPieces:
    """What was found in a picture: the pieces, and the fault of each."""

    image: U8
    loose: LoosePieces
    faults: tuple[PieceFault | None, ...]
    pose: TablePose | None


@dataclass(frozen=True, slots=True, eq=False)
class CutPiece:
    """A piece cut out: its picture as it lies, (H, W, 3) uint8 BGR, and the name of its outline."""

    picture: U8
    outline: str = ""


class LooseEyes:
    """Looks at the camera's newest picture; a picture is looked at once."""

    def __init__(
        self, frame: Callable[[], U8 | None], markers: Callable[[], MarkerLayout],
        profile: Callable[[tuple[int, int]], tuple[Camera | None, TablePose | None]],
    ) -> None:
        """`frame`: the newest picture; `profile`: lens and remembered table for pictures of a size."""
        self._frame, self._markers, self._profile = frame, markers, profile
        self._seen: tuple[FaceForm, FoundPieces] | None = None

    def found(self, form: FaceForm) -> FoundPieces | None:
        """The pieces in the newest picture; None without one."""
        image, kept = self._frame(), self._seen
        if image is None:
            return None
        if kept is not None and kept[1].image is image and kept[0] is form:
            return kept[1]
        camera, table = self._profile((image.shape[1], image.shape[0]))
        markers = self._markers()
        pose = locate_table(image, markers, camera, table)
        where = None if isinstance(pose, NotLocated) else pose
        if not form.outlines:
            loose = find_loose(image, where, form.size_mm, form.thickness_mm, markers)
        elif where is not None:
            loose = find_loose_shapes(image, where, form.outlines, form.thickness_mm, markers)
        else:
            loose = LoosePieces((), None, "pieces")
        outlines = [_outline_of(one, form) for one in loose.pieces]
        areas = [0.0 if outline is None else outline.area_mm2 for outline in outlines]
        faults = tuple(
            PieceFault.PARTLY if seen_in_part(areas, k) else _fault(image, one, form)
            for k, one in enumerate(loose.pieces)
        )
        found = FoundPieces(image, loose, faults, where)
        self._seen = (form, found)
        return found

    def look(self, form: FaceForm) -> EnrolLook:
        """What the page shows over the picture."""
        found = self.found(form)
        if found is None:
            return EnrolLook((), NO_PICTURE, NO_PICTURE_REMEDY, "")
        height, width = found.image.shape[:2]
        pieces = tuple(
            SeenPiece(tuple((float(x) / width, float(y) / height) for x, y in one.rim_px),
                      "" if fault is None else fault.value)
            for one, fault in zip(found.loose.pieces, found.faults, strict=True)
        )
        if not pieces and _is_dark(found.image):
            return EnrolLook((), DARK, DARK_REMEDY, found.loose.by)
        if not pieces:
            needs_markers = bool(form.outlines) and found.pose is None
            remedy = NO_MARKERS_REMEDY if needs_markers else NOTHING_REMEDY
            return EnrolLook((), NOTHING, remedy, found.loose.by)
        if len(pieces) > MOST_AT_ONCE:
            return EnrolLook(pieces, TOO_MANY, TOO_MANY_REMEDY, found.loose.by)
        return EnrolLook(pieces, "", "", found.loose.by)

    def cut(self, form: FaceForm) -> list[CutPiece]:
        """The pieces that can be taken, cut out as they lie, and as a flat scan would show them in the light that the
        markers tell, or the print: a bright camera would make every gray piece on them a shadow. Raises DeviceError
        without a picture, DataError when none can be taken."""
        found = self.found(form)
        if found is None:
            raise DeviceError(NO_PICTURE, where="camera", remedy=NO_PICTURE_REMEDY)
        if len(found.loose.pieces) > MOST_AT_ONCE:
            raise DataError(TOO_MANY, remedy=TOO_MANY_REMEDY)
        if not found.loose.pieces and _is_dark(found.image):
            raise DataError(DARK, remedy=DARK_REMEDY)
        good = [one for one, fault in zip(found.loose.pieces, found.faults, strict=True) if fault is None]
        plane = found.loose.plane
        if not good or plane is None:
            faults = [fault for fault in found.faults if fault is not None]
            raise DataError(faults[0].value if faults else NOTHING, remedy="" if faults else NOTHING_REMEDY)
        sizes = [_cut_px(form, _outline_of(one, form)) for one in good]
        cut = [plane.crop(found.image, one.corners_mm, size, 0.0) for one, size in zip(good, sizes, strict=True)]
        places = [_places(one.corners_mm, size) for one, size in zip(good, sizes, strict=True)]
        light = None if found.pose is None else light_of_markers(found.image, found.pose, self._markers())
        if light is None and not form.outlines:  # the table beside other shapes is no print
            light = light_of_print(cut, places)
        if light is not None:
            cut = [light.as_scan(picture, where) for picture, where in zip(cut, places, strict=True)]
        outlines = [_outline_of(one, form) for one in good]
        return [
            CutPiece(picture if outline is None else only_outline(picture, outline), one.outline)
            for one, outline, picture in zip(good, outlines, cut, strict=True)
        ]


def _outline_of(one: LoosePiece, form: FaceForm) -> PieceOutline | None:
    """The outline of a piece that is no rectangle."""
    return next((outline for outline in form.outlines if outline.name == one.outline), None)


def _cut_px(form: FaceForm, outline: PieceOutline | None) -> tuple[int, int]:
    """Width and height of a piece's picture: CUT_PX for the longer side of it, or of each of its spaces."""
    size = form.size_mm if outline is None else outline.size_mm
    whole = outline.part_mm if outline is not None and outline.parts_mm else size
    px_per_mm = CUT_PX / max(whole)
    return round(px_per_mm * size[0]), round(px_per_mm * size[1])


def _fault(image: U8, one: LoosePiece, form: FaceForm) -> PieceFault | None:
    """What is wrong with the picture of a piece; each space of a compound one must be large enough."""
    outline = _outline_of(one, form)
    if outline is None:
        return fault_of(image, one.corners_px, form.size_mm)
    parts = min(outline.size_mm) / min(outline.part_mm) if outline.parts_mm else 1.0
    return fault_of(image, one.corners_px, outline.size_mm, one.rim_px, parts * LEAST_SIDE_PX)


def _places(corners_mm: np.ndarray, size_wh: tuple[int, int]) -> np.ndarray:
    """(H, W, 2) table mm of the pixels of a piece's picture. `corners_mm` (4, 2), clockwise from top left."""
    across, down = ((np.arange(n) + 0.5) / n for n in size_wh)
    top_left, top_right, _, bottom_left = corners_mm
    return np.asarray(
        top_left + across[None, :, None] * (top_right - top_left) + down[:, None, None] * (bottom_left - top_left)
    )


def _is_dark(image: U8) -> bool:
    """Whether even the brightest of the picture is darker than white paper should be."""
    return float(np.percentile(image.max(axis=2), BRIGHTEST)) < DARK_LEVEL
