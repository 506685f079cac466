"""What pieces beside faces hide of the faces: they lean over them, and their shadows fall on them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.finder import FoundPiece
from vision.pieces.scene import NEAR_SHADOW
from vision.pieces.shadows import FROM_ABOVE, CastLight, cast_mask
from vision.pieces.shapes import PieceModel, masks, place_mask


def hidden_beside(
    window: Window, pieces: Iterable[FoundPiece], piece: PieceModel, cast: CastLight | None
) -> np.ndarray:
    """(H, W) float32: the part of each pixel of a window that pieces hide or shade.

    `piece`: their size and the camera. `cast`: the light; where it is not known a shadow may fall to any side.
    """
    out = np.zeros((window.height_px, window.width_px), np.float32)
    side_px = piece.side_mm * PX_PER_MM
    for one in pieces:
        foot = np.array(one.foot_mm)
        lean = (foot - np.array(piece.camera_mm[:2])) * (piece.lean() - 1.0) * PX_PER_MM
        shape = masks(side_px, lean, piece.shape)
        if cast is None or cast == FROM_ABOVE:  # where it is dark no shadow is seen
            shade = cast_mask(2.0 * NEAR_SHADOW * side_px, np.zeros(2))
        else:
            reach = cast.reach_mm(foot, piece.height_mm or piece.side_mm)
            shade = cast_mask(side_px, PX_PER_MM * reach)
        # of a square piece every turn that it may have
        for part in (np.maximum(shape.top, shape.side).max(0), shade):
            where, cut = place_mask(out.shape, window.to_px(foot), len(part) // 2)
            out[where] = np.maximum(out[where], part[cut])
    return out
