"""Symbols filled with the pixels of stickers."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cv2")

from companion.lab.evaluation.photograph_sets import Task
from companion.lab.evaluation.sticker_symbols import symbols_of
from companion.lab.simulators.made_up_symbols import CROP_PX, FORMS


def _plain(bgr: tuple[int, int, int]) -> np.ndarray:
    return np.full((40, 40, 3), bgr, np.uint8)


def test_a_symbol_has_its_stickers_colour_on_ground_that_is_nearly_black() -> None:
    red, blue = _plain((30, 40, 200)), _plain((180, 90, 30))
    task = Task("cube", {"red": [red], "blue": [blue, blue]}, (((red, "red"), (blue, "blue")),))
    symbols = symbols_of(task, seed=3)
    assert len(symbols.references) == 2 * FORMS
    assert {len(pictures) for kind, pictures in symbols.references.items() if kind.startswith("blue")} == {2}
    (red_crop, red_kind), (blue_crop, blue_kind) = symbols.groups[0]
    assert red_kind.startswith("red-")
    assert blue_kind.startswith("blue-")
    inside, corner = slice(CROP_PX // 2 - 3, CROP_PX // 2 + 3), slice(0, 6)
    assert np.abs(red_crop[inside, inside].mean(axis=(0, 1)) - (30, 40, 200)).max() < 8
    assert red_crop[corner, corner].mean() < 40
    assert blue_crop[corner, corner].mean() < 40
    again = symbols_of(task, seed=3)
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(symbols.groups[0], again.groups[0], strict=True))
