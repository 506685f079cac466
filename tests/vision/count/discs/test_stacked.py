"""A chip that lies on others is not counted as one in silence."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.counting import count_pieces
from vision.count.discs.search import FoundDiscs
from vision.count.discs.stacked import on_others
from vision.count.table.ground import to_lab
from vision.count.teaching.references import learn_colour

RED, BLUE, GREEN = (40, 40, 190), (170, 80, 40), (60, 150, 60)
PLACES = ((90, 90), (220, 100), (330, 130), (100, 220), (210, 230), (340, 250))
RADIUS = 30


def table(shadow: int = 0, stack: int = 0, longer: int = 0) -> np.ndarray:
    """Red and blue discs on a plain table, which throw shadows of so many px; the last one's is so much longer, and a
    green one shows beneath it by `stack` px."""
    picture = np.clip(np.random.default_rng(2).normal(190, 2.0, (330, 440, 3)), 0, 255).astype(np.uint8)
    for k, (x, y) in enumerate(PLACES):
        last = k == len(PLACES) - 1
        for off in range(1, shadow + (longer if last else 0) + 1):
            cv2.circle(picture, (x + off, y), RADIUS, (125, 125, 125), -1, cv2.LINE_AA)
        if last and stack:
            cv2.circle(picture, (x - stack, y - stack), RADIUS, GREEN, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), RADIUS, RED if k % 2 else BLUE, -1, cv2.LINE_AA)
    return picture


def rims() -> FoundDiscs:
    """Clear rims around the discs."""
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    xy = np.array(PLACES, float)
    return FoundDiscs(xy[:, None] + RADIUS * ring, np.ones(len(xy)), np.full(len(xy), float(RADIUS)), xy, np.zeros(6))


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (table(), 0),
        (table(stack=4), 1),
        (table(shadow=4), 0),
        (table(shadow=4, longer=1), 0),
        (table(shadow=4, longer=6), 1),
        (table(shadow=4, stack=5), 1),
    ],
    ids=["bare", "one on another", "shadows", "one a little longer", "one thrice as long", "on another in shadows"],
)
def test_more_is_seen_beside_a_piece_that_lies_on_others(picture: np.ndarray, expected: int) -> None:
    told = on_others(rims(), to_lab(picture))
    assert told.tolist() == [False] * (len(PLACES) - 1) + [bool(expected)]


def test_what_neighbours_hide_or_three_pieces_show_tells_nothing() -> None:
    picture = table(stack=4)
    few = rims().take(np.arange(len(PLACES)) >= 3)
    assert not on_others(few, to_lab(picture)).any()
    around = rims().take(np.arange(len(PLACES)) == len(PLACES) - 1)
    hidden = rims()
    for off in ((-62, 0), (-44, -44), (0, -62)):  # where the one beneath shows
        hidden = hidden.joined(
            FoundDiscs(around.outlines + off, around.support, around.radius, around.xy + off, around.wavy)
        )
    assert not on_others(hidden, to_lab(picture))[len(PLACES) - 1]


def test_the_soft_end_of_a_deeper_shadow_is_no_piece_beneath() -> None:
    light = np.zeros((330, 440), np.float32)
    for k, (x, y) in enumerate(PLACES):
        cv2.circle(light, (x + 9, y), RADIUS, 0.16 if k < len(PLACES) - 1 else 0.24, -1)
    seen = table() * (1 - cv2.GaussianBlur(light, (0, 0), 10))[..., None]
    for k, xy in enumerate(PLACES):
        cv2.circle(seen, xy, RADIUS, RED if k % 2 else BLUE, -1, cv2.LINE_AA)
    assert not on_others(rims(), to_lab(seen.astype(np.uint8))).any()


def test_a_sheet_beside_a_piece_is_nothing_beneath_it() -> None:
    picture = table()
    cv2.rectangle(picture, (386, 200), (439, 329), (90, 60, 40), -1)
    assert not on_others(rims(), to_lab(picture)).any()


def test_a_count_says_how_many_pieces_may_lie_on_others() -> None:
    plain = table()
    colours = [
        learn_colour(name, [(plain, ((x - 32, y - 32, 64, 64),))])
        for name, (x, y) in zip(("blue", "red"), PLACES, strict=False)
    ]
    assert "on others" not in count_pieces(plain, colours).why
    result = count_pieces(table(stack=4), colours)
    assert result.counts == {"blue": 3, "red": 3}
    assert "may lie on others: 1" in result.why
    assert not result.sure


def test_grain_beside_pieces_makes_none_of_them_broader() -> None:
    rng = np.random.default_rng(5)
    streaks = cv2.GaussianBlur(rng.normal(0, 1, (700, 900)), (0, 0), sigmaX=40, sigmaY=3)
    grain = 150 + 26 * streaks / streaks.std()
    picture = np.clip(np.stack([0.5 * grain, 0.75 * grain, grain], axis=2), 0, 255).astype(np.uint8)
    xy = np.array([(100 + 175 * (k % 5), 100 + 160 * (k // 5)) for k in range(20)], float)
    for x, y in xy.astype(int):
        cv2.circle(picture, (int(x), int(y)), RADIUS, BLUE, -1, cv2.LINE_AA)
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring = RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = FoundDiscs(xy[:, None] + ring, np.ones(20), np.full(20, float(RADIUS)), xy, np.zeros(20))
    assert not on_others(found, to_lab(picture)).any()


@pytest.mark.parametrize(("narrow", "told"), [(0, 2), (2, 0)])
def test_pieces_that_are_broader_lie_on_others_unless_as_many_are_narrower(narrow: int, told: int) -> None:
    """Worn candies are not quite round and of uneven sizes; a rim around a stack is only broader."""
    size = np.ones(12)
    size[[2, 9]], size[[4, 7][:narrow]] = 1.09, 0.91
    xy = np.array([(70 + 100 * (k % 4), 70 + 100 * (k // 4)) for k in range(12)], float)
    ring = rims().outlines[0] - PLACES[0]
    found = FoundDiscs(xy[:, None] + size[:, None, None] * ring, np.ones(12), RADIUS * size, xy, np.zeros(12))
    picture = np.full((340, 440, 3), 190, np.uint8)
    for outline in found.outlines:
        cv2.fillPoly(picture, [np.round(outline * 16).astype(np.int32)], RED, cv2.LINE_AA, 4)
    assert on_others(found, to_lab(picture)).sum() == told
