"""Two rims are the ends of one oval where no edge lies between them, and two pieces where one does."""

from __future__ import annotations

import numpy as np
import pytest

from vision.count.discs.ovals import join_ends
from vision.count.discs.rims import ANGLES, Discs, join_discs

RADIUS, APART = 20.0, 22.0
NO_EDGE = np.zeros((80, 120, 2), np.float32)


def overlapping(seen_within):
    """Two rims of which the part that lies in the other is an edge for one of them, in so much of it."""
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    hit = np.stack([np.cos(angles) < 0.4, np.cos(angles) > -0.4])
    inward = np.flatnonzero(~hit[0])
    hit[0, inward[: round(seen_within * len(inward))]] = True
    xy = np.array([[50.0, 40.0], [50.0 + APART, 40.0]])
    return Discs(xy, np.full(2, RADIUS), np.zeros((2, 2)), hit, np.array([0.01, 0.02]))


def test_rims_without_an_edge_between_them_are_one_oval():
    oval = join_ends(overlapping(0.0), NO_EDGE, 1.0)
    assert len(oval) == 1
    outline = oval.outline(0)
    assert oval.xy[0] == pytest.approx([61.0, 40.0])
    assert np.ptp(outline, axis=0) == pytest.approx([APART + 2 * RADIUS, 2 * RADIUS], abs=1.0)
    assert oval.support[0] > 0.9


def test_an_upper_piece_shows_its_rim_on_the_lower_one():
    assert len(join_ends(overlapping(0.9), NO_EDGE, 1.0)) == 2


def test_pieces_that_touch_stay_two():
    pair = overlapping(0.0)
    beside = Discs(pair.xy * [[1.0, 1.0], [1.25, 1.0]], pair.radius, pair.oval, pair.hit, pair.wavy)
    assert len(join_ends(beside, NO_EDGE, 1.0)) == 2


@pytest.mark.parametrize(("crossed", "pieces"), [(1.0, 2), (0.3, 1)])
def test_an_edge_across_the_way_between_them_parts_them_though_it_is_no_rim(crossed, pieces):
    """A black chip beside a white one, seen aslant: circles around them miss their rims. Less of it is a letter."""
    edge = np.zeros((160, 240, 2), np.float32)
    half = round(crossed * RADIUS)
    edge[80 - half : 80 + half, 122] = (1, 0)
    assert len(join_ends(overlapping(0.0), edge, 2.0)) == pieces


def beside(pair, sizes):
    """The same with clear round rims of those sizes about them."""
    xy = np.array([[150.0 + 60 * k, 40.0 + 90 * (k % 2)] for k in range(len(sizes))])
    clear = Discs(xy, np.array(sizes), np.zeros((len(sizes), 2)), np.ones((len(sizes), ANGLES), bool), np.full(6, 0.01))
    return join_discs([pair, clear])


@pytest.mark.parametrize(("size", "pieces"), [(RADIUS, 2), (1.25 * RADIUS, 1)])
def test_the_other_rims_tell_whether_two_of_one_colour_lie_on_each_other(size, pieces):
    """No edge is seen where a blue candy lies half on a blue one: they are as large as the others, an oval is not."""
    assert len(join_ends(beside(overlapping(0.0), [size] * 6), NO_EDGE, 1.0)) == pieces + 6
