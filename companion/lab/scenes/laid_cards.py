"""Rendered pictures of cards that a person laid out between the markers to have them learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.spyrium.edition.form import CARD_MM, CARD_THICKNESS_MM
from companion.lab.render.layout import marker_slabs, markers_extent_mm
from companion.lab.render.pieces import printed, rectangle
from companion.lab.scenes.profile import make_room, take

Floats = NDArray[np.float64]

CELLS = tuple((x, y) for y in (-88.0, 0.0, 88.0) for x in (-132.0, -44.0, 44.0, 132.0))
"""Twelve places between the markers, mm: apart, however a card is turned."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidCards:
    """A JPEG of cards laid out: (face, (4, 2) px of its corners from top left, clockwise) each."""

    jpeg: bytes
    cards: tuple[tuple[str, Floats], ...]


def laid_out(
    faces: Mapping[str, NDArray[np.uint8]], batch: Sequence[str], seed: int, size: tuple[int, int], *, table: str,
    light: str, card_mm: tuple[float, float] = CARD_MM,
) -> LaidCards:
    """A rendered picture of up to twelve cards laid out by a person: upright more or less, some at any turn.
    `faces`: each card as it is printed, upright (h, w, 3) uint8 BGR; `card_mm`: width and height."""
    rng = np.random.default_rng([seed, 825])
    room = make_room(rng, size, table, light, markers_extent_mm(), tilt_deg=16, roll_deg=5, slack=(1.02, 1.08))
    slabs, cards = marker_slabs(rng), []
    for face, cell in zip(batch, rng.permutation(np.array(CELLS))[: len(batch)], strict=True):
        degrees = float(rng.uniform(0, 360) if rng.random() < 0.3 else rng.normal(0, 4))
        xy = cell + rng.uniform(-3, 3, 2)
        slabs.append(
            printed(faces[face], card_mm, xy, degrees, CARD_THICKNESS_MM, side=(200, 206, 210), layer=1)
        )
        corners = np.column_stack([rectangle(*card_mm, xy, degrees), np.full(4, -CARD_THICKNESS_MM)])
        cards.append((face, room.camera.project(corners)))
    jpeg, _ = take(room, slabs, rng)
    return LaidCards(jpeg, tuple(cards))
