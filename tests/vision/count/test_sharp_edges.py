"""Sharp edges are found with the direction across them, soft shadows are not, and round outlines are found by them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.discs.edges import find_edges
from vision.count.discs.rims import find_discs

CENTRE, RADIUS = (70, 60), 22


def table(blur_px: float = 0.0) -> np.ndarray:
    """A disc on a table, (120, 140, 3) float32 Lab."""
    lab = np.full((120, 140, 3), (60.0, 0.0, 0.0), np.float32)
    cv2.circle(lab, CENTRE, RADIUS, (35.0, 40.0, 20.0), cv2.FILLED, cv2.LINE_AA)
    return cv2.GaussianBlur(lab, (0, 0), blur_px) if blur_px else lab


def test_the_edge_of_a_disc_lies_on_its_rim_and_points_to_its_middle() -> None:
    edges = find_edges(table())
    rows, cols = np.nonzero(edges.on)
    away = np.stack([cols, rows]) - np.array(CENTRE)[:, None]
    reach = np.linalg.norm(away, axis=0)
    assert len(rows) > 2 * RADIUS
    assert np.abs(reach - RADIUS).max() < 2.0
    assert np.abs((edges.normal[rows, cols].T * away / reach).sum(axis=0)).min() > 0.9


def test_a_soft_shadow_has_no_edge() -> None:
    assert not find_edges(table(blur_px=6.0)).on.any()


def test_a_disc_is_found_by_its_edges_and_none_of_another_size() -> None:
    edges = find_edges(table())
    found = find_discs(edges, (18.0, 26.0), 0.6)
    assert found.xy == pytest.approx(np.array([CENTRE]), abs=1.0)
    assert found.radius == pytest.approx(np.array([RADIUS]), abs=1.0)
    assert len(find_discs(edges, (6.0, 10.0), 0.6).xy) == 0
