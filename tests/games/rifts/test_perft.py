"""Perft tables of Rifts of N'Norya, recounted by a formula or by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from rifts_positions import position, rules_of

from companion.app.terminal.perft import first_dealt, perft

TABLES = tomllib.loads((Path(__file__).parents[2] / "data" / "rifts" / "perft.toml").read_text("utf-8"))
START_SPACES, TILES = 3, 24
AROUND_THE_START = 36
"""Ways to lay a tile of three spaces that meet in a corner so that two sides meet those of an equal starting tile: 12
places, each in three of the six turns; found a second way in tests/games/rifts/play/test_second_geometry.py."""


@pytest.mark.parametrize("table", TABLES["setup"], ids=lambda table: f"{table['players']} mages")
def test_perft_from_the_fixed_setup_agrees_with_the_formula(table):
    rules = rules_of(table["players"])
    state, players = first_dealt(rules), table["players"]
    counts = [perft(rules, state, depth) for depth in range(1, len(table["counts"]) + 1)]
    assert counts == table["counts"]
    # each mage is placed, a tile is drawn, and laid
    steps = [START_SPACES] * players + [TILES, AROUND_THE_START]
    expected = [1]
    for step in steps:
        expected.append(expected[-1] * step)
    assert counts == expected[1 : len(counts) + 1]


@pytest.mark.parametrize("table", TABLES["position"], ids=lambda table: f"{table['count']} actions")
def test_actions_of_a_position_are_as_many_as_counted_by_hand(table):
    rules = rules_of()
    assert perft(rules, position(rules, **table["where"]), 1) == table["count"]
