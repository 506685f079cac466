"""Envyra's examples of its clauses, and the positions they start from."""

from __future__ import annotations

from pathlib import Path

import pytest
from clause_examples import ClauseGame, Example, position_agrees, read_examples
from contract_envyra import PEOPLE
from envyra_positions import edition, position

from companion.core.errors import DataError
from companion.core.types import SeatInfo, Setup
from companion.games.envyra import GAME
from companion.games.envyra.rules import EnvyraRules
from companion.games.envyra.state import State

EXAMPLES = read_examples(Path(__file__).parents[2] / "data" / "envyra" / "clauses.toml")


def make_rules(example: Example) -> EnvyraRules:
    colours = example.get("seats", ["purple", "gray", "pink"])
    seats = tuple(SeatInfo(name, colour) for (name, _), colour in zip(PEOPLE, colours, strict=False))
    options = tuple(sorted(example.get("options", {}).items()))
    return EnvyraRules(Setup("envyra", seats, "sample", options), edition(example.get("six", "")))


def start(rules: EnvyraRules, example: Example) -> State:
    if "position" not in example:
        return rules.initial()
    words = example["position"]
    words = dict(EXAMPLES.positions[words] if isinstance(words, str) else words)
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


def tally(tiles: list[str]) -> dict[str, int]:
    score = GAME.score_faces(GAME.load_catalogue("sample"), tuple(tiles))
    return {"total": score.total, "sets": score.tiebreaks[0]}


def agrees(clause: str, example: Example) -> None:
    """The tally, the set-up or the rules agree with the example."""
    if "tiles" in example:
        score = tally(example["tiles"])
        assert all(score[key] == value for key, value in example.get("expect", {}).items())
        assert all(score[key] != value for key, value in example.get("claim", {}).items())
    elif not {"try", "expect", "claim"} & set(example):
        with pytest.raises(DataError, match="set-up"):
            make_rules(example)
    else:
        rules = make_rules(example)
        position_agrees(rules, start(rules, example), clause, example)


CLAUSES = ClauseGame(GAME, EXAMPLES, agrees, frozenset({"seats", "options", "tiles", "six"}))
