"""Golden playthroughs of Spyrium: whole games whose every line is reviewed as a diff when the rules change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playthroughs import as_text, playthrough
from spyrium_golden import industrious, table_text, turn_laid_out
from spyrium_positions import rules_of

from companion.games.spyrium import GAME
from companion.games.spyrium.actions import Activate, Bonus, UseEvent
from companion.games.spyrium.edition.designs import CHARACTERS, EVENTS
from companion.games.spyrium.state import Phase

FOLDER = Path(__file__).parents[2] / "data" / "spyrium" / "goldens"
PLAYTHROUGHS = {  # name: (players, seed)
    "two-players": (2, 1),
    "three-players": (3, 1),
    "three-players-commerce": (3, 2),
    "four-players-lobbying": (4, 6),
    "five-players-taylorism": (5, 5),
}


@cache
def game_of(name: str):
    players, seed = PLAYTHROUGHS[name]
    rules = rules_of(players)
    return rules, playthrough(rules, rules.initial(), [], seed, industrious)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_golden_playthrough(name, golden):
    rules, game = game_of(name)
    golden(FOLDER / f"{name}.txt", as_text(rules, game, table_text, turn_laid_out))


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_nothing_is_lost_in_games_played_as_people_play(name):
    """Random games mostly take money; these build, use, replace and straighten."""
    rules, game = game_of(name)
    assert [rules.problems(state) for state, _ in game] == [()] * len(game)


def test_goldens_cover_every_phase_event_card_and_technique_used_once_a_turn():
    steps = [(rules, state, event) for rules, game in map(game_of, PLAYTHROUGHS) for state, event in game]
    assert {state.phase for _, state, _ in steps} == set(Phase)
    events = [event for _, _, event in steps if event is not None]
    assert {type(event) for event in events} == {*GAME.action_types, *GAME.draw_types}
    assert {state.event for _, state, event in steps if isinstance(event, UseEvent)} == set(range(len(EVENTS)))
    assert {event.choice for event in events if isinstance(event, Bonus)} == {"worker", "money"}
    activated = [(rules, state, event) for rules, state, event in steps if isinstance(event, Activate)]
    assert any(event.lobbying for _, _, event in activated)
    assert any(event.value for _, _, event in activated)
    assert any(event.space.startswith("b") for _, _, event in activated)
    assert {event.residence for _, _, event in activated} == {"", "move", "score"}
    called = {
        rules.tables.cards[state.market[rules.tables.slot_index[e.card]]].design_name for rules, state, e in activated
    }
    assert called >= set(CHARACTERS)


def test_no_golden_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
