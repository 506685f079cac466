"""Whole simulated games: followed without help, in spite of errors that come and go, and without boards."""

from __future__ import annotations

from random import Random

import pytest
from followed_table import ENVYRA, Table, sample_rules

from companion.lab.simulators.simulated_following import FollowedCounts, follow_game
from companion.lab.simulators.simulated_table import (
    Noise,
    SimulatedEyes,
    even_noise,
    play,
    random_state,
    scenes,
    stubborn_noise,
)
from companion.table.tracking.appearance import board_look
from companion.table.tracking.happenings import HappeningKind


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_are_followed_without_help(players: int) -> None:
    rules, random = sample_rules(players), Random(players)
    state = random_state(rules, random)
    one = Table(rules, state)
    for event, before, after in play(rules, state, random):
        moments = list(scenes(rules, event, before, after))
        if not moments:
            one.tracker.accept(after)
        for moment in moments:
            one.view = moment.view
            assert not {HappeningKind.ILLEGAL, HappeningKind.ASKED} & {h.kind for h in one.look()}
        assert board_look(rules, one.tracker.state) == board_look(rules, after)
        assert one.tracker.view == one.view
        one.tracker.state = after  # the same face under its other name


def test_flips_that_stay_are_read_the_same_way_until_the_slot_changes(table: Table) -> None:
    eyes = SimulatedEyes(table.rules, Noise(stuck=0.5), Random(1))
    first = [eyes.look(table.view).slots for _ in range(3)]
    assert first[0] == first[1] == first[2]
    wrong = {s.slot for s in first[0] if s.faces[0][0] != table.view.at(s.slot).face or s.pieces}
    assert 0 < len(wrong) < len(first[0])
    table.put("r1c1", "purple")
    after = eyes.look(table.view).slots
    assert {s.slot for s, then in zip(first[0], after, strict=True) if s != then} == {"r1c1"}


@pytest.mark.parametrize("noise", [even_noise(0.02), stubborn_noise(0.02)])
def test_no_wrong_event_is_accepted_in_noisy_games_and_little_is_asked(noise: Noise) -> None:
    rules, tally = sample_rules(), FollowedCounts(0.02)
    for seed in (1, 2, 3):
        follow_game(ENVYRA, rules, noise, seed, tally)
    assert tally.wrong == 0
    assert tally.moves > 200
    assert tally.asks <= 6 * tally.moves / 100  # between the 3 asked for at 1 % and the 12 at 5 %


@pytest.mark.parametrize("players", [2, 3])
def test_games_whose_boards_nobody_reads_are_followed_from_the_moves_alone(players: int) -> None:
    tally = FollowedCounts(0.0)
    follow_game(ENVYRA, sample_rules(players), Noise(), 11, tally, unread=True)
    assert (tally.accepted, tally.wrong, tally.asks, tally.false_alarms) == (tally.events, 0, 0, 0)
    assert tally.inferred > 8
    assert tally.misjudged == 0
