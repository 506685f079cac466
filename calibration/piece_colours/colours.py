"""Learns the colours of a box's pieces from one picture, and says which pairs are too close under this light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.core.errors import DataError
from companion.core.messages import Message
from vision.appearance.picture_light import SATURATED, PieceColours
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose

PAPER_BGR = 235.0
"""White paper as a flat scan shows it; what is printed black is taken as 25 (office paper and toner)."""

BLACK_BGR = 25.0
INNER = 0.5
"""Part of a top's side that is sampled: its edges are a mixture."""

CLOSE, TOO_CLOSE = 16.0, 9.0
"""CIELAB distance of two piece colours as they look here, from which they are told apart with care and below which
they are not: colours of one top scatter by 3 to 4 in a webcam picture, and the light over a table adds as much."""


@dataclass(frozen=True, slots=True)
class StandingPiece:
    """A piece in the enrolment picture: its colour and the middle of its foot on the table, mm."""

    colour: str
    xy_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ColourPair:
    """Two colours and how far apart they look (CIELAB); `verdict`: "clear", "close" or "too close"."""

    first: str
    second: str
    distance: float
    verdict: str


@dataclass(frozen=True, slots=True)
class EnrolledColours:
    """The colours learnt, and those whose tops were overexposed: their learnt value is a lower bound only."""

    colours: PieceColours
    overexposed: tuple[str, ...]


def top_colours(
    image: np.ndarray, pose: TablePose, pieces: Sequence[StandingPiece], side_mm: float = 10.0
) -> dict[str, np.ndarray]:
    """Colour name -> (N, 3) float64 BGR: the median colour of the top of each piece, standing on the bare table.

    Raises DataError when a piece is not in the picture.
    """
    grid = np.linspace(-INNER, INNER, 5) * side_mm / 2
    offsets = np.array([(x, y) for x in grid for y in grid])
    out: dict[str, list[np.ndarray]] = {}
    height, width = image.shape[:2]
    for piece in pieces:
        points = np.c_[offsets + piece.xy_mm, np.full(len(offsets), -side_mm)]
        px = pose.project(points)
        if (px < 0).any() or (px[:, 0] > width - 1).any() or (px[:, 1] > height - 1).any():
            where = f"piece {piece.colour} at {piece.xy_mm} mm"
            raise DataError(
                Message("expected every piece in the picture, got one outside"), where=where,
                remedy=Message("Move it inwards"),
            )
        maps = px.astype(np.float32)[None]
        seen = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)[0]
        out.setdefault(piece.colour, []).append(np.median(seen, axis=0))
    return {name: np.array(values, np.float64) for name, values in out.items()}


def enrol_colours(
    image: np.ndarray, pose: TablePose, pieces: Sequence[StandingPiece], markers: MarkerLayout, side_mm: float = 10.0
) -> EnrolledColours:
    """The piece colours as a flat scan would show them, from one picture (H, W, 3) BGR uint8 with the markers in it.

    The markers' paper and print tell the light (per channel). Raises DataError when no marker is in the picture.
    """
    paper, black = _paper_and_print(image, pose, markers)
    gain = np.maximum(paper - black, 1.0) / (PAPER_BGR - BLACK_BGR)
    offset = black - gain * BLACK_BGR
    names, values, over = [], [], []
    for name, seen in top_colours(image, pose, pieces, side_mm).items():
        middle = np.median(seen, axis=0)
        scan = np.clip((middle - offset) / gain, 0.0, 255.0)
        names.append(name)
        values.append((float(scan[0]), float(scan[1]), float(scan[2])))
        if (middle >= SATURATED).any():
            over.append(name)
    return EnrolledColours(PieceColours(tuple(names), tuple(values)), tuple(over))


def check_colours(seen: dict[str, np.ndarray]) -> tuple[ColourPair, ...]:
    """Every pair of the colours (name -> (N, 3) BGR as `top_colours` gives them), nearest first.

    The distance is that of the nearest tops: what one colour's brightest and another's darkest piece look like.
    """
    lab = {
        name: cv2.cvtColor((values[None] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0]
        for name, values in seen.items()
    }
    pairs = []
    for a, b in combinations(sorted(lab), 2):
        distance = float(np.linalg.norm(lab[a][:, None] - lab[b][None], axis=-1).min())
        verdict = "too close" if distance < TOO_CLOSE else "close" if distance < CLOSE else "clear"
        pairs.append(ColourPair(a, b, distance, verdict))
    return tuple(sorted(pairs, key=lambda pair: pair.distance))


def _paper_and_print(image: np.ndarray, pose: TablePose, markers: MarkerLayout) -> tuple[np.ndarray, np.ndarray]:
    """(3,) BGR medians of the white margin and the black rim of the markers that are in the picture."""
    height, width = image.shape[:2]
    cell = markers.side_mm / 6  # a 4x4 code within a rim of one cell
    paper: list[np.ndarray] = []
    black: list[np.ndarray] = []
    for marker in markers.centres_mm:
        corners = markers.corners_mm(marker)
        middle = corners.mean(0)
        for corner in corners:
            outward = (corner - middle) / np.abs(corner - middle)
            for target, at in ((paper, corner + outward * cell * 0.35), (black, corner - outward * cell * 0.5)):
                x, y = pose.project(at[None])[0].round().astype(int)
                if 0 <= x < width and 0 <= y < height:
                    target.append(image[y, x].astype(np.float64))
    if not paper or not black:
        raise DataError(
            Message("no marker is in the picture"), where=Message("colours of the pieces"),
            remedy=Message("Show the corner markers too"),
        )
    return np.median(paper, axis=0), np.median(black, axis=0)
