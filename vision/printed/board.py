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


def from_above(
    image: Image, corners_px: npt.ArrayLike, shape: BoardShape, square_px: float = SQUARE_PX, bow: float = 0.0
) -> Image:
    """(H, W, 3) uint8: the board as from straight above.

    `corners_px` (4, 2): outer corners of the squares in `image`, clockwise from top left. `bow`: of the lens, see
    `bent`.
    """
    target = shape.corners_px(square_px).astype(np.float32)
    size = shape.size_px(square_px)
    if bow:
        source = straightened(np.asarray(corners_px, np.float64), image.shape, bow)
        to_image = cv2.getPerspectiveTransform(target, source.astype(np.float32))
        across, down = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
        places = np.stack([across, down], axis=-1).reshape(1, -1, 2).astype(np.float64)
        at = bent(cv2.perspectiveTransform(places, to_image)[0], image.shape, bow).astype(np.float32)
        at = at.reshape(size[1], size[0], 2)
        view = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(view, np.uint8)
    source = np.asarray(corners_px, np.float32)
    view = cv2.warpPerspective(
        image, cv2.getPerspectiveTransform(source, target), size,
        flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(view, np.uint8)


def bent(points_px: Corners, image_hw: tuple[int, ...], bow: float) -> Corners:
    """(N, 2): where a lens shows `points_px` (N, 2), which a lens without distortion shows there.

    The first term of Brown's radial model about the picture's middle: r becomes r (1 + bow r^2), r in halves of the
    longer side. Negative: straight sides bow outwards (a barrel), as wide lenses show them.
    """
    middle, half = _middle(image_hw)
    away = (points_px - middle) / half
    return np.asarray(middle + half * away * (1 + bow * (away**2).sum(axis=1, keepdims=True)))


def straightened(points_px: Corners, image_hw: tuple[int, ...], bow: float) -> Corners:
    """(N, 2): the reverse of `bent`."""
    middle, half = _middle(image_hw)
    seen = (points_px - middle) / half
    away = seen
    for _ in range(STRAIGHTENING_ROUNDS):
        away = seen / (1 + bow * (away**2).sum(axis=1, keepdims=True))
    return np.asarray(middle + half * away)


STRAIGHTENING_ROUNDS = 12
"""Each leaves a quarter of the error at most (r 1.4, bow 0.1): after twelve less than a thousandth of a pixel."""


def _middle(image_hw: tuple[int, ...]) -> tuple[npt.NDArray[np.float64], float]:
    height, width = image_hw[:2]
    return np.array([width / 2, height / 2]), max(width, height) / 2


def window(view: npt.NDArray[Any], shape: BoardShape, column: int, row: int, side: float) -> npt.NDArray[Any]:
    """The part of a view from above round the middle of a square; `side`: of that part, in squares."""
    x, y = shape.middle_px(column, row)
    half = side * SQUARE_PX / 2
    return view[round(y - half) : round(y + half), round(x - half) : round(x + half)]
