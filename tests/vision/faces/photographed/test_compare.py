"""Of aligned pictures the one that is seen explains a crop best, in its light and where it is not covered."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import patchwork

from vision.faces.photographed.compare import LEAD, CropComparison, Setting
from vision.faces.photographed.light import unknown_light

PICTURES = np.stack([patchwork(seed) for seed in range(3)])
ALL = np.ones(PICTURES.shape[1:3], np.float32)


def compared(
    seen: np.ndarray,
    pictures: np.ndarray = PICTURES,
    valid: np.ndarray = ALL,
    bent: tuple[float, ...] | None = None,
    owners: tuple[int, ...] | None = None,
) -> CropComparison:
    """A crop beside pictures, each of another kind unless told."""
    count = len(pictures)
    kinds = np.array(range(count) if owners is None else owners)
    return CropComparison(Setting(seen, valid, pictures, kinds, np.array(bent or [0.0] * count)))


@pytest.mark.parametrize("number", range(3))
def test_the_picture_that_is_seen_leads_and_its_light_is_measured(number: int) -> None:
    light = np.array([0.6, 0.7, 0.75], np.float32)
    comparison = compared(PICTURES[number] * light)
    explained = comparison.explain(unknown_light())
    contest = comparison.contest(explained)
    assert contest.best == explained.cost.argmin() == number
    assert contest.behind[number] == 0
    assert np.delete(contest.behind, number).min() >= LEAD
    np.testing.assert_allclose(contest.gain, light, rtol=0.1)


def test_another_than_the_best_can_be_judged_by_what_is_unlike_it() -> None:
    comparison = compared(PICTURES[1])
    explained = comparison.explain(unknown_light())
    best, other = comparison.contest(explained), comparison.contest(explained, 2)
    assert other.best == best.best == 1
    np.testing.assert_allclose(other.behind[:2], best.behind[:2])
    assert np.median(other.residual) > 3 * np.median(best.residual)
    assert other.strange > 0.5 > best.strange


def test_what_is_covered_is_not_held_against_a_picture() -> None:
    seen, valid = PICTURES[1].copy(), ALL.copy()
    seen[:20] = PICTURES[0][:20]
    valid[:20] = 0
    comparison = compared(seen, valid=valid)
    contest = comparison.contest(comparison.explain(unknown_light()))
    assert contest.best == 1
    assert np.median(contest.residual[24:]) < 0.02 < np.median(contest.residual[:16])


def test_pictures_that_differ_only_where_the_crop_is_covered_are_hardly_told_apart() -> None:
    other, valid = PICTURES[1].copy(), ALL.copy()
    other[:16] = PICTURES[0][:16]
    valid[:16] = 0
    both = np.stack([PICTURES[1], other])
    covered, open_to_view = compared(other, both, valid), compared(other, both)
    hidden, shown = (c.contest(c.explain(unknown_light())).behind for c in (covered, open_to_view))
    # A little is left: slow light and haze are smoothed over the edge of what covers.
    assert hidden.max() < 0.1 * shown[0]


def test_an_overexposed_ink_is_not_recoloured_to_be_another() -> None:
    cards = np.full((2, 48, 48, 3), 0.8, np.float32)
    cards[0, 16:32, 12:36], cards[1, 16:32, 12:36] = (0.28, 0.2, 0.62), (0.45, 0.12, 0.3)  # red, purple
    cards = np.stack([cv2.GaussianBlur(card, (0, 0), 1.0) for card in cards])
    y, x = np.mgrid[-1:1:48j, -1:1:48j]
    burnt = np.clip(cards[1] * 2.8, 0, 1)
    cards[1] *= (1 - 0.1 * (x**2 + y**2))[..., None]  # the light was uneven when the purple one was learnt
    comparison = compared(burnt, cards)
    assert comparison.contest(comparison.explain(unknown_light())).behind[0] > 8


def test_of_two_pictures_alike_the_one_that_had_to_be_bent_is_behind_by_just_that() -> None:
    twins = np.stack([PICTURES[0], PICTURES[0]])
    comparison = compared(PICTURES[0], twins, bent=(5.0, 0.0))
    contest = comparison.contest(comparison.explain(unknown_light()))
    assert contest.best == 1
    np.testing.assert_allclose(contest.behind, (5.0, 0.0), atol=0.01)
    np.testing.assert_allclose(contest.ideal, 0.0, atol=0.01)  # no view, however good, tells them apart


@pytest.mark.parametrize(
    ("owners", "cost", "finalists"),
    [
        ((0, 1, 2), (3.0, 0.0, 1.0), [1, 2, 0]),  # best first
        ((0, 1, 2), (0.0, LEAD + 1, 1.0), [0, 2]),  # far behind: not looked at closely
        ((0, 0, 0, 0, 0, 0, 1, 2, 3), tuple(range(9)), [0, 1, 2, 6, 7, 8]),  # room is kept for three more kinds
        ((0, 0, 0, 0, 0, 0, 0), tuple(range(7)), [0, 1, 2]),
    ],
    ids=["in order", "far behind", "copies of one kind", "one kind alone"],
)
def test_finalists_are_the_best_of_the_best_kinds(
    owners: tuple[int, ...], cost: tuple[float, ...], finalists: list[int]
) -> None:
    comparison = compared(PICTURES[0], np.stack([PICTURES[0]] * len(owners)), owners=owners)
    assert comparison.finalists(np.array(cost, np.float64)) == finalists
