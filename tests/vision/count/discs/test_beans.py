"""Two rims are the ends of one long piece where straight sides run between them, and two pieces where none do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.discs.search import Copies, search_discs
from vision.count.table.ground import to_lab

RADIUS, HALF = 14, 17
PLACES = tuple((x, y) for x in (60, 170) for y in (50, 130, 210))


def lying(kind: str) -> np.ndarray:
    """Six pairs of red discs on a plain table: joined to beans, parted by the table, touching, or one of them blue."""
    picture = np.clip(np.random.default_rng(4).normal(190, 2.0, (260, 230, 3)), 0, 255).astype(np.uint8)
    half = RADIUS if kind == "touching" else HALF
    for k, (x, y) in enumerate(PLACES):
        turn = 0.5 * k
        way = half * np.array([np.cos(turn), np.sin(turn)])
        ends = [tuple(int(v) for v in np.round((np.array([x, y]) + s * way) * 16)) for s in (-1, 1)]
        if kind in ("beans", "two colours"):
            middle = [(np.array([x, y]) + s * way) for s in (-1, 1)]
            aside = RADIUS * np.array([-np.sin(turn), np.cos(turn)])
            for s, colour in ((0, (40, 40, 190)), (1, (190, 70, 40) if kind == "two colours" else (40, 40, 190))):
                corners = [middle[s] + aside, middle[s] - aside, np.array([x, y]) - aside, np.array([x, y]) + aside]
                cv2.fillPoly(picture, [np.round(np.array(corners) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
        for s, end in enumerate(ends):
            colour = (190, 70, 40) if s and kind == "two colours" else (40, 40, 190)
            cv2.circle(picture, end, RADIUS * 16, colour, -1, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize(("kind", "pieces"), [("beans", 6), ("two colours", 12), ("apart", 12), ("touching", 12)])
def test_ends_are_one_piece_where_both_sides_are_seen_and_nothing_parts_them(kind: str, pieces: int) -> None:
    found = search_discs(Copies(to_lab(lying(kind))))
    assert len(found) == pieces
    if kind == "beans":
        spans = [np.linalg.norm(one[:36] - one[36:], axis=1) for one in found.outlines]
        assert [span.max() for span in spans] == pytest.approx([2 * (RADIUS + HALF)] * 6, abs=4)
        assert [span.min() for span in spans] == pytest.approx([2 * RADIUS] * 6, abs=3)
        assert found.support.min() > 0.85
