"""Golden playthroughs of Rifts of N'Norya: whole games whose every line is reviewed as a diff when the rules change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playthroughs import as_text, picking, playthrough
from rifts_golden import table_text, turn_begun
from rifts_player import careful
from rifts_positions import rules_of

from companion.games.rifts import GAME
from companion.games.rifts.actions import Agree, Attack, Buy, Cast, Clear, Equip, Join, Move, Refuse, Seek, Trade
from companion.games.rifts.state import Foe, Phase

FOLDER = Path(__file__).parents[2] / "data" / "rifts" / "goldens"
# people fight, trade and quarrel more than chance does
quarrelsome = picking(
    {Attack: 6, Join: 4, Cast: 6, Buy: 4, Clear: 3, Equip: 8, Trade: 6, Move: 4, Seek: 4, Refuse: 2, Agree: 2}
)
PLAYTHROUGHS = {  # name: (players, seed, how they play), real cards where the name says so
    "one-mage-lost-to-the-cards": (1, 5, careful),
    "two-mages-won": (2, 3, careful),
    "two-mages-quarrelsome": (2, 24, quarrelsome),
    "two-mages-real-cards": (2, 48, quarrelsome),
    "three-mages-quarrelsome": (3, 4, quarrelsome),
    "four-mages-won": (4, 4, careful),
}


@cache
def game_of(name: str):
    players, seed, pick = PLAYTHROUGHS[name]
    rules = rules_of(players, **({"hands": "table"} if "real-cards" in name else {}))
    return rules, playthrough(rules, rules.initial(), [], seed, pick)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_golden_playthrough(name, golden):
    rules, game = game_of(name)
    golden(FOLDER / f"{name}.txt", as_text(rules, game, table_text, turn_begun))


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_nothing_is_lost_in_games_played_as_people_play(name):
    """Random mages lose early; careful ones fill the map, fight at temples and carry relics home."""
    rules, game = game_of(name)
    assert [rules.problems(state) for state, _ in game] == [()] * len(game)


def test_goldens_cover_every_phase_kind_of_event_foe_and_ending():
    steps = [(state, event) for _, game in map(game_of, PLAYTHROUGHS) for state, event in game]
    assert {state.phase for state, _ in steps} == set(Phase)
    assert {type(event) for _, event in steps if event is not None} == {*GAME.action_types, *GAME.draw_types}
    fights = [state.fight for state, _ in steps if state.fight is not None]
    assert {fight.foe for fight in fights} == set(Foe)
    assert {fight.won for fight in fights} == {None, True, False}
    assert any(len(fight.fighters) > 1 for fight in fights)
    assert any(event.fuel for _, event in steps if isinstance(event, Cast))
    assert any(mage.down for state, _ in steps for mage in state.mages)
    assert {state.ended for state, _ in steps} == {"", "N5", "N6", "N7"}


def test_no_golden_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
