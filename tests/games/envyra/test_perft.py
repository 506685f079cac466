"""Perft tables of each number of players, recounted by a formula and by a second implementation."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from math import comb
from pathlib import Path

import pytest
from clause_examples import play
from envyra_positions import rules_of
from envyra_second import SecondOpinion

from companion.app.terminal.perft import first_dealt, perft

TABLES = tomllib.loads((Path(__file__).parents[2] / "data" / "envyra" / "perft.toml").read_text("utf-8"))["table"]
IDS = [f"{table['players']} players, {table['variant']}" for table in TABLES]
SECOND_MOST = 8000  # sequences that the slow second implementation is asked for
PLACES = {2: 6, 3: 9, 4: 12}


def phase_one(players: int, choices: int, ready: int, depth: int) -> int:
    """Sequences of `depth` events of Phase I, `ready` of the players having confirmed; `depth` <= players - ready."""
    if depth == 0:
        return 1
    back = ready * phase_one(players, choices, ready - 1, depth - 1) if ready else 0
    # who is not ready chooses one of the groups of places or confirms without telling
    return back + (players - ready) * (choices + 1) * phase_one(players, choices, ready + 1, depth - 1)


def count_second(other: SecondOpinion, depth: int) -> int:
    """The same count by the second implementation; any tile that nobody has seen may come."""
    if depth == 0:
        return 1
    if other.phase == "refill":
        gone = {*other.grid.values(), *(tile for won in other.won.values() for tile in won)}
        late = {tile.id for tile in other.tiles.values() if tile.players_3_4 and len(other.seats) == 2}
        possible = {*other.tiles} - gone - late - {"end-k"} - ({"end"} if other.aside else set())
        texts = {f"refill {other.gaps[0]} {tile}" for tile in possible}
    else:
        texts = other.legal()
    if depth == 1:
        return len(texts)
    total = 0
    for text in texts:
        after = deepcopy(other, {id(other.tiles): other.tiles})
        after.act(text)
        total += count_second(after, depth - 1)
    return total


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_perft_from_the_fixed_setup(table):
    rules = rules_of(table["players"], variant=table["variant"])
    state = first_dealt(rules)
    assert [perft(rules, state, depth) for depth in range(1, len(table["setup"]) + 1)] == table["setup"]


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_perft_of_phase_one_agrees_with_the_formula(table):
    players, places = table["players"], PLACES[table["players"]]
    choices = places if table["variant"] == "basic" else places + comb(places, 2)
    counts = [phase_one(players, choices, 0, depth) for depth in range(1, players + 1)]
    assert counts[: len(table["setup"])] == table["setup"][:players]


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_perft_from_the_reveal(table):
    rules = rules_of(table["players"], variant=table["variant"])
    state = play(rules, first_dealt(rules), table["choices"])
    assert [perft(rules, state, depth) for depth in range(1, len(table["reveal"]) + 1)] == table["reveal"]


@pytest.mark.parametrize("table", TABLES, ids=IDS)
def test_perft_from_the_reveal_agrees_with_the_second_implementation(table):
    rules = rules_of(table["players"], variant=table["variant"])
    view = rules.view(first_dealt(rules), None)
    grid = {cell["slot"]: cell["tile"]["id"] for cell in view["cells"]}
    other = SecondOpinion(table["players"], grid, "A", view["supply"]["count"], basic=table["variant"] == "basic")
    for text in table["choices"]:
        other.act(text)
    depths = [d for d, count in enumerate(table["reveal"], start=1) if count <= SECOND_MOST]
    assert len(depths) >= 3
    assert [count_second(other, depth) for depth in depths] == table["reveal"][: len(depths)]
