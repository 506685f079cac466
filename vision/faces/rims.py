"""Crops of pieces that were learnt with a rim which is the same in all pictures: cut as they are, or without it.

Such a rim is the table around the pieces, or paper around a printed frame. What it is shows when a crop is cut
otherwise than the learnt pictures, and it need not be known for those that are cut alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

import numpy as np

from vision.faces.book import FaceBook, Rimless
from vision.faces.photographed.album import Album
from vision.faces.photographed.finding import least_misfit
from vision.faces.photographed.framed import BETTER, framed
from vision.faces.placing.outline import framed_piece
from vision.faces.read_photographed import Crop, doubted, read_together
from vision.faces.readings import FaceReading

# Share of a crop's size by which an outline may lie elsewhere than in the learnt pictures to be the same: theirs
# scatter by less (LOOSE in `outline.py`).
SAME_PLACE = 0.02


class _Cut(Enum):
    """How a crop is cut: as the learnt pictures are, at the outline that all of them show, or it is not clear."""

    AS_LEARNT = "as learnt"
    BARE = "bare"
    UNCLEAR = "unclear"


def read_with_rim(book: FaceBook, album: Album, crops: Sequence[Crop]) -> tuple[FaceReading, ...]:
    """As `read_together`, where `crops` may be cut without the rim of the learnt pictures; those that may be cut either
    way are read both ways."""
    if book.rimless is None or book.rimless.book.album is None:
        return read_together(book, album, crops)
    own, to_whole = book.rimless.book.album, book.rimless.to_whole
    # Around pieces of one ink lies table, in which their ink is not known: each is cut out at its own outline.
    inked = own.one_colour and not own.plain
    cuts = [_Cut.BARE if inked and not crop.margin else _cut(book.rimless, album, own, crop) for crop in crops]
    as_learnt = _some(book, album, crops, [cut is not _Cut.BARE for cut in cuts])
    bare = _some(book.rimless.book, own, crops, [cut is not _Cut.AS_LEARNT for cut in cuts])
    readings = []
    for whole, piece in zip(as_learnt, bare, strict=True):
        if piece is not None:
            piece = replace(piece, to_reference=to_whole @ piece.to_reference)
        readings.append(_surer(whole, piece) if whole is not None and piece is not None else whole or piece)
    return tuple(reading for reading in readings if reading is not None)


def _some(book: FaceBook, album: Album, crops: Sequence[Crop], chosen: Sequence[bool]) -> list[FaceReading | None]:
    """The readings of the `chosen` ones of `crops`, together."""
    readings = iter(read_together(book, album, [crop for crop, one in zip(crops, chosen, strict=True) if one]))
    return [next(readings) if one else None for one in chosen]


def _surer(one: FaceReading, other: FaceReading) -> FaceReading:
    """The surer of two readings of a crop, which is doubted where they name different faces."""
    best, second = sorted((one, other), key=lambda reading: -reading.p)
    return doubted(best) if second.face not in (None, best.face) else best


def _cut(rimless: Rimless, album: Album, own: Album, crop: Crop) -> _Cut:
    """How a crop is cut, of pieces that were learnt with a rim in `album` and without it in `own`."""
    if crop.margin or _outlined_alike(rimless, crop):
        return _Cut.AS_LEARNT
    whole, bare = (least_misfit(one, crop.image, crop.turns) for one in (album, own))
    if bare >= BETTER * whole and (piece := framed(own, crop.image, crop.turns, crop.ignore)) is not None:
        bare = min(bare, least_misfit(own, piece.image, crop.turns))
    if bare < BETTER * whole:
        return _Cut.BARE
    return _Cut.AS_LEARNT if whole < BETTER * bare else _Cut.UNCLEAR


def _outlined_alike(rimless: Rimless, crop: Crop) -> bool:
    """Whether a crop shows an outline where all learnt pictures do, in one of its turns."""
    h, w = crop.image.shape[:2]
    wide, high = rimless.book.size_wh
    corners = framed_piece(crop.image, wide / high)
    if corners is None:
        return False
    low, high_px = (corners.min(axis=0) + 0.5) / (w, h), 1 - (corners.max(axis=0) + 0.5) / (w, h)
    found = np.array([*low, *high_px])  # of left, top, right and bottom
    usual = np.array([rimless.rim.left, rimless.rim.top, rimless.rim.right, rimless.rim.bottom])
    return any(bool((np.abs(found - np.roll(usual, turn)) < SAME_PLACE).all()) for turn in crop.turns)
