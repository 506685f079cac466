"""Golden playthroughs: whole games whose every line is reviewed as a diff when the rules change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from envyra_golden import round_begun, table_text
from envyra_positions import position, rules_of
from playthroughs import as_text, playthrough

from companion.games.envyra import GAME
from companion.games.envyra.state import Phase

FOLDER = Path(__file__).parents[2] / "data" / "envyra" / "goldens"

STUCK = "flora-1-c flora-3-b flora-4-b water-3-b fire-3-b bonus-2-b bonus-3-b flora-2-c fire-4-b"
LOCKED = {"grid": STUCK, "owned": {"B": "water-1-a fire-1-a", "C": "water-1-b fire-2-a"}, "phase": "remove"}

# name: (players, options, position or None for a whole game, events before the random ones, seed)
PLAYTHROUGHS = {
    "two-players": (2, {}, None, [], 6),
    "two-players-last-round": (2, {}, None, [], 11),
    "two-players-basic-only-the-end-tile-left": (2, {"variant": "basic"}, None, [], 39),
    "two-players-basic-removal": (2, {"variant": "basic"}, None, [], 1),
    "three-players": (3, {}, None, [], 49),
    "three-players-end-tile-in-the-last-round": (3, {}, None, [], 42),
    "three-players-basic-open-cards-replacements": (3, {"variant": "basic", "equilibrium": "a"}, None, [], 27),
    "three-players-picked-cards": (3, {"equilibrium": "b", "card_choice": "pick"}, None, [], 24),
    "three-players-alternative-end-tile-drawn-removal-other-corner": (
        3,
        {"end_tile": "alternative", "removed_tiles": "drawn", "corner": "tr"},
        None,
        [],
        16,
    ),
    "four-players": (4, {}, None, [], 50),
    "four-players-both-kinds-of-cards": (4, {"equilibrium": "c"}, None, [], 11),
    "four-players-cards-shown-at-the-end": (
        4,
        {"equilibrium": "c", "secret_cards": "table", "corner": "br"},
        None,
        [],
        30,
    ),
    "four-players-secret-cards-last-round": (4, {"equilibrium": "b", "corner": "bl"}, None, [], 50),
    "position-removal-helps": (
        3,
        {},
        LOCKED,
        ["A remove r1c2", "replace r1c2 fire-2-c", "replace r1c2 end", "replace r1c2 flora-4-a"],
        1,
    ),
    "position-removal-does-not-help": (3, {}, {**LOCKED, "bag": "fire-2-c end"}, ["A remove r3c3"], 2),
    "position-nobody-can-play": (
        3,
        {},
        {"grid": STUCK, "phase": "remove", "bag": "fire-2-c"},
        ["A remove r1c2", "replace r1c2 fire-2-c"],
        3,
    ),
    "position-nothing-to-remove": (
        3,
        {},
        {
            "phase": "move",
            "boards": {"C": "r3c3"},
            "bag": "",
            "first": "C",
            "grid": "- flora-3-b flora-4-b - - - - - bonus-3-b",
            "cubes": {"r1c2": "C", "r1c3": "C"},
            "owned": {"B": "water-1-a fire-1-a", "C": "water-1-b fire-2-a"},
        },
        ["C move r3c3"],
        4,
    ),
    "position-two-tiles-of-six-cubes": (
        2,
        {"six": "flora-1-c flora-3-b"},
        {"grid": "flora-1-c - - flora-3-b - -", "bag": ""},
        ["B choose r1c1", "A finish", "B take-back", "B finish", "A finish"],
        1,
    ),
    "position-all-cubes-out-and-end-tile-put-aside": (
        3,
        {},
        {
            "phase": "move",
            "turn": 2,
            "cubes": {"r1c2": "C", "r2c3": "CC", "r3c3": "C"},
            "boards": {"C": "r3c2", "A": "r2c2"},
        },
        ["C move r3c2", "A move r2c2", "refill r2c2 end", "refill r2c2 flora-4-a"],
        5,
    ),
}


@cache
def game_of(name: str):
    players, options, where, events, seed = PLAYTHROUGHS[name]
    rules = rules_of(players, **options)
    start = position(rules, **where) if where else rules.initial()
    return rules, playthrough(rules, start, events, seed)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_golden_playthrough(name, golden):
    rules, game = game_of(name)
    golden(FOLDER / f"{name}.txt", as_text(rules, game, table_text, round_begun))


def test_goldens_cover_every_ending_phase_event_and_option():
    games = [game_of(name) for name in PLAYTHROUGHS]
    assert {game[-1][0].over for _, game in games} == {"E60", "E61", "E62", "R-12"}
    assert {state.phase for _, game in games for state, _ in game} == set(Phase)
    events = {type(event) for _, game in games for _, event in game if event is not None}
    assert events == {*GAME.action_types, *GAME.draw_types}
    chosen = {(key, value) for rules, _ in games for key, value in rules.setup.options}
    assert chosen >= {(option.key, value) for option in GAME.options for value in option.values[1:]}


def test_no_golden_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
