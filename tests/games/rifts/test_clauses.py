"""Every clause of Rifts of N'Norya has a legal and an illegal example, and the rules agree with each."""

from __future__ import annotations

from pathlib import Path

import pytest
from clause_examples import KEYS, catalogue_agrees, position_agrees, read_examples
from contract_rifts import PEOPLE
from rifts_positions import position, rules_of

from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.rifts import GAME
from companion.games.rifts.catalogue import CATALOGUES

EXAMPLES = read_examples(Path(__file__).parents[2] / "data" / "rifts" / "clauses.toml")
LANDS = EXAMPLES.positions.pop("lands")


def refused_setup(colours: list[str]) -> Setup:
    names = [PEOPLE[n % len(PEOPLE)][0] for n in range(len(colours))]
    return Setup("rifts", tuple(SeatInfo(*pair) for pair in zip(names, colours, strict=True)), "sample")


def words_of(where):
    """The words of a position, its land named or written out, after those of the position it is `like`."""
    words = dict(EXAMPLES.positions[where] if isinstance(where, str) else where)
    like = words.pop("like", None)
    words = {**words_of(like), **words} if like else words
    if isinstance(words.get("land"), str):
        words["land"] = [line for name in words["land"].split() for line in LANDS[name]]
    return words


@pytest.mark.parametrize("clause", list(GAME.clauses))
def test_a_clause_has_a_legal_and_an_illegal_example(clause):
    assert EXAMPLES.kinds(clause) == {"legal", "illegal"}


def test_examples_name_known_clauses_and_keys():
    assert set(EXAMPLES.by_clause) <= set(GAME.clauses)
    for _, example in EXAMPLES.each:
        assert set(example) <= KEYS | {"players", "colours", "options"}
        assert ("legal" in example) != ("illegal" in example)


@pytest.mark.parametrize(("clause", "example"), EXAMPLES.each, ids=EXAMPLES.ids)
def test_the_rules_agree_with_the_example(clause, example):
    if "catalogue" in example:
        catalogue_agrees(GAME, (CATALOGUES / "sample.toml").read_text(encoding="utf-8"), clause, example)
    elif "colours" in example:
        with pytest.raises(DataError, match="set-up"):
            GAME.make_rules(refused_setup(example["colours"]), GAME.load_catalogue("sample"))
    else:
        rules = rules_of(example.get("players", 2), **example.get("options", {}))
        where = example.get("position")
        state = rules.initial() if where is None else position(rules, **words_of(where))
        position_agrees(rules, state, clause, example)
