"""Piece colours are learnt from one picture, and pairs that look alike are named."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.piece_colours.colour_enrolment import (
    ColourReport,
    piece_colours,
    read_report,
    with_earlier,
    write_report,
)
from calibration.piece_colours.colours import ColourPair, StandingPiece, check_colours, enrol_colours, top_colours
from calibration.piece_colours.piece_columns import columns_of_pieces, not_seen
from companion.app.files.atomic_write import write_whole
from companion.core.errors import DataError
from vision.appearance.picture_light import PieceColours
from vision.locate.pose import TablePose, locate_table
from vision.scenes.scene_set import SceneSet, picture

SAMPLE = Path(__file__).parents[1] / "vision" / "fixtures" / "sample"


@pytest.fixture(scope="module")
def enrolment() -> tuple[np.ndarray, TablePose, list[StandingPiece], SceneSet]:
    scenes = SceneSet(SAMPLE)
    image = picture(SAMPLE / "enrol" / "cubes.jpg")
    cubes = json.loads((SAMPLE / "enrol" / "cubes.json").read_text(encoding="utf-8"))["cubes"]
    pose = locate_table(image, scenes.plan.markers)
    assert isinstance(pose, TablePose)
    return image, pose, [StandingPiece(c["colour"], (c["xy"][0], c["xy"][1])) for c in cubes], scenes


def test_learnt_colours_are_near_those_the_layout_names(enrolment) -> None:
    image, pose, pieces, scenes = enrolment
    learnt = enrol_colours(image, pose, pieces, scenes.plan.markers)
    for name, bgr in zip(learnt.colours.names, learnt.colours.bgr, strict=True):
        nominal = dict(zip(scenes.plan.colours.names, scenes.plan.colours.bgr, strict=True))[name]
        # paper and print are only roughly what they are taken for: a quarter of the range is the bound
        assert np.abs(np.array(bgr) - nominal).max() < 64, name


def test_different_colours_are_clear_and_equal_ones_too_close(enrolment) -> None:
    image, pose, pieces, _ = enrolment
    seen = top_colours(image, pose, pieces)
    assert check_colours(seen)[-1].verdict == "clear"
    first = next(iter(seen))
    (pair,) = check_colours({"one": seen[first], "other": seen[first] + 2.0})
    assert pair.verdict == "too close"


def test_a_piece_outside_the_picture_is_named(enrolment) -> None:
    image, pose, _, _ = enrolment
    with pytest.raises(DataError, match="outside"):
        top_colours(image, pose, [StandingPiece("pink", (5000.0, 0.0))])


def test_pieces_are_found_column_by_column_within_two_mm(enrolment) -> None:
    image, pose, pieces, scenes = enrolment
    names = list(dict.fromkeys(p.colour for p in sorted(pieces, key=lambda p: p.xy_mm[0])))
    found = columns_of_pieces(image, pose, names, scenes.plan.markers)
    assert sorted(p.colour for p in found) == sorted(p.colour for p in pieces)
    for piece in found:
        nearest = min(np.hypot(*np.subtract(piece.xy_mm, p.xy_mm)) for p in pieces if p.colour == piece.colour)
        assert nearest <= 2.0, piece


@pytest.mark.parametrize(
    ("middles_mm", "hidden"),
    [
        ((-85, -51, 17, 50, 84), ("closed rift",)),
        ((-51, -17, 17, 50, 84), ("enemy", "temple of air")),  # either end may be missing
        ((-85, 17, 50, 84), ("active rift", "closed rift")),
        ((-83, -57, 22, 44, 84), ()),  # they stand unevenly: any may be missing
        ((-85, -58, -23, 50, 85), ("temple of fire",)),  # one pair is nearer than the others
        ((-85, -51, -17, 17, 50, 84), ()),
        ((3,), ()),
    ],
)
def test_columns_that_stand_evenly_tell_which_is_not_seen(middles_mm, hidden) -> None:
    names = ("enemy", "active rift", "closed rift", "temple of fire", "temple of earth", "temple of air")
    assert not_seen(middles_mm, names) == hidden


def test_the_column_that_is_not_seen_is_named(enrolment) -> None:
    image, pose, pieces, scenes = enrolment
    xs = sorted({round(piece.xy_mm[0]) for piece in pieces})
    with pytest.raises(DataError, match=f"got {len(xs)} .*not seen: 1 of first, last") as refused:
        columns_of_pieces(image, pose, ["first", "b", "c", "d", "last"], scenes.plan.markers)
    assert "white paper or a dark cloth" in (refused.value.remedy or "")


def test_what_was_learnt_of_the_other_group_stays_and_what_is_of_no_piece_of_the_game_does_not() -> None:
    def report(*names: str) -> ColourReport:
        pairs = tuple(ColourPair(a, b, 30.0, "good") for a, b in pairwise(names))
        return ColourReport(PieceColours(names, tuple((float(len(n)), 0.0, 0.0) for n in names)), names[:1], pairs)

    both = with_earlier(report("enemy", "rift"), report("yellow", "blue", "pink"), ("yellow", "blue", "enemy", "rift"))
    assert both.colours.names == ("enemy", "rift", "yellow", "blue")
    assert both.overexposed == ("enemy", "yellow")
    assert [(pair.first, pair.second) for pair in both.pairs] == [("enemy", "rift"), ("yellow", "blue")]
    assert with_earlier(report("enemy"), None, ("enemy", "rift")).colours.names == ("enemy",)


def test_colours_of_the_same_names_of_another_game_are_not_those_of_this_one(tmp_path: Path) -> None:
    report = ColourReport(PieceColours(("yellow",), ((10.0, 200.0, 220.0),)), (), (), "spyrium")
    kept = with_earlier(report, ColourReport(PieceColours(("blue",), ((200.0, 90.0, 20.0),)), (), (), "spyrium"),
                        ("yellow", "blue"))
    write_report(tmp_path / "colours.json", kept, write_whole)
    read = read_report(tmp_path / "colours.json")
    assert (read.colours.names, read.game) == (("yellow", "blue"), "spyrium")
    assert [read.may_be_of(game) for game in ("spyrium", "rifts")] == [True, False]
    assert ColourReport(read.colours, (), ()).may_be_of("rifts"), "a file of before says of no game"


def painted(image: np.ndarray, pose: TablePose, xy_mm: tuple[float, float], bgr: tuple[int, int, int]) -> np.ndarray:
    """A copy with a flat square of a piece's size in that colour."""
    square = np.array([(xy_mm[0] + x, xy_mm[1] + y, -10.0) for x, y in ((-5, -5), (5, -5), (5, 5), (-5, 5))])
    out = image.copy()
    cv2.fillConvexPoly(out, np.round(pose.project(square)).astype(np.int32), bgr, cv2.LINE_AA)
    return out


def test_a_stranger_in_a_column_is_no_piece_of_it(enrolment) -> None:
    image, pose, _, scenes = enrolment
    with_green = painted(image, pose, (30.0, 80.0), (40, 160, 40))
    with pytest.raises(DataError, match="the column of pink holds different colours"):
        columns_of_pieces(with_green, pose, ["purple", "gray", "pink", "white"], scenes.plan.markers)


def test_what_may_be_a_shadow_is_not_taken_for_a_piece(enrolment) -> None:
    image, pose, _, scenes = enrolment
    x, y = pose.project(np.array([[150.0, 0.0, -10.0]]))[0].round().astype(int)
    table = image[y - 6 : y + 6, x - 6 : x + 6].reshape(-1, 3).mean(0)
    shaded = painted(image, pose, (150.0, 0.0), tuple(int(v) for v in table * 0.45))
    with pytest.raises(DataError, match="the column of brown cannot be told from shadows"):
        columns_of_pieces(shaded, pose, ["purple", "gray", "pink", "white", "brown"], scenes.plan.markers)


def test_an_empty_table_holds_no_columns(enrolment) -> None:
    _, _, _, scenes = enrolment
    flat = np.full((720, 1280, 3), 120, np.uint8)
    pose = enrolment[1]
    with pytest.raises(DataError, match=r"expected 1 columns.*got 0"):
        columns_of_pieces(flat, pose, ["pink"], scenes.plan.markers)


def test_colours_that_were_not_learnt_are_taken_by_name_and_unknown_ones_refused() -> None:
    assert piece_colours(("pink", "gray"), None).names == ("pink", "gray")
    learnt = PieceColours(("pink",), ((10.0, 20.0, 30.0),))
    assert piece_colours(("pink",), learnt).bgr == ((10.0, 20.0, 30.0),)
    with pytest.raises(DataError, match="the colour of gray pieces is not known"):
        piece_colours(("pink", "gray"), learnt)


def test_colours_learnt_here_come_before_those_that_a_box_brings() -> None:
    here = PieceColours(("pink",), ((1.0, 2.0, 3.0),))
    brought = PieceColours(("pink", "gray"), ((9.0, 9.0, 9.0), (7.0, 7.0, 7.0)))
    assert piece_colours(("pink", "gray"), here, brought).bgr == ((1.0, 2.0, 3.0), (7.0, 7.0, 7.0))
    assert piece_colours(("pink",), None, brought).bgr == ((9.0, 9.0, 9.0),)
