"""How many tables of which size: the fewest byes, then the fewest tables of the sizes that are liked least."""

from __future__ import annotations

SMALLEST, LARGEST = 2, 4
"""Tables of two to four. What proves a pairing goes through every set of so many players, and there are few of them."""


def table_sizes(players: int, liked: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes of the tables, the best liked first; players above their sum have a bye.

    `liked`: the sizes an event allows, the best first. (4, 3, 2): ten players are 4 + 3 + 3, five are 3 + 2, since a
    table of two is liked least. (4,): ten players are 4 + 4 and two byes. Raises ValueError for no or foreign sizes.
    """
    if not liked or len(set(liked)) != len(liked) or not all(SMALLEST <= size <= LARGEST for size in liked):
        raise ValueError(f"expected different table sizes from {SMALLEST} to {LARGEST}, got {liked}")
    for seated in range(players, 0, -1):
        counts = _counts(seated, liked)
        if counts is not None:
            return tuple(size for size, count in zip(liked, counts, strict=True) for _ in range(count))
    return ()


def _counts(seated: int, liked: tuple[int, ...]) -> tuple[int, ...] | None:
    """How many tables of each size seat exactly so many, few of the last size first; None when no tables do."""
    *better, last = liked
    if not better:
        return (seated // last,) if seated % last == 0 else None
    for count in range(seated // last + 1):
        rest = _counts(seated - count * last, tuple(better))
        if rest is not None:
            return (*rest, count)
    return None
