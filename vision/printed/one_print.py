"""Signs of one picture, named together: one picture is printed in one typeface, so that signs that look alike there
have one name, and signs that look different have two.

Signs are gathered into groups that are surely alike. Which name each group has is chosen for all of them together:
what is best is the sum over all signs of how like the learnt sign of their name they are, and `TOGETHER` times how like
the other signs of their name. Two groups of different signs, of which a blurred picture to learn from makes one, so
come to two names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Names = list[frozenset[int]]
"""The groups that have each name; the last are those without one."""

ALIKE = 0.96
"""Likeness from which all signs of a group are one sign: in 63 photographs 97.1 % of all pairs of equal signs are as
alike, 0.4 % of different ones; from 0.96 to 0.975 as many are named rightly."""

TOGETHER = 2.0
"""How much being like the others of its name counts against being like the learnt sign; 1 and 4 name as many
rightly."""

NAMELESS = 0.1
"""Likeness, below what is usual in the picture, at which a group rather has none of the learnt names."""

RIVALS = 5
"""Names that a group may have, by its signs alone the likeliest."""

MOST_ROUNDS = 20
"""Rounds through all groups, after which the best so far is taken: usually two or three are needed."""


@dataclass(frozen=True, slots=True)
class NamedTogether:
    """`best`: (N,) the name of each sign. `loss`: (N,) likeness a sign that is lost where its group has another name.

    `strange`: (N,) bool, the group rather has no learnt name: `best` is then the nearest one.
    """

    best: npt.NDArray[np.intp]
    loss: Floats
    strange: npt.NDArray[np.bool_]


def name_together(foreign: Floats, own: Floats) -> NamedTogether:
    """The names of a picture's signs.

    `foreign`: (N, names) likeness to the learnt signs; `own`: (N, N) to each other.
    """
    groups = alike(own)
    table = _Table(groups, foreign, own)
    names = table.settled()
    best, loss = np.zeros(len(own), np.intp), np.zeros(len(own))
    strange = np.zeros(len(own), np.bool_)
    for j, members in enumerate(groups):
        name = _name_of(names, j)
        lost = {m: -table.best_move(names, j, m)[0] / len(members) for m in table.rivals[j] if m != name}
        nameless = name == table.nameless
        learnt = {m: value for m, value in lost.items() if m != table.nameless}
        best[members] = min(learnt, key=learnt.__getitem__) if nameless else name
        loss[members] = 0.0 if nameless else min(lost.values())
        strange[members] = nameless
    return NamedTogether(best, loss, strange)


def alike(own: Floats) -> list[npt.NDArray[np.intp]]:
    """The signs (N,) in groups of which all pairs are at least ALIKE, the likest put together first."""
    groups = [[k] for k in range(len(own))]
    like = np.minimum(own, own.T)
    np.fill_diagonal(like, -1.0)
    for _ in range(len(own) - 1):
        a, b = divmod(int(like.argmax()), len(own))
        if like[a, b] < ALIKE:
            break
        groups[a] += groups[b]
        groups[b] = []
        least = np.minimum(like[a], like[b])
        least[a] = -1.0
        like[a], like[:, a] = least, least
        like[b], like[:, b] = -1.0, -1.0
    return [np.array(group) for group in groups if group]


class _Table:
    """What names for the groups of a picture are worth, and the way to the best ones."""

    def __init__(self, groups: list[npt.NDArray[np.intp]], foreign: Floats, own: Floats) -> None:
        others = own - np.diag(np.diag(own))
        self._sizes = [len(members) for members in groups]
        self._likeness = [[float(others[np.ix_(a, b)].sum()) for b in groups] for a in groups]
        within = [self._likeness[j][j] / (n * (n - 1)) for j, n in enumerate(self._sizes) if n > 1]
        self._usual = float(np.median(within)) if within else 1.0
        none = float(np.median(foreign.max(axis=1))) - NAMELESS
        learnt = np.stack([foreign[members].sum(axis=0) for members in groups])
        self._like: list[list[float]] = [[*row, none * n] for row, n in zip(learnt.tolist(), self._sizes, strict=True)]
        self.nameless = foreign.shape[1]
        self.rivals = [[*np.argsort(-row)[:RIVALS].tolist(), self.nameless] for row in learnt]
        self._known: dict[frozenset[int], float] = {}

    def settled(self) -> Names:
        """The best names that are found by moving groups, from each group's own likeliest name on."""
        names: Names = [frozenset(j for j, own in enumerate(self.rivals) if own[0] == m) for m in range(self.nameless)]
        names.append(frozenset())
        for _ in range(MOST_ROUNDS):
            moved = False
            for j, rivals in enumerate(self.rivals):
                for m in rivals:
                    if j not in names[m]:
                        gain, change = self.best_move(names, j, m)
                        if gain > 1e-9:
                            moved = True
                            for name, members in change.items():
                                names[name] = members
            if not moved:
                break
        return names

    def best_move(self, names: Names, j: int, m: int) -> tuple[float, dict[int, frozenset[int]]]:
        """What is gained at best where group `j` gets name `m`, and which names then have which groups."""
        moves = [(self._gain(names, change), change) for change in self._moves(names, j, m)]
        return max(moves, key=lambda move: move[0])

    def _gain(self, names: Names, change: Mapping[int, frozenset[int]]) -> float:
        return sum(self._worth(members, name) - self._worth(names[name], name) for name, members in change.items())

    def _moves(self, names: Names, j: int, m: int) -> Iterator[dict[int, frozenset[int]]]:
        """The ways of giving group `j` name `m`: beside those that have it, instead of them, all of its name with it;
        those that have it go to the name it had, or to a third one."""
        old, one = _name_of(names, j), frozenset((j,))
        left, theirs = names[old] - one, names[m]
        yield {old: left, m: theirs | one}
        if m == self.nameless:
            return
        yield {old: left | theirs, m: one}
        if old != self.nameless:
            yield {old: theirs, m: names[old]}
        for c in sorted({c for k in theirs for c in self.rivals[k]} - {old, m, self.nameless}):
            yield {old: left, m: one, c: names[c] | theirs}
            if old != self.nameless:
                yield {old: left | names[c], m: one, c: theirs}
                yield {old: names[c], m: names[old], c: theirs}

    def _worth(self, members: frozenset[int], name: int) -> float:
        like = sum((self._like[j][name] for j in members), 0.0)
        if name == self.nameless:
            return like + sum((self._among(frozenset((j,))) for j in members), 0.0)
        return like + self._among(members)

    def _among(self, members: frozenset[int]) -> float:
        """TOGETHER times the sum, over the signs of one name, of how like the others of it they are."""
        if members not in self._known:
            count = sum(self._sizes[j] for j in members)
            like = self._usual if count == 1 else sum((self._likeness[a][b] for a in members for b in members), 0.0)
            self._known[members] = TOGETHER * like / max(count - 1, 1)
        return self._known[members]


def _name_of(names: Names, j: int) -> int:
    return next(name for name, members in enumerate(names) if j in members)
