"""By how much a purse may have changed, with the chances: what two looks that leave something open still tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Chances = Mapping[int, float]
"""The chance of each sum, or of each change of one; what is missing to 1 is any other. Empty: nothing is known."""

LEAST = 1e-3
"""What has less chance than this is left out."""


def surely(value: int) -> Chances:
    """`value`, and nothing else."""
    return {value: 1.0}


def only_one(chances: Chances) -> int | None:
    """The one value that is sure; None where there is none."""
    return next((value for value, p in chances.items() if p == 1.0), None)


def added(parts: Iterable[Chances]) -> Chances:
    """The chances of a sum, from those of its `parts`, which do not depend on each other."""
    whole: dict[int, float] = {0: 1.0}
    for part in parts:
        longer: dict[int, float] = {}
        for value, p in whole.items():
            for more, q in part.items():
                longer[value + more] = longer.get(value + more, 0.0) + p * q
        whole = {value: p for value, p in longer.items() if p >= LEAST}
    return dict(sorted(whole.items(), key=lambda pair: -pair[1]))
