"""An oval in which a clear rim lies aside is two pieces; a label in the middle of a chip is part of it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.count.discs.parted import parted
from vision.count.discs.rims import ANGLES
from vision.count.discs.search import FoundDiscs

TURN = np.arange(ANGLES) * 2 * np.pi / ANGLES


def ovals(*each: tuple[float, float, float, float], support: float = 0.9) -> FoundDiscs:
    """Ovals by their middles and half axes, px."""
    places = np.array(each, float)
    outlines = np.stack([x[:2] + np.stack([np.cos(TURN), np.sin(TURN)], axis=1) * x[2:] for x in places])
    radius, number = np.sqrt(places[:, 2] * places[:, 3]), len(places)
    return FoundDiscs(outlines, np.full(number, support), radius, places[:, :2], np.full(number, 0.01))


PAIR = ovals((60, 50, 31, 20), (200, 50, 20, 20))  # two discs 22 px apart, and a single one


def test_the_clear_rim_of_an_upper_piece_parts_an_oval_in_two():
    upper = ovals((71, 50, 20, 20), (200, 50, 20, 20))
    pieces = parted(PAIR, upper)
    assert sorted(pieces.xy[:, 0].round()) == [49, 71, 200]
    assert pieces.radius == pytest.approx([20, 20, 20])
    assert pieces.support[pieces.xy[:, 0] < 50] < 0.8, "half of it is hidden"
    assert (pieces.xy[:, None] - pieces.outlines).mean() == pytest.approx(0)


@pytest.mark.parametrize(
    "seen",
    [
        ovals((60, 50, 19, 19)),
        ovals((60, 50, 31, 20)),
        ovals((75, 50, 8, 8)),
        ovals((71, 50, 20, 20), support=0.6),
        ovals((110, 50, 20, 20)),
        ovals((65.5, 50, 21, 21)),
    ],
    ids=["a label", "the oval itself", "a letter", "a broken rim", "a piece beside it", "a piece beside its shadow"],
)
def test_what_else_lies_in_an_oval_or_beside_it_leaves_it_whole(seen: FoundDiscs) -> None:
    assert parted(PAIR, seen).xy.tolist() == PAIR.xy.tolist()


def test_a_piece_that_was_found_is_none_in_another_one() -> None:
    lower_and_upper = ovals((60, 50, 24, 24), (75, 50, 19, 19))
    assert parted(lower_and_upper, ovals((75, 50, 19, 19))).xy.tolist() == [[60, 50], [75, 50]]
