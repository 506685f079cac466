"""Finds the pieces that were stood on the bare table in columns, one column a colour, for enrolling their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.piece_colours.colours import TOO_CLOSE, StandingPiece
from companion.core.errors import DataError
from companion.core.messages import Message
from vision.locate.markers import MarkerLayout
from vision.locate.pose import TablePose

PX_PER_MM = 2.0
"""Of the view from above that is searched: a top of 8 to 16 mm is then 16 to 32 px wide."""

CLEAR_MM = 12.0
"""Between the markers' outer edges and where pieces are looked for: paper and its shadow are no pieces."""

INNER, RING = 0.6, (1.7, 2.4)
"""Part of a top that surely shows it however it is turned, and the band around it where bare table shows, in sides."""

NEARLY = 0.85
"""Part of a peak's contrast from which a place round it belongs to the same top."""

APART = 1.6
"""Pieces stand at least so far from each other, in sides."""

CONTRAST_LAB = 2 * TOO_CLOSE
"""Distance from the table's colour round about from which something stands there: twice what tells two pieces apart,
since a piece that is nearer to the table is hidden by its own shadow."""

OVER_GRAIN = 5.0
"""And so many times what half of the bare table exceeds: a chequered or patterned cloth asks for more."""

COLUMN_GAP_MM = 25.0
"""Columns are farther apart than this; pieces of one column lie within it."""

ONE_COLOUR_LAB = 22.0
"""Tops of one column differ less: a lamp to one side makes some of one colour 10 to 15 brighter than others."""

SHADOW_LIGHT, SHADOW_CHROMA_LAB = (0.08, 0.97), 8.0
"""Light that a shadow leaves (one lamp, some light from the walls), and how far its colour is from darkened table: such
a spot may be no piece at all."""

HOW = (
    "Clear the table between the markers and stand 1 to 5 pieces of each colour in a column, columns at least 30 mm "
    "apart. Where a piece is not seen, lay white paper or a dark cloth under them: it must have the colour of none."
)

OUT_OF_STEP = 0.3
"""Part of the distance between columns by which one may be off before they do not tell where another one is missing:
people place discs of 14 mm by eye to about half of one, and columns stand 30 mm apart or more."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Something of a piece's size: its middle (table mm), its colour in Lab and its distance from the table's."""

    xy_mm: tuple[float, float]
    lab: tuple[float, float, float]
    contrast: float
    shade: bool  # it looks like the table with less light


def columns_of_pieces(
    image: NDArray[np.uint8],
    pose: TablePose,
    names: Sequence[str],
    markers: MarkerLayout,
    side_mm: float = 10.0,
) -> tuple[StandingPiece, ...]:
    """The pieces in `image` (H, W, 3) BGR, standing in columns that hold the colours `names` from left to right.

    Raises DataError saying how many columns were expected and what was found where; it never guesses which piece is
    which.
    """
    spots = _spots(image, pose, markers, side_mm)
    columns = _columns(spots)
    if len(columns) != len(names):
        middles = [float(np.mean([spot.xy_mm[0] for spot in column])) for column in columns]
        found = tuple(
            Message("{count} at x = {x} mm", count=len(column), x=f"{x:.0f}")
            for column, x in zip(columns, middles, strict=True)
        )
        expected = "expected {want} columns of pieces ({names} from left to right), got {got}"
        expected_and = "expected {want} columns of pieces ({names} from left to right), got {got} ({found})"
        facts = {"want": len(names), "names": tuple(names), "got": len(columns), "found": found}
        said = Message(expected_and, **facts) if found else Message(expected, **facts)
        hidden, count = not_seen(middles, names), len(names) - len(columns)
        if len(hidden) > count:
            said = Message("{what}; not seen: {count} of {hidden}", what=said, count=count, hidden=hidden)
        elif hidden:
            said = Message("{what}; not seen: {hidden}", what=said, hidden=hidden)
        raise DataError(said, where=Message("colours of the pieces"), remedy=Message(HOW))
    mixed = [name for name, column in zip(names, columns, strict=True) if _spread(column) > ONE_COLOUR_LAB]
    if mixed:
        raise DataError(
            Message("the column of {names} holds different colours, or something that is no piece", names=tuple(mixed)),
            where=Message("colours of the pieces"), remedy=Message(HOW),
        )
    shaded = [name for name, column in zip(names, columns, strict=True) if any(spot.shade for spot in column)]
    if shaded:
        raise DataError(
            Message("the column of {names} cannot be told from shadows on this table", names=tuple(shaded)),
            where=Message("colours of the pieces"), remedy=Message("Stand the pieces on a sheet of another colour."),
        )
    return tuple(
        StandingPiece(name, spot.xy_mm) for name, column in zip(names, columns, strict=True) for spot in column
    )


def not_seen(middles_mm: Sequence[float], names: Sequence[str]) -> tuple[str, ...]:
    """Which of the columns `names` may be missing where some stand at `middles_mm` (from left to right), evenly; more
    than are missing where they may be at either end, none where the columns do not tell."""
    if not 2 <= len(middles_mm) < len(names):
        return ()
    gaps = np.diff(middles_mm)
    steps = gaps / gaps[gaps < 1.5 * gaps.min()].mean()  # of neighbours, where none is missing between them
    slots = np.r_[0, np.cumsum(np.round(steps).astype(int))]
    if np.abs(steps - np.round(steps)).max() > OUT_OF_STEP or slots[-1] >= len(names):
        return ()
    hidden = {
        k for first in range(len(names) - int(slots[-1])) for k in range(len(names)) if k not in slots + first
    }
    return tuple(names[k] for k in sorted(hidden))


def _spots(
    image: NDArray[np.uint8], pose: TablePose, markers: MarkerLayout, side_mm: float
) -> list[_Spot]:
    """What stands on the table between the markers, of a piece's size, the clearest first."""
    view, left_mm, top_mm = _from_above(image, pose, markers, side_mm)
    lab = cv2.cvtColor(view.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    side_px = side_mm * PX_PER_MM
    inner = _box(lab, INNER * side_px)
    wide, narrow = _box(lab, RING[1] * side_px), _box(lab, RING[0] * side_px)
    areas = _odd(RING[1] * side_px) ** 2, _odd(RING[0] * side_px) ** 2
    ring = (wide * areas[0] - narrow * areas[1]) / (areas[0] - areas[1])
    contrast = np.linalg.norm(inner - ring, axis=2)
    least = max(CONTRAST_LAB, OVER_GRAIN * float(np.median(contrast)))
    reach = _odd(2 * APART * side_px)
    peaks = (contrast >= cv2.dilate(contrast, np.ones((reach, reach), np.uint8))) & (contrast >= least)
    half = reach // 2
    peaks[:half] = peaks[-half:] = False
    peaks[:, :half] = peaks[:, -half:] = False
    spots = []
    for y, x in np.argwhere(peaks):
        colour = inner[y, x]
        mid_y, mid_x = _middle(contrast, int(y), int(x), round(side_px / 2))
        place = (left_mm + (mid_x + 0.5) / PX_PER_MM, top_mm + (mid_y + 0.5) / PX_PER_MM)
        spots.append(_Spot(place, (float(colour[0]), float(colour[1]), float(colour[2])), float(contrast[y, x]),
                           _is_shade(colour, ring[y, x])))
    return sorted(spots, key=lambda spot: -spot.contrast)


def _is_shade(colour: NDArray[np.float32], table: NDArray[np.float32]) -> bool:
    """Whether Lab `colour` (3,) is the table's (3,) with less light: lightness and chroma shrink together."""
    ratio = float(colour[0]) / max(float(table[0]), 1.0)
    off = float(np.linalg.norm(colour[1:] - table[1:] * ratio))
    light_left = ratio**2.2  # lightness is about the 2.2th root of light
    return SHADOW_LIGHT[0] < light_left < SHADOW_LIGHT[1] and off < SHADOW_CHROMA_LAB


def _middle(contrast: NDArray[np.float32], y: int, x: int, reach: int) -> tuple[float, float]:
    """(y, x): the middle of what is nearly as clear as the peak at (y, x) round about it."""
    part = contrast[y - reach : y + reach + 1, x - reach : x + reach + 1]
    rows, cols = np.nonzero(part >= NEARLY * contrast[y, x])
    return float(y - reach + rows.mean()), float(x - reach + cols.mean())


def _from_above(
    image: NDArray[np.uint8], pose: TablePose, markers: MarkerLayout, side_mm: float
) -> tuple[NDArray[np.uint8], float, float]:
    """The plane of the pieces' tops between the markers as seen from above, and its left and top edge (table mm)."""
    centres = np.array(list(markers.centres_mm.values()))
    inset = markers.side_mm / 2 + CLEAR_MM
    (left, top), (right, bottom) = centres.min(0) + inset, centres.max(0) - inset
    size = (max(8, round((right - left) * PX_PER_MM)), max(8, round((bottom - top) * PX_PER_MM)))
    x, y = np.meshgrid(left + (np.arange(size[0]) + 0.5) / PX_PER_MM, top + (np.arange(size[1]) + 0.5) / PX_PER_MM)
    points = np.c_[x.ravel(), y.ravel(), np.full(x.size, -side_mm)]
    maps = pose.project(points).astype(np.float32).reshape(size[1], size[0], 2)
    view = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view), float(left), float(top)


def _odd(size_px: float) -> int:
    return 2 * int(size_px // 2) + 1


def _box(values: NDArray[np.float32], size_px: float) -> NDArray[np.float32]:
    """Means of `values` (H, W, 3) in squares of that size around every pixel."""
    size = _odd(size_px)
    return np.asarray(cv2.blur(values, (size, size), borderType=cv2.BORDER_REFLECT))


def _columns(spots: Sequence[_Spot]) -> list[list[_Spot]]:
    """The spots column by column, from left to right, each from top to bottom."""
    columns: list[list[_Spot]] = []
    for spot in sorted(spots, key=lambda s: s.xy_mm[0]):
        if columns and spot.xy_mm[0] - float(np.mean([s.xy_mm[0] for s in columns[-1]])) <= COLUMN_GAP_MM:
            columns[-1].append(spot)
        else:
            columns.append([spot])
    return [sorted(column, key=lambda s: s.xy_mm[1]) for column in columns]


def _spread(column: Sequence[_Spot]) -> float:
    """The largest distance of a top from the column's middle colour, CIELAB."""
    lab = np.array([spot.lab for spot in column])
    return float(np.linalg.norm(lab - np.median(lab, axis=0), axis=1).max())
