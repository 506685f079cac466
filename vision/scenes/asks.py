"""Why a person is asked about a place of a picture, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.layout import TableLayout
from companion.core.messages import Message
from companion.core.types import Face, Slot
from vision.locate.pose import NotLocated
from vision.pieces.probability import Counted
from vision.pieces.scene import ACCEPTED
from vision.pieces.shapes import PieceModel
from vision.tables.place import TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading

# Scans are compared at so many pixels a side: a mark of 3 mm is three of them wide.
COMPARED_PX = 64

# Part of what tells two faces from each other that pieces hide, from which they are to blame.
MOSTLY_HIDDEN = 0.4

# Part of a piece's width that it hides around the way from its foot to its top: up to its corners.
HALF_WIDE = 0.7

# A face that may be another by so little (part of the likeliest one's chance) is not named beside it; most that are.
NAMED_BESIDE, MOST_NAMED = 0.05, 3

# Area (mm2) that nothing explains from which it is what makes a count doubtful.
UNEXPLAINED_MM2 = 60.0

COVERED = Message("something lies over it: move it away")
OUTSIDE = Message("it is not wholly in the picture: turn the camera to it")
NO_TILE = Message(
    "nothing there looks like a tile of this box: see that it lies face up and that neither gloss nor a thing hides it"
)
STRANGE_LIGHT = Message("a part of it is too bright or too dark: keep sun and lamps off it, or say what stands there")
ONE_MORE = Message("one more piece may stand there: move its pieces apart, or say what stands there")


def what_to_do(
    reading: TableReading, layout: TableLayout, scans: Mapping[Face, np.ndarray]
) -> dict[Slot, Message]:
    """For each place of a tile that a person must see to, why and what to do. `scans`: face -> (H, W, 3) upright."""
    if isinstance(reading.pose, NotLocated):
        return {}
    x, y, z = reading.pose.eye_mm.tolist()
    model = PieceModel.on_face(layout, (x, y, z))
    asked = [one for one in reading.places if one.holds == TILE and not one.is_sure]
    return {one.slot: _why(one, model, scans) for one in asked}


def _why(one: PlaceReading, model: PieceModel, scans: Mapping[Face, np.ndarray]) -> Message:
    if one.state is PlaceState.COVERED:
        return COVERED
    if one.state is PlaceState.OUTSIDE:
        return OUTSIDE
    if one.state is PlaceState.FACE:
        return _count_in_doubt(one)
    ranked = [face for face, p in one.alternatives if p >= NAMED_BESIDE * one.alternatives[0][1]][:MOST_NAMED]
    if not ranked or one.p <= 0.0:
        return NO_TILE
    if len(ranked) == 1:
        strange = one.counted is not None and one.counted.unexplained_mm2 >= UNEXPLAINED_MM2
        return STRANGE_LIGHT if strange else Message(
            "likely {face}, but it does not look quite like it: see that nothing hides it, or say which tile it is",
            face=ranked[0],
        )
    if hidden_share(one, model, [scans[face] for face in ranked[:2]]) >= MOSTLY_HIDDEN:
        return Message(
            "{faces}: pieces hide what tells them apart. Move them aside, or say which tile it is", faces=tuple(ranked)
        )
    return Message(
        "{faces}: too little tells them apart in this picture. More light or a nearer camera helps, "
        "or say which tile it is",
        faces=tuple(ranked),
    )


def _count_in_doubt(one: PlaceReading) -> Message:
    """Why the pieces on a tile that was named are not sure: by what costs most."""
    rests = one.counted or Counted(float("inf"), 0.0, 0.0)
    if rests.unexplained_mm2 >= UNEXPLAINED_MM2:
        return STRANGE_LIGHT
    if rests.refused >= ACCEPTED or not one.found:
        return ONE_MORE
    weakest = min(one.found, key=lambda piece: min(piece.evidence, piece.colour_margin))
    return Message(
        "the {colour} piece may be none, or of another colour: see to the light there, or say what stands there",
        colour=weakest.colour,
    )


def hidden_share(one: PlaceReading, model: PieceModel, scans: Sequence[np.ndarray]) -> float:
    """Part (0..1) of what tells two scans (H, W, 3) from each other that the pieces found on a place hide."""
    if one.corners_mm is None:
        return 0.0
    first, other = (
        cv2.resize(scan, (COMPARED_PX, COMPARED_PX), interpolation=cv2.INTER_AREA).astype(np.float32) for scan in scans
    )
    telling = np.square(first - other).sum(-1)
    if not telling.any():
        return 0.0
    edge = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * COMPARED_PX - 0.5
    to_table = cv2.getPerspectiveTransform(edge, one.corners_mm.astype(np.float32))
    columns, rows = np.meshgrid(np.arange(COMPARED_PX, dtype=np.float32), np.arange(COMPARED_PX, dtype=np.float32))
    at_mm = cv2.perspectiveTransform(np.stack([columns, rows], -1), to_table)
    hidden = np.zeros(telling.shape, bool)
    for piece in one.found:
        foot = np.array(piece.foot_mm)
        lean = (model.lean() - 1.0) * (foot - np.array(model.camera_mm[:2]))
        along = np.clip((at_mm - foot) @ lean / max(float(lean @ lean), 1e-6), 0.0, 1.0)
        off = at_mm - foot - along[..., None] * lean
        hidden |= np.hypot(off[..., 0], off[..., 1]) < HALF_WIDE * model.side_mm
    return float(telling[hidden].sum() / telling.sum())
