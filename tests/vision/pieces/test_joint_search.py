"""Arrangements of touching pieces that are far worse than the chosen one are left before their pieces are moved."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from vision.pieces.joint_search import MOST_MOVED, MOST_WON_BY_MOVING, WORTH_MORE, Rearranger

PLACE = np.zeros(2)


class Arranged(Rearranger):
    """A region in which one more piece `added` can be put, and is worth so much before and after it is moved."""

    def __init__(self, before: float, after: float) -> None:
        super().__init__(SimpleNamespace(side_px=10.0), SimpleNamespace())  # type: ignore[arg-type]
        self.worths = {("chosen",): 0.0, ("chosen", "added"): before, ("chosen", "moved"): after}
        self.moves = 0

    def worth(self, pieces) -> float:
        return self.worths[tuple(one.name for one in pieces)]

    def _places(self, rest, near):
        return [] if near or not rest else [SimpleNamespace(name="added", foot_px=PLACE)]

    def _moved_to_fit(self, rest, added):
        self.moves += 1
        return [*rest, *(SimpleNamespace(name="moved", foot_px=one.foot_px) for one in added)]


@pytest.mark.parametrize(
    ("before", "after", "is_found", "moves"),
    [
        (WORTH_MORE - MOST_WON_BY_MOVING, 5.0, True, 1),
        (WORTH_MORE - MOST_WON_BY_MOVING, WORTH_MORE / 2, False, 1),  # no better than the chosen one
        (WORTH_MORE - MOST_WON_BY_MOVING - 0.1, 5.0, False, 0),
    ],
)
def test_only_what_moving_may_win_is_moved(before: float, after: float, is_found: bool, moves: int) -> None:
    arranged = Arranged(before, after)
    found = arranged._better([SimpleNamespace(name="chosen", foot_px=PLACE)], PLACE)
    assert (found is not None) is is_found
    assert arranged.moves == moves


def test_of_many_arrangements_those_that_are_worth_most_are_moved() -> None:
    class Many(Arranged):
        def __init__(self) -> None:
            super().__init__(0.0, 0.0)
            self.moved: list[int] = []

        def worth(self, pieces) -> float:
            return float(sum(one.nats for one in pieces))

        def _places(self, rest, near):
            return [] if near or not rest else [SimpleNamespace(nats=-(n * 7 % 30), foot_px=PLACE) for n in range(30)]

        def _moved_to_fit(self, rest, added):
            self.moved += [one.nats for one in added]
            return [*rest, *added]

    arranged = Many()
    assert arranged._better([SimpleNamespace(nats=0, foot_px=PLACE)], PLACE) is None
    assert arranged.moved == [-n for n in range(MOST_MOVED)]
