"""A printed board of squares as it looks from straight above, learnt from a picture with known corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Grey = npt.NDArray[np.float32]
Corners = npt.NDArray[np.float64]

MARGIN_SQUARES = 1.0
"""Squares shown around the board: tiles at its rim lean outwards, since they have height."""

SQUARE_PX = 48
"""Side of a square seen from above: a letter's stroke is then 4 to 6 px wide."""


@dataclass(frozen=True, slots=True)
class BoardShape:
    """How many squares a board has; the camera looks at it with its first row on top."""

    columns: int
    rows: int

    def squares(self) -> tuple[tuple[int, int], ...]:
        """(column, row) of every square, row by row."""
        return tuple((column, row) for row in range(self.rows) for column in range(self.columns))

    def corners_px(self, square_px: float = SQUARE_PX) -> Corners:
        """(4, 2) outer corners of the squares in the view from above, clockwise from top left."""
        start = MARGIN_SQUARES * square_px
        right, bottom = start + self.columns * square_px, start + self.rows * square_px
        return np.array([[start, start], [right, start], [right, bottom], [start, bottom]], np.float64)

    def size_px(self, square_px: float = SQUARE_PX) -> tuple[int, int]:
        """Width and height of the view from above with its margin."""
        return (
            round((self.columns + 2 * MARGIN_SQUARES) * square_px),
            round((self.rows + 2 * MARGIN_SQUARES) * square_px),
        )

    def middle_px(self, column: int, row: int) -> tuple[float, float]:
        """Where the middle of a square is in the view from above."""
        return (MARGIN_SQUARES + column + 0.5) * SQUARE_PX, (MARGIN_SQUARES + row + 0.5) * SQUARE_PX


def from_above(image: Image, corners_px: npt.ArrayLike, shape: BoardShape, square_px: float = SQUARE_PX) -> Image:
    """(H, W, 3) uint8: the board as from straight above.

    `corners_px` (4, 2): outer corners of the squares in `image`, clockwise from top left.
    """
    target = shape.corners_px(square_px).astype(np.float32)
    source = np.asarray(corners_px, np.float32)
    view = cv2.warpPerspective(
        image, cv2.getPerspectiveTransform(source, target), shape.size_px(square_px),
        flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(view, np.uint8)


def window(view: npt.NDArray[Any], shape: BoardShape, column: int, row: int, side: float) -> npt.NDArray[Any]:
    """The part of a view from above round the middle of a square; `side`: of that part, in squares."""
    x, y = shape.middle_px(column, row)
    half = side * SQUARE_PX / 2
    return view[round(y - half) : round(y + half), round(x - half) : round(x + half)]
