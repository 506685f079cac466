"""Every clause has a legal and an illegal example, and the rules agree with each."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from contract_envyra import PEOPLE
from envyra_positions import at, play, position

from companion.core.errors import DataError
from companion.core.types import Action, SeatInfo, Setup
from companion.games.envyra import GAME
from companion.games.envyra.catalogue import CATALOGUES
from companion.games.envyra.rules import EnvyraRules

FILE = Path(__file__).parents[2] / "data" / "envyra" / "clauses.toml"
DATA = tomllib.loads(FILE.read_text(encoding="utf-8"))
POSITIONS = DATA.pop("positions")
EXAMPLES = [(clause, example) for clause, examples in DATA.items() for example in examples]
IDS = [
    f"{clause} {'legal' if 'legal' in e else 'illegal'}: {e.get('legal', e.get('illegal'))}" for clause, e in EXAMPLES
]
KEYS = {
    "legal", "illegal", "position", "events", "try", "violates", "expect", "claim", "catalogue", "seats", "options",
    "tiles",
}  # fmt: skip


def make_rules(example) -> EnvyraRules:
    colours = example.get("seats", ["purple", "gray", "pink"])
    seats = tuple(SeatInfo(name, colour) for (name, _), colour in zip(PEOPLE, colours, strict=False))
    options = tuple(sorted(example.get("options", {}).items()))
    return EnvyraRules(Setup("envyra", seats, "sample", options), GAME.load_catalogue("sample"))


def start(rules: EnvyraRules, example):
    if "position" not in example:
        return rules.initial()
    words = example["position"]
    words = dict(POSITIONS[words] if isinstance(words, str) else words)
    if words.get("phase") == "start":
        state = position(rules, **{**words, "phase": "choose"})
        return rules.load({**rules.dump(state), "phase": "start", "first": None, "round": 0, "playing": []})
    if words.get("phase") in ("open", "hand", "pick"):
        full = {
            **words,
            "phase": "choose",
            "open_cards": [["eq-1", ""], ["eq-5", ""]],
            "hands": ["eq-2", "eq-3", "eq-4", "eq-6"],
        }
        equilibrium = rules.setup.option("equilibrium", "none")
        full["open_cards"] = full["open_cards"] if equilibrium in "ac" else []
        full["hands"] = full["hands"][: len(rules.setup.seats)] if equilibrium in "bc" else []
        data = rules.dump(position(rules, **full))
        opened = [{"card": card, "taken": None} for card, _ in words.get("open_cards", [])]
        hands = [card or None for card in words.get("hands", [])]
        return rules.load(
            {**data, "phase": words["phase"], "round": 0, "playing": [], "open_cards": opened, "hands": hands}
        )
    return position(rules, **words)


def holds(view, path, value) -> bool:
    found = at(view, path)
    return found is None if value == "none" else found == value


def tally(tiles):
    score = GAME.score_faces(GAME.load_catalogue("sample"), tuple(tiles))
    return {"total": score.total, "sets": score.tiebreaks[0]}


@pytest.mark.parametrize("clause", list(GAME.clauses))
def test_a_clause_has_a_legal_and_an_illegal_example(clause):
    kinds = {kind for kind in ("legal", "illegal") for example in DATA.get(clause, []) if kind in example}
    assert kinds == {"legal", "illegal"}


def test_examples_name_known_clauses_and_keys():
    assert set(DATA) <= set(GAME.clauses)
    for _, example in EXAMPLES:
        assert set(example) <= KEYS
        assert ("legal" in example) != ("illegal" in example)


@pytest.mark.parametrize(("clause", "example"), EXAMPLES, ids=IDS)
def test_the_rules_agree_with_the_example(clause, example):
    legal = "legal" in example
    violates = example.get("violates", clause)
    if "catalogue" in example:
        text = (CATALOGUES / "sample.toml").read_text(encoding="utf-8")
        for old, new in example["catalogue"]:
            assert old in text
            text = text.replace(old, new)
        if legal:
            assert GAME.load_catalogue(text).id == "sample"
        else:
            with pytest.raises(DataError, match=rf"\({clause}\)"):
                GAME.load_catalogue(text)
        return
    if "tiles" in example:
        score = tally(example["tiles"])
        assert all(score[key] == value for key, value in example.get("expect", {}).items())
        assert all(score[key] != value for key, value in example.get("claim", {}).items())
        return
    if not {"try", "expect", "claim"} & set(example):
        with pytest.raises(DataError, match="set-up"):
            make_rules(example)
        return
    rules = make_rules(example)
    state = play(rules, start(rules, example), example.get("events", []))
    if "try" in example:
        event = rules.parse(example["try"])
        violation = rules.check(state, event) if isinstance(event, Action) else rules.check_draw(state, event)
        assert (None if legal else violates) == (violation and violation.clause), violation
        state = rules.apply(state, event) if legal else state
    view = rules.view(state, None)
    for path, value in example.get("expect", {}).items():
        assert holds(view, path, value), (path, at(view, path))
    for path, value in example.get("claim", {}).items():
        assert not holds(view, path, value), path
