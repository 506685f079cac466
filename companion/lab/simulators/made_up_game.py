"""Made-up games of one's own: a few faces of plain print, laid out in rows; each a seed's."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import SlotOutline, TableLayout

U8 = NDArray[np.uint8]
Colour = tuple[int, int, int]

PX_PER_MM = 4
KINDS = (2, 12)
CARDS_MM = ((44.0, 68.0), (57.0, 88.0))
SQUARE_MM = (34.0, 58.0)
GAP_MM = (6.0, 16.0)
ROOM_MM = (330.0, 240.0)
"""Between the markers."""
LEAST_APART = 150
"""Of ink and ground, summed over the channels."""


@dataclass(frozen=True, slots=True, eq=False)
class MadeUpGame:
    """`faces`: name -> (h, w, 3) uint8 BGR as printed; `face_mm`: their width and height."""

    faces: Mapping[str, U8]
    face_mm: tuple[float, float]
    layout: TableLayout


def made_up_game(seed: int) -> MadeUpGame:
    """The game of a seed: square tiles or cards of two sizes, one ground for all or one each, some with a border."""
    rng = np.random.default_rng([seed, 77])
    side = float(rng.uniform(*SQUARE_MM))
    face_mm = ((side, side), *CARDS_MM)[rng.integers(3)]
    count = int(rng.integers(KINDS[0], KINDS[1] + 1))
    pitch = [length + rng.uniform(*GAP_MM) for length in face_mm]
    columns = min(int(rng.integers(2, 6)), int(ROOM_MM[0] // pitch[0]))
    rows = max(1, min(int(rng.integers(1, 4)), int(ROOM_MM[1] // pitch[1])))
    half = np.array(face_mm) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    slots = []
    for row, column in np.ndindex(rows, columns):
        middle = np.array([(column - (columns - 1) / 2) * pitch[0], (row - (rows - 1) / 2) * pitch[1]])
        slots.append(SlotOutline(f"r{row + 1}c{column + 1}", tuple(map(tuple, (corners + middle).tolist()))))
    thickness = float(rng.choice([0.4, 2.0]))
    layout = TableLayout(tuple(slots), face_thickness_mm=thickness, seat_pieces=False)
    return MadeUpGame(_faces(rng, count, face_mm), face_mm, layout)


def _faces(rng: np.random.Generator, count: int, face_mm: tuple[float, float]) -> dict[str, U8]:
    one_ground, border = rng.random() < 0.5, rng.random() < 0.5
    shared, frame, line = _colour(rng), _colour(rng, (0.0, 0.4)), int(rng.integers(2, 9))
    faces = {}
    for number in range(1, count + 1):
        ground = shared if one_ground else _colour(rng)
        width, height = (round(PX_PER_MM * length) for length in face_mm)
        face = np.full((height, width, 3), ground, np.uint8)
        if border:
            cv2.rectangle(face, (0, 0), (width - 1, height - 1), frame, line)
        ink = _ink(rng, ground)
        FIGURES[rng.integers(len(FIGURES))](rng, face, ink)
        if rng.random() < 0.7:
            at = (round(0.08 * width), round(0.08 * width) + 22)
            cv2.putText(face, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
        faces[f"kind-{number}"] = face
    return faces


def _colour(rng: np.random.Generator, value: tuple[float, float] = (0.2, 0.95)) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(rng.uniform(), rng.uniform(0, 0.9), rng.uniform(*value))
    return int(255 * blue), int(255 * green), int(255 * red)


def _ink(rng: np.random.Generator, ground: Colour) -> Colour:
    inks = [_colour(rng) for _ in range(24)]
    apart = [int(np.abs(np.subtract(ink, ground)).sum()) for ink in inks]
    return next((ink for ink, far in zip(inks, apart, strict=True) if far >= LEAST_APART), inks[int(np.argmax(apart))])


def _middle(rng: np.random.Generator, face: U8) -> tuple[tuple[int, int], int]:
    """Where a figure's middle lies and how far it reaches, px."""
    height, width = face.shape[:2]
    x, y = width * (0.5 + rng.normal(0, 0.06)), height * (0.5 + rng.normal(0, 0.08))
    return (int(x), int(y)), int(min(width, height) * rng.uniform(0.18, 0.34))


def _disc(rng: np.random.Generator, face: U8, ink: Colour) -> None:
    middle, reach = _middle(rng, face)
    cv2.circle(face, middle, reach, ink, -1, cv2.LINE_AA)


def _ring(rng: np.random.Generator, face: U8, ink: Colour) -> None:
    middle, reach = _middle(rng, face)
    cv2.circle(face, middle, reach, ink, max(3, reach // 4), cv2.LINE_AA)


def _polygon(rng: np.random.Generator, face: U8, ink: Colour) -> None:
    middle, reach = _middle(rng, face)
    angles = np.linspace(0, 2 * np.pi, int(rng.integers(3, 8)), endpoint=False) + rng.uniform(0, 3)
    reaches = reach * np.where(np.arange(len(angles)) % 2, 1.0, rng.uniform(0.4, 1.0))
    points = np.array(middle) + np.column_stack([np.cos(angles), np.sin(angles)]) * reaches[:, None]
    cv2.fillPoly(face, [points.astype(np.int32)], ink, cv2.LINE_AA)


def _bars(rng: np.random.Generator, face: U8, ink: Colour) -> None:
    (x, y), reach = _middle(rng, face)
    for number in range(int(rng.integers(2, 5))):
        level = y - reach + number * reach // 2
        cv2.line(face, (x - reach, level), (x + reach, level), ink, max(3, reach // 6), cv2.LINE_AA)


def _letters(rng: np.random.Generator, face: U8, ink: Colour) -> None:
    (x, y), reach = _middle(rng, face)
    text = "".join(rng.choice(list("ABCDEFGHKLMNPRST"), int(rng.integers(1, 4))))
    at, size = (x - reach, y + reach // 2), 1.4 * reach / 18 / len(text)
    cv2.putText(face, text, at, cv2.FONT_HERSHEY_DUPLEX, size, ink, max(2, reach // 10), cv2.LINE_AA)


def _blots(rng: np.random.Generator, face: U8, ink: Colour) -> None:
    height, width = face.shape[:2]
    for number in range(int(rng.integers(2, 7))):
        middle = int(rng.uniform(0.2, 0.8) * width), int(rng.uniform(0.2, 0.8) * height)
        reach = int(rng.uniform(0.05, 0.2) * width), int(rng.uniform(0.05, 0.2) * height)
        colour = ink if number == 0 else _colour(rng)
        cv2.ellipse(face, middle, reach, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)


FIGURES: tuple[Callable[[np.random.Generator, U8, Colour], None], ...] = (
    _disc, _ring, _polygon, _bars, _letters, _blots,
)
