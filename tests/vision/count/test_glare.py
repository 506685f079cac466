"""A mirrored lamp is told from brighter light by the table around a piece."""

from __future__ import annotations

import numpy as np
import pytest

from vision.count.certainty import Doubts
from vision.count.glare import is_veiled, table_light, veil

WOOD = np.array([0.05, 0.15, 0.35])
ANGLES = np.linspace(0, 2 * np.pi, 60, endpoint=False)
OUTLINE = 60 + 20 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)


def picture(light: np.ndarray) -> np.ndarray:
    """(120, 120, 3) uint8 of a table in linear BGR light (3,)."""
    display = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.tile(np.round(255 * display).astype(np.uint8), (120, 120, 1))


@pytest.mark.parametrize(
    ("light", "expected"),
    [(WOOD, 0.0), (2 * WOOD, 0.0), (0.5 * WOOD, 0.0), (WOOD + 0.2, 0.2), (0.8 * WOOD + 0.3, 0.3)],
    ids=["as usual", "brighter", "in shade", "a lamp", "a lamp in shade"],
)
def test_only_white_light_added_to_a_table_is_a_veil(light: np.ndarray, expected: float) -> None:
    usual = table_light(picture(WOOD), np.ones((120, 120), bool))
    assert veil(picture(light), OUTLINE, usual) == pytest.approx(expected, abs=0.02)


def test_of_a_grey_table_no_veil_is_known() -> None:
    assert veil(picture(np.full(3, 0.6)), OUTLINE, np.full(3, 0.3)) == 0.0


@pytest.mark.parametrize(
    ("piece", "light", "expected"),
    [
        ((0.15, 0.2, 0.3), 0.2, True),
        ((0.5, 0.6, 0.6), 0.2, False),
        ((0.0, 0.0, 0.85), 0.2, False),
        ((0.04, 0.03, 0.03), 0.02, False),
        ((0.84, 0.3, 0.04), 0.04, False),
    ],
    ids=["mostly lamp", "mostly its own", "vivid beside a lamp", "a stain of the table", "strong beside weak light"],
)
def test_a_piece_is_veiled_where_what_it_shows_may_be_the_lamps(
    piece: tuple[float, float, float], light: float, expected: bool
) -> None:
    assert is_veiled(piece, light) == expected


def test_a_veiled_piece_costs_certainty_and_says_why() -> None:
    doubts = Doubts(0.99, 0.99).veiled(1)
    assert doubts.all_right < 0.97
    assert "lamp" in doubts.why
    assert Doubts(1.0, 1.0).veiled(0) == Doubts(1.0, 1.0)
