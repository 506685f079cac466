"""Every clause of Spyrium has a legal and an illegal example, and the rules agree with each."""

from __future__ import annotations

from pathlib import Path

import pytest
from clause_examples import KEYS, catalogue_agrees, position_agrees, read_examples
from contract_spyrium import PEOPLE
from spyrium_positions import position, rules_of

from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.spyrium import GAME
from companion.games.spyrium.catalogue import CATALOGUES

EXAMPLES = read_examples(Path(__file__).parents[2] / "data" / "spyrium" / "clauses.toml")


def refused_setup(example) -> Setup:
    colours = example.get("colours", [f"colour {n}" for n in range(example.get("players", 3))])
    names = [PEOPLE[n % len(PEOPLE)][0] for n in range(len(colours))]
    return Setup("spyrium", tuple(SeatInfo(*pair) for pair in zip(names, colours, strict=True)), "sample")


@pytest.mark.parametrize("clause", list(GAME.clauses))
def test_a_clause_has_a_legal_and_an_illegal_example(clause):
    assert EXAMPLES.kinds(clause) == {"legal", "illegal"}


def test_examples_name_known_clauses_and_keys():
    assert set(EXAMPLES.by_clause) <= set(GAME.clauses)
    for _, example in EXAMPLES.each:
        assert set(example) <= KEYS | {"players", "colours"}
        assert ("legal" in example) != ("illegal" in example)


@pytest.mark.parametrize(("clause", "example"), EXAMPLES.each, ids=EXAMPLES.ids)
def test_the_rules_agree_with_the_example(clause, example):
    if "catalogue" in example:
        catalogue_agrees(GAME, (CATALOGUES / "sample.toml").read_text(encoding="utf-8"), clause, example)
    elif {"players", "colours"} & set(example):
        with pytest.raises(DataError, match="set-up"):
            GAME.make_rules(refused_setup(example), GAME.load_catalogue("sample"))
    else:
        rules = rules_of()
        where = example.get("position")
        words = EXAMPLES.positions[where] if isinstance(where, str) else where
        state = rules.initial() if words is None else position(rules, **words)
        position_agrees(rules, state, clause, example)
