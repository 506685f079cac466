"""The examples of the clauses of Rifts of N'Norya, and the positions they start from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from clause_examples import ClauseGame, Example, position_agrees, read_examples
from contract_rifts import PEOPLE
from rifts_positions import position, rules_of

from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.rifts import GAME

EXAMPLES = read_examples(Path(__file__).parents[2] / "data" / "rifts" / "clauses.toml")
LANDS = EXAMPLES.positions.pop("lands")


def refused_setup(colours: list[str]) -> Setup:
    names = [PEOPLE[n % len(PEOPLE)][0] for n in range(len(colours))]
    return Setup("rifts", tuple(SeatInfo(*pair) for pair in zip(names, colours, strict=True)), "sample")


def words_of(where: Any) -> dict[str, Any]:
    """The words of a position, its land named or written out, after those of the position it is `like`."""
    words = dict(EXAMPLES.positions[where] if isinstance(where, str) else where)
    like = words.pop("like", None)
    words = {**words_of(like), **words} if like else words
    if isinstance(words.get("land"), str):
        words["land"] = [line for name in words["land"].split() for line in LANDS[name]]
    return words


def agrees(clause: str, example: Example) -> None:
    """The set-up or the rules agree with the example."""
    if "colours" in example:
        with pytest.raises(DataError, match="set-up"):
            GAME.make_rules(refused_setup(example["colours"]), GAME.load_catalogue("sample"))
    else:
        rules = rules_of(example.get("players", 2), **example.get("options", {}))
        where = example.get("position")
        state = rules.initial() if where is None else position(rules, **words_of(where))
        position_agrees(rules, state, clause, example)


CLAUSES = ClauseGame(GAME, EXAMPLES, agrees, frozenset({"players", "colours", "options"}))
