"""Boards that nobody reads at the reveal: what the moves say of the choices, against every choice there could be."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from followed_table import sample_rules

from companion.core.game import Rules
from companion.core.types import Seat
from companion.games.envyra.actions import Choose, Confirm, Move
from companion.games.envyra.state import Phase, State
from companion.games.envyra.table.unread_rules import PhaseOver, UnreadRules
from companion.lab.simulators.simulated_table import play, random_state


def reveal_of(rules: Rules, state: State) -> State:
    """The position after everybody has confirmed and nobody has told a choice."""
    for seat in rules.to_act(state):
        state = rules.apply(state, Confirm(seat))
    assert state.phase is Phase.REVEAL
    return state


def rounds(rules: Rules, random: Random) -> list[tuple[State, list[Choose], list[Move], State]]:
    """Of a random game: per round the position of the reveal, what was chosen, the moves, and the position after."""
    found, choices, moves, begun = [], [], [], None
    for event, before, after in play(rules, random_state(rules, random), random):
        if isinstance(event, Choose):
            choices = [c for c in choices if c.seat is not event.seat] + [event]
        if isinstance(event, Move):
            begun = begun or before
            moves.append(event)
        if before.phase is Phase.MOVE and after.phase is not Phase.MOVE:
            found.append((begun, choices, moves, after))
            choices, moves, begun = [], [], None
    return found


def reveal_before(rules: Rules, begun: State, choices: list[Choose]) -> State:
    """The reveal of a round if nobody had told a choice; `begun` is the position after it."""
    reserve = list(begun.reserve)
    for choice in choices:
        reserve[choice.seat] += len(choice.slots)
    empty = ((),) * len(reserve)
    dealt = begun._replace(phase=Phase.CHOOSE, ready=0, boards=empty, turn=0, moved=0, reserve=tuple(reserve))
    return reveal_of(rules, dealt)


def world_after(rules: Rules, reveal: State, world: tuple[Choose, ...], moves: list[Move]) -> State | None:
    """The position after the moves if `world` was chosen; None when the rules do not allow them then."""
    state = reveal
    for event in (*world, *moves):
        if rules.check(state, event) is not None:
            return None
        state = rules.apply(state, event)
    return state


def test_what_fits_is_exactly_what_some_choice_of_all_players_allows() -> None:
    rules, compared = sample_rules(2), 0
    unread = UnreadRules(rules)
    random = Random(5)
    for event, before, _ in play(rules, random_state(rules, random), random):
        if before.phase is not Phase.CHOOSE or before.ready or not isinstance(event, (Choose, Confirm)):
            continue
        reveal = reveal_of(rules, before)
        each = [[a for a in rules.legal_actions(reveal) if a.seat is seat] for seat in rules.to_act(reveal)]
        worlds = {world: world_after(rules, reveal, world, []) for world in product(*each)}
        state, moves = unread.begin(reveal), []
        while True:
            on = {world: at for world, at in worlds.items() if at is not None}
            wanted = {a for at in on.values() if at.phase is Phase.MOVE for a in rules.legal_actions(at)}
            assert {a for a in unread.legal_actions(state) if isinstance(a, Move)} == wanted
            account = unread.account(state)
            assert (account.over is not None) == any(at.phase is not Phase.MOVE for at in on.values())
            assert dict(account.fitting) == {seat: len({w[seat] for w in on}) for seat in (Seat.A, Seat.B)}
            compared += 1
            if not wanted:
                break
            move = random.choice(sorted(wanted, key=rules.format))
            state, moves = unread.apply(state, move), [*moves, move]
            worlds = {world: world_after(rules, reveal, world, moves) for world in on}
    assert compared > 60


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_rounds_played_unread_end_as_if_the_choices_had_been_told(players: int) -> None:
    rules = sample_rules(players)
    unread = UnreadRules(rules)
    played = 0
    for seed in (1, 2):
        for begun, choices, moves, after in rounds(rules, Random(seed)):
            reveal = reveal_before(rules, begun, choices)
            state = unread.begin(reveal)
            for move in moves:
                assert unread.check(state, move) is None
                state = unread.apply(state, move)
            account = unread.account(state)
            assert account.over == after
            assert account.events == tuple(moves)
            assert world_after(rules, reveal, account.inferred, moves) == after  # and the rules allow the whole of it
            played += 1
    assert played > 15


@pytest.fixture
def table() -> tuple[UnreadRules, State]:
    """Three players have confirmed in a fresh game; A begins, most tiles are open to everybody."""
    rules = sample_rules(3)
    return UnreadRules(rules), reveal_of(rules, random_state(rules, Random(3)))


def open_slots(rules: UnreadRules, state: State, seat: Seat) -> list[str]:
    return [a.slot for a in rules.legal_actions(state) if isinstance(a, Move) and a.seat is seat]


def test_who_has_a_movable_cube_for_certain_cannot_be_passed_over(table: tuple[UnreadRules, State]) -> None:
    rules, reveal = table
    assert {a.seat for a in rules.legal_actions(reveal)} >= {Seat.A}
    locked = len(reveal.grid) - len(open_slots(rules, reveal, Seat.A))
    # B may begin only if A can have chosen restricted tiles and nothing else
    violation = rules.check(reveal, Move(Seat.B, open_slots(rules, reveal, Seat.A)[0]))
    assert (violation is None) == (locked > 0)


def test_a_third_cube_and_a_cube_twice_on_a_tile_name_their_clauses(table: tuple[UnreadRules, State]) -> None:
    rules, reveal = table
    a, b, c = (open_slots(rules, reveal, Seat.A) * 2)[:3]
    state = rules.apply(reveal, Move(Seat.A, a))
    state = rules.apply(state, Move(Seat.B, b))
    violation = rules.check(state, Move(Seat.A, a))
    assert violation.clause in ("R-02", "E31")
    state = rules.apply(state, Move(Seat.C, c))
    assert rules.check(state, Move(Seat.C, c)).clause == "R-02"
    state = rules.apply(state, Move(Seat.C, a))
    state = rules.apply(state, Move(Seat.B, c))
    state = rules.apply(state, Move(Seat.A, b))
    account = rules.account(state)
    assert account.certain
    assert account.inferred == (
        Choose(Seat.A, (a, b)), Choose(Seat.B, (b, c)), Choose(Seat.C, (c, a)),
    )


def test_who_was_passed_over_cannot_come_back_with_a_cube_that_was_free(table: tuple[UnreadRules, State]) -> None:
    rules, reveal = table
    a, b, c, d = open_slots(rules, reveal, Seat.A)[:4]
    state = rules.apply(reveal, Move(Seat.A, a))
    state = rules.apply(state, Move(Seat.B, b))
    state = rules.apply(state, Move(Seat.C, c))
    state = rules.apply(state, Move(Seat.B, d))  # C did not move a second cube
    violation = rules.check(state, Move(Seat.C, a))
    assert violation.clause == "R-05"
    assert violation.fact("awaited") == (Seat.A,)
    state = rules.apply(state, Move(Seat.A, c))
    assert rules.account(state).certain


def test_restricted_tiles_are_refused_whatever_was_chosen_and_a_cube_left_waiting_must_have_been_restricted() -> None:
    rules = sample_rules(3)
    unread = UnreadRules(rules)
    refused, clauses = 0, set()
    for begun, choices, _, _ in rounds(rules, Random(8)):
        state = reveal_before(rules, begun, choices)
        first, second = unread.to_act(state)[:2] if len(unread.to_act(state)) > 1 else (None, None)
        free = set(open_slots(unread, state, Seat(begun.first)))
        locked = [s for i, s in enumerate(rules.tables.slots) if s not in free and begun.filled >> i & 1]
        for slot in locked:
            violation = unread.check(state, Move(Seat(begun.first), slot))
            assert (violation.clause, violation.slots) == ("E33", (slot,))
            assert violation.fact("lacking")
            refused += 1
        if second is None or not free:
            continue
        moved = open_slots(unread, state, second)[0]
        state = unread.apply(state, Move(second, moved))  # the first one is passed over
        clauses |= {unread.check(state, Move(first, slot)).clause for slot in free - {moved}}
    assert refused > 10
    # E34: a free tile would have had to be moved to; else it is the turn of somebody who cannot be passed over
    assert "E34" in clauses <= {"E34", "E31", "E32", "R-05"}


def test_a_board_that_was_read_is_held_to_what_was_read(table: tuple[UnreadRules, State]) -> None:
    rules, reveal = table
    a, b, c = open_slots(rules, reveal, Seat.A)[:3]
    state = rules.apply(rules._rules.apply(reveal, Choose(Seat.A, (a, b))), Move(Seat.A, a))
    assert dict(rules.account(state).fitting).keys() == {Seat.B, Seat.C}
    wrong = rules.check(rules._rules.apply(reveal, Choose(Seat.A, (a, b))), Move(Seat.A, c))
    assert wrong.clause == "E31"
    assert wrong.fact("marked") == tuple(sorted((a, b)))


def test_cubes_that_go_back_at_the_end_of_the_round_say_that_it_is_over() -> None:
    rules = sample_rules(2)
    unread = UnreadRules(rules)
    for seed in range(30):
        for begun, choices, moves, after in rounds(rules, Random(seed)):
            state = reveal_before(rules, begun, choices)
            for move in moves:
                state = unread.apply(state, move)
            account = unread.account(state)
            if account.certain or after.phase is not Phase.CHOOSE or rules.board(after) == unread.board(state):
                continue
            over = PhaseOver(Seat.A)
            assert over in unread.legal_actions(state)
            assert unread.board_path(state, over) == (rules.board(after),)
            assert unread.apply(state, over) == after
            return
    pytest.fail("nobody had all five cubes on the grid in a round without a capture: look at more games")
