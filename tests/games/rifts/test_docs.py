"""The page about Rifts of N'Norya names every event, phase, key of the views and kind of piece there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rifts_positions import position, rules_of

from companion.core.errors import NotationError
from companion.core.types import Seat
from companion.games.rifts import GAME
from companion.games.rifts.actions import NOTATION
from companion.games.rifts.board import TOKENS
from companion.games.rifts.state import Phase

DOCS = Path(__file__).parents[3] / "docs" / "reference" / "rifts.md"
WORDS = set(re.findall(r"[\w-]+", DOCS.read_text(encoding="utf-8")))


def verbs() -> set[str]:
    """The verbs of all forms, which the refusal of a wrong one lists."""
    with pytest.raises(NotationError) as refused:
        NOTATION.parse("nonsense")
    return {re.split(r"\W", form)[0] for form in re.findall(r"`(?:A )?([a-z][^`]*)`", refused.value.remedy)}


def test_every_verb_and_phase_is_named():
    assert len(verbs()) == len(GAME.action_types) + len(GAME.draw_types)
    assert verbs() | {phase.value for phase in Phase} <= WORDS


@pytest.mark.parametrize("part", ["", "seats.0", "fight", "supply", "map", "market.0", "temples.0"])
def test_every_key_of_the_views_is_named(part):
    rules = rules_of()
    state = position(rules, land=["location-01 i11 1"], enemies="i11", seats={"A": {"at": "i11"}})
    found = rules.view(rules.apply(state, rules.parse("A fight enemy")), Seat.A)
    for key in part.split(".") if part else ():
        found = found[int(key)] if key.isdigit() else found[key]
    assert set(found) <= WORDS


def test_every_token_and_ruling_is_named():
    temples = {token for token in TOKENS if token.startswith("temple of ")}
    text = DOCS.read_text(encoding="utf-8")
    assert all(f"`{token}`" in text for token in (set(TOKENS) - temples) | {"temple of fire"})
    text = DOCS.read_text(encoding="utf-8")
    assert all(option.key in text for option in GAME.options)
