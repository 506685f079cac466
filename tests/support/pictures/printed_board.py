"""Pictures of a small printed board with letter tiles, drawn for tests: seen askew and in another light each."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.printed.board import BoardShape
from vision.printed.marks import MARK_PX, MarkText, Typeface
from vision.printed.squares import LabelledPicture

SHAPE = BoardShape(9, 9)
TEXTS = {letter: MarkText(letter, str(n % 9 + 1)) for n, letter in enumerate("AEHKLNOPSTÖ")}
FONT = Typeface(font="sans", weight=600, capital=16.0, middle=16.0, baseline=24.0, small=5.0, blur=0.8)
SQUARE_PX = 48
GREEN, RED, BLUE, PAPER = (80, 130, 60), (60, 60, 190), (190, 140, 70), (205, 225, 232)
DARK_PAPER = (40, 36, 34)


def _flat(
    letters: Mapping[tuple[int, int], str], rng: np.random.Generator, sign: str = "", light_signs: bool = False
) -> np.ndarray:
    side = (SHAPE.columns + 2) * SQUARE_PX
    image = np.full((side, side, 3), (235, 235, 235), np.uint8)
    for column, row in SHAPE.squares():
        x, y = (column + 1) * SQUARE_PX, (row + 1) * SQUARE_PX
        across, down = abs(column - 4), abs(row - 4)
        colour = RED if across == down and across else BLUE if (across + 2 * down) % 5 == 4 else GREEN
        cv2.rectangle(image, (x, y), (x + SQUARE_PX, y + SQUARE_PX), colour, -1)
        cv2.rectangle(image, (x, y), (x + SQUARE_PX, y + SQUARE_PX), (20, 30, 20), 1)
    if sign:
        x, y = (5 * SQUARE_PX + (SQUARE_PX - MARK_PX) // 2,) * 2
        printed = image[y : y + MARK_PX, x : x + MARK_PX]
        printed[:] = printed * (1 - 0.85 * FONT.draw(MarkText(sign))[..., None])
    for (column, row), letter in letters.items():
        x, y = ((n + 1) * SQUARE_PX + 2 + int(rng.integers(-6, 7)) for n in (column, row))
        tile = np.full((SQUARE_PX - 4, SQUARE_PX - 4, 3), DARK_PAPER if light_signs else PAPER, np.float32)
        if letter != "_":
            mark = FONT.draw(TEXTS[letter])
            edge = (tile.shape[0] - MARK_PX) // 2
            tile[edge : edge + MARK_PX, edge : edge + MARK_PX] *= 1 + (4.0 if light_signs else -0.85) * mark[..., None]
        image[y : y + tile.shape[0], x : x + tile.shape[1]] = tile
        cv2.rectangle(image, (x, y), (x + tile.shape[1], y + tile.shape[0]), (70, 80, 90), 1)
    return image


def photograph(
    letters: Mapping[tuple[int, int], str], seed: int, light: tuple[float, float, float], *, sign: str = "",
    light_signs: bool = False,
) -> LabelledPicture:  # fmt: skip
    """The board with tiles on it, askew by some degrees, in a light (blue, green, red) that falls off to one side.

    `sign`: printed on the board's middle square; `light_signs`: the tiles are dark and their letters light.
    """
    rng = np.random.default_rng(seed)
    flat = _flat(letters, rng, sign, light_signs)
    side = flat.shape[0]
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    target = source + rng.uniform(-14, 14, (4, 2)).astype(np.float32) + 30
    size = (side + 60, side + 60)
    warp = cv2.getPerspectiveTransform(source, target)
    seen = cv2.warpPerspective(flat, warp, size, flags=cv2.INTER_LINEAR, borderValue=(240, 240, 240)).astype(np.float32)
    slope = np.linspace(1.0, 0.8, size[0], dtype=np.float32)[None, :, None]
    lit = seen * slope * np.array(light, np.float32) + rng.normal(0, 2, seen.shape)
    corners = cv2.perspectiveTransform(SHAPE.corners_px(SQUARE_PX)[None], warp.astype(np.float64))[0]
    return LabelledPicture(np.clip(lit, 0, 255).astype(np.uint8), corners, dict(letters))
