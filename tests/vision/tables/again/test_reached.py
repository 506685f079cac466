"""A drawn market: what an arm much like the cloth hides is not gone, and what hands have taken away is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.pictures.drawn_table import POSE
from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM, PlacedFace, shrink_reference
from vision.tables.again.incremental import ZoneLook
from vision.tables.again.reached import is_gone_under_arm
from vision.tables.changes import find_changes
from vision.tables.place import CARD, GAP, PlaceReading, PlaceState, Shot

CARD_MM = np.array([[-22.0, -34.0], [22.0, -34.0], [22.0, 34.0], [-22.0, 34.0]])
GAP_MM = CARD_MM / 2 + (60.0, 0.0)
PLACES_MM = {"r1c1": CARD_MM, "r1c1|r1c2": GAP_MM}
WINDOW = Window.around(np.vstack([CARD_MM, GAP_MM]), 32.0)
SHOT = Shot(np.zeros((720, 1280, 3), np.uint8), POSE)
FACE = PlaceReading("r1c1", CARD, PlaceState.FACE, "miner", 0.99, likeness=40.0, corners_mm=CARD_MM)
WORKER = PlaceReading("r1c1|r1c2", GAP, PlaceState.EMPTY, pieces=(("red", 1),))
BEFORE = {"r1c1": FACE, "r1c1|r1c2": WORKER}
NO_CARD = PlaceReading("r1c1", CARD, PlaceState.EMPTY, p=0.995)
NO_WORKER = PlaceReading("r1c1|r1c2", GAP, PlaceState.EMPTY)
CLOTH, CARD_BGR, SKIN = (60, 90, 150), (160, 150, 60), (105, 130, 175)


def woven(light: float = 1.0) -> np.ndarray:
    """(H, W, 3) float32: bare cloth in so much light."""
    weave = np.random.default_rng(1).normal(0.0, 12.0, (WINDOW.height_px, WINDOW.width_px, 1))
    return np.asarray((np.array(CLOTH, np.float32) + cv2.blur(weave, (2, 2))[..., None]) * light, np.float32)


def with_card(cloth: np.ndarray) -> np.ndarray:
    """The same with the card and the worker on it."""
    out = cloth.copy()
    out[WINDOW.mask([CARD_MM], 0.0)] = CARD_BGR
    out[WINDOW.mask([CARD_MM / 2], 0.0)] = (40, 40, 40)
    out[WINDOW.mask([GAP_MM * (1, 0.2)], 0.0)] = (30, 30, 200)
    return out


def under_arm(table: np.ndarray, from_mm: float) -> np.ndarray:
    """The same with an arm, paler than the cloth, from there to the right edge over the card and the gap."""
    out, (left, _) = table.copy(), WINDOW.to_px(np.array([from_mm, 0.0]))
    out[WINDOW.height_px // 4 : -WINDOW.height_px // 4, round(left) :] = SKIN
    return out


def is_hidden(
    now_bgr: np.ndarray,
    now: dict[str, PlaceReading],
    earlier: dict[str, PlaceReading] = BEFORE,
    before_bgr: np.ndarray | None = None,
    faces: Sequence[PlacedFace] = (),
    noise: float = 0.0,
) -> bool:
    rng = np.random.default_rng(2)
    seen_bgr = now_bgr + rng.normal(0.0, noise or 1.5, now_bgr.shape)
    lay_bgr = (with_card(woven()) if before_bgr is None else before_bgr) + rng.normal(0.0, noise, now_bgr.shape)
    before, here = (np.clip(one, 0, 255).astype(np.uint8) for one in (lay_bgr, seen_bgr))
    look = ZoneLook(WINDOW, here, find_changes(before, here))
    return is_gone_under_arm(SHOT, look, earlier, now, PLACES_MM, lambda _: faces)


def test_a_card_under_an_arm_like_the_cloth_is_not_gone() -> None:
    assert is_hidden(under_arm(with_card(woven()), -20.0), {"r1c1": NO_CARD, "r1c1|r1c2": WORKER})


def test_a_card_of_which_a_strip_is_seen_is_under_an_arm_of_the_very_look_of_the_cloth() -> None:
    now, (left, _) = with_card(woven()), WINDOW.to_px(np.array([-14.0, 0.0]))
    now[:, round(left) :] = woven()[::-1, round(left) :]
    assert is_hidden(now, {"r1c1": NO_CARD, "r1c1|r1c2": WORKER})


def lit_from(table: np.ndarray, at_mm: float) -> np.ndarray:
    """The same with sun that comes through a window from there to the right edge."""
    out, (left, _) = table.copy(), WINDOW.to_px(np.array([at_mm, 0.0]))
    out[:, round(left) :] *= 1.5
    return out


def test_the_edge_of_a_pane_of_sun_is_no_part_of_a_card_that_was_taken_away() -> None:
    rng = np.random.default_rng(3)
    dots = cv2.resize(rng.integers(40, 180, (17, 11, 3), np.uint8), (440, 680), interpolation=cv2.INTER_NEAREST)
    dots[:340] = 110  # no print above
    face = PlacedFace(np.zeros(2), 0.0, 44.0, shrink_reference(dots, 44.0))
    small = cv2.resize(dots, (round(44 * PX_PER_MM), round(68 * PX_PER_MM)), interpolation=cv2.INTER_AREA)
    bare, laid = np.full_like(woven(), CLOTH), np.full_like(woven(), CLOTH)
    laid[WINDOW.box(face.corners_mm, 0.0)][: small.shape[0], : small.shape[1]] = small * 0.7
    taken = {"r1c1": NO_CARD, "r1c1|r1c2": WORKER}
    sunny = lit_from(laid, 5.0)
    gone = lit_from(bare, 5.0)
    assert not is_hidden(gone, taken, before_bgr=sunny, faces=[face])
    strip, (left, _) = gone.copy(), WINDOW.to_px(np.array([-5.0, 0.0]))
    strip[:, : round(left)] = sunny[:, : round(left)]
    assert is_hidden(strip, taken, before_bgr=sunny, faces=[face])


def test_a_pale_card_is_not_gone_where_an_arm_has_come_beside_its_place() -> None:
    pale, now, (left, _) = woven(), woven()[::-1].copy(), WINDOW.to_px(np.array([25.0, 0.0]))
    pale[WINDOW.mask([CARD_MM], 0.0)] *= 1.5  # as bright cloth in a shadow, of its own colour
    taken = {"r1c1": NO_CARD, "r1c1|r1c2": WORKER}
    assert not is_hidden(now, taken, before_bgr=pale)
    now[:, round(left) :] = SKIN
    assert is_hidden(now, taken, before_bgr=pale)


@pytest.mark.parametrize(("likeness", "burnt_out"), [(20.0, False), (3.0, True)], ids=["half like a face", "burnt out"])
def test_a_card_without_a_name_under_an_arm_is_not_gone(likeness: float, burnt_out: bool) -> None:
    unnamed = {**BEFORE, "r1c1": replace(FACE.in_doubt(0.5), likeness=likeness, burnt_out=burnt_out)}
    assert is_hidden(under_arm(woven(), -20.0), {"r1c1": NO_CARD, "r1c1|r1c2": WORKER}, unnamed)
    assert not is_hidden(woven(), {"r1c1": NO_CARD, "r1c1|r1c2": NO_WORKER}, unnamed)


def test_a_hand_that_was_taken_for_something_and_has_gone_is_no_arm_over_a_card() -> None:
    hand = {**BEFORE, "r1c1": replace(FACE.in_doubt(0.5), likeness=2.0)}
    over, bare = under_arm(woven(), -30.0), {"r1c1": NO_CARD, "r1c1|r1c2": NO_WORKER}
    assert not is_hidden(woven(), {**bare, "r1c1|r1c2": WORKER}, hand, before_bgr=over)


def test_a_worker_under_an_arm_like_the_cloth_is_not_gone() -> None:
    assert is_hidden(under_arm(with_card(woven()), 40.0), {"r1c1": FACE, "r1c1|r1c2": NO_WORKER})


@pytest.mark.parametrize("light", [1.0, 0.6], ids=["as before", "darker all over"])
def test_what_was_taken_away_is_gone_in_whatever_light(light: float) -> None:
    assert not is_hidden(woven(light), {"r1c1": NO_CARD, "r1c1|r1c2": NO_WORKER})


def test_what_was_taken_away_is_gone_though_a_shadow_has_come_from_the_side() -> None:
    bare = woven()
    bare[:, WINDOW.width_px // 3 :] *= 0.5
    assert not is_hidden(bare, {"r1c1": NO_CARD, "r1c1|r1c2": NO_WORKER})


def test_an_arm_over_what_is_still_seen_hides_nothing() -> None:
    assert not is_hidden(under_arm(with_card(woven()), -20.0), {"r1c1": FACE, "r1c1|r1c2": WORKER})


def test_an_arm_beside_what_was_taken_away_does_not_hide_it() -> None:
    assert not is_hidden(under_arm(woven(), 85.0), {"r1c1": NO_CARD, "r1c1|r1c2": WORKER})


def test_where_a_card_was_taken_away_its_place_is_no_arm_with_a_speck_that_reaches_from_the_edge_to_beside_it() -> None:
    bare, (middle, end) = woven(), WINDOW.to_px(np.array([0.0, CARD_MM[0, 1] - 1.0]))
    half = round(7.0 * PX_PER_MM)
    bare[: round(end), round(middle) - half : round(middle) + half] = SKIN
    assert not is_hidden(bare, {"r1c1": NO_CARD, "r1c1|r1c2": NO_WORKER})


def test_in_noise_that_hides_what_is_small_a_taken_worker_is_gone_and_one_under_a_wide_arm_is_not() -> None:
    gone, noise = {"r1c1": FACE, "r1c1|r1c2": NO_WORKER}, 40.0
    bare = with_card(woven())
    bare[WINDOW.mask([GAP_MM], 0.0)] = woven()[WINDOW.mask([GAP_MM], 0.0)]
    assert not is_hidden(bare, gone, noise=noise)
    arm = under_arm(with_card(woven()), 40.0)
    assert is_hidden(np.where((arm == SKIN).all(-1)[..., None], 0.3 * arm, arm), gone, noise=noise)


def test_a_count_that_was_in_doubt_is_nothing_that_has_gone_under_an_arm() -> None:
    perhaps = {**BEFORE, "r1c1|r1c2": replace(WORKER, pieces_p=0.5)}
    assert not is_hidden(under_arm(with_card(woven()), 40.0), {"r1c1": FACE, "r1c1|r1c2": NO_WORKER}, perhaps)
