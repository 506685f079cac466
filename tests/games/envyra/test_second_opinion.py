"""The rules against a second implementation written from the clauses: same actions, same table, step by step."""

from __future__ import annotations

import pytest
from contract_kit import random_game
from envyra_positions import rules_of
from envyra_second import SecondOpinion

from companion.games.envyra.state import Phase

GAMES = 5


def compare(rules, state, other: SecondOpinion) -> None:
    view = rules.view(state, None)
    assert {c["slot"]: c["tile"]["id"] for c in view["cells"] if c["tile"]} == other.grid
    for cell in view["cells"]:
        assert cell["cubes"] == other.cubes[cell["slot"]]
    for seat in view["seats"]:
        assert sorted(t["id"] for t in seat["captured"]) == sorted(other.won[seat["seat"]])
    if state.phase in (Phase.CHOOSE, Phase.REVEAL, Phase.MOVE):
        assert {rules.format(a) for a in rules.legal_actions(state)} == other.legal()
        assert [seat["reserve"] for seat in view["seats"]] == [other.reserve(s) for s in other.seats]


@pytest.mark.parametrize("variant", ["standard", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_implementations_agree_on_random_games(players, variant):
    rules = rules_of(players, variant=variant)
    steps = 0
    for seed in range(GAMES):
        other = None
        for state, event in random_game(rules, seed, 20_000):
            if state.phase in (Phase.DEAL, Phase.START):
                continue
            if other is None:
                view = rules.view(state, None)
                grid = {cell["slot"]: cell["tile"]["id"] for cell in view["cells"]}
                other = SecondOpinion(players, grid, view["first"], view["supply"]["count"], basic=variant == "basic")
            if other.phase == "stuck":
                assert state.phase in (Phase.REMOVE, Phase.CHOOSE)
                assert state.phase is Phase.REMOVE or state.last_round
                break
            compare(rules, state, other)
            steps += 1
            if event is None:
                assert other.phase == "over"
                break
            other.act(rules.format(event))
    assert steps > 100 * GAMES / 2
