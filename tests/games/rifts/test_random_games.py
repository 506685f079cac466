"""Random games of Rifts of N'Norya keep every invariant and end; the mass of them is for `companion bench engine`."""

from __future__ import annotations

from companion.app.engine_bench import EngineCount, play_games

GAMES = 24


def test_random_games_of_one_to_four_mages_keep_the_invariants_and_end():
    count = EngineCount()
    play_games(count, GAMES, 5, None, invariants=True, game="rifts")
    assert count.games == GAMES
    assert count.checked_states == count.acts + GAMES
    assert set(count.endings) <= {"N5", "N6", "N7"}
