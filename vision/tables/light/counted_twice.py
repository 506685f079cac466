"""What two counts of the pieces on faces come to: with more known around them, or in another light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.pieces.finder import FoundPiece, PieceSearch
from vision.pieces.light.uneven_light import LEAST_LIT_MM2
from vision.pieces.probability import beside_other_count
from vision.tables.place import PlaceReading

# Part of the evidence for a piece that counts on a face that was lit anew: a piece that was none, in gloss, had 22 nats
# left there.
LIT_ANEW = 0.5


def surer_count(before: PlaceReading, now: PlaceReading) -> PlaceReading:
    """A face as it was read before, with the surer of two counts of its pieces: one was made when less was known of the
    faces beside it, the other in light that may have been told by a wrong one. Two that agree are as sure as the less
    sure one: what was nearly found in one light may be a piece."""
    if before.counted is None or now.counted is None:
        return before
    if before.pieces == now.pieces:
        return replace(before, pieces_p=min(before.pieces_p, now.pieces_p))
    one, other = (before, now) if before.pieces_p >= now.pieces_p else (now, before)
    sure = beside_other_count(one.pieces_p, other.pieces_p)
    return replace(before, pieces=one.pieces, pieces_p=sure, found=one.found, counted=one.counted)


def beside_first(first: PieceSearch, anew: PieceSearch, canvas: Canvas, lit: np.ndarray) -> PieceSearch:
    """The search on a canvas of which some faces were lit anew, `lit` (F,) bool, in which they are as sure as they can
    be: light that is told by a face itself may hide a piece, or show one that is none. What was unexplained there
    counts as long as both searches do not find the same pieces, or where it is no more than a piece hides and one has
    room in it; and evidence for pieces counts in part, so that for those which the light explained, as refused."""
    before, now = pieces_on_faces(first, canvas), pieces_on_faces(anew, canvas)
    unexplained_mm2, room_mm2 = anew.unexplained_mm2.copy(), anew.room_mm2.copy()
    refused_of = [dict(each) for each in anew.refused_of]
    for face in np.flatnonzero(lit).tolist():
        gone = _gone(before[face], now[face])
        for colour, nats in gone.items():
            refused_of[face][colour] = max(refused_of[face].get(colour, 0.0), LIT_ANEW * nats)
        others = bool(gone) or len(before[face]) != len(now[face])
        if others or (first.room_mm2[face] > 0.0 and first.unexplained_mm2[face] < LEAST_LIT_MM2):
            unexplained_mm2[face] = max(first.unexplained_mm2[face], anew.unexplained_mm2[face])
            room_mm2[face] = max(first.room_mm2[face], anew.room_mm2[face])
        now[face] = [
            replace(piece, evidence=LIT_ANEW * piece.evidence, colour_margin=LIT_ANEW * piece.colour_margin)
            for piece in now[face]
        ]
    pieces = tuple(piece for on in now for piece in on)
    return replace(
        anew, pieces=pieces, unexplained_mm2=unexplained_mm2, room_mm2=room_mm2, refused_of=tuple(refused_of)
    )


def _gone(before: Sequence[FoundPiece], now: Sequence[FoundPiece]) -> dict[str, float]:
    """Of each colour of which fewer pieces stand now than before, the evidence (nats) for the likeliest that went: the
    weakest are taken to have gone."""
    fewer = Counter(piece.colour for piece in before) - Counter(piece.colour for piece in now)
    return {
        colour: sorted(piece.evidence for piece in before if piece.colour == colour)[number - 1]
        for colour, number in fewer.items()
    }


def pieces_on_faces(search: PieceSearch, canvas: Canvas) -> list[list[FoundPiece]]:
    """The pieces on each face of a canvas: a piece belongs to the face its foot is on, or nearest to."""
    standing: list[list[FoundPiece]] = [[] for _ in canvas.faces]
    outlines = [face.corners_mm.astype(np.float32) for face in canvas.faces]
    for piece in search.pieces:
        depth = [cv2.pointPolygonTest(outline, piece.foot_mm, True) for outline in outlines]
        standing[int(np.argmax(depth))].append(piece)
    return standing
