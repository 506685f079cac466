"""Parts of pieces put together: the two halves of a disc, not two discs side by side; each pair judged once."""

from __future__ import annotations

from unittest.mock import patch

import cv2
import numpy as np

from vision.count.clumps import split as clumps

RADIUS = 10
AREA = float(np.pi * RADIUS**2)


def halves(count: int) -> list[clumps.Blob]:
    """The halves of `count` discs in a row, a diameter and a half from each other."""
    out = []
    for k in range(count):
        disc = np.zeros((60, 60 + 30 * count), np.uint8)
        cv2.circle(disc, (30 + 30 * k, 30), RADIUS, 1, -1)
        for side in (slice(0, 30), slice(30, 60)):
            half = np.zeros_like(disc)
            half[side] = disc[side]
            y, x = np.nonzero(half)
            out.append(clumps._blob(np.stack([x, y], axis=1), AREA))
    return out


def test_the_halves_of_each_disc_are_one_piece_again() -> None:
    joined = clumps.join(halves(4), AREA)
    assert sorted(round(blob.xy[0]) for blob in joined) == [30, 60, 90, 120]
    assert [len(blob.pixels) for blob in joined] == [len(joined[0].pixels)] * 4


def test_twice_the_pieces_are_judged_about_twice_as_often() -> None:
    judged = []
    for count in (10, 20):
        with patch.object(clumps, "_gain", wraps=clumps._gain) as gain:
            clumps.join(halves(count), AREA)
        judged.append(gain.call_count)
    assert judged[1] < 2.3 * judged[0]
