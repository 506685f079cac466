"""Urns keep the exact chances of the rules, and every integer belongs to exactly one outcome."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from urn_game import Take

from companion.core.types import ChanceOutcome
from companion.draws.urn import Urn, urn_from_json, urn_of

WEIGHTS = st.lists(st.integers(1, 40), min_size=1, max_size=12)


def outcomes(chances: list[Fraction]) -> list[ChanceOutcome]:
    return [ChanceOutcome(Take(str(i)), chance) for i, chance in enumerate(chances)]


@given(WEIGHTS)
def test_weights_stand_in_the_ratio_of_the_chances(weights: list[int]):
    total = sum(weights)
    chances = [Fraction(weight, total) for weight in weights]
    urn = urn_of(outcomes(chances), [f"t{i}" for i in range(len(weights))])
    assert [Fraction(weight, urn.total) for weight in urn.weights] == chances


@given(WEIGHTS)
def test_each_outcome_owns_as_many_integers_as_it_weighs(weights: list[int]):
    total = sum(weights)
    urn = urn_of(outcomes([Fraction(w, total) for w in weights]), [f"t{i}" for i in range(len(weights))])
    picks = [urn.pick(integer) for integer in range(urn.total)]
    assert [picks.count(i) for i in range(len(weights))] == list(urn.weights)
    assert picks == sorted(picks)
    assert urn_from_json(urn.to_json()) == urn


def test_chances_that_do_not_sum_to_one_are_refused():
    with pytest.raises(ValueError, match="not to 1"):
        urn_of(outcomes([Fraction(1, 2), Fraction(1, 3)]), ["a", "b"])


@pytest.mark.parametrize("integer", [-1, 3])
def test_integer_outside_the_urn_is_refused(integer: int):
    with pytest.raises(ValueError, match="from 0 to 2"):
        Urn(("a", "b"), (1, 2)).pick(integer)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        [["a"]],
        [["a", 1, 2]],
        [["a", 0]],
        [["a", 1.0]],
        [["a", True]],
        [[1, 1]],
        [["a", 1], ["a", 1]],
        [["a", 2]],
    ],
)
def test_recorded_urn_in_another_form_is_refused(data: object):
    with pytest.raises(ValueError, match=r"."):
        urn_from_json(data)
