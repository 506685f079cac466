"""Contacts as worn ones move: random patterns of bounce, by the seed."""

from __future__ import annotations

from random import Random

SHORTEST_MS, LONGEST_MS, MOST_EDGES = 0.5, 30.0, 20


def random_bounce(random: Random, closed: int) -> list[tuple[float, int]]:
    """(ms, closed) of 1 to 20 edges, 0.5 to 30 ms apart, the first and the last to `closed`."""
    edges = 2 * random.randrange(MOST_EDGES // 2) + 1
    at, pattern = 0.0, []
    for number in range(edges):
        pattern.append((at, closed if number % 2 == 0 else 1 - closed))
        at += random.uniform(SHORTEST_MS, LONGEST_MS)
    return pattern
