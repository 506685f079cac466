"""The odds say what is left by theme, how likely the End tile is and whether it could be placed now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from companion.core.types import Draw
from companion.draws.odds import odds
from companion.games import find_game
from companion.lab.benches.draws import tables


def by_theme() -> Callable[[Draw], str]:
    catalogue = find_game("envyra").load_catalogue("sample")
    themes = {tile.id: tile.theme.value for tile in catalogue.tiles}
    return lambda draw: themes[draw.tile]  # type: ignore[attr-defined]


def refills(games: int) -> Iterator[tuple[Any, Any]]:
    """Rules and states of random games in which a tile is about to be drawn for a gap."""
    for game, (_, rules) in enumerate(islice(tables(), games)):
        rng, state = Random(game), rules.initial()
        while rules.result(state) is None:
            outcomes = rules.chance_outcomes(state)
            if outcomes and rules.format(outcomes[0].draw).startswith("refill"):
                yield rules, state
            if outcomes:
                chances = [float(outcome.probability) for outcome in outcomes]
                state = rules.apply(state, rng.choices(outcomes, chances)[0].draw)
            else:
                state = rules.apply(state, rng.choice(rules.legal_actions(state)))


def test_odds_agree_with_what_the_view_says_of_the_supply():
    label, seen, placed_end = by_theme(), 0, set()
    for rules, state in refills(12):
        lines = {line.label: line for line in odds(rules, state, label)}
        view = rules.view(state, None)
        assert sum(line.chance for line in lines.values()) == 1
        for theme, entry in view["supply"]["themes"].items():
            assert lines[theme].outcomes == entry["known"] + entry["possible"]
        if "end" in lines:
            assert lines["end"].chance == Fraction(view["end_tile"]["chance"])
            assert lines["end"].can_be_placed == view["end_tile"]["can_enter"]
            placed_end.add(lines["end"].can_be_placed)
        assert all(line.placed == line.chance for name, line in lines.items() if name != "end")
        seen += 1
    assert seen > 100
    assert placed_end == {True, False}


def test_without_a_label_every_outcome_stands_for_itself():
    rules, state = next(refills(1))
    lines = odds(rules, state)
    assert len(lines) == len(rules.chance_outcomes(state))
    assert [line.chance for line in lines] == sorted((line.chance for line in lines), reverse=True)


def test_no_odds_when_no_draw_is_due():
    _, rules = next(tables())
    rng, state = Random(1), rules.initial()
    while rules.chance_outcomes(state):
        state = rules.apply(state, rng.choice(rules.chance_outcomes(state)).draw)
    assert odds(rules, state) == ()
