"""What the number of copies in the box says of faces: nothing lies in two places at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from companion.core.types import Face

SEEN_TWICE = 0.02
"""What all places together weigh for each copy more of a face than the box holds: one of them may be misnamed, which is
rarer still."""

# Probability below which a face is not weighed with what lies in other places, and how many ways of sharing out faces
# among places that may hold the same ones are weighed: twins come in threes and fours, and most places are sure.
WEIGHED, MOST_WAYS = 0.01, 20_000

Chances = Sequence[tuple[Face, float]]


def too_many(named: Iterable[Face], copies: Mapping[Face, int]) -> frozenset[Face]:
    """The faces named more often than the box holds them: at least one of these is misnamed."""
    return frozenset(face for face, n in Counter(named).items() if n > copies.get(face, n))


def shared_out(places: Sequence[Chances], copies: Mapping[Face, int]) -> list[tuple[tuple[Face, float], ...]]:
    """The chances (face, probability) of each of several places, best first, weighed together: of two places that may
    hold either of two twins one holds one and one the other. Faces that `copies` does not name may be there in any
    number.

    What the chances of a place leave for faces that were not tried or for none stays possible. Places that want no more
    of any face than the box holds, and those that may be shared out in too many ways, keep their chances.
    """
    out = [tuple(chances) for chances in places]
    for group in _rivalling(places, copies):
        options = [_weighed(places[k]) for k in group]
        ways = 1
        for each in options:
            ways *= len(each)
        if ways > MOST_WAYS:
            continue
        told: list[dict[Face | None, float]] = [defaultdict(float) for _ in group]
        for way in product(*options):
            weight = SEEN_TWICE ** _beyond_the_box(way, copies)
            for _, p in way:
                weight *= p
            for one, (face, _) in zip(told, way, strict=True):
                one[face] += weight
        for k, one in zip(group, told, strict=True):
            out[k] = _told_anew(places[k], one)
    return out


def _rivalling(places: Sequence[Chances], copies: Mapping[Face, int]) -> list[list[int]]:
    """The places of which several may hold more of the same faces than the box does: their numbers, those together that
    rival each other for some face."""
    wanted = defaultdict(list)
    for k, chances in enumerate(places):
        for face, p in chances:
            if p >= WEIGHED:
                wanted[face].append(k)
    groups: list[set[int]] = []
    for face, numbers in wanted.items():
        if len(numbers) > copies.get(face, len(numbers)):
            joined = [group for group in groups if not group.isdisjoint(numbers)]
            groups = [group for group in groups if group not in joined] + [set(numbers).union(*joined)]
    return [sorted(group) for group in groups]


def _weighed(chances: Chances) -> list[tuple[Face | None, float]]:
    """The likely faces of a place, and what is left for all else."""
    likely: list[tuple[Face | None, float]] = [(face, p) for face, p in chances if p >= WEIGHED]
    left = 1.0 - sum(p for _, p in likely)
    return [*likely, (None, left)] if left > 0.0 or not likely else likely


def _beyond_the_box(way: Iterable[tuple[Face | None, float]], copies: Mapping[Face, int]) -> int:
    used = Counter(face for face, _ in way if face is not None)
    return sum(max(0, n - copies.get(face, n)) for face, n in used.items())


def _told_anew(chances: Chances, told: Mapping[Face | None, float]) -> tuple[tuple[Face, float], ...]:
    """The chances of a place, given what all ways together weigh for each of its likely faces and for all else."""
    every = sum(told.values())
    unlikely = sum(p for _, p in chances if p < WEIGHED)
    left = max(0.0, 1.0 - sum(p for _, p in chances if p >= WEIGHED))
    rest = told.get(None, 0.0) / every / max(left, unlikely) if left > 0.0 and unlikely > 0.0 else 0.0
    anew = ((face, told[face] / every if p >= WEIGHED else p * rest) for face, p in chances)
    return tuple(sorted(anew, key=lambda pair: -pair[1]))
