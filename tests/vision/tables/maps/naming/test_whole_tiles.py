"""Facts about tiles that no space names by itself: which may lie on the spaces that show something."""

from __future__ import annotations

from typing import Any

import pytest
from map_plan_kit import PAIR, STEP_MM, hexagon

from companion.core.types import Face, Slot
from vision.tables.maps.map_plan import MapPlan
from vision.tables.maps.naming.space_votes import SpaceVotes
from vision.tables.maps.naming.whole_tiles import likely_tiles
from vision.tables.maps.space_pieces import SpacePiece
from vision.tables.zone import SpaceReading

OTHER = SpacePiece("other", ("third", "fourth"), ((0.0, 0.0), (STEP_MM, 0.0)))
TWIN = SpacePiece("twin", ("first-again", "second"), ((0.0, 0.0), (STEP_MM, 0.0)))
SAME = {"first": "first", "second": "second", "third": "third", "fourth": "fourth", "first-again": "first"}
PLAN = MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(4)], [PAIR, OTHER, TWIN])


class _Faces:
    """Spaces that are as unlike each face in the upright turn as a table says; in other turns all of them are worse."""

    def __init__(self, unlike: dict[tuple[Slot, Face], float]) -> None:
        self._unlike = unlike

    def misfit(self, slot: Slot, face: Face, turn: int) -> float:
        return self._unlike.get((slot, face), 0.1) if turn == 0 else 0.2


def likely(
    strange: list[Slot], unlike: dict[tuple[Slot, Face], float], **spaces: SpaceReading
) -> list[tuple[Slot, Face, int]]:
    faces: Any = _Faces(unlike)
    return likely_tiles(PLAN, SpaceVotes(PLAN, SAME), faces, strange, spaces)


def test_the_tile_that_fits_all_spaces_together_is_first_though_one_space_is_likest_another() -> None:
    seen = {("s1", "first"): 0.05, ("s1", "third"): 0.04, ("s2", "second"): 0.03, ("s2", "fourth"): 0.09}
    assert likely(["s1", "s2"], seen)[0] == ("s1", "pair", 0)


def test_no_tile_is_tried_that_would_lie_on_a_space_which_shows_nothing() -> None:
    assert {(slot, turn) for slot, _, turn in likely(["s1", "s2"], {})} <= {("s1", 0), ("s2", 3)}
    assert not likely(["s0", "s2"], {})


def test_of_tiles_that_look_the_same_one_is_tried() -> None:
    assert "twin" not in {name for _, name, _ in likely(["s1", "s2"], {})}


def test_a_tile_that_one_space_is_surely_likest_is_tried_too_however_little_it_looks_like_print(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.tables.maps.naming.whole_tiles.MOST_TRIED", 1)
    seen = {("s1", "third"): 0.04, ("s2", "fourth"): 0.04}
    assert likely(["s1", "s2"], seen) == [("s1", "other", 0)]
    second, third = SpaceReading("second", 0, 0.99, 12.0), SpaceReading("third", 0, 0.99, 12.0)
    assert likely(["s1", "s2"], seen, s2=second) == [("s1", "other", 0), ("s1", "pair", 0)]
    assert likely(["s1", "s2"], seen, s1=third) == [("s1", "other", 0)]
    assert likely(["s1", "s2"], seen, s2=SpaceReading("second", 0, 0.5, 12.0)) == [("s1", "other", 0)]
