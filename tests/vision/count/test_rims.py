"""Round pieces are found by sharp rims: shadows, cards and grain have none that bend around a middle."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.discs import search
from vision.count.discs.rims import Discs
from vision.count.discs.search import ROUND_SUPPORT, Copies, search_discs
from vision.count.table.ground import to_lab

TABLE_BGR = (172, 190, 200)
PLACES = ((90, 90), (170, 92), (132, 160), (300, 120), (362, 122), (420, 230), (110, 270))
RADIUS = 30


def table(size=(340, 520)):
    """A plain table with the grain of a camera."""
    grain = np.random.default_rng(5).normal(0, 2.0, (*size, 3))
    return np.clip(np.full((*size, 3), TABLE_BGR) + grain, 0, 255).astype(np.uint8)


def put(picture, xy, colour=(40, 40, 190), radius=RADIUS):
    """A disc with a soft edge of half a pixel."""
    cv2.circle(picture, (xy[0] * 16, xy[1] * 16), radius * 16, colour, -1, cv2.LINE_AA, 4)


def shaded(picture, xy, depth=0.5, soft=9.0, tint=(0.9, 0.95, 1.0)):
    """The picture under a soft tinted shadow."""
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(shade, xy, RADIUS, 1.0, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), soft)[..., None] * depth
    return np.clip(picture * (1 - shade * np.array(tint)), 0, 255).astype(np.uint8)


def found_near(found, places, within=3.0):
    """Whether each place has one disc, and no disc has no place."""
    gaps = np.linalg.norm(found.xy[:, None] - np.array(places, float)[None], axis=2)
    return len(found) == len(places) and bool((gaps.min(axis=0) < within).all())


def test_touching_discs_are_found_each():
    picture = table()
    for xy in PLACES:
        put(picture, xy)
    assert found_near(search_discs(Copies(to_lab(picture))), PLACES)


@pytest.mark.parametrize("tint", [(1.0, 1.0, 1.0), (0.8, 0.95, 1.1), (1.1, 0.95, 0.8)])
def test_soft_tinted_shadows_are_no_part_of_a_piece(tint):
    picture = table()
    for x, y in PLACES:
        picture = shaded(picture, (x + 14, y + 14), tint=tint)
    for xy in PLACES:
        put(picture, xy)
    found = search_discs(Copies(to_lab(picture)))
    assert found_near(found, PLACES)
    assert np.abs(found.radius - RADIUS).max() < 1.5


def test_shadows_alone_are_no_pieces():
    picture = table()
    for xy in PLACES:
        picture = shaded(picture, xy)
    assert len(search_discs(Copies(to_lab(picture)))) == 0


def test_a_piece_half_under_another_is_counted():
    picture = table()
    places = [*PLACES, (395, 265)]
    for xy in reversed(places):
        put(picture, xy, (40, 40, 190) if xy != (395, 265) else (60, 160, 60))
    assert found_near(search_discs(Copies(to_lab(picture))), places, within=5.0)


def test_pale_pieces_on_a_pale_table_are_found_by_their_rim():
    picture = table()
    for xy in PLACES:
        put(picture, xy, tuple(v + 14 for v in TABLE_BGR))
    assert found_near(search_discs(Copies(to_lab(picture))), PLACES)


def test_discs_seen_aslant_are_found():
    picture = table((520, 520))
    for x, y in PLACES:
        put(picture, (x, y + 80))
    low = 0.65
    aslant = cv2.resize(picture, (520, round(520 * low)), interpolation=cv2.INTER_AREA)
    found = search_discs(Copies(to_lab(aslant)))
    assert found_near(found, [(x, (y + 80) * low) for x, y in PLACES])


def spotted_table(high):
    """Seven discs that lack wedges, an eighth of each rim, `high` times as high as broad; and their middles."""
    picture = table((520, 520))
    for x, y in PLACES:
        put(picture, (x, y + 80))
        for turn in (20, 140, 260):
            cv2.ellipse(picture, (x, y + 80), (RADIUS + 2, RADIUS + 2), turn, 0, 14, TABLE_BGR, -1)
    size = (520, round(520 * high))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA), [(x, (y + 80) * high) for x, y in PLACES]


@pytest.mark.parametrize(("high", "pulled"), [(1.0, 0), (0.95, 0), (0.65, 1)])
def test_a_picture_is_pulled_upright_only_where_its_discs_are_oval(monkeypatch, high, pulled):
    copies = []
    pull = search._pulled_upright
    monkeypatch.setattr(search, "_pulled_upright", lambda lab: copies.append(lab) or pull(lab))
    picture, places = spotted_table(high)
    assert found_near(search_discs(Copies(to_lab(picture))), places, within=4.0)
    assert len(copies) == pulled


def test_edges_of_one_copy_are_found_once(monkeypatch):
    searched = []
    find = search.find_edges
    monkeypatch.setattr(search, "find_edges", lambda lab: searched.append(lab.shape) or find(lab))
    picture = table()
    for xy in PLACES:
        put(picture, xy, radius=20)
    copies = Copies(to_lab(picture))
    found = search_discs(copies)
    first = len(searched)
    assert found_near(found, PLACES)
    assert search.search_faint(copies, found) is not None
    assert len(searched) == first == len(set(searched))


def test_squares_have_no_round_rims():
    picture = table()
    for x, y in PLACES:
        corners = cv2.boxPoints(((x, y), (44, 44), float(x % 90)))
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (40, 40, 190), cv2.LINE_AA, 4)
    found = search_discs(Copies(to_lab(picture)))
    assert not len(found) or np.median(found.support) < ROUND_SUPPORT


def test_the_smallest_pieces_are_searched_where_no_larger_ones_lie(monkeypatch):
    searched = []
    find = search.find_edges

    def noted(lab):
        searched.append(max(lab.shape[:2]))
        return find(lab)

    monkeypatch.setattr(search, "find_edges", noted)
    finest = search.LONG_SIDES_PX[0]
    for radius, count, left_out in ((40, 7, True), (40, 4, False), (11, 7, False)):
        searched.clear()
        picture = table((600, finest))
        places = [(100 + 150 * k, 300) for k in range(count)]
        for place in places:
            put(picture, place, radius=radius)
        assert found_near(search_discs(Copies(to_lab(picture))), places)
        assert (finest not in searched) == left_out


def test_clear_rims_that_the_last_search_has_not_are_kept():
    """It may see a ring within the smallest coin instead of the rim, which is then too small for a piece."""
    xy = np.array([(90.0, 90.0), (170.0, 90.0), (300.0, 120.0), (300.0, 220.0)])
    hit = np.ones((4, 72), bool)
    hit[3, :30] = False
    first = Discs(xy, np.full(4, 30.0), np.zeros((4, 2)), hit, np.array([0.01, 0.01, 0.01, 0.01]))
    last = first.take(np.array([0]))
    lost = search.lost_rims(first, last)
    assert lost.xy.tolist() == [[170.0, 90.0], [300.0, 120.0]]
    wavy = Discs(xy, first.radius, first.oval, hit, np.array([0.01, 0.06, 0.01, 0.01]))
    assert search.lost_rims(wavy, last).xy.tolist() == [[300.0, 120.0]]
