"""What is printed on chips: spots at the edge, a label in the middle, figures of their value, dice and suits."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]

GROOVE, GROOVE_BROAD, GROOVE_LIGHT = 0.66, 0.02, 0.6  # a moulded ring, of the radius, and the light it leaves
FLAT = 0.5  # upward part of a normal from which a point is on the face, not on the side
FIGURE_PX = 96  # of the drawn value, as broad as the label
DOT, DOT_AT = 0.05, 0.84  # pips between the spots of a dice chip, of the radius
PAPER, INK = 0.75, 0.25  # linear light of a label and of the ring on it


@dataclass(frozen=True, slots=True)
class ChipPrint:
    """`spots` at the edge, `share` of the rim they cover, `inward`: from which part of the radius; in white, or in the
    `second` colour of the kind; `label`: radius of a pale one, 0 for none; `value` printed on it or on the chip; `dots`
    between the spots.
    """

    spots: int = 0
    share: float = 0.4
    inward: float = 0.7
    second: bool = False
    label: float = 0.0
    ringed: bool = False
    value: bool = False
    dots: bool = False


PRINTS = {
    "plain": ChipPrint(),
    "spotted": ChipPrint(8),
    "inlaid": ChipPrint(8, label=0.48, ringed=True),
    "striped": ChipPrint(6, 0.35, 0.55),
    "dice": ChipPrint(6, 0.5, 0.76, dots=True),
    "two-tone": ChipPrint(4, 0.3, 0.72, second=True, label=0.55, value=True),
    "valued": ChipPrint(0, value=True),
    "banded": ChipPrint(12, 0.5, 0.86, label=0.6, value=True, ringed=True),
}
"""The styles of chips by name; the first three are those of "chips", all others those of "poker"."""
VALUES = {"white": "1", "red": "5", "blue": "10", "green": "25", "black": "100", "yellow": "20", "purple": "500"}


def print_on(
    albedo: Singles, style: str, colours: tuple[NDArray[np.float64], NDArray[np.float64]], value: str,
    point: Singles, upward: Singles, around: NDArray[np.floating],
) -> None:  # fmt: skip
    """Change the colours (N, 3) of a chip's points (N, 2) in radii: `colours` of its white and its second print,
    `upward` (N,) of their normals, `around` (N,) angles from the chip's own turn on.
    """
    own = PRINTS[style]
    off = np.linalg.norm(point, axis=1)
    face = upward > FLAT
    albedo[(np.abs(off - GROOVE) < GROOVE_BROAD) & face] *= GROOVE_LIGHT
    if own.spots:
        phase = around * own.spots / (2 * np.pi) % 1
        albedo[(phase < own.share) & (off > own.inward)] = colours[own.second]
        if own.dots:
            away = np.hypot(off - DOT_AT, off * (phase - (1 + own.share) / 2) * 2 * np.pi / own.spots)
            albedo[(away < DOT) & face] = colours[0]
    if own.label:
        albedo[(off < own.label) & face] = PAPER
    if own.ringed:
        albedo[(np.abs(off - 0.3) < 0.03) & face] = INK
    if own.value:
        reach = own.label or 0.5
        turned = np.stack([off * np.cos(around), -off * np.sin(around)], axis=1) / (2 * reach) + 0.5
        cell = np.clip((turned * FIGURE_PX).astype(int), 0, FIGURE_PX - 1)
        drawn = figures(value)[cell[:, 1], cell[:, 0]] & (off < reach) & face
        albedo[drawn] = INK / 5 if own.label else colours[0]


def figures(value: str) -> NDArray[np.bool_]:
    """(FIGURE_PX, FIGURE_PX) bool: a value in its middle."""
    drawn = np.zeros((FIGURE_PX, FIGURE_PX), np.uint8)
    size = 1.9 if len(value) < 2 else 1.2 if len(value) < 3 else 0.9
    (width, height), _ = cv2.getTextSize(value, cv2.FONT_HERSHEY_SIMPLEX, size, 5)
    origin = ((FIGURE_PX - width) // 2, (FIGURE_PX + height) // 2)
    cv2.putText(drawn, value, origin, cv2.FONT_HERSHEY_SIMPLEX, size, (255,), 5)
    return np.asarray(drawn > 0)
