"""Facts about the votes of spaces: which pieces they add up to, and how surely."""

from __future__ import annotations

from dataclasses import replace

import pytest
from map_plan_kit import PAIR, STEP_MM, hexagon

from vision.tables.face_at_place import LIKE_A_FACE
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.place import LOCATION, PlaceReading, PlaceState
from vision.tables.zone import SpaceReading

OTHER = SpacePiece("other", ("third", "second-again"), ((0.0, 0.0), (STEP_MM, 0.0)))
SAME = {"first": "first", "second": "second", "third": "third", "second-again": "second"}


@pytest.fixture(scope="module")
def votes() -> SpaceVotes:
    return SpaceVotes(MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(4)], [PAIR, OTHER]), SAME)


def seen(face: str, p: float = 0.99, turn: int = 0) -> SpaceReading:
    return SpaceReading(face, turn, p, LIKE_A_FACE)


def test_two_spaces_that_agree_name_their_piece(votes: SpaceVotes) -> None:
    slots, used, shown = votes.named({"s1": seen("first"), "s2": seen("second")}, {})
    assert (slots["s1"].state, slots["s1"].face, slots["s1"].turn) == (PlaceState.FACE, "pair", 0)
    assert slots["s1"].p == pytest.approx(1 - 0.01**2)
    assert slots["s2"].state is PlaceState.EMPTY
    assert used == {"s1", "s2"}
    assert {slot: one.face for slot, one in shown.items()} == {"s1": "first", "s2": "second"}
    assert {one.tile for one in shown.values()} == {"s1"}


def test_a_face_that_two_pieces_have_votes_for_both_and_the_other_space_decides(votes: SpaceVotes) -> None:
    slots, used, _ = votes.named({"s1": seen("third", 0.7), "s2": seen("second")}, {})
    assert slots["s1"].face == "other"
    assert used == {"s1", "s2"}


def test_one_space_alone_is_believed_to_a_half(votes: SpaceVotes) -> None:
    slots, _, shown = votes.named({"s0": seen("first")}, {})
    assert slots["s0"].state is PlaceState.UNKNOWN
    assert slots["s0"].alternatives == (("pair", 0.5),)
    assert not shown


def test_a_faint_space_bears_out_one_that_is_clear_and_names_nothing_without_it(votes: SpaceVotes) -> None:
    faint = replace(seen("second"), likeness=0.6 * LIKE_A_FACE)
    slots, _, shown = votes.named({"s1": seen("first"), "s2": faint}, {})
    assert slots["s1"].face == "pair"
    assert set(shown) == {"s1", "s2"}
    for other in (replace(faint, turn=1), replace(faint, p=0.8)):
        assert votes.named({"s1": seen("first"), "s2": other}, {})[0]["s1"].alternatives == (("pair", 0.5),)
    slots, _, shown = votes.named({"s1": replace(faint, face="first"), "s2": faint}, {})
    assert slots["s1"].alternatives == (("pair", 0.5),)
    assert slots["s1"].state is PlaceState.UNKNOWN
    assert shown == {}
    assert votes.named({"s2": faint}, {}) == ({}, set(), {})


def test_a_piece_of_which_all_spaces_are_faint_is_named_where_there_are_more_than_must_agree() -> None:
    votes, faint = three_spaces(), {f"s{k}": replace(seen(face), likeness=10.0) for k, face in enumerate("abc")}
    assert votes.perhaps_lie(faint | {"s3": seen("a")}) == {("s0", "three", 0): {"s0": "a", "s1": "b", "s2": "c"}}
    assert votes.named(faint, {})[0]["s0"].face == "three"
    del faint["s2"]
    assert votes.named(faint, {})[0]["s0"].alternatives == (("three", 0.5),)
    assert votes.perhaps_lie(faint) == {}


def test_what_is_clear_goes_before_what_two_faint_spaces_say(votes: SpaceVotes) -> None:
    faint = replace(seen("first"), likeness=0.6 * LIKE_A_FACE)
    spaces = {"s1": faint, "s2": replace(faint, face="second"), "s3": seen("second")}
    slots, _, _ = votes.named(spaces, {})
    assert slots.keys() == {"s2", "s3"}


def test_a_space_that_clearly_shows_something_else_speaks_against_a_piece() -> None:
    three = SpacePiece("three", ("a", "b", "c"), ((0.0, 0.0), (STEP_MM, 0.0), (2 * STEP_MM, 0.0)))
    plan = MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(4)], [three, PAIR])
    votes = SpaceVotes(plan, {face: face for face in ("a", "b", "c", "first", "second")})
    spaces = {"s0": seen("a"), "s1": seen("b"), "s2": seen("first")}
    assert votes.named(spaces, {})[0]["s0"].alternatives == (("three", 0.5),)
    spaces["s2"] = seen("c", turn=1)  # its own print in another turn is a slip of the turn
    assert votes.named(spaces, {})[0]["s0"].face == "three"


def test_what_is_known_of_the_other_spaces_stays(votes: SpaceVotes) -> None:
    covered = PlaceReading("s2", LOCATION, PlaceState.COVERED)
    slots, used, _ = votes.named({"s1": seen("first")}, {"s2": covered})
    assert "s2" not in slots
    assert used == {"s1", "s2"}


def test_a_clear_space_tells_which_other_of_its_piece_to_read_and_in_which_turn(votes: SpaceVotes) -> None:
    left = {"s0", "s1", "s2", "s3"}
    assert votes.next_turns({"s1": seen("first")}, [], left - {"s1"}) == {"s2": 0}
    assert votes.next_turns({"s1": seen("first", turn=3)}, [], left - {"s1"}) == {"s0": 3}
    assert votes.next_turns({"s1": seen("first", 0.7)}, [], left - {"s1"}) == {}
    assert votes.next_turns({"s1": seen("first")}, [], left - {"s1", "s2"}) == {}


def three_spaces(*others: SpacePiece) -> SpaceVotes:
    three = SpacePiece("three", ("a", "b", "c"), tuple((k * STEP_MM, 0.0) for k in range(3)))
    pieces = [three, *others]
    plan = MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(5)], pieces)
    return SpaceVotes(plan, {face: face for piece in pieces for face in piece.faces})


def test_of_a_piece_that_lay_there_two_spaces_are_read_and_the_third_where_they_do_not_agree() -> None:
    votes, lay = three_spaces(), [("s1", "three", 0)]
    assert votes.next_turns({}, lay, {"s1", "s2", "s3"}) == {"s1": 0, "s2": 0}
    assert votes.next_turns({}, lay, {"s3"}) == {"s3": 0}
    assert votes.next_turns({"s1": seen("a"), "s2": seen("b", 0.95)}, lay, {"s3"}) == {"s3": 0}


def test_two_spaces_that_agree_without_a_doubt_tell_the_third_unless_it_was_read() -> None:
    votes = three_spaces()
    sure = {"s1": seen("a", 0.9999), "s2": seen("b", 0.9995)}
    told = SpaceReading("c", 0, 0.9995, LIKE_A_FACE)
    assert votes.borne_out(sure) == {"s3": told}
    assert votes.borne_out({**sure, "s3": SpaceReading(None, 0, 0.0, 0.0)}) == {"s3": told}
    assert votes.borne_out({**sure, "s3": seen("a", 0.3)}) == {}
    assert votes.borne_out({**sure, "s2": seen("b", 0.99)}) == {}
    assert votes.borne_out({"s1": sure["s1"]}) == {}


def test_one_space_without_a_doubt_foretells_the_others_that_were_not_read() -> None:
    votes = three_spaces(SpacePiece("twin", ("a", "d"), ((0.0, 0.0), (STEP_MM, 0.0))))
    sure, likeness = seen("a", 0.9999), LIKE_A_FACE
    assert votes.foretold({"s1": sure}) == {
        "s2": [SpaceReading("b", 0, 0.9999, likeness), SpaceReading("d", 0, 0.9999, likeness)],
        "s3": [SpaceReading("c", 0, 0.9999, likeness)],
    }
    assert votes.foretold({"s1": sure, "s2": SpaceReading(None, 0, 0.0, 0.0)}).keys() == {"s3"}
    assert votes.foretold({"s1": seen("a", 0.99)}) == {}


def test_no_space_is_told_where_another_piece_may_lie() -> None:
    beside = three_spaces(SpacePiece("pair", ("d", "e"), ((0.0, 0.0), (STEP_MM, 0.0))))
    sure = {"s1": seen("a", 0.9999), "s2": seen("b", 0.9999)}
    assert beside.borne_out({**sure, "s4": seen("e")}) == {}  # its other space would lie on s3
    alike = three_spaces(SpacePiece("twin", ("a", "b", "d"), tuple((k * STEP_MM, 0.0) for k in range(3))))
    assert alike.borne_out(sure) == {}
    half = three_spaces(SpacePiece("half", ("a", "d", "e"), tuple((k * STEP_MM, 0.0) for k in range(3))))
    assert half.borne_out(sure).keys() == {"s3"}  # only the space that both have speaks for it
