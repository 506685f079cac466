"""Spyrium's examples of its clauses, and the positions they start from."""

from __future__ import annotations

from pathlib import Path

import pytest
from clause_examples import ClauseGame, Example, position_agrees, read_examples
from contract_spyrium import PEOPLE
from spyrium_positions import position, rules_of

from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME

EXAMPLES = read_examples(Path(__file__).parents[2] / "data" / "spyrium" / "clauses.toml")


def refused_setup(example: Example) -> Setup:
    colours = example.get("colours", [f"colour {n}" for n in range(example.get("players", 3))])
    names = [PEOPLE[n % len(PEOPLE)][0] for n in range(len(colours))]
    return Setup("spyrium", tuple(SeatInfo(*pair) for pair in zip(names, colours, strict=True)), "sample")


def agrees(clause: str, example: Example) -> None:
    """The set-up or the rules agree with the example."""
    if {"players", "colours"} & set(example):
        with pytest.raises(DataError, match="set-up"):
            GAME.make_rules(refused_setup(example), GAME.load_catalogue("sample"))
    else:
        rules = rules_of(**example.get("options", {}))
        where = example.get("position")
        words = EXAMPLES.positions[where] if isinstance(where, str) else where
        state = rules.initial() if words is None else position(rules, **words)
        position_agrees(rules, state, clause, example)


CLAUSES = ClauseGame(GAME, EXAMPLES, agrees, frozenset({"players", "colours", "options"}))
