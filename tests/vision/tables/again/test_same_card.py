"""A card that has not moved since it was named is the same: its name then is weighed against what is read now."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.pictures.drawn_table import POSE
from vision.appearance.canvas import Window
from vision.tables.again.incremental import ZoneMemory, read_zone
from vision.tables.again.same_card import named_as_before, with_cards_that_show
from vision.tables.place import CARD, TILE, PlaceReading, PlaceState, Shot
from vision.tables.zone import ZoneReading

PLACE_MM = np.array([[-22.0, -34.0], [22.0, -34.0], [22.0, 34.0], [-22.0, 34.0]])
WINDOW = Window.around(PLACE_MM, 32.0)


def card(p: float, face: str = "twin", other: str = "twin-b", moved_mm: float = 0.0, holds: str = CARD) -> PlaceReading:
    """A card of which a reading says `face` with probability `p`, else `other`."""
    one = PlaceReading("r1c1", holds, PlaceState.UNKNOWN, corners_mm=PLACE_MM + moved_mm)
    return one.named(((face, p), (other, 1.0 - p)))


def weighed(before: PlaceReading, now: PlaceReading) -> PlaceReading:
    seen = np.zeros((WINDOW.height_px, WINDOW.width_px, 3), np.uint8)
    then, here = (ZoneReading({one.slot: one}, WINDOW, seen) for one in (before, now))
    return named_as_before(here, then).places["r1c1"]


def test_a_name_holds_while_the_card_lies_there_and_nothing_is_sure_of_another() -> None:
    kept = weighed(card(0.99), card(0.5, "twin-b", "twin"))
    assert (kept.state, kept.face) == (PlaceState.FACE, "twin")
    assert kept.p == pytest.approx(0.99, abs=0.005)


def test_two_sure_names_of_one_card_leave_it_in_doubt() -> None:
    both = weighed(card(0.99), card(0.99, "twin-b", "twin"))
    assert both.state is PlaceState.UNKNOWN
    assert dict(both.alternatives) == pytest.approx({"twin": 0.5, "twin-b": 0.5})


def test_a_sure_name_that_is_no_rival_any_more_leaves_the_other_in_doubt() -> None:
    both = weighed(card(0.99), card(0.976, "third", "fourth"))
    assert both.state is PlaceState.UNKNOWN
    assert both.p < 0.9


def test_a_sure_name_beside_another_that_was_likelier_than_not_is_in_doubt_for_one_picture() -> None:
    burnt = card(0.999).in_doubt(0.7)
    now = card(0.999, "twin-b", "twin")
    both = weighed(burnt, now)
    assert both.state is PlaceState.UNKNOWN
    assert weighed(both, now).face == "twin-b"
    assert weighed(card(0.999).in_doubt(0.3), now) is now  # that other name was no likely one


def test_a_name_that_was_hardly_sure_gives_way_to_one_that_surely_is() -> None:
    now = weighed(card(0.9), card(0.995, "twin-b", "twin"))
    assert (now.state, now.face) == (PlaceState.FACE, "twin-b")
    assert now.p <= 0.995


def test_no_name_is_surer_than_a_reading_made_it() -> None:
    now = card(0.6, "twin")
    assert weighed(card(0.95), now).p <= 0.95
    doubtful = card(0.85)
    assert weighed(doubtful, doubtful) is doubtful


@pytest.mark.parametrize(
    "now",
    [
        card(0.5, "twin-b", "twin", moved_mm=1.0),
        card(0.5, "twin-b", "twin", holds=TILE),
        replace(card(0.5, "twin-b", "twin"), state=PlaceState.COVERED),
    ],
    ids=["moved", "a tile", "covered"],
)
def test_what_need_not_be_the_same_card_is_read_by_itself(now: PlaceReading) -> None:
    assert weighed(card(0.99, holds=now.holds), now) is now


def printed(seed: int) -> np.ndarray:
    """(H, W, 3) uint8: the place with a print of its own, and bare cloth around it."""
    out = np.full((WINDOW.height_px, WINDOW.width_px, 3), 120, np.uint8)
    box = WINDOW.box(PLACE_MM, 0.0)
    dots = np.random.default_rng(seed).integers(60, 200, (24, 16, 3), np.uint8)
    out[box] = cv2.resize(dots, out[box].shape[1::-1], interpolation=cv2.INTER_NEAREST)
    return out


@pytest.mark.parametrize(
    ("now_bgr", "stays"),
    [(printed(1), True), (printed(1) // 2, True), (printed(2), False), (np.full_like(printed(1), 120), False)],
    ids=["as before", "in a shadow", "another card", "bare table"],
)
def test_a_card_whose_print_is_seen_is_not_gone(now_bgr: np.ndarray, stays: bool) -> None:
    empty = PlaceReading("r1c1", CARD, PlaceState.EMPTY, p=0.995)
    then, here = (ZoneReading({"r1c1": one}, WINDOW, now_bgr) for one in (card(0.99), empty))
    found = with_cards_that_show(here, then, printed(1), {"r1c1": PLACE_MM}).places["r1c1"]
    assert (found.face == "twin") is stays
    assert (found.state is PlaceState.EMPTY) is not stays


def in_the_dark(seed: int, card_bgr: tuple[int, int, int] | None, check_bgr: tuple[int, int, int] | None = None,
                gain: float = 1.0) -> np.ndarray:
    """(H, W, 3) uint8: a plain pale card on grey cloth, or a check of the cloth or bare cloth in its place, in a light
    so dim that noise drowns all print."""
    out = np.full((WINDOW.height_px, WINDOW.width_px, 3), 70.0)
    if card_bgr or check_bgr:
        out[WINDOW.box(PLACE_MM, 0.0)] = card_bgr or check_bgr
    noise = np.random.default_rng(seed).normal(0.0, 12.0, out.shape)
    return np.clip(out * gain + noise, 0, 255).astype(np.uint8)


PALE = (75, 72, 92)
"""A card that is told from the cloth by its hue alone."""


@pytest.mark.parametrize(
    ("now_bgr", "stays"),
    [
        (in_the_dark(2, PALE), True), (in_the_dark(2, PALE, gain=0.7), True),
        (in_the_dark(2, None), False), (in_the_dark(2, None, (80, 70, 60)), False),
    ],
    ids=["as before", "in less light", "bare cloth", "a check of another hue"],
)
def test_a_card_in_the_dark_that_is_told_from_the_table_as_before_is_in_doubt_and_not_gone(
    now_bgr: np.ndarray, stays: bool
) -> None:
    empty = PlaceReading("r1c1", CARD, PlaceState.EMPTY, p=0.995)
    for was, agreed in ((card(0.99), {}), (card(0.4, "third"), {"r1c1": "third"})):
        then, here = (ZoneReading({"r1c1": one}, WINDOW, now_bgr) for one in (was, empty))
        found = with_cards_that_show(here, then, in_the_dark(1, PALE), {"r1c1": PLACE_MM}, agreed).places["r1c1"]
        assert found.state is (PlaceState.UNKNOWN if stays else PlaceState.EMPTY)
        assert not stays or (found.p <= 0.5 and found.likeliest == was.likeliest)


def test_a_place_that_was_not_read_as_the_card_that_is_agreed_to_lie_there_may_be_bare() -> None:
    empty = PlaceReading("r1c1", CARD, PlaceState.EMPTY, p=0.995)
    now_bgr = in_the_dark(2, None, PALE)
    then, here = (ZoneReading({"r1c1": one}, WINDOW, now_bgr) for one in (card(0.4), empty))
    for agreed in ({}, {"r1c1": "another"}):
        found = with_cards_that_show(here, then, in_the_dark(1, None, PALE), {"r1c1": PLACE_MM}, agreed)
        assert found.places["r1c1"] is empty


@pytest.mark.parametrize(("agreed", "state"), [({"r1c1": "twin"}, PlaceState.UNKNOWN), ({}, PlaceState.EMPTY)])
def test_a_card_that_was_covered_is_gone_only_when_its_place_looks_bare_once_more(
    agreed: dict[str, str], state: PlaceState
) -> None:
    now_bgr, empty = in_the_dark(2, None), PlaceReading("r1c1", CARD, PlaceState.EMPTY, p=0.995)
    covered = PlaceReading("r1c1", CARD, PlaceState.COVERED)
    then, here = (ZoneReading({"r1c1": one}, WINDOW, now_bgr) for one in (covered, empty))
    first = with_cards_that_show(here, then, now_bgr, {"r1c1": PLACE_MM}, agreed)
    assert first.places["r1c1"].state is state
    assert with_cards_that_show(here, first, now_bgr, {"r1c1": PLACE_MM}, agreed).places["r1c1"] is empty


class ReadsBare:
    """A reader of one place, which it takes for bare table in whatever picture."""

    def __init__(self, seen_bgr: np.ndarray) -> None:
        self.seen_bgr, self.places_mm = seen_bgr, {"r1c1": PLACE_MM}

    def rectified(self, _shot: Shot) -> tuple[Window, np.ndarray]:
        return WINDOW, self.seen_bgr

    def read(self, _shot: Shot, seen: np.ndarray, *_: object, **__: object) -> ZoneReading:
        return ZoneReading({"r1c1": PlaceReading("r1c1", CARD, PlaceState.EMPTY, p=0.995)}, WINDOW, seen)


@pytest.mark.parametrize("half_in_sun", [False, True], ids=["a card in the dark", "a place half in a pane of sun"])
def test_what_is_told_from_the_table_as_before_is_not_named_again_by_the_name_it_had(half_in_sun: bool) -> None:
    then_bgr, now_bgr = in_the_dark(1, PALE), in_the_dark(2, PALE)
    if half_in_sun:
        pane = np.full(WINDOW.width_px, 1.0)
        pane[WINDOW.width_px // 2 :] = 3.0
        then_bgr, now_bgr = (
            np.clip(in_the_dark(seed, card_bgr) * pane[:, None], 0, 255).astype(np.uint8)
            for seed, card_bgr in ((1, PALE), (2, None))
        )
    memory = ZoneMemory.of(ZoneReading({"r1c1": card(0.999)}, WINDOW, then_bgr))
    shot = Shot(np.zeros((720, 1280, 3), np.uint8), POSE)
    found = read_zone(ReadsBare(now_bgr), shot, lambda: None, memory).reading.places["r1c1"]
    assert found.state is PlaceState.UNKNOWN
    assert found.p <= 0.5
