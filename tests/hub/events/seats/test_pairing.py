"""The pairing beside a second implementation that tries every pairing, and what holds in every event."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hub.events.seats.pairing import Contestant, Pairing, pair
from companion.hub.events.seats.seating import seated
from companion.hub.events.seats.sizes import table_sizes


def every_pairing(players: frozenset[int], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to seat `players` at tables of `sizes` (a size of 1 is a bye), each once."""
    if not sizes:
        yield ()
        return
    first = min(players)
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for others in combinations(sorted(players - {first}), size - 1):
            for rest in every_pairing(players - {first, *others}, tuple(left)):
                yield ((first, *others), *rest)


def cost(contestants: Sequence[Contestant], tables: Sequence[tuple[int, ...]]) -> tuple[object, ...]:
    """What the pairing is to keep small, in its order, counted by hand."""
    by = {each.number: each for each in contestants}
    largest = max(len(table) for table in tables)
    two = [(by[a], by[b]) for table in tables for a, b in combinations(table, 2)]
    low = min(each.points for each in contestants)
    return (
        sum(by[table[0]].byes for table in tables if len(table) == 1),
        sum(a.met.get(b.number, 0) > 0 for a, b in two),
        sum(max(0, a.met.get(b.number, 0) - 1) for a, b in two),
        sum(by[table[0]].points - low for table in tables if len(table) == 1)
        + sum(by[number].small for table in tables if 1 < len(table) < largest for number in table),
        sum((a.points - b.points) ** 2 for a, b in two),
    )


def play(
    count: int, rounds: int, liked: tuple[int, ...], seed: int, leaving: float = 0.0
) -> Iterator[tuple[list[Contestant], Pairing]]:
    """An event at random: who is there and how they are paired, round by round."""
    drawn = random.Random(seed)
    points = {number: Fraction(0) for number in range(1, count + 1)}
    met: dict[int, dict[int, int]] = {number: {} for number in points}
    small, byes = dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    here = set(points)
    for number in range(1, rounds + 1):
        here -= {player for player in sorted(here) if number > 1 and drawn.random() < leaving}
        contestants = [Contestant(n, points[n], dict(met[n]), small[n], byes[n]) for n in sorted(here)]
        pairing = pair(contestants, liked, f"{seed}/{number}")
        yield contestants, pairing
        largest = max((len(table) for table in pairing.tables), default=0)
        for table in pairing.tables:
            for place, player in enumerate(drawn.sample(table, len(table))):
                points[player] += Fraction(6 * (len(table) - 1 - place), len(table) - 1)
                small[player] += len(table) < largest
                for other in set(table) - {player}:
                    met[player][other] = met[player].get(other, 0) + 1
        for player in pairing.byes:
            byes[player] += 1
            points[player] += 6


@pytest.mark.parametrize(
    ("players", "liked", "expected"),
    [
        (12, (4, 3), (4, 4, 4)),
        (10, (4, 3), (4, 3, 3)),
        (6, (4, 3, 2), (3, 3)),  # a table of two is liked least
        (5, (4, 3, 2), (3, 2)),
        (5, (4, 3), (4,)),  # and one bye
        (10, (4,), (4, 4)),  # and two byes
        (7, (2,), (2, 2, 2)),
        (9, (3, 4), (3, 3, 3)),
        (8, (3, 4), (4, 4)),
        (1, (4, 3, 2), ()),
        (0, (2,), ()),
    ],
)  # fmt: skip
def test_sizes_leave_the_fewest_byes_and_then_the_fewest_tables_liked_least(
    players: int, liked: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert table_sizes(players, liked) == expected


@pytest.mark.parametrize("liked", [(), (4, 4), (5, 4), (1,)])
def test_sizes_that_no_table_has_are_refused(liked: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="table sizes"):
        table_sizes(8, liked)


@pytest.mark.parametrize(
    ("count", "liked"),
    [(5, (2,)), (6, (2,)), (6, (3, 2)), (7, (4, 3)), (8, (4,)), (9, (3, 2)), (9, (4,)), (10, (4, 3))],
)
def test_no_pairing_of_a_small_field_is_better(count: int, liked: tuple[int, ...]) -> None:
    for contestants, pairing in play(count, 4, liked, seed=count):
        sizes = table_sizes(count, liked)
        sizes += (1,) * (count - sum(sizes))
        tables = [*pairing.tables, *((player,) for player in pairing.byes)]
        best = min(
            cost(contestants, each) for each in every_pairing(frozenset(c.number for c in contestants), sizes)
        )
        assert cost(contestants, tables) == best
        assert pairing.repeats == best[1]
        assert pairing.proved


def test_every_field_from_3_to_40_is_seated_once_while_players_leave() -> None:
    for count in range(3, 41):
        for contestants, pairing in play(count, 3 if count < 20 else 2, (4, 3, 2), seed=count, leaving=0.1):
            seats = [player for table in pairing.tables for player in table] + list(pairing.byes)
            assert sorted(seats) == [each.number for each in contestants]
            assert len(pairing.byes) == (1 if len(contestants) == 1 else 0)
            met = {each.number: each.met for each in contestants}
            again = sum(b in met[a] for table in pairing.tables for a, b in combinations(table, 2))
            assert again == pairing.repeats
            assert pairing.proved, (count, pairing)


def test_in_a_field_too_large_to_try_all_what_repeats_is_proved() -> None:
    *_, (_, last) = play(20, 5, (4, 3), seed=1)  # nobody can meet fifteen new players of nineteen in this history
    assert last.repeats == last.bound > 0


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 14), st.sampled_from([(4, 3), (4, 3, 2), (3, 4), (2,), (4,)]), st.integers(0, 99), st.randoms())
def test_the_seed_alone_decides_what_is_equal(
    count: int, liked: tuple[int, ...], seed: int, other: random.Random
) -> None:
    *_, (contestants, pairing) = play(count, 2, liked, seed)
    shuffled = other.sample(contestants, len(contestants))
    assert pair(shuffled, liked, pairing.seed) == pairing
    assert pairing.bound <= pairing.repeats


def test_another_seed_draws_another_first_round() -> None:
    field = [Contestant(number, Fraction(0), {}) for number in range(24)]
    assert pair(field, (4,), "a").tables != pair(field, (4,), "b").tables


def test_nobody_has_a_second_bye_before_all_had_one() -> None:
    byes = [player for _, pairing in play(7, 7, (2,), seed=3) for player in pairing.byes]
    assert sorted(byes) == [1, 2, 3, 4, 5, 6, 7]


def test_seats_go_round() -> None:
    sat: dict[int, dict[tuple[int, int], int]] = {player: {} for player in (1, 2, 3, 4)}
    for number in range(8):
        for seat, player in enumerate(seated((1, 2, 3, 4), sat, random.Random(number))):
            sat[player][4, seat] = sat[player].get((4, seat), 0) + 1
    assert all(sat[player] == dict.fromkeys([(4, 0), (4, 1), (4, 2), (4, 3)], 2) for player in sat)


def test_who_began_at_a_small_table_does_not_begin_at_a_large_one() -> None:
    sat = {1: {(2, 0): 1}, 2: {(3, 0): 1}, 3: {(4, 0): 1}}
    assert seated((1, 2, 3, 4), sat, random.Random(0))[0] == 4
