"""The table as it lies: what an overruling may take over, and what must be told in another way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from envyra_positions import position, rules_of

from companion.core.layout import BoardView, SlotView
from companion.games.envyra import GAME
from companion.table.tracking.appearance import look

RULES = rules_of(3)
START = position(RULES, phase="move", boards={"A": "r1c1 r1c2", "B": "r2c2"}, cubes={"r3c3": "C"})
A, B, C = (seat.colour for seat in RULES.setup.seats)


def lying(**changes: SlotView) -> BoardView:
    """The table of START with some places changed."""
    return RULES.board(START).with_slots(changes)


def at(slot: str, *pieces: tuple[str, int], face: str | None = "as before") -> SlotView:
    here = RULES.board(START).at(slot)
    return replace(here, pieces=tuple(sorted(pieces)), face=here.face if face == "as before" else face)


def accepted(board: BoardView):
    state, problems = GAME.as_it_lies(RULES, START, board)
    assert problems == ()
    assert look(RULES, RULES.board(state)) == look(RULES, board)
    return state


def test_the_same_table_is_the_same_position() -> None:
    assert accepted(RULES.board(START)) == START


def test_a_cube_that_came_is_taken_from_the_reserve_and_one_that_went_is_there_again() -> None:
    came = accepted(lying(r1c2=at("r1c2", (A, 1))))
    assert came.reserve[0] == START.reserve[0] - 1
    gone = accepted(lying(r3c3=at("r3c3")))
    assert gone.reserve[2] == START.reserve[2] + 1
    for state in (came, gone):
        assert (state.turn, state.boards, state.phase) == (START.turn, START.boards, START.phase)


def test_cubes_that_stay_keep_their_order_and_others_follow() -> None:
    places = [outline.slot for outline in RULES.layout().slots]
    # a tile of number 3 or more has room for two
    roomy = next(s for s, tile in zip(places, START.grid, strict=True) if RULES.tables.need[tile] >= 3)
    state = position(RULES, cubes={roomy: "C"}, phase="choose")
    slots = dict(RULES.board(state).slots)
    slots[roomy] = replace(slots[roomy], pieces=tuple(sorted(((A, 1), (C, 1)))))
    after, problems = GAME.as_it_lies(RULES, state, BoardView(tuple(slots.items())))
    assert problems == ()
    assert after.cubes[places.index(roomy)] == (2, 0)


def test_tiles_that_changed_places_are_followed_with_what_lies_on_them() -> None:
    one, other = RULES.board(START).at("r1c1"), RULES.board(START).at("r3c3")
    state = accepted(lying(r1c1=other, r3c3=one))
    places = [outline.slot for outline in RULES.layout().slots]
    assert state.grid[places.index("r1c1")] == START.grid[places.index("r3c3")]
    assert state.cubes[places.index("r1c1")] == (2,)


@pytest.mark.parametrize(("board", "clause", "words"), [
    (lying(r1c1=SlotView()), "E40", "has gone from {slot}"),
    (lying(r1c1=at("r1c1", face="fire-3-a")), "E50", "did not lie on the grid before"),
    (lying(r1c1=at("r1c1", ("orange", 1))), "E4", "nobody plays with"),
    (lying(r1c1=at("r1c1", (C, 5))), "E4", "more {colour} cubes"),
    (lying(r9c9=SlotView(face="fire-1-a")), None, "no place of the grid"),
])
def test_what_the_table_cannot_tell_is_refused_with_a_reason(board: BoardView, clause: str | None, words: str) -> None:
    _, problems = GAME.as_it_lies(RULES, START, board)
    assert any(problem.clause == clause and words in problem.message for problem in problems)


def test_what_is_refused_in_secret_phases_does_not_tell_who_marked_what() -> None:
    grid = "- flora-1-b flora-2-a water-1-a water-1-b water-2-a fire-1-a fire-1-b fire-2-a"
    told = []
    for marked in ("r1c2 r1c3", "r1c2", "r3c3"):
        state = position(RULES, phase="choose", grid=grid, boards={"A": marked}, cubes={"r3c3": "B"})
        slots = dict(RULES.board(state).slots)
        gone_there = {**slots, "r1c1": slots["r1c2"], "r1c2": SlotView()}
        roomy = {**slots, "r3c3": replace(slots["r3c3"], pieces=((A, 4),))}
        fine = {**slots, "r3c3": replace(slots["r3c3"], pieces=tuple(sorted(((A, 1), (B, 1)))))}
        found = [GAME.as_it_lies(RULES, state, BoardView(tuple(b.items())))[1] for b in (gone_there, roomy, fine)]
        told.append([[(one.where, one.message, one.facts) for one in problems] for problems in found])
    assert told[0] == told[1] == told[2]
    assert told[0][0]
    assert told[0][1]


def test_a_tile_with_all_its_cubes_is_no_position_that_can_stay() -> None:
    # E40: a tile with as many cubes as its number leaves the grid at once
    _, problems = GAME.as_it_lies(RULES, START, lying(r1c1=at("r1c1", (A, 1), (B, 1))))
    assert [problem.clause for problem in problems] == ["E40"]
