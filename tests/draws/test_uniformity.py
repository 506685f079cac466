"""Every kind of draw comes out with the rules' chances: chi-square on fixed seeds, with its power stated.

Significance 0.001 for each kind. With DRAWS draws an outcome that came a quarter too often, the least likely one, would
be found with a probability above 0.99 (checked in the test, from the noncentral chi-square distribution).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from random import Random
from typing import Any

import chi_square
import pytest

from companion.draws import generator
from companion.draws.urn import Urn, urn_of
from companion.lab.benches.draws import tables

DRAWS = 60_000
SIGNIFICANCE = 0.001
BIAS = 0.25
KINDS = ("box", "deal", "start", "open", "hand", "refill", "refill after the End tile", "replace", "replace again")
GAMES = (255, *range(3000))
"""Random games that are searched for each kind; in game 255 the rare replacement of E55 comes up."""


@lru_cache(maxsize=1)
def every_table() -> list[tuple[Any, Any]]:
    return list(islice(tables(), 24))


def played_urns(game: int) -> Iterator[tuple[str, Urn]]:
    """The kinds and urns of a random game without the bag."""
    header, rules = every_table()[game % 24]
    rng, state = Random(game), rules.initial()
    while rules.result(state) is None:
        outcomes = rules.chance_outcomes(state)
        if not outcomes:
            state = rules.apply(state, rng.choice(rules.legal_actions(state)))
            continue
        texts = [rules.format(outcome.draw) for outcome in outcomes]
        kind = texts[0].split()[0]
        if kind == "refill" and state.supply.aside and dict(header.setup.options)["removed_tiles"] == "drawn":
            kind = "refill after the End tile"
        elif kind == "replace" and state.supply.aside:
            kind = "replace again"
        yield kind, urn_of(outcomes, texts)
        chances = [float(outcome.probability) for outcome in outcomes]
        state = rules.apply(state, rng.choices(outcomes, chances)[0].draw)


@lru_cache(maxsize=1)
def urn_of_each_kind() -> dict[str, Urn]:
    found: dict[str, Urn] = {}
    for kind, urn in chain.from_iterable(played_urns(game) for game in GAMES):
        if len(urn.texts) > 1:
            found.setdefault(kind, urn)
        if len(found) == len(KINDS):
            break
    return found


def counts_of(urn: Urn, seed: str) -> list[int]:
    key = hashlib.sha256(seed.encode()).digest()
    counts = [0] * len(urn.texts)
    for number in range(1, DRAWS + 1):
        counts[urn.pick(generator.uniform(key, "uniformity", number, urn.total))] += 1
    return counts


@pytest.mark.parametrize("kind", KINDS)
def test_draws_come_with_the_chances_of_the_rules(kind: str):
    urn = urn_of_each_kind()[kind]
    freedom = len(urn.texts) - 1
    critical = chi_square.quantile(1 - SIGNIFICANCE, freedom)
    noncentrality = chi_square.noncentrality_of_bias(urn.weights, DRAWS, BIAS)
    assert chi_square.power(noncentrality, freedom, critical) > 0.99
    assert chi_square.statistic(counts_of(urn, kind), urn.weights) < critical


def test_after_the_end_tile_every_other_tile_is_equally_likely():
    urn = urn_of_each_kind()["refill after the End tile"]
    assert set(urn.weights) == {1}
    assert not any(text.endswith(" end") for text in urn.texts)


def test_biased_counts_are_found():
    urn = Urn(tuple("abcdef"), (1, 1, 1, 1, 1, 1))
    counts = counts_of(urn, "bias")
    moved = int(counts[0] * BIAS)
    counts[0] += moved
    counts[1] -= moved
    assert chi_square.statistic(counts, urn.weights) > chi_square.quantile(1 - SIGNIFICANCE, 5)


@pytest.mark.parametrize(
    ("p", "freedom", "table"), [(0.95, 1, 3.841), (0.99, 10, 23.209), (0.999, 30, 59.703), (0.95, 100, 124.342)]
)
def test_quantiles_agree_with_the_printed_tables(p: float, freedom: int, table: float):
    # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4
    assert chi_square.quantile(p, freedom) == pytest.approx(table, abs=0.001)
