"""Pieces chosen together: none explains what another has explained, and none stands where another does."""

from __future__ import annotations

from weakref import ref

import numpy as np
import pytest

from companion.core.layout import PieceShape
from vision.pieces.candidates import Pool, Region
from vision.pieces.joint_search import Rearranger
from vision.pieces.scene import ACCEPTED, KEPT_SCENES, Chooser
from vision.pieces.shapes import Hypothesis, hypothesis, masks

SIDE_PX = 15.0
MASKS = masks(SIDE_PX, np.zeros(2), PieceShape.ROUND)
SIZE = (80, 80)


def gains(*feet: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """What pixels say for a top and a side: for one where a round piece stands, against it elsewhere."""
    rows, columns = np.indices(SIZE)
    on = np.zeros(SIZE, bool)
    for x, y in feet:
        on |= np.hypot(columns - x, rows - y) < SIDE_PX / 2
    return np.where(on, 4.0, -3.0).astype(np.float32), np.full(SIZE, -3.0, np.float32)


def at(x: int, y: int, maps: tuple[np.ndarray, np.ndarray]) -> Hypothesis:
    return hypothesis(0, 0, (x, y), maps, MASKS, 0.0)


@pytest.fixture
def chooser() -> Chooser:
    return Chooser(np.zeros(SIZE, np.float32), SIDE_PX)


def test_a_piece_adds_most_where_it_stands_and_nothing_where_one_is_taken(chooser: Chooser) -> None:
    maps = gains((40, 40))
    right, beside = at(40, 40, maps), at(46, 40, maps)
    bare = chooser.scene([])
    assert bare.gain(right) > bare.gain(beside)
    assert chooser.scene([right]).gain(right) < 0.0


def test_pieces_that_are_tried_no_more_are_not_kept() -> None:
    """Where much is unexplained thousands are tried in one region, which took 400 MB."""
    chooser, maps = Chooser(np.ones(SIZE, np.float32), SIDE_PX), gains((40, 40))
    tried = [at(x, y, maps) for x in range(20, 60, 4) for y in range(20, 60, 4)]
    left = [ref(one) for one in tried]
    beside = chooser.scene([tried[0]])
    for one in tried:
        chooser.scene([one])
        beside.gain(one)
    del tried, one
    assert sum(one() is not None for one in left) <= KEPT_SCENES


def test_of_a_large_region_fewer_scenes_are_kept_and_pieces_are_worth_the_same() -> None:
    size, small = (1200, 1200), gains((40, 40), (60, 40))
    maps = tuple(np.pad(one, [(0, whole - part) for whole, part in zip(size, one.shape, strict=True)]) for one in small)
    few, many = Chooser(np.zeros(size, np.float32), SIDE_PX), Chooser(np.zeros(SIZE, np.float32), SIDE_PX)
    there, here = ([at(x, 40, of) for x in range(30, 70, 4)] for of in (maps, small))
    beside = [few.scene([one]) for one in there]
    assert few.scene([there[0]]) is not beside[0]
    assert few.scene([there[-1]]) is beside[-1]
    for one, other in zip(there, here, strict=True):
        assert few.scene([one]).gain(there[5]) == pytest.approx(many.scene([other]).gain(here[5]))


def test_a_scene_is_made_once_and_one_to_be_changed_anew(chooser: Chooser) -> None:
    maps = gains((20, 40), (60, 40))
    left, right = at(20, 40, maps), at(60, 40, maps)
    assert chooser.scene([left]) is chooser.scene([left])
    changed = chooser.new_scene([left])
    changed.add(right)
    assert changed.gain(right) < 0.0
    alone = chooser.new_scene([left])
    assert alone.gain(right) > 0.0
    alone.add(right)  # what it was worth before counts no more
    assert alone.gain(right) == changed.gain(right)
    alone = chooser.new_scene([left])
    assert np.array_equal(chooser.scene([left]).covered, alone.covered)
    assert not np.array_equal(changed.covered, alone.covered)


def test_a_scene_that_grows_from_one_of_fewer_pieces_is_as_if_made_at_once(chooser: Chooser) -> None:
    maps = gains((20, 40), (36, 40))
    left, right, between = at(20, 40, maps), at(36, 40, maps), at(28, 40, maps)
    lit = Chooser(np.zeros(SIZE, np.float32), SIDE_PX, (np.ones(SIZE, np.float32), np.full((31, 31), 0.5, np.float32)))
    for one in (chooser, lit):
        fewer = one.scene([left])
        alone = fewer.covered.copy()
        grown, at_once = one.scene([left, right]), one.new_scene([left, right])
        assert np.array_equal(grown.covered, at_once.covered)
        assert grown.gain(between) == at_once.gain(between)
        assert np.array_equal(fewer.covered, alone)


def test_two_pieces_cannot_stand_closer_than_they_are_wide(chooser: Chooser) -> None:
    maps = gains()
    assert chooser.close(at(30, 30, maps), at(40, 30, maps))
    assert not chooser.close(at(30, 30, maps), at(46, 30, maps))


def test_what_is_far_from_a_piece_does_not_change_its_evidence() -> None:
    size, side = (240, 240), 15.0
    rng = np.random.default_rng(2)
    maps = tuple(rng.normal(0.0, 2.0, size).astype(np.float32) for _ in range(2))
    relief = np.maximum(rng.normal(0.5, 1.0, size), 0.0).astype(np.float32)
    chooser = Chooser(relief, side)
    every = [
        hypothesis(0, 0, (x, y), (maps[0], maps[1]), MASKS, 0.0) for x in range(20, 230, 21) for y in range(20, 230, 21)
    ]
    for one in every[::7]:
        others = [c for c in every if c is not one]
        beside = chooser.beside(one, others)
        assert len(beside) < len(others)
        for far in (0.0, 1.0):
            assert chooser.scene(beside, far=far).gain(one) == pytest.approx(chooser.scene(others, far=far).gain(one))
        assert chooser.despite_shadow(one, beside) == pytest.approx(chooser.despite_shadow(one, others))


@pytest.mark.parametrize(
    "feet", [[(40, 40)], [(25, 30), (55, 50)], [(32, 40), (47, 40)], [(30, 30), (45, 30), (37, 43)]],
    ids=["one", "two apart", "two that touch", "three that touch"],
)  # fmt: skip
def test_as_many_pieces_are_found_as_explain_the_picture(chooser: Chooser, feet: list[tuple[int, int]]) -> None:
    tops, sides = gains(*feet)
    region = Region((slice(0, 80), slice(0, 80)), np.ones(SIZE, bool), np.zeros(2), tops[None], sides[None], np.ones(1))
    pool = Pool(region, SIDE_PX, SIDE_PX, PieceShape.ROUND, chooser.scene([]), crowded=True)
    chosen, untried = Rearranger(pool, chooser).improve(chooser.choose(pool.peaks(), pool.pairs))
    assert untried == []
    found = sorted(tuple(one.foot_px.tolist()) for one in chosen)
    assert len(found) == len(feet)
    for got, wanted in zip(found, sorted(feet), strict=True):
        assert np.hypot(got[0] - wanted[0], got[1] - wanted[1]) < 2.0


@pytest.mark.parametrize(("many", "found"), [(12, 3), (3, 3), (2, 2)])
def test_where_many_pieces_stand_one_more_is_told_and_not_searched(
    chooser: Chooser, monkeypatch: pytest.MonkeyPatch, many: int, found: int
) -> None:
    tops, sides = maps = gains((30, 30), (45, 30), (37, 43))
    region = Region((slice(0, 80), slice(0, 80)), np.ones(SIZE, bool), np.zeros(2), tops[None], sides[None], np.ones(1))
    pool = Pool(region, SIDE_PX, SIDE_PX, PieceShape.ROUND, chooser.scene([]), crowded=True)
    monkeypatch.setattr("vision.pieces.joint_search.MANY", many)
    chosen, untried = Rearranger(pool, chooser).improve([at(30, 30, maps), at(45, 30, maps)])
    assert len(chosen) == found
    assert [nats >= ACCEPTED for _, nats in untried] == [True] * (3 - found)
    assert all(np.hypot(*(one.foot_px - (37, 43))) < 3.0 for one, _ in untried)


def test_where_nothing_speaks_for_a_piece_none_is_found(chooser: Chooser) -> None:
    tops, sides = gains()
    region = Region((slice(0, 80), slice(0, 80)), np.ones(SIZE, bool), np.zeros(2), tops[None], sides[None], np.ones(1))
    pool = Pool(region, SIDE_PX, SIDE_PX, PieceShape.ROUND, chooser.scene([]))
    assert pool.peaks() == []


@pytest.mark.parametrize(
    ("begun", "looked"), [([(25, 30), (55, 50)], 2), ([(25, 30), (54, 50)], 4)], ids=["where they stand", "one beside"]
)
def test_pieces_that_fit_best_where_they_are_stay_the_very_same(
    chooser: Chooser, monkeypatch: pytest.MonkeyPatch, begun: list[tuple[int, int]], looked: int
) -> None:
    """Scenes are known by their pieces; and no more is looked for once none has moved since its last turn."""
    tops, sides = maps = gains((25, 30), (55, 50))
    region = Region((slice(0, 80), slice(0, 80)), np.ones(SIZE, bool), np.zeros(2), tops[None], sides[None], np.ones(1))
    pool = Pool(region, SIDE_PX, SIDE_PX, PieceShape.ROUND, chooser.scene([]), crowded=True)
    asked, around = [], Pool.around
    monkeypatch.setattr(Pool, "around", lambda self, one: asked.append(one) or around(self, one))
    first, second = (at(x, y, maps) for x, y in begun)
    moved = Rearranger(pool, chooser)._moved_to_fit([first], [second])
    assert [tuple(one.foot_px.tolist()) for one in moved] == [(25, 30), (55, 50)]
    assert moved[0] is first
    assert len(asked) == looked
