"""Who sits where at a table: each in turn at every seat, the first and the last of all.

The first seat begins and takes the starting figure, the last waits longest; so both weigh double.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import permutations

EDGE = 2
"""How much more the first and the last seat weigh than those between."""

Seats = Mapping[tuple[int, int], int]
"""How often a player sat on a seat of a table of a size, by (size, seat from 0)."""


def seated(table: Sequence[int], sat: Mapping[int, Seats], drawn: random.Random) -> tuple[int, ...]:
    """The players of a table in the order of its seats, so that nobody sits on a seat more often than need be.

    Every order is compared (24 of four players); `drawn` decides between equal ones.
    """
    size = len(table)
    orders = list(permutations(sorted(table)))
    drawn.shuffle(orders)

    def cost(order: tuple[int, ...]) -> int:
        return sum(_cost(sat.get(player, {}), size, seat) for seat, player in enumerate(order))

    return min(orders, key=cost)


def _cost(sat: Seats, size: int, seat: int) -> int:
    """Grows with the square of how often, so that the second time on a seat is dearer than the first."""
    # The first seat is the first at a table of any size, and so is the last; between them seats are only comparable
    # at tables of one size.
    if seat == 0:
        before, weight = sum(count for (_, at), count in sat.items() if at == 0), EDGE
    elif seat == size - 1:
        before, weight = sum(count for (of, at), count in sat.items() if at == of - 1), EDGE
    else:
        before, weight = sat.get((size, seat), 0), 1
    return weight * (2 * before + 1)
