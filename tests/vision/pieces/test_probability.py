"""How sure a count is: less with weak, refused and unexplained evidence, never outside of 0 to 1."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vision.pieces.probability import (
    ON_PRINT,
    Counted,
    beside_other_count,
    chance_level,
    count_probability,
    counting_mm2,
)

INF = float("inf")


@pytest.mark.parametrize(
    "worse",
    [
        [Counted(weakest, 0.0, 0.0) for weakest in (INF, 60.0, 20.0, 5.0, 0.0)],
        [Counted(INF, refused, 0.0) for refused in (0.0, 4.0, 8.0, 30.0)],
        [Counted(INF, 0.0, area) for area in (0.0, 40.0, 150.0, 600.0)],
    ],
    ids=["weaker pieces", "better refused ones", "more that nothing explains"],
)
def test_a_count_is_less_sure_with(worse: list[Counted]) -> None:
    chances = [count_probability(counted) for counted in worse]
    assert all(better > less for better, less in pairwise(chances))
    assert all(0.0 < p < 1.0 for p in chances)


def test_a_bare_face_without_any_doubt_is_sure() -> None:
    assert count_probability(Counted(INF, 0.0, 0.0)) > 0.99


def test_beyond_a_bound_more_evidence_says_no_more() -> None:
    assert count_probability(Counted(200.0, 0.0, 0.0)) == count_probability(Counted(INF, 0.0, 0.0))
    assert count_probability(Counted(INF, 50.0, 0.0)) == count_probability(Counted(INF, 500.0, 0.0))


@pytest.mark.parametrize(
    ("p", "other_p", "least", "most"), [(0.99, 0.3, 0.985, 0.99), (0.98, 0.98, 0.5, 0.5), (1.0, 1.0, 0.5, 0.5)]
)
def test_a_count_beside_another_one_is_the_less_sure_the_surer_that_is(
    p: float, other_p: float, least: float, most: float
) -> None:
    assert least <= beside_other_count(p, other_p) <= most


@pytest.mark.parametrize(
    ("refused", "level"),
    [
        ([0.0, 0.0, 0.0, 0.0], 1.0),
        ([50.0, 10.0, 14.0, 12.0], 11.0),  # what was refused on the same face, or most on another, tells nothing
        ([0.0, 90.0, 0.0, 0.0], 1.0),  # a piece in a shadow
        ([0.0, 20.0], 1.0),
        ([0.0], 1.0),
    ],
)
def test_what_speaks_by_chance_is_told_by_several_other_faces(refused: list[float], level: float) -> None:
    assert chance_level([{"black": nats, "white": 70.0} for nats in refused], 0, "black") == level


@pytest.mark.parametrize(
    ("room_mm2", "unexplained_mm2", "sure"),
    [(0.0, 192.0, True), (0.0, 60.0, True), (135.0, 141.0, False), (242.0, 303.0, False)],
    ids=["worn edges", "a line of gloss", "a piece in a shadow", "half a tile in the sun"],
)
def test_only_what_has_room_for_a_piece_makes_a_count_on_print_doubtful(
    room_mm2: float, unexplained_mm2: float, sure: bool
) -> None:
    counted = Counted(INF, 0.0, counting_mm2(room_mm2, unexplained_mm2))
    assert (count_probability(counted, ON_PRINT) >= 0.9) == sure


@pytest.mark.parametrize(("weakest", "sure"), [(11.8, False), (16.4, False), (26.2, True), (31.9, True)])
def test_a_count_on_print_is_as_sure_as_its_weakest_piece(weakest: float, sure: bool) -> None:
    assert (count_probability(Counted(weakest, 0.0, 0.0), ON_PRINT) >= 0.9) == sure
