"""Every table that some players could make, as columns for the optimiser, with what each would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.hub.events.seats.optimiser import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Field:
    """The players of one round by index, the best of the standings first; N players.

    `met`, `again`: (N, N) int64, 1 where two have met; how often beyond the first time. `apart`: (N, N) int64, the
    square of the difference of their points in the smallest unit. `lot`: (N, N) int64, a small number drawn for each
    two, by which equal pairings differ. `small`: (N,) int64, how often at a table smaller than others of its round.
    `above`: (N,) int64, places in points above the last. `may_bye`, `must_bye`: (N,) bool.
    """

    met: Ints
    again: Ints
    apart: Ints
    lot: Ints
    small: Ints
    above: Ints
    may_bye: Bools
    must_bye: Bools


@dataclass(frozen=True, slots=True)
class Columns:
    """Candidate tables as rows of `tables`, one array of (columns, size) int64 a size, of indices into the field.

    The costs are (columns,) int64 over all sizes one after the other: two who meet again, more often than once again,
    the same few at small tables or with byes, points apart, the lot.
    """

    sizes: tuple[int, ...]
    tables: tuple[Ints, ...]
    repeats: Ints
    again: Ints
    unfair: Ints
    apart: Ints
    lot: Ints

    def of(self, column: int) -> tuple[int, ...]:
        """The players of one column."""
        for tables in self.tables:
            if column < len(tables):
                return tuple(int(player) for player in tables[column])
            column -= len(tables)
        raise IndexError(column)

    def rows(self, players: Ints, wanted_sizes: Sequence[int]) -> tuple[Ints, Ints, Ints]:
        """The optimiser's rows: each of `players` (sorted) once, then each size as often as `wanted_sizes` has it.

        The rows of each column one after the other, where each column begins, and what each row must add up to.
        """
        parts = [
            np.column_stack([np.searchsorted(players, tables), np.full(len(tables), len(players) + kind)])
            for kind, tables in enumerate(self.tables)
        ]
        lengths = np.concatenate([np.full(len(part), part.shape[1]) for part in parts])
        starts = np.concatenate([[0], np.cumsum(lengths)])
        counts = [list(wanted_sizes).count(size) for size in self.sizes]
        wanted = np.concatenate([np.ones(len(players), dtype=np.int64), counts])
        return np.concatenate([part.ravel() for part in parts]), starts, wanted

    def kept(self, keep: Bools) -> Columns:
        """Those where `keep`, (columns,) bool."""
        ends = np.cumsum([len(tables) for tables in self.tables])[:-1]
        parts = np.split(keep, ends)
        return Columns(
            self.sizes, tuple(tables[part] for tables, part in zip(self.tables, parts, strict=True)),
            self.repeats[keep], self.again[keep], self.unfair[keep], self.apart[keep], self.lot[keep],
        )  # fmt: skip


def how_many(players: int, sizes: Sequence[int]) -> int:
    """How many tables of these sizes so many players could make."""
    return sum(comb(players, size) for size in set(sizes))


def columns(field: Field, players: Ints, sizes: Sequence[int]) -> Columns:
    """Every table that `players` (indices into the field) could make of the sizes; of size 1: a bye."""
    kinds = tuple(sorted(set(sizes), reverse=True))
    return priced(field, kinds, tuple(_allowed(field, players[_sets(len(players), size)]) for size in kinds))


def chunks(field: Field, sizes: Sequence[int], most: int) -> Iterator[Columns]:
    """Every table that the whole field could make, some `most` at a time so that memory stays small."""
    count = len(field.small)
    for size in sorted(set(sizes), reverse=True):
        if size == 1:
            yield columns(field, np.arange(count), (1,))
            continue
        rests = _sets(count, size - 1)
        # Sets of size - 1 whose first is beyond `first` stand at the end, in the order of combinations.
        starts = np.searchsorted(rests[:, 0], np.arange(count), side="right")
        waiting: list[Ints] = []
        held = 0
        for first in range(count - size + 1):
            more = rests[starts[first] :]
            waiting.append(np.column_stack([np.full(len(more), first), more]))
            held += len(more)
            if held >= most or first == count - size:
                yield priced(field, (size,), (_allowed(field, np.concatenate(waiting)),))
                waiting, held = [], 0


def priced(field: Field, kinds: tuple[int, ...], tables: tuple[Ints, ...]) -> Columns:
    """Candidate tables with their costs."""
    largest = max(kinds)
    sums = [
        np.concatenate([_over_pairs(matrix, each) for each in tables])
        for matrix in (field.met, field.again, field.apart, field.lot)
    ]
    unfair = [
        field.above[each].sum(axis=1) if size == 1
        else field.small[each].sum(axis=1) if size < largest
        else np.zeros(len(each), dtype=np.int64)
        for size, each in zip(kinds, tables, strict=True)
    ]  # fmt: skip
    return Columns(kinds, tables, sums[0], sums[1], np.concatenate(unfair), sums[2], sums[3])


def priced_tables(field: Field, tables: Sequence[tuple[int, ...]]) -> Columns:
    """Tables as they were made."""
    kinds = tuple(sorted({len(table) for table in tables}, reverse=True))
    return priced(field, kinds, tuple(np.array([t for t in tables if len(t) == size]) for size in kinds))


def _allowed(field: Field, tables: Ints) -> Ints:
    """Byes only for who may have one; at a table nobody who must have one."""
    if tables.shape[1] == 1:
        return tables[field.may_bye[tables[:, 0]]]
    return tables[~field.must_bye[tables].any(axis=1)] if field.must_bye.any() else tables


def _over_pairs(matrix: Ints, tables: Ints) -> Ints:
    total = np.zeros(len(tables), dtype=np.int64)
    for one, other in combinations(range(tables.shape[1]), 2):
        total += matrix[tables[:, one], tables[:, other]]
    return total


@lru_cache(maxsize=64)
def _sets(players: int, size: int) -> Ints:
    """(sets, size) int64: every set of `size` of so many players, in the order of `itertools.combinations`."""
    made = np.fromiter(
        (each for chosen in combinations(range(players), size) for each in chosen), dtype=np.int64,
        count=comb(players, size) * size,
    )  # fmt: skip
    made.setflags(write=False)
    return made.reshape(-1, size)
