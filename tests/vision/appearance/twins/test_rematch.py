"""Faces that differ in a digit: told apart where the digit is seen, left in doubt where a piece hides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.appearance.face_fit import fit_faces
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import PX_PER_MM, FaceScan, PlacedFace, SeenTable, draw, shrink_reference
from vision.appearance.twins.rematch import (
    PLAINLY_SEEN,
    PRINT_SEEN,
    UNSEEN,
    Doubt,
    TwinComparison,
    compare_all,
    rank_rivals,
)

SIDE_MM = 55.0
ORIGIN = (-50.0, -50.0)


def scan(digit: str) -> np.ndarray:
    out = np.full((440, 440, 3), (217, 236, 245), np.uint8)
    cv2.rectangle(out, (16, 16), (424, 424), (43, 98, 217), -1)
    cv2.circle(out, (220, 260), 90, (220, 238, 252), -1)
    cv2.circle(out, (220, 80), 45, (47, 207, 246), -1)
    cv2.putText(out, digit, (202, 98), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (0, 40, 60), 6, cv2.LINE_AA)
    return out


SCANS = {digit: shrink_reference(scan(digit), SIDE_MM) for digit in "123"}
FIRST = (("1", 0.34), ("2", 0.33), ("3", 0.33))


def table(digit: str, light: PictureLight, shown: np.ndarray | None = None) -> tuple[np.ndarray, PlacedFace]:
    """A table with a face and where that lies; `shown` (440, 440, 3): what is seen of it there, another print."""
    laid = PlacedFace(np.array([1.0, -2.0]), 2.0, SIDE_MM, SCANS[digit])
    flat, label = np.zeros((150, 150, 3), np.uint8), np.full((150, 150), -1, np.int16)
    drawn = laid if shown is None else replace(laid, scan=shrink_reference(shown, SIDE_MM))
    draw(flat, label, drawn, 0, ORIGIN, blur=2)
    seen = light.expect(flat, np.zeros((1, 1, 2)))
    seen[label < 0] = 60.0
    return np.clip(seen + np.random.default_rng(3).normal(0, 4, seen.shape), 0, 255).astype(np.uint8), laid


def rank(
    seen: np.ndarray, light: PictureLight, doubt: Doubt, scans: Mapping[str, FaceScan]
) -> tuple[tuple[str, float], ...]:
    return rank_rivals(SeenTable(seen, ORIGIN), light, [doubt], scans)[0]


@pytest.mark.parametrize(
    ("grey", "fine", "apart", "named"),
    [
        (5.0, 5.0, 5.0, True),
        (49.0, -19.0, 0.5, False),
        (17.0, 39.0, -45.0, False),
        (2.0, 3.0, 0.0, False),
        (-2400.0, 2750.0, 20.0, True),
        (-10.0, 30.0, 5.0, True),
    ],
    ids=["all agree", "print contradicts", "what is left over contradicts", "little of anything", "light is wrong",
         "two of three"],
)  # fmt: skip
def test_a_face_is_named_where_its_comparisons_agree(grey: float, fine: float, apart: float, named: bool) -> None:
    nothing = np.zeros(2)
    told = [np.array([nats, 0.0]) for nats in (grey, fine)]
    found = TwinComparison(("a", "b"), *told, nothing, np.array([apart, 0.0]))
    chances = dict(found.probabilities())
    assert sum(chances.values()) == pytest.approx(1.0)
    assert (chances["a"] >= 0.9) == named


@pytest.mark.parametrize("gain", [0.5, 1.0, 2.2])
@pytest.mark.parametrize("digit", ["1", "2", "3"])
def test_a_digit_is_read_in_dim_and_in_glaring_light(digit: str, gain: float) -> None:
    light = PictureLight((gain, gain, gain), (0.02, 0.02, 0.02), (0.0, 0.0), 4.0)
    seen, laid = table(digit, light)
    (face, p), *_ = rank(seen, light, Doubt(laid, FIRST), SCANS)
    assert face == digit
    assert p > 0.9


EVEN = PictureLight((0.8, 0.8, 0.8), (0.02, 0.02, 0.02), (0.0, 0.0), 4.0)
NOTHING = np.zeros((150, 150), np.float32)
OTHER = {
    "blue": shrink_reference(scan("1")[:, :, ::-1].copy(), SIDE_MM),
    "dark": shrink_reference(scan("2") // 3, SIDE_MM),
}


@pytest.mark.parametrize("covered", [NOTHING, None])
def test_a_face_on_which_both_looks_agree_far_ahead_of_all_others_is_decided(covered: np.ndarray | None) -> None:
    seen, laid = table("1", EVEN)
    first = (("1", 0.9995), ("blue", 0.0004), ("dark", 0.0001))
    scans = {"1": SCANS["1"], **OTHER}
    assert rank(seen, EVEN, Doubt(laid, first, covered), scans) == first
    unsure = (("1", 0.8), ("blue", 0.1), ("dark", 0.1))
    (face, p), *others = rank(seen, EVEN, Doubt(laid, unsure, covered), scans)
    assert (face, p > 0.99, len(others)) == ("1", True, 1)  # compared with the next only


@pytest.mark.parametrize("sure", ["2", "blue", "dark"])
def test_a_first_look_that_was_sure_of_another_face_is_put_right(sure: str) -> None:
    seen, laid = table("1", EVEN)
    scans = {**SCANS, **OTHER}
    first = ((sure, 0.9995), ("1", 1e-9))
    (face, p), *_ = rank(
        seen, EVEN, Doubt(PlacedFace(laid.centre_mm, 2.0, SIDE_MM, scans[sure]), first, NOTHING), scans
    )
    assert (face, p > 0.9) == ("1", True)


@pytest.mark.parametrize("digit", ["1", "2", "3"])
def test_a_digit_is_read_where_the_pose_of_the_table_is_a_little_wrong(digit: str) -> None:
    light = PictureLight((0.5, 0.5, 0.5), (0.02, 0.02, 0.02), (0.0, 0.0), 4.0)
    seen, laid = table(digit, light)
    corners = np.array([[0, 0], [149, 0], [149, 149], [0, 149]], np.float32)
    off = np.array([[0, 0], [0, 0], [4, 0], [-4, 0]], np.float32)  # the far side is seen too small
    askew = cv2.warpPerspective(seen, cv2.getPerspectiveTransform(corners, corners + off), (150, 150))
    (face, p), *_ = rank(askew, light, Doubt(laid, FIRST), SCANS)
    assert (face, p > 0.9) == (digit, True)


def test_a_face_of_which_no_print_is_seen_is_not_believed() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    seen, laid = table("1", light)
    smeared = cv2.GaussianBlur(seen, (0, 0), 9)
    assert rank(smeared, light, Doubt(laid, FIRST), SCANS)[0][1] <= 0.5


def test_a_hidden_digit_leaves_the_face_in_doubt_even_if_the_piece_resembles_one() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    seen, laid = table("1", light)
    covered = np.zeros(seen.shape[:2], np.float32)
    x, y = ((laid.centre_mm + np.array([0.6, -17.5]) - ORIGIN) * 1.5).astype(int)
    covered[y - 9 : y + 10, x - 9 : x + 10] = 1.0
    seen[y - 8 : y + 9, x - 8 : x + 9] = (38, 34, 34)
    (_, p), *_ = rank(seen, light, Doubt(laid, FIRST, covered), SCANS)
    assert p < 0.9


def test_a_face_that_the_first_look_did_not_name_is_found() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    seen, laid = table("3", light)
    assert rank(seen, light, Doubt(laid, FIRST[:2]), SCANS)[0][0] == "3"


@pytest.mark.parametrize("digit", ["1", "2", "3"])
def test_a_face_that_was_laid_by_others_is_compared_where_it_fits_itself(digit: str) -> None:
    seen, laid = table(digit, EVEN)
    blanks = {
        f"blank {k}": shrink_reference(np.full((440, 440, 3), (217 - 20 * k, 236, 245 - 20 * k), np.uint8), SIDE_MM)
        for k in range(3)
    }
    first = (("blank 0", 0.5), ("blank 1", 0.3), ("blank 2", 0.2))
    beside = PlacedFace(laid.centre_mm + np.array([1.5, -0.75]), laid.turn_deg + 2.0, SIDE_MM, blanks["blank 0"])
    (face, p), *_ = rank(seen, EVEN, Doubt(beside, first, NOTHING), {**SCANS, **blanks})
    assert (face, p > 0.9) == (digit, True)


def test_print_is_heard_where_under_gloss_no_face_explains_the_grey_levels() -> None:
    bold, pale = {}, {}
    for digit in "123":
        drawn = scan(digit)
        cv2.putText(drawn, digit, (150, 330), cv2.FONT_HERSHEY_SIMPLEX, 6.0, (0, 40, 60), 16, cv2.LINE_AA)
        bold[digit] = shrink_reference(drawn, SIDE_MM)
    for level, letter in enumerate("XYZVW"):  # what gloss shows is nearer to these than to any digit
        other = np.full((440, 440, 3), (217, 236, 245), np.uint8)
        cv2.rectangle(other, (16, 16), (424, 424), (120 + 10 * level, 156 + 6 * level, 235), -1)
        cv2.putText(other, letter, (150, 330), cv2.FONT_HERSHEY_SIMPLEX, 6.0, (150, 180, 200), 16, cv2.LINE_AA)
        pale[letter] = shrink_reference(other, SIDE_MM)
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    laid = PlacedFace(np.array([1.0, -2.0]), 2.0, SIDE_MM, bold["1"])
    flat, label = np.zeros((150, 150, 3), np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, laid, 0, ORIGIN, blur=2)
    seen = np.where(label[..., None] < 0, 60.0, 0.5 * flat + 0.5 * 235.0)
    noise = np.random.default_rng(3).normal(0, 4, seen.shape)
    glossy = np.clip(seen + noise, 0, 255).astype(np.uint8)
    (face, p), *_ = rank(glossy, light, Doubt(laid, (("1", 0.999), ("2", 0.001))), bold | pale)
    assert face == "1"
    assert p > 0.9


def test_a_face_settles_from_three_degrees_and_two_millimetres_away_beside_a_dark_table() -> None:
    light = PictureLight((1.5, 1.5, 1.5), (0.05, 0.05, 0.05), (0.0, 0.0), 4.0)
    seen, true = table("2", light)
    away = PlacedFace(true.centre_mm + np.array([1.6, -1.2]), true.turn_deg - 3.0, SIDE_MM, true.scan)
    found = fit_faces(SeenTable(seen, ORIGIN), [away], light)[0]
    assert found.corners_mm == pytest.approx(true.corners_mm, abs=0.3)


CARD_MM = 44.0
NAMES = ("BANKER", "ARCHITECT", "GEOLOGIST", "ENGINEER", "ADVISER", "MINER", "BUREAUCRAT")


def person(name: str) -> np.ndarray:
    """A card of its box: all have a figure that wears something else, and a name."""
    out = np.full((544, 352, 3), (150, 150, 205), np.uint8)
    cv2.circle(out, (176, 200), 44, (225, 235, 240), -1)
    cv2.ellipse(out, (176, 320), (80, 70), 0, 180, 360, (225, 235, 240), -1)
    kind = NAMES.index(name)
    cv2.circle(out, (176, 290), 8 + 3 * kind, (60 + 20 * kind, 90, 160), -1)
    cv2.rectangle(out, (150, 140), (202, 130 + 8 * kind), (225, 235, 240), -1)
    cv2.circle(out, (90, 390), 20, (90 + 20 * kind, 200, 230 - 20 * kind), -1)
    cv2.putText(out, name, (90, 515), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (225, 235, 240), 5, cv2.LINE_AA)
    return out


CARDS = {name: shrink_reference(person(name), CARD_MM) for name in NAMES}


def under_tokens(name: str, seed: int) -> tuple[np.ndarray, PlacedFace]:
    """A card with a token on its figure and one on its symbol, cardboard with a dark ring."""
    laid = PlacedFace(np.array([1.0, -2.0]), 2.0, CARD_MM, CARDS[name])
    flat, label = np.full((150, 150, 3), 60, np.uint8), np.full((150, 150), -1, np.int16)
    draw(flat, label, laid, 0, ORIGIN, blur=2)
    for x, y in ((74, 66), (58, 98)):
        cv2.circle(flat, (x, y), 11, (170, 190, 200), -1, cv2.LINE_AA)
        cv2.circle(flat, (x, y), 9, (60, 70, 90), 1, cv2.LINE_AA)
        cv2.circle(flat, (x, y), 3, (60, 70, 90), -1, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, 3, flat.shape)
    return np.clip(cv2.GaussianBlur(flat, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8), laid


@pytest.mark.parametrize("name", NAMES)
def test_a_card_under_two_tokens_is_told_by_its_name_whatever_the_first_look_said(name: str) -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 3.0)
    seen, laid = under_tokens(name, 5)
    others = [n for n in NAMES if n != name][:3]
    (face, p), *_ = rank(seen, light, Doubt(laid, [(others[0], 0.97), (others[1], 0.02)]), CARDS)
    assert face == name
    assert p > 0.9


def test_what_lies_on_a_card_is_looked_for_beside_the_pieces_that_are_known() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 3.0)
    seen, laid = under_tokens("MINER", 5)
    beside = np.zeros(seen.shape[:2], np.float32)
    beside[:, 105:] = 1.0
    first = [("BANKER", 0.97), ("ARCHITECT", 0.02)]
    (face, p), *_ = rank(seen, light, Doubt(laid, first, beside, bare=False), CARDS)
    assert face == "MINER"
    assert p > 0.9


def test_a_rival_gains_nothing_by_looking_like_the_token() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 3.0)
    seen, laid = under_tokens("MINER", 5)
    rival = person("MINER")
    cv2.putText(rival, "MINER", (90, 515), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (150, 150, 205), 9)
    cv2.putText(rival, "MINOR", (90, 515), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (225, 235, 240), 5, cv2.LINE_AA)
    for x, y in ((74, 66), (58, 98)):  # its print has the token's colour where the tokens lie
        in_scan = ((np.array([x, y]) + 0.5) / PX_PER_MM + ORIGIN - laid.corners_mm.mean(0)) * 8 + (176, 272)
        cv2.circle(rival, in_scan.astype(int).tolist(), 48, (170, 190, 200), -1)
    scans = {"MINER": CARDS["MINER"], "MINOR": shrink_reference(rival, CARD_MM)}
    (face, p), *_ = rank(seen, light, Doubt(laid, [("MINOR", 0.5), ("MINER", 0.5)]), scans)
    assert face == "MINER"
    assert p > 0.8


def test_a_face_that_would_have_to_be_a_twelfth_larger_is_not_settled() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 3.0)
    true = PlacedFace(np.array([0.0, 0.0]), 0.0, CARD_MM * 1.08, CARDS["MINER"])
    seen, label = np.full((150, 150, 3), 60, np.uint8), np.full((150, 150), -1, np.int16)
    draw(seen, label, true, 0, ORIGIN, blur=2)
    begun = PlacedFace(true.centre_mm, 0.0, CARD_MM, true.scan)
    assert fit_faces(SeenTable(seen, ORIGIN), [begun], light)[0] is begun


@pytest.mark.parametrize(("stranger", "believed"), [(0.0, True), (0.34, True), (0.36, False), (0.46, False)])
def test_a_face_is_doubted_where_one_that_was_not_compared_is_seen_as_well(stranger: float, believed: bool) -> None:
    far = np.array([0.0, -60.0])
    found = TwinComparison(("1", "2"), far, far, np.zeros(2), far, likeness=0.45, stranger=stranger)
    assert (found.is_seen, found.probabilities()[0][1] > UNSEEN) == (believed, believed)


def test_a_face_is_doubted_where_its_print_is_seen_less_than_that_of_one_that_looks_else_from_afar() -> None:
    light = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 4.0)
    hatched = np.where(np.indices((440, 440)).sum(0) // 32 % 2, 35, -35)[..., None]
    seen, laid = table("1", light, np.clip(scan("1") + hatched, 0, 255).astype(np.uint8))
    stranger = shrink_reference(np.clip(np.full((440, 440, 3), 60) + hatched, 0, 255).astype(np.uint8), SIDE_MM)
    for scans, believed in ((SCANS, True), ({**SCANS, "stranger": stranger}, False)):
        (found,) = compare_all(SeenTable(seen, ORIGIN), light, [Doubt(laid, FIRST, NOTHING)], scans)
        assert found is not None
        assert "stranger" not in found.faces
        assert PRINT_SEEN < found.likeness < PLAINLY_SEEN
        assert (found.probabilities()[0][1] > UNSEEN) == believed
