"""Round pegs on bare table between faces: counted by colour, and a colour of the table itself is told to be one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.layout import PieceShape, TableLayout
from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.between_faces.gaps import GapReader, Gaps, light_over
from vision.pieces.finder import Examined, PieceFinder

COLOURS = PieceColours.from_rgb({"blue": (36, 74, 160), "yellow": (232, 196, 40), "black": (34, 34, 38)})
LAYOUT = TableLayout((), piece_height_mm=16.0, piece_side_mm=12.0, piece_shape=PieceShape.ROUND)
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 1.5, 0.5)
EYE = (0.0, 0.0, -900.0)
LEFT, RIGHT = (np.array([[x - 13, -34], [x + 13, -34], [x + 13, 34], [x - 13, 34]], float) for x in (-15, 15))
WINDOW = Window.around(np.vstack([LEFT, RIGHT]), 32.0)


def read(
    table_bgr: tuple[int, int, int],
    pegs: list[tuple[str, float, float]],
    slope: float = 0.0,
    hidden: np.ndarray | None = None,
    shadow: tuple[float, float] | None = None,
    eye: tuple[float, float, float] = EYE,
    in_pane: float = 1.0,
    checks: tuple[int, int, int] | None = None,
    light: PictureLight = LIGHT,
) -> Gaps:
    """Pegs (colour, x, y mm) seen from `eye` on a plain table, darker by `slope` from left to right.

    `hidden`: a place (4, 2) mm over which something unknown lies. `shadow`: how far each casts one, mm. `in_pane`: how
    many times as bright the left gap is, in a pane of sun. `checks`: the colour of every other square of a cloth.
    `light`: what is known of it.
    """
    seen = np.full((WINDOW.height_px, WINDOW.width_px, 3), table_bgr, np.uint8)
    if checks is not None:
        rows, columns = np.indices(seen.shape[:2]) // 45
        seen[(rows + columns) % 2 == 1] = checks
    lit = np.ones(seen.shape[:2], np.float32)
    bgr = dict(zip(COLOURS.names, COLOURS.bgr, strict=True))
    for _, x, y in pegs if shadow else ():
        foot, tip = (np.array([x, y]) + t * np.array(shadow) for t in (0, 1))
        sun = np.ones(seen.shape[:2], np.float32)
        for at in np.linspace(foot, tip, 40):
            centre = np.round(WINDOW.to_px(at) * 16).astype(int)
            cv2.circle(sun, centre.tolist(), round(6 * PX_PER_MM * 16), 0.55, -1, cv2.LINE_AA, 4)
        lit = np.minimum(lit, cv2.GaussianBlur(sun, (0, 0), 2.0))
    seen = (seen * lit[..., None]).astype(np.uint8)
    for colour, x, y in sorted(pegs, key=lambda peg: peg[2]):  # those in front last
        foot = np.array([x, y])
        top = np.array(eye[:2]) + (foot - eye[:2]) * 900 / 884
        for share, at in ((0.6, np.linspace(foot, top, 30)), (1.0, top[None])):
            for spot in at:
                centre = np.round(WINDOW.to_px(spot) * 16).astype(int).tolist()
                paint = tuple(share * c for c in bgr[colour])
                cv2.circle(seen, centre, round(6 * PX_PER_MM * 16), paint, -1, cv2.LINE_AA, 4)
    fall = 1.0 - slope * np.linspace(0, 1, WINDOW.width_px)[None, :, None]
    noise = np.random.default_rng(4).normal(0, 1.5, seen.shape)
    pane = np.where(WINDOW.mask([LEFT], 0.0)[..., None], in_pane, 1.0)
    seen = np.clip(cv2.GaussianBlur(np.clip(seen * pane, 0, 255), (0, 0), 0.6) * fall + noise, 0, 255).astype(np.uint8)
    whole = np.array([[-28.0, -34.0], [28.0, -34.0], [28.0, 34.0], [-28.0, 34.0]])
    ring = ~WINDOW.mask([whole], 16.0)
    unknown = np.zeros(seen.shape[:2], bool) if hidden is None else WINDOW.mask([hidden], 0.0)
    reader = GapReader(WINDOW, [LEFT, RIGHT], COLOURS, LAYOUT)
    return reader.read(Canvas.without_faces(seen, WINDOW, light), ring, unknown, eye)


def test_pegs_that_touch_are_counted_by_colour_in_the_gap_they_stand_in() -> None:
    gaps = read((180, 190, 200), [("blue", -15, 0), ("yellow", -15, 12.2), ("black", 15, -10), ("black", 15, 2.2)])
    assert [g.counts for g in gaps.readings] == [(("blue", 1), ("yellow", 1)), (("black", 2),)]
    assert all(g.p > 0.9 for g in gaps.readings)
    assert gaps.hidden == ()


def test_of_five_pegs_of_one_colour_that_touch_none_is_lost() -> None:
    """Seen aslant, one peg alone fits best in the middle of two."""
    feet = [(-20.5, -7.5), (-8.4, -6.6), (-14.5, -18.0), (-17.2, 4.3), (-9.8, 14.0)]
    pegs = [*(("blue", x, y) for x, y in feet), ("yellow", 15.0, 0.0)]
    gaps = read((180, 190, 200), pegs, eye=(100.0, 650.0, -900.0))
    assert [g.counts for g in gaps.readings] == [(("blue", 5),), (("yellow", 1),)]
    assert all(g.p > 0.9 for g in gaps.readings)


def test_the_shadow_tells_a_peg_of_the_tables_own_colour() -> None:
    """The shadows of the yellow pegs tell where the light is; nobody is sure of a table with such pegs all the same."""
    table, shadow = (159, 74, 37), (-10.0, 14.0)
    yellow = [("yellow", -18.0, -22.0), ("yellow", 15.0, 20.0), ("yellow", 18.0, -25.0)]
    gaps = read(table, [*yellow, ("blue", -12.0, 8.0)], shadow=shadow)
    assert [g.counts for g in gaps.readings] == [(("blue", 1), ("yellow", 1)), (("yellow", 2),)]
    assert gaps.hidden == ("blue",)
    assert all(g.p < 0.9 for g in gaps.readings)
    bare = read(table, yellow, shadow=shadow)
    assert [g.counts for g in bare.readings] == [(("yellow", 1),), (("yellow", 2),)]


def test_all_gaps_are_examined_once_for_the_light_and_for_their_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Window] = []
    examine = PieceFinder.examine

    def counted(finder: PieceFinder, canvas: Canvas) -> Examined:
        seen.append(canvas.window)
        return examine(finder, canvas)

    monkeypatch.setattr(PieceFinder, "examine", counted)
    gaps = read((180, 190, 200), [("yellow", -18.0, -22.0), ("blue", 15.0, -20.0)], shadow=(-8.0, 22.0))
    assert gaps.cast is not None
    assert gaps.cast.slope != (0.0, 0.0)
    assert len(seen) == 1


def test_a_shadow_on_a_dark_table_is_no_black_peg() -> None:
    pegs = [("yellow", -18.0, -22.0), ("yellow", 15.0, 20.0), ("blue", 15.0, -20.0)]
    gaps = read((70, 68, 66), pegs, shadow=(-8.0, 22.0))
    assert [g.counts for g in gaps.readings] == [(("yellow", 1),), (("blue", 1), ("yellow", 1))]


FELT = (24, 105, 95)
ASLANT = (100.0, 350.0, -900.0)


@pytest.mark.parametrize("sun", [1.3, 1.5, 1.8, 2.2])
def test_a_pane_of_sun_on_the_table_is_no_peg(sun: float) -> None:
    gaps = read(FELT, [("yellow", 15, 0)], in_pane=sun, eye=ASLANT)
    assert [g.counts for g in gaps.readings] == [(), (("yellow", 1),)]


@pytest.mark.parametrize("sun", [1.3, 1.5, 1.8, 2.2])
@pytest.mark.parametrize("colour", ["yellow", "blue"])
def test_a_peg_in_the_sun_is_counted_once_or_the_gap_is_not_believed(sun: float, colour: str) -> None:
    left, _ = read(FELT, [(colour, -15, 0), ("yellow", 15, 0)], in_pane=sun, eye=ASLANT).readings
    assert left.counts == ((colour, 1),) or left.p < 0.6
    assert left.counts == ((colour, 1),) or sun > 1.5


def test_bare_gaps_are_empty_and_sure() -> None:
    gaps = read((60, 120, 70), [])
    assert [g.counts for g in gaps.readings] == [(), ()]
    assert all(g.p > 0.9 for g in gaps.readings)


def test_no_count_is_believed_in_a_light_of_which_only_the_least_is_known() -> None:
    gaps = read((60, 120, 70), [("yellow", 15, 0)], light=replace(LIGHT, at_least=True))
    assert [g.counts for g in gaps.readings] == [(), (("yellow", 1),)]
    assert all(g.p <= 0.5 for g in gaps.readings)


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


def test_a_colour_that_is_not_looked_for_leaves_the_others_as_sure_as_they_are() -> None:
    alone = read((37, 33, 35), [("black", -15, 0)]).readings[1]
    assert dict(alone.doubted) == {"black": 0.5}
    assert alone.p / 0.5 > 0.9


def test_the_light_over_a_plain_table_is_found_with_a_piece_on_it() -> None:
    fall = np.broadcast_to(1.1 - 0.2 * np.linspace(0, 1, 200)[None, :, None], (150, 200, 3))
    soft = (100.0 * fall).astype(np.float32)
    soft[60:80, 60:80] = 240.0
    level = light_over(soft, np.ones((150, 200), bool))[..., 0]
    assert level[10, [5, 100, 195]] == pytest.approx([1.095, 1.0, 0.905], abs=0.02)


def test_without_any_table_in_view_no_gap_is_believed_and_none_is_an_error() -> None:
    """The camera shows no more than cards: all around is out of the picture, and what lies between is hidden."""
    black = Canvas.without_faces(np.zeros((WINDOW.height_px, WINDOW.width_px, 3), np.uint8), WINDOW, LIGHT)
    nothing = np.zeros((WINDOW.height_px, WINDOW.width_px), bool)
    reader = GapReader(WINDOW, [LEFT, RIGHT], COLOURS, LAYOUT)
    for unknown in (nothing, ~nothing):
        gaps = reader.read(black, nothing, unknown, EYE)
        assert [gap.p <= 0.5 for gap in gaps.readings] == [True, True]


def test_a_part_of_a_canvas_keeps_its_place_on_the_table() -> None:
    canvas = Canvas.without_faces(np.zeros((WINDOW.height_px, WINDOW.width_px, 3), np.uint8), WINDOW, LIGHT)
    rows, columns = WINDOW.box(np.array([[-10.0, -20.0], [12.0, 8.0]]), 0.0)
    part = canvas.part((rows, columns))
    assert (rows.stop - rows.start, columns.stop - columns.start) == part.seen.shape[:2]
    first = WINDOW.to_mm(np.array([columns.start, rows.start]))
    assert part.window.to_mm(np.zeros(2)) == pytest.approx(first)


def test_a_heap_of_spare_pegs_beside_the_faces_makes_no_table_of_their_colour() -> None:
    in_play = [("blue", -15.0, 0.0), ("yellow", 15.0, 10.0)]
    heap = [("blue", x, y) for x in (47.0, 59.0) for y in (-18.0, -6.0, 6.0, 18.0)]
    gaps = read((130, 160, 140), in_play + heap)
    assert [g.counts for g in gaps.readings] == [(("blue", 1),), (("yellow", 1),)]
    assert all(g.p > 0.9 and not g.doubted for g in gaps.readings)


@pytest.mark.parametrize("foot", [(-15.0, 0.0), (-11.0, 14.0)])
def test_a_peg_of_the_hue_of_a_darker_check_of_the_cloth_is_no_sun_on_it(foot: tuple[float, float]) -> None:
    gaps = read((90, 150, 165), [("yellow", *foot)], checks=(25, 117, 139))
    assert [g.counts for g in gaps.readings] == [(("yellow", 1),), ()]
