"""Small pictures of small pieces are enlarged before they are counted, and no others."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.count.counting import WORK_PX, count_pieces
from vision.count.discs.search import Copies
from vision.count.enlarging import MOST, RADIUS_PX, enlargement
from vision.count.table.ground import to_lab
from vision.count.teaching.references import learn_colour

BGR = {"brown": (30, 50, 80), "white": (215, 225, 225), "blue": (190, 105, 40)}
FINER = 8  # times as large as it is shown that a picture is drawn


def pieces(radius: float, width: int, height: int) -> tuple[NDArray[np.uint8], dict[str, list[tuple[float, float]]]]:
    """Twelve discs in three colours, well apart on a plain table, with a camera's softness and grain; their middles."""
    drawn = np.full((height * FINER, width * FINER, 3), (100, 150, 190), np.uint8)
    places: dict[str, list[tuple[float, float]]] = {name: [] for name in BGR}
    for k in range(12):
        name = sorted(BGR)[k % 3]
        xy = (0.12 + 0.25 * (k % 4)) * width + k, (0.2 + 0.3 * (k // 4)) * height
        places[name].append(xy)
        cv2.circle(drawn, (round(FINER * xy[0]), round(FINER * xy[1])), round(FINER * radius), BGR[name], -1)
    shown = cv2.GaussianBlur(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    noisy = shown + np.random.default_rng(3).normal(0, 2.0, shown.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), places


@pytest.mark.parametrize("radius", [5.0, 7.0])
def test_pieces_of_a_few_px_are_counted(radius: float) -> None:
    picture, places = pieces(radius, 400, 300)
    side = round(2.2 * radius)
    boxes = {n: tuple((round(x - side / 2), round(y - side / 2), side, side) for x, y in p) for n, p in places.items()}
    taught = [learn_colour(name, [(picture, own)]) for name, own in boxes.items()]
    counted = count_pieces(picture, taught)
    assert counted.counts == {"brown": 4, "white": 4, "blue": 4}
    assert counted.unknown == 0
    off = [min(np.hypot(p.xy[0] - x, p.xy[1] - y) for p in counted.pieces) for own in places.values() for x, y in own]
    assert max(off) < 1.5  # px of the picture as it was given


def enlarged(picture: NDArray[np.uint8]) -> float:
    return enlargement(picture, Copies(to_lab(picture)), WORK_PX)


@pytest.mark.parametrize("radius", [5.0, 8.0])
def test_a_picture_is_enlarged_so_that_its_pieces_can_be_followed(radius: float) -> None:
    assert enlarged(pieces(radius, 500, 400)[0]) == pytest.approx(min(MOST, RADIUS_PX / radius), rel=0.1)


def test_large_pieces_and_large_pictures_are_left_as_they_are() -> None:
    assert enlarged(pieces(20.0, 500, 400)[0]) == 1.0
    assert enlarged(pieces(10.0, 500, 400)[0]) == 1.0  # whose rims are all clear as they are
    assert enlarged(np.full((1000, WORK_PX, 3), 120, np.uint8)) == 1.0
