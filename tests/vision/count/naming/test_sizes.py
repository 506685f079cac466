"""Pieces of several sizes are told apart by them in any scale; sizes that perspective makes say nothing."""

from __future__ import annotations

import numpy as np
import pytest

from vision.count.appearance.looks import PieceLook, light_of
from vision.count.naming.names import name_pieces
from vision.count.naming.sizes import size_chances

SMALL, BROAD = 21.0, 25.0
XY = np.array([[100.0 * (k % 3), 90.0 * (k // 3)] for k in range(6)])


@pytest.mark.parametrize("scale", [0.4, 1.0, 3.0])
def test_the_scale_in_which_sizes_fit_names_the_pieces(scale):
    seen = scale * np.array([SMALL, BROAD] * 3)
    chances = size_chances(np.array([SMALL, BROAD]), seen, XY)
    best = chances[chances.max(axis=2).sum(axis=1).argmax()]
    assert best.argmax(axis=1).tolist() == [0, 1] * 3


@pytest.mark.parametrize(
    ("taught", "seen"),
    [
        ([21.0, 21.5], [20.0, 24.0] * 3),
        ([21.0, 25.0], [20.0, 20.4] * 3),
        ([21.0, 25.0], (18.0 * np.exp(0.0008 * XY[:, 0] + 0.0015 * XY[:, 1])).tolist()),
        ([0.0, 25.0], [20.0, 24.0] * 3),
    ],
    ids=["taught of one size", "seen of one size", "larger towards the camera", "one taught size"],
)
def test_sizes_that_cannot_tell_pieces_apart_are_not_used(taught, seen):
    assert size_chances(np.array(taught), np.array(seen), XY) is None


def test_a_size_that_was_not_taught_is_no_reason_against_any_colour():
    chances = size_chances(np.array([SMALL, BROAD]), np.array([SMALL, BROAD, SMALL, BROAD, SMALL, 32.0]), XY)
    best = chances[chances.max(axis=2).sum(axis=1).argmax()]
    assert best[-1] == pytest.approx([best[-1].mean()] * 2, abs=0.01)


def test_pieces_of_a_colour_between_two_are_named_by_their_size():
    copper, brass = (0.06, 0.14, 0.31), (0.06, 0.16, 0.32)
    between = tuple(np.sqrt(np.array(copper) * np.array(brass)))
    taught, owners = light_of([PieceLook(copper, copper), PieceLook(brass, brass)]), np.arange(2)
    seen = light_of([PieceLook(between, between)] * 6)
    sizes = size_chances(np.array([SMALL, BROAD]), np.array([SMALL, BROAD] * 3), XY)
    named = name_pieces(taught, owners, seen, ringed=True, sizes=sizes)
    assert named.p[:, :2].argmax(axis=1).tolist() == [0, 1] * 3
