"""Perft tables of Spyrium, recounted by a formula or by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from spyrium_positions import position, rules_of

from companion.app.terminal.perft import first_dealt, perft

TABLES = tomllib.loads((Path(__file__).parents[2] / "data" / "spyrium" / "perft.toml").read_text("utf-8"))
GAPS, TOKEN_CHOICES, WORKERS = 12, 3, 3


def sequences(seats: tuple[tuple[str, int, bool], ...], depth: int) -> int:
    """Sequences of `depth` events while no card is activated; the first of `seats` acts and then goes last.

    A seat is its phase, its active workers and whether the event (a token: pounds, Spyrium or points) is unused. In
    Phase II it has no worker in the market, which holds for the first three events of a turn.
    """
    (phase, active, event), rest = seats[0], seats[1:]
    if depth == 0:
        return 1
    later = depth - 1
    total = TOKEN_CHOICES * sequences((*rest, (phase, active, False)), later) if event else 0
    if phase == "II":
        return total + (sequences(rest, later) if rest else 0)  # passing
    if active:
        total += GAPS * sequences((*rest, (phase, active - 1, event)), later)
    return total + sequences((("II", active, event), *rest), later)


@pytest.mark.parametrize("table", TABLES["setup"], ids=lambda table: f"{table['players']} players")
def test_perft_from_the_fixed_setup_agrees_with_the_formula(table):
    rules, depths = rules_of(table["players"]), range(1, len(table["counts"]) + 1)
    state = first_dealt(rules)
    assert [perft(rules, state, depth) for depth in depths] == table["counts"]
    seats = (("I", WORKERS, True),) * table["players"]
    assert [sequences(seats, depth) for depth in depths] == table["counts"]


@pytest.mark.parametrize("table", TABLES["position"], ids=lambda table: f"{table['count']} actions")
def test_actions_of_a_position_are_as_many_as_counted_by_hand(table):
    rules = rules_of()
    assert perft(rules, position(rules, **table["where"]), 1) == table["count"]
