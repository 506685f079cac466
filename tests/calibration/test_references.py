"""Many soft pictures of a piece, and of its twins, make a clear reference; what differs stays each one's own."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.course.references import look_of, references_of
from calibration.sample_edition.art import TileFacts, draw_tile
from calibration.sample_edition.style import made_up_style
from companion.games.envyra.edition.form import FORM

SIDE_PX, CUT_PX = 110, 256
ONE = TileFacts("one", "fire", 0, 1, 2, (), True)
TWO = TileFacts("two", "fire", 0, 2, 2, (), True)
OTHER = TileFacts("other", "fire", 0, 5, 4, (), True)


def scan(tile: TileFacts) -> np.ndarray:
    return draw_tile(tile, made_up_style(3), CUT_PX)


def photographed(tile: TileFacts, rng: np.random.Generator) -> np.ndarray:
    """A drawn tile as it is cut from a camera's picture: soft, noisy, a pixel askew."""
    small = cv2.resize(draw_tile(tile, made_up_style(3)), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float64)
    square = np.array([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]], np.float32)
    moved = (square + rng.normal(0, 0.8, square.shape)).astype(np.float32)
    to = cv2.getPerspectiveTransform(square, moved)
    cut = cv2.warpPerspective(soft, to, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    noisy = np.clip(cut + rng.normal(0, 4, cut.shape), 0, 255).astype(np.uint8)
    return cv2.resize(noisy, (CUT_PX, CUT_PX), interpolation=cv2.INTER_CUBIC)


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(one.astype(float) - other.astype(float)).mean(axis=-1)


def test_twins_differ_where_their_figures_do_and_nowhere_else() -> None:
    rng = np.random.default_rng(5)
    raw = {"one": [photographed(ONE, rng)], "two": [photographed(TWO, rng)]}
    clear = references_of(raw, {"one": "fire", "two": "fire"})
    wanted = apart(scan(ONE), scan(TWO)) > 20
    beside = cv2.dilate(wanted.astype(np.uint8), np.ones((25, 25), np.uint8)) == 0
    before, after = (apart(shown["one"][0], shown["two"][0]) for shown in (raw, clear))
    assert after[beside].mean() < 0.1 * before[beside].mean()
    assert after[wanted].mean() > 0.8 * before[wanted].mean()


def test_twins_are_one_picture_but_for_the_one_thing_in_which_they_differ() -> None:
    """Noise that one of them alone has on it, here a speck beside the figure, tells nothing of them."""
    rng = np.random.default_rng(5)
    raw = {"one": [photographed(ONE, rng)], "two": [photographed(TWO, rng)], "other": [photographed(OTHER, rng)]}
    speck = cv2.circle(np.zeros((CUT_PX, CUT_PX), np.uint8), (200, 60), 5, 16, -1, cv2.LINE_AA)
    raw["two"][0] = cv2.add(raw["two"][0], cv2.merge([speck] * 3))
    said = {"one": {"vp": "1", "cubes": "2"}, "two": {"vp": "2", "cubes": "2"}, "other": {"vp": "5", "cubes": "4"}}
    clear = references_of(raw, dict.fromkeys(raw, "fire"), said)
    wanted = apart(scan(ONE), scan(TWO)) > 20
    beside = cv2.dilate(wanted.astype(np.uint8), np.ones((25, 25), np.uint8)) == 0
    before, after = (apart(shown["one"][0], shown["two"][0]) for shown in (raw, clear))
    assert after[beside].max() <= 2
    assert after[wanted].mean() > 0.8 * before[wanted].mean()
    wanted = apart(scan(ONE), scan(OTHER)) > 20
    before, after = (apart(shown["one"][0], shown["other"][0]) for shown in (raw, clear))
    assert after[wanted].mean() > 0.8 * before[wanted].mean()


def test_more_pictures_of_a_piece_come_nearer_to_its_scan() -> None:
    rng = np.random.default_rng(6)
    pictures = [photographed(ONE, rng) for _ in range(4)]
    (clear,) = references_of({"one": pictures}, {"one": 0})["one"]
    single = np.mean([apart(one, scan(ONE)).mean() for one in pictures])
    assert apart(clear, scan(ONE)).mean() < 0.9 * single


def test_a_picture_that_is_not_of_the_piece_stays_by_itself() -> None:
    rng = np.random.default_rng(7)
    strange = rng.integers(0, 255, (CUT_PX, CUT_PX, 3), dtype=np.uint8)
    first, second = references_of({"one": [photographed(ONE, rng), strange]}, {"one": 0})["one"]
    shown = {True: first, False: second}[apart(first, strange).mean() > apart(second, strange).mean()]
    assert apart(shown, scan(ONE)).mean() < 20
    np.testing.assert_array_equal({True: second, False: first}[shown is first], strange)


def test_one_picture_of_a_kind_is_kept_as_it_is() -> None:
    only = photographed(ONE, np.random.default_rng(8))
    np.testing.assert_array_equal(references_of({"one": [only]}, {"one": 0})["one"][0], only)


def test_pieces_share_their_look_when_only_small_print_differs() -> None:
    values = {"theme": "fire", "symbol": "1", "vp": "1", "cubes": "2", "requires": "", "start": "yes"}
    assert look_of(values, FORM) == look_of({**values, "vp": "2", "start": "no"}, FORM)
    assert look_of(values, FORM) != look_of({**values, "symbol": "2"}, FORM)


def dark_piece(icons: list[tuple[int, int, tuple[int, int, int]]]) -> np.ndarray:
    """A dark painted face, (CUT_PX, CUT_PX, 3) uint8 BGR, the same for all, with bright icons at these places."""
    rng = np.random.default_rng(11)
    paint = cv2.GaussianBlur(rng.normal(0, 1, (CUT_PX, CUT_PX, 3)), (0, 0), 5.0)
    face = 34.0 + 9.0 * paint / paint.std()
    for x, y, colour in icons:
        cv2.circle(face, (x, y), 15, colour, -1, cv2.LINE_AA)
    return np.clip(face, 0, 255)


def seen_dark(face: np.ndarray, shift: tuple[float, float], rng: np.random.Generator) -> np.ndarray:
    """The face as a camera shows it: a little beside its place, noisy."""
    way = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
    moved = cv2.warpAffine(face, way, (CUT_PX, CUT_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.clip(moved + rng.normal(0, 3, moved.shape), 0, 255).astype(np.uint8)


def test_dark_pieces_are_laid_on_each_other_by_their_print_and_not_by_their_icons() -> None:
    rng = np.random.default_rng(12)
    pale = (225, 230, 235)
    one = dark_piece([(40, 215, pale), (80, 215, pale), (215, 40, (40, 90, 40))])
    two = dark_piece([(80, 215, pale), (120, 215, pale), (215, 40, (40, 40, 90))])
    raw = {"one": [seen_dark(one, (0, 0), rng)], "two": [seen_dark(two, (1.5, -1.0), rng)]}
    clear = references_of(raw, {"one": "dark", "two": "dark"})["one"][0]
    before, after = (apart(picture, one) for picture in (raw["one"][0], clear))
    icons = np.zeros((CUT_PX, CUT_PX), np.uint8)
    for x, y in ((40, 215), (80, 215), (120, 215), (215, 40)):
        cv2.circle(icons, (x, y), 30, 1, -1)
    assert after[icons == 0].mean() < 0.85 * before[icons == 0].mean()  # the two help each other
    green = clear[30:50, 205:225].reshape(-1, 3).mean(axis=0)
    assert np.abs(green - (40, 90, 40)).max() < 3  # and each keeps its own icons


def test_faces_without_any_print_keep_their_colour() -> None:
    red, blue = (np.full((CUT_PX, CUT_PX, 3), colour, np.uint8) for colour in ((0, 0, 200), (200, 0, 0)))
    made = references_of({"one": [red, red], "two": [blue]}, {"one": "flat", "two": "flat"})
    assert apart(made["one"][0], red).max() < 2
    assert apart(made["two"][0], blue).max() < 2
