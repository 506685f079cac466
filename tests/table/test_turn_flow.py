"""The stages of a game: every state that play reaches is in one of them, and each awaits what the rules say."""

from __future__ import annotations

from random import Random

import pytest
from toy_game import Hide, toy_rules

from companion.app.box.seats import LEDS
from companion.core.game import Rules
from companion.core.types import Seat, SeatInfo, Setup
from companion.games import find_game
from companion.table.turn_flow import FLOW, Asks, Stage, stage_of


def played(rules: Rules, seed: int, most: int = 400) -> list:
    """The states of a random game."""
    random, state, states = Random(seed), rules.initial(), []
    for _ in range(most):
        states.append(state)
        events = [o.draw for o in rules.chance_outcomes(state)] or list(rules.legal_actions(state))
        if not events:
            break
        state = rules.apply(state, random.choice(events))
    return states


@pytest.mark.parametrize("game", ["envyra", "spyrium", "rifts"])
def test_every_state_is_in_a_stage_and_only_in_that_one(game: str) -> None:
    spec = find_game(game)
    seats = tuple(SeatInfo(f"P{n}", colour) for n, colour in enumerate(spec.colours[:3]))
    rules = spec.make_rules(Setup(game, seats, spec.default_catalogue), spec.load_catalogue(spec.default_catalogue))
    for state in played(rules, 7):
        stage = stage_of(rules, state)
        assert (stage is Stage.OVER) == (rules.result(state) is not None)
        assert (stage is Stage.DRAW) == bool(rules.chance_outcomes(state))
        asked = FLOW[stage].asks in (Asks.SEATS, Asks.BOARDS)
        assert asked == bool(rules.to_act(state))


def test_a_game_of_hidden_pearls_goes_through_secrets_and_draws_to_its_end() -> None:
    rules = toy_rules()
    state = rules.initial()
    # T1: while both may still hide, what one has hidden is secret
    assert stage_of(rules, state) is Stage.SECRET
    state = rules.apply(state, Hide(Seat.A, 1))
    assert stage_of(rules, state) is Stage.SECRET
    state = rules.apply(state, Hide(Seat.B, 3))
    assert stage_of(rules, state) is Stage.DRAW  # T2
    assert stage_of(rules, played(rules, 3)[-1]) is Stage.OVER


def test_boards_are_read_in_the_stage_between_secrets_and_turns() -> None:
    spec = find_game("envyra")
    seats = tuple(SeatInfo(f"P{n}", colour) for n, colour in enumerate(spec.colours[:2]))
    rules = spec.make_rules(Setup("envyra", seats, "sample"), spec.load_catalogue("sample"))
    state, stages = rules.initial(), []
    while stage_of(rules, state) is Stage.DRAW:
        state = rules.apply(state, rules.chance_outcomes(state)[0].draw)
    for text in ("A confirm", "B confirm"):
        stages.append(stage_of(rules, state))
        state = rules.apply(state, rules.parse(text))
    assert stages == [Stage.SECRET, Stage.SECRET]  # E20
    assert stage_of(rules, state) is Stage.REVEAL
    for seat in "AB":
        texts = map(rules.format, rules.legal_actions(state))
        choice = next(text for text in texts if text.startswith(f"{seat} choose"))
        state = rules.apply(state, rules.parse(choice))
    assert stage_of(rules, state) is Stage.TURN


def test_every_stage_has_its_lights() -> None:
    assert set(FLOW) == set(Stage)
    assert {(awaits.asks, awaits.shields) for awaits in FLOW.values()} == set(LEDS)
