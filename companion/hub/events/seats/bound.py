"""How few repeats any pairing of a field can have: a bound by prices of players and sizes, and the search below it.

The optimiser prices players and sizes over a part of the tables that could be made. Whatever the prices are, a pairing
costs at least their sum and, for each of its tables, as much as the cheapest table of that size still costs beyond its
players' prices (weak duality); every table that could be made is looked at for it, so the bound holds for all of them.
Cheap tables that were missing are added and all is priced anew. Where the bound stays below what was found, only tables
that cost little beyond their prices can make a better pairing: the optimiser searches among them, and what it finds
or shows not to exist closes the gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from companion.hub.events.seats.columns import Columns, Field, chunks, columns, how_many, priced, priced_tables
from companion.hub.events.seats.optimiser import Floats, Ints, choose, relax

PRICED = 6_000_000
"""Candidate tables that are all looked at, several times: 108 players at tables of four. Above it nothing is proved
unless there are no repeats, which a field so large has only after dozens of rounds."""
CHUNK = 400_000
ROUNDS = 30
ADDED = 2000
"""The cheapest tables added before all is priced anew."""
SEARCHED = 20_000
"""Tables among which a better pairing is searched."""
NEIGHBOURS = 12
"""The first prices are made with the tables of so many neighbours in the standings."""
CUT = 1e-6

Table = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Repeats found, a number that no pairing is below, and a pairing with fewer repeats than asked about, if any."""

    repeats: int
    bound: int
    better: tuple[Table, ...] | None


def prove(field: Field, sizes: Sequence[int], tables: Sequence[Table]) -> Proof:
    """A bound for a pairing of the whole field, improved where that is possible."""
    repeats = sum(int(field.met[np.ix_(table, table)].sum()) // 2 for table in tables)
    if repeats == 0:
        return Proof(0, 0, None)
    if how_many(len(field.small), sizes) > PRICED:
        return Proof(repeats, 0, None)
    everybody = np.arange(len(field.small))
    pool = _joined(field, sizes, [priced_tables(field, tables), _neighbours(field, sizes)])
    bound, prices = 0.0, None
    for _ in range(ROUNDS):
        relaxed = relax(*pool.rows(everybody, sizes), pool.repeats.astype(np.float64))
        if relaxed.prices is None:
            break
        value, missing = _looked_at(field, sizes, pool, relaxed.prices)
        if value > bound or prices is None:
            bound, prices = max(bound, value), relaxed.prices
        if ceil(bound - CUT) >= repeats or missing is None:
            break
        pool = _joined(field, sizes, [pool, missing])
    if prices is None or ceil(bound - CUT) >= repeats:
        return Proof(repeats, min(repeats, max(0, ceil(bound - CUT))), None)
    return _searched(field, sizes, repeats, bound, prices)


def _looked_at(field: Field, sizes: Sequence[int], pool: Columns, prices: Floats) -> tuple[float, Columns | None]:
    """The bound of these prices, and the cheapest tables below them (None when there are none)."""
    everybody = len(field.small)
    cheapest: dict[int, float] = {}
    found: list[Columns] = []
    for part in chunks(field, sizes, CHUNK):
        beyond = _beyond(part, prices, everybody, pool.sizes)
        size = part.sizes[0]
        if len(beyond):
            cheapest[size] = min(cheapest.get(size, np.inf), float(beyond.min()))
        low = np.flatnonzero(beyond < -CUT)
        if len(low) > ADDED:
            low = low[np.argsort(beyond[low], kind="stable")[:ADDED]]
        if len(low):
            keep = np.zeros(len(beyond), dtype=np.bool_)
            keep[low] = True
            found.append(part.kept(keep))
    counts = np.array([list(sizes).count(size) for size in pool.sizes])
    value = float(prices[:everybody].sum() + prices[everybody:] @ counts)
    value += sum(list(sizes).count(size) * least for size, least in cheapest.items())
    return value, _joined(field, sizes, found) if found else None


def _searched(field: Field, sizes: Sequence[int], repeats: int, bound: float, prices: Floats) -> Proof:
    """Looks for pairings with fewer repeats among the tables that one can be made of, until there is none."""
    everybody = np.arange(len(field.small))
    better, lowest = None, ceil(bound - CUT)
    while lowest < repeats:
        # Beyond the prices a pairing with fewer repeats costs at most so much in all, so none of its tables more.
        pool, complete = _below(field, sizes, prices, repeats - 1 - bound + CUT)
        choice = choose(*pool.rows(everybody, sizes), pool.repeats.astype(np.float64))
        if complete:  # no table outside the search makes a pairing with fewer repeats
            lowest = repeats if choice.bound == np.inf else min(repeats, max(lowest, ceil(choice.bound - CUT)))
        fewer = repeats if choice.tables is None else int(pool.repeats[choice.tables].sum())
        if choice.tables is None or fewer >= repeats:
            break
        better, repeats = tuple(pool.of(int(column)) for column in choice.tables), fewer
    return Proof(repeats, min(lowest, repeats), better)


def _below(field: Field, sizes: Sequence[int], prices: Floats, room: float) -> tuple[Columns, bool]:
    """The tables that cost at most `room` beyond their prices, and whether these are all of them or the cheapest."""
    kinds = tuple(sorted(set(sizes), reverse=True))
    least: dict[int, float] = {}
    for part in chunks(field, sizes, CHUNK):
        beyond = _beyond(part, prices, len(field.small), kinds)
        if len(beyond):
            least[part.sizes[0]] = min(least.get(part.sizes[0], np.inf), float(beyond.min()))
    found, costs = [], []
    for part in chunks(field, sizes, CHUNK):
        beyond = _beyond(part, prices, len(field.small), kinds) - least.get(part.sizes[0], 0.0)
        found.append(part.kept(beyond <= room))
        costs.append(beyond[beyond <= room])
    every = np.concatenate(costs)
    if len(every) <= SEARCHED:
        return _joined(field, sizes, found), True
    cheapest = np.zeros(len(every), dtype=np.bool_)
    cheapest[np.argsort(every, kind="stable")[:SEARCHED]] = True
    keep = np.split(cheapest, np.cumsum([len(each) for each in costs])[:-1])
    return _joined(field, sizes, [part.kept(each) for part, each in zip(found, keep, strict=True)]), False


def _beyond(part: Columns, prices: Floats, players: int, kinds: tuple[int, ...]) -> Floats:
    """(columns,) float64: what each table costs beyond the prices of its players and its size."""
    paid = [
        prices[tables].sum(axis=1) + prices[players + kinds.index(size)]
        for size, tables in zip(part.sizes, part.tables, strict=True)
    ]
    beyond: Floats = part.repeats - np.concatenate(paid)
    return beyond


def _neighbours(field: Field, sizes: Sequence[int]) -> Columns:
    count = len(field.small)
    parts = [
        columns(field, np.arange(start, min(start + NEIGHBOURS, count)), sizes)
        for start in range(0, count, NEIGHBOURS // 2)
    ]
    return _joined(field, sizes, parts)


def _joined(field: Field, sizes: Sequence[int], parts: Sequence[Columns]) -> Columns:
    """All columns of the parts, each once."""
    kinds = tuple(sorted(set(sizes), reverse=True))
    gathered: dict[int, list[Ints]] = {size: [np.zeros((0, size), dtype=np.int64)] for size in kinds}
    for part in parts:
        for size, tables in zip(part.sizes, part.tables, strict=True):
            gathered[size].append(tables)
    return priced(field, kinds, tuple(np.unique(np.concatenate(gathered[size]), axis=0) for size in kinds))
