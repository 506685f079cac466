"""What the number of copies in the box says of faces: nothing lies in two places at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.core.types import Face

SEEN_TWICE = 0.02
"""What a face weighs of which all copies are named elsewhere: one of those may be misnamed, which is rarer still."""

Chances = Sequence[tuple[Face, float]]


def too_many(named: Iterable[Face], copies: Mapping[Face, int]) -> frozenset[Face]:
    """The faces named more often than the box holds them: at least one of these is misnamed."""
    return frozenset(face for face, n in Counter(named).items() if n > copies.get(face, n))


def left_over(chances: Chances, named: Iterable[Face], copies: Mapping[Face, int]) -> tuple[tuple[Face, float], ...]:
    """The chances (face, probability) of one place, best first, when `named` lie in the others.

    What the chances leave for faces that were not tried or for none stays as it is.
    """
    used = Counter(named)
    gone = {face for face, n in used.items() if n >= copies.get(face, n + 1)}
    weighed = [(face, p * SEEN_TWICE if face in gone else p) for face, p in chances]
    before, after = sum(p for _, p in chances), sum(p for _, p in weighed)
    if after <= 0.0:
        return tuple(chances)
    none = max(0.0, 1.0 - before)
    return tuple(sorted(((face, p / (after + none)) for face, p in weighed), key=lambda pair: -pair[1]))
