"""Who sits with whom: Swiss pairing for tables of two to four.

In this order, a later one only among what the earlier leave equal: the fewest byes and small tables (`sizes.py`), a bye
for those with the fewest; as few as can be who meet again, and none a third time before others a second; small tables
and byes not for the same people (a bye goes to the lowest); points apart (the sum over every two at a table of the
square of the difference); a lot drawn from the seed. A field of few players is solved as a whole. A larger one is cut
along the standings, and some neighbouring tables at a time are solved anew until none gets better. That none who meet
again could be spared is proved for the whole field (`bound.py`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

import numpy as np

from companion.hub.events.seats.bound import Proof, prove
from companion.hub.events.seats.columns import Columns, Field, columns, how_many, priced_tables
from companion.hub.events.seats.optimiser import Choice, Ints, choose
from companion.hub.events.seats.sizes import table_sizes

WHOLE = 2500
"""So many candidate tables are searched at once: sixteen players at tables of three and four, in 0.1 s."""
WINDOW = 1000
"""Candidate tables of the neighbours that are solved anew at a time: three tables of four have 495."""
LOTS = 4
"""The lot of two players is below this: enough to make equal pairings differ, small beside a step in points."""
AGAIN = 1000
"""Two who meet again weigh more than all third meetings of those who are solved at a time."""
MOST_AGAIN = 20
"""A third meeting and those after it count up to this: 35 tables of two, the most at a time, stay below AGAIN."""
TRIES = 40
"""How often each table with a repeat is solved anew with others drawn from the whole field."""
CUT = 1e-6

Table = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of the round to be paired, with what was until now; `met` counts the games with each other player."""

    number: int
    points: Fraction
    met: Mapping[int, int]
    small: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables, by players' numbers, the strongest first; who has a bye; and what was proved.

    `repeats`: pairs of players who meet again; `bound`: with these tables, byes and this history no pairing has fewer
    than so many. The lot of the seed decided what was equal.
    """

    tables: tuple[Table, ...]
    byes: tuple[int, ...]
    repeats: int
    bound: int
    seed: str

    @property
    def proved(self) -> bool:
        """Whether it is proved that no repeat could be avoided."""
        return self.repeats == self.bound


def pair(contestants: Sequence[Contestant], liked: tuple[int, ...], seed: str) -> Pairing:
    """The pairing of a round; equal for equal contestants (in any order), sizes and seed."""
    drawn = random.Random(seed)
    lots = {each.number: drawn.random() for each in sorted(contestants, key=lambda each: each.number)}
    ranked = sorted(contestants, key=lambda each: (-each.points, lots[each.number]))
    sizes = table_sizes(len(ranked), liked)
    sizes += (1,) * (len(ranked) - sum(sizes))
    field = _field(ranked, sizes.count(1), drawn)
    tables, proof = _paired(field, sizes, drawn)
    by_number = [tuple(sorted(ranked[player].number for player in table)) for table in sorted(tables)]
    seated = tuple(table for table in by_number if len(table) > 1)
    return Pairing(
        seated, tuple(table[0] for table in by_number if len(table) == 1), proof.repeats, proof.bound, seed
    )


def _field(ranked: Sequence[Contestant], byes: int, drawn: random.Random) -> Field:
    count = len(ranked)
    index = {each.number: place for place, each in enumerate(ranked)}
    times = np.zeros((count, count), dtype=np.int64)
    for each in ranked:
        for other, games in each.met.items():
            if other in index:
                times[index[each.number], index[other]] = games
    unit = lcm(*(each.points.denominator for each in ranked)) if ranked else 1
    points = np.array([int(each.points * unit) for each in ranked], dtype=np.int64)
    step = int(np.gcd.reduce(points - points.min())) if count else 1  # 0: all are equal
    points = points // (step or 1)
    had = np.array([each.byes for each in ranked], dtype=np.int64)
    # With `byes` to give, nobody gets one who had more than the `byes`-th fewest.
    line = int(np.sort(had)[byes - 1]) if byes else -1
    lots = np.array([drawn.randrange(LOTS) for _ in range(count * count)], dtype=np.int64).reshape(count, count)
    return Field(
        met=(times > 0).astype(np.int64), again=np.clip(times - 1, 0, MOST_AGAIN),
        apart=(points[:, None] - points[None, :]) ** 2, lot=np.triu(lots, 1) + np.triu(lots, 1).T,
        small=np.array([each.small for each in ranked], dtype=np.int64),
        above=points - points.min() if count else points, may_bye=had <= line, must_bye=had < line,
    )  # fmt: skip


def _paired(field: Field, sizes: tuple[int, ...], drawn: random.Random) -> tuple[list[Table], Proof]:
    count = len(field.small)
    if not count:
        return [], Proof(0, 0, None)
    if how_many(count, sizes) <= WHOLE:
        solved = _solved(field, np.arange(count), sizes)
        if solved is not None:
            return solved
    tables = _improved(field, _cut(field, sizes))
    tables = _mended(field, tables, drawn)
    proof = prove(field, sizes, tables)
    if proof.better is not None:  # the proof's search met a pairing with fewer repeats
        tables = _improved(field, list(proof.better))
    return tables, proof


def _cut(field: Field, sizes: tuple[int, ...]) -> list[Table]:
    """The standings cut into tables: byes to the lowest who may, small tables as low as is fair, the rest in order."""
    waiting = list(range(len(field.small)))
    largest, tables = max(sizes), list[Table]()
    byes = sorted(waiting, key=lambda player: (not field.must_bye[player], not field.may_bye[player], -player))
    for player in byes[: sizes.count(1)]:
        tables.append((player,))
        waiting.remove(player)
    for size in sorted(each for each in sizes if 1 < each < largest):
        starts = range(len(waiting) - size, -1, -1)
        start = min(starts, key=lambda at: int(field.small[waiting[at : at + size]].sum()))
        tables.append(tuple(waiting[start : start + size]))
        del waiting[start : start + size]
    tables += [tuple(waiting[at : at + largest]) for at in range(0, len(waiting), largest)]
    return sorted(tables)


def _improved(field: Field, tables: list[Table]) -> list[Table]:
    """Solves neighbouring tables anew, down the standings and again, until no neighbours get better."""
    done: set[frozenset[Table]] = set()
    changed = True
    while changed:
        changed = False
        at = 0
        while at < len(tables):
            end = _window_end(tables, at)
            window = tables[at:end]
            if frozenset(window) not in done:
                better = _anew(field, window)
                done.add(frozenset(better))
                if better != window:
                    tables[at:end], changed = better, True
            if end == len(tables):
                break
            at += 1
        tables.sort(key=lambda table: (sum(table) / len(table), table))
    return tables


def _mended(field: Field, tables: list[Table], drawn: random.Random) -> list[Table]:
    """Solves each table with a repeat anew, together with others of the whole field."""
    for _ in range(TRIES):
        repeated = [table for table in tables if _repeats(field, table)]
        if not repeated:
            break
        for table in repeated:
            if table not in tables:
                continue
            others = [each for each in tables if each != table]
            drawn.shuffle(others)
            window = sorted([table, *others][: _window_end([table, *others], 0)])
            tables = sorted([each for each in tables if each not in window] + _anew(field, window))
    return tables


def _repeats(field: Field, table: Table) -> int:
    return int(field.met[np.ix_(table, table)].sum()) // 2


def _window_end(tables: Sequence[Table], start: int) -> int:
    """Behind the last table that is solved together with the one at `start`; at least one more."""
    end, players, sizes = start, 0, set[int]()
    while end < len(tables):
        players, sizes = players + len(tables[end]), sizes | {len(tables[end])}
        if end > start + 1 and how_many(players, tuple(sizes)) > WINDOW:
            break
        end += 1
    return end


def _anew(field: Field, window: list[Table]) -> list[Table]:
    """Better tables of the players of some tables, in the order of the standings; the same when none are better."""
    players = np.array(sorted(player for table in window for player in table))
    sizes = tuple(len(table) for table in window)
    now = _cost(field, window)
    if not any(now):
        return window
    solved = _solved(field, players, sizes, repeats=now[0])
    if solved is None or _cost(field, solved[0]) >= now:
        return window
    return sorted(solved[0], key=lambda table: (sum(table) / len(table), table))


def _cost(field: Field, tables: list[Table]) -> tuple[int, int, int, int]:
    """What is to be small, the first first; the lot left out."""
    of = priced_tables(field, tables)
    return int(of.repeats.sum()), int(of.again.sum()), int(of.unfair.sum()), int(of.apart.sum())


def _solved(
    field: Field, players: Ints, sizes: tuple[int, ...], repeats: int | None = None
) -> tuple[list[Table], Proof] | None:
    """The best tables of some players and what that proves; None when the optimiser gave up.

    `repeats`: of tables that are known; without any there need not be asked how few there can be.
    """
    made = columns(field, players, sizes)
    if repeats == 0:
        tables = _nearest(made.kept(made.repeats == 0), players, sizes)
        return None if tables is None else (tables, Proof(0, 0, None))
    first = _chosen(made, players, sizes, made.repeats * AGAIN + made.again)
    if first.tables is None:
        return None
    repeats, again = int(made.repeats[first.tables].sum()), int(made.again[first.tables].sum())
    proof = Proof(repeats, ceil((first.bound - (AGAIN - 1)) / AGAIN - CUT), None)
    if repeats == 0:
        tables = _nearest(made.kept(made.repeats == 0), players, sizes)
    else:
        tables = _nearest(made, players, sizes, (made.repeats * AGAIN + made.again, repeats * AGAIN + again))
    return None if tables is None else (tables, proof)


def _nearest(
    made: Columns, players: Ints, sizes: tuple[int, ...], limit: tuple[Ints, int] | None = None
) -> list[Table] | None:
    """Tables that are fair and near in points, whatever repeats they have within the limit."""
    apart = int(made.apart.max(initial=0)) * len(sizes)
    unit = (LOTS - 1) * sum(size * (size - 1) // 2 for size in sizes) + 1
    chosen = _chosen(made, players, sizes, (made.unfair * (apart + 1) + made.apart) * unit + made.lot, limit).tables
    return None if chosen is None else [made.of(int(column)) for column in chosen]


def _chosen(
    made: Columns, players: Ints, sizes: tuple[int, ...], costs: Ints, at_most: tuple[Ints, int] | None = None
) -> Choice:
    rows, starts, wanted = made.rows(players, sizes)
    return choose(rows, starts, wanted, costs.astype(np.float64), at_most)
