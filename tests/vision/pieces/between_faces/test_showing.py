"""How a black peg is expected to show: surely on a light table, less so on a darker one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.core.layout import PieceShape
from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.pieces.between_faces.showing import Chances, Showing
from vision.pieces.between_faces.table_texture import TableTexture
from vision.pieces.scene import ACCEPTED
from vision.pieces.shapes import masks

COLOURS = PieceColours.from_rgb({"black": (34, 34, 38), "yellow": (232, 196, 40)})
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.5)
PEG = masks(36.0, np.array([6.0, 12.0]), PieceShape.ROUND)


def chances(grey: float, colour: str = "black", *, known_light: bool = True) -> Chances:
    """Of a peg on a plain table of this grey level."""
    window = Window(0.0, 0.0, 60, 60)
    canvas = Canvas.without_faces(np.zeros((60, 60, 3), np.uint8), window, LIGHT)
    table = TableTexture.of(np.full((200, 3), grey))
    showing = Showing(COLOURS, colour, canvas, table, np.zeros(2), known_light=known_light)
    return showing.chances(PEG, ACCEPTED)


def test_the_lighter_the_table_the_seldomer_a_black_piece_is_missed_or_a_shadow_mistaken_for_one() -> None:
    here = [chances(grey, known_light=False) for grey in (52, 90, 120, 180)]
    assert here[0].missed > 0.1
    assert all(dark.missed > light.missed for dark, light in pairwise(here))
    mistaken = [chances(grey).mistaken for grey in (40, 52, 75, 120, 180)]
    assert mistaken[0] > 0.5
    assert all(dark > light for dark, light in pairwise(mistaken))
    assert max(here[-1].missed, mistaken[-1]) < 1e-6


def test_a_shadow_of_unknown_light_may_be_a_black_piece_but_no_yellow_one() -> None:
    assert chances(90, known_light=False).missed > chances(90, known_light=True).missed
    assert chances(60).mistaken > 0.1
    assert chances(60, "yellow") == pytest.approx(Chances(0.0, 0.0), abs=1e-6)


def test_a_count_is_as_right_as_missing_and_mistaking_allow() -> None:
    seldom_missed = Chances(missed=0.1, mistaken=0.5)
    assert seldom_missed.count_is_right(counted=False) == pytest.approx(0.5 / 0.6)
    assert seldom_missed.count_is_right(counted=True) == pytest.approx(0.9 / 1.4)
    assert Chances(1.0, 0.0).count_is_right(counted=False) == 0.5
    assert Chances(1.0, 0.0).count_is_right(counted=True) == 0.0
