"""Chips whose spots break their rims and whose broad labels do not: the label is grown to the chip that taught."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.appearance.looks import PieceLook, look_in_outline
from vision.count.counting import count_pieces
from vision.count.discs.labelled import SCALES, as_taught, whole_sizes
from vision.count.discs.rims import ANGLES
from vision.count.discs.search import FoundDiscs
from vision.count.naming.bodies import has_inner_rims
from vision.count.teaching.references import learn_colour

GRAVEL, WHITE, RED, BLUE, GREEN = (120, 140, 150), (235, 236, 238), (40, 30, 190), (150, 70, 25), (50, 110, 35)
RADIUS, LABEL = 36, 16
PLACES = [((90 + 120 * (k % 5), 100 + 150 * (k // 5)), (RED, BLUE, GREEN)[k % 3]) for k in range(10)]


def chips(seed: int, light: float = 1.0) -> np.ndarray:
    """Ten chips (400, 680, 3) on gravel, with spots at their edges in its colours and white labels, in some light."""
    rng = np.random.default_rng(seed)
    coarse = cv2.resize(rng.normal(0, 22, (80, 136)).astype(np.float32), (680, 400), interpolation=cv2.INTER_CUBIC)
    gravel = np.full((400, 680, 3), GRAVEL, np.float32) + coarse[..., None]
    picture = gravel.copy()
    for (x, y), colour in PLACES:
        cv2.circle(picture, (x, y), RADIUS, colour, -1, cv2.LINE_AA)
        for start in range(0, 360, 30):
            cv2.ellipse(picture, (x, y), (RADIUS, RADIUS), start, 0, 15, (170, 180, 185), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), RADIUS - 8, colour, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), LABEL, WHITE, -1, cv2.LINE_AA)
    picture = light * picture + rng.normal(0, 1.5, picture.shape)
    return cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (0, 0), 0.7)


def rings(radius: float, xy: list[tuple[float, float]], support: float = 0.95) -> FoundDiscs:
    """Rims of one size."""
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    circle = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    middles = np.array(xy, float)
    number = len(middles)
    outlines = middles[:, None] + circle
    return FoundDiscs(outlines, np.full(number, support), np.full(number, radius), middles, np.full(number, 0.01))


def taught() -> list:
    """Three colours by a box each."""
    boxes = {name: PLACES[k][0] for k, name in enumerate(("red", "blue", "green"))}
    picture = chips(1)
    return [learn_colour(name, [(picture, ((x - 37, y - 37, 74, 74),))]) for name, (x, y) in boxes.items()]


LOOKS = [look for colour in taught() for look in colour.pieces()]
NONE = rings(1.0, [(0.0, 0.0)]).take(np.array([False]))


@pytest.mark.parametrize("light", [1.0, 0.7])
def test_labels_are_grown_to_the_chips_that_taught(light: float) -> None:
    labels = rings(LABEL, [place for place, _ in PLACES])
    found, strange = as_taught(labels, NONE, chips(2, light), LOOKS)
    assert (len(found), len(strange)) == (10, 0)
    assert found.radius == pytest.approx(RADIUS, rel=0.1)


def test_whole_chips_stay_as_they_are() -> None:
    whole = rings(RADIUS, [place for place, _ in PLACES])
    assert as_taught(whole, NONE, chips(2), LOOKS)[0].radius == pytest.approx(RADIUS)


def test_a_label_is_as_large_as_the_chips_beside_it_that_were_found_whole() -> None:
    places = [place for place, _ in PLACES]
    mixed = rings(RADIUS, places[:8]).joined(rings(LABEL, places[8:]))
    found, _ = as_taught(mixed, NONE, chips(2), LOOKS)
    assert found.radius == pytest.approx(RADIUS, rel=0.1)


def test_labels_among_the_first_rims_are_found_as_chips_but_what_lies_within_a_chip_is_not() -> None:
    places = [place for place, _ in PLACES]
    others = rings(LABEL, [places[9], (places[0][0] + 14, places[0][1])])
    found, _ = as_taught(rings(LABEL, places[:9]), others, chips(2), LOOKS)
    assert sorted(found.xy.tolist()) == sorted([float(x), float(y)] for x, y in places)


def test_a_broken_ring_in_gravel_is_like_no_chip_and_told_apart() -> None:
    labels = rings(LABEL, [place for place, _ in PLACES]).joined(rings(24, [(330.0, 330.0)], support=0.55))
    found, strange = as_taught(labels, NONE, chips(2), LOOKS)
    assert (len(found), len(strange)) == (10, 1)


def test_few_pieces_like_those_that_taught_tell_no_size() -> None:
    misfits = np.full((2, len(SCALES)), 0.5)
    misfits[:, 24] = 0.1
    scale, _ = whole_sizes(np.array([16.0, 17.0]), misfits, np.zeros(2, bool))
    assert scale.tolist() == [1.0, 1.0]


def test_labelled_chips_on_gravel_are_counted_by_their_bodies() -> None:
    result = count_pieces(chips(3, 0.8), taught())
    assert (result.counts, result.unknown) == ({"red": 4, "blue": 3, "green": 3}, 0)


def printed(*, label: int = 0, spots: bool = False, letter: bool = False) -> PieceLook:
    """The look of a red chip with such print on it."""
    picture = np.full((100, 100, 3), GRAVEL, np.uint8)
    cv2.circle(picture, (50, 50), RADIUS, RED, -1, cv2.LINE_AA)
    for start in range(0, 360, 45) if spots else ():
        cv2.ellipse(picture, (50, 50), (RADIUS - 5, RADIUS - 5), start, 0, 18, WHITE, 9, cv2.LINE_AA)
    if label:
        cv2.circle(picture, (50, 50), label, WHITE, -1, cv2.LINE_AA)
    if letter:
        cv2.putText(picture, "m", (41, 57), cv2.FONT_HERSHEY_SIMPLEX, 0.8, WHITE, 3, cv2.LINE_AA)
    return look_in_outline(picture, rings(RADIUS, [(50.0, 50.0)]).outlines[0])


@pytest.mark.parametrize(
    ("look", "inner"),
    [
        (printed(label=LABEL), True),
        (printed(label=RADIUS // 3 + 1), True),
        (printed(spots=True), True),
        (printed(letter=True), False),
        (printed(), False),
    ],
    ids=["label", "a small label", "spots", "a letter", "plain"],
)
def test_labels_and_spots_may_be_taken_for_rims_and_letters_not(look: PieceLook, inner: bool) -> None:
    assert has_inner_rims([printed(), look]) is inner
