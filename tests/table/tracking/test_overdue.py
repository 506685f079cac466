"""What is forgotten at the table is noticed after its time, and not when it is done or people are at work."""

from __future__ import annotations

from random import Random

import pytest
from followed_table import play_texts, sample_rules

from companion.app.camera.watch.reminders import hands_of
from companion.core.duties import Duty
from companion.core.layout import BoardView, SlotView
from companion.core.types import Seat
from companion.games.envyra.state import NONE, Phase
from companion.lab.simulators.simulated_table import play, random_state
from companion.table.tracking.appearance import board_look, path_look
from companion.table.tracking.overdue import FIGURE_SHOWN_MS, PATIENCE_MS, Pending, Waiting, pending, wait

RULES = sample_rules()
DEALT = random_state(RULES, Random(3))
CHOSEN = play_texts(RULES, DEALT, "A choose r1c1 r1c2", "B choose r1c1 r2c1", "C choose r2c2 r2c3")


def lay(view: BoardView, slot: str, at: SlotView) -> BoardView:
    return view.with_slots({slot: at})


def things(state: object, view: BoardView) -> dict[Duty, Pending]:
    return {p.duty: p for p in pending(RULES, state, view, hands_of(RULES, state))}


def test_the_seats_that_have_not_confirmed_are_waited_for() -> None:
    state = play_texts(RULES, DEALT, "B choose r1c1 r2c1")
    found = things(state, board_look(RULES, state))
    assert set(found) == {Duty.CONFIRM}
    assert found[Duty.CONFIRM].seats == (Seat.A, Seat.C)


def test_on_a_tidy_table_only_the_turn_is_waited_for() -> None:
    found = things(CHOSEN, board_look(RULES, CHOSEN))
    assert found == {Duty.TURN: Pending(Duty.TURN, (Seat.A,))}


def captured() -> tuple[object, BoardView]:
    """r1c1 is captured by the second cube, which has just been laid."""
    before = play_texts(RULES, CHOSEN, "A move r1c1")
    event = RULES.parse("B move r1c1")
    return RULES.apply(before, event), path_look(RULES, before, event)[0]


def test_a_captured_tile_that_was_not_lifted_is_named_and_no_turn_is_pressed_for() -> None:
    state, view = captured()
    assert things(state, view) == {Duty.LIFT: Pending(Duty.LIFT, slots=("r1c1",))}


def round_ends() -> tuple[object, object]:
    """The state before and after the first capture that lets a refill follow, and cubes of five return."""
    random = Random(4)
    for _, before, after in play(RULES, random_state(RULES, random), random):
        if after.phase is Phase.REFILL and before.phase is Phase.MOVE and after.grid.count(NONE) >= 2:
            return before, after
    pytest.fail("no round with two captures: choose another seed")


def test_places_that_wait_for_their_tiles_are_named_together() -> None:
    _, after = round_ends()
    gaps = tuple(o.slot for o in RULES.layout().slots if board_look(RULES, after).at(o.slot).face is None)
    found = things(after, board_look(RULES, after))
    assert found == {Duty.REFILL: Pending(Duty.REFILL, slots=gaps)}


def test_a_tile_that_the_bag_has_drawn_is_waited_for_until_it_lies() -> None:
    _, after = round_ends()
    draw = RULES.chance_outcomes(after)[0].draw
    drawn = RULES.apply(after, draw)
    assert draw.slot in things(drawn, board_look(RULES, after))[Duty.REFILL].slots
    assert draw.slot not in things(drawn, board_look(RULES, drawn)).get(Duty.REFILL, Pending(Duty.REFILL)).slots


def test_cubes_that_went_back_by_the_rules_but_still_lie_are_named() -> None:
    for random in map(Random, range(20)):
        for _, before, after in play(RULES, random_state(RULES, random), random):
            # E52: all five cubes of a seat leave the grid when the round ends
            if 0 in before.reserve and after.phase is Phase.CHOOSE and before.phase is not Phase.CHOOSE:
                old, new = board_look(RULES, before), board_look(RULES, after)
                stay = [s for s in old.differs(new) if old.at(s).face == new.at(s).face]
                if stay:
                    break
        else:
            continue
        break
    else:
        pytest.fail("no seat took all five cubes back: choose other seeds")
    view = new
    for slot in stay:
        view = lay(view, slot, old.at(slot))
    found = things(after, view)
    seat = before.reserve.index(0)
    colour = RULES.setup.seats[seat].colour
    assert found[Duty.PIECES].seats == (Seat(seat),)
    assert found[Duty.PIECES].slots == tuple(s for s in stay if colour in dict(old.at(s).pieces))
    assert found[Duty.PIECES].count > found[Duty.PIECES].owned == 5  # E4
    assert Duty.RETURN not in found  # said once
    unplaced = {p.duty: p for p in pending(RULES, after, view)}
    assert unplaced[Duty.RETURN].slots == tuple(stay)


def test_nothing_is_waited_for_when_the_game_is_over() -> None:
    random = Random(8)
    *_, (_, _, last) = play(RULES, random_state(RULES, random), random)
    assert RULES.result(last) is not None
    assert pending(RULES, last, BoardView()) == ()


TURN, LIFT = Pending(Duty.TURN, (Seat.A,)), Pending(Duty.LIFT, slots=("r1c1",))
LONG = PATIENCE_MS[Duty.TURN]


@pytest.mark.parametrize(
    ("looks", "due"),
    [
        ([(0, (TURN,), False), (LONG - 1, (TURN,), False)], ()),
        ([(0, (TURN,), False), (LONG, (TURN,), False)], (TURN,)),
        ([(0, (TURN,), False), (9, (TURN,), True), (LONG, (TURN,), False)], ()),
        ([(0, (TURN,), False), (9, (TURN,), True), (LONG + 9, (TURN,), False)], (TURN,)),
        ([(0, (LIFT,), False), (9, (LIFT,), True), (PATIENCE_MS[Duty.LIFT], (LIFT,), False)], (LIFT,)),
        ([(0, (LIFT,), False), (LONG, (), False)], ()),
        ([(0, (LIFT,), False), (9, (), False), (10, (LIFT,), False), (PATIENCE_MS[Duty.LIFT], (LIFT,), False)], ()),
    ],
    ids=["early", "late", "a hand", "long after a hand", "hands that do something else", "done", "done and again"],
)
def test_a_thing_is_due_when_it_has_waited_long_enough(looks: list, due: tuple) -> None:
    waiting = Waiting()
    for now_ms, now, moved in looks:
        waiting, found = wait(waiting, now, now_ms, moved=moved)
    assert found == due


def test_the_figure_is_named_at_once_when_it_passes_and_for_a_minute() -> None:
    waiting, found = wait(Waiting(), (), 0, figure=Seat.A)
    assert found == ()
    waiting, found = wait(waiting, (), 10, figure=Seat.B)
    assert found == (Pending(Duty.FIGURE, (Seat.B,)),)
    waiting, found = wait(waiting, (), 10 + FIGURE_SHOWN_MS - 1, figure=Seat.B)
    assert found
    waiting, found = wait(waiting, (), 10 + FIGURE_SHOWN_MS, figure=Seat.B)
    assert found == ()
