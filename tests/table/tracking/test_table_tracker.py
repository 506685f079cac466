"""The followed table: what hands do is explained, questioned or named a breach; nothing is guessed."""

from __future__ import annotations

from dataclasses import replace
from math import log
from random import Random

import pytest
from followed_table import ENVYRA, Table, play_texts, sample_rules

from companion.core.inputs import PieceReading, Sight, SlotReading, ViewState
from companion.core.layout import SlotView
from companion.games.envyra.actions import Move
from companion.games.envyra.state import NONE, Phase
from companion.lab.simulators.simulated_table import Noise, even_noise, play, random_state, scenes
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import HappeningKind
from companion.table.tracking.hypotheses import Hypothesis
from companion.table.tracking.judging.reconcile import LIVE_DEMANDS
from companion.table.tracking.judging.weighing import Weigher
from companion.table.tracking.table_tracker import TableTracker

KIND = HappeningKind


def kinds(happenings: tuple) -> list[HappeningKind]:
    return [h.kind for h in happenings]


def test_a_cube_on_its_tile_is_a_move(table: Table) -> None:
    table.put("r1c1", "purple")
    (happening,) = table.look()
    assert happening.kind is KIND.EVENT
    assert table.rules.format(happening.event) == "A move r1c1"
    assert table.look() == ()


def test_the_cube_of_another_player_is_illegal_until_it_is_taken_away(table: Table) -> None:
    table.put("r1c1", "gray")
    (happening,) = table.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E31")
    assert happening.violation.fact("seat") == 1
    assert table.look() == ()  # said once
    table.put("r1c1", "gray", -1)
    assert kinds(table.look()) == [KIND.CORRECTED]


def test_a_cube_on_a_tile_that_was_not_chosen_is_illegal(table: Table) -> None:
    table.put("r3c3", "purple")
    (happening,) = table.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E31")
    assert happening.violation.fact("marked") == ("r1c1", "r1c2")


def test_a_restricted_tile_is_named_with_what_is_lacking() -> None:
    rules, random = sample_rules(), Random(11)
    for event, before, _ in play(rules, random_state(rules, random), random):
        if before.phase is Phase.MOVE and isinstance(event, Move):
            seat = event.seat
            marked = [Move(seat, rules.tables.slots[x]) for x in before.boards[seat]]
            locked = [move.slot for move in marked if rules.check(before, move)]
            if locked:
                break
    else:
        pytest.fail("no locked cube in this game: choose another seed")
    one = Table(rules, before)
    one.put(locked[0], ENVYRA.colours[seat])
    (happening,) = one.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E33")
    assert happening.violation.fact("lacking")


def test_a_tile_taken_before_its_number_is_reached_is_illegal(table: Table) -> None:
    table.put("r1c2", "purple")
    table.look()
    table.lay("r1c2", SlotView())
    (happening,) = table.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E40")
    assert (happening.violation.fact("cubes"), happening.violation.fact("required")) == (1, 2)


def test_two_cubes_laid_on_one_tile_between_two_pictures_are_two_moves(table: Table) -> None:
    slot = "r1c2"
    one = Table.dealt()
    one.told("A choose r1c1 r1c2", "B choose r1c2 r2c1", "C choose r2c2 r2c3")
    one.put(slot, "purple")
    one.put(slot, "gray")
    assert [table.rules.format(h.event) for h in one.look() if h.event] == [f"A move {slot}", f"B move {slot}"]


def test_nobody_is_asked_which_of_two_cubes_of_one_player_was_first_if_the_position_is_the_same() -> None:
    one = Table.dealt(2)
    one.told("A choose r1c1", "B choose r1c2 r2c2", "A move r1c1")
    for slot, cube in (("r1c1", "purple"), ("r1c2", "gray"), ("r2c2", "gray")):
        one.put(slot, cube)
    before = one.tracker.state
    moves = [one.rules.format(h.event) for h in one.look() if h.event]
    assert sorted(moves) == ["B move r1c2", "B move r2c2"]
    assert one.tracker.asked is None
    assert one.tracker.state == play_texts(one.rules, before, *moves[::-1])


def test_two_tiles_that_change_places_are_one_breach(table: Table) -> None:
    one, other = table.view.at("r3c1"), table.view.at("r3c3")
    table.lay("r3c1", other)
    table.lay("r3c3", one)
    (happening,) = table.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E11")
    assert happening.slots == ("r3c1", "r3c3")


def test_a_cube_that_is_surely_out_of_turn_is_named_and_not_one_that_may_be_misread(table: Table) -> None:
    table.put("r3c3", "purple")  # A has not chosen it
    seen = table.eyes.look(table.view)
    doubtful = SlotReading("r1c2", Sight.SEEN, ((table.view.at("r1c2").face, log(0.99)),), None,
                           (PieceReading("pink", 1, 0.9),), 0.9)  # a piece on dark print, which is none
    slots = tuple(doubtful if s.slot == "r1c2" else s for s in seen.slots)
    (happening,) = table.tracker.observe(replace(seen, slots=slots))
    assert (happening.violation.clause, happening.violation.fact("seat"), happening.slots) == ("E31", 0, ("r3c3",))


@pytest.mark.parametrize(("face_p", "counts_p", "told"), [(0.97, 0.97, True), (0.45, 0.97, False), (0.97, 0.1, False)])
def test_a_tile_that_is_not_clearly_read_is_no_breach(
    table: Table, face_p: float, counts_p: float, told: bool
) -> None:
    lies, other = table.view.at("r3c1").face, table.view.at("r3c3").face
    reads = ((other, log(face_p)), (lies, log(0.001)))
    seen = table.eyes.look(table.view)
    slots = tuple(replace(s, faces=reads, pieces_p=counts_p) if s.slot == "r3c1" else s for s in seen.slots)
    happenings = table.tracker.observe(replace(seen, slots=slots))
    assert [one.kind for one in happenings] == ([KIND.ILLEGAL] if told else [])


@pytest.mark.parametrize(("second", "told"), [(0.26, True), (0.02, False)])
def test_two_tiles_that_each_read_as_the_other_are_a_breach_though_neither_is_clearly_read(
    table: Table, second: float, told: bool
) -> None:
    one, other = table.view.at("r3c1").face, table.view.at("r3c3").face
    third = table.view.at("r1c1").face
    reads = {"r3c1": ((other, log(0.99)),), "r3c3": ((one if told else third, log(second)), (other, log(0.01)))}
    seen = table.eyes.look(table.view)
    slots = tuple(replace(s, faces=reads[s.slot], pieces_p=0.0) if s.slot in reads else s for s in seen.slots)
    happenings = table.tracker.observe(replace(seen, slots=slots))
    assert [(one.violation.clause, one.slots) for one in happenings] == ([("E11", ("r3c1", "r3c3"))] if told else [])


@pytest.mark.parametrize(("disputed_by", "told"), [(0.1, False), (0.99, True)])
def test_a_name_that_one_picture_disputes_stays_and_one_that_most_dispute_is_a_breach(
    table: Table, disputed_by: float, told: bool
) -> None:
    """As `vision.tables.known_table` tells a tile that looks as before and is named otherwise once, or mostly."""
    lies, other = table.view.at("r3c1").face, table.view.at("r3c3").face
    reads = ((other, log(disputed_by)), (lies, log(1.0 - disputed_by)))
    seen = table.eyes.look(table.view)
    slots = tuple(replace(s, faces=reads) if s.slot == "r3c1" else s for s in seen.slots)
    happenings = table.tracker.observe(replace(seen, slots=slots))
    assert [one.kind for one in happenings] == ([KIND.ILLEGAL] if told else [])


def test_a_cube_nudged_to_the_neighbour_is_named_with_both_places(table: Table) -> None:
    table.put("r1c1", "purple")
    table.look()
    table.put("r1c1", "purple", -1)
    table.put("r2c2", "purple")
    (happening,) = table.look()
    assert (happening.kind, happening.violation.clause) == (KIND.ILLEGAL, "E42")
    assert happening.violation.slots == ("r1c1", "r2c2")


def test_a_take_back_is_recognised_as_the_earlier_state(table: Table) -> None:
    before = table.tracker.state
    table.put("r1c1", "purple")
    table.look()
    table.earlier((7, before))
    table.put("r1c1", "purple", -1)
    (happening,) = table.look()
    assert (happening.kind, happening.record) == (KIND.TAKEN_BACK, 7)


def test_a_table_that_reads_as_believed_is_not_weighed_against_earlier_ones(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.tracker.state
    table.put("r1c1", "purple")
    table.look()
    table.earlier((7, before))
    weighed: list[Hypothesis] = []
    weigh = Weigher.__call__
    monkeypatch.setattr(Weigher, "__call__", lambda self, one: weighed.append(one) or weigh(self, one))
    assert (table.glance(), weighed) == ((), [])
    table.put("r1c1", "purple", -1)
    assert kinds(table.look()) == [KIND.TAKEN_BACK]
    assert weighed


def test_a_captured_tile_may_be_lifted_later_and_the_next_cube_laid_first(table: Table) -> None:
    for text in ("A move r1c1", "B move r1c1"):
        table.stage(table.rules.parse(text))
        assert kinds(table.look()) == [KIND.EVENT]
    table.put("r2c2", "pink")  # C moves while the captured tile still lies there
    assert kinds(table.look()) == [KIND.EVENT]
    table.lay("r1c1", SlotView())
    assert kinds(table.look()) == [KIND.LIFTED]


def test_several_refills_between_two_pictures_are_all_found() -> None:
    rules, random = sample_rules(), Random(4)
    state = random_state(rules, random)
    for _, before, after in play(rules, state, random):
        gaps = after.grid.count(NONE)
        if after.phase is Phase.REFILL and before.phase is Phase.MOVE and gaps >= 2:
            break
    else:
        pytest.fail("no round with two captures: choose another seed")
    one = Table(rules, after)
    now, drawn = after, 0
    while now.phase is Phase.REFILL and drawn < gaps:
        now = rules.apply(now, rules.chance_outcomes(now)[3].draw)
        drawn += 1
    one.view = board_look(rules, now)
    assert kinds(one.look())[:drawn] == [KIND.EVENT] * drawn
    assert board_look(rules, one.tracker.state) == board_look(rules, now)


def test_nothing_is_said_of_a_move_under_a_hand(table: Table) -> None:
    table.put("r1c1", "purple")
    assert table.look(covered=("r1c1",)) == ()
    assert kinds(table.glance()) == [KIND.EVENT]


def test_pictures_that_are_not_settled_change_nothing(table: Table) -> None:
    table.put("r3c3", "pink")
    for state in (ViewState.HAND, ViewState.SETTLING, ViewState.STALE, ViewState.LOST):
        assert table.look(state=state) == ()
    assert kinds(table.look(state=ViewState.MOVED)) == [KIND.BUMPED]
    assert table.look(state=ViewState.MOVED) == ()  # said once
    assert table.tracker.alarm is None


def test_a_slot_that_is_misread_all_the_time_does_not_veto_the_moves_of_others(table: Table) -> None:
    lies = table.view
    table.lay("r3c3", SlotView("fire-2-b"))  # what the camera makes of it, picture after picture
    table.look()
    table.tracker.put_right(table.tracker.state, lies)  # people say that it is not so
    table.put("r1c1", "purple")
    assert kinds(table.look()) == [KIND.EVENT]
    assert table.tracker.alarm is None


def test_cubes_taken_back_one_by_one_are_no_mistake() -> None:
    rules, random = sample_rules(), Random(21)
    for event, before, after in play(rules, random_state(rules, random), random):
        steps = list(scenes(rules, event, before, after)) if isinstance(event, Move) else []
        back = [s for s in steps if s.event is None and all(a.face for _, a in s.view.slots)]
        if back and not any(s.view.at(event.slot).face is None for s in steps):
            break
    else:
        pytest.fail("nobody ran out of cubes: choose another seed")
    one = Table(rules, before)
    one.view = steps[0].view
    one.look()
    slots = one.view.differs(steps[-1].view)
    for slot in slots:
        one.lay(slot, steps[-1].view.at(slot))
        assert kinds(one.look()) == [KIND.RETURNED]
    assert one.tracker.view == one.view


def test_errors_that_come_and_go_are_outvoted_by_the_next_pictures(table: Table) -> None:
    noisy = Table(table.rules, table.tracker.state, demands=LIVE_DEMANDS, noise=even_noise(0.05))
    for _ in range(40):
        assert noisy.glance() == ()
    noisy.put("r1c1", "purple")
    noisy.tracker.scene_changed()
    seen = [h for _ in range(5) for h in noisy.glance()]
    assert [table.rules.format(h.event) for h in seen] == ["A move r1c1"]


def test_the_same_pictures_give_the_same_verdict(table: Table) -> None:
    def run() -> list[HappeningKind]:
        one = Table(table.rules, table.tracker.state, noise=Noise(0.2, 0.1, 0.1))
        return [h.kind for _ in range(30) for h in one.glance()]

    assert run() == run()


def test_a_correction_by_a_person_ends_the_alarm(table: Table) -> None:
    table.put("r1c1", "gray")
    table.look()
    tracker: TableTracker = table.tracker
    tracker.put_right(play_texts(table.rules, tracker.state, "A move r1c1"), table.view)
    assert tracker.alarm is None
    assert tracker.asked is None


def test_what_is_read_otherwise_than_a_person_says_is_not_asked_about_again(table: Table) -> None:
    told = table.view
    table.lay("r3c3", SlotView(told.at("r3c3").face, None, (("gray", 1),)))  # what the camera makes of an empty tile
    table.look()
    table.tracker.put_right(table.tracker.state, told)
    assert table.look() == ()
    table.put("r1c1", "purple")
    assert kinds(table.look()) == [KIND.EVENT]
    table.tracker.put_right(table.tracker.state, table.tracker.view)  # of something else: the silence lasts
    assert table.look() == ()
    table.lay("r3c3", told.at("r3c3"))
    assert table.look() == ()
    table.put("r3c3", "gray")  # it was read rightly in between: this cube is a new one
    table.put("r2c1", "gray")
    assert KIND.ILLEGAL in kinds(table.look())


def test_an_answered_question_leaves_what_hands_have_still_to_do(table: Table) -> None:
    table.stage(table.rules.parse("A move r1c1"))
    table.look()
    events = (table.rules.parse("B move r1c1"),)
    state = play_texts(table.rules, table.tracker.state, "B move r1c1")
    table.tracker.answered(events, state, 0)
    assert dict(table.tracker.view.at("r1c1").pieces) == {"purple": 1, "gray": 1}  # it captures and still lies there
    table.lay("r1c1", SlotView())
    assert kinds(table.look()) == [KIND.LIFTED]


def test_a_captured_tile_that_still_lies_is_no_refill_though_its_twin_is_in_the_bag() -> None:
    rules = sample_rules()
    for seed in range(20):
        random = Random(seed)
        for event, before, after in play(rules, random_state(rules, random), random):
            if not isinstance(event, Move) or after.phase is not Phase.REFILL or after.slot != rules.tables.slots.index(
                event.slot
            ):
                continue
            face = rules.same_face(rules.board(before).at(event.slot).face)
            twins = [o.draw for o in rules.chance_outcomes(after) if rules.same_face(o.draw.tile) == face]
            if twins:
                one = Table(rules, before)
                one.stage(event)
                assert kinds(one.look()) == [KIND.EVENT]
                assert one.look() == ()  # it lies there, and nothing is wrong
                one.lay(event.slot, SlotView())
                assert kinds(one.look()) == [KIND.LIFTED]
                one.lay(event.slot, SlotView(face))
                (happening,) = one.look()
                assert (happening.kind, happening.event) == (KIND.EVENT, twins[0])
                return
    pytest.fail("no captured tile with a twin in the bag: look at more games")


def test_a_cube_that_is_laid_after_its_move_was_entered_is_placed_and_not_taken_back(table: Table) -> None:
    table.told("A move r1c1")
    table.put("r1c1", "purple")
    (happening,) = table.look()
    assert (happening.kind, happening.slots) == (KIND.PLACED, ("r1c1",))
    table.put("r1c1", "purple", -1)
    assert KIND.PLACED not in kinds(table.look())


def test_what_is_in_dispute_is_not_agreed(table: Table) -> None:
    table.look()
    assert table.tracker.agreed == {slot: table.tracker.view.at(slot) for slot in table.tracker.agreed}
    assert {"r1c1", "r3c3"} <= set(table.tracker.agreed)
    table.put("r3c3", "purple")  # was not chosen
    table.look()
    assert "r3c3" not in table.tracker.agreed
    assert "r1c1" in table.tracker.agreed


def test_what_a_person_has_said_is_agreed_though_it_is_read_otherwise(table: Table) -> None:
    table.put("r3c3", "purple")
    table.look()
    table.tracker.put_right(table.tracker.state, table.tracker.view)
    assert table.tracker.agreed["r3c3"] == table.tracker.view.at("r3c3")
