"""A square's mark is named by its form: shifted, turned or pale, but not when two marks explain it alike."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.printed.board import SQUARE_PX
from vision.printed.marks import MARK_PX, TURNS_DEG, Mark
from vision.printed.naming import MARK_FROM, MARK_SURE, MarkNamer

SIDE = MARK_PX + SQUARE_PX // 2


def strokes(*lines: tuple[int, int, int, int]) -> np.ndarray:
    """(MARK_PX, MARK_PX) float32 ink of strokes (x0, y0, x1, y1)."""
    ink = np.zeros((MARK_PX, MARK_PX), np.float32)
    for x0, y0, x1, y1 in lines:
        cv2.line(ink, (x0, y0), (x1, y1), 1.0, 4)
    return cv2.GaussianBlur(ink, (0, 0), 0.8)


STEM, TOP, MIDDLE, FOOT = (9, 6, 9, 27), (9, 6, 24, 6), (9, 16, 22, 16), (9, 27, 24, 27)
FORMS = {
    "L": strokes(STEM, FOOT),
    "F": strokes(STEM, TOP, MIDDLE),
    "E": strokes(STEM, TOP, MIDDLE, FOOT),
    "T": strokes((17, 6, 17, 27), (8, 6, 26, 6)),
}
NAMER = MarkNamer([Mark(face, form) for face, form in FORMS.items()])


def window(form: np.ndarray, dx: int = 0, dy: int = 0) -> np.ndarray:
    """A window of ink with the mark so far off its middle."""
    ink = np.zeros((SIDE, SIDE), np.float32)
    edge = (SIDE - MARK_PX) // 2
    ink[edge + dy : edge + dy + MARK_PX, edge + dx : edge + dx + MARK_PX] = form
    return ink


@pytest.mark.parametrize("face", FORMS)
@pytest.mark.parametrize(
    ("dx", "dy", "dark"), [(0, 0, 1.0), (-7, 5, 0.4)], ids=["as learnt", "pale and off the middle"]
)
def test_a_mark_is_named_surely(face: str, dx: int, dy: int, dark: float) -> None:
    named = NAMER.name(window(FORMS[face] * np.float32(dark), dx, dy))
    assert named.face == face
    assert named.agreement > MARK_SURE
    assert named.p > 0.99
    assert named.alternatives[0] == (face, named.p)


def test_a_mark_is_named_on_a_tile_that_lies_askew() -> None:
    middle = (MARK_PX - 1) / 2
    askew = cv2.getRotationMatrix2D((middle, middle), TURNS_DEG[-1], 1)
    named = NAMER.name(window(cv2.warpAffine(FORMS["E"], askew, (MARK_PX, MARK_PX))))
    assert named.face == "E"
    assert named.p > 0.99


def test_what_lies_half_way_between_two_marks_is_a_doubt_between_these_two() -> None:
    named = NAMER.name(window((FORMS["E"] + FORMS["F"]) / 2))
    assert {face for face, _ in named.alternatives[:2]} == {"E", "F"}
    assert named.p < 0.9
    assert sum(p for _, p in named.alternatives) == pytest.approx(1.0)


def test_noise_agrees_with_no_mark() -> None:
    noise = np.random.default_rng(3).uniform(0, 1, (SIDE, SIDE)).astype(np.float32)
    assert NAMER.name(noise).agreement < MARK_FROM


def test_the_only_mark_that_is_known_has_no_rival() -> None:
    named = MarkNamer([Mark("T", FORMS["T"])]).name(window(FORMS["T"]))
    assert (named.face, named.p, named.alternatives) == ("T", 1.0, (("T", 1.0),))


def test_a_mark_that_is_less_like_its_name_than_the_others_of_its_picture_is_strange() -> None:
    seen = {n: NAMER.name(window(form)) for n, form in enumerate([FORMS["L"], FORMS["F"], FORMS["T"]])}
    unknown = strokes(STEM, FOOT, (24, 6, 24, 27))  # a U with a flat foot: most like an L
    weighed = NAMER.weighed({**seen, 3: NAMER.name(window(unknown))}, usual=0.02)
    assert [one.strange for one in weighed.values()] == [False, False, False, True]


def test_a_mark_that_is_nearer_to_one_that_was_only_drawn_may_be_that_one() -> None:
    # the drawn form has thinner feet than the printed one: pictures of it agree little with both
    drawn = Mark("E", cv2.GaussianBlur(FORMS["E"], (0, 0), 1.2), drawn=True, slack=0.1)
    namer = MarkNamer([Mark("F", FORMS["F"]), Mark("L", FORMS["L"]), drawn])
    shown = namer.weighed({"f": namer.name(window(FORMS["F"])), "e": namer.name(window(FORMS["E"]))}, usual=0.02)
    assert (shown["f"].face, shown["f"].strange) == ("F", False)
    assert shown["e"].face == "E"
