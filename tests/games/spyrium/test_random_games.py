"""Random games of Spyrium keep every invariant and end; the whole number of them is for `companion bench engine`."""

from __future__ import annotations

from companion.lab.trials.engine_trial import EngineCount, play_games

GAMES = 24


def test_random_games_of_two_to_five_players_keep_the_invariants_and_end():
    count = EngineCount()
    play_games(count, GAMES, 5, None, invariants=True, game="spyrium")
    assert count.games == GAMES
    assert count.checked_states == count.acts + GAMES
    assert dict(count.endings) == {"S51": GAMES}
