"""Every clause of every game has a legal and an illegal example, and the rules agree with each."""

from __future__ import annotations

import pytest
from clause_examples import KEYS, catalogue_agrees, clauses_of, has_clauses

from companion.games import game_names

REGISTERED = {name: clauses_of(name) for name in game_names() if has_clauses(name)}
CLAUSES = [(name, clause) for name, game in REGISTERED.items() for clause in game.spec.clauses]
EXAMPLES = [(name, *each) for name, game in REGISTERED.items() for each in game.examples.each]
IDS = [f"{name} {text}" for name, game in REGISTERED.items() for text in game.examples.ids]


@pytest.mark.parametrize("name", ["envyra", "spyrium", "rifts"])
def test_the_clauses_of_a_shipped_game_have_examples(name):
    assert name in REGISTERED


@pytest.mark.parametrize(("name", "clause"), CLAUSES, ids=[" ".join(case) for case in CLAUSES])
def test_a_clause_has_a_legal_and_an_illegal_example(name, clause):
    assert REGISTERED[name].examples.kinds(clause) == {"legal", "illegal"}


@pytest.mark.parametrize("name", REGISTERED)
def test_examples_name_known_clauses_and_keys(name):
    game = REGISTERED[name]
    assert set(game.examples.by_clause) <= set(game.spec.clauses)
    for _, example in game.examples.each:
        assert set(example) <= KEYS | game.keys
        assert ("legal" in example) != ("illegal" in example)


@pytest.mark.parametrize(("name", "clause", "example"), EXAMPLES, ids=IDS)
def test_the_rules_agree_with_the_example(name, clause, example):
    game = REGISTERED[name]
    if "catalogue" in example:
        catalogue_agrees(game.spec, clause, example)
    else:
        game.agrees(clause, example)
