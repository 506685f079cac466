"""Reads the spaces of compound pieces: each as a face of its own, all of a box together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.face_print.face_view import U8
from calibration.proposals.faces import Proposal
from calibration.proposals.read import FaceReader
from companion.core.face_form import FaceForm, Shown
from companion.core.piece_outline import PieceOutline, hexagons_outline

HEXAGON = np.array([[0.0, 0.25], [0.5, 0.0], [1.0, 0.25], [1.0, 0.75], [0.5, 1.0], [0.0, 0.75]])
"""Corners of a space, a point up, as shares of the rectangle around it."""
MOST_PARTS = 16
INNER = 0.85
"""Part of a space within its border, which is no print of its own and looks the same in every turn."""


def part_picture(picture: U8, outline: PieceOutline, part: int, within: float = 1.0) -> U8:
    """The rectangle around a space, cut from the picture of the rectangle around its piece; what lies beside the space,
    or beside so much of it from its middle, gets the colour that it has in the middle. Raises IndexError for a space
    that the piece does not have."""
    height, width = picture.shape[:2]
    scale = width / outline.size_mm[0]
    middle, size = np.array(outline.parts_mm[part]), np.array(outline.part_mm)
    low = np.maximum(np.round((middle - size / 2) * scale + np.array([width, height]) / 2).astype(int), 0)
    high = np.minimum(low + np.round(size * scale).astype(int), (width, height))
    cut = picture[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(cut.shape[:2], np.uint8)
    inner = 0.5 + within * (HEXAGON - 0.5)
    cv2.fillConvexPoly(mask, np.round(inner * (cut.shape[1] - 1, cut.shape[0] - 1)).astype(np.int32), 255)
    out = np.empty_like(cut)
    out[:] = np.median(cut[mask > 0], axis=0)
    cv2.copyTo(cut, mask, out)
    return out


def inner_pictures(picture: U8, outline: PieceOutline) -> list[U8]:
    """The rectangles around all spaces of a piece without the borders of these."""
    return [part_picture(picture, outline, part, INNER) for part in range(len(outline.parts_mm))]


def form_of_parts(form: FaceForm) -> FaceForm:
    """The form of one space: the fields that stand on the first one, by the names that they have on every one."""
    own = {one.key: one for one in form.fields if one.part == 0}
    fields = [
        replace(one, key=one.base, part=None, base="",
                only=(own[one.only[0]].base, one.only[1]) if one.only is not None and one.only[0] in own else None)
        for one in own.values()
    ]
    space = hexagons_outline([(0.0, 0.0)], form.outlines[0].part_mm[1] / 2, "")
    return replace(form, fields=tuple(fields), outlines=(space,))


class PartsReader:
    """As `FaceReader`, for a form whose fields stand on spaces."""

    def __init__(self, form: FaceForm) -> None:
        self.form = form
        self._reader = FaceReader(form_of_parts(form))
        self._keys = {(one.part, one.base): one.key for one in form.fields if one.part is not None}

    def forget(self, number: int) -> None:
        """The picture of a piece changed."""
        for part in range(MOST_PARTS):
            self._reader.forget(number * MOST_PARTS + part)

    def read(self, pieces: Sequence[tuple[int, U8, Mapping[str, str]]]) -> list[dict[str, Proposal]]:
        """For each piece (number, picture, confirmed values) a proposal for every other field that applies to it."""
        spaces: list[tuple[int, U8, Mapping[str, str]]] = []
        of: list[tuple[int, int]] = []
        for place, (number, picture, told) in enumerate(pieces):
            outline = self.form.outline(told)
            for part in range(0 if outline is None else len(outline.parts_mm)):
                assert outline is not None
                known = {base: told[key] for (k, base), key in self._keys.items() if k == part and key in told}
                spaces.append((number * MOST_PARTS + part, part_picture(picture, outline, part, INNER), known))
                of.append((place, part))
        out: list[dict[str, Proposal]] = [{} for _ in pieces]
        for (place, part), said in zip(of, self._reader.read(spaces), strict=True):
            out[place] |= {self._keys[part, base]: proposal for base, proposal in said.items()}
        return out


def reader_of(form: FaceForm) -> FaceReader | PartsReader:
    """The reader of a form's pieces."""
    parts = any(one.part is not None for one in form.fields)
    whole = replace(form, fields=tuple(one for one in form.fields if one.shown is not Shown.OUTLINE))
    return PartsReader(form) if parts else FaceReader(whole)
