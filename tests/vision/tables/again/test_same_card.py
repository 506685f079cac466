"""A card that has not moved since it was named is the same: its name then is weighed against what is read now."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.appearance.canvas import Window
from vision.tables.again.same_card import named_as_before
from vision.tables.place import CARD, TILE, PlaceReading, PlaceState
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
