"""A count that differs from the one before is believed only where the picture has changed by more than light."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.layout import PieceShape
from vision.appearance.canvas import Window
from vision.pieces.between_faces.gaps import GapReading, Gaps
from vision.pieces.finder import FoundPiece
from vision.pieces.shapes import PieceModel
from vision.tables.again.count_change import UNBORNE_P, TwoLooks, _in_doubt, with_changes_seen
from vision.tables.place import GAP, PlaceReading, PlaceState
from vision.tables.zone import ZoneReading

PIECE = PieceModel(12.0, 0.0, (40.0, 40.0, -900.0), 16.0, PieceShape.ROUND)
WINDOW = Window.around(np.array([[0.0, 0.0], [80.0, 80.0]]), 0.0)
TABLE, RED = (40, 70, 110), (30, 30, 170)
SPOT = FoundPiece("red", (40.0, 40.0), 0.0, 20.0, 20.0)


def picture(*colours: tuple[int, int, int], light: float = 1.0, noise: float = 2.0, seed: int = 0) -> np.ndarray:
    """Bare table with a top of each colour at the spot, in some light, with noise that hangs together over 4 mm."""
    out = np.full((WINDOW.height_px, WINDOW.width_px, 3), TABLE, np.float32)
    for colour in colours:
        x, y = np.round(WINDOW.to_px(np.array([40.0, 40.0]))).astype(int).tolist()
        cv2.circle(out, (x, y), 18, colour, -1)
    rough = np.random.default_rng(seed).normal(0.0, 12.0, out.shape).astype(np.float32)
    return np.clip(light * out + noise * cv2.blur(rough, (11, 11)), 0, 255).astype(np.uint8)


def looks(before: np.ndarray, now: np.ndarray) -> TwoLooks:
    return TwoLooks(WINDOW, before, now, (SPOT,), PIECE)


@pytest.mark.parametrize("light", [0.5, 1.0, 1.5])
def test_a_piece_in_another_light_has_not_gone_and_one_that_is_taken_has(light: float) -> None:
    stood = picture(RED)
    assert not looks(stood, picture(RED, light=light, seed=1)).shows_change(SPOT, came=False)
    assert looks(stood, picture(light=light, seed=1)).shows_change(SPOT, came=False)


@pytest.mark.parametrize("light", [0.5, 1.0, 1.5])
def test_noise_is_no_piece_that_came_and_one_that_is_laid_is_one(light: float) -> None:
    bare = picture()
    assert not looks(bare, picture(light=light, noise=6.0, seed=1)).shows_change(SPOT, came=True)
    assert looks(bare, picture(RED, light=light, seed=1)).shows_change(SPOT, came=True)


def test_a_check_of_the_cloth_in_the_colour_of_a_piece_is_none_that_came() -> None:
    check = picture((35, 35, 160))
    assert not looks(check, picture((35, 35, 160), seed=1)).shows_change(SPOT, came=True)


def test_a_piece_on_a_check_of_nearly_its_colour_is_one_that_came() -> None:
    assert looks(picture((52, 32, 146)), picture(RED, seed=1)).shows_change(SPOT, came=True)


@pytest.mark.parametrize(("sure", "p"), [(0.99, UNBORNE_P), (0.6, 0.97)])
def test_a_count_that_nothing_bears_out_is_in_doubt_where_the_one_before_was_sure(sure: float, p: float) -> None:
    def reading(seen: np.ndarray, pieces_p: float, *found: FoundPiece) -> ZoneReading:
        counts = tuple((one.colour, 1) for one in found)
        gap = PlaceReading("a|b", GAP, PlaceState.EMPTY, p=1.0, pieces=counts, pieces_p=pieces_p, found=found)
        gaps = Gaps((GapReading(counts, pieces_p, found),), (), piece=PIECE)
        return ZoneReading({"a|b": gap}, WINDOW, seen, gaps=gaps)

    before, now = picture(), picture(noise=4.0, seed=1)
    told = with_changes_seen(reading(now, 0.97, SPOT), reading(before, sure), before)
    assert told.places["a|b"].pieces_p == p
    laid = picture(RED, seed=1)
    assert with_changes_seen(reading(laid, 0.97, SPOT), reading(before, sure), before).places["a|b"].pieces_p == 0.97


def test_a_count_is_held_against_the_one_before_where_another_colour_was_doubted_then() -> None:
    doubted = (("green", 0.8),)
    counts, picture_before, picture_now = (("red", 1),), picture(), picture(noise=4.0, seed=1)
    before = PlaceReading("a|b", GAP, PlaceState.EMPTY, p=1.0, pieces_p=0.8 * 0.99, doubted=doubted)
    now = replace(before, pieces=counts, found=(SPOT,))
    zones = (
        ZoneReading({"a|b": one}, WINDOW, seen, gaps=Gaps((), (), piece=PIECE))
        for one, seen in ((now, picture_now), (before, picture_before))
    )
    told = with_changes_seen(*zones, picture_before).places["a|b"]
    assert told.slot_reading().others_p == pytest.approx(UNBORNE_P)
    assert told.doubted == doubted


def test_a_colour_that_is_doubted_by_itself_is_so_and_no_other_count() -> None:
    doubted = (("blue", 0.8), ("red", 0.98))
    gap = PlaceReading("a|b", GAP, PlaceState.EMPTY, p=1.0, pieces=(("red", 1),), pieces_p=0.9 * 0.8 * 0.98)
    one = _in_doubt(replace(gap, doubted=doubted), {"red"})
    assert one.doubted == (("blue", 0.8), ("red", UNBORNE_P))
    assert one.slot_reading().others_p == pytest.approx(0.9)
    assert _in_doubt(replace(gap, doubted=doubted), {"green"}).slot_reading().others_p == pytest.approx(UNBORNE_P)
