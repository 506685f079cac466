"""Random games of every kind keep every invariant; the whole number of them is for `companion bench engine`."""

from __future__ import annotations

import pytest

from companion.games.envyra.rules import EnvyraRules
from companion.lab.trials.engine_trial import EngineCount, EngineError, engine_bench, make_rules, play_games

GAMES = 60


def test_random_games_of_every_kind_keep_the_invariants_and_end():
    count = EngineCount()
    play_games(count, GAMES, 7, None, invariants=True)
    assert count.games == GAMES
    assert count.checked_states == count.acts + GAMES
    assert sum(count.endings.values()) == GAMES
    assert set(count.endings) <= {"E60", "E61", "E62"}


def test_a_broken_invariant_stops_the_count(monkeypatch):
    rules = make_rules(2)
    monkeypatch.setattr(EnvyraRules, "problems", lambda _rules, s: ("broken",) if s.round > 1 else ())
    with pytest.raises(EngineError, match="game 0: broken"):
        play_games(EngineCount(), 1, 1, rules, invariants=True)


def test_the_benchmark_gives_one_object_with_the_figures_asked_for():
    told = []
    result = engine_bench(10, 1, 3, invariants=True, progress=told.append)
    assert sum(told) == result["games"] == 10
    assert {
        "games_per_s",
        "acts_per_s",
        "chess_moves_per_s",
        "ratio",
        "check_us",
        "apply_us",
        "legal_actions_us",
    } <= set(result)
