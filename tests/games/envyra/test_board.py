"""What lies on the table: places in millimetres, what is seen while something happens, faces that look the same."""

from __future__ import annotations

import pytest
from clause_examples import play
from envyra_positions import position, rules_of

from companion.core.layout import SlotView


def test_the_grid_is_centred_with_row_one_at_the_top():
    outlines = {o.slot: o.corners_mm for o in rules_of(4).layout().slots}
    assert len(outlines) == 12
    # 4 columns and 3 rows at a pitch of 62 mm: the first tile's centre is 1.5 pitches left of and 1 above the origin
    assert outlines["r1c1"] == ((-120.5, -89.5), (-65.5, -89.5), (-65.5, -34.5), (-120.5, -34.5))
    assert outlines["r2c1"][0] == (-120.5, -27.5)
    assert outlines["r3c4"][2] == (120.5, 89.5)
    middle = rules_of(3).layout()
    assert {o.slot: o.corners_mm for o in middle.slots}["r2c2"][0] == (-27.5, -27.5)
    assert (middle.face_thickness_mm, middle.piece_height_mm) == (2.0, 10.0)


def test_cubes_are_seen_by_the_colour_of_the_seat():
    rules = rules_of(3)
    state = position(rules, cubes={"r2c3": "BA", "r3c2": "BB"})
    assert rules.board(state).at("r2c3") == SlotView("water-2-a", None, (("gray", 1), ("purple", 1)))
    assert rules.board(state).at("r3c2") == SlotView("fire-1-b", None, (("gray", 2),))


def test_a_cube_that_captures_is_first_seen_lying_then_the_tile_is_gone():
    rules = rules_of(3)
    state = position(rules, phase="move", cubes={"r2c3": "BB"}, boards={"A": "r2c3", "B": "r1c2"})
    path = rules.board_path(state, rules.parse("A move r2c3"))
    assert [view.at("r2c3") for view in path] == [
        SlotView("water-2-a", None, (("gray", 2), ("purple", 1))),
        SlotView(),
    ]


def test_cubes_taken_back_at_the_end_of_the_round_are_seen_last():
    rules = rules_of(3)
    state = position(rules, phase="move", turn=2, cubes={"r1c2": "C", "r2c3": "CC", "r3c3": "C"}, boards={"C": "r3c2"})
    path = rules.board_path(state, rules.parse("C move r3c2"))
    assert [view.at("r3c2").pieces for view in path] == [(("pink", 1),), ()]
    assert [view.at("r2c3").pieces for view in path] == [(("pink", 2),), ()]


def test_the_tile_that_ends_a_round_is_seen_lying_before_cubes_come_back():
    rules = rules_of(3)
    boards = {"A": "r1c1", "C": "r3c2"}
    cubes = {"r1c2": "C", "r2c3": "CC", "r3c3": "C"}
    state = position(rules, phase="move", cubes=cubes, boards=boards)
    state = play(rules, state, ["A move r1c1", "C move r3c2"])
    path = rules.board_path(state, rules.parse("refill r1c1 flora-4-a"))
    assert [view.at("r1c1").face for view in path] == ["flora-4-a", "flora-4-a"]
    assert [view.at("r2c3").pieces for view in path] == [(("pink", 2),), ()]


def test_a_tile_put_aside_never_lies_in_the_grid():
    rules = rules_of(3)
    state = position(
        rules,
        phase="refill",
        slot="r1c1",
        grid="- " + "flora-1-b flora-2-a water-1-a water-1-b water-2-a fire-1-a fire-1-b fire-2-a",
    )
    path = rules.board_path(state, rules.parse("refill r1c1 end"))
    assert [view.at("r1c1").face for view in path] == [None]


def test_a_removed_tile_is_gone():
    rules = rules_of(3)
    grid = "flora-1-c flora-3-b flora-4-b water-3-b fire-3-b bonus-2-b bonus-3-b flora-2-c fire-4-b"
    owned = {"B": "water-1-a fire-1-a", "C": "water-1-b fire-2-a"}
    state = position(rules, phase="remove", grid=grid, owned=owned)
    assert [view.at("r1c2").face for view in rules.board_path(state, rules.parse("A remove r1c2"))] == [None]


def test_tiles_that_look_the_same_are_one_face():
    rules = rules_of(3)
    assert rules.same_face("flora-2-b") == "flora-2-a"
    assert rules.same_face("flora-1-b") == "flora-1-b"
    assert rules.same_face("no-such-face") == "no-such-face"


def test_two_players_never_see_a_tile_for_three():
    assert "flora-2-c" not in rules_of(2).faces()
    assert "flora-2-c" in rules_of(3).faces()


@pytest.mark.parametrize(
    ("corner", "first", "second"),
    [("tl", "r1c1", "r1c2"), ("tr", "r1c4", "r2c4"), ("br", "r3c4", "r3c3"), ("bl", "r3c1", "r2c1")],
)
def test_the_grid_is_filled_as_seen_from_the_red_corner(corner, first, second):
    rules = rules_of(4, corner=corner)
    state = rules.initial()
    assert rules.chance_outcomes(state)[0].draw.slot == first
    assert rules.chance_outcomes(rules.apply(state, rules.chance_outcomes(state)[0].draw))[0].draw.slot == second
