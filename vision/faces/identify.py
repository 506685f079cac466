"""Which learnt face a crop shows: scanned faces crop by crop, photographed ones by way of the book's album."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.faces.book import FaceBook
from vision.faces.read import read_faces
from vision.faces.read_photographed import Crop
from vision.faces.readings import FaceReading
from vision.faces.rims import read_with_rim

U8 = NDArray[np.uint8]


def identify(
    book: FaceBook,
    crop_bgr: U8,
    *,
    margin: float = 0.0,
    turns: tuple[int, ...] | None = None,
    rigid: bool = False,
) -> FaceReading:
    """As `identify_many`, of one crop."""
    return identify_many(book, [crop_bgr], margin=margin, turns=turns, rigid=rigid)[0]


def identify_many(
    book: FaceBook,
    crops_bgr: Sequence[U8],
    *,
    margin: float = 0.0,
    turns: tuple[int, ...] | None = None,
    same_light: bool = False,
    rigid: bool = False,
) -> tuple[FaceReading, ...]:
    """What rectified crops (h, w, 3) uint8 BGR show: a piece each, which fills its crop but for `margin`.

    `margin`: strip around the nominal piece as a share of its side, on each side of it. `turns`: quarter turns
    to try (the book's by default). `rigid`: scanned faces were cut at a known pose, so that the piece may be
    shifted and turned in its crop but keeps its shape. `same_light`: photographed faces are those of one
    photograph, and tell each other its light.
    """
    if book.album is None:
        return read_faces(book, crops_bgr, margin=margin, turns=turns, rigid=rigid)
    crops = [Crop(crop, margin, book.turns if turns is None else turns) for crop in crops_bgr]
    if same_light:
        return read_with_rim(book, book.album, crops)
    return tuple(one for crop in crops for one in read_with_rim(book, book.album, [crop]))
