"""The best division of tiles of one theme into sets."""

from __future__ import annotations

from functools import cache
from itertools import combinations

# E66: points of a set by its number of different symbols
SET_POINTS = {2: 2, 3: 4, 4: 7}


@cache
def best_sets(counts: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Most points and a division that gives them, for `counts` tiles of each symbol of one theme.

    A set is a tuple of symbol indexes (0-3), larger sets first; of equal divisions the one with the fewest sets.
    Every way to take one set out is tried (E66), so the answer is the best by construction.
    """
    best: tuple[int, tuple[tuple[int, ...], ...]] = (0, ())
    present = [symbol for symbol, count in enumerate(counts) if count]
    for size in SET_POINTS:
        for chosen in combinations(present, size):
            rest = tuple(count - (symbol in chosen) for symbol, count in enumerate(counts))
            points, sets = best_sets(rest)
            candidate = (points + SET_POINTS[size], tuple(sorted((chosen, *sets), key=lambda x: (-len(x), x))))
            if candidate[0] > best[0] or (candidate[0] == best[0] and len(candidate[1]) < len(best[1])):
                best = candidate
    return best
