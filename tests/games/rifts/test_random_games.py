"""Games of Rifts of N'Norya keep every invariant and end; the mass of them is for `companion bench engine`."""

from __future__ import annotations

from itertools import pairwise

import pytest
from contract_kit import random_event
from playthroughs import playthrough
from rifts_player import careful
from rifts_positions import rules_of

from companion.games.rifts.play.growth import supply
from companion.games.rifts.state import State
from companion.lab.trials.engine_trial import EngineCount, play_games

GAMES = 24
MOST_TURNS = 24 + 72 + 48 + 1
"""Location tiles, enemy tokens, cards that can come into the market after the first five (of four spell books of twelve
and five Rift cards), and the turn in which nothing is left."""


def test_random_games_of_one_to_four_mages_keep_the_invariants_and_end():
    count = EngineCount()
    play_games(count, GAMES, 5, None, invariants=True, game="rifts")
    assert count.games == GAMES
    assert count.checked_states == count.acts + GAMES
    assert set(count.endings) <= {"N5", "N6", "N7"}


def left(state: State) -> int:
    """What a game uses up: tiles face down, enemy tokens that lie ready, cards of the spell deck."""
    return state.stack.bit_count() + supply(state) + sum(state.book)


@pytest.mark.parametrize(("players", "pick"), [(1, careful), (2, careful), (3, random_event), (4, careful)])
def test_every_turn_uses_up_a_tile_a_token_or_a_card_so_that_every_game_ends(players, pick):
    rules = rules_of(players)
    game = playthrough(rules, rules.initial(), [], 7, pick)
    at_end = {state.turn: left(state) for state, _ in game}  # the last state of each turn
    # in the last turn the game may be lost before anything is used
    turns = [at_end[turn] for turn in sorted(at_end)][:-1]
    assert all(after < before for before, after in pairwise(turns))
    assert len(turns) <= MOST_TURNS
