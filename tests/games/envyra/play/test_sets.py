"""The best division into sets against every division there is, and the tally of one player's pieces."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from companion.core.errors import DataError
from companion.games.envyra import GAME
from companion.games.envyra.play.sets import best_sets

POINTS = {1: 0, 2: 2, 3: 4, 4: 7}  # E66; a tile by itself is worth nothing
MOST_TILES = 10

Division = tuple[tuple[int, ...], ...]


@cache
def divisions(counts: tuple[int, ...]) -> frozenset[Division]:
    """Every division of the tiles (`counts` of each symbol) into groups of different symbols: one tile after another
    joins any group that lacks its symbol, or begins its own."""
    if not any(counts):
        return frozenset({()})
    symbol = max(s for s, count in enumerate(counts) if count)
    fewer = tuple(count - (s == symbol) for s, count in enumerate(counts))
    found = set()
    for groups in divisions(fewer):
        found.add(tuple(sorted([*groups, (symbol,)])))
        for group in groups:
            if symbol not in group:
                rest = list(groups)
                rest.remove(group)
                found.add(tuple(sorted([*rest, tuple(sorted((*group, symbol)))])))
    return frozenset(found)


def test_every_multiset_of_up_to_ten_tiles_is_divided_as_well_as_any_division():
    checked = 0
    for counts in product(range(MOST_TILES + 1), repeat=4):
        if sum(counts) > MOST_TILES:
            continue
        points, sets = best_sets(counts)
        # the order of the symbols does not matter, so the divisions of the sorted counts serve
        every = divisions(tuple(sorted(counts, reverse=True)))
        assert points == max(sum(POINTS[len(group)] for group in groups) for groups in every), counts
        assert points == sum(POINTS[len(chosen)] for chosen in sets)
        for symbol, count in enumerate(counts):
            assert sum(symbol in chosen for chosen in sets) <= count
        checked += 1
    assert checked == 1001  # 14 choose 4


@pytest.mark.parametrize(
    ("counts", "points", "sizes"),
    [
        ((2, 2, 1, 1), 9, (4, 2)),  # the ruling's example: 9, not two sets of three for 8
        ((1, 1, 0, 0), 2, (2,)),
        ((1, 1, 1, 0), 4, (3,)),
        ((2, 1, 0, 0), 2, (2,)),  # a second copy makes no set
        ((3, 3, 2, 2), 16, (4, 4, 2)),  # a whole theme
        ((3, 0, 0, 0), 0, ()),
    ],
)
def test_best_division_counted_by_hand(counts, points, sizes):
    found, sets = best_sets(counts)
    assert (found, tuple(len(chosen) for chosen in sets)) == (points, sizes)


def tally(*faces: str):
    return GAME.score_faces(GAME.load_catalogue("sample"), faces)


def test_the_rulebooks_example_gives_27_points_set_by_set():
    score = tally("flora-1-c", "flora-1-a", "flora-3-a", "fire-1-c", "fire-2-c", "fire-3-b", "water-2-b")
    assert [(line.clause, line.points, len(line.faces)) for line in score.lines] == [
        ("E65", 21, 7),  # 4 + 1 + 3 + 4 + 3 + 4 + 2
        ("E66", 2, 2),  # two green symbols
        ("E66", 0, 1),  # the second leaf
        ("E66", 0, 1),  # one blue tile alone
        ("E66", 4, 3),  # three orange symbols
    ]
    assert score.total == 27


def test_a_face_named_twice_counts_twice():
    score = tally("flora-2-a", "flora-2-a")  # two tiles that look the same are read as one face
    assert (score.total, score.lines[-1].faces) == (4, ("flora-2-a", "flora-2-a"))


def test_a_card_counts_only_when_its_symbols_are_complete():
    assert tally("flora-1-a", "eq-1").total == 1
    assert tally("flora-1-a", "water-1-b", "eq-1").total == 4


def test_unknown_faces_are_all_named():
    with pytest.raises(DataError, match="dragon, wolf"):
        tally("wolf", "flora-1-a", "dragon")
