"""A person who is asked about a place is told what is wrong there, and what to do."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.layout import TableLayout
from vision.locate.camera_model import Camera
from vision.locate.pose import NotLocated, TablePose
from vision.pieces.finder import FoundPiece
from vision.pieces.probability import Counted
from vision.scenes import asks
from vision.scenes.asks import what_to_do
from vision.tables.place import TILE, PlaceReading, PlaceState
from vision.tables.table_reader import TableReading

POSE = TablePose(Camera.estimated((640, 480)), np.zeros(3), np.array([0.0, 0.0, 900.0]), "markers", 0.1)
LAYOUT = TableLayout(())
CORNERS = np.array([[-27.5, -27.5], [27.5, -27.5], [27.5, 27.5], [-27.5, 27.5]])
SURE = PlaceReading("r1c1", TILE, PlaceState.FACE, "leaf", 0.99, 0, (("leaf", 0.99),), corners_mm=CORNERS)
TWINS = replace(
    SURE, state=PlaceState.UNKNOWN, face=None, p=0.5, alternatives=(("leaf", 0.5), ("its twin", 0.49), ("sea", 0.001))
)


def piece(x: float, y: float, evidence: float = 200.0, margin: float = 200.0) -> FoundPiece:
    return FoundPiece("red", (x, y), 0.0, evidence, margin)


def scan(digit_at: tuple[int, int]) -> np.ndarray:
    """A leaf with its digit in one place or another."""
    out = np.full((110, 110, 3), 90, np.uint8)
    cv2.rectangle(out, digit_at, (digit_at[0] + 8, digit_at[1] + 8), (250, 250, 250), -1)
    return out


# the twins differ about 15 mm right of and below the middle
SCANS = {"leaf": scan((80, 80)), "its twin": scan((88, 80)), "sea": scan((10, 10))}


def told(one: PlaceReading) -> str:
    return str(what_to_do(TableReading(POSE, (one,)), LAYOUT, SCANS)[one.slot])


def test_of_what_is_sure_and_of_a_table_that_was_not_found_nothing_is_said() -> None:
    assert what_to_do(TableReading(POSE, (SURE,)), LAYOUT, SCANS) == {}
    assert what_to_do(TableReading(NotLocated("dark"), (TWINS,)), LAYOUT, SCANS) == {}


@pytest.mark.parametrize(("at", "hides"), [((15.0, 15.0), True), ((-15.0, -15.0), False)])
def test_twins_are_named_with_whether_a_piece_hides_what_tells_them_apart(
    at: tuple[float, float], hides: bool
) -> None:
    words = told(replace(TWINS, found=(piece(*at),)))
    assert words.startswith("leaf, its twin: ")
    assert ("Move them aside" in words, "More light" in words) == (hides, not hides)


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (replace(SURE, state=PlaceState.COVERED), asks.COVERED),
        (replace(SURE, state=PlaceState.OUTSIDE), asks.OUTSIDE),
        (replace(TWINS, alternatives=(), p=0.0), asks.NO_TILE),
        (replace(SURE, pieces_p=0.1, counted=Counted(float("inf"), 0.0, 250.0)), asks.STRANGE_LIGHT),
        (replace(SURE, pieces_p=0.1, found=(piece(0, 0),), counted=Counted(200.0, 30.0, 0.0)), asks.ONE_MORE),
    ],
    ids=["covered", "outside", "no tile", "light", "one more piece"],
)
def test_each_cause_has_its_own_words(one: PlaceReading, words: str) -> None:
    assert told(one) == words


def test_a_piece_for_which_little_speaks_is_named() -> None:
    found = (replace(piece(0, 0), colour="blue"), piece(9, 9, 12.0))
    assert "the red piece may be none" in told(replace(SURE, pieces_p=0.8, found=found, counted=Counted(12.0, 0, 0)))


def test_one_likely_face_is_not_told_apart_from_others() -> None:
    words = told(replace(TWINS, alternatives=(("leaf", 0.95), ("sea", 0.001)), p=0.3))
    assert words.startswith("likely leaf")
