"""The urn of one draw: the texts of its outcomes with integer weights, and the outcome that an integer picks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any

from companion.core.types import ChanceOutcome


@dataclass(frozen=True, slots=True)
class Urn:
    """Outcomes in the canonical order of the rules; `weights` are positive integers without a common divisor."""

    texts: tuple[str, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.texts or len(self.texts) != len(self.weights):
            raise ValueError(f"an urn needs a weight per outcome, got {len(self.texts)} and {len(self.weights)}")
        if any(weight < 1 for weight in self.weights):
            raise ValueError(f"an urn needs weights of at least 1, got {min(self.weights)}")
        if len(set(self.texts)) != len(self.texts):
            raise ValueError("an urn names each outcome once")
        if gcd(*self.weights) != 1:
            raise ValueError(f"the weights of an urn have no common divisor, got {gcd(*self.weights)}")

    @property
    def total(self) -> int:
        """The sum of the weights: the number of equally likely integers."""
        return sum(self.weights)

    def pick(self, integer: int) -> int:
        """Index of the outcome that owns `integer` of [0, total), the weights being laid end to end in order."""
        if not 0 <= integer < self.total:
            raise ValueError(f"expected an integer from 0 to {self.total - 1}, got {integer}")
        for index, weight in enumerate(self.weights):
            if integer < weight:
                return index
            integer -= weight
        raise AssertionError("the weights sum to the total")

    def to_json(self) -> list[list[Any]]:
        """[[text, weight], …] in order."""
        return [[text, weight] for text, weight in zip(self.texts, self.weights, strict=True)]


def urn_of(outcomes: Sequence[ChanceOutcome], texts: Iterable[str]) -> Urn:
    """The urn of the rules' outcomes with their canonical texts: the chances over their least common denominator.

    Raises ValueError when the probabilities do not sum to 1.
    """
    chances = [outcome.probability for outcome in outcomes]
    denominator = lcm(*(chance.denominator for chance in chances))
    weights = tuple(chance.numerator * (denominator // chance.denominator) for chance in chances)
    if sum(weights) != denominator:
        raise ValueError(f"the probabilities of {len(outcomes)} outcomes sum to {sum(weights)}/{denominator}, not to 1")
    return Urn(tuple(texts), weights)


def urn_from_json(data: object) -> Urn:
    """The urn that `to_json` wrote. Raises ValueError saying what is wrong."""
    texts: list[str] = []
    weights: list[int] = []
    for row in data if isinstance(data, list) else [data]:
        if not (isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and type(row[1]) is int):
            raise ValueError(f"expected [text, weight], got {row!r}")
        texts.append(row[0])
        weights.append(row[1])
    return Urn(tuple(texts), tuple(weights))
