"""Crops that are cut otherwise than the learnt pictures: the piece whose outlines show inside is cut out first."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.photographed.album import Album
from vision.faces.photographed.finding import least_misfit
from vision.faces.placing.outline import framed_piece
from vision.faces.placing.rectangle import cut_at, to_picture

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

# Share of the misfit of the crop as it is that the piece's may be for there to be no doubt: cut at the table's edge a
# piece fits two to four times as well (real cards), cut at lines of its own print or a neighbour's hardly better.
BETTER = 0.5
# The same of a crop that is itself the piece, of pieces that were learnt with a rim: tight crops of letters and cards
# come to 0.1 to 0.7, crops cut as the learnt pictures to 1.9 to 33.
BARER = 0.8
# Share of the learnt pictures that their pieces are across from which a crop without a rim is aligned all the same.
NARROW = 0.9


@dataclass(frozen=True, slots=True)
class Framed:
    """A piece cut out of a crop at its own outlines: `image` (h, w, 3) uint8; `ignore` (h, w) bool, what the crop does
    not show of it or what is ignored there; `to_crop` (3, 3) px of the piece -> px of the crop; `clear`: whether it
    fits the learnt pictures much better than the crop as it is."""

    image: U8
    ignore: NDArray[np.bool_] | None
    to_crop: F64
    clear: bool


def framed(album: Album, crop_bgr: U8, turns: tuple[int, ...], ignore: NDArray[np.bool_] | None) -> Framed | None:
    """The piece in `crop_bgr` (h, w, 3) uint8 where its outlines show inside of it, in the shape of the learnt ones.

    None where they do not, or where what they surround fits the learnt pictures no better than the crop as it is cut:
    a printed frame is no outline. The crop itself where pieces were learnt with a rim and this one has clearly none.
    """
    h, w = album.pictures.shape[1:3]
    if album.cut is not None and max(album.cut.width, album.cut.height) < NARROW:
        bare, cut = (least_misfit(one, crop_bgr, turns) for one in (album.without_cut(), album))
        if bare < BARER * cut:
            return Framed(crop_bgr, ignore, np.eye(3), clear=True)
    corners = framed_piece(crop_bgr, w / h)
    if corners is None:
        return None
    across = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    down = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 2
    size = (max(8, round(across)), max(8, round(down)))
    image, seen = cut_at(crop_bgr, corners, size)
    own, whole = least_misfit(album.without_cut(), image, turns), least_misfit(album, crop_bgr, turns)
    if own >= whole:
        return None
    matrix = to_picture(corners, size)
    unseen = ~seen
    if ignore is not None:
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        unseen |= cv2.warpPerspective(ignore.astype(np.uint8), matrix, size, flags=flags) > 0
    return Framed(image, unseen if unseen.any() else None, matrix, own < BETTER * whole)
