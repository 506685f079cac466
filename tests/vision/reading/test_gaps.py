"""Round pegs on bare table between faces: counted by colour, and a colour of the table itself is told to be one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.layout import TableLayout
from vision.canvas import Window
from vision.colours import PictureLight, PieceColours
from vision.gaps import GapReader, Gaps, canvas_without_faces, cut_out, light_over, polygon_mask, rows_and_columns
from vision.laid import PX_PER_MM

COLOURS = PieceColours.from_rgb({"blue": (36, 74, 160), "yellow": (232, 196, 40), "black": (34, 34, 38)})
LAYOUT = TableLayout((), piece_height_mm=16.0, piece_side_mm=12.0, round_pieces=True)
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.5)
EYE = (0.0, 0.0, -900.0)
LEFT, RIGHT = (np.array([[x - 13, -34], [x + 13, -34], [x + 13, 34], [x - 13, 34]], float) for x in (-15, 15))
WINDOW = Window.around(np.vstack([LEFT, RIGHT]), 32.0)


def read(
    table_bgr: tuple[int, int, int],
    pegs: list[tuple[str, float, float]],
    slope: float = 0.0,
    hidden: np.ndarray | None = None,
) -> Gaps:
    """Pegs (colour, x, y mm) seen from straight above on a plain table, darker by `slope` from left to right.

    `hidden`: a place (4, 2) mm over which something unknown lies.
    """
    seen = np.full((WINDOW.height_px, WINDOW.width_px, 3), table_bgr, np.uint8)
    bgr = dict(zip(COLOURS.names, COLOURS.bgr, strict=True))
    for colour, x, y in pegs:
        centre = np.round(WINDOW.to_px(np.array([x, y]) * 900 / 884) * 16).astype(int)
        cv2.circle(seen, centre.tolist(), round(6 * PX_PER_MM * 16), bgr[colour], -1, cv2.LINE_AA, 4)
    fall = 1.0 - slope * np.linspace(0, 1, WINDOW.width_px)[None, :, None]
    noise = np.random.default_rng(4).normal(0, 1.5, seen.shape)
    seen = np.clip(cv2.GaussianBlur(seen, (0, 0), 0.6) * fall + noise, 0, 255).astype(np.uint8)
    whole = np.array([[-28.0, -34.0], [28.0, -34.0], [28.0, 34.0], [-28.0, 34.0]])
    ring = ~polygon_mask(WINDOW, [whole], 16.0)
    unknown = np.zeros(seen.shape[:2], bool) if hidden is None else polygon_mask(WINDOW, [hidden], 0.0)
    reader = GapReader(WINDOW, [LEFT, RIGHT], COLOURS, LAYOUT)
    return reader.read(canvas_without_faces(seen, WINDOW, LIGHT), ring, unknown, EYE)


def test_pegs_that_touch_are_counted_by_colour_in_the_gap_they_stand_in() -> None:
    gaps = read((180, 190, 200), [("blue", -15, 0), ("yellow", -15, 12.2), ("black", 15, -10), ("black", 15, 2.2)])
    assert [g.counts for g in gaps.readings] == [(("blue", 1), ("yellow", 1)), (("black", 2),)]
    assert all(g.p > 0.9 for g in gaps.readings)
    assert gaps.hidden == ()


def test_bare_gaps_are_empty_and_sure() -> None:
    gaps = read((60, 120, 70), [])
    assert [g.counts for g in gaps.readings] == [(), ()]
    assert all(g.p > 0.9 for g in gaps.readings)


def test_a_gap_half_under_something_unknown_is_not_believed_and_the_other_is() -> None:
    upper_half = np.array([[-28.0, -34.0], [-2.0, -34.0], [-2.0, 0.0], [-28.0, 0.0]])
    gaps = read((180, 190, 200), [("yellow", 15, 0)], hidden=upper_half)
    assert gaps.readings[0].p <= 0.5
    assert gaps.readings[1].counts == (("yellow", 1),)
    assert gaps.readings[1].p > 0.9


def test_light_that_falls_off_over_the_table_is_no_piece() -> None:
    gaps = read((90, 95, 100), [("yellow", 15, 0)], slope=0.2)
    assert [g.counts for g in gaps.readings] == [(), (("yellow", 1),)]


def test_a_colour_of_the_table_itself_is_told_and_leaves_no_gap_sure() -> None:
    gaps = read((37, 33, 35), [("black", -15, 0), ("yellow", 15, 0)])
    assert gaps.hidden == ("black",)
    assert gaps.readings[1].counts == (("yellow", 1),)
    assert all(g.p <= 0.5 for g in gaps.readings)


def test_the_light_over_a_plain_table_is_found_with_a_piece_on_it() -> None:
    fall = np.broadcast_to(1.1 - 0.2 * np.linspace(0, 1, 200)[None, :, None], (150, 200, 3))
    soft = (100.0 * fall).astype(np.float32)
    soft[60:80, 60:80] = 240.0
    level = light_over(soft, np.ones((150, 200), bool))[..., 0]
    assert level[10, [5, 100, 195]] == pytest.approx([1.095, 1.0, 0.905], abs=0.02)


def test_a_part_of_a_canvas_keeps_its_place_on_the_table() -> None:
    canvas = canvas_without_faces(np.zeros((WINDOW.height_px, WINDOW.width_px, 3), np.uint8), WINDOW, LIGHT)
    part = cut_out(canvas, np.array([-10.0, -20.0]), np.array([12.0, 8.0]))
    rows, columns = rows_and_columns(WINDOW, part.window)
    assert (rows.stop - rows.start, columns.stop - columns.start) == part.seen.shape[:2]
    first = WINDOW.to_mm(np.array([columns.start, rows.start]))
    assert part.window.to_mm(np.zeros(2)) == pytest.approx(first)
