"""What speaks against a count of pieces on bare table: the table may explain one, and a piece what was left bare."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.finder import Examined, FoundPiece, PieceFinder, PieceSearch
from vision.pieces.shapes import PieceModel

# Side of a square of pixels that no blurred edge of a piece's top reaches, in sides of the piece.
INNER = 0.6

# Part of that square that must be known for it to be told what the table says of it.
KNOWN = 0.5

# A pixel of which a piece covers so much shows more of it than of the table; its blurred edge reaches so far beyond.
MOSTLY, EDGE_PX = 0.5, 3


def most_like_a_piece(
    finder: PieceFinder, examined: Examined, search: PieceSearch, names: Collection[str], owners: np.ndarray, parts: int
) -> np.ndarray:
    """(`parts`,) nats a pixel by which the likeliest patch of each part of the canvas that no piece of the `search`
    covers, as wide as the inner part of a piece's top, speaks for a top of one of the named colours.

    `owners` (H, W) int16: the part that a pixel belongs to, -1: none.
    """
    size = round(INNER * finder.side_px)
    out = np.full(parts, -np.inf)
    edge = np.ones((2 * EDGE_PX + 1,) * 2, np.uint8)
    covered = cv2.dilate((search.covered >= MOSTLY).astype(np.uint8), edge) > 0
    for region in examined.regions:
        free, owner = ~covered[region.box], owners[region.box]
        owned = owner >= 0
        for name, tops, shown in zip(finder.colours.names, region.tops, region.shown, strict=True):
            if name in names and shown > 0.0:
                speaks = np.where(free, tops, np.float32(-1.0))
                mean = cv2.boxFilter(speaks, -1, (size, size), borderType=cv2.BORDER_CONSTANT)
                np.maximum.at(out, owner[owned], mean[owned])
    return out


def table_against(examined: Examined, piece: FoundPiece, model: PieceModel) -> float:
    """Nats a pixel by which the bare table speaks against itself where the top of a piece lies, in the mean of those
    pixels of which it is known what they show; infinite where these are too few."""
    window = examined.canvas.window
    foot = np.array(piece.foot_mm)
    camera = np.array(model.camera_mm[:2])
    top_px = window.to_px((camera + (foot - camera) * model.lean())[None])[0]
    half = INNER * model.side_mm * PX_PER_MM / 2
    left, top = np.maximum(np.round(top_px - half).astype(int), 0).tolist()
    right, bottom = np.round(top_px + half).astype(int).tolist()
    where = (slice(top, bottom + 1), slice(left, right + 1))
    known = examined.inner[where]
    return float(-examined.bare[where][known].mean()) if known.size and known.mean() >= KNOWN else float("inf")
