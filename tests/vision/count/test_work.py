"""A picture is gone through once, in parts that fit, and what tells nothing of its pieces is not looked for."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from loose_fixtures import LOOSE, colours_of, counted_in

import vision.count.appearance.looks as looks
import vision.count.table.ground as ground
from vision.count.counting import WORK_PX, count_pieces
from vision.count.discs.edges import STRIP_ROWS, find_edges
from vision.count.naming.names import _log_of_sum
from vision.count.table.ground import find_ground, to_lab
from vision.count.teaching.colour_file import read_picture

CANDIES = LOOSE / "candies"


def grainy(rows: int) -> np.ndarray:
    """(rows, 90, 3) float32 Lab of fine grain, whose first rows are the same however many there are."""
    rng = np.random.default_rng(3)
    return cv2.GaussianBlur(rng.normal(50, 30, (400, 90, 3)).astype(np.float32), (0, 0), 1.5)[:rows].copy()


def test_edges_are_the_same_wherever_a_strip_of_the_work_ends() -> None:
    rows, far = STRIP_ROWS, 25  # rows beyond which the lower border of a picture is not felt
    whole, cut = (find_edges(grainy(n)) for n in (3 * rows, 3 * rows - 20))
    last = 3 * rows - 20 - far
    assert whole.on[:last].any()
    assert (whole.on[:last] == cut.on[:last]).mean() > 0.999


def test_candies_are_counted_without_a_look_at_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt, picture = colours_of("candies"), read_picture(CANDIES / "005.jpg")
    before = counted_in("candies", "005.jpg")
    monkeypatch.setattr(looks, "unroll", lambda *_: pytest.fail("sugar bears no stamp"))
    assert count_pieces(picture, learnt).counts == before.counts


def test_the_colours_of_a_table_are_gathered_once_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = read_picture(CANDIES / "005.jpg")
    known = find_ground(picture)
    monkeypatch.setattr(ground, "_cluster", lambda *_: pytest.fail("it is known"))
    again = find_ground(picture, to_lab(np.uint8([[[30, 25, 180]]]))[0], known)
    assert again.colours is known.colours


@pytest.mark.parametrize("times", [3.0, 4.2])
def test_a_picture_of_many_megapixels_has_its_pieces_where_they_lie(times: float) -> None:
    picture = read_picture(CANDIES / "005.jpg")
    large = cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    assert max(large.shape) > WORK_PX
    near, far = counted_in("candies", "005.jpg"), count_pieces(large, colours_of("candies"))
    assert near.counts == far.counts
    xy = np.array([piece.xy for piece in near.pieces])
    off = [np.linalg.norm(xy - np.array(piece.xy) / times, axis=1).min() for piece in far.pieces]
    assert max(off) < 2.0


def test_the_log_of_a_sum_of_chances_is_that_of_the_library() -> None:
    logs = np.random.default_rng(5).normal(-200, 80, (7, 5, 4))
    assert _log_of_sum(logs) == pytest.approx(np.logaddexp.reduce(logs, axis=2))
